"""`measure`: a metric of true and predicted labels by its name, with the keywords of scikit-learn.

>>> measure("f1", [1, 0, 1, 1], [1, 1, 1, 0]), measure("recall", "aabc", "abbc", average="macro")
(mpq(2,3), mpq(5,6))

Metrics that set agreement against chance: Matthews' correlation, Cohen's kappa, balanced accuracy, lift.

With true sums t_k, given sums p_k, the weight c on the diagonal and s of all, chance would put Σ t_k p_k/s there. One
formula serves two labels and more.

>>> matrix = ConfusionMatrix(tp=30, fp=10, fn=5, tn=55)
>>> matthews(matrix), cohen_kappa(matrix), balanced_accuracy(matrix), lift(matrix)
(Surd(0, '8/273', 546), mpq(32,47), mpq(155,182), mpq(15,7))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import RATIOS, SYNONYMS, metric
from ntqr_exact.metrics.multiclass import Average, MulticlassConfusion
from ntqr_exact.metrics.undefined import MetricValue, WhenUndefined, defined
from ntqr_exact.metrics.weights import WeightsLike

ConfusionLike: TypeAlias = "ConfusionMatrix | MulticlassConfusion"


def matthews(confusion: ConfusionLike) -> Surd | Undefined:
    """Return (cs − Σ t_k p_k)/√((s² − Σ p_k²)(s² − Σ t_k²)), from −1 to 1: a surd.

    Undefined where all samples have one true label or one given label; scikit-learn returns 0 there. Source: Matthews
    1975; Gorodkin 2004 for more labels.
    """
    truly, given, diagonal, total = _sums(confusion)
    below = (total**2 - _dot(given, given)) * (total**2 - _dot(truly, truly))
    if not below:
        return Undefined.ONE_LABEL if total else Undefined.NO_SAMPLES
    # a/√b = a√b/b keeps the radicand in the numerator.
    return (diagonal * total - _dot(truly, given)) * Surd.sqrt(below) / below


def cohen_kappa(confusion: ConfusionLike) -> MetricValue:
    """Return (cs − Σ t_k p_k)/(s² − Σ t_k p_k): the share of agreement that chance does not explain.

    Undefined where all samples have one and the same label on both sides. Source: Cohen 1960.
    """
    truly, given, diagonal, total = _sums(confusion)
    by_chance = _dot(truly, given)
    if total**2 == by_chance:
        return Undefined.ONE_LABEL if total else Undefined.NO_SAMPLES
    return (diagonal * total - by_chance) / (total**2 - by_chance)


def balanced_accuracy(confusion: ConfusionLike) -> MetricValue:
    """Return the mean recall of the labels that occur, (recall + !recall)/2 for two of them."""
    matrices = _many(confusion).matrices.matrices.values()
    recalls = [recall for matrix in matrices if not isinstance(recall := matrix.recall, Undefined)]
    return sum(recalls, mpq(0)) / len(recalls) if recalls else Undefined.NO_SAMPLES


def lift(matrix: ConfusionMatrix) -> MetricValue:
    """Return precision over the share of positives: how many times more positives a prediction finds than chance."""
    precision, rate = matrix.precision, matrix.rates["true"]
    if isinstance(precision, Undefined) or isinstance(rate, Undefined):
        return precision if isinstance(precision, Undefined) else rate
    return precision / rate if rate else Undefined.NO_POSITIVES


def _many(confusion: ConfusionLike) -> MulticlassConfusion:
    return MulticlassConfusion.from_binary(confusion) if isinstance(confusion, ConfusionMatrix) else confusion


def _sums(confusion: ConfusionLike) -> tuple[list[mpq], list[mpq], mpq, mpq]:
    counts = _many(confusion).counts
    truly = [sum(row.values(), mpq(0)) for row in counts.values()]
    given = [sum((row[label] for row in counts.values()), mpq(0)) for label in counts]
    return truly, given, sum((counts[label][label] for label in counts), mpq(0)), sum(truly, mpq(0))


def _dot(left: list[mpq], right: list[mpq]) -> mpq:
    return sum((one * other for one, other in zip(left, right, strict=True)), mpq(0))


OF_ALL_LABELS: dict[str, Callable[[MulticlassConfusion], MetricValue | Surd]] = {
    "matthews": matthews,
    "mcc": matthews,
    "kappa": cohen_kappa,
    "cohen_kappa": cohen_kappa,
    "balanced_accuracy": balanced_accuracy,
    "accuracy": lambda confusion: confusion.accuracy,
    "error_rate": lambda confusion: _complement(confusion.accuracy),
}
"""Metrics of all labels together, which need no average."""

Measured: TypeAlias = "mpq | Surd | Undefined"


def measure(
    name: str,
    y_true: Iterable[Any],
    y_pred: Iterable[Any],
    *,
    sample_weight: WeightsLike = None,
    labels: Iterable[Any] | None = None,
    pos_label: Any = None,
    average: Average | str | None = None,
    undefined: WhenUndefined | None = None,
) -> Measured:
    """Return a metric of labels: a ratio of two labels, an average of it over more, or a metric of all labels together.

    `average` is needed for a ratio of three or more labels; `undefined` says what to take for a share of nothing.
    Raises `BadQuery` for a name that is none, `BadSamples` for a ratio of three labels without an average.
    """
    found: Measured
    if name in OF_ALL_LABELS and average is None:
        found = OF_ALL_LABELS[name](
            MulticlassConfusion.from_labels(y_true, y_pred, sample_weight, labels=labels)
        )
    elif average is not None:
        many = MulticlassConfusion.from_labels(y_true, y_pred, sample_weight, labels=labels)
        return many.matrices.average(name, average, undefined=undefined)  # type: ignore[arg-type]
    else:
        formula = lift if name == "lift" else metric(name)
        try:
            two = ConfusionMatrix.from_labels(y_true, y_pred, sample_weight, pos_label=pos_label)
        except BadSamples as error:
            raise BadSamples(
                error.given, error.rule, "name pos_label= of two labels, or average= for more"
            ) from None
        found = lift(two) if formula is lift else two.measure(formula)  # type: ignore[arg-type]
    return defined(found, undefined) if isinstance(found, Undefined) and undefined is not None else found


def metric_names() -> tuple[str, ...]:
    """Return every name that `measure` takes, without the negated forms and F-beta."""
    return tuple(dict.fromkeys((*RATIOS, *SYNONYMS, *OF_ALL_LABELS, "lift")))


def _complement(value: MetricValue) -> MetricValue:
    return value if isinstance(value, Undefined) else 1 - value
