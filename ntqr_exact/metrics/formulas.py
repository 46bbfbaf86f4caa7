"""The registry of metrics: each is a ratio of two sums over the cells of a confusion matrix.

No formula stands anywhere else. The negated form of a metric, `!recall` and the like, is not written
down at all: it is the same ratio with the two labels swapped, TP with TN and FP with FN.

>>> METRICS["recall"], metric("!recall")
(recall = tp / (tp + fn), !recall = tn / (fp + tn))
"""

from __future__ import annotations

from dataclasses import dataclass

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadQuery
from ntqr_exact.exact.undefined_value import Undefined

CELLS = ("tp", "fp", "fn", "tn")

NEGATION = "!"


@dataclass(frozen=True, slots=True)
class Cells:
    """How often each cell of a confusion matrix enters a sum."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    @property
    def swapped(self) -> Cells:
        """The same sum when positive and negative change places."""
        return Cells(tp=self.tn, fp=self.fn, fn=self.fp, tn=self.tp)

    def __str__(self) -> str:
        """Return the sum as it would be written."""
        terms = [(name, getattr(self, name)) for name in CELLS]
        return " + ".join(name if count == 1 else f"{count} {name}" for name, count in terms if count)


@dataclass(frozen=True, slots=True, repr=False)
class Metric:
    """A ratio of two sums of cells, and why it is undefined where the lower sum is zero."""

    name: str
    numerator: Cells
    denominator: Cells
    undefined: Undefined
    citation: Citation

    @property
    def negated(self) -> Metric:
        """The same metric for the negative label."""
        name = self.name.removeprefix(NEGATION) if self.name.startswith(NEGATION) else NEGATION + self.name
        return Metric(
            name,
            self.numerator.swapped,
            self.denominator.swapped,
            _SWAPPED_REASON.get(self.undefined, self.undefined),
            self.citation,
        )

    def __repr__(self) -> str:
        """Return the formula."""
        return f"{self.name} = {_bracketed(self.numerator)} / {_bracketed(self.denominator)}"


_PAIRS = (
    (Undefined.NO_POSITIVES, Undefined.NO_NEGATIVES),
    (Undefined.NO_PREDICTED_POSITIVES, Undefined.NO_PREDICTED_NEGATIVES),
    (Undefined.NOTHING_POSITIVE, Undefined.NOTHING_NEGATIVE),
)
_SWAPPED_REASON = {**dict(_PAIRS), **{right: left for left, right in _PAIRS}}

_LABELED_POSITIVE, _LABELED_NEGATIVE = Cells(tp=1, fn=1), Cells(fp=1, tn=1)
_PREDICTED_POSITIVE = Cells(tp=1, fp=1)
_ALL = Cells(1, 1, 1, 1)
_ORES = Citation("ores", "section 1, table of metrics")
_BIAS_ADJUSTED = Citation("bias_adjusted", "Error Rate")

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("recall", Cells(tp=1), _LABELED_POSITIVE, Undefined.NO_POSITIVES, _ORES),
        Metric("precision", Cells(tp=1), _PREDICTED_POSITIVE, Undefined.NO_PREDICTED_POSITIVES, _ORES),
        # The harmonic mean of the two above, wherever that exists; and 0, not 0/0, where both are 0.
        Metric("f1", Cells(tp=2), Cells(tp=2, fp=1, fn=1), Undefined.NOTHING_POSITIVE, _ORES),
        Metric("fpr", Cells(fp=1), _LABELED_NEGATIVE, Undefined.NO_NEGATIVES, _ORES),
        Metric("accuracy", Cells(tp=1, tn=1), _ALL, Undefined.NO_SAMPLES, _ORES),
        Metric("error_rate", Cells(fp=1, fn=1), _ALL, Undefined.NO_SAMPLES, _BIAS_ADJUSTED),
        Metric("match_rate", _PREDICTED_POSITIVE, _ALL, Undefined.NO_SAMPLES, _ORES),
        Metric("filter_rate", _PREDICTED_POSITIVE.swapped, _ALL, Undefined.NO_SAMPLES, _ORES),
    )
}
"""Every metric that one confusion matrix determines, by its name."""


def metric(name: str) -> Metric:
    """Return the metric of this name; `!` before it means its negated form.

    Raises `BadQuery` for a name that is none.
    """
    plain = name.removeprefix(NEGATION)
    if plain not in METRICS:
        raise BadQuery(
            name, f"the metrics are {', '.join(METRICS)}", "put ! before a name for the negative label"
        )
    return METRICS[plain].negated if name.startswith(NEGATION) else METRICS[plain]


def _bracketed(cells: Cells) -> str:
    text = str(cells)
    return f"({text})" if "+" in text else text
