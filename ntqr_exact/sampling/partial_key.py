"""`PartialKey`: the votes on all questions, the answer key of some of them, and how these were chosen; its reader.

Ranges are certain, however the questions were chosen (see `graded_ranges`). Intervals hold at a level, if questions
were drawn at random: given how many questions with some patterns are graded, those are a random sample of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ntqr_exact.budget import spend
from ntqr_exact.choice import Choice
from ntqr_exact.errors import BadDocument, BadSamples, BadVotes, NotSupported, NotVotes
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.sampling import graded_ranges
from ntqr_exact.sampling.designs import Hypergeometric, check_level, independent_share
from ntqr_exact.sampling.graded_ranges import (
    GradedStratum,
    JudgeRanges,
    KeyRanges,
    Outcome,
    PairRanges,
    ValueRange,
    differ_on,
    right_where,
    strata_interval,
)
from ntqr_exact.sampling.intervals import Interval, IntervalMethod, interval
from ntqr_exact.votes.counts import JsonText, Judge, VoteCounts, trusted_votes
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern, check_pattern, join_pattern, split_pattern
from ntqr_exact.votes.read_votes import Answers, read_answers, votes_from_document
from ntqr_exact.votes.shapes import Reading
from ntqr_exact.votes.tables import Source


class Drawn(Choice):
    """How the graded questions were chosen among all."""

    AT_RANDOM = "at_random"
    BY_STRATA = "by_strata"
    NOT_AT_RANDOM = "not_at_random"


Strata = tuple[tuple[Pattern, ...], ...]

_EXACT = (IntervalMethod.CENTRAL, IntervalMethod.BLAKER, IntervalMethod.ANYTIME)
"""The methods whose coverage is never below the level."""


def check_strata(votes: VoteCounts, drawn: Drawn, strata: Iterable[Iterable[object]] | None) -> Strata:
    """Return groups of patterns that hold each pattern seen exactly once: all, each alone, or those that are given."""
    seen = tuple(votes.counts)
    if drawn is not Drawn.BY_STRATA:
        if strata is not None:
            raise BadVotes(strata, "strata must be None unless drawn by strata", "say drawn='by_strata'")
        return (seen,) if seen else ()
    if strata is None:
        return tuple((pattern,) for pattern in seen)
    groups = [tuple(check_pattern(pattern, votes.labels) for pattern in group) for group in strata]
    held = [pattern for group in groups for pattern in group]
    if len(held) != len(seen) or {*held} != {*seen}:
        raise BadVotes(strata, "strata must hold every pattern that was seen exactly once")
    return tuple(group for group in groups if group)


@dataclass(frozen=True, slots=True, init=False)
class PartialKey(JsonText):
    """Votes on all questions with the answer key of some, and how those were chosen; gaps are not judged.

    >>> from ntqr_exact import VoteCounts
    >>> votes = VoteCounts({"aa": 60, "ab": 15, "bb": 25})
    >>> key = PartialKey(votes, {"a": {"aa": 11, "ab": 2}, "b": {"ab": 1, "bb": 6}}, drawn="at_random")
    >>> [key.right_answers("J1", method=method) for method in ("central", "blaker", "anytime")]
    [(78, 99), (79, 99), (69, 99)]
    >>> key.difference("J1", "J2"), str(key.kappa("J1", "0.9"))
    ((-11, 13), '1/4 = 0.25 to 37/38 ≈ 0.973684')

    `strata` are groups of patterns, for `drawn="by_strata"`; each pattern is one unless given. They must
    have been fixed before the sample was drawn. Raises `BadVotes` where more questions of a pattern are graded
    than were seen. Intervals raise `BadSamples` for questions that were not drawn at random.
    """

    votes: VoteCounts
    graded: LabeledVoteCounts
    drawn: Drawn
    strata: Strata

    def __init__(
        self,
        votes: VoteCounts,
        graded: LabeledVoteCounts | Mapping[str, VoteCounts | Mapping[Any, RationalLike]],
        *,
        drawn: Drawn | str,
        strata: Iterable[Iterable[object]] | None = None,
    ) -> None:
        if not isinstance(votes, VoteCounts):
            raise NotVotes(votes, "votes must be the VoteCounts of all questions")
        key = _labeled(graded, votes)
        for pattern, count in key.observed().counts.items():
            if count > votes.counts[pattern]:
                rule = f"graded must have at most {votes.counts[pattern]} questions of a pattern, not {count}"
                raise BadVotes(pattern, rule)
        kind = Drawn(drawn)
        values = {"votes": votes, "graded": key, "drawn": kind, "strata": check_strata(votes, kind, strata)}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def size(self) -> int:
        """The number of all questions, Q."""
        return self.votes.size

    @property
    def graded_size(self) -> int:
        """The number of graded questions, m."""
        return self.graded.size

    def ungraded(self) -> VoteCounts:
        """Return the votes on the questions that are not graded, u_p."""
        seen = self.graded.observed().counts
        left = {pattern: count - seen[pattern] for pattern, count in self.votes.counts.items()}
        return trusted_votes(left, self.votes.labels, self.votes.judges)

    # -- what is certain, however the questions were chosen ---------------------------------------------

    def key_ranges(self) -> KeyRanges:
        """Return the ranges of the key counts, and the numbers of answer keys that are left."""
        return graded_ranges.key_ranges(self.graded, self.ungraded())

    def ranges(self, judge: Judge) -> JudgeRanges:
        """Return what is certain of a judge where it answered: right answers, accuracies, and κ with the truth."""
        return graded_ranges.judge_ranges(self.graded, self.ungraded(), judge)

    def pair_ranges(self, first: Judge, second: Judge) -> PairRanges:
        """Return what is certain of two judges where both answered: the lead in right answers, the covariance."""
        return graded_ranges.pair_ranges(self.graded, self.ungraded(), first, second)

    # -- what is known at a level -----------------------------------------------------------------------

    def right_answers(
        self,
        judge: Judge,
        level: RationalLike = "0.95",
        method: IntervalMethod | str = IntervalMethod.CENTRAL,
    ) -> Interval:
        """Return the smallest and the greatest number of right answers among all that the judge gave, at a level.

        The method `anytime` is valid at all looks together while questions are being graded in random order.
        """
        return self.interval(*right_where(self.votes.place(judge)), level=level, method=method)

    def difference(self, first: Judge, second: Judge, level: RationalLike = "0.95") -> Interval:
        """Return the least and the greatest lead in right answers of one judge over another, at a level.

        Only the D questions on which they differ matter. With two labels exactly one of them is right there, and
        the lead is twice the first one's right answers, minus D. With more labels each one's right answers get an
        interval, with the level divided.
        """
        i, j = self.votes.place(first), self.votes.place(second)
        share = check_level(level)

        differ = sum(count for pattern, count in self.votes.counts.items() if differ_on(pattern, i, j))
        if len(self.votes.labels) == 2:
            low, high = self.interval(*right_where(i, j), level=share)
            return 2 * low - differ, 2 * high - differ
        low_i, high_i = self.interval(*right_where(i, j), level=(1 + share) / 2)
        low_j, high_j = self.interval(*right_where(j, i), level=(1 + share) / 2)
        return low_i - min(high_j, differ - low_i), min(high_i, differ - low_j) - low_j

    def kappa(self, judge: Judge, level: RationalLike = "0.95") -> ValueRange:
        """Return an interval for Cohen's κ between a judge's answers and the truth, at a level, for any labels.

        The graded questions with one answer are a random sample of those, independently of the other answers. Within
        an answer the level is divided over its true labels; with two of them one number determines both.
        """
        place, labels, answers = self.votes.place(judge), self.votes.labels, self.votes.responses(judge)
        share = independent_share(check_level(level), len(labels))
        at = share if len(labels) == 2 else 1 - (1 - share) / len(labels)
        rows, left = self.graded.confusion(judge), self.ungraded().responses(judge)

        def box(given: str, label: str) -> Interval:
            return self.interval(lambda _, truth: truth == label, lambda p: p[place] == given, level=at)

        boxes = {given: {label: box(given, label) for label in labels} for given in labels}
        for given, row in boxes.items():
            lows, highs = (sum(end) for end in zip(*row.values(), strict=True))
            if not lows <= answers[given] <= highs:  # they exclude each other: only what is certain is left
                row.update({one: (rows[one][given], rows[one][given] + left[given]) for one in row})
        return graded_ranges.kappa_range(boxes, answers)

    def interval(
        self,
        outcome: Outcome,
        within: Callable[[Pattern], bool],
        *,
        level: RationalLike = "0.95",
        method: IntervalMethod | str = IntervalMethod.CENTRAL,
    ) -> Interval:
        """Return an interval for the number of questions that count, among those whose pattern is `within`."""
        share, kind, cells = check_level(level), IntervalMethod(method), self.cells(outcome, within)
        if self.drawn is Drawn.NOT_AT_RANDOM and self.graded_size < self.size:
            rule = "an interval needs questions drawn at random"
            raise BadSamples(self.drawn.value, rule, "ranges holds whatever was graded")
        if kind not in _EXACT or (len(cells) > 1 and kind is not IntervalMethod.CENTRAL):
            rule = "method must be central; without strata it may also be blaker or anytime"
            raise NotSupported(kind.value, rule)
        if len(cells) != 1:
            return strata_interval(cells, share)
        ends = interval(cells[0].design, cells[0].right, kind, share)
        return ends or (0, cells[0].design.size)

    def cells(self, outcome: Outcome, within: Callable[[Pattern], bool]) -> list[GradedStratum]:
        """Return the graded questions of each stratum, and those that count, among the patterns `within`."""
        cells = []
        spend("intervals", 50 + len(self.votes.counts) // 8)
        for stratum in self.strata:
            patterns = {pattern: self.votes.counts[pattern] for pattern in stratum if within(pattern)}
            spend("intervals", len(patterns) * (2 + len(self.votes.judges) // 50))
            graded = right = 0
            for label, votes in self.graded.by_label.items():
                for pattern, number in votes.counts.items():
                    if pattern in patterns:
                        graded += number
                        right += number if outcome(pattern, label) else 0
            if patterns:
                cells.append(GradedStratum(Hypergeometric(sum(patterns.values()), graded), right))
        return cells

    # -- forms ------------------------------------------------------------------------------------------

    def to_document(self) -> dict[str, Any]:
        """Return the partial key as a JSON document."""
        document = self.votes.to_document()
        document["graded"] = self.graded.to_document()["counts_by_label"]
        document["drawn"] = self.drawn.value
        if self.drawn is Drawn.BY_STRATA:
            document["strata"] = [[join_pattern(pattern) for pattern in group] for group in self.strata]
        return document

    @classmethod
    def from_document(cls, document: object) -> Self:
        """Return the partial key that `to_document` wrote."""
        match document:
            case {"graded": dict(parts), "drawn": drawn, **rest}:
                groups = rest.pop("strata", [])
                if not isinstance(groups, list) or not all(isinstance(group, list) for group in groups):
                    raise BadDocument(groups, "strata must be lists of patterns")
                strata = [[split_pattern(str(pattern)) for pattern in group] for group in groups]
                given = {label: {**rest, "counts": part} for label, part in parts.items()}
                graded = {label: VoteCounts.from_document(part) for label, part in given.items()}
                return cls(VoteCounts.from_document(rest), graded, drawn=drawn, strata=strata or None)
        rule = "partial key must have labels, judges, counts, graded, drawn, perhaps strata, and nothing else"
        raise BadDocument(document, rule)


def _labeled(graded: Any, votes: VoteCounts) -> LabeledVoteCounts:
    if isinstance(graded, Mapping):
        parts = {
            label: part if isinstance(part, VoteCounts) else VoteCounts(part, votes.labels, votes.judges)
            for label, part in (graded or {votes.labels[0]: {}}).items()
        }
        graded = LabeledVoteCounts(parts)
    if not isinstance(graded, LabeledVoteCounts):
        raise NotVotes(graded, "graded must map each true label to counts by pattern")
    if (graded.labels, graded.judges) != (votes.labels, votes.judges):
        raise BadVotes(graded, "graded must have the labels and judges of the votes, in order")
    return graded


def read_test(
    source: Source | Sequence[Source], *, drawn: Drawn | str = Drawn.NOT_AT_RANDOM, **options: Any
) -> VoteCounts | LabeledVoteCounts | PartialKey:
    """Return the votes in a file with what is known of their key: nothing, all of it, or a part.

    The source, its options and errors are those of `read_votes`; `drawn` says how the questions with a key were chosen.
    """
    answers = read_answers(source, Reading(in_part=True, **options))
    if isinstance(answers, Answers):
        if not answers.has_key:
            return answers.observed()
        votes, graded = answers.observed(), answers.graded()
        return graded if graded.size == votes.size else PartialKey(votes, graded, drawn=drawn)
    document, judges = answers.value, options.get("judges")
    if not (isinstance(document, dict) and "graded" in document):
        return votes_from_document(document, judges)
    key = PartialKey.from_document(document)
    if judges is None:
        return key
    if key.drawn is Drawn.BY_STRATA:
        rule = "leave the choice of judges out for this file"
        raise BadDocument(list(judges), "judges must be all judges of a file with strata", rule)
    return PartialKey(key.votes.marginal(*judges), key.graded.marginal(*judges), drawn=key.drawn)
