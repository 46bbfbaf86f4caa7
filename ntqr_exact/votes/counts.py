"""`VoteCounts`: how often each pattern of labels was seen, as a value."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self, TypeAlias

from gmpy2 import mpq

from ntqr_exact.budget import spend
from ntqr_exact.errors import BadDocument, BadNumber, BadVotes, EmptyTest, NotANumber, listed, shown
from ntqr_exact.exact.json_text import read_json, write_json
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.exact.show import aligned, counted
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.names import (
    Pattern,
    check_judges,
    check_labels,
    check_pattern,
    default_judges,
    join_pattern,
    split_pattern,
)

Judge: TypeAlias = "int | str"
"""A judge is given by its index, counted from 0, or by its name."""

_TOO_LARGE = 10**1000
"""Python writes out integers of up to 4300 digits: counts below this, and sums of them, can be shown."""


class PatternCounts(FrozenMapping[Pattern, int]):
    """The counts of the patterns that were seen; any other pattern of the same votes counts 0."""

    def __init__(self, counts: dict[Pattern, int], labels: tuple[str, ...], width: int) -> None:
        super().__init__(counts)
        self._labels, self._width = labels, width
        self.has_gaps = any(None in pattern for pattern in counts)

    def __reduce__(self) -> tuple[Any, ...]:
        return PatternCounts, (dict(self), self._labels, self._width)

    @cached_property
    def responses(self) -> list[dict[str, int]]:
        """How often each judge gave each label: one pass counts those of all judges."""
        result = [dict.fromkeys(self._labels, 0) for _ in range(self._width)]
        for pattern, count in self.items():
            for totals, label in zip(result, pattern, strict=True):
                if label is not None:
                    totals[label] += count
        return result

    def __getitem__(self, pattern: Pattern | str, default: object = 0) -> int:
        try:
            return super().__getitem__(pattern)  # type: ignore[index]
        except (KeyError, TypeError):  # not seen, or written as a text or a list
            checked = check_pattern(pattern, self._labels)
        if len(checked) != self._width:
            raise BadVotes(pattern, f"a pattern here must have {self._width} labels")
        return super().get(checked, 0)

    get = __getitem__

    def __contains__(self, pattern: object) -> bool:
        try:
            return self[pattern] > 0  # type: ignore[index]
        except BadVotes:
            return False

    def __repr__(self) -> str:
        is_short = all(len(label) == 1 for label in self._labels)
        return repr({"".join(p) if is_short and None not in p else p: count for p, count in self.items()})


class JsonText:
    """The JSON text of a value that is a document, the same bytes every time."""

    __slots__ = ()

    def to_json(self) -> str:
        """Return the document as JSON."""
        return write_json(self.to_document())  # type: ignore[attr-defined]

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return what `to_json` wrote; raises `BadDocument`."""
        return cls.from_document(read_json(text))  # type: ignore[attr-defined, no-any-return]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class VoteCounts(JsonText):
    """How often each pattern of labels was given by N judges to the questions of a test.

    >>> votes = VoteCounts({"aa": 2, "ab": 1, "bb": 1})
    >>> votes.size, votes.counts["ba"], votes.marginal(1)
    (4, 0, VoteCounts({'a': 2, 'b': 2}, labels=('a', 'b'), judges=('J2',)))

    `counts` maps patterns to counts; a pattern is a tuple with the label that each judge gave, or None (a gap)
    for a judge that gave no answer. A pattern that is not named counts 0. Raises `BadVotes` for labels, judges,
    patterns or counts that are not valid, and for a pattern without any answer.

    >>> VoteCounts({"aa": 2, ("b", None): 1}).responses(1)
    {'a': 2, 'b': 0}
    """

    counts: PatternCounts
    labels: tuple[str, ...]
    judges: tuple[str, ...]

    def __init__(
        self,
        counts: Mapping[Any, RationalLike],
        labels: Iterable[str] = ("a", "b"),
        judges: Iterable[str] | None = None,
    ) -> None:
        if not isinstance(counts, Mapping):
            raise BadVotes(counts, "counts must map patterns to whole numbers", "count_rows counts rows")
        labels = check_labels(labels)
        checked: dict[Pattern, int] = {}
        for key, value in counts.items():
            pattern = check_pattern(key, labels)
            if pattern in checked:
                raise BadVotes(key, "a pattern must be given once")
            checked[pattern] = _count(value, key)
        if judges is None and not checked:
            raise EmptyTest(counts, "votes must have a pattern or named judges")
        names = default_judges(len(next(iter(checked)))) if judges is None else check_judges(judges)
        for pattern in checked:
            if len(pattern) != len(names):
                raise BadVotes(pattern, f"a pattern here must have {len(names)} labels, one for each judge")
            if pattern.count(None) == len(names):
                raise BadVotes(pattern, "a pattern must have at least one answer", "leave this question out")
        _set(self, checked, labels, names)

    @property
    def size(self) -> int:
        """The number of questions, Q."""
        return sum(self.counts.values())

    @property
    def has_gaps(self) -> bool:
        """Whether some judge did not answer some question."""
        return self.counts.has_gaps

    def answered(self, judge: Judge) -> int:
        """Return the number of questions that a judge answered."""
        return sum(self.responses(judge).values())

    def without_gaps(self, what: str) -> VoteCounts:
        """Return these votes for an evaluator that has no rule for gaps; raises `BadVotes` if there are some."""
        if self.has_gaps:
            gaps = sum(count * pattern.count(None) for pattern, count in self.counts.items())
            rule = f"{what} must have an answer from every judge to every question"
            raise BadVotes(counted(gaps, "gap"), rule, "use common(judges), or --missing drop")
        return self

    def patterns(self) -> Iterator[tuple[str, ...]]:
        """Iterate over all R^N patterns without gaps, seen or not, in the order of the labels."""
        return itertools.product(self.labels, repeat=len(self.judges))

    def frequency(self, pattern: Pattern | str) -> mpq:
        """Return the share f of the questions that got this pattern."""
        return _share(self.counts[pattern], self.size)

    def responses(self, judge: Judge) -> dict[str, int]:
        """Return how often a judge gave each label, R_{a_i}, R_{b_i}, …, on the questions that it answered."""
        return dict(self.counts.responses[self.place(judge)])

    def response_rate(self, judge: Judge, label: str) -> mpq:
        """Return the share of the questions that a judge answered to which it gave a label, f_{a_i}."""
        self._check_label(label)
        responses = self.responses(judge)
        return _share(responses[label], sum(responses.values()))

    def agreement(self, *judges: Judge) -> mpq:
        """Return the share of the questions that some or all judges answered on which they gave one label."""
        votes = self.common(*judges)
        spend("the agreement of groups of judges", 4 + len(votes.counts) // 2)
        return _share(
            sum(count for pattern, count in votes.counts.items() if len({*pattern}) == 1), votes.size
        )

    def pair_moment(self, first: Judge, second: Judge, *, label: str | None = None) -> mpq:
        """Return Δ_ij = f_{b_i b_j} − f_{b_i} f_{b_j}, the covariance of giving a label where both answered."""
        return self.central_moment((first, second), label=label)

    def trio_moment(self, first: Judge, second: Judge, third: Judge, *, label: str | None = None) -> mpq:
        """Return T = f_bbb − (f_b1 f_b2 f_b3 + f_b1 Δ_23 + f_b2 Δ_13 + f_b3 Δ_12), where all three answered."""
        return self.central_moment((first, second, third), label=label)

    def central_moment(self, judges: Iterable[Judge], *, label: str | tuple[str, ...] | None = None) -> mpq:
        """Return the mean of Π (1 if the judge gave the label else 0, minus its rate) over some judges.

        Expanding the product gives Δ for two judges, and T for three; on the questions of a true label it is Γ. A
        tuple has a label for each judge. Rates and mean are taken over the questions that all of these judges answered.
        """
        indices = self._places(judges)
        if label is None:
            if len(self.labels) != 2:
                raise BadVotes(label, f"with {len(self.labels)} labels, the label of a moment must be named")
            label = self.labels[1]
        if self.has_gaps:
            return self.common(*indices).central_moment(range(len(indices)), label=label)
        size = self.size
        if size == 0:
            raise EmptyTest(self, "moments must be taken over at least one question")
        answers = (label,) * len(indices) if isinstance(label, str) else label
        for answer in answers:
            self._check_label(answer)
        spend("the moments of groups of judges", 8 + len(self.counts) * len(indices) // 4)
        # Over the common denominator size^(N+1) everything is whole; one division at the end.
        given = [(i, answer, self.responses(i)[answer]) for i, answer in zip(indices, answers, strict=True)]
        total = 0
        for pattern, count in self.counts.items():
            product = count
            for index, answer, responses in given:
                product *= (size if pattern[index] == answer else 0) - responses
            total += product
        return mpq(total, size ** (len(indices) + 1))

    def marginal(self, *judges: Judge | Iterable[Judge]) -> VoteCounts:
        """Return the votes of some of the judges, in the order given, on the questions that any of them answered.

        >>> VoteCounts({"aab": 2, "bbb": 1}).marginal(2, 0)
        VoteCounts({'ba': 2, 'bb': 1}, labels=('a', 'b'), judges=('J3', 'J1'))
        """
        indices = self._places(flat_judges(judges))
        names = tuple(self.judges[index] for index in indices)
        if len(indices) > 1:  # of one index it makes no tuple
            return self._regrouped(operator.itemgetter(*indices), self.labels, names)
        return self._regrouped(lambda pattern: (pattern[indices[0]],), self.labels, names)

    def common(self, *judges: Judge | Iterable[Judge]) -> VoteCounts:
        """Return the votes of some of the judges, or of all, on the questions that all of them answered.

        >>> VoteCounts({"aab": 2, ("b", None, "b"): 1}).common(0, 1)
        VoteCounts({'aa': 2}, labels=('a', 'b'), judges=('J1', 'J2'))
        """
        votes = self.marginal(*judges) if judges else self
        return votes._kept(lambda pattern: None not in pattern) if votes.has_gaps else votes

    def restricted(self, judge: Judge, label: str) -> VoteCounts:
        """Return the votes on the questions to which a judge gave a label."""
        index = self.place(judge)
        self._check_label(label)
        return self._kept(lambda pattern: pattern[index] == label)

    def relabeled(self, new_name: Mapping[str, str | None], labels: Iterable[str]) -> VoteCounts:
        """Return the votes with each label replaced by its new name among `labels`, or a gap; several may become one.

        >>> VoteCounts({"ab": 2}).relabeled({"a": "b", "b": "a"}, ["a", "b"])
        VoteCounts({'ba': 2}, labels=('a', 'b'), judges=('J1', 'J2'))
        """
        names, change = check_labels(labels), {label: new_name.get(label, label) for label in self.labels}
        if not {*change.values()} <= {*names, None}:
            raise BadVotes(change, f"each label must become one of {listed(names)}, or None")
        return self._regrouped(lambda pattern: tuple(map(change.get, pattern)), names, self.judges)

    def __add__(self, other: object) -> VoteCounts:
        if not isinstance(other, VoteCounts):
            return NotImplemented
        for kind in ("labels", "judges"):
            mine, theirs = getattr(self, kind), getattr(other, kind)
            if mine != theirs:
                raise BadVotes((mine, theirs), f"merged votes must have the same {kind}, in order")
        merged = dict(self.counts)
        for pattern, count in other.counts.items():
            merged[pattern] = merged.get(pattern, 0) + count
        return trusted_votes(merged, self.labels, self.judges)

    def __repr__(self) -> str:
        return f"VoteCounts({self.counts!r}, labels={self.labels!r}, judges={self.judges!r})"

    def __str__(self) -> str:
        if not self.counts:
            return f"no questions for {', '.join(self.judges)}"
        rows = [(*self.judges, "count", "share")]
        for pattern, count in self.counts.items():
            rows.append((*(label or "-" for label in pattern), str(count), str(mpq(count, self.size))))
        return "\n".join(aligned(rows, to_the_left=[*(True for _ in self.judges), False, False], between=" "))

    def to_document(self) -> dict[str, Any]:
        """Return the votes as a JSON document; see `join_pattern` for its keys."""
        counts = {join_pattern(pattern): count for pattern, count in self.counts.items()}
        return {"labels": list(self.labels), "judges": list(self.judges), "counts": counts}

    @classmethod
    def from_document(cls, document: object) -> VoteCounts:
        """Return the votes that `to_document` wrote; raises `BadDocument`."""
        match document:
            case {"labels": list(labels), "judges": list(judges), "counts": dict(counts), **rest} if not rest:
                return cls({split_pattern(key): value for key, value in counts.items()}, labels, judges)
        rule = "votes must be an object with only the keys labels, judges (lists) and counts (an object)"
        raise BadDocument(document, rule)

    def place(self, judge: Judge) -> int:
        """Return the index of a judge, counted from 0, given its index or its name."""
        if isinstance(judge, str) and judge in self.judges:
            return self.judges.index(judge)
        if not isinstance(judge, bool) and hasattr(judge, "__index__"):
            index = operator.index(judge)  # also whole numbers of other libraries, such as numpy's
            if 0 <= index < len(self.judges):
                return index
        parts = str(judge).lower().split("…")
        near = [name for name in self.judges if all(part in name.lower() for part in parts)]
        guess = f"did you mean {near[0]!r}?" if len(near) == 1 else ""
        raise BadVotes(judge, f"a judge must be one of {listed(self.judges)}, or its index from 0", guess)

    def _places(self, judges: Iterable[Judge]) -> tuple[int, ...]:
        indices = tuple(self.place(judge) for judge in judges)
        if not indices or len(set(indices)) != len(indices):
            raise BadVotes(indices, "at least one judge must be named, and each of them once")
        return indices

    def _check_label(self, label: str) -> None:
        if label not in self.labels:
            raise BadVotes(label, f"a label must be one of {listed(self.labels)}")

    def _kept(self, is_kept: Callable[[Pattern], bool]) -> VoteCounts:
        kept = {pattern: count for pattern, count in self.counts.items() if is_kept(pattern)}
        return trusted_votes(kept, self.labels, self.judges)

    def _regrouped(
        self, change: Callable[[Pattern], Pattern], labels: tuple[str, ...], judges: tuple[str, ...]
    ) -> VoteCounts:
        counts: dict[Pattern, int] = {}
        for pattern, count in self.counts.items():
            changed = change(pattern)
            counts[changed] = counts.get(changed, 0) + count
        counts.pop((None,) * len(judges), None)  # none of them answered
        return trusted_votes(counts, labels, judges)


def trusted_votes(counts: dict[Pattern, int], labels: tuple[str, ...], judges: tuple[str, ...]) -> VoteCounts:
    """Return votes from parts that are known to be right."""
    spend("the votes of groups of judges", 10 + len(counts) + len(judges) // 10)
    votes = object.__new__(VoteCounts)
    _set(votes, counts, labels, judges)
    return votes


def flat_judges(judges: tuple[Judge | Iterable[Judge], ...]) -> tuple[Judge, ...]:
    """Let `marginal((0, 1))` mean `marginal(0, 1)`."""
    if len(judges) == 1 and isinstance(judges[0], Iterable) and not isinstance(judges[0], str):
        return tuple(judges[0])
    return judges  # type: ignore[return-value]


def _set(
    votes: VoteCounts, counts: dict[Pattern, int], labels: tuple[str, ...], judges: tuple[str, ...]
) -> None:
    """Set the canonical parts: no zero counts, patterns in the order of the labels, gaps last."""
    rank: dict[str | None, int] = {label: index for index, label in enumerate((*labels, None))}
    seen = [item for item in counts.items() if item[1]]
    ranks = bytes if len(rank) <= 256 else tuple
    seen.sort(key=lambda item: ranks(map(rank.__getitem__, item[0])))
    object.__setattr__(votes, "counts", PatternCounts(dict(seen), labels, len(judges)))
    object.__setattr__(votes, "labels", labels)
    object.__setattr__(votes, "judges", judges)


def _count(value: RationalLike, pattern: object) -> int:
    try:
        count = whole_number(value)
    except (BadNumber, NotANumber) as error:
        rule = f"{error.rule} (this is the count of {shown(pattern)})"
        raise type(error)(value, rule, error.remedy) from None
    if count >= _TOO_LARGE:
        raise BadNumber(value, f"a count must have at most 1000 digits (that of {shown(pattern)})")
    return count


def _share(count: int, size: int) -> mpq:
    if size == 0:
        raise EmptyTest(count, "a rate must be taken over at least one question")
    return mpq(count, size)
