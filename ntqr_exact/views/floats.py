"""The one place where an exact number becomes a float: where it is drawn, and where scikit-learn averages a metric.

A picture has a few thousand pixels across, a float fifty-three bits; nothing exact is computed from these floats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.errors import BadChoice, BadNumber, NotANumber, NotOrdered
from ntqr_exact.exact.enclosure import Enclosure, LogSumKey
from ntqr_exact.exact.surd import Surd
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.metrics.areas import average_precision, pr_auc, roc_auc
from ntqr_exact.metrics.formulas import WhenUndefined, defined, metric
from ntqr_exact.metrics.multiclass import OF_ALL_LABELS, measure
from ntqr_exact.metrics.probability_losses import brier_score, log_loss

Drawable: TypeAlias = "int | mpz | mpq | Surd | Enclosure | LogSumKey"
"""An exact number that has a place on an axis."""

_BITS = 60
"""Bits kept of the mantissa of a surd: more than a float holds."""


def drawn(value: Drawable) -> float:
    """Return a float within a unit in the last place of an exact number; an enclosure is drawn at its middle.

    >>> drawn(mpq(1, 4)), drawn(Surd.sqrt(2)), drawn(Enclosure("1/2", "1/2"))
    (0.25, 1.4142135623730951, 0.5)

    Raises `NotOrdered` for an imaginary number or an infinite score, `NotANumber` for what is not an exact number,
    `BadNumber` beyond the largest float.
    """
    match value:
        case Surd():
            return _surd(value)
        case Enclosure():
            return _quotient((value.lower + value.upper) / 2)
        case LogSumKey():
            return drawn(value.enclose())
    if isinstance(value, (int, type(mpq()), type(mpz()))) and not isinstance(value, bool):
        return _quotient(mpq(value))
    raise NotANumber(value, "what is drawn must be an exact number")


def all_drawn(values: Iterable[Drawable]) -> list[float]:
    """Return the floats at which a column of numbers is drawn."""
    return [drawn(value) for value in values]


def _surd(value: Surd) -> float:
    if not value.is_real:
        raise NotOrdered(value, "a number on an axis must be real")
    # The floor of a scaled surd is exact, so that a + b√d loses nothing where both parts nearly cancel.
    shift = _BITS
    while (whole := math.floor(value * 2**shift)).bit_length() < _BITS and value.sign() and shift < 2000:
        shift *= 2
    return _quotient(mpq(whole, mpz(2) ** shift))


def _quotient(value: mpq) -> float:
    """Divide two whole numbers, which Python rounds correctly whatever their size."""
    try:
        return int(value.numerator) / int(value.denominator)
    except OverflowError:
        raise BadNumber(value, "a number on an axis must be below the largest float") from None


_OF_SCORES: dict[str, Any] = {
    function.__name__: function for function in (roc_auc, average_precision, pr_auc, brier_score, log_loss)
}
"""The metrics whose second column is scores or probabilities."""


@dataclass(frozen=True, slots=True)
class MetricFunction:
    """A metric as a function of (y_true, y_pred) that returns a float, for `sklearn.metrics.make_scorer`.

    An area ("roc_auc", "average_precision", "pr_auc") or loss ("brier_score", "log_loss") takes scores for y_pred.

    >>> metric = MetricFunction("f1", {"average": "macro"})
    >>> metric([0, 1, 2], [0, 1, 1]), metric.exact([0, 1, 2], [0, 1, 1])
    (0.5555555555555556, mpq(5,9))
    """

    name: str
    options: Any = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise BadChoice(self.name, "the name of a metric must be a str")
        known = [*signature(_OF_SCORES.get(self.name, measure)).parameters][3:]
        if not isinstance(self.options, Mapping) or not all(name in known for name in self.options):
            raise BadChoice(self.options, f"options must be keywords of the metric: {', '.join(known)}")
        if self.name not in (*OF_ALL_LABELS, *_OF_SCORES, "lift"):
            metric(self.name)
        object.__setattr__(self, "options", FrozenMapping(self.options))

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
        """Return the float next to the metric."""
        value: Any = self.exact(y_true, y_pred, sample_weight=sample_weight)
        return float(value)

    def exact(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> mpq | Surd:
        """Return the metric; a share of nothing raises `UndefinedMetric` unless the options name a policy."""
        if self.name in _OF_SCORES:
            return defined(_OF_SCORES[self.name](y_true, y_pred, sample_weight, **self.options))
        options = {"undefined": WhenUndefined.ERROR, **self.options}
        return measure(self.name, y_true, y_pred, sample_weight=sample_weight, **options)  # type: ignore[return-value]
