"""The registry of metrics: each is a ratio of two sums over the cells of a confusion matrix, or undefined.

The negated form of a metric, `!recall` and the like, is the same ratio with the two labels swapped.

>>> METRICS["recall"], metric("!recall")
(recall = tp / (tp + fn), !recall = tn / (fp + tn))
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.choice import Choice
from ntqr_exact.errors import BadNumber, BadQuery, UndefinedMetric
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.undefined_value import Undefined as Undefined  # noqa: PLC0414  (also imported from here)

MetricValue: TypeAlias = "mpq | Undefined"


class WhenUndefined(Choice):
    """What to take in place of an undefined metric, when a number is needed."""

    ERROR = "error"
    ZERO = "0"
    ONE = "1"


def defined(value: MetricValue, policy: WhenUndefined = WhenUndefined.ERROR) -> mpq:
    """Return a metric that is a number, and for one that is undefined what `policy` says.

    >>> defined(Undefined.NO_POSITIVES, WhenUndefined.ZERO)
    mpq(0,1)

    Raises `UndefinedMetric` for an undefined one under `WhenUndefined.ERROR`.
    """
    policy = WhenUndefined(policy)
    if not isinstance(value, Undefined):
        return value
    if policy is WhenUndefined.ERROR:
        rule = f"the metric is undefined: {value.value}"
        raise UndefinedMetric(value, rule, "choose WhenUndefined.ZERO or ONE")
    return mpq(policy.value)


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
        terms = [(name, getattr(self, name)) for name in CELLS]
        return " + ".join(name if count == 1 else f"{count} {name}" for name, count in terms if count)


@dataclass(frozen=True, slots=True, repr=False)
class Metric:
    """A ratio of two sums of cells, and why it is undefined where the lower sum is zero."""

    name: str
    numerator: Cells
    denominator: Cells
    undefined: Undefined

    @property
    def negated(self) -> Metric:
        """The same metric for the negative label."""
        name = self.name[1:] if self.name.startswith(NEGATION) else NEGATION + self.name
        reason = _SWAPPED_REASON.get(self.undefined, self.undefined)
        return Metric(name, self.numerator.swapped, self.denominator.swapped, reason)

    def __repr__(self) -> str:
        return f"{self.name} = {_bracketed(self.numerator)} / {_bracketed(self.denominator)}"


_PAIRS = (
    (Undefined.NO_POSITIVES, Undefined.NO_NEGATIVES),
    (Undefined.NO_PREDICTED_POSITIVES, Undefined.NO_PREDICTED_NEGATIVES),
    (Undefined.NOTHING_POSITIVE, Undefined.NOTHING_NEGATIVE),
)
_SWAPPED_REASON = {**dict(_PAIRS), **{right: left for left, right in _PAIRS}}

_LABELED_POSITIVE, _LABELED_NEGATIVE = Cells(tp=1, fn=1), Cells(fp=1, tn=1)
_PREDICTED_POSITIVE, _NOTHING_PREDICTED = Cells(tp=1, fp=1), Undefined.NO_PREDICTED_POSITIVES
_ALL = Cells(1, 1, 1, 1)
METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("recall", Cells(tp=1), _LABELED_POSITIVE, Undefined.NO_POSITIVES),
        Metric("precision", Cells(tp=1), _PREDICTED_POSITIVE, _NOTHING_PREDICTED),
        # The harmonic mean of the two above, wherever that exists; and 0, not 0/0, where both are 0.
        Metric("f1", Cells(tp=2), Cells(tp=2, fp=1, fn=1), Undefined.NOTHING_POSITIVE),
        Metric("fpr", Cells(fp=1), _LABELED_NEGATIVE, Undefined.NO_NEGATIVES),
        Metric("accuracy", Cells(tp=1, tn=1), _ALL, Undefined.NO_SAMPLES),
        Metric("error_rate", Cells(fp=1, fn=1), _ALL, Undefined.NO_SAMPLES),
        Metric("match_rate", _PREDICTED_POSITIVE, _ALL, Undefined.NO_SAMPLES),
        Metric("filter_rate", _PREDICTED_POSITIVE.swapped, _ALL, Undefined.NO_SAMPLES),
    )
}
"""The metrics of ORES and Bias-Adjusted Metrics that one confusion matrix determines, by their names."""

RATIOS: dict[str, Metric] = METRICS | {
    metric.name: metric
    for metric in (
        Metric("false_discovery_rate", Cells(fp=1), _PREDICTED_POSITIVE, _NOTHING_PREDICTED),
        Metric("jaccard", Cells(tp=1), Cells(tp=1, fp=1, fn=1), Undefined.NOTHING_POSITIVE),
    )
}
"""These, and the other ratios that users expect."""

REPORTED = (*METRICS, *(NEGATION + name for name in ("recall", "precision", "f1")))
"""The metrics of a report, in order."""

SYNONYMS = {
    word: name
    for name, words in {
        "recall": "sensitivity tpr hit_rate true_positive_rate",
        "precision": "ppv positive_predictive_value",
        "!recall": "specificity tnr true_negative_rate",
        "!precision": "npv negative_predictive_value",
        "fpr": "false_positive_rate",
        "!fpr": "fnr false_negative_rate miss_rate",
        "false_discovery_rate": "fdr",
        "!false_discovery_rate": "false_omission_rate for",
    }.items()
    for word in words.split()
}
"""Other names of metrics; most name the metric of the negative label."""

_MOST_BETA = 1000


def metric(name: str) -> Metric:
    """Return the metric of this name, or of a synonym; `!` before it means its negated form, "f2" and "f1/2" F-beta.

    >>> metric("specificity"), metric("f2"), metric("f1/2")
    (!recall = tn / (fp + tn), f2 = 5 tp / (5 tp + fp + 4 fn), f1/2 = 5 tp / (5 tp + 4 fp + fn))

    Raises `BadQuery` for an unknown name.
    """
    if not isinstance(name, str):
        raise BadQuery(name, "a metric must be named by a text")
    negated, plain = name.startswith(NEGATION), name.removeprefix(NEGATION)
    if plain in SYNONYMS:
        found = metric(SYNONYMS[plain])
    elif plain in RATIOS:
        found = RATIOS[plain]
    elif re.fullmatch(r"f[0-9]+([./][0-9]+)?", plain):
        found = _f_beta(plain[1:])
    else:
        rule = f"metric must be one of {', '.join(RATIOS)}, f2 and the like"
        raise BadQuery(name, rule, "put ! before a name for the negative label")
    return found.negated if negated else found


def _f_beta(beta: str) -> Metric:
    """Return F-beta, (1+β²)TP / ((1+β²)TP + FP + β²FN): van Rijsbergen's 1 − E at α = 1/(β² + 1)."""
    weight = rational(beta)
    if not 0 < weight <= _MOST_BETA:
        raise BadNumber(beta, f"β must be positive, and at most {_MOST_BETA}")
    if weight == 1:
        return METRICS["f1"]
    up, down = int(weight.numerator**2), int(weight.denominator**2)
    cells = Cells(tp=up + down, fp=down, fn=up)
    return Metric(f"f{weight}", Cells(tp=up + down), cells, Undefined.NOTHING_POSITIVE)


def _bracketed(cells: Cells) -> str:
    text = str(cells)
    return f"({text})" if "+" in text else text
