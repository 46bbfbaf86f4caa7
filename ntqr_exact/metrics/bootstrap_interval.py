"""The two bootstrap intervals, and quantiles with their definition named, of numbers and of a distribution.

Textbooks and programs define a sample quantile in nine ways (Hyndman and Fan, Sample quantiles in statistical
packages, The American Statistician 50 (1996), 361-365); a percentile interval depends on which one is meant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from gmpy2 import mpq, mpz

from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadNumber, BadSamples, NotSupported, UndefinedMetric
from ntqr_exact.exact.rational import RationalLike, probability, rational
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.undefined import MetricValue


class QuantileDefinition(Enum):
    """Which number is meant by the quantile at p of x₁ ≤ … ≤ x_n; the values are Hyndman and Fan's types."""

    INVERSE_CDF = 1
    """The smallest value v with P(X ≤ v) ≥ p: x_⌈np⌉, and x₁ at p = 0."""

    AVERAGED_INVERSE_CDF = 2
    """The same, but where np is whole, the mean of the two neighbours x_np and x_np+1."""

    LINEAR = 7
    """x_k + (h − k)(x_k+1 − x_k) with h = (n−1)p + 1 and k = ⌊h⌋; the default of R, numpy and Excel."""


def sample_quantile(
    ordered: Sequence[mpq],
    level: RationalLike,
    definition: QuantileDefinition = QuantileDefinition.INVERSE_CDF,
) -> mpq:
    """Return the quantile of numbers in ascending order, exactly.

    >>> numbers = [mpq(1), mpq(2), mpq(4), mpq(8)]
    >>> [str(sample_quantile(numbers, "1/4", definition)) for definition in QuantileDefinition]
    ['1', '3/2', '7/4']

    Raises `BadSamples` for no numbers, `BadNumber` for a level outside [0, 1].
    """
    definition = chosen(definition, QuantileDefinition)
    p, n = probability(level, "the level of a quantile"), len(ordered)
    if n == 0:
        raise BadSamples(ordered, "a quantile needs at least one number")
    first = max(int(math.ceil(n * p)), 1) - 1  # noqa: RUF046, as gmpy2 has whole numbers of its own
    match definition:
        case QuantileDefinition.INVERSE_CDF:
            return ordered[first]
        case QuantileDefinition.AVERAGED_INVERSE_CDF:
            return (ordered[first] + ordered[min(int(n * p), n - 1)]) / 2
        case QuantileDefinition.LINEAR:
            place = (n - 1) * p
            below = int(place)
            above = min(below + 1, n - 1)
            return ordered[below] + (place - below) * (ordered[above] - ordered[below])
        case _:
            assert_never(definition)


def distribution_quantiles(
    terms: Iterable[tuple[mpq, mpz]],
    total: mpz,
    levels: Sequence[RationalLike],
    definition: QuantileDefinition = QuantileDefinition.INVERSE_CDF,
) -> tuple[mpq, ...]:
    """Return quantiles of the distribution with P(X = v) = weight/total, in one pass over ascending values.

    >>> terms = [(mpq(0), mpz(1)), (mpq(1), mpz(2)), (mpq(5), mpz(1))]
    >>> distribution_quantiles(terms, mpz(4), ["1/4", "1/2"])
    (mpq(0,1), mpq(1,1))

    Raises `NotSupported` for `LINEAR`, which interpolates between the members of a sample.
    """
    definition = chosen(definition, QuantileDefinition)
    if definition is QuantileDefinition.LINEAR:
        raise NotSupported(
            definition.name,
            "interpolation between neighbours is defined for a sample, not for a distribution",
            "use INVERSE_CDF or AVERAGED_INVERSE_CDF",
        )
    # The quantile is the first value at which the cumulated weight W has W ≥ p·total; the upper of two
    # neighbours, where they are averaged, is the first with W > p·total. In whole numbers: W ≥ ⌈p·total⌉
    # and W ≥ ⌊p·total⌋ + 1. At p = 0 the first value stands for both, at p = 1 the last.
    wanted: list[list[mpz]] = []
    for level in levels:
        exact = probability(level, "the level of a quantile") * total
        lower, upper = max(math.ceil(exact), mpz(1)), min(math.floor(exact) + 1, total)
        wanted.append([lower, upper] if definition is QuantileDefinition.AVERAGED_INVERSE_CDF else [lower])
    pending = sorted({target for targets in wanted for target in targets}, reverse=True)
    found: dict[mpz, mpq] = {}
    cumulated = mpz(0)
    for value, weight in terms:
        cumulated += weight
        while pending and cumulated >= pending[-1]:
            found[pending.pop()] = value
        if not pending:
            break
    if pending:
        raise BadSamples(total, "a distribution without outcomes has no quantiles")
    return tuple(sum((found[target] for target in targets), mpq(0)) / len(targets) for targets in wanted)


class BootstrapMethod(Enum):
    """How the quantiles q_α, q_1−α of the bootstrap become an interval around the estimate x̄.

    Bias-Adjusted Metrics, section Bootstrap, says percentile and prints the basic one.
    """

    PERCENTILE = "percentile"
    """From q_α to q_1−α."""

    BASIC = "basic"
    """From 2x̄ − q_1−α to 2x̄ − q_α: the deviations x* − x̄ stand for x̄ − truth; also called pivotal."""


class UndefinedResamples(Enum):
    """What becomes of resamples on which the statistic is undefined, such as precision without predictions."""

    OMIT = "omit"
    """They are left out: the interval is that of the resamples where there is something to measure."""

    ERROR = "error"
    """One of them is an error."""

    ZERO = "0"
    """They count as 0."""

    ONE = "1"
    """They count as 1."""

    def substitute(self, undefined: mpq) -> mpq | None:
        """Return the number that undefined resamples count as, `None` if they are left out.

        `undefined` is their share; raises `UndefinedMetric` under `ERROR` unless it is 0.
        """
        if self is UndefinedResamples.ERROR and undefined:
            raise UndefinedMetric(
                undefined,
                "the statistic is undefined on this share of the resamples",
                "name another policy: omit, 0 or 1",
            )
        return mpq(self.value) if self in (UndefinedResamples.ZERO, UndefinedResamples.ONE) else None


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """An interval with exact ends, and how it was made."""

    lower: mpq
    upper: mpq
    level: mpq
    method: BootstrapMethod


def tails(level: RationalLike) -> tuple[mpq, mpq]:
    """Return the levels of the two quantiles, α = (1 − level)/2 and 1 − α.

    >>> tails("0.95")
    (mpq(1,40), mpq(39,40))
    """
    number = rational(level)
    if not 0 < number < 1:
        raise BadNumber(level, "a level lies strictly between 0 and 1", "write 0.95 for 95 %")
    return (1 - number) / 2, (1 + number) / 2


def bootstrap_interval(
    low: mpq, high: mpq, *, estimate: MetricValue, level: RationalLike, method: BootstrapMethod
) -> BootstrapInterval:
    """Return the interval from the quantiles at α and 1 − α.

    >>> bootstrap_interval(mpq(1), mpq(4), estimate=mpq(2), level="0.9", method=BootstrapMethod.BASIC)
    BootstrapInterval(lower=mpq(0,1), upper=mpq(3,1), level=mpq(9,10), method=<BootstrapMethod.BASIC: 'basic'>)

    Raises `UndefinedMetric` for a basic interval around an undefined estimate.
    """
    number, method = rational(level), chosen(method, BootstrapMethod)
    match method:
        case BootstrapMethod.PERCENTILE:
            return BootstrapInterval(low, high, number, method)
        case BootstrapMethod.BASIC:
            if isinstance(estimate, Undefined):
                raise UndefinedMetric(
                    estimate,
                    f"a basic interval needs an estimate, but {estimate.value}",
                    "use the percentile one",
                )
            return BootstrapInterval(2 * estimate - high, 2 * estimate - low, number, method)
        case _:
            assert_never(method)
