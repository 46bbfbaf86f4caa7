"""`PartialKey`: the votes on all questions, the answer key of some of them, and how these were chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadDocument, BadVotes, NotAtRandom, NotSupported, NotVotes
from ntqr_exact.exact.json_text import read_json, write_json
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.graded.anytime import anytime_interval
from ntqr_exact.graded.blaker import blaker_interval
from ntqr_exact.graded.central import Interval, central_interval
from ntqr_exact.graded.drawing import Drawn, Strata, check_strata
from ntqr_exact.graded.hypergeometric import Design
from ntqr_exact.graded.level import check_level, divided_share
from ntqr_exact.graded.strata import GradedStratum, strata_interval
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern, join_pattern, split_pattern

if TYPE_CHECKING:
    from ntqr_exact.graded.logic import JudgeRanges, KeyRanges, PairRanges
    from ntqr_exact.graded.ten_metrics import TenMetrics

Outcome = Callable[[Pattern, str], bool]
"""Whether a question with this pattern and this true label counts."""


class Shape(Enum):
    """Which interval is made from one random sample."""

    CENTRAL = "central"
    BLAKER = "blaker"


@dataclass(frozen=True, slots=True, init=False)
class PartialKey:
    """Votes on all questions with the answer key of some, by answer pattern, and how those were chosen.

    >>> votes = VoteCounts({"aa": 60, "ab": 15, "bb": 25})
    >>> key = PartialKey(votes, {"a": {"aa": 11, "ab": 2}, "b": {"ab": 1, "bb": 6}}, drawn="at_random")
    >>> key.right_answers("J1"), key.right_answers("J1", shape="blaker"), key.while_grading("J1")
    ((78, 99), (79, 99), (69, 99))
    >>> key.difference("J1", "J2")
    (-11, 13)

    `strata` are groups of patterns, for `drawn="by_strata"`; each pattern is one unless told otherwise. They must
    have been fixed before the sample was drawn. Raises `BadVotes` where more questions of a pattern are graded
    than were seen.
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
        """Check that what is graded is part of the votes."""
        if not isinstance(votes, VoteCounts):
            raise NotVotes(votes, "a partial key needs the VoteCounts of all questions")
        key = _labeled(graded, votes)
        seen = key.observed()
        for pattern, count in seen.counts.items():
            if count > votes.counts[pattern]:
                raise BadVotes(
                    pattern,
                    f"{count} questions of this pattern are graded, and {votes.counts[pattern]} were seen",
                )
        kind = chosen(drawn, Drawn)
        object.__setattr__(self, "votes", votes)
        object.__setattr__(self, "graded", key)
        object.__setattr__(self, "drawn", kind)
        object.__setattr__(self, "strata", check_strata(votes, kind, strata))

    # -- parts ------------------------------------------------------------------------------------------

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
        return VoteCounts(left, self.votes.labels, self.votes.judges)

    def count(self, outcome: Outcome) -> int:
        """Return the number of graded questions that count."""
        return sum(
            number
            for label, votes in self.graded.by_label.items()
            for pattern, number in votes.counts.items()
            if outcome(pattern, label)
        )

    # -- what is certain, however the questions were chosen ---------------------------------------------

    def key_ranges(self) -> KeyRanges:
        """Return the ranges of the key counts, and the numbers of answer keys that are left."""
        from ntqr_exact.graded.logic import key_ranges

        return key_ranges(self)

    def ranges(self, judge: Judge) -> JudgeRanges:
        """Return what is certain of a judge: right answers, accuracies, and κ with the truth."""
        from ntqr_exact.graded.logic import judge_ranges

        return judge_ranges(self, judge)

    def pair_ranges(self, first: Judge, second: Judge) -> PairRanges:
        """Return what is certain of two judges: the difference of right answers, the covariance of errors."""
        from ntqr_exact.graded.logic import pair_ranges

        return pair_ranges(self, first, second)

    # -- what is known at a level -----------------------------------------------------------------------

    def right_answers(
        self, judge: Judge, level: RationalLike = "0.95", shape: Shape | str = Shape.CENTRAL
    ) -> Interval:
        """Return the least and the greatest number of right answers among all questions, at a level."""
        place = self.votes.place(judge)
        return self.interval(lambda pattern, label: pattern[place] == label, level=level, shape=shape)

    def difference(
        self, first: Judge, second: Judge, level: RationalLike = "0.95", shape: Shape | str = Shape.CENTRAL
    ) -> Interval:
        """Return the least and the greatest lead in right answers of one judge over another, at a level.

        Only the D questions on which they differ matter. With two labels exactly one of them is right there, and
        the lead is twice the first one's right answers, minus D. With more labels both may be wrong: each one's
        right answers get an interval, with the level divided.
        """
        i, j = self.votes.place(first), self.votes.place(second)
        share = check_level(level)

        def right(judge: int, at: mpq) -> Interval:
            return self.interval(
                lambda p, label: p[judge] == label, lambda p: p[i] != p[j], level=at, shape=shape
            )

        differ = sum(count for pattern, count in self.votes.counts.items() if pattern[i] != pattern[j])
        if len(self.votes.labels) == 2:
            low, high = right(i, share)
            return 2 * low - differ, 2 * high - differ
        (low_i, high_i), (low_j, high_j) = (right(judge, divided_share(share, 2)) for judge in (i, j))
        return low_i - min(high_j, differ - low_i), min(high_i, differ - low_j) - low_j

    def metrics(
        self, judge: Judge, level: RationalLike = "0.95", shape: Shape | str = Shape.CENTRAL
    ) -> TenMetrics:
        """Return intervals for ten metrics of a judge between two labels, which hold together at a level."""
        from ntqr_exact.graded.ten_metrics import ten_metrics

        return ten_metrics(self, judge, check_level(level), chosen(shape, Shape))

    def while_grading(self, judge: Judge, level: RationalLike = "0.95") -> Interval:
        """Return the interval for right answers that is valid at all looks while questions are being graded."""
        if self.drawn is not Drawn.AT_RANDOM:
            raise NotAtRandom(
                self.drawn.value, "an interval for every look needs grades that come in random order"
            )
        place = self.votes.place(judge)
        right = self.count(lambda pattern, label: pattern[place] == label)
        return anytime_interval(Design(self.size, self.graded_size), right, check_level(level))

    def interval(
        self,
        outcome: Outcome,
        within: Callable[[Pattern], bool] = lambda _: True,
        *,
        level: RationalLike = "0.95",
        shape: Shape | str = Shape.CENTRAL,
    ) -> Interval:
        """Return an interval for the number of questions that count, among those whose pattern is `within`.

        Given how many of them are graded, those are a random sample of them, in every stratum.
        """
        share, kind = check_level(level), chosen(shape, Shape)
        if self.drawn is Drawn.NOT_AT_RANDOM:
            raise NotAtRandom(
                self.drawn.value,
                "an interval needs questions drawn at random",
                "ranges holds whatever was graded",
            )
        cells = self._cells(outcome, within)
        if kind is Shape.CENTRAL and len(cells) != 1:
            return strata_interval(cells, share)
        if len(cells) > 1:
            raise NotSupported(kind.value, "strata have the central interval only")
        if not cells:
            return 0, 0
        make = central_interval if kind is Shape.CENTRAL else blaker_interval
        return make(cells[0].design, cells[0].right, share)

    def _cells(self, outcome: Outcome, within: Callable[[Pattern], bool]) -> list[GradedStratum]:
        cells = []
        seen = self.graded.observed().counts
        for stratum in self.strata:
            patterns = {pattern for pattern in stratum if within(pattern)}
            if patterns:
                design = Design(sum(self.votes.counts[p] for p in patterns), sum(seen[p] for p in patterns))
                right = self.count(lambda p, label: p in patterns and outcome(p, label))  # noqa: B023
                cells.append(GradedStratum(design, right))
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

    def to_json(self) -> str:
        """Return the partial key as JSON, the same bytes every time."""
        return write_json(self.to_document())

    @classmethod
    def from_document(cls, document: object) -> PartialKey:
        """Return the partial key that `to_document` wrote."""
        match document:
            case {"graded": dict(parts), "drawn": drawn, **rest}:
                groups = rest.pop("strata", None)
                votes = VoteCounts.from_document(rest)
                graded = {
                    label: VoteCounts.from_document({**rest, "counts": part}) for label, part in parts.items()
                }
                return cls(votes, graded, drawn=drawn, strata=_patterns(groups))
        raise BadDocument(
            document,
            "a partial key has labels, judges, counts, graded and drawn, may have strata, and no others",
        )

    @classmethod
    def from_json(cls, text: str) -> PartialKey:
        """Return the partial key that `to_json` wrote."""
        return cls.from_document(read_json(text))


def _patterns(groups: object) -> list[list[Pattern]] | None:
    if groups is None:
        return None
    if not isinstance(groups, list) or not all(isinstance(group, list) for group in groups):
        raise BadDocument(groups, "strata are lists of patterns")
    return [[split_pattern(str(pattern)) for pattern in group] for group in groups]


def _labeled(graded: object, votes: VoteCounts) -> LabeledVoteCounts:
    if isinstance(graded, LabeledVoteCounts):
        key = graded
    elif isinstance(graded, Mapping):
        empty = VoteCounts({}, votes.labels, votes.judges)
        parts = {
            label: part if isinstance(part, VoteCounts) else VoteCounts(part, votes.labels, votes.judges)
            for label, part in graded.items()
        }
        key = LabeledVoteCounts(parts or {votes.labels[0]: empty})
    else:
        raise NotVotes(graded, "the graded questions map each true label to counts by pattern")
    if (key.labels, key.judges) != (votes.labels, votes.judges):
        raise BadVotes(key, "the graded questions have the labels and judges of the votes, in order")
    return key
