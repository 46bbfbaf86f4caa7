"""Metric models and samples of outputs, in inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ntqr_exact.errors import BadNumber
from ntqr_exact.significance.metric_model import MetricModel, Performance, performance
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Predicate
from ntqr_exact.vectors.fragments import NUMBER_INPUT, TRUTH, Fragment, described, either, list_of, record
from ntqr_exact.vectors.specification import Case, Document

METRIC: Fragment = either(
    record(
        rates=described(list_of(NUMBER_INPUT), "for each class the probability of being really positive"),
        positive=described(list_of(TRUTH), "for each class whether its label says positive"),
        variances=described(list_of(NUMBER_INPUT), "for each rate its variance, 0 if it is known"),
    ),
    record(dict.fromkeys(("tp", "fp", "fn", "tn"), NUMBER_INPUT)),
)
"""A metric model in a document: its rates, or the counts on the labelled set they are estimated on."""

SAMPLE = record(metric=METRIC, counts=described(list_of(NUMBER_INPUT), "outputs in each class"))
SAMPLE_FLAGS: dict[str, Predicate] = {
    "labelled-set": lambda given, _: "tp" in given["metric"],
    "many-classes": lambda given, _: classes_of(given["metric"]) > 2,
}


def metric_from(document: Document) -> MetricModel:
    """Return the metric model of a document; its classes are named by their places."""
    if "tp" in document:
        return MetricModel.from_counts(**document)
    rates, positive, variances = (document[name] for name in ("rates", "positive", "variances"))
    if not len(rates) == len(positive) == len(variances):
        raise BadNumber(document, "a metric model has a rate, a label and a variance for each class")
    return MetricModel.of_classes(
        class_counts(rates),
        positive=[name for name, said in class_counts(positive).items() if said],
        variances=class_counts(variances),
    )


def sample_from(document: Document) -> Performance:
    """Return the performance in an input: its metric model, and how often each class was observed."""
    return performance(class_counts(document["counts"]), metric=metric_from(document["metric"]))


def classes_of(metric: Document) -> int:
    """Return the number of classes of a metric model."""
    return 2 if "tp" in metric else len(metric["rates"])


def class_counts(counts: Sequence[Any]) -> dict[str, Any]:
    """Return counts, or other values, by the names of the classes, in the order of the classes."""
    # What MetricModel calls the classes of precision and false omission rate; more classes are numbered.
    names = ["negative", "positive"] if len(counts) == 2 else map(str, range(1, len(counts) + 1))
    return dict(zip(names, counts, strict=True))


def random_sample(draws: Draws, index: int, most: int) -> Case:
    """Return a metric model of two or more classes, or one from a labelled set, and two outputs to this many more."""
    metric = drawn_metric(draws, index)
    classes, size = classes_of(metric), 2 + draws.below(most)
    return Case(
        {"metric": metric, "counts": draws.counts(size, classes)}, f"{classes} classes, {size} outputs"
    )


def drawn_metric(draws: Draws, index: int, *, classes: int | None = None) -> Document:
    """Return a metric model, in turn of two classes, of more (unless a number is given), and from a labelled set."""
    if index % 3 == 2 and classes in (None, 2):
        numbers = draws.counts(8 + index, 4)
        return {name: 1 + number for name, number in zip(("tp", "fp", "fn", "tn"), numbers, strict=True)}
    count = classes or (2 if index % 3 == 0 else draws.between(3, 5))
    parts = 4 + index // 8
    estimated = draws.below(2)
    return {
        "rates": [str(draws.share(parts)) for _ in range(count)],
        "positive": [False, True] if count == 2 else [draws.below(2) == 1 for _ in range(count)],
        "variances": [str(draws.share(9) / (10 + index)) if estimated else 0 for _ in range(count)],
    }
