"""`PartialKey`: the votes on all questions, the answer key of some of them, and how these were chosen."""

from __future__ import annotations

from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.errors import NotAtRandom
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.sampling.designs import Design
from ntqr_exact.sampling.drawing import Drawn
from ntqr_exact.sampling.graded_votes import GradedVotes, Shape
from ntqr_exact.sampling.intervals import Interval, anytime_interval
from ntqr_exact.sampling.level import check_level, divided_share
from ntqr_exact.sampling.logic import (
    JudgeRanges,
    KeyRanges,
    PairRanges,
    judge_ranges,
    key_ranges,
    pair_ranges,
)
from ntqr_exact.sampling.ten_metrics import TenMetrics, ten_metrics
from ntqr_exact.votes.counts import Judge


@dataclass(frozen=True, slots=True, init=False, repr=False)
class PartialKey(GradedVotes):
    """Votes on all questions with the answer key of some, by answer pattern, and how those were chosen.

    >>> from ntqr_exact import VoteCounts
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

    # -- what is certain, however the questions were chosen ---------------------------------------------

    def key_ranges(self) -> KeyRanges:
        """Return the ranges of the key counts, and the numbers of answer keys that are left."""
        return key_ranges(self)

    def ranges(self, judge: Judge) -> JudgeRanges:
        """Return what is certain of a judge: right answers, accuracies, and κ with the truth."""
        return judge_ranges(self, judge)

    def pair_ranges(self, first: Judge, second: Judge) -> PairRanges:
        """Return what is certain of two judges: the difference of right answers, the covariance of errors."""
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
        return ten_metrics(self, judge, check_level(level), chosen(shape, Shape))

    def while_grading(self, judge: Judge, level: RationalLike = "0.95") -> Interval:
        """Return the interval for right answers that is valid at all looks while questions are being graded."""
        if self.drawn is not Drawn.AT_RANDOM:
            rule = "an interval for every look needs grades that come in random order"
            raise NotAtRandom(self.drawn.value, rule)
        place = self.votes.place(judge)
        right = self.count(lambda pattern, label: pattern[place] == label)
        return anytime_interval(Design(self.size, self.graded_size), right, check_level(level))
