"""`interval` and `coverage`: what a sample says at a level, and how often that is right, for every design.

A binomial sample has an interval for its share p; two of them have one for the difference d = p_T − p_C: Wald's, or
Newcombe's (1998, method 10) from Wilson's ends l, u: d − √((p_T−l_T)² + (u_C−p_C)²) to d + √((u_T−p_T)² + (p_C−l_C)²).
A sample of graded questions has an interval for the number M of right answers among all Q. Whether an interval holds a
rational truth is decided exactly, without its ends. A coverage is the share of the samples whose interval does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, TypeAlias, overload

from gmpy2 import bincoef, mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadChoice, BadNumber
from ntqr_exact.exact.enclosure import Enclosure, decide_sign, enclose_sqrt
from ntqr_exact.exact.rational import RationalLike, probability, rational, whole_number
from ntqr_exact.sampling.beta import enclose_beta_quantile
from ntqr_exact.sampling.designs import Binomial, Hypergeometric, check_level, last_kept, run_around
from ntqr_exact.sampling.normal_interval import NormalCritical, decimals_of_ends

Interval: TypeAlias = "tuple[int, int]"
MaybeInterval: TypeAlias = "Interval | None"
"""Smallest and greatest number of right answers; none where the interval holds no whole number."""

Pair: TypeAlias = "tuple[RationalLike, RationalLike]"
TwoSamples: TypeAlias = "tuple[Binomial, Binomial]"
AnyDesign: TypeAlias = "Binomial | Hypergeometric | TwoSamples"
_Counts: TypeAlias = "tuple[int, int]"
_TwoEnds: TypeAlias = "tuple[Enclosure, Enclosure]"


class IntervalMethod(Enum):
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


@overload
def interval(
    design: Hypergeometric, k: RationalLike, method: IntervalMethod | str, level: RationalLike = "0.95"
) -> MaybeInterval: ...
@overload
def interval(
    design: Binomial, k: RationalLike, method: IntervalMethod | str, level: RationalLike = "0.95"
) -> ShareInterval: ...
@overload
def interval(
    design: TwoSamples, k: Pair, method: IntervalMethod | str, level: RationalLike = "0.95"
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
        return _interval_of(kind, design, _positives(k, design.graded), share)
    if isinstance(design, Binomial):
        count, n = _positives(k, design.n), design.n
        return ShareInterval(kind, share, lambda bits: _ENDS[kind](count, n, share, bits))
    left, right = _counts(design, k)
    middle = mpq(*right) - mpq(*left)

    def ends(precision: int) -> _TwoEnds:
        down, up = _squared_reaches(left, right, kind, share, precision)
        return middle - enclose_sqrt(down, precision), middle + enclose_sqrt(up, precision)

    return ShareInterval(kind, share, ends)


def holds(
    design: AnyDesign, k: Any, method: IntervalMethod | str, truth: Any, level: RationalLike = "0.95"
) -> bool:
    """Return whether the interval of k positives holds the truth: a share, a difference, or a number of right answers.

    For a share p, Wald's does iff (k − np)² ≤ z²·k(n−k)/n, Wilson's iff (k − np)² ≤ z²·np(1−p), and Clopper and
    Pearson's iff P_p(X ≤ k) ≥ α/2 and P_p(X ≥ k) ≥ α/2.

    >>> [k for k in range(5) if holds(Binomial(4), k, "wald", "1/2")]
    [1, 2, 3]
    """
    kind, share = _method(design, method), check_level(level)
    if isinstance(design, Hypergeometric):
        ends = interval(design, k, kind, share)
        return ends is not None and ends[0] <= whole_number(truth) <= ends[1]
    if isinstance(design, Binomial):
        return _holds_share(design, _positives(k, design.n), kind, probability(truth), share)
    return _holds_difference(*_counts(design, k), rational(truth), kind, share)


def coverage(
    design: Binomial | Hypergeometric,
    method: IntervalMethod | str,
    truth: RationalLike,
    level: RationalLike = "0.95",
) -> mpq:
    """Return the exact probability that the interval holds the truth.

    The truth is a share for a binomial design, and a number of right answers for graded questions.

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
        p = probability(truth)
        weights = design.probabilities(p)
        # Each method keeps neighbouring k, next to n·p.
        kept = run_around(lambda k: _holds_share(design, k, kind, p, share), int(design.n * p), design.n)
        return sum((weights[k] for k in kept), mpq(0))
    raise BadChoice(design, "design must be Binomial(n) or Hypergeometric(size, graded)")


def coverage_of(
    method: IntervalMethod | str, *, size: RationalLike, graded: RationalLike, level: RationalLike = "0.95"
) -> tuple[mpq, ...]:
    """Return the exact coverage for the truths 0, …, size, if `graded` of `size` questions are drawn at random.

    >>> min(coverage_of("central", size=20, graded=5)) >= mpq(19, 20)
    True
    >>> min(coverage_of("wald_corrected", size=200, graded=20))
    mpq(1,10)
    """
    design = Hypergeometric(size, graded)
    questions, grades = design.size, design.graded
    covered = [mpz(0)] * (questions + 1)
    for right, ends in enumerate(_intervals(design, _method(design, method), check_level(level))):
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


def coverage_while_grading(
    method: IntervalMethod | str, *, size: RationalLike, level: RationalLike = "0.95"
) -> tuple[mpq, ...]:
    """Return for each truth 0, …, size the probability that the interval holds it after every single grade.

    All orders of M right and Q − M wrong answers are equally likely; counted are those whose every beginning, of
    m grades with r right ones, has an interval that holds M.

    >>> min(coverage_while_grading("anytime", size=20)) >= mpq(19, 20) > min(coverage_while_grading("central", size=20))
    True
    """
    kind, share, questions = chosen(method, IntervalMethod), check_level(level), whole_number(size)
    check_work("the coverage after every grade", questions**3 // 4)
    looks = [_intervals(Hypergeometric(questions, m), kind, share) for m in range(questions + 1)]

    def orders(truth: int) -> mpz:
        ways = {0: mpz(1)}
        for intervals in looks[1:]:
            following: defaultdict[int, mpz] = defaultdict(mpz)
            for right, count in ways.items():
                following[right] += count
                following[right + 1] += count
            ways = {
                r: n for r, n in following.items() if (ends := intervals[r]) and ends[0] <= truth <= ends[1]
            }
        return ways.get(truth, mpz(0))

    return tuple(mpq(orders(truth), bincoef(questions, truth)) for truth in range(questions + 1))


# -- shares and differences of shares --------------------------------------------------------------------


def _holds_share(design: Binomial, k: int, method: IntervalMethod, p: mpq, level: mpq) -> bool:
    n = design.n
    if method is IntervalMethod.CLOPPER_PEARSON:
        check_work(f"the tails of {n} outputs", n**2 * p.denominator.bit_length() // 500)
        smallest = (1 - level) / 2 * design.samples(p)
        return bool(min(design.at_most(p, k), design.at_least(p, k)) >= smallest)
    spread = mpq(k * (n - k), n) if method is IntervalMethod.WALD else n * p * (1 - p)
    return NormalCritical(level).compare_square((k - n * p) ** 2, spread) <= 0


def _holds_difference(
    control: _Counts, treatment: _Counts, truth: mpq, method: IntervalMethod, level: mpq
) -> bool:
    deviation = mpq(*treatment) - mpq(*control) - truth
    if deviation == 0:
        return True
    # A difference above the truth is held by the reach downwards, one below it by the reach upwards.
    side = 0 if deviation > 0 else 1
    return (
        decide_sign(
            lambda bits: deviation**2 - _squared_reaches(control, treatment, method, level, bits)[side]
        )
        <= 0
    )


def _squared_reaches(
    control: _Counts, treatment: _Counts, method: IntervalMethod, level: mpq, precision: int
) -> _TwoEnds:
    if method is IntervalMethod.WALD:
        z = NormalCritical(level).enclose(precision)
        reach = z * z * (_wald_variance(*control) + _wald_variance(*treatment))
        return reach, reach
    (low_c, high_c), (low_t, high_t) = (
        _wilson_ends(*sample, level, precision) for sample in (control, treatment)
    )
    left, right = mpq(*control), mpq(*treatment)
    return (
        _squared(right - low_t) + _squared(high_c - left),
        _squared(high_t - right) + _squared(left - low_c),
    )


def _squared(reach: Enclosure) -> Enclosure:
    """Enclose the square of a number that is not negative, though rounding may put its lower end below 0."""
    return Enclosure(max(reach.lower, mpq(0)) ** 2, reach.upper**2)


def _wald_variance(k: int, n: int) -> mpq:
    return mpq(k * (n - k), n**3)


def _wald_ends(k: int, n: int, level: mpq, precision: int) -> _TwoEnds:
    reach = NormalCritical(level).enclose(precision) * enclose_sqrt(_wald_variance(k, n), precision)
    return mpq(k, n) - reach, mpq(k, n) + reach


@lru_cache(maxsize=1 << 12)
def _clopper_pearson_ends(k: int, n: int, level: mpq, precision: int) -> _TwoEnds:
    # P_p(X ≥ k) is the probability that a beta number with parameters k and n−k+1 is at most p.
    tail = (1 - level) / 2
    return (
        enclose_beta_quantile(1 - tail, k, n - k + 1, precision) if k else Enclosure(0, 0),
        enclose_beta_quantile(tail, k + 1, n - k, precision) if k < n else Enclosure(1, 1),
    )


@lru_cache(maxsize=1 << 12)
def _wilson_ends(k: int, n: int, level: mpq, precision: int) -> _TwoEnds:
    z = NormalCritical(level).enclose(precision + 8)
    square = z * z
    reach = z * enclose_sqrt(mpq(k * (n - k), n) + square / 4, precision + 8)
    lower, upper = (k + square / 2 - reach) / (n + square), (k + square / 2 + reach) / (n + square)
    # At the ends the roots are exactly 0 and 1.
    return (Enclosure(0, 0) if k == 0 else lower), (Enclosure(1, 1) if k == n else upper)


_ENDS: dict[IntervalMethod, Callable[[int, int, mpq, int], _TwoEnds]] = {
    IntervalMethod.WALD: _wald_ends,
    IntervalMethod.WILSON: _wilson_ends,
    IntervalMethod.CLOPPER_PEARSON: _clopper_pearson_ends,
}


# -- right answers among all questions -------------------------------------------------------------------


def central_interval(design: Hypergeometric, right: int, level: mpq) -> Interval:
    """Return the M with P_M(X ≤ r) > α/2 and P_M(X ≥ r) > α/2: the first tail falls in M, the second rises.

    >>> central_interval(Hypergeometric(100, 20), 15, mpq(19, 20))
    (54, 90)
    """
    limit = design.limit((1 - level) / 2)

    def upper(r: int) -> int:
        most = design.size - design.graded + r
        return last_kept(lambda truth: design.at_most(truth, r) > limit, r, most + 1)

    return design.size - upper(design.graded - right), upper(right)


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
    """Return the hull of the M that Blaker's (2000) test keeps, inside the central interval.

    Let γ(r) be the smaller of the samples with at most r and with at least r right answers. M is kept iff more than α
    of all samples have a γ of at most γ(r). A truth of which r is a median is always kept.
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
    size, graded, s = design.size, design.graded, design.fewest(truth) - 1
    above, below, term = design.at_least(truth, right), mpz(0), design.at(truth, s + 1)
    while True:
        while s + 1 < right and below + term <= above:
            below, s = below + term, s + 1
            term = term * (truth - s) * (graded - s) // ((s + 1) * (size - truth - graded + s + 1))
        if above + below > limit:
            return truth
        above, below = above + design.lost(truth, right - 1), below - design.lost(truth, s)
        truth += 1
        s = max(s, design.fewest(truth) - 1)
        term = design.at(truth, s + 1)


def _anytime_interval(design: Hypergeometric, right: int, level: mpq) -> Interval:
    """Return the M with (m+1)·C(M, r)·C(Q−M, m−r) > α·C(Q, m), valid at all looks together.

    If every M were equally likely, every r from 0 to m would be. The ratio of this 1/(m+1) to the chance of r under
    the true M is a martingale as the grades come in, and begins at 1: by Ville's inequality it ever reaches 1/α with a
    probability of at most α. N grows from M to M + 1 iff m(M + 1) ≤ r(Q + 1).
    """
    limit = design.limit((1 - level) / (design.graded + 1))
    likeliest = min(right * (design.size + 1) // max(1, design.graded), design.size)
    kept = run_around(lambda truth: design.at(truth, right) > limit, likeliest, design.size)
    return kept[0], kept[-1]


def _clopper_pearson_interval(design: Hypergeometric, right: int, level: mpq) -> MaybeInterval:
    """Return the M whose share M/Q lies in the interval of a sample drawn with replacement."""
    size, bits = design.size, design.size.bit_length() + 8
    lower, upper = _clopper_pearson_ends(right, design.graded, level, bits)

    def keeps(truth: int) -> bool:
        method = IntervalMethod.CLOPPER_PEARSON
        return _holds_share(Binomial(design.graded), right, method, mpq(truth, size), level)

    # At each end, one number may lie within the enclosure: it is kept if its tails say so.
    low, high = -int(-lower.upper * size // 1), int(upper.lower * size // 1)
    low -= low - 1 >= lower.lower * size and keeps(low - 1)
    high += high + 1 <= upper.upper * size and keeps(high + 1)
    return (low, high) if low <= high else None


def _normal_interval(method: IntervalMethod, design: Hypergeometric, right: int, level: mpq) -> MaybeInterval:
    """Return the M with (rQ − mM)² ≤ z²·V(M): Wald's V is Q²r(m−r)/m, Wilson's mM(Q−M), both concave in M.

    Corrected, V is multiplied by (Q−m)/(Q−1).
    """
    size, graded = design.size, design.graded
    corrected = method in (IntervalMethod.WALD_CORRECTED, IntervalMethod.WILSON_CORRECTED)
    factor = mpq(size - graded, max(1, size - 1)) if corrected else mpq(1)
    fixed = mpq(size**2 * right * (graded - right), graded)
    is_wald = method in (IntervalMethod.WALD, IntervalMethod.WALD_CORRECTED)
    critical = NormalCritical(level)

    def keeps(truth: int) -> bool:
        variance = fixed if is_wald else graded * truth * (size - truth)
        return critical.compare_square((right * size - graded * truth) ** 2, factor * variance) <= 0

    return _ends_of(run_around(keeps, right * size // graded, size))


def _ends_of(kept: range) -> MaybeInterval:
    return (kept[0], kept[-1]) if kept else None


def _interval_of(method: IntervalMethod, design: Hypergeometric, right: int, level: mpq) -> MaybeInterval:
    match method:
        case IntervalMethod.CENTRAL:
            return central_interval(design, right, level)
        case IntervalMethod.BLAKER:
            return _blaker_interval(design, right, level)
        case IntervalMethod.ANYTIME:
            return _anytime_interval(design, right, level)
    if design.graded == 0:
        return 0, design.size
    if method is IntervalMethod.CLOPPER_PEARSON:
        return _clopper_pearson_interval(design, right, level)
    return _normal_interval(method, design, right, level)


def _intervals(design: Hypergeometric, method: IntervalMethod, level: mpq) -> Sequence[MaybeInterval]:
    """Return the intervals for r = 0, …, m."""
    if method in (IntervalMethod.CENTRAL, IntervalMethod.BLAKER):
        central, limit = central_intervals(design, level), design.limit(1 - level)
        if method is IntervalMethod.CENTRAL:
            return central
        lows = [_first_kept(design, right, low, limit) for right, (low, _) in enumerate(central)]
        return [(low, design.size - high) for low, high in zip(lows, reversed(lows), strict=True)]
    return [_interval_of(method, design, right, level) for right in range(design.graded + 1)]


def _method(design: AnyDesign, method: IntervalMethod | str) -> IntervalMethod:
    kind = chosen(method, IntervalMethod)
    match design:
        case Hypergeometric():
            allowed: tuple[IntervalMethod, ...] = SAMPLE_METHODS
        case Binomial():
            allowed = SHARE_METHODS
        case (Binomial(), Binomial()):
            allowed = DIFFERENCE_METHODS
        case _:
            raise BadChoice(
                design, "design must be Binomial(n), two of them, or Hypergeometric(size, graded)"
            )
    if kind not in allowed:
        raise BadChoice(kind.value, f"method must be one of {', '.join(one.value for one in allowed)}")
    return kind


def _counts(design: TwoSamples, k: Pair) -> tuple[_Counts, _Counts]:
    (first, second), (left, right) = design, k
    return (_positives(left, first.n), first.n), (_positives(right, second.n), second.n)


def _positives(k: RationalLike, n: int) -> int:
    count = whole_number(k)
    if count > n:
        raise BadNumber(k, f"k must be at most {n}: there are at most as many positives as outputs")
    return count
