"""The family `real-rate`: the share of outputs that are really positive, behind the labels of a metric model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.metric_model import (
    SAMPLE,
    SAMPLE_FLAGS,
    metric_from,
    random_sample,
    sample_from,
)
from ntqr_exact.vectors.fragments import (
    RATIONAL,
    either,
    list_of,
    one_of,
    record,
)
from ntqr_exact.vectors.specification import Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return the rates of the metric model, the observed and the real share, and the slope between them."""
    metric = metric_from(document["metric"])
    model = sample_from(document)
    signs = [observed.counts_as for observed in metric.classes]
    return {
        "rates": [observed.rate for observed in metric.classes],
        "rate_variances": [observed.rate_variance for observed in metric.classes],
        "observed_rate": model.observed_rate,
        "real_rate": model.real_rate,
        "slope": metric.slope if metric.is_binary and signs == [0, 1] else "no-slope",
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the shares and rates of the classes, and their sum."""
    found = compute(document)
    model = sample_from(document)
    terms = []
    for place, (count, share, rate) in enumerate(
        zip(model.counts, model.shares, found["rates"], strict=True), 1
    ):
        yield f"class {place}: {count} of {model.size} outputs, a share of {share}, of which {rate} are real"
        terms.append(f"{share}·{rate}")
    yield f"observed as positive: {found['observed_rate']}"
    yield f"really positive: {' + '.join(terms)} = {found['real_rate']}"
    if found["slope"] != "no-slope":
        yield f"which is φ + δp with φ = {found['rates'][0]}, δ = {found['slope']}, p = {found['observed_rate']}"


FAMILY = Family(
    *declared("real-rate"),
    input=SAMPLE,
    expected=record(
        rates=list_of(RATIONAL),
        rate_variances=list_of(RATIONAL),
        observed_rate=RATIONAL,
        real_rate=RATIONAL,
        slope=either(RATIONAL, one_of("no-slope")),
    ),
    flags=SAMPLE_FLAGS,
    random_case=lambda draws, index: random_sample(draws, index, 4 + index * index),
    compute=compute,
    steps=steps,
)
