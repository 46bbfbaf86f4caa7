"""The family `variance-readings`: the six variances of a performance that a metric model observes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.significance.variance import VarianceReading, variance, variance_parts
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT
from ntqr_exact.vectors.families.real_rate import (
    METRIC,
    METRIC_ERRORS,
    METRIC_WORDS,
    PAPER,
    drawn_metric,
    known,
    labelled,
    metric_flags,
    metric_from,
    sample_from,
)
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, described, list_of, record

READING_WORDS = (
    "Below, N is the number of outputs, s_o the share of them in class o, p the share in classes with a positive "
    "label, m the sum of s_o·r_o, A the sum of s_o·(r_o − m)², and B the sum of s_o·r_o·(1 − r_o).",
    "The variance has six readings. deterministic: p·(1 − p)/(N − 1). printed: m·(1 − m)/(N − 1). real-share: "
    "A/(N − 1) + B/N. estimator: A/(N − 1). given-labels: B/N. estimated-rates: A/(N − 1) plus the sum of s_o²·v_o.",
)
_LARGEST_WITNESSED = 7


def compute(document: Document) -> dict[str, Any]:
    """Return the variance under each reading."""
    model = sample_from(document["counts"], metric_from(document["metric"]))
    return {reading.value: variance(model, reading) for reading in VarianceReading}


def steps(document: Document) -> Iterator[str]:
    """Tell the parts a, b, c of each variance a/(N − 1) + b/N + c."""
    model = sample_from(document["counts"], metric_from(document["metric"]))
    found = compute(document)
    yield f"N = {model.size}, p = {model.observed_rate}, m = {model.real_rate}"
    for reading in VarianceReading:
        parts = variance_parts(model, reading)
        yield (
            f"{reading.value}, {reading.meaning}: ({parts.per_degree})/{model.size - 1} + "
            f"({parts.per_output})/{model.size} + {parts.fixed} = {found[reading.value]}"
        )


def random_case(draws: Draws, index: int) -> Case:
    """Return a metric model of two or more classes, or one from a labelled set, and a growing sample."""
    metric = drawn_metric(draws, index)
    classes = 2 if "tp" in metric else len(metric["rates"])
    size = 2 + draws.below(3 + index * index // 4)
    return _case(metric, draws.counts(size, classes), f"{classes} classes, {size} outputs")


def _case(metric: Document, counts: Sequence[int | str], comment: str, *flags: str) -> Case:
    return Case(
        {"metric": metric, "counts": list(counts)},
        comment,
        (*flags, *metric_flags(metric), *_estimated(metric)),
    )


def _estimated(metric: Document) -> list[str]:
    return ["estimated-rates"] if metric_from(metric).is_estimated else []


def _is_small(document: Document) -> bool:
    sizes = document["counts"]
    return all(isinstance(size, int) and size >= 0 for size in sizes) and sum(sizes) <= _LARGEST_WITNESSED


FAMILY = Family(
    *declared("variance-readings"),
    input=record(metric=METRIC, counts=described(list_of(NUMBER_INPUT), "outputs in each class")),
    expected=record({reading.value: described(RATIONAL, reading.meaning) for reading in VarianceReading}),
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": _is_small},
)
