"""The two bootstrap intervals, and what becomes of resamples on which the statistic is undefined."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadNumber, UndefinedMetric
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.undefined import MetricValue


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
        match self:
            case UndefinedResamples.OMIT:
                return None
            case UndefinedResamples.ZERO:
                return mpq(0)
            case UndefinedResamples.ONE:
                return mpq(1)
            case UndefinedResamples.ERROR:
                if undefined:
                    raise UndefinedMetric(
                        undefined,
                        "the statistic is undefined on this share of the resamples",
                        "name another policy: omit, 0 or 1",
                    )
                return None
            case _:
                assert_never(self)


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
