"""The family `real-rate`: the share of outputs that are really positive, behind the labels of a metric model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadNumber
from ntqr_exact.significance.metric_model import MetricModel
from ntqr_exact.significance.performance import Performance, performance
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import (
    RATIONAL,
    TRUTH,
    Fragment,
    described,
    either,
    list_of,
    one_of,
    record,
)

RATES: Fragment = record(
    rates=described(list_of(NUMBER_INPUT), "for each class the probability of being really positive"),
    positive=described(list_of(TRUTH), "for each class whether its label says positive"),
    variances=described(list_of(NUMBER_INPUT), "for each rate its variance, 0 if it is known"),
)
LABELLED: Fragment = record(dict.fromkeys(("tp", "fp", "fn", "tn"), NUMBER_INPUT))
METRIC: Fragment = either(RATES, LABELLED)
"""A metric model in a document: its rates, or the counts on the labelled set they are estimated on."""

METRIC_WORDS = (
    "A metric model puts each output into one of k classes. It is given in one of two ways. (1) rates, positive and "
    "variances, lists with an entry for each class o: the probability r_o that an output in it is really positive, "
    "whether its label says positive, and the variance v_o of r_o. (2) tp, fp, fn and tn, counts on a labelled set: "
    "then there are two classes, the first with a negative label and r_1 = fn/(fn + tn), the second with a positive "
    "label and r_2 = tp/(tp + fp); v_o = r_o·(1 − r_o)/(n_o − 1), where n_1 = fn + tn and n_2 = tp + fp.",
    "Numbers are JSON integers, or texts like 3/8, 0.375 or 4e-7, which mean just what they say.",
    "Refuse as bad-number: what is no number; a rate outside [0, 1]; a negative variance; fewer than two classes; "
    "lists of different lengths; in (2) a count that is not whole or negative, and n_1 or n_2 below 2.",
)
METRIC_ERRORS = {
    "bad-number": "a number is none, a rate, a variance or a count is impossible, or lists differ in length",
    "empty-test": "there is no output, so that no share exists",
}


def metric_from(document: Document) -> MetricModel:
    """Return the metric model of a document; its classes are named by their places."""
    if "tp" in document:
        return MetricModel.from_counts(**document)
    rates, positive, variances = (document[name] for name in ("rates", "positive", "variances"))
    if not len(rates) == len(positive) == len(variances):
        raise BadNumber(document, "a metric model has a rate, a label and a variance for each class")
    return MetricModel.of_classes(
        _named(rates),
        positive=[name for name, said in _named(positive).items() if said],
        variances=_named(variances),
    )


def sample_from(document: Sequence[int | str], metric: MetricModel) -> Performance:
    """Return the performance of which each class was observed so often, in the order of the classes."""
    return performance(class_counts(document), metric=metric)


def class_counts(counts: Sequence[int | str]) -> dict[str, int | str]:
    """Return counts by the names of the classes, in the order of the classes."""
    return _named(counts)


def _named(values: Sequence[Any]) -> dict[str, Any]:
    # What MetricModel calls the classes of precision and false omission rate; more classes are numbered.
    names = ["negative", "positive"] if len(values) == 2 else map(str, range(1, len(values) + 1))
    return dict(zip(names, values, strict=True))


def known(
    rates: Sequence[int | str], positive: Sequence[int], variances: Sequence[int | str] = ()
) -> Document:
    """Return the document of a metric model with rates, which are known unless they have variances."""
    return {
        "rates": list(rates),
        "positive": [bool(said) for said in positive],
        "variances": list(variances or [0] * len(rates)),
    }


def labelled(tp: int | str, fp: int | str, fn: int | str, tn: int | str) -> Document:
    """Return the document of a metric model that was estimated on a labelled set."""
    return {"tp": tp, "fp": fp, "fn": fn, "tn": tn}


PAPER = known(["0.22769", "0.8897"], [0, 1])
"""The false omission rate and the precision that Goyal, Hu and Gupta 2023 use."""


def compute(document: Document) -> dict[str, Any]:
    """Return the rates of the metric model, the observed and the real share, and the slope between them."""
    metric = metric_from(document["metric"])
    model = sample_from(document["counts"], metric)
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
    model = sample_from(document["counts"], metric_from(document["metric"]))
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


def random_case(draws: Draws, index: int) -> Case:
    """Return a metric model of two or more classes, or one from a labelled set, and a growing sample."""
    metric = drawn_metric(draws, index)
    classes = 2 if "tp" in metric else len(metric["rates"])
    size = 2 + draws.below(4 + index * index)
    return _case(metric, draws.counts(size, classes), f"{classes} classes, {size} outputs")


def drawn_metric(draws: Draws, index: int, *, classes: int | None = None) -> Document:
    """Return a metric model, in turn of two classes, of more (unless a number is given), and from a labelled set."""
    if index % 3 == 2 and classes in (None, 2):
        numbers = draws.counts(8 + index, 4)
        return labelled(1 + numbers[0], 1 + numbers[1], 1 + numbers[2], 1 + numbers[3])
    count = classes or (2 if index % 3 == 0 else draws.between(3, 5))
    parts = 4 + index // 8
    estimated = draws.below(2)
    return known(
        [str(draws.share(parts)) for _ in range(count)],
        [0, 1] if count == 2 else [draws.below(2) for _ in range(count)],
        [str(draws.share(9) / (10 + index)) if estimated else 0 for _ in range(count)],
    )


def _case(metric: Document, counts: Sequence[int | str], comment: str, *flags: str) -> Case:
    document = {"metric": metric, "counts": list(counts)}
    return Case(document, comment, (*flags, *metric_flags(metric)))


def metric_flags(metric: Mapping[str, Any]) -> list[str]:
    """Return the flags that tell of what kind a metric model is."""
    if "tp" in metric:
        return ["labelled-set"]
    return ["many-classes"] if len(metric["rates"]) > 2 else []


FAMILY = Family(
    *declared("real-rate"),
    input=record(metric=METRIC, counts=described(list_of(NUMBER_INPUT), "outputs in each class")),
    expected=record(
        rates=list_of(RATIONAL),
        rate_variances=list_of(RATIONAL),
        observed_rate=RATIONAL,
        real_rate=RATIONAL,
        slope=either(RATIONAL, one_of("no-slope")),
    ),
    random_case=random_case,
    compute=compute,
    steps=steps,
)
