"""The family `variance-readings`: the six variances of a performance that a metric model observes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.significance.variance import VarianceReading, variance, variance_parts
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.metric_model import (
    SAMPLE,
    SAMPLE_FLAGS,
    metric_from,
    random_sample,
    sample_from,
)
from ntqr_exact.vectors.fragments import RATIONAL, described, record
from ntqr_exact.vectors.specification import Document, declared

_LARGEST_WITNESSED = 7


def compute(document: Document) -> dict[str, Any]:
    """Return the variance under each reading."""
    model = sample_from(document)
    return {reading.value: variance(model, reading) for reading in VarianceReading}


def steps(document: Document) -> Iterator[str]:
    """Tell the parts a, b, c of each variance a/(N − 1) + b/N + c."""
    model = sample_from(document)
    found = compute(document)
    yield f"N = {model.size}, p = {model.observed_rate}, m = {model.real_rate}"
    for reading in VarianceReading:
        parts = variance_parts(model, reading)
        yield (
            f"{reading.value}, {reading.meaning}: ({parts.per_degree})/{model.size - 1} + "
            f"({parts.per_output})/{model.size} + {parts.fixed} = {found[reading.value]}"
        )


def _is_small(document: Document, _: Any) -> bool:
    sizes = document["counts"]
    return all(isinstance(size, int) and size >= 0 for size in sizes) and sum(sizes) <= _LARGEST_WITNESSED


FAMILY = Family(
    *declared("variance-readings"),
    input=SAMPLE,
    expected=record({reading.value: described(RATIONAL, reading.meaning) for reading in VarianceReading}),
    flags={
        **SAMPLE_FLAGS,
        "estimated-rates": lambda given, _: metric_from(given["metric"]).is_estimated,
    },
    random_case=lambda draws, index: random_sample(draws, index, 3 + index * index // 4),
    compute=compute,
    steps=steps,
    witnesses={"brute-force": _is_small},
)
