"""The family `matthews-and-kappa`: how much better than chance a table of true and given labels is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.label_metrics import balanced_accuracy, cohen_kappa, matthews
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import confusion_from, is_word, metric_value, word
from ntqr_exact.vectors.fragments import (
    NUMBER,
    NUMBER_INPUT,
    TEXT,
    described,
    either,
    list_of,
    one_of,
    record,
)
from ntqr_exact.vectors.specification import Case, Document, declared

_METRICS = {"matthews": matthews, "kappa": cohen_kappa, "balanced_accuracy": balanced_accuracy}
_WORDS = (Undefined.ONE_LABEL, Undefined.NO_SAMPLES)


def compute(document: Document) -> dict[str, Any]:
    """Return the three metrics of the table, or why they are undefined."""
    confusion = confusion_from(document)
    found = {name: metric(confusion) for name, metric in _METRICS.items()}
    return {name: word(value) if isinstance(value, Undefined) else value for name, value in found.items()}


def steps(document: Document) -> Iterator[str]:
    """Tell the sums of rows and columns, and what becomes of them."""
    counts = confusion_from(document).counts
    truly = [sum(row.values()) for row in counts.values()]
    given = [sum(row[label] for row in counts.values()) for label in counts]
    yield f"s = {sum(truly)}, c = {sum(counts[label][label] for label in counts)}"
    yield f"t = {', '.join(map(str, truly))}; p = {', '.join(map(str, given))}"
    yield f"E = Σ t_k·p_k = {sum(t * p for t, p in zip(truly, given, strict=True))}"
    yield from (f"{name} = {value}" for name, value in compute(document).items())


def random_case(draws: Draws, index: int) -> Case:
    """Return a table of two to four labels that grows with the index."""
    labels = 2 + index % 3
    flat = draws.counts(labels + index // 2 + draws.below(6), labels * labels)
    rows = [flat[labels * place : labels * (place + 1)] for place in range(labels)]
    if index % 9 == 8:
        rows = [[0] * labels if place else row for place, row in enumerate(rows)]
    return Case({"labels": list("abcd"[:labels]), "counts": rows}, f"{labels} labels")


FAMILY = Family(
    *declared("matthews-and-kappa"),
    input=record(
        labels=list_of(TEXT), counts=described(list_of(list_of(NUMBER_INPUT)), "a row for each true label")
    ),
    expected=record(
        matthews=either(NUMBER, one_of(*map(word, _WORDS))),
        kappa=metric_value(*_WORDS),
        balanced_accuracy=metric_value(Undefined.NO_SAMPLES),
    ),
    flags={
        "undefined": lambda _, found: any(map(is_word, found.values())),
        "negative": lambda _, found: isinstance(found["kappa"], str) and found["kappa"].startswith("-"),
        "irrational": lambda _, found: isinstance(found["matthews"], dict),
        "many-labels": lambda given, _: len(given["labels"]) > 2,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
)
