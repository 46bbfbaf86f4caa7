"""The family `key-dependence`: the largest error correlations of a key, and its total variation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.dependence.key_dependence import correlations, dependence_of, total_variation
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.rates import KEYED, key_from, key_input
from ntqr_exact.vectors.forms.votes import PARTS, SHARED
from ntqr_exact.vectors.fragments import RATIONAL, TRUTH, record
from ntqr_exact.vectors.specification import Case, Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return the largest correlations of pairs, of trios and of both."""
    key = key_from(document)
    pairs, trios = (dependence_of(key, (order,)) for order in (2, 3))
    return {
        "pairs": pairs.largest,
        "trios": trios.largest,
        "largest": max(pairs.largest, trios.largest),
        "one_label": pairs.has_one_label,
        "total_variation": total_variation(key),
    }


def steps(document: Document) -> Iterator[str]:
    """Tell every correlation."""
    key = key_from(document)
    for one in correlations(key, (2, 3)):
        names = ", ".join(str(judge + 1) for judge in one.judges)
        yield f"on {one.label}, judges {names}, answers {', '.join(one.answers)}: Γ = {one.value}"
    found = compute(document)
    yield f"largest: pairs {found['pairs']}, trios {found['trios']}; total variation {found['total_variation']}"


def random_case(draws: Draws, index: int) -> Case:
    """Return votes with a key, in turn of three, two, four judges and of three labels."""
    labels, judges = (("ab", 3), ("ab", 2), ("abc", 2), ("ab", 3), ("ab", 4), ("abc", 3))[index % 6]
    size = 2 + index // 2 + draws.below(6)
    cells = len(labels) ** (judges + 1)
    counts = draws.counts(size, cells)
    width = cells // len(labels)
    by_key = [counts[start : start + width] for start in range(0, cells, width)]
    return Case(key_input(by_key, labels=labels, judges=judges), f"any votes and any key of {size} questions")


FAMILY = Family(
    *declared("key-dependence"),
    input=record(labels=PARTS["labels"], judges=PARTS["judges"], counts_by_key=KEYED),
    expected=record(
        pairs=RATIONAL, trios=RATIONAL, largest=RATIONAL, one_label=TRUTH, total_variation=RATIONAL
    ),
    flags={
        "one-label": lambda _, found: found["one_label"],
        "independent": lambda _, found: found["largest"] == "0",
        "many-labels": lambda given, _: len(given["labels"]) > 2,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
