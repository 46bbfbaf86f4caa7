"""`interval` and `coverage`: what a sample says at a level, and how often that is right, for every design.

A binomial sample has an interval for its share p. Whether it holds a rational p is decided exactly, without its ends:

* Wald: (k − np)² ≤ z²·k(n−k)/n. At k = 0 and k = n it is a single point.
* Wilson: (k − np)² ≤ z²·np(1−p), the shares that a score test does not reject.
* Clopper and Pearson: P_p(X ≤ k) ≥ α/2 and P_p(X ≥ k) ≥ α/2.

A sample of graded questions has an interval for the number of right answers among all; see `sample_intervals`. Two
binomial samples have one for the difference d = p_T − p_C: Wald's, or Newcombe's (1998, method 10), with Wilson's ends
l, u of both from d − √((p_T−l_T)² + (u_C−p_C)²) to d + √((u_T−p_T)² + (p_C−l_C)²).

A coverage is the share of the samples whose interval holds the truth, a rational.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from typing import Any, TypeAlias, overload

from gmpy2 import bincoef, mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadChoice, BadNumber
from ntqr_exact.exact.enclosure import Enclosure, decide_sign, enclose_sqrt
from ntqr_exact.exact.rational import RationalLike, probability, whole_number
from ntqr_exact.sampling import sample_intervals
from ntqr_exact.sampling.beta import enclose_beta_quantile
from ntqr_exact.sampling.designs import Binomial, Hypergeometric, check_level
from ntqr_exact.sampling.normal_interval import Decision, NormalCritical, decimals_of_ends
from ntqr_exact.sampling.sample_intervals import MaybeInterval

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
"""The methods for one binomial sample."""

SAMPLE_METHODS = tuple(method for method in IntervalMethod if method is not IntervalMethod.NEWCOMBE)
"""The methods for graded questions."""

DIFFERENCE_METHODS = (IntervalMethod.WALD, IntervalMethod.NEWCOMBE)
"""The methods for two binomial samples."""


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
    >>> print(interval((Binomial(2), Binomial(2)), (0, 2), "newcombe"))
    [0.069985, 1.000000]

    Raises `BadChoice` for a method that the design does not have, `BadNumber` for more positives than outputs.
    """
    kind, share = _method(design, method), check_level(level)
    if isinstance(design, Hypergeometric):
        return _sample_interval(kind)(design, _positives(k, design.graded), share)
    critical = NormalCritical(share)
    if isinstance(design, Binomial):
        count, n = _positives(k, design.n), design.n
        return ShareInterval(kind, share, lambda bits: _ENDS[kind](count, n, critical, bits))
    left, right = ((_positives(one, each.n), each.n) for one, each in zip(k, design, strict=True))
    middle = mpq(*right) - mpq(*left)

    def ends(precision: int) -> _TwoEnds:
        down, up = _squared_reaches(left, right, kind, critical, precision)
        return middle - enclose_sqrt(down, precision), middle + enclose_sqrt(up, precision)

    return ShareInterval(kind, share, ends)


def coverage(
    design: AnyDesign, method: IntervalMethod | str, truth: Any, level: RationalLike = "0.95"
) -> mpq:
    """Return the exact probability that the interval holds the truth.

    The truth is a share for a binomial design, a number of right answers for graded questions, and a pair of shares,
    of control and treatment, for two samples.

    >>> coverage(Binomial(2), "wald", "1/2"), coverage(Hypergeometric(10, 4), "central", 5)
    (mpq(1,2), mpq(20,21))
    """
    kind, share = _method(design, method), check_level(level)
    if isinstance(design, Hypergeometric):
        right = whole_number(truth)
        if right > design.size:
            raise BadNumber(truth, f"truth must be at most the number of questions, {design.size}")
        return sample_coverages(design, intervals_of(kind, design, share))[right]
    if isinstance(design, Binomial):
        p = probability(truth)
        weights = design.probabilities(p)
        return sum((weights[k] for k in holding(design, kind, p, share)), mpq(0))
    shares = [probability(one) for one in truth]
    left, right_weights = (one.probabilities(p) for one, p in zip(design, shares, strict=True))
    sizes, critical, difference = [one.n for one in design], NormalCritical(share), shares[1] - shares[0]
    check_work("the coverage of two samples", 20 * len(left) * len(right_weights))
    return sum(
        (
            left[k] * right_weights[j]
            for k in range(sizes[0] + 1)
            for j in range(sizes[1] + 1)
            if _holds_difference((k, sizes[0]), (j, sizes[1]), difference, kind, critical)
        ),
        mpq(0),
    )


def share_interval(
    positives: RationalLike,
    size: RationalLike,
    *,
    method: IntervalMethod | str = IntervalMethod.WILSON,
    level: RationalLike = "0.95",
) -> ShareInterval:
    """Return the interval for a share of which k positives of n were seen.

    >>> print(share_interval(0, 10), share_interval(0, 10, method="wald"))
    [0.000000, 0.277533] [0.000000, 0.000000]

    Raises `BadNumber` for more positives than outputs, or none at all.
    """
    return interval(Binomial(size), positives, method, level)


def difference_interval(
    control: Pair,
    treatment: Pair,
    *,
    method: IntervalMethod | str = IntervalMethod.NEWCOMBE,
    level: RationalLike = "0.95",
) -> ShareInterval:
    """Return the interval for treatment − control, from the positives and totals of two independent samples.

    >>> print(difference_interval((0, 2), (2, 2)), difference_interval((0, 2), (2, 2), method="wald"))
    [0.069985, 1.000000] [1.000000, 1.000000]
    """
    return interval((Binomial(control[1]), Binomial(treatment[1])), (control[0], treatment[0]), method, level)


def difference_decision(
    control: Pair,
    treatment: Pair,
    *,
    method: IntervalMethod | str = IntervalMethod.NEWCOMBE,
    level: RationalLike = "0.95",
) -> Decision:
    """Return which side of 0 the interval of the difference lies on.

    >>> difference_decision((0, 3), (2, 3)).value, difference_decision((3, 30), (15, 30)).value
    ('no difference is shown', 'the treatment is higher')
    """
    design = Binomial(control[1]), Binomial(treatment[1])
    left, right = (
        (_positives(k, one.n), one.n) for (k, _), one in zip((control, treatment), design, strict=True)
    )
    if _holds_difference(left, right, mpq(0), _method(design, method), NormalCritical(level)):
        return Decision.NOT_SHOWN
    return Decision.HIGHER if mpq(*right) > mpq(*left) else Decision.LOWER


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
    return sample_coverages(design, intervals_of(_method(design, method), design, check_level(level)))


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
    looks = [intervals_of(kind, Hypergeometric(questions, m), share) for m in range(questions + 1)]

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


def intervals_of(method: IntervalMethod, design: Hypergeometric, level: mpq) -> Sequence[MaybeInterval]:
    """Return the intervals of a method for r = 0, …, m."""
    if method is IntervalMethod.CENTRAL:
        return sample_intervals.central_intervals(design, level)
    if method is IntervalMethod.BLAKER:
        return sample_intervals.blaker_intervals(design, level)
    return [_sample_interval(method)(design, right, level) for right in range(design.graded + 1)]


def _sample_interval(method: IntervalMethod) -> Callable[[Hypergeometric, int, mpq], MaybeInterval]:
    corrected = method in (IntervalMethod.WALD_CORRECTED, IntervalMethod.WILSON_CORRECTED)
    name = method.value.removesuffix("_corrected")
    found: Callable[..., MaybeInterval] = getattr(sample_intervals, f"{name}_interval")
    return partial(found, corrected=True) if corrected else found


def sample_coverages(design: Hypergeometric, intervals: Sequence[MaybeInterval]) -> tuple[mpq, ...]:
    """Return the coverage for each truth, given the interval for each number of right answers.

    While the set of r whose intervals hold M stays the same, the number of covered samples changes from M to M + 1
    only at the ends of its rows, by g(r, M) − g(r, M+1); when r joins or leaves, by N(r).

    >>> sample_coverages(Hypergeometric(2, 1), [(0, 1), (2, 2)])
    (mpq(1,1), mpq(1,2), mpq(1,1))
    """
    joining: dict[int, list[int]] = {}
    leaving: dict[int, list[int]] = {}
    for right, ends in enumerate(intervals):
        if ends is not None:
            joining.setdefault(ends[0], []).append(right)
            leaving.setdefault(ends[1] + 1, []).append(right)
    borders: Counter[int] = Counter()  # 1 where a row of covered r ends, −1 just before one begins
    covered, samples, result = mpz(0), design.samples(), []
    for truth in range(design.size + 1):
        for border, sign in borders.items():
            if sign:
                covered -= sign * design.lost(truth - 1, border)
        for sign, changes in ((1, joining), (-1, leaving)):
            for right in changes.get(truth, ()):
                covered += sign * design.at(truth, right)
                borders[right] += sign
                borders[right - 1] -= sign
        borders = Counter({border: sign for border, sign in borders.items() if sign})
        result.append(mpq(covered, samples))
    return tuple(result)


def holding(design: Binomial, method: IntervalMethod, share: mpq, level: mpq) -> list[int]:
    """Return the numbers of positives whose interval holds the share p.

    >>> holding(Binomial(4), IntervalMethod.WALD, mpq(1, 2), mpq(19, 20))
    [1, 2, 3]
    """
    n, counts, critical = design.n, range(design.n + 1), NormalCritical(level)
    check_work(f"the intervals of {n} outputs", 20 * n + n**2 * share.denominator.bit_length() // 500)
    if method is IntervalMethod.CLOPPER_PEARSON:
        # P(X ≤ k) grows with k and P(X ≥ k) falls, so that the kept k are neighbours.
        smallest = (1 - level) / 2 * design.samples(share)
        first = bisect_left(counts, smallest, key=lambda k: mpq(design.at_most(share, k)))
        others = bisect_left(counts, smallest, key=lambda k: mpq(design.at_most(1 - share, k)))
        return list(range(first, n - others + 1))
    spread = n * share * (1 - share)
    return [
        k
        for k in counts
        if critical.compare_square(
            (k - n * share) ** 2, mpq(k * (n - k), n) if method is IntervalMethod.WALD else spread
        )
        <= 0
    ]


def _holds_difference(
    control: _Counts, treatment: _Counts, truth: mpq, method: IntervalMethod, critical: NormalCritical
) -> bool:
    deviation = mpq(*treatment) - mpq(*control) - truth
    if deviation == 0:
        return True
    if method is IntervalMethod.WALD:
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
    control: _Counts, treatment: _Counts, method: IntervalMethod, critical: NormalCritical, precision: int
) -> _TwoEnds:
    if method is IntervalMethod.WALD:
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


@lru_cache(maxsize=1 << 12)
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


_ENDS: dict[IntervalMethod, Callable[[int, int, NormalCritical, int], _TwoEnds]] = {
    IntervalMethod.WALD: _wald_ends,
    IntervalMethod.WILSON: _wilson_ends,
    IntervalMethod.CLOPPER_PEARSON: _clopper_pearson_ends,
}


def _method(design: AnyDesign, method: IntervalMethod | str) -> IntervalMethod:
    kind = chosen(method, IntervalMethod)
    if isinstance(design, Hypergeometric):
        allowed: tuple[IntervalMethod, ...] = SAMPLE_METHODS
    elif isinstance(design, Binomial):
        allowed = SHARE_METHODS
    elif isinstance(design, tuple) and len(design) == 2 and all(isinstance(one, Binomial) for one in design):
        allowed = DIFFERENCE_METHODS
    else:
        raise BadChoice(design, "design must be Binomial(n), Hypergeometric(size, graded), or two Binomial")
    if kind not in allowed:
        raise BadChoice(kind.value, f"method must be one of {', '.join(one.value for one in allowed)}")
    return kind


def _positives(k: RationalLike, n: int) -> int:
    count = whole_number(k)
    if count > n:
        raise BadNumber(k, f"k must be at most {n}: there are at most as many positives as outputs")
    return count
