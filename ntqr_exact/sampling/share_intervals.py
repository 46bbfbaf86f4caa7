"""Intervals for one share and for the difference of two, and how often each of them really covers.

Whether an interval holds a rational share is decided exactly, without its ends:

* Wald: (k − np)² ≤ z²·k(n−k)/n. At k = 0 and k = n it is a single point.
* Wilson: (k − np)² ≤ z²·np(1−p), the shares that a score test does not reject.
* Clopper and Pearson: P_p(X ≤ k) ≥ α/2 and P_p(X ≥ k) ≥ α/2, each a rational sum.
* Newcombe (1998, method 10), for d = p_T − p_C with Wilson's ends l, u of both: down to d − √((p_T−l_T)² + (u_C−p_C)²)
  and up to d + √((u_T−p_T)² + (p_C−l_C)²).

So the coverage Σ C(n,k) pᵏ(1−p)ⁿ⁻ᵏ over the k whose interval holds p is a rational, too.

On a grid, P(X ≤ r) with p = k/n is a whole number over nᵐ and falls in k: the last kept k is found by halving.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TypeAlias, assert_never

from gmpy2 import bincoef, divexact, mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.enclosure import Enclosure, decide_sign, enclose_sqrt
from ntqr_exact.exact.rational import RationalLike, probability, whole_number
from ntqr_exact.sampling.beta_probability import enclose_beta_quantile
from ntqr_exact.sampling.normal_interval import Decision, NormalCritical, decimals_of_ends


def binomial_interval(grid: int, trials: int, right: int, level: mpq) -> tuple[int, int]:
    """Return the least and the greatest k for which k/grid lies in Clopper and Pearson's interval.

    >>> binomial_interval(100, 20, 15, mpq(19, 20))
    (51, 91)
    """
    share = (1 - level) / 2
    # Two bisections of the grid, each with sums of the shorter tail in numbers of as many bits as the trials need.
    bits, terms = grid.bit_length(), min(right, trials - right) + 1
    check_work("an interval of so many trials", 2 * bits * terms * trials * bits // 15_000)
    return grid - _last_kept(grid, trials, trials - right, share), _last_kept(grid, trials, right, share)


def _last_kept(grid: int, trials: int, right: int, share: mpq) -> int:
    needed = share * mpz(grid) ** trials
    kept, dropped = 0, grid + 1
    while dropped - kept > 1:
        middle = (kept + dropped) // 2
        if at_most(grid, trials, middle, right) >= needed:
            kept = middle
        else:
            dropped = middle
    return kept


def at_most(grid: int, trials: int, hits: int, right: int) -> mpz:
    """Return gridᵐ·P(X ≤ r) for m trials that succeed with the probability hits/grid.

    >>> int(at_most(10, 3, 1, 0))
    729
    """
    if right >= trials or hits == 0:
        return mpz(grid) ** trials
    if hits == grid:
        return mpz(0)
    if 2 * right >= trials:  # the other tail is shorter
        return mpz(grid) ** trials - at_most(grid, trials, grid - hits, trials - right - 1)
    term = total = mpz(grid - hits) ** trials
    for x in range(1, right + 1):
        term = divexact(term * ((trials - x + 1) * hits), x * (grid - hits))
        total += term
    return total


Pair: TypeAlias = "tuple[RationalLike, RationalLike]"
_Counts: TypeAlias = "tuple[int, int]"
_TwoEnds: TypeAlias = "tuple[Enclosure, Enclosure]"


class ShareMethod(Enum):
    """How an interval for a share is made from k positives of n."""

    WALD = "wald"
    WILSON = "wilson"
    CLOPPER_PEARSON = "clopper-pearson"


class DifferenceMethod(Enum):
    """How an interval for the difference of two shares is made from two independent samples."""

    WALD = "wald-difference"
    NEWCOMBE = "newcombe"


@dataclass(frozen=True, slots=True)
class ShareInterval:
    """An interval for a share, or for a difference of shares, whose ends are known by enclosures of any precision."""

    method: ShareMethod | DifferenceMethod
    level: mpq
    ends: Callable[[int], _TwoEnds]

    def decimals(self, places: int = 6) -> tuple[str, str]:
        """Return both ends as correctly rounded decimals.

        >>> share_interval(15, 20).decimals(4), share_interval(15, 20, method="clopper-pearson").decimals(4)
        (('0.5313', '0.8881'), ('0.5090', '0.9134'))
        """
        return decimals_of_ends(self.ends, places)

    @property
    def lower(self) -> Enclosure:
        """The lower end, enclosed at 64 bits."""
        return self.ends(64)[0]

    @property
    def upper(self) -> Enclosure:
        """The upper end, enclosed at 64 bits."""
        return self.ends(64)[1]

    def __str__(self) -> str:
        """Return the interval in decimals."""
        return f"[{', '.join(self.decimals())}]"


@checked
def share_interval(
    positives: RationalLike,
    size: RationalLike,
    *,
    method: ShareMethod = ShareMethod.WILSON,
    level: RationalLike = "0.95",
) -> ShareInterval:
    """Return the interval for a share of which k positives of n were seen.

    >>> print(share_interval(0, 10), share_interval(0, 10, method="wald"))
    [0.000000, 0.277533] [0.000000, 0.000000]

    Raises `BadNumber` for more positives than outputs, or none at all.
    """
    k, n = _counts(positives, size)
    critical, kind = NormalCritical(level), chosen(method, ShareMethod)

    def ends(precision: int) -> _TwoEnds:
        return _ENDS[kind](k, n, critical, precision)

    return ShareInterval(kind, critical.of_level, ends)


@checked
def difference_interval(
    control: Pair,
    treatment: Pair,
    *,
    method: DifferenceMethod = DifferenceMethod.NEWCOMBE,
    level: RationalLike = "0.95",
) -> ShareInterval:
    """Return the interval for treatment − control, from the positives and totals of two independent samples.

    >>> print(difference_interval((0, 2), (2, 2)), difference_interval((0, 2), (2, 2), method="wald"))
    [0.069985, 1.000000] [1.000000, 1.000000]
    """
    left, right = _counts(*control), _counts(*treatment)
    critical, kind = NormalCritical(level), chosen(method, DifferenceMethod)
    middle = mpq(*right) - mpq(*left)

    def ends(precision: int) -> _TwoEnds:
        down, up = _squared_reaches(left, right, kind, critical, precision)
        return middle - enclose_sqrt(down, precision), middle + enclose_sqrt(up, precision)

    return ShareInterval(kind, critical.of_level, ends)


def difference_decision(
    control: Pair,
    treatment: Pair,
    *,
    method: DifferenceMethod = DifferenceMethod.NEWCOMBE,
    level: RationalLike = "0.95",
) -> Decision:
    """Return which side of 0 the interval of the difference lies on.

    >>> difference_decision((0, 3), (2, 3)).value, difference_decision((3, 30), (15, 30)).value
    ('no difference is shown', 'the treatment is higher')
    """
    left, right = _counts(*control), _counts(*treatment)
    if _holds_difference(left, right, mpq(0), chosen(method, DifferenceMethod), NormalCritical(level)):
        return Decision.NOT_SHOWN
    return Decision.HIGHER if mpq(*right) > mpq(*left) else Decision.LOWER


@checked
def coverage(
    interval: ShareMethod | DifferenceMethod | str,
    n: RationalLike | Pair,
    p: RationalLike | Pair,
    *,
    level: RationalLike = "0.95",
) -> mpq:
    """Return the probability that an interval holds the truth, exactly, for n outputs of a model with share p.

    For the interval of a difference, n and p are pairs: of the control and of the treatment.

    >>> coverage("wald", 2, "1/2"), coverage("clopper-pearson", 2, "1/2")
    (mpq(1,2), mpq(1,1))
    >>> [f"{float(coverage(method, 20, '1/10')):.4f}" for method in ShareMethod]
    ['0.8760', '0.9568', '0.9887']
    """
    critical = NormalCritical(level)
    if isinstance(n, tuple):
        kind = chosen(interval, DifferenceMethod)
        if not isinstance(p, tuple):
            raise BadNumber(p, "two samples have two shares", "give p as a pair, too")
        sizes = [_size(one) for one in n]
        weights = [binomial_probabilities(size, probability(one)) for size, one in zip(sizes, p, strict=True)]
        truth = probability(p[1]) - probability(p[0])
        return sum(
            (
                weights[0][k] * weights[1][j]
                for k in range(sizes[0] + 1)
                for j in range(sizes[1] + 1)
                if _holds_difference((k, sizes[0]), (j, sizes[1]), truth, kind, critical)
            ),
            mpq(0),
        )
    weights_of = binomial_probabilities(_size(n), probability(p))  # type: ignore[arg-type]
    held = holding(chosen(interval, ShareMethod), n, p, level=level)  # type: ignore[arg-type]
    return sum((weights_of[k] for k in held), mpq(0))


def holding(
    method: ShareMethod, n: RationalLike, p: RationalLike, *, level: RationalLike = "0.95"
) -> list[int]:
    """Return the numbers of positives of n outputs whose interval holds the share p.

    >>> holding(ShareMethod.WALD, 4, "1/2")
    [1, 2, 3]
    """
    size, share, critical = _size(n), probability(p), NormalCritical(level)
    bits = share.denominator.bit_length()
    check_work("the intervals of so many outputs", 20 * size + size**2 * bits // 500)
    counts = range(size + 1)
    match method:
        case ShareMethod.WALD:
            return [
                k
                for k in counts
                if critical.compare_square((k - size * share) ** 2, mpq(k * (size - k), size)) <= 0
            ]
        case ShareMethod.WILSON:
            spread = size * share * (1 - share)
            return [k for k in counts if critical.compare_square((k - size * share) ** 2, spread) <= 0]
        case ShareMethod.CLOPPER_PEARSON:
            hits, grid = int(share.numerator), int(share.denominator)
            least = (1 - critical.of_level) / 2 * mpz(grid) ** size
            # P(X ≤ k) grows with k and P(X ≥ k) falls, so that those that are held stand together.
            first = bisect_left(counts, least, key=lambda k: mpq(at_most(grid, size, hits, k)))
            others = bisect_left(counts, least, key=lambda k: mpq(at_most(grid, size, grid - hits, k)))
            return list(range(first, size - others + 1))
        case _:
            assert_never(method)


def _holds_difference(
    control: _Counts, treatment: _Counts, truth: mpq, method: DifferenceMethod, critical: NormalCritical
) -> bool:
    deviation = mpq(*treatment) - mpq(*control) - truth
    if deviation == 0:
        return True
    if method is DifferenceMethod.WALD:
        return critical.compare_square(deviation**2, _wald_variance(control) + _wald_variance(treatment)) <= 0
    # A difference above the truth is held by the reach downwards, one below it by the reach upwards.
    side = 0 if deviation > 0 else 1
    return (
        decide_sign(
            lambda bits: deviation**2 - _squared_reaches(control, treatment, method, critical, bits)[side]
        )
        <= 0
    )


def _squared_reaches(
    control: _Counts, treatment: _Counts, method: DifferenceMethod, critical: NormalCritical, precision: int
) -> _TwoEnds:
    if method is DifferenceMethod.WALD:
        z = critical.enclose(precision)
        reach = z * z * (_wald_variance(control) + _wald_variance(treatment))
        return reach, reach
    (low_c, high_c), (low_t, high_t) = (
        _wilson_ends(*sample, critical, precision) for sample in (control, treatment)
    )
    left, right = mpq(*control), mpq(*treatment)
    return (
        _squared(right - low_t) + _squared(high_c - left),
        _squared(high_t - right) + _squared(left - low_c),
    )


def _wald_variance(sample: _Counts) -> mpq:
    k, n = sample
    return mpq(k * (n - k), n**3)


def _squared(reach: Enclosure) -> Enclosure:
    """Enclose the square of a number that is not negative, though rounding may put its lower end below 0."""
    return Enclosure(max(reach.lower, mpq(0)) ** 2, reach.upper**2)


def _wald_ends(k: int, n: int, critical: NormalCritical, precision: int) -> _TwoEnds:
    reach = critical.enclose(precision) * enclose_sqrt(_wald_variance((k, n)), precision)
    return mpq(k, n) - reach, mpq(k, n) + reach


def _clopper_pearson_ends(k: int, n: int, critical: NormalCritical, precision: int) -> _TwoEnds:
    # P_p(X ≥ k) is the probability that a beta number with parameters k and n−k+1 is at most p.
    tail = (1 - critical.of_level) / 2
    return (
        enclose_beta_quantile(1 - tail, k, n - k + 1, precision) if k else Enclosure(0, 0),
        enclose_beta_quantile(tail, k + 1, n - k, precision) if k < n else Enclosure(1, 1),
    )


@lru_cache(maxsize=1 << 12)
def _wilson_ends(k: int, n: int, critical: NormalCritical, precision: int) -> _TwoEnds:
    z = critical.enclose(precision + 8)
    square = z * z
    reach = z * enclose_sqrt(mpq(k * (n - k), n) + square / 4, precision + 8)
    lower, upper = (k + square / 2 - reach) / (n + square), (k + square / 2 + reach) / (n + square)
    # At the ends the roots are exactly 0 and 1.
    return (Enclosure(0, 0) if k == 0 else lower), (Enclosure(1, 1) if k == n else upper)


_ENDS: dict[ShareMethod, Callable[[int, int, NormalCritical, int], _TwoEnds]] = {
    ShareMethod.WALD: _wald_ends,
    ShareMethod.WILSON: _wilson_ends,
    ShareMethod.CLOPPER_PEARSON: _clopper_pearson_ends,
}


def binomial_probabilities(size: int, share: mpq) -> list[mpq]:
    """Return the probability of each number of positives of `size` outputs, from 0 up."""
    check_work("the probabilities of so many outputs", size**2 * share.denominator.bit_length() // 40)
    return [bincoef(size, k) * share**k * (1 - share) ** (size - k) for k in range(size + 1)]


def _counts(positives: RationalLike, size: RationalLike) -> _Counts:
    k, n = whole_number(positives), _size(size)
    if k > n:
        raise BadNumber((positives, size), "there are at most as many positives as outputs")
    return k, n


def _size(size: RationalLike) -> int:
    n = whole_number(size)
    if n == 0:
        raise BadNumber(size, "a share needs outputs")
    return n
