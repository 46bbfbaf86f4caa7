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


def edge_cases() -> Iterator[Case]:
    """Yield the source's numbers, readings that agree or vanish, many classes, labelled sets, refusals."""
    yield _case(PAPER, [23571, 108], "GPT2 on BOLD: printed is 7.49567…e-6", "source")
    yield _case(PAPER, [23623, 56], "the other model on BOLD", "source")
    yield _case(PAPER, [90369, 9073], "RealToxicityPrompts, N inferred", "source")
    yield _case(PAPER, [90336, 9106], "RealToxicityPrompts, the other model", "source")
    half = known(["1/4", "3/4"], [0, 1])
    yield _case(half, [3, 1], "all readings by hand: 1/9, 35/288, 13/144, 1/36, 1/16, 1/36")
    yield _case(half, [1, 1], "the smallest sample")
    yield _case(half, [2, 0], "nothing varies in the labels")
    yield _case(half, [0, 2], "positive labels only")
    yield _case(known([0, 1], [0, 1]), [3, 1], "a perfect metric model: nothing is left to chance")
    yield _case(known([1, 0], [0, 1]), [3, 1], "always wrong: as good as perfect")
    yield _case(known(["1/3", "1/3"], [0, 1]), [3, 1], "δ = 0: the estimator does not vary")
    yield _case(known(["3/4", "1/4"], [0, 1]), [3, 1], "δ < 0: only its square counts")
    yield _case(known([0, "1/2"], [0, 1]), [3, 3], "negative labels are certain")
    yield _case(known(["1/2", 1], [0, 1]), [3, 3], "positive labels are certain")
    yield _case(known(["1/4", "3/4"], [1, 0]), [3, 1], "the first class is the positive one")
    yield _case(known(["1/4", "3/4"], [1, 1]), [3, 1], "all labels say positive: deterministic is 0")
    yield _case(known(["0.1", "0.5", "0.9"], [0, 0, 1]), [5, 3, 2], "three classes")
    yield _case(known(["0.1", "0.5", "0.9"], [0, 1, 1]), [5, 3, 2], "the same, the middle one positive")
    yield _case(known(["0.2", "0.4", "0.6", "0.8"], [0, 0, 1, 1]), [1, 0, 0, 1], "four classes, two are seen")
    yield _case(known(["1/4", "3/4"], [0, 1], ["1/100", 0]), [3, 1], "φ was estimated")
    yield _case(known(["1/4", "3/4"], [0, 1], [0, "1/100"]), [3, 1], "π was estimated")
    yield _case(known(["1/4", "3/4"], [0, 1], ["1/100", "1/50"]), [3, 1], "both were estimated")
    yield _case(
        known(["0.1", "0.5", "0.9"], [0, 0, 1], ["1/9", "1/90", "1/900"]), [1, 2, 3], "three estimated rates"
    )
    yield _case(labelled(3, 1, 1, 4), [3, 1], "rates from a labelled set")
    yield _case(labelled(2, 0, 0, 2), [3, 1], "a labelled set without errors has no variance")
    yield _case(labelled(1, 1, 1, 1), [3, 1], "the smallest labelled set with errors")
    yield _case(
        known(["1e-30", "0.999999999999999999999999999999"], [0, 1]),
        [str(10**20), 1],
        "beyond doubles",
        "large",
    )
    for counts, comment in (
        ([0, 0], "no output at all"),
        ([1, 0], "one output has no variance"),
        ([-1, 4], "a negative count"),
        ([1, 2, 3], "a count too many"),
    ):
        yield Case({"metric": half, "counts": counts}, comment, ("refused",))
    for metric, comment in (
        (known(["1/4", "5/4"], [0, 1]), "a rate above 1"),
        (known(["1/4", "3/4"], [0, 1], [0, "-1/9"]), "a negative variance"),
        (labelled(1, 0, 1, 4), "one positive label in the labelled set"),
    ):
        yield Case({"metric": metric, "counts": [3, 2]}, comment, ("refused",))


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
    name="variance-readings",
    version=1,
    title="The variances of a performance that a metric model observes",
    citations=(Citation("faithful", "eq. 5 and 6"), Citation("faithful", "eq. 12 and 13")),
    algorithm=(
        *METRIC_WORDS,
        "counts tells how many outputs were put into each class, N in all. Refuse as bad-number a count that is not "
        "whole or negative, another number of counts than of classes, and N = 1; refuse N = 0 as empty-test.",
        *READING_WORDS,
        "The result has a key for each reading.",
    ),
    input=record(metric=METRIC, counts=described(list_of(NUMBER_INPUT), "outputs in each class")),
    expected=record({reading.value: described(RATIONAL, reading.meaning) for reading in VarianceReading}),
    flags={
        "source": "numbers of the source",
        "many-classes": "a metric model of more than two classes",
        "labelled-set": "rates that were estimated on a labelled set",
        "estimated-rates": "a rate has a variance",
        "large": "numbers that doubles do not hold",
        "refused": "the numbers make no metric model, or no sample",
    },
    errors=METRIC_ERRORS,
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": _is_small},
)
