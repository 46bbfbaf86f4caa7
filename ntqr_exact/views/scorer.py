"""A metric as scikit-learn takes it: a function that returns a float, next to its exact value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadArgument
from ntqr_exact.exact.surd import Surd
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.metrics.formulas import WhenUndefined, metric
from ntqr_exact.metrics.multiclass import OF_ALL_LABELS, measure


@dataclass(frozen=True, slots=True)
class MetricFunction:
    """A metric as a function of (y_true, y_pred) that returns a float, for `sklearn.metrics.make_scorer`.

    The float next to the exact value is all that scikit-learn can average; `exact` returns the value itself.

    >>> metric = MetricFunction("f1", {"average": "macro"})
    >>> metric([0, 1, 2], [0, 1, 1]), metric.exact([0, 1, 2], [0, 1, 1])
    (0.5555555555555556, mpq(5,9))
    """

    name: str
    options: Any = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise BadArgument(self.name, "the name of a MetricFunction is a text")
        known = [*signature(measure).parameters][3:]
        if not isinstance(self.options, Mapping) or not all(name in known for name in self.options):
            raise BadArgument(
                self.options, "the options of a MetricFunction are keywords of measure, by their names"
            )
        if self.name not in (*OF_ALL_LABELS, "lift"):
            metric(self.name)
        object.__setattr__(self, "options", FrozenMapping(self.options))

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
        """Return the float next to the metric."""
        found: Any = self.exact(y_true, y_pred, sample_weight=sample_weight)
        return float(found)

    def exact(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> mpq | Surd:
        """Return the metric; a share of nothing raises `UndefinedMetric` unless the options name a policy."""
        options = {"undefined": WhenUndefined.ERROR, **self.options}
        return measure(self.name, y_true, y_pred, sample_weight=sample_weight, **options)  # type: ignore[return-value]
