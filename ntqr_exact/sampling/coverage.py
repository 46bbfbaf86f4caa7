"""The exact coverage of an interval: for every truth M, the share of the samples whose interval holds M.

A sample shows r right answers, and r has an interval. While the set of r whose intervals hold M stays the same, the
number of covered samples changes from M to M + 1 only at the ends of its rows, by the step g(r, M) − g(r, M+1);
when r joins or leaves, by N(r). So all coverages of a design take about Q + m steps of whole numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial

from gmpy2 import bincoef, mpq, mpz

from ntqr_exact.choice import chosen
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.sampling.designs import Design
from ntqr_exact.sampling.intervals import anytime_interval, blaker_intervals, central_intervals
from ntqr_exact.sampling.level import check_level
from ntqr_exact.sampling.textbook import MaybeInterval, clopper_pearson, wald, wilson


class IntervalMethod(Enum):
    """How an interval for the number of right answers is made from one random sample."""

    CENTRAL = "central"
    BLAKER = "blaker"
    ANYTIME = "anytime"
    WALD = "wald"
    WALD_CORRECTED = "wald_corrected"
    WILSON = "wilson"
    WILSON_CORRECTED = "wilson_corrected"
    CLOPPER_PEARSON = "clopper_pearson"


@checked
def coverage_of(
    method: IntervalMethod | str, *, size: RationalLike, graded: RationalLike, level: RationalLike = "0.95"
) -> tuple[mpq, ...]:
    """Return the exact coverage for the truths 0, …, size, if `graded` of `size` questions are drawn at random.

    >>> min(coverage_of("central", size=20, graded=5)) >= mpq(19, 20)
    True
    >>> min(coverage_of("wald_corrected", size=200, graded=20))
    mpq(1,10)
    """
    design = Design(size, graded)
    return coverages(design, intervals_of(chosen(method, IntervalMethod), design, check_level(level)))


_AT_ONCE = {IntervalMethod.CENTRAL: central_intervals, IntervalMethod.BLAKER: blaker_intervals}
_ONE_BY_ONE: dict[IntervalMethod, Callable[[Design, int, mpq], MaybeInterval]] = {
    IntervalMethod.ANYTIME: anytime_interval,
    IntervalMethod.WALD: partial(wald, corrected=False),
    IntervalMethod.WALD_CORRECTED: partial(wald, corrected=True),
    IntervalMethod.WILSON: partial(wilson, corrected=False),
    IntervalMethod.WILSON_CORRECTED: partial(wilson, corrected=True),
    IntervalMethod.CLOPPER_PEARSON: clopper_pearson,
}


def intervals_of(method: IntervalMethod, design: Design, level: mpq) -> Sequence[MaybeInterval]:
    """Return the intervals of a method for r = 0, …, m."""
    if method in _AT_ONCE:
        return _AT_ONCE[method](design, level)
    return [_ONE_BY_ONE[method](design, right, level) for right in range(design.graded + 1)]


def coverages(design: Design, intervals: Sequence[MaybeInterval]) -> tuple[mpq, ...]:
    """Return the coverage for each truth, given the interval for each number of right answers.

    >>> coverages(Design(2, 1), [(0, 1), (2, 2)])
    (mpq(1,1), mpq(1,2), mpq(1,1))
    """
    joining: dict[int, list[int]] = {}
    leaving: dict[int, list[int]] = {}
    for right, interval in enumerate(intervals):
        if interval is not None:
            joining.setdefault(interval[0], []).append(right)
            leaving.setdefault(interval[1] + 1, []).append(right)
    ends: Counter[int] = Counter()  # 1 where a row of covered r ends, −1 just before one begins
    covered, result = mpz(0), []
    for truth in range(design.size + 1):
        for end, sign in ends.items():
            if sign:
                covered -= sign * design.lost(truth - 1, end)
        for sign, changes in ((1, joining), (-1, leaving)):
            for right in changes.get(truth, ()):
                covered += sign * design.at(truth, right)
                ends[right] += sign
                ends[right - 1] -= sign
        ends = Counter({end: sign for end, sign in ends.items() if sign})
        result.append(mpq(covered, design.samples))
    return tuple(result)


def coverage_while_grading(
    method: IntervalMethod | str, *, size: RationalLike, level: RationalLike = "0.95"
) -> tuple[mpq, ...]:
    """Return for each truth 0, …, size the probability that the interval holds it after every single grade.

    All orders of M right and Q − M wrong answers are equally likely; counted are those whose every beginning, of
    m grades with r right ones, has an interval that holds M.

    >>> min(coverage_while_grading("anytime", size=20)) >= mpq(19, 20) > min(coverage_while_grading("central", size=20))
    True
    """
    kind, share = chosen(method, IntervalMethod), check_level(level)
    questions = Design(size, 0).size
    looks = [intervals_of(kind, Design(questions, graded), share) for graded in range(questions + 1)]
    return tuple(mpq(_orders(looks, truth), bincoef(questions, truth)) for truth in range(questions + 1))


def _orders(looks: Sequence[Sequence[MaybeInterval]], truth: int) -> mpz:
    """Return the number of orders of right and wrong answers that are covered at every look."""
    ways = {0: mpz(1)}
    for intervals in looks[1:]:
        following: dict[int, mpz] = {}
        for right, count in ways.items():
            for more in (right, right + 1):
                following[more] = following.get(more, mpz(0)) + count
        ways = {r: n for r, n in following.items() if _holds(intervals[r], truth)}
    return ways.get(truth, mpz(0))


def _holds(interval: MaybeInterval, truth: int) -> bool:
    return interval is not None and interval[0] <= truth <= interval[1]
