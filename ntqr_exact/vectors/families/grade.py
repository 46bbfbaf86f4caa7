"""The family `grade`: votes with an answer key, graded with all rates and error correlations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from ntqr_exact.evaluators.grade import grade
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.rates import KEYED, RATE, key_from, key_input, written
from ntqr_exact.vectors.forms.votes import PARTS, SHARED
from ntqr_exact.vectors.fragments import RATIONAL, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return prevalence, response rates, pair and trio correlations."""
    key = key_from(document)
    found = grade(key, order=3)
    judges = range(document["judges"])

    def correlations(length: int) -> list[list[Any]]:
        subsets = list(combinations(judges, length))
        return [[written(found.correlations[label, subset]) for subset in subsets] for label in key.labels]

    return {
        "prevalence": [written(found.prevalence[label]) for label in key.labels],
        "response_rates": [
            [[written(rates[true][given]) for given in key.labels] for true in key.labels]
            for rates in found.response_rates
        ],
        "pair_correlations": correlations(2),
        "trio_correlations": correlations(3),
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the shares, the rates of every judge on every label, and how the correlations come about."""
    found, key = compute(document), key_from(document)
    yield f"key counts: {key.key_counts}, Q = {key.size}"
    for place, label in enumerate(key.labels):
        yield f"P_{label} = {key.key_counts[label]}/{key.size} = {found['prevalence'][place]}"
        for judge, rates in enumerate(found["response_rates"]):
            given = key.confusion(judge)[label]
            shares = ", ".join(map(str, rates[place]))
            yield f"  judge {judge + 1} gave {given} on the questions of {label}: rates {shares}"
        for length, name in ((2, "pair_correlations"), (3, "trio_correlations")):
            subsets = combinations(range(document["judges"]), length)
            for subset, value in zip(subsets, found[name][place], strict=True):
                names = ", ".join(str(judge + 1) for judge in subset)
                yield f"  Γ of judges {names}: mean of the products of (1 if right else 0) − accuracy = {value}"


def random_case(draws: Draws, index: int) -> Case:
    """Return votes with a key, in turn of three, two, four judges and of three labels."""
    labels, judges = (("ab", 3), ("ab", 2), ("abc", 2), ("ab", 3), ("ab", 4), ("abc", 3))[index % 6]
    size = 2 + index // 2 + draws.below(6)
    cells = len(labels) ** (judges + 1)
    counts = draws.counts(size, cells)
    width = cells // len(labels)
    by_key = [counts[start : start + width] for start in range(0, cells, width)]
    document = key_input(by_key, labels=labels, judges=judges)
    return Case(document, f"any votes and any key of {size} questions")


def _is_small(document: Document, found: Any) -> bool:
    return "error" not in found and sum(int(count) for row in document["counts_by_key"] for count in row) < 40


FAMILY = Family(
    *declared("grade"),
    input=record(labels=PARTS["labels"], judges=PARTS["judges"], counts_by_key=KEYED),
    expected=record(
        prevalence=list_of(RATIONAL),
        response_rates=list_of(list_of(list_of(RATE))),
        pair_correlations=list_of(list_of(RATE)),
        trio_correlations=list_of(list_of(RATE)),
    ),
    flags={
        "empty-label": lambda given, _: any(not any(counts) for counts in given["counts_by_key"]),
        "many-labels": lambda given, _: len(given["labels"]) > 2,
        "few-judges": lambda given, _: given["judges"] < 3,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
    witnesses={"brute-force": _is_small},
)
