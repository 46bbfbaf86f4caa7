"""The family `paired-decision`: two models on the same questions, with the covariance that comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.errors import BadNumber
from ntqr_exact.significance.comparison import Centre, Comparison, compare_paired
from ntqr_exact.significance.variance import VarianceReading, covariance_parts
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.decisions import DECISION, ENDS_INPUT, READING_KEYS, TEXTBOOK, decision_word
from ntqr_exact.vectors.forms.metric_model import METRIC, drawn_metric, metric_from
from ntqr_exact.vectors.fragments import (
    NULL,
    NUMBER_INPUT,
    RATIONAL,
    TRUTH,
    described,
    either,
    list_of,
    record,
)
from ntqr_exact.vectors.specification import Case, Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return both differences, the covariance and the variance under each reading, and all decisions."""
    comparison = _comparison(document)
    return {
        "observed_difference": comparison.difference(Centre.OBSERVED),
        "real_difference": comparison.difference(Centre.REAL),
        "covariances": {reading.value: _covariance(comparison, reading) for reading in VarianceReading},
        "variances": {reading.value: comparison.variance(reading) for reading in VarianceReading},
        "decisions": {
            key: decision_word(comparison.result(*question).decision)
            for key, question in READING_KEYS.items()
        },
    }


def _comparison(document: Document) -> Comparison:
    metrics = [metric_from(one) for one in document["metrics"]]
    if len(metrics) not in (1, 2):
        raise BadNumber(len(metrics), "there is one metric model for both, or one for each")
    control, treatment = metrics[0], metrics[-1]
    rows = document["joint"]
    if len(rows) != len(control.classes) or any(len(row) != len(treatment.classes) for row in rows):
        raise BadNumber(rows, "there is a count for each pair of classes")
    joint = {
        (left.name, right.name): count
        for left, row in zip(control.classes, rows, strict=True)
        for right, count in zip(treatment.classes, row, strict=True)
    }
    return compare_paired(
        joint,
        metric=control if len(metrics) == 1 else (control, treatment),
        critical=document["z"],
        ends=document["ends"],
        same_labelled_set=document["same_labelled_set"],
    )


def _covariance(comparison: Comparison, reading: VarianceReading) -> Any:
    return covariance_parts(
        comparison.control,
        comparison.treatment,
        reading,
        joint=comparison.joint,
        same_labelled_set=comparison.same_labelled_set,
    ).at(comparison.control.size)


def steps(document: Document) -> Iterator[str]:
    """Tell the covariance, the variance of the difference, and the decision of each reading."""
    comparison, found = _comparison(document), compute(document)
    yield f"N = {comparison.control.size}; classes of the control: {list(comparison.control.counts)}"
    yield f"classes of the treatment: {list(comparison.treatment.counts)}"
    yield f"observed difference {found['observed_difference']}, real difference {found['real_difference']}"
    for key, (reading, centre) in READING_KEYS.items():
        covariance, variance = found["covariances"][reading.value], found["variances"][reading.value]
        f = comparison.difference(centre)
        yield (
            f"{key}: Cov = {covariance}, Var(T − C) = Var(T) + Var(C) − 2Cov = {variance}; f² = {f**2} against z²V, "
            f"z = {document['z']}: {found['decisions'][key]}"
        )


def random_case(draws: Draws, index: int) -> Case:
    """Return one metric model or two, of two or three classes, and a growing number of questions."""
    classes = [2, draws.between(2, 3)] if index % 4 else [3, 3]
    metrics = [drawn_metric(draws, index, classes=classes[0])]
    if index % 2:
        metrics.append(drawn_metric(draws, index, classes=classes[1]))
    else:
        classes[1] = classes[0]
    size = 2 + draws.below(6 + index * 2)
    cells = draws.counts(size, classes[0] * classes[1])
    joint = [cells[row * classes[1] : (row + 1) * classes[1]] for row in range(classes[0])]
    z, ends = draws.pick((TEXTBOOK, "1", "2.5758")), draws.pick(("open", "closed"))
    document = {"z": z, "ends": ends, "metrics": metrics, "same_labelled_set": None, "joint": joint}
    return Case(document, f"{size} questions, {classes[0]} × {classes[1]} classes")


FAMILY = Family(
    *declared("paired-decision"),
    input=record(
        z=NUMBER_INPUT,
        ends=ENDS_INPUT,
        metrics=described(list_of(METRIC), "of both, or of control and treatment"),
        same_labelled_set=either(TRUTH, NULL),
        joint=described(list_of(list_of(NUMBER_INPUT)), "a row for each class of the control"),
    ),
    expected=record(
        observed_difference=RATIONAL,
        real_difference=RATIONAL,
        covariances=record({reading.value: RATIONAL for reading in VarianceReading}),
        variances=record({reading.value: RATIONAL for reading in VarianceReading}),
        decisions=record(dict.fromkeys(READING_KEYS, DECISION)),
    ),
    flags={
        "two-metric-models": lambda given, _: len(given["metrics"]) == 2,
        "readings-differ": lambda _, found: len(set(found["decisions"].values())) > 1,
        "shown": lambda _, found: set(found["decisions"].values()) != {"not-shown"},
        "negative-covariance": lambda _, found: found["covariances"]["deterministic"].startswith("-"),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
)
