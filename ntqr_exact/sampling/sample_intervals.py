"""Intervals for the right answers among all questions, from one random sample of graded ones.

**Central**, both tails of the hypergeometric test above α/2: M is kept iff P_M(X ≤ r) > α/2 and P_M(X ≥ r) > α/2. The
first tail falls in M and the second rises, so that the kept M are an interval, whose upper end is the last M with
g(r, M) > α/2·C(Q, m). The lower end is the mirror image: Q minus the upper end of the m − r wrong answers.

**Blaker's** (2000), inside the central one at the same level: for M right answers let γ(r) be the smaller of the
samples with at most r and with at least r right ones. M is kept iff more than α of all samples have a γ of at most
γ(r). The kept M need not be an interval; their hull is taken. A truth of which r is a median is always kept.

**Anytime**: before M is known, let every M from 0 to Q be equally likely: then every r from 0 to m is. The ratio of
this 1/(m+1) to the chance of r under the true M is a martingale as the grades come in one by one, and begins at 1. By
Ville's inequality it ever reaches 1/α with a probability of at most α. So M is kept iff (m+1)·C(M, r)·C(Q−M, m−r) >
α·C(Q, m). The left side first rises, then falls in M: the kept M are an interval, which is never empty.

**Textbook**: Wald keeps M iff |r/m − M/Q| ≤ z·√(r(m−r)/m³), Wilson iff |r/m − M/Q| ≤ z·√(M(Q−M)/(mQ²)); `corrected`,
the variance is multiplied by (Q−m)/(Q−1). Clopper and Pearson take the sample for one drawn with replacement.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from gmpy2 import mpq, mpz

from ntqr_exact.sampling.designs import Binomial, Hypergeometric, last_kept
from ntqr_exact.sampling.normal_interval import NormalCritical

Interval = tuple[int, int]
MaybeInterval = tuple[int, int] | None
"""Smallest and greatest number of right answers; none where the interval holds no whole number."""


def central_interval(design: Hypergeometric, right: int, level: mpq) -> Interval:
    """Return the least and the greatest number of right answers among all questions, at a level.

    >>> central_interval(Hypergeometric(100, 20), 15, mpq(19, 20))
    (54, 90)
    """
    size, graded = design.size, design.graded
    return size - _upper_end(design, graded - right, level), _upper_end(design, right, level)


def _upper_end(design: Hypergeometric, right: int, level: mpq) -> int:
    limit = design.limit((1 - level) / 2)
    return last_kept(
        lambda truth: design.at_most(truth, right) > limit, right, design.size - design.graded + right + 1
    )


@lru_cache(maxsize=64)
def central_intervals(design: Hypergeometric, level: mpq) -> tuple[Interval, ...]:
    """Return the central intervals for r = 0, …, m at once, in Q + m steps.

    The upper end grows with r. So one walk along the stairs finds them all: up in M while the tail stays above
    the limit, then one step in r.
    """
    size, graded = design.size, design.graded
    limit = design.limit((1 - level) / 2)
    ends, truth, tail = [], 0, design.samples()
    for right in range(graded + 1):
        if right:
            tail += design.at(truth, right)
        while truth < size - graded + right and (next_tail := tail - design.lost(truth, right)) > limit:
            truth, tail = truth + 1, next_tail
        ends.append(truth)
    return tuple((size - ends[graded - right], ends[right]) for right in range(graded + 1))


def blaker_interval(design: Hypergeometric, right: int, level: mpq) -> Interval:
    """Return the hull of the numbers of right answers that Blaker's test keeps.

    >>> blaker_interval(Hypergeometric(100, 20), 15, mpq(19, 20))
    (56, 88)
    """
    lower, upper = central_interval(design, right, level)
    limit, size = design.limit(1 - level), design.size
    from_above = _first_kept(design, design.graded - right, size - upper, limit)
    return _first_kept(design, right, lower, limit), size - from_above


def _first_kept(design: Hypergeometric, right: int, truth: int, limit: mpz) -> int:
    """Return the first kept truth from the lower end of the central interval on; both tails go along from M to M + 1.

    One more right answer among all adds at most one to a sample: P_{M+1}(X > r) ≤ P_M(X ≥ r). So `above`, the samples
    with r right answers or more, is γ(r) until r is a median. The others with a γ of at most that are the `below` ones
    with s or fewer; as M grows, `above` grows and each `below` shrinks: s never falls. At a median they are all.
    """
    above, below, s = design.at_least(truth, right), mpz(0), -1
    while True:
        while s + 1 < right and (more := below + design.at(truth, s + 1)) <= above:
            below, s = more, s + 1
        if above + below > limit:
            return truth
        above, below = above + design.lost(truth, right - 1), below - design.lost(truth, s)
        truth += 1


@lru_cache(maxsize=64)
def blaker_intervals(design: Hypergeometric, level: mpq) -> tuple[Interval, ...]:
    """Return Blaker's intervals for r = 0, …, m at once.

    For each M the kept r lie in a row. The row begins as that of the central test, whose tails are carried along
    from M to M + 1; then the end with the smaller γ is dropped as long as the dropped samples stay within α.
    """
    central, limit, samples = central_intervals(design, level), design.limit(1 - level), design.samples()
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    low, below = 0, mpz(0)  # g(low − 1, M)
    high, up_to = -1, mpz(0)  # g(high, M)
    for truth in range(design.size + 1):
        if truth:
            below -= design.lost(truth - 1, low - 1)
            up_to -= design.lost(truth - 1, high)
        while central[low][1] < truth:
            below, low = below + design.at(truth, low), low + 1
        while high < design.graded and central[high + 1][0] <= truth:
            high += 1
            up_to += design.at(truth, high)
        for right in _kept(design, truth, (low, high), (below, samples - up_to), limit):
            first.setdefault(right, truth)
            last[right] = truth
    return tuple((first[right], last[right]) for right in range(design.graded + 1))


def _kept(design: Hypergeometric, truth: int, row: Interval, dropped: tuple[mpz, mpz], limit: mpz) -> range:
    (low, high), (below, above) = row, dropped
    while low < high:
        at_low, at_high = below + design.at(truth, low), above + design.at(truth, high)
        # These are the γ, unless one end is beyond the median: then the other end has the smaller of both.
        drop_low, drop_high = at_low <= at_high, at_high <= at_low
        below, above = (at_low if drop_low else below), (at_high if drop_high else above)
        if below + above > limit:
            break
        low, high = low + drop_low, high - drop_high
    return range(low, high + 1)


def anytime_interval(design: Hypergeometric, right: int, level: mpq) -> Interval:
    """Return the least and the greatest number of right answers, valid at all looks together.

    >>> anytime_interval(Hypergeometric(100, 20), 15, mpq(19, 20))
    (46, 93)
    """
    size, graded = design.size, design.graded
    if graded == 0:
        return 0, size
    limit = design.limit((1 - level) / (graded + 1))

    def keeps(truth: int) -> bool:
        return design.at(truth, right) > limit

    # N grows from M to M + 1 iff m(M + 1) ≤ r(Q + 1).
    likeliest = min(right * (size + 1) // graded, size)
    return last_kept(keeps, likeliest, right - 1), last_kept(keeps, likeliest, size - graded + right + 1)


def wald_interval(
    design: Hypergeometric, right: int, level: mpq, *, corrected: bool = False
) -> MaybeInterval:
    """Return the truths in Wald's interval.

    >>> wald_interval(Hypergeometric(100, 20), 15, mpq(19, 20))
    (57, 93)
    """
    spread = mpq(design.size**2 * right * (design.graded - right), max(1, design.graded))
    return _around(design, right, lambda _: spread, level, corrected=corrected)


def wilson_interval(
    design: Hypergeometric, right: int, level: mpq, *, corrected: bool = False
) -> MaybeInterval:
    """Return the truths in Wilson's interval.

    >>> wilson_interval(Hypergeometric(100, 20), 15, mpq(19, 20))
    (54, 88)
    """
    size, graded = design.size, design.graded
    return _around(
        design, right, lambda truth: mpq(graded * truth * (size - truth)), level, corrected=corrected
    )


def clopper_pearson_interval(design: Hypergeometric, right: int, level: mpq) -> MaybeInterval:
    """Return the truths M whose share M/Q lies in Clopper and Pearson's interval.

    >>> clopper_pearson_interval(Hypergeometric(100, 20), 15, mpq(19, 20))
    (51, 91)
    """
    size, graded = design.size, design.graded
    if graded == 0:
        return 0, size

    def upper(right: int) -> int:
        def keeps(truth: int) -> bool:
            share = mpq(truth, size)
            least = (1 - level) / 2 * Binomial(graded).samples(share)
            return bool(Binomial(graded).at_most(share, right) >= least)

        return last_kept(keeps, 0, size + 1)

    return size - upper(graded - right), upper(right)


def _around(
    design: Hypergeometric, right: int, spread: Callable[[int], mpq], level: mpq, *, corrected: bool
) -> MaybeInterval:
    """Return the M with (rQ − mM)² ≤ z²·V(M): those next to Q·r/m on both sides, as V is concave in M."""
    size, graded = design.size, design.graded
    if graded == 0:
        return 0, size
    factor = mpq(size - graded, max(1, size - 1)) if corrected else mpq(1)
    critical = NormalCritical(level)

    def keeps(truth: int) -> bool:
        return critical.compare_square(mpq((right * size - graded * truth) ** 2), factor * spread(truth)) <= 0

    below = right * size // graded
    lower = last_kept(keeps, below, -1) if keeps(below) else None
    upper = last_kept(keeps, below + 1, size + 1) if below < size and keeps(below + 1) else None
    if lower is None and upper is None:
        return None
    return below + 1 if lower is None else lower, below if upper is None else upper
