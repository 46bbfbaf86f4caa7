"""The family `fisher-test`: the exact test of two shares, one-sided and two-sided."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

from gmpy2 import mpq

from ntqr_exact.significance.exact_tests import Alternative, fisher_test
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.shares import SAMPLE, drawn_sample, is_large, is_nothing, sample_from
from ntqr_exact.vectors.fragments import RATIONAL, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_LEVEL = mpq(1, 20)


def compute(document: Document) -> dict[str, Any]:
    """Return the three p-values, and what is shown at 95 %."""
    control, treatment = map(sample_from, (document["control"], document["treatment"]))
    found = {one.name.lower(): fisher_test(control, treatment, alternative=one) for one in Alternative}
    apart = treatment[0] * control[1] - control[0] * treatment[1]
    shown = "not-shown" if found["two_sided"] > _LEVEL or not apart else "higher" if apart > 0 else "lower"
    return {**found, "decision": shown}


def steps(document: Document) -> Iterator[str]:
    """Tell how many choices have each number of positives, and the sums."""
    (a, n_1), (b, n_2) = map(sample_from, (document["control"], document["treatment"]))
    for x, ways in _tables(document).items():
        yield f"T({x}) = C({a + b}, {x})·C({n_1 + n_2 - a - b}, {n_2 - x}) = {ways}" + (
            ", the observed one" if x == b else ""
        )
    yield f"of C({n_1 + n_2}, {n_2}) = {comb(n_1 + n_2, n_2)} in all"
    yield from (f"{name} = {value}" for name, value in compute(document).items())


def _tables(document: Document) -> dict[int, int]:
    """Return T(x) for all x."""
    (a, n_1), (b, n_2) = map(sample_from, (document["control"], document["treatment"]))
    positives, others = a + b, n_1 + n_2 - a - b
    return {
        x: comb(positives, x) * comb(others, n_2 - x)
        for x in range(max(0, n_2 - others), min(positives, n_2) + 1)
    }


def _has_tie(given: Document, _: Any) -> bool:
    ways, observed = _tables(given), sample_from(given["treatment"])[0]
    return list(ways.values()).count(ways[observed]) > 1


def random_case(draws: Draws, index: int) -> Case:
    """Return two samples that grow with the index, in turn alike in size."""
    control = drawn_sample(draws, index)
    treatment = drawn_sample(draws, index, size=control[1] if index % 2 else None)
    return Case({"control": control, "treatment": treatment}, f"{control[1]} outputs against {treatment[1]}")


FAMILY = Family(
    *declared("fisher-test"),
    input=record(control=SAMPLE, treatment=SAMPLE),
    expected=record(
        {one.name.lower(): RATIONAL for one in Alternative}, decision=one_of("lower", "higher", "not-shown")
    ),
    flags={
        "tie": _has_tie,
        "shown": lambda _, found: found["decision"] != "not-shown",
        "extreme": lambda _, found: "1" in (found["higher"], found["lower"]),
        "empty": is_nothing,
        "large": is_large,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={
        "scipy": lambda given, found: (
            "error" not in found and not is_large(given, found) and not is_nothing(given, found)
        )
    },
)
