"""Metric models and samples of outputs: real rates, variances, paired decisions and plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import rational
from ntqr_exact.sampling.comparison import READINGS, Centre, Comparison, compare, compare_paired
from ntqr_exact.sampling.metric_model import MetricModel, Performance, performance
from ntqr_exact.sampling.planning import plan
from ntqr_exact.sampling.variance import VarianceReading, covariance_parts, variance, variance_parts
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family, Predicate
from ntqr_exact.vectors.forms.cells import word
from ntqr_exact.vectors.specification import Case, Document, declared

_TEXTBOOK = "49/25"
"""The critical value 1.96."""
_READING_KEYS = {f"{reading.value}/{centre.value}": (reading, centre) for reading, centre in READINGS}
"""The seven questions of a comparison: a reading of the variance, and the difference it stands around."""


_SAMPLE_FLAGS: dict[str, Predicate] = {
    "labelled-set": lambda given, _: "tp" in given["metric"],
    "many-classes": lambda given, _: _classes_of(given["metric"]) > 2,
}


def _metric_from(document: Document) -> MetricModel:
    """Return the metric model of a document; its classes are named by their places."""
    if "tp" in document:
        return MetricModel.from_counts(**document)
    rates, positive, variances = (document[name] for name in ("rates", "positive", "variances"))
    if not len(rates) == len(positive) == len(variances):
        raise BadNumber(document, "a metric model has a rate, a label and a variance for each class")
    return MetricModel.of_classes(
        _class_counts(rates),
        positive=[name for name, said in _class_counts(positive).items() if said],
        variances=_class_counts(variances),
    )


def _sample_from(document: Document) -> Performance:
    """Return the performance in an input: its metric model, and how often each class was observed."""
    return performance(_class_counts(document["counts"]), metric=_metric_from(document["metric"]))


def _classes_of(metric: Document) -> int:
    """Return the number of classes of a metric model."""
    return 2 if "tp" in metric else len(metric["rates"])


def _class_counts(counts: Sequence[Any]) -> dict[str, Any]:
    """Return counts, or other values, by the names of the classes, in the order of the classes."""
    # What MetricModel calls the classes of precision and false omission rate; more classes are numbered.
    names = ["negative", "positive"] if len(counts) == 2 else map(str, range(1, len(counts) + 1))
    return dict(zip(names, counts, strict=True))


def _random_sample(most: Callable[[int], int]) -> Callable[[Draws, int], Case]:
    """Return what draws a metric model, and from two outputs to as many more as `most` says for an index."""

    def case(draws: Draws, index: int) -> Case:
        metric = _drawn_metric(draws, index)
        classes, size = _classes_of(metric), 2 + draws.below(most(index))
        counts = draws.counts(size, classes)
        return Case({"metric": metric, "counts": counts}, f"{classes} classes, {size} outputs")

    return case


def _drawn_metric(draws: Draws, index: int, *, classes: int | None = None) -> Document:
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


def _rate(document: Document) -> dict[str, Any]:
    metric = _metric_from(document["metric"])
    model = _sample_from(document)
    signs = [observed.counts_as for observed in metric.classes]
    return {
        "rates": [observed.rate for observed in metric.classes],
        "rate_variances": [observed.rate_variance for observed in metric.classes],
        "observed_rate": model.observed_rate,
        "real_rate": model.real_rate,
        "slope": metric.slope if metric.is_binary and signs == [0, 1] else "no-slope",
    }


def _rate_steps(document: Document) -> Iterator[str]:
    found = _rate(document)
    model = _sample_from(document)
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


_LARGEST_WITNESSED = 7


def _variance(document: Document) -> dict[str, Any]:
    model = _sample_from(document)
    return {reading.value: variance(model, reading) for reading in VarianceReading}


def _variance_steps(document: Document) -> Iterator[str]:
    model = _sample_from(document)
    found = _variance(document)
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


def _paired(document: Document) -> dict[str, Any]:
    comparison = _comparison(document)
    return {
        "observed_difference": comparison.difference(Centre.OBSERVED),
        "real_difference": comparison.difference(Centre.REAL),
        "covariances": {reading.value: _covariance(comparison, reading) for reading in VarianceReading},
        "variances": {reading.value: comparison.variance(reading) for reading in VarianceReading},
        "decisions": {
            key: word(comparison.result(*question).decision) for key, question in _READING_KEYS.items()
        },
    }


def _comparison(document: Document) -> Comparison:
    metrics = [_metric_from(one) for one in document["metrics"]]
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


def _paired_steps(document: Document) -> Iterator[str]:
    comparison, found = _comparison(document), _paired(document)
    yield f"N = {comparison.control.size}; classes of the control: {list(comparison.control.counts)}"
    yield f"classes of the treatment: {list(comparison.treatment.counts)}"
    yield f"observed difference {found['observed_difference']}, real difference {found['real_difference']}"
    for key, (reading, centre) in _READING_KEYS.items():
        covariance, variance = found["covariances"][reading.value], found["variances"][reading.value]
        f = comparison.difference(centre)
        yield (
            f"{key}: Cov = {covariance}, Var(T − C) = Var(T) + Var(C) − 2Cov = {variance}; f² = {f**2} against z²V, "
            f"z = {document['z']}: {found['decisions'][key]}"
        )


def _paired_case(draws: Draws, index: int) -> Case:
    """Return one metric model or two, of two or three classes, and a growing number of questions."""
    classes = [2, draws.between(2, 3)] if index % 4 else [3, 3]
    metrics = [_drawn_metric(draws, index, classes=classes[0])]
    if index % 2:
        metrics.append(_drawn_metric(draws, index, classes=classes[1]))
    else:
        classes[1] = classes[0]
    size = 2 + draws.below(6 + index * 2)
    cells = draws.counts(size, classes[0] * classes[1])
    joint = [cells[row * classes[1] : (row + 1) * classes[1]] for row in range(classes[0])]
    z, ends = draws.pick((_TEXTBOOK, "1", "2.5758")), draws.pick(("open", "closed"))
    document = {"z": z, "ends": ends, "metrics": metrics, "same_labelled_set": None, "joint": joint}
    return Case(document, f"{size} questions, {classes[0]} × {classes[1]} classes")


_PLAN_LARGEST_WITNESSED = 300


def _plan(document: Document) -> dict[str, Any]:
    comparison = _plan_comparison(document)
    # The family asks for the size at which a difference is just shown: a power of one half.
    plans = {key: plan(comparison, *question, power="1/2") for key, question in _READING_KEYS.items()}
    return {
        key: {"smallest_size": str(found.smallest_size or "none"), "decision": word(found.decision)}
        for key, found in plans.items()
    }


def _plan_comparison(document: Document) -> Comparison:
    return compare(
        control=_class_counts(document["control"]),
        treatment=_class_counts(document["treatment"]),
        metric=_metric_from(document["metric"]),
        both=document["both"],
        critical=document["z"],
        ends=document["ends"],
    )


def _plan_steps(document: Document) -> Iterator[str]:
    comparison, found = _plan_comparison(document), _plan(document)
    square = rational(document["z"]) ** 2
    for key, (reading, centre) in _READING_KEYS.items():
        parts, f = comparison.parts(reading), comparison.difference(centre)
        yield f"{key}: V(N) = ({parts.per_degree})/(N − 1) + ({parts.per_output})/N + {parts.fixed}"
        size = found[key]["smallest_size"]
        where = "no N shows it" if size == "none" else f"shown from N = {size} on"
        yield f"  f = {f}, f² = {f**2} against z²·V(N): {where}, {found[key]['decision']}"
        if size != "none" and int(size) > 2:
            yield f"  z²·V({size}) = {square * parts.at(int(size))}, z²·V({int(size) - 1}) = " + str(
                square * parts.at(int(size) - 1)
            )


def _plan_case(draws: Draws, index: int) -> Case:
    """Return growing samples, every fourth time paired."""
    metric = _drawn_metric(draws, index)
    classes = _classes_of(metric)
    size = 4 + draws.below(6 + index * 2)
    control, treatment = draws.counts(size, classes), draws.counts(size, classes)
    z, ends = draws.pick((_TEXTBOOK, "1", "2.5758")), draws.pick(("open", "closed"))
    both = None
    if index % 2 == 0 and classes == 2:
        least = max(0, control[1] + treatment[1] - size)
        both = draws.between(least, min(control[1], treatment[1]))
    samples = {"metric": metric, "control": control, "treatment": treatment, "both": both}
    return Case({"z": z, "ends": ends, **samples}, f"{size} outputs of each")


def _sizes(found: Any) -> list[int | None]:
    """Return the smallest sizes of an answer, None for none."""
    sizes = [one["smallest_size"] for one in found.values()]
    return [None if size == "none" else int(size) for size in sizes]


def _plan_is_small(_: Document, found: Any) -> bool:
    """Tell whether every reading shows the difference at a size to which one can count."""
    return "error" not in found and all(size and size <= _PLAN_LARGEST_WITNESSED for size in _sizes(found))


FAMILIES = (
    Family(
        *declared("real-rate", _rate, _rate_steps, _random_sample(lambda i: 4 + i * i)), flags=_SAMPLE_FLAGS
    ),
    Family(
        *declared("variance-readings", _variance, _variance_steps, _random_sample(lambda i: 3 + i * i // 4)),
        flags={
            **_SAMPLE_FLAGS,
            "estimated-rates": lambda given, _: _metric_from(given["metric"]).is_estimated,
        },
        witnesses={"brute-force": _is_small},
    ),
    Family(
        *declared("paired-decision", _paired, _paired_steps, _paired_case),
        flags={
            "two-metric-models": lambda given, _: len(given["metrics"]) == 2,
            "readings-differ": lambda _, found: len(set(found["decisions"].values())) > 1,
            "shown": lambda _, found: set(found["decisions"].values()) != {"not-shown"},
            "negative-covariance": lambda _, found: found["covariances"]["deterministic"].startswith("-"),
        },
    ),
    Family(
        *declared("sample-size-plan", _plan, _plan_steps, _plan_case),
        flags={
            "paired": lambda given, _: given["both"] is not None,
            "no-size": lambda _, found: None in _sizes(found),
            "at-once": lambda _, found: 2 in _sizes(found),
            "large-size": lambda _, found: any(size and size > 10**6 for size in _sizes(found)),
        },
        witnesses={"brute-force": _plan_is_small},
    ),
)
