"""`VoteCounts`: how often each pattern of labels was seen, as a value."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.budget import spend
from ntqr_exact.errors import BadDocument, BadNumber, BadVotes, EmptyTest, NotANumber, shown
from ntqr_exact.exact.json_text import read_json, write_json
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.votes.names import (
    Pattern,
    check_judges,
    check_labels,
    check_pattern,
    default_judges,
    join_pattern,
    split_pattern,
)
from ntqr_exact.votes.pattern_counts import PatternCounts, table_latex, table_text

Judge: TypeAlias = "int | str"
"""A judge is meant by its place, counted from 0, or by its name."""

_TOO_LARGE = 10**1000
"""Python writes out integers of up to 4300 digits: counts below this, and sums of them, can be shown."""


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class VoteCounts:
    """How often each pattern of labels was given by N judges to the questions of a test.

    >>> votes = VoteCounts({"aa": 2, "ab": 1, "bb": 1})
    >>> votes.size, votes.counts["ba"], votes.marginal(1)
    (4, 0, VoteCounts({'a': 2, 'b': 2}, labels=('a', 'b'), judges=('J2',)))

    `counts` maps patterns to counts; a pattern is a tuple with the label that each judge gave, or None (a gap)
    for a judge that gave no answer. A pattern that is not named counts 0. Raises `BadVotes` for labels, judges,
    patterns or counts that are not valid, and for a pattern of gaps only: nobody answered such a question.

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
            raise BadVotes(counts, "counts map patterns to whole numbers", "count_rows counts a list of rows")
        labels = check_labels(labels)
        checked: dict[Pattern, int] = {}
        for key, value in counts.items():
            pattern = check_pattern(key, labels)
            if pattern in checked:
                raise BadVotes(key, "this pattern is given twice")
            try:
                count = whole_number(value)
            except (BadNumber, NotANumber) as error:
                rule = f"{error.rule} (this is the count of {shown(key)})"
                raise type(error)(value, rule, error.remedy) from None
            if count >= _TOO_LARGE:
                raise BadNumber(value, f"a count has at most 1000 digits (this is the count of {shown(key)})")
            checked[pattern] = count
        if judges is None:
            if not checked:
                rule = "votes without a pattern do not tell how many judges there are"
                raise EmptyTest(counts, rule, "name them")
            names = default_judges(len(next(iter(checked))))
        else:
            names = check_judges(judges)
        for pattern in checked:
            if len(pattern) != len(names):
                raise BadVotes(pattern, f"a pattern here has {len(names)} labels, one for each judge")
            if pattern.count(None) == len(names):
                raise BadVotes(pattern, "a pattern must have at least one answer", "leave this question out")
        _set(self, checked, labels, names)

    # -- size and rates -------------------------------------------------------------------------

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
        """Return these votes if every judge answered every question; raises `BadVotes` otherwise.

        For evaluators that have no rule for gaps; `what` names the evaluator.
        """
        if self.has_gaps:
            gaps = sum(count * pattern.count(None) for pattern, count in self.counts.items())
            rule = f"{what} needs an answer from every judge on every question, and {gaps} are missing"
            raise BadVotes(f"{gaps} gaps", rule, "use common(judges), or --missing drop")
        return self

    def patterns(self) -> Iterator[tuple[str, ...]]:
        """Iterate over all R^N patterns without gaps, seen or not, in the order of the labels."""
        return itertools.product(self.labels, repeat=len(self.judges))

    def frequency(self, pattern: Pattern | str) -> mpq:
        """Return the share f of the questions that got this pattern.

        >>> VoteCounts({"aa": 2, "ab": 1}).frequency("ab")
        mpq(1,3)
        """
        return self._share(self.counts[pattern])

    def frequencies(self) -> dict[Pattern, mpq]:
        """Return the share of every pattern that was seen."""
        size = self.size
        return {pattern: mpq(count, size) for pattern, count in self.counts.items()}

    def responses(self, judge: Judge) -> dict[str, int]:
        """Return how often a judge gave each label, R_{a_i}, R_{b_i}, …, on the questions that it answered.

        >>> VoteCounts({"aa": 2, "ab": 1}).responses(1)
        {'a': 2, 'b': 1}
        """
        place = self.place(judge)
        totals: dict[str | None, int] = dict.fromkeys((*self.labels, None), 0)
        for pattern, count in self.counts.items():
            totals[pattern[place]] += count
        del totals[None]
        return totals  # type: ignore[return-value]

    def response_rate(self, judge: Judge, label: str) -> mpq:
        """Return the share of the questions that a judge answered to which it gave a label, f_{a_i}."""
        self._check_label(label)
        responses = self.responses(judge)
        return self._share(responses[label], sum(responses.values()))

    def agreement(self, *judges: Judge) -> mpq:
        """Return the share of the questions on which the judges, or all of them, gave one label.

        It is taken over the questions that all of these judges answered.

        >>> VoteCounts({"aab": 2, "bbb": 1}).agreement(0, 1), VoteCounts({"aab": 2, "bbb": 1}).agreement()
        (mpq(1,1), mpq(1,3))
        """
        places = self._places(judges) if judges else range(len(self.judges))
        spend("the agreements of so many groups of judges", 4 + len(self.counts) // 2)
        agreed = total = 0
        for pattern, count in self.counts.items():
            labels = {pattern[place] for place in places}
            if None not in labels:
                total += count
                agreed += count if len(labels) == 1 else 0
        return self._share(agreed, total)

    def pair_moment(self, first: Judge, second: Judge, *, label: str | None = None) -> mpq:
        """Return Δ_ij = f_{b_i b_j} − f_{b_i} f_{b_j}, the covariance of giving a label.

        With two labels it is the same for both, and b need not be named.

        >>> VoteCounts({"aa": 1, "bb": 1}).pair_moment(0, 1)
        mpq(1,4)
        """
        return self.central_moment((first, second), label=label)

    def trio_moment(self, first: Judge, second: Judge, third: Judge, *, label: str | None = None) -> mpq:
        """Return T = f_bbb − (f_b1 f_b2 f_b3 + f_b1 Δ_23 + f_b2 Δ_13 + f_b3 Δ_12).

        It is the third central moment of giving a label; with two labels the second one, b, is meant
        unless told otherwise, and that of the first is −T.

        >>> VoteCounts({"aaa": 2, "bbb": 1}).trio_moment(0, 1, 2)
        mpq(2,27)
        """
        return self.central_moment((first, second, third), label=label)

    def central_moment(self, judges: Iterable[Judge], *, label: str | tuple[str, ...] | None = None) -> mpq:
        """Return the mean of Π (1 if the judge gave the label else 0, minus its rate) over some judges.

        Expanding the product gives Δ for two judges, and T for three; on the questions of a true label it is Γ. A
        tuple has a label for each judge. Rates and mean are taken over the questions that all of these judges answered.

        >>> VoteCounts({"aaaa": 1, "bbbb": 1}).central_moment(range(4))
        mpq(1,16)
        """
        places = self._places(judges)
        if label is None:
            if len(self.labels) != 2:
                raise BadVotes(label, f"with {len(self.labels)} labels, name the one whose moment is meant")
            label = self.labels[1]
        if self.has_gaps:
            common = self.common(*places)
            return common.central_moment(range(len(places)), label=label)
        size = self.size
        if size == 0:
            raise EmptyTest(self, "a test without questions has no moments")
        # Over the common denominator size^(N+1) everything is whole; one division at the end.
        answers = (label,) * len(places) if isinstance(label, str) else label
        for answer in answers:
            self._check_label(answer)
        spend("the moments of so many groups of judges", 8 + len(self.counts) * len(places) // 4)
        given = [(i, answer, self.responses(i)[answer]) for i, answer in zip(places, answers, strict=True)]
        total = 0
        for pattern, count in self.counts.items():
            product = count
            for place, answer, responses in given:
                product *= (size if pattern[place] == answer else 0) - responses
            total += product
        return mpq(total, size ** (len(places) + 1))

    # -- other votes of the same test -----------------------------------------------------------

    def marginal(self, *judges: Judge | Iterable[Judge]) -> VoteCounts:
        """Return the votes of some of the judges, in the order given, on the questions that any of them answered.

        >>> VoteCounts({"aab": 2, "bbb": 1}).marginal(2, 0)
        VoteCounts({'ba': 2, 'bb': 1}, labels=('a', 'b'), judges=('J3', 'J1'))
        """
        places = self._places(_flat(judges))
        names = tuple(self.judges[place] for place in places)
        if len(places) > 1:  # of one place it makes no tuple
            return self._regrouped(operator.itemgetter(*places), judges=names)
        return self._regrouped(lambda pattern: tuple(pattern[place] for place in places), judges=names)

    def common(self, *judges: Judge | Iterable[Judge]) -> VoteCounts:
        """Return the votes of some of the judges, or of all, on the questions that all of them answered.

        >>> VoteCounts({"aab": 2, ("b", None, "b"): 1}).common(0, 1)
        VoteCounts({'aa': 2}, labels=('a', 'b'), judges=('J1', 'J2'))
        """
        votes = self.marginal(*judges) if judges else self
        if not votes.has_gaps:
            return votes
        kept = {pattern: count for pattern, count in votes.counts.items() if None not in pattern}
        return trusted_votes(kept, votes.labels, votes.judges)

    def reordered(self, *judges: Judge | Iterable[Judge]) -> VoteCounts:
        """Return the same votes with all judges in another order."""
        wanted = _flat(judges)
        if len(self._places(wanted)) != len(self.judges):
            rule = f"a new order names all {len(self.judges)} judges"
            raise BadVotes(wanted, rule, "marginal takes some of them")
        return self.marginal(*wanted)

    def restricted(self, judge: Judge, label: str) -> VoteCounts:
        """Return the votes on the questions to which a judge gave a label.

        >>> VoteCounts({"aab": 2, "bbb": 1}).restricted(0, "a")
        VoteCounts({'aab': 2}, labels=('a', 'b'), judges=('J1', 'J2', 'J3'))
        """
        place = self.place(judge)
        self._check_label(label)
        kept = {pattern: count for pattern, count in self.counts.items() if pattern[place] == label}
        return trusted_votes(kept, self.labels, self.judges)

    def with_judges(self, judges: Iterable[str]) -> VoteCounts:
        """Return the same votes under other names of the judges."""
        names = check_judges(judges)
        if len(names) != len(self.judges):
            raise BadVotes(names, f"there are {len(self.judges)} judges to name")
        return trusted_votes(dict(self.counts), self.labels, names)

    def with_labels(self, labels: Iterable[str]) -> VoteCounts:
        """Return the same votes under other names of the labels, given in the order of the present ones.

        >>> VoteCounts({"ab": 3}).with_labels(["yes", "no"])
        VoteCounts({('yes', 'no'): 3}, labels=('yes', 'no'), judges=('J1', 'J2'))
        """
        names = check_labels(labels)
        if len(names) != len(self.labels):
            raise BadVotes(names, f"there are {len(self.labels)} labels to name")
        return self._relabeled(dict(zip(self.labels, names, strict=True)), names)

    def swapped_labels(self, first: str | None = None, second: str | None = None) -> VoteCounts:
        """Return the votes with two labels exchanged in every answer; with R = 2 they need no naming.

        >>> VoteCounts({"aab": 2}).swapped_labels()
        VoteCounts({'bba': 2}, labels=('a', 'b'), judges=('J1', 'J2', 'J3'))
        """
        return self._relabeled(self._exchange(first, second), self.labels)

    def __add__(self, other: object) -> VoteCounts:
        if not isinstance(other, VoteCounts):
            return NotImplemented
        for kind in ("labels", "judges"):
            mine, theirs = getattr(self, kind), getattr(other, kind)
            if mine != theirs:
                rule = f"votes can be merged only if their {kind} are the same, in order"
                raise BadVotes((mine, theirs), rule)
        merged = dict(self.counts)
        for pattern, count in other.counts.items():
            merged[pattern] = merged.get(pattern, 0) + count
        return trusted_votes(merged, self.labels, self.judges)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VoteCounts):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    # -- forms ----------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"VoteCounts({self.counts!r}, labels={self.labels!r}, judges={self.judges!r})"

    def __str__(self) -> str:
        """Return a table of the patterns seen, with counts and shares.

        >>> print(VoteCounts({"ab": 3, "bb": 1}))
        J1 J2 count share
        a  b      3   3/4
        b  b      1   1/4
        """
        return table_text(self.judges, self.counts, self.frequencies())

    def latex(self) -> str:
        """Return the table of the patterns seen as a LaTeX array."""
        return table_latex(self.judges, self.counts, self.frequencies())

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def to_document(self) -> dict[str, Any]:
        """Return the votes as a JSON document; see `join_pattern` for its keys."""
        counts = {join_pattern(pattern): count for pattern, count in self.counts.items()}
        return {"labels": list(self.labels), "judges": list(self.judges), "counts": counts}

    def to_json(self) -> str:
        """Return the votes as JSON, the same bytes every time."""
        return write_json(self.to_document())

    @classmethod
    def from_document(cls, document: object) -> VoteCounts:
        """Return the votes that `to_document` wrote."""
        match document:
            case {"labels": list(labels), "judges": list(judges), "counts": dict(counts), **rest} if not rest:
                return cls({split_pattern(key): value for key, value in counts.items()}, labels, judges)
        raise BadDocument(
            document,
            "votes are an object with the keys labels, judges (lists) and counts (an object), and no others",
        )

    @classmethod
    def from_json(cls, text: str) -> VoteCounts:
        r"""Return the votes that `to_json` wrote.

        >>> VoteCounts.from_json('{"labels": ["a", "b"], "judges": ["A", "B"], "counts": {"a,b": 90}}')
        VoteCounts({'ab': 90}, labels=('a', 'b'), judges=('A', 'B'))
        """
        return cls.from_document(read_json(text))

    # -- parts ----------------------------------------------------------------------------------

    def place(self, judge: Judge) -> int:
        """Return the place of a judge, counted from 0, given its place or its name."""
        if isinstance(judge, str):
            if judge in self.judges:
                return self.judges.index(judge)
        elif not isinstance(judge, bool) and hasattr(judge, "__index__"):
            # Whole numbers of other libraries, such as numpy's, are places, too.
            place = operator.index(judge)
            if 0 <= place < len(self.judges):
                return place
        rule = f"a judge is one of {', '.join(self.judges)}, or its place from 0 to {len(self.judges) - 1}"
        raise BadVotes(judge, rule)

    def _places(self, judges: Iterable[Judge]) -> tuple[int, ...]:
        places = tuple(self.place(judge) for judge in judges)
        if not places:
            raise BadVotes(places, "name at least one judge")
        if len(set(places)) != len(places):
            raise BadVotes(judges, "a judge is named twice")
        return places

    def _check_label(self, label: str) -> None:
        if label not in self.labels:
            raise BadVotes(label, f"a label is one of {', '.join(map(repr, self.labels))}")

    def _share(self, count: int, size: int | None = None) -> mpq:
        size = self.size if size is None else size
        if size == 0:
            raise EmptyTest(self, "a test without questions has no rates")
        return mpq(count, size)

    def _exchange(self, first: str | None, second: str | None) -> dict[str, str]:
        if first is None and second is None and len(self.labels) == 2:
            first, second = self.labels
        if first is None or second is None:
            raise BadVotes((first, second), "name both labels to exchange")
        self._check_label(first)
        self._check_label(second)
        return {**{label: label for label in self.labels}, first: second, second: first}

    def _relabeled(self, new_name: Mapping[str, str], labels: tuple[str, ...]) -> VoteCounts:
        new: dict[str | None, str | None] = {None: None}
        new.update(new_name)
        return self._regrouped(lambda pattern: tuple(new[label] for label in pattern), labels=labels)

    def _regrouped(
        self,
        change: Callable[[Pattern], Pattern],
        *,
        labels: tuple[str, ...] | None = None,
        judges: tuple[str, ...] | None = None,
    ) -> VoteCounts:
        counts: dict[Pattern, int] = {}
        for pattern, count in self.counts.items():
            changed = change(pattern)
            counts[changed] = counts.get(changed, 0) + count
        judges = judges or self.judges
        counts.pop((None,) * len(judges), None)  # none of them answered
        return trusted_votes(counts, labels or self.labels, judges)

    def _identity(self) -> tuple[Any, ...]:
        return (self.labels, self.judges, tuple(self.counts.items()))


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


def trusted_votes(counts: dict[Pattern, int], labels: tuple[str, ...], judges: tuple[str, ...]) -> VoteCounts:
    """Return votes from parts that are known to be right."""
    spend("the votes of so many groups of judges", 10 + len(counts) + len(judges) // 10)
    votes = object.__new__(VoteCounts)
    _set(votes, counts, labels, judges)
    return votes


def _flat(judges: tuple[Judge | Iterable[Judge], ...]) -> tuple[Judge, ...]:
    """Let `marginal((0, 1))` mean `marginal(0, 1)`."""
    if len(judges) == 1 and isinstance(judges[0], Iterable) and not isinstance(judges[0], str):
        return tuple(judges[0])
    return judges  # type: ignore[return-value]
