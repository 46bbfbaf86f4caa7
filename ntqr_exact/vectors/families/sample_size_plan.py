"""The family `sample-size-plan`: the smallest number of outputs at which a difference would be shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.exact.rational import rational
from ntqr_exact.significance.comparison import Comparison, compare
from ntqr_exact.significance.planning import SamplePlan, plan
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT
from ntqr_exact.vectors.families.interval_decision import (
    DECISION,
    ENDS_INPUT,
    ENDS_WORDS,
    TEXTBOOK,
    decision_word,
)
from ntqr_exact.vectors.families.paired_decision import READING_KEYS
from ntqr_exact.vectors.families.real_rate import (
    METRIC,
    METRIC_ERRORS,
    METRIC_WORDS,
    PAPER,
    class_counts,
    drawn_metric,
    known,
    labelled,
    metric_from,
)
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import NULL, WHOLE, described, either, list_of, one_of, record

_LARGEST_WITNESSED = 300
_Counts = Sequence[int | str]


def compute(document: Document) -> dict[str, Any]:
    """Return for each reading the smallest size and the decision from there on."""
    comparison = _comparison(document)
    plans = {key: plan(comparison, *question) for key, question in READING_KEYS.items()}
    return {
        key: {"smallest_size": _size(found), "decision": decision_word(found.decision)}
        for key, found in plans.items()
    }


def _size(found: SamplePlan) -> str:
    return "none" if found.smallest_size is None else str(found.smallest_size)


def _comparison(document: Document) -> Comparison:
    return compare(
        control=class_counts(document["control"]),
        treatment=class_counts(document["treatment"]),
        metric=metric_from(document["metric"]),
        both=document["both"],
        critical=document["z"],
        ends=document["ends"],
    )


def steps(document: Document) -> Iterator[str]:
    """Tell the parts of each variance, and where its fall meets the square of the difference."""
    comparison, found = _comparison(document), compute(document)
    square = rational(document["z"]) ** 2
    for key, (reading, centre) in READING_KEYS.items():
        parts, f = comparison.parts(reading), comparison.difference(centre)
        yield f"{key}: V(N) = ({parts.per_degree})/(N − 1) + ({parts.per_output})/N + {parts.fixed}"
        size = found[key]["smallest_size"]
        where = "no N shows it" if size == "none" else f"shown from N = {size} on"
        yield f"  f = {f}, f² = {f**2} against z²·V(N): {where}, {found[key]['decision']}"
        if size != "none" and int(size) > 2:
            yield f"  z²·V({size}) = {square * parts.at(int(size))}, z²·V({int(size) - 1}) = " + str(
                square * parts.at(int(size) - 1)
            )


def random_case(draws: Draws, index: int) -> Case:
    """Return growing samples, every fourth time paired."""
    metric = drawn_metric(draws, index)
    classes = 2 if "tp" in metric else len(metric["rates"])
    size = 4 + draws.below(6 + index * 2)
    control, treatment = draws.counts(size, classes), draws.counts(size, classes)
    z, ends = draws.pick((TEXTBOOK, "1", "2.5758")), draws.pick(("open", "closed"))
    both = None
    if index % 2 == 0 and classes == 2:
        least = max(0, control[1] + treatment[1] - size)
        both = draws.between(least, min(control[1], treatment[1]))
    return _case(metric, control, treatment, f"{size} outputs of each", z=z, ends=ends, both=both)


def _input(
    metric: Document,
    control: _Counts,
    treatment: _Counts,
    *,
    z: int | str = TEXTBOOK,
    ends: str = "closed",
    both: int | str | None = None,
) -> Document:
    return {
        "z": z,
        "ends": ends,
        "metric": metric,
        "control": list(control),
        "treatment": list(treatment),
        "both": both,
    }


def _case(
    metric: Document,
    control: _Counts,
    treatment: _Counts,
    comment: str,
    *,
    z: int | str = TEXTBOOK,
    ends: str = "closed",
    both: int | str | None = None,
) -> Case:
    document = _input(metric, control, treatment, z=z, ends=ends, both=both)
    sizes = [found["smallest_size"] for found in compute(document).values()]
    outcome = {
        "paired": both is not None,
        "no-size": "none" in sizes,
        "at-once": "2" in sizes,
        "large-size": any(size != "none" and int(size) > 10**6 for size in sizes),
    }
    return Case(document, comment, tuple(name for name, holds in outcome.items() if holds))


def _is_small(document: Document) -> bool:
    """Tell whether every reading shows the difference at a size to which one can count."""
    answer = FAMILY.answer(document)
    if answer.result != "valid":
        return False
    sizes = [found["smallest_size"] for found in answer.expected.values()]
    return all(size != "none" and int(size) <= _LARGEST_WITNESSED for size in sizes)


FAMILY = Family(
    *declared("sample-size-plan"),
    input=record(
        z=NUMBER_INPUT,
        ends=ENDS_INPUT,
        metric=METRIC,
        control=described(list_of(NUMBER_INPUT), "outputs in each class"),
        treatment=described(list_of(NUMBER_INPUT), "outputs in each class"),
        both=either(NUMBER_INPUT, NULL),
    ),
    expected=record(
        dict.fromkeys(READING_KEYS, record(smallest_size=either(WHOLE, one_of("none")), decision=DECISION))
    ),
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": _is_small},
)
