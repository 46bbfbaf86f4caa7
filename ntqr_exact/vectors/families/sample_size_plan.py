"""The family `sample-size-plan`: the smallest number of outputs at which a difference would be shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.rational import rational
from ntqr_exact.significance.comparison import Comparison, compare
from ntqr_exact.significance.planning import SamplePlan, plan
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.decisions import DECISION, ENDS_INPUT, READING_KEYS, TEXTBOOK, decision_word
from ntqr_exact.vectors.forms.metric_model import METRIC, class_counts, classes_of, drawn_metric, metric_from
from ntqr_exact.vectors.fragments import NULL, NUMBER_INPUT, WHOLE, described, either, list_of, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_LARGEST_WITNESSED = 300


def compute(document: Document) -> dict[str, Any]:
    """Return for each reading the smallest size and the decision from there on."""
    comparison = _comparison(document)
    # The family asks for the size at which a difference is just shown: a power of one half.
    plans = {key: plan(comparison, *question, power="1/2") for key, question in READING_KEYS.items()}
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
    classes = classes_of(metric)
    size = 4 + draws.below(6 + index * 2)
    control, treatment = draws.counts(size, classes), draws.counts(size, classes)
    z, ends = draws.pick((TEXTBOOK, "1", "2.5758")), draws.pick(("open", "closed"))
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


def _is_small(_: Document, found: Any) -> bool:
    """Tell whether every reading shows the difference at a size to which one can count."""
    return "error" not in found and all(size and size <= _LARGEST_WITNESSED for size in _sizes(found))


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
    flags={
        "paired": lambda given, _: given["both"] is not None,
        "no-size": lambda _, found: None in _sizes(found),
        "at-once": lambda _, found: 2 in _sizes(found),
        "large-size": lambda _, found: any(size and size > 10**6 for size in _sizes(found)),
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"brute-force": _is_small},
)
