"""Ten metrics of a judge between two labels, with intervals that hold together.

The judge answered a to A questions, x of which have the true label a, and b to B questions, y of which have a.
Right answers, both accuracies, both precisions, both F1, balanced accuracy, κ and MCC all rise in x and fall in y (or
do not change). The graded questions among the A and among the B are independent random samples of them. So two
intervals at the level √(1−α) hold together at 1−α, and all ten metrics have their extremes at two corners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadChoice, NotSupported
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.label_metrics import balanced_accuracy, cohen_kappa, matthews
from ntqr_exact.sampling.graded_votes import GradedVotes, Shape
from ntqr_exact.sampling.intervals import Interval
from ntqr_exact.sampling.level import independent_share
from ntqr_exact.sampling.value_range import Value, ValueRange, rising_range
from ntqr_exact.votes.counts import Judge


@dataclass(frozen=True, slots=True)
class TenMetrics:
    """Intervals for ten metrics of one judge, which hold together at a level.

    `boxes` are those of x and y, the true labels a among the judge's answers a and among its answers b.
    """

    judge: str
    level: mpq
    boxes: tuple[Interval, Interval]
    intervals: tuple[tuple[str, ValueRange], ...]

    def __getitem__(self, name: str) -> ValueRange:
        """Return the interval of one metric by its name."""
        for known, interval in self.intervals:
            if known == name:
                return interval
        raise BadChoice(name, f"a metric here is one of {', '.join(known for known, _ in self.intervals)}")

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the metrics."""
        return (name for name, _ in self.intervals)

    def to_document(self) -> dict[str, Any]:
        """Return the intervals as a JSON document."""
        return {
            "judge": self.judge,
            "level": str(self.level),
            "boxes": [list(box) for box in self.boxes],
            "intervals": {name: interval.to_document() for name, interval in self.intervals},
        }


def ten_metrics(key: GradedVotes, judge: Judge, level: mpq, shape: Shape) -> TenMetrics:
    """Return the intervals of the ten metrics; raises `NotSupported` for more than two labels."""
    labels = key.votes.labels
    if len(labels) != 2:
        raise NotSupported(labels, "the ten metrics are those of two labels")
    place = key.votes.place(judge)
    share = independent_share(level, 2)

    def box(answer: str) -> Interval:
        return key.interval(
            lambda _, truth: truth == labels[0], lambda p: p[place] == answer, level=share, shape=shape
        )

    boxes = box(labels[0]), box(labels[1])
    answers = key.votes.responses(place)

    def at(metric: Callable[[ConfusionMatrix], Value]) -> Callable[[int, int], Value]:
        first, second = (answers[label] for label in labels)
        return lambda x, y: metric(ConfusionMatrix(tp=x, fp=first - x, fn=y, tn=second - y))

    metrics = metrics_of(*labels).items()
    intervals = tuple((name, rising_range(at(metric), *boxes)) for name, metric in metrics)
    return TenMetrics(key.votes.judges[place], level, boxes, intervals)


def metrics_of(first: str, second: str) -> dict[str, Callable[[ConfusionMatrix], Value]]:
    """Return the ten metrics by name; `first` is the positive label of the matrix."""
    return {
        "right answers": lambda matrix: matrix.tp + matrix.tn,
        f"accuracy on {first}": lambda matrix: matrix.recall,
        f"accuracy on {second}": lambda matrix: matrix.negated_recall,
        f"precision on {first}": lambda matrix: matrix.precision,
        f"precision on {second}": lambda matrix: matrix.negated_precision,
        f"F1 on {first}": lambda matrix: matrix.f1,
        f"F1 on {second}": lambda matrix: matrix.negated_f1,
        "balanced accuracy": _both_accuracies,
        "kappa": cohen_kappa,
        "MCC": _matthews,
    }


def _both_accuracies(matrix: ConfusionMatrix) -> Value:
    """Return the mean of the accuracies on both labels, which has no value where one of them has no question."""
    for accuracy in (matrix.recall, matrix.negated_recall):
        if isinstance(accuracy, Undefined):
            return accuracy
    return balanced_accuracy(matrix)


def _matthews(matrix: ConfusionMatrix) -> Value:
    value = matthews(matrix)
    return value.rational if isinstance(value, Surd) and value.is_rational else value
