"""A metric that is no number: a value with a reason, and the policies that turn it into something else.

>>> from ntqr_exact.metrics.confusion import ConfusionMatrix
>>> nothing_found = ConfusionMatrix(tp=0, fp=0, fn=3, tn=5)
>>> nothing_found.precision
<Undefined.NO_PREDICTED_POSITIVES: 'no sample is predicted to be positive'>
>>> defined(nothing_found.precision, WhenUndefined.ZERO)
mpq(0,1)
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.errors import UndefinedMetric
from ntqr_exact.exact.undefined_value import Undefined as Undefined  # noqa: PLC0414  (it is asked for here, too)

MetricValue: TypeAlias = "mpq | Undefined"


class WhenUndefined(Enum):
    """What to take in place of an undefined metric, when a number is needed."""

    ERROR = "error"
    ZERO = "0"
    ONE = "1"


def defined(value: MetricValue, policy: WhenUndefined = WhenUndefined.ERROR) -> mpq:
    """Return a metric that is a number, and for one that is undefined what `policy` says.

    Raises `UndefinedMetric` for an undefined one under `WhenUndefined.ERROR`.
    """
    policy = chosen(policy, WhenUndefined)
    if not isinstance(value, Undefined):
        return value
    if policy is WhenUndefined.ERROR:
        raise UndefinedMetric(
            value, f"the metric is undefined: {value.value}", "choose WhenUndefined.ZERO or ONE"
        )
    return mpq(policy.value)
