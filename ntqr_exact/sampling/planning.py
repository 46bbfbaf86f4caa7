"""Sample sizes: from how many outputs on a difference is shown with a power, and how many questions to grade.

The power at N outputs of each model is the probability that two samples of that size show the difference, if the
observed shares are the true ones, summed over both numbers of positives, in whole numbers of 2^−96, rounded down and
up; where that leaves the comparison open, in rationals. It saw-tooths in N, as counts are whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import lcm
from typing import TypeVar

from gmpy2 import mpq, mpz

from ntqr_exact.budget import check_work
from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadNumber, NotSupported, TooMuchWork
from ntqr_exact.exact.enclosure import (
    Enclosure,
    decide_sign,
    enclose_exp,
    enclose_log,
    enclose_normal_quantile,
)
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.exact.show import fixed_text
from ntqr_exact.sampling.beta import enclose_log_gamma
from ntqr_exact.sampling.comparison import READINGS, Centre, Comparison
from ntqr_exact.sampling.designs import Binomial, Hypergeometric, check_level, last_kept, run_around
from ntqr_exact.sampling.intervals import central_intervals
from ntqr_exact.sampling.metric_model import Performance, VarianceParts, VarianceReading
from ntqr_exact.sampling.normal_interval import CriticalValue, Decision, Ends

_N = TypeVar("_N", mpz, mpq)

_HALF = mpq(1, 2)
_SMALLEST_SIZE = 2
_BITS = 96
_LARGEST = 1 << 256
_SCANNED = 64
"""Up to this size, every smaller one is tried."""

_LARGEST_SUMMED = 100_000
"""Beyond this size the normal approximation is used, and the plan says so."""

_TRIED_BELOW = 8
"""Above `_SCANNED`, the number of smaller sizes that are tried after the bisection."""

_BACKSTEP = 2
"""One more grade can widen the widest interval, by two questions at most in every case tried."""


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """The smallest N of each model at which a difference is shown with a power; `None` if no N is large enough.

    `attained` encloses the power at that N. It is `None` where the size rests on a normal approximation: for paired
    samples, for metric models of more than two classes, and beyond 100,000 outputs.
    """

    reading: VarianceReading
    centre: Centre
    smallest_size: int | None
    decision: Decision
    power: mpq
    attained: Enclosure | None

    def __str__(self) -> str:
        if self.smallest_size is None:
            return f"no N shows a difference with a power of {self.power}"
        exact = self.attained
        how = "by the normal approximation" if exact is None else f"power {fixed_text(exact.lower, 3)}"
        return f"{self.decision.value}, with a power of {self.power} at N = {self.smallest_size} ({how})"


def plan(
    comparison: Comparison,
    reading: VarianceReading | str = VarianceReading.ESTIMATED_RATES,
    centre: Centre | str | None = None,
    *,
    power: RationalLike = "0.8",
) -> SamplePlan:
    """Return the smallest N, the same for both models, at which the difference is shown with this power.

    For two independent samples of two classes the power is exact. Up to N = 64 every smaller size is tried; above, the
    size is found by bisection, and none of the 8 sizes below it has the power.

    >>> from ntqr_exact import MetricModel, compare
    >>> print(plan(compare(control=(1, 2), treatment=(1, 4), metric=MetricModel(1, 0)), "deterministic"))
    the treatment is lower, with a power of 4/5 at N = 58 (power 0.806)

    The observed shares are held fixed, whether or not they make whole numbers of outputs at that N. Raises `BadNumber`
    for a power below 1/2, or of 1 and more.
    """
    kind, often = chosen(reading, VarianceReading), rational(power)
    around = dict(READINGS)[kind] if centre is None else chosen(centre, Centre)
    if not _HALF <= often < 1:
        raise BadNumber(power, "power must be from 1/2 on and below 1", "write 0.8 for 80 %")
    difference, parts = comparison.difference(around), comparison.parts(kind)
    guess, decision = size_shown(difference, parts, comparison.critical, comparison.ends, often)
    if guess is None or guess > _LARGEST_SUMMED or not _is_summable(comparison):
        return SamplePlan(kind, around, guess, decision, often, None)

    def enough(size: int) -> bool:
        power_at = _Power(comparison, kind, around, size)
        enclosed = power_at.enclose()
        return enclosed.lower >= often or (enclosed.upper >= often and power_at.exact() >= often)

    size = _smallest(enough, guess)
    attained = _Power(comparison, kind, around, size).enclose()
    return SamplePlan(kind, around, size, decision, often, attained)


def _smallest(enough: Callable[[int], bool], guess: int) -> int:
    if guess <= _SCANNED:
        for size in range(_SMALLEST_SIZE, _SCANNED + 1):
            if enough(size):
                return size
    size, step = guess, 1 + guess // 64
    while not enough(size):
        size, step = size + step, 2 * step
    step = 1 + guess // 64
    while size - step >= _SMALLEST_SIZE and enough(size - step):
        size, step = size - step, 2 * step
    size = last_kept(enough, size, max(size - step, _SMALLEST_SIZE - 1))
    below = range(max(_SMALLEST_SIZE, size - _TRIED_BELOW), size)
    return next((smaller for smaller in below if enough(smaller)), size)


def size_shown(
    difference: mpq, parts: VarianceParts, critical: CriticalValue, ends: Ends, power: mpq = _HALF
) -> tuple[int | None, Decision]:
    """Return the smallest N with f² > (z + z_power)²V(N), and what it shows; `None` if no N is large enough.

    With a power of 1/2 it is the smallest N at which f ± z√V(N) excludes 0. V falls in N to its fixed part.

    >>> from ntqr_exact.sampling.comparison import TEXTBOOK
    >>> size_shown(mpq(-1, 4), VarianceParts(mpq(7, 16)), TEXTBOOK, Ends.CLOSED)[0]
    28
    """

    def sign(variance: mpq) -> int:
        if power == _HALF:
            return critical.compare_square(difference**2, variance)

        def gap(bits: int) -> Enclosure:
            z = critical.enclose(bits) + enclose_normal_quantile(power, bits)
            return difference**2 - z * z * variance

        return decide_sign(gap) if variance else 1

    def shows(size: int) -> bool:
        found = sign(parts.at(size))
        return found > 0 or (found == 0 and ends is Ends.OPEN)

    size, shrinks = _SMALLEST_SIZE, bool(parts.per_degree or parts.per_output)
    # A falling V stays above its fixed part, so that a tie there does not help.
    if difference == 0 or (sign(parts.fixed) <= 0 if shrinks else not shows(size)):
        return None, Decision.NOT_SHOWN
    while not shows(size):
        size *= 2
        if size > _LARGEST:
            raise TooMuchWork(size, "the size at which the difference is shown is beyond this")
    smallest = last_kept(shows, size, size // 2) if size > _SMALLEST_SIZE else size
    return smallest, Decision.HIGHER if difference > 0 else Decision.LOWER


def shown_probability(
    comparison: Comparison,
    reading: VarianceReading | str = VarianceReading.ESTIMATED_RATES,
    centre: Centre | str | None = None,
    *,
    size: RationalLike,
) -> mpq:
    """Return the exact probability that independent samples of this size show a difference: the power.

    >>> from ntqr_exact import MetricModel, compare
    >>> comparison = compare(control=(1, 2), treatment=(1, 4), metric=MetricModel(1, 0))
    >>> f"{float(shown_probability(comparison, 'deterministic', size=28)):.3f}"
    '0.520'

    Raises `NotSupported` for metric models of more than two classes, and for paired samples.
    """
    count, kind = whole_number(size), chosen(reading, VarianceReading)
    if count < _SMALLEST_SIZE:
        raise BadNumber(size, f"size must be at least {_SMALLEST_SIZE}")
    if not _is_summable(comparison):
        raise NotSupported("power", "the power is summed for two independent samples of two classes only")
    return _Power(
        comparison, kind, dict(READINGS)[kind] if centre is None else chosen(centre, Centre), count
    ).exact()


def _is_summable(comparison: Comparison) -> bool:
    binary = comparison.control.metric.is_binary and comparison.treatment.metric.is_binary
    return comparison.joint is None and binary


class _Power:
    """The chance that two samples of N outputs each show a difference."""

    def __init__(self, comparison: Comparison, reading: VarianceReading, centre: Centre, size: int) -> None:
        self.size, self.comparison = size, comparison
        shares = comparison.control.observed_rate, comparison.treatment.observed_rate
        self.shares = shares

        def at(k: int, j: int) -> Comparison:
            models = (comparison.control.metric, k), (comparison.treatment.metric, j)
            control, treatment = (Performance((size - count, count), metric) for metric, count in models)
            return replace(comparison, control=control, treatment=treatment)

        corners = {(k, j): at(k, j) for k, j in ((0, 0), (1, 0), (size, 0), (0, 1), (0, size), (size, size))}
        f = {corner: one.difference(centre) for corner, one in corners.items()}
        line = f[0, 0], f[1, 0] - f[0, 0], f[0, 1] - f[0, 0]
        variance = _quadratic({corner: one.variance(reading) for corner, one in corners.items()}, size)
        scale = lcm(*(int(number.denominator) for number in (*line, *variance)))
        self.line = [mpz(scale * number) for number in line]
        self.variance = [mpz(scale**2 * number) for number in variance]
        squared = comparison.critical.enclose(_BITS + 16)
        squared = squared * squared
        self.z_low = mpz(squared.lower * (mpz(1) << _BITS))
        self.z_high = mpz(squared.upper * (mpz(1) << _BITS)) + 1

    def shows(self, k: int, j: int) -> bool:
        """Tell whether k and j positives show a difference."""
        f = self.line[0] + self.line[1] * k + self.line[2] * j
        if f == 0:
            return False
        c, ck, cj, ckk, ckj, cjj = self.variance
        variance = c + k * (ck + k * ckk) + j * (cj + j * cjj + k * ckj)
        square = f * f << _BITS
        if square > self.z_high * variance:
            return True
        if square < self.z_low * variance:
            return False
        sign = self.comparison.critical.compare_square(mpq(f * f), mpq(variance))
        return sign > 0 or (sign == 0 and self.comparison.ends is Ends.OPEN)

    def run(self, k: int) -> tuple[bool, range]:
        """Return neighbouring j that differ from all others, and whether they show a difference.

        For a given k, f² − z²V is a quadratic in j: they are next to its vertex.
        """
        _, _, cj, _, ckj, cjj = self.variance
        z, n = mpq(self.z_low, mpz(1) << _BITS), self.size
        bend = self.line[2] ** 2 - z * cjj
        slope = 2 * (self.line[0] + self.line[1] * k) * self.line[2] - z * (cj + ckj * k)
        inside = bend < 0
        vertex = -slope // (2 * bend) if bend else -slope * n
        middle = min(max(int(vertex), 0), n)
        return inside, run_around(lambda j: self.shows(k, j) is inside, middle, n)

    def exact(self) -> mpq:
        """Return the power as a rational."""
        left, right = (Binomial(self.size).probabilities(share) for share in self.shares)
        return self._sum((0, left), (0, right), mpq(1))

    def enclose(self) -> Enclosure:
        """Enclose the power, with the numbers of positives that matter."""
        (k, *left), (j, *right) = (_window(self.size, share) for share in self.shares)
        whole = mpz(1) << _BITS
        low, high = (self._sum((k, a), (j, b), whole) for a, b in zip(left, right, strict=True))
        unit = mpz(1) << 2 * _BITS
        slack = (2 * whole - sum(left[0], mpz(0)) - sum(right[0], mpz(0))) << _BITS
        return Enclosure(mpq(max(low - slack, mpz(0)), unit), mpq(min(high + slack, unit), unit))

    def _sum(self, left: tuple[int, Sequence[_N]], right: tuple[int, Sequence[_N]], whole: _N) -> _N:
        """Return Σ weight of k times the weight of the j that show a difference with it."""
        first = right[0]
        sums = list(accumulate(right[1], initial=0 * whole))

        def up_to(j: int) -> _N:
            return sums[min(max(j - first + 1, 0), len(sums) - 1)]

        total = 0 * whole
        check_work(f"the power of {self.size} outputs", 40 * len(left[1]))
        for k, weight in enumerate(left[1], start=left[0]):
            inside, run = self.run(k)
            within = up_to(run[-1]) - up_to(run[0] - 1) if run else 0 * whole
            total += weight * (within if inside else sums[-1] - within)
        return total


def _quadratic(values: dict[tuple[int, int], mpq], n: int) -> tuple[mpq, mpq, mpq, mpq, mpq, mpq]:
    """Return c, c_k, c_j, c_kk, c_kj, c_jj of the quadratic in k and j with these values at six corners."""
    c = values[0, 0]

    def along(near: mpq, far: mpq) -> tuple[mpq, mpq]:
        bend = (far - c - n * (near - c)) / (n * (n - 1))
        return near - c - bend, bend

    ck, ckk = along(values[1, 0], values[n, 0])
    cj, cjj = along(values[0, 1], values[0, n])
    ckj = (values[n, n] - c - n * (ck + cj) - n**2 * (ckk + cjj)) / n**2
    return c, ck, cj, ckk, ckj, cjj


def _window(n: int, share: mpq) -> tuple[int, list[mpz], list[mpz]]:
    """Return the first number of positives that matters, and the probabilities from it on over 2⁹⁶, down and up."""
    whole = mpz(1) << _BITS
    if share in (0, 1):
        return n * int(share), [whole], [whole]
    hits, misses = share.numerator, share.denominator - share.numerator
    mode = min(int((n + 1) * share), n)
    bits = _BITS + 32 + 2 * n.bit_length()
    log = enclose_log_gamma(mpq(n + 1), bits) - enclose_log_gamma(mpq(mode + 1), bits)
    log = log - enclose_log_gamma(mpq(n - mode + 1), bits)
    log = log + mode * enclose_log(share, bits) + (n - mode) * enclose_log(1 - share, bits)
    top = enclose_exp(log, bits)
    start = mpz(top.lower * whole), mpz(top.upper * whole) + 1

    def side(step: int) -> list[tuple[mpz, mpz]]:
        (low, high), k, found = start, mode, []
        while 0 <= k + step <= n and high > 1 << 32:
            above, below = (
                ((n - k) * hits, (k + 1) * misses) if step > 0 else (k * misses, (n - k + 1) * hits)
            )
            low, high = low * above // below, -(-high * above // below)
            k += step
            found.append((low, high))
        return found

    down, up = side(-1), side(1)
    window = [*reversed(down), start, *up]
    return mode - len(down), [low for low, _ in window], [high for _, high in window]


def questions_to_grade(size: RationalLike, *, width: RationalLike, level: RationalLike = "0.95") -> int:
    """Return how many random questions to grade, so that every central interval is at most `width` wide.

    The width of an interval is its greatest minus its smallest number of right answers. That many grades suffice,
    whatever they show, and one grade less does not.

    >>> questions_to_grade(2000, width=200)
    332
    """
    share, questions, wanted = check_level(level), whole_number(size), rational(width)
    if wanted < 0:
        raise BadNumber(width, "width must be >= 0")

    def widest(graded: int) -> int:
        return max(high - low for low, high in central_intervals(Hypergeometric(questions, graded), share))

    enough = last_kept(lambda graded: widest(graded) <= wanted, questions, -1)
    # The widest interval narrows with every grade but for a step back now and then: fewer may do, just below.
    fewer = enough - 1
    while fewer >= 0 and (found := widest(fewer)) <= wanted + _BACKSTEP:
        enough = fewer if found <= wanted else enough
        fewer -= 1
    return enough
