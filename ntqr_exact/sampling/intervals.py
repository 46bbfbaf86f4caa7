"""`interval` and `coverage`: what a sample says at a level, and how often that is right, for every design.

A binomial sample has an interval for its share p; two of them have one for the difference d = p_T − p_C: Wald's, or
Newcombe's (1998, method 10) from Wilson's ends l, u: d − √((p_T−l_T)² + (u_C−p_C)²) to d + √((u_T−p_T)² + (p_C−l_C)²).
A sample of graded questions has an interval for the number M of right answers among all Q. Whether an interval holds a
rational truth is decided exactly, without its ends. A coverage is the share of the samples whose interval does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, TypeAlias, overload

from gmpy2 import mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.choice import Choice
from ntqr_exact.errors import BadChoice, BadNumber
from ntqr_exact.exact.enclosure import (
    Enclosure,
    decide_sign,
    enclose_normal_cdf,
    enclose_normal_quantile,
    enclose_sqrt,
    refined,
)
from ntqr_exact.exact.rational import RationalLike, probability, rational, whole_number
from ntqr_exact.sampling.designs import (
    Binomial,
    Hypergeometric,
    check_level,
    counted,
    enclose_beta_quantile,
    run_around,
)

Interval: TypeAlias = "tuple[int, int]"
MaybeInterval: TypeAlias = "Interval | None"
"""Smallest and greatest number of right answers; none where the interval holds no whole number."""

TwoSamples: TypeAlias = "tuple[Binomial, Binomial]"
AnyDesign: TypeAlias = "Binomial | Hypergeometric | TwoSamples"
_Counts: TypeAlias = "tuple[int, int]"
_TwoEnds: TypeAlias = "tuple[Enclosure, Enclosure]"
_ZERO, _ONE, _WHOLE = Enclosure(0, 0), Enclosure(1, 1), mpq(1)


@dataclass(frozen=True, slots=True, init=False)
class Critical:
    """A critical value: a rational z > 0, 1.96 unless given, or that of a `level`, with Φ(z) = (1 + level)/2, enclosed.

    >>> Critical("1.96").compare_square(mpq(4), mpq(1)), Critical(level="0.95").enclose(64).decimal(12)
    (1, '1.959963984540')
    """

    z: mpq | None
    level: mpq | None

    def __init__(self, z: RationalLike | None = None, *, level: RationalLike | None = None) -> None:
        if z is not None and level is not None:
            raise BadNumber((z, level), "critical and level must not both be given")
        object.__setattr__(self, "z", None if level is not None else rational("1.96" if z is None else z))
        object.__setattr__(self, "level", None if level is None else check_level(level))
        if self.z is not None and self.z <= 0:
            raise BadNumber(z, "critical must be > 0")

    def compare_square(self, square: mpq, variance: mpq) -> int:
        """Return the sign of f² − z²V; if the z of a level should ever tie with V > 0, it raises `Undecided`."""
        return decide_sign(lambda bits: square - _squared(self, bits) * variance)

    def enclose(self, precision: int) -> Enclosure:
        """Enclose z with a relative width of at most 2^(2−precision)."""
        if self.level is not None:
            return enclose_normal_quantile((1 + self.level) / 2, precision)
        return Enclosure(self.z, self.z)  # type: ignore[arg-type]

    def __str__(self) -> str:
        if self.z is not None:
            return f"z = {self.z} (a level of {(2 * enclose_normal_cdf(self.z) - 1).decimal(6)})"
        return f"z ≈ {self.enclose(64).decimal(9)}, the true quantile for the level {self.level}"


@lru_cache(maxsize=64)
def _squared(critical: Critical, precision: int) -> Enclosure:
    z = critical.enclose(precision)
    return z * z


class IntervalMethod(Choice):
    """How an interval is made; each design has some of them."""

    WALD = "wald"
    WILSON = "wilson"
    CLOPPER_PEARSON = "clopper_pearson"
    CENTRAL = "central"
    BLAKER = "blaker"
    ANYTIME = "anytime"
    WALD_CORRECTED = "wald_corrected"
    WILSON_CORRECTED = "wilson_corrected"
    NEWCOMBE = "newcombe"


SHARE_METHODS = (IntervalMethod.WALD, IntervalMethod.WILSON, IntervalMethod.CLOPPER_PEARSON)
SAMPLE_METHODS = tuple(method for method in IntervalMethod if method is not IntervalMethod.NEWCOMBE)
DIFFERENCE_METHODS = (IntervalMethod.WALD, IntervalMethod.NEWCOMBE)
"""The methods for one binomial sample, for graded questions, and for two binomial samples."""

_METHODS = {
    (Binomial,): SHARE_METHODS,
    (Hypergeometric,): SAMPLE_METHODS,
    (Binomial, Binomial): DIFFERENCE_METHODS,
}


@dataclass(frozen=True, slots=True)
class ShareInterval:
    """An interval for a share, or for a difference of shares, whose ends are known by enclosures of any precision."""

    method: IntervalMethod
    level: mpq
    ends: Callable[[int], _TwoEnds]

    def decimals(self, places: int = 6) -> tuple[str, str]:
        """Return both ends as correctly rounded decimals."""
        return decimals_of_ends(self.ends, places)

    @property
    def lower(self) -> Enclosure:
        """The lower end, enclosed at 64 bits."""
        return self.ends(64)[0]

    @property
    def upper(self) -> Enclosure:
        """The upper end, enclosed at 64 bits."""
        return self.ends(64)[1]

    def to_document(self) -> dict[str, Any]:
        """Return the method, the level, and the ends to twelve places."""
        return {"method": self.method.value, "level": self.level, "ends": list(self.decimals(12))}

    def __str__(self) -> str:
        return f"[{', '.join(self.decimals())}]"


def decimals_of_ends(ends: Callable[[int], _TwoEnds], places: int) -> tuple[str, str]:
    """Return two ends as correctly rounded decimals, with as many bits as that takes."""

    def decimals(precision: int) -> tuple[str, str]:
        lower, upper = ends(precision)
        return lower.decimal(places), upper.decimal(places)

    return refined(decimals, 16 + 4 * places)


@overload
def interval(
    design: Hypergeometric, k: RationalLike, method: IntervalMethod | str, level: RationalLike = "0.95"
) -> MaybeInterval: ...
@overload
def interval(
    design: Binomial | TwoSamples, k: Any, method: IntervalMethod | str, level: RationalLike = "0.95"
) -> ShareInterval: ...


def interval(design: AnyDesign, k: Any, method: IntervalMethod | str, level: RationalLike = "0.95") -> Any:
    """Return the interval that k positives give: for a share, a difference of shares, or a number of right answers.

    >>> interval(Hypergeometric(100, 20), 15, "central"), interval(Binomial(20), 15, "clopper_pearson").decimals(4)
    ((54, 90), ('0.5090', '0.9134'))
    >>> print(interval((Binomial(2), Binomial(2)), (0, 2), "newcombe"), interval(Binomial(10), 0, "wilson"))
    [0.069985, 1.000000] [0.000000, 0.277533]

    Raises `BadChoice` for a method that the design does not have, `BadNumber` for more positives than outputs.
    """
    kind, share = _method(design, method), check_level(level)
    if isinstance(design, Hypergeometric):
        return _interval_of(kind, design, counted((k, design.graded))[0], share)
    if isinstance(design, Binomial):
        count, n = counted((k, design.n))
        return ShareInterval(kind, share, lambda bits: _ends(kind, count, n, share, bits))
    left, right = _counts(design, k)
    middle = mpq(*right) - mpq(*left)

    def ends(precision: int) -> _TwoEnds:
        down, up = _squared_reaches(left, right, kind, share, precision)
        return middle - enclose_sqrt(down, precision), middle + enclose_sqrt(up, precision)

    return ShareInterval(kind, share, ends)


def holds(
    design: Binomial | TwoSamples,
    k: Any,
    method: IntervalMethod | str,
    truth: RationalLike,
    level: RationalLike = "0.95",
) -> bool:
    """Return whether the interval of k positives holds the truth: a share, or a difference of shares.

    For a share p, Wald's does iff (k − np)² ≤ z²·k(n−k)/n, Wilson's iff (k − np)² ≤ z²·np(1−p), and Clopper and
    Pearson's iff P_p(X ≤ k) ≥ α/2 and P_p(X ≥ k) ≥ α/2.
    """
    kind, share = _method(design, method), check_level(level)
    if isinstance(design, Binomial):
        return _holds_share(design, counted((k, design.n))[0], kind, probability(truth), share)
    control, treatment = _counts(design, k)
    deviation = mpq(*treatment) - mpq(*control) - rational(truth)
    # A difference above the truth is held by the reach downwards, one below it by the reach upwards.
    side = 0 if deviation > 0 else 1

    def beyond(bits: int) -> Enclosure:
        return deviation**2 - _squared_reaches(control, treatment, kind, share, bits)[side]

    return deviation == 0 or decide_sign(beyond) <= 0


def coverage(
    design: Binomial | Hypergeometric,
    method: IntervalMethod | str,
    truth: RationalLike,
    level: RationalLike = "0.95",
) -> mpq:
    """Return the exact probability that the interval holds the truth: a share, or a number of right answers.

    >>> coverage(Binomial(2), "wald", "1/2"), coverage(Hypergeometric(10, 4), "central", 5)
    (mpq(1,2), mpq(20,21))
    """
    kind, share = _method(design, method), check_level(level)
    if isinstance(design, Hypergeometric):
        right = whole_number(truth)
        if right > design.size:
            raise BadNumber(truth, f"truth must be at most the number of questions, {design.size}")
        return coverage_of(kind, size=design.size, graded=design.graded, level=share)[right]
    if isinstance(design, Binomial):
        p, n = probability(truth), design.n
        check_work(f"the coverage of {n} outputs", n**2 * p.denominator.bit_length() // 40)
        # Each method keeps neighbouring k, next to n·p.
        kept = run_around(lambda k: _holds_share(design, k, kind, p, share), int(n * p), n)
        ways = design.at_most(p, kept[-1]) - design.at_most(p, kept[0] - 1) if kept else 0
        return mpq(ways, p.denominator**n)
    raise BadChoice(design, "design must be Binomial(n) or Hypergeometric(size, graded)")


def coverage_of(
    method: IntervalMethod | str, *, size: RationalLike, graded: RationalLike, level: RationalLike = "0.95"
) -> tuple[mpq, ...]:
    """Return the exact coverage for the truths 0, …, size, if `graded` of `size` questions are drawn at random.

    >>> min(coverage_of("wald_corrected", size=200, graded=20))
    mpq(1,10)
    """
    design = Hypergeometric(size, graded)
    kind, share = _method(design, method), check_level(level)
    questions, grades = design.size, design.graded
    intervals: Sequence[MaybeInterval] = (
        central_intervals(design, share)
        if kind is IntervalMethod.CENTRAL
        else [_interval_of(kind, design, right, share) for right in range(grades + 1)]
    )
    covered = [mpz(0)] * (questions + 1)
    for right, ends in enumerate(intervals):
        if ends is None:
            continue
        # N(M+1, r)/N(M, r) = (M+1)(Q−M−m+r)/((M+1−r)(Q−M))
        first, last = max(ends[0], right), min(ends[1], questions - grades + right)
        ways = design.at(first, right)
        for truth in range(first, last + 1):
            covered[truth] += ways
            rise = (truth + 1) * (questions - truth - grades + right)
            ways = ways * rise // ((truth + 1 - right) * max(1, questions - truth))
    return tuple(mpq(one, design.samples()) for one in covered)


# -- shares and differences of shares --------------------------------------------------------------------


def _holds_share(
    design: Binomial, k: int, method: IntervalMethod, p: mpq, level: mpq, *, factor: mpq = _WHOLE
) -> bool:
    n = design.n
    if method is IntervalMethod.CLOPPER_PEARSON:
        check_work(f"the tails of {n} outputs", n**2 * p.denominator.bit_length() // 500)
        smallest = (1 - level) / 2 * p.denominator**n
        return bool(min(design.at_most(p, k), design.at_most(1 - p, n - k)) >= smallest)
    spread = mpq(k * (n - k), n) if method is IntervalMethod.WALD else n * p * (1 - p)
    return Critical(level=level).compare_square((k - n * p) ** 2, factor * spread) <= 0


def _squared_reaches(
    control: _Counts, treatment: _Counts, method: IntervalMethod, level: mpq, precision: int
) -> _TwoEnds:
    if method is IntervalMethod.WALD:
        variance = _wald_variance(*control) + _wald_variance(*treatment)
        reach = _squared(Critical(level=level), precision) * variance
        return reach, reach
    (low_c, high_c), (low_t, high_t) = (
        _ends(IntervalMethod.WILSON, *sample, level, precision) for sample in (control, treatment)
    )
    left, right = mpq(*control), mpq(*treatment)
    return (_square(right - low_t) + _square(high_c - left), _square(high_t - right) + _square(left - low_c))


def _square(reach: Enclosure) -> Enclosure:
    """Enclose the square of a number that is not negative, though rounding may put its lower end below 0."""
    return Enclosure(max(reach.lower, mpq(0)) ** 2, reach.upper**2)


def _wald_variance(k: int, n: int) -> mpq:
    return mpq(k * (n - k), n**3)


@lru_cache(maxsize=1 << 12)
def _ends(method: IntervalMethod, k: int, n: int, level: mpq, precision: int) -> _TwoEnds:
    if method is IntervalMethod.CLOPPER_PEARSON:
        # P_p(X ≥ k) is the probability that a beta number with parameters k and n−k+1 is at most p.
        tail = (1 - level) / 2
        lower = enclose_beta_quantile(1 - tail, mpq(k), mpq(n - k + 1), precision) if k else _ZERO
        upper = enclose_beta_quantile(tail, mpq(k + 1), mpq(n - k), precision) if k < n else _ONE
        return lower, upper
    z = Critical(level=level).enclose(precision + 8)
    if method is IntervalMethod.WALD:
        reach = z * enclose_sqrt(_wald_variance(k, n), precision + 8)
        return mpq(k, n) - reach, mpq(k, n) + reach
    square = z * z
    reach = z * enclose_sqrt(mpq(k * (n - k), n) + square / 4, precision + 8)
    lower, upper = (k + square / 2 - reach) / (n + square), (k + square / 2 + reach) / (n + square)
    return (_ZERO if k == 0 else lower), (_ONE if k == n else upper)  # these roots are exactly 0 and 1


# -- right answers among all questions -------------------------------------------------------------------


@lru_cache(maxsize=64)
def central_intervals(design: Hypergeometric, level: mpq) -> tuple[Interval, ...]:
    """Return the central intervals for r = 0, …, m at once, in Q + m steps.

    The upper end grows with r: a walk goes up in M while the tail stays above the limit, then one step in r.
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


def _blaker_interval(design: Hypergeometric, right: int, level: mpq) -> Interval:
    """Return the hull of the M that Blaker's (2000) test keeps; the central interval holds them all.

    Let γ(r) be the smaller of the samples with at most r and with at least r right answers. M is kept iff more than α
    of all samples have a γ of at most γ(r). A truth of which r is a median is always kept.
    """
    (lower, upper), limit = interval(design, right, "central", level) or (0, -1), design.limit(1 - level)
    all_ways = design.samples()

    def keeps(truth: int) -> bool:
        low, high = design.fewest(truth), design.most(truth)
        ways, beyond = [design.at(truth, low)], design.size - truth - design.graded
        for x in range(low, high):
            ways.append(ways[-1] * (truth - x) * (design.graded - x) // ((x + 1) * (beyond + x + 1)))
        at_most = accumulate(ways)
        gamma = [min(below, all_ways - below + own) for below, own in zip(at_most, ways, strict=True)]
        return sum(own for own, one in zip(ways, gamma, strict=True) if one <= gamma[right - low]) > limit

    first = next(truth for truth in range(lower, upper + 1) if keeps(truth))
    return first, next(truth for truth in range(upper, first - 1, -1) if keeps(truth))


def _interval_of(method: IntervalMethod, design: Hypergeometric, right: int, level: mpq) -> MaybeInterval:
    if method is IntervalMethod.BLAKER:
        return _blaker_interval(design, right, level)
    # The other methods keep neighbouring M, next to r·Q/m, where the sample is likeliest.
    size, graded = design.size, design.graded
    if graded == 0:
        return 0, size
    kept = run_around(_keeps(method, design, right, level), right * size // graded, size)
    return (kept[0], kept[-1]) if kept else None


def _keeps(method: IntervalMethod, design: Hypergeometric, right: int, level: mpq) -> Callable[[int], bool]:
    """Return whether a method keeps M.

    Central: P_M(X ≤ r) > α/2, which falls in M, and P_M(X ≥ r) > α/2, which rises. Where the mean mM/Q is at most r, so
    is the median, and the first holds. Anytime: (m+1)·C(M, r)·C(Q−M, m−r) > α·C(Q, m), valid at all looks together. If
    every M were equally likely, every r from 0 to m would be. The ratio of this 1/(m+1) to the chance of r under the
    true M is a martingale as the grades come in, and begins at 1: by Ville's inequality it ever reaches 1/α with a
    probability of at most α. The others: M/Q lies in the interval of a sample drawn with replacement; corrected, its
    variance is multiplied by (Q−m)/(Q−1).
    """
    size, graded = design.size, design.graded
    if method is IntervalMethod.CENTRAL:
        limit = design.limit((1 - level) / 2)
        return lambda truth: min(design.at_most(truth, right), design.at_least(truth, right)) > limit
    if method is IntervalMethod.ANYTIME:
        limit = design.limit((1 - level) / (graded + 1))
        return lambda truth: design.at(truth, right) > limit
    plain = IntervalMethod(method.value.removesuffix("_corrected"))
    factor = mpq(1) if plain is method else mpq(size - graded, max(1, size - 1))
    sample = Binomial(graded)
    return lambda truth: _holds_share(sample, right, plain, mpq(truth, size), level, factor=factor)


def _method(design: AnyDesign, method: IntervalMethod | str) -> IntervalMethod:
    kind = IntervalMethod(method)
    allowed = _METHODS.get(tuple(map(type, design if isinstance(design, tuple | list) else (design,))))
    if allowed is None:
        raise BadChoice(design, "design must be Binomial(n), two of them, or Hypergeometric(size, graded)")
    if kind not in allowed:
        raise BadChoice(kind.value, f"method must be one of {', '.join(one.value for one in allowed)}")
    return kind


def _counts(design: TwoSamples, k: Any) -> tuple[_Counts, _Counts]:
    left, right = (counted((positives, one.n)) for positives, one in zip(k, design, strict=True))
    return left, right
