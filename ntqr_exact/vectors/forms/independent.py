"""Independent judges with any labels: what their votes mean if errors were independent, and how votes are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from ntqr_exact.algebra.rational_matrix import inverse, matrix
from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import Identification, IndependentSolution
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.flags import listed
from ntqr_exact.vectors.forms.matrix_steps import matrix_steps
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, counts_of, votes_from, votes_input
from ntqr_exact.vectors.fragments import RATIONAL, TRUTH, either, list_of, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared

_NOT_DRAWN = {"singular", "unidentified"}
"""Alarms of votes that leave the rates unidentified, and a key to be searched for: edge cases have them."""


def independent_family(
    name: str, alarms: Sequence[str], *, labels: str, judges: int, any_from: int | None
) -> Family:
    """Return the family of independent judges in which these alarms can be; see `_random_case` for `any_from`."""
    drawn = {*alarms} - _NOT_DRAWN
    return Family(
        *declared(name),
        input=record(PARTS),
        expected=record(
            identification=one_of("identified", "family", "none"),
            components=list_of(record(share=RATIONAL, rates=list_of(list_of(RATIONAL)))),
            key_exists=TRUTH,
            key=list_of(list_of(either({"type": "integer"}, RATIONAL))),
            alarms=list_of(one_of(*alarms)),
        ),
        flags={
            **listed("alarms", alarms),
            "key": lambda _, found: bool(found["key"]),
            "family": lambda _, found: found["identification"] == "family",
        },
        random_case=lambda draws, index: _random_case(draws, index, labels, judges, any_from),
        wanted=lambda _, found: found["identification"] != "family" and drawn.issuperset(found["alarms"]),
        compute=compute,
        steps=steps,
        shared=SHARED,
    )


def compute(document: Document) -> dict[str, Any]:
    """Return what independent errors mean, with the true labels in an order that does not depend on their names."""
    solution = solve_independent(votes_from(document))
    identified = solution.identification is Identification.IDENTIFIED
    order = _order(solution) if identified else []
    found = solution.solutions[0] if identified else None
    return {
        "identification": solution.identification.name.lower(),
        "components": [] if found is None else [_component(found, label) for label in order],
        "alarms": sorted({alarm.kind.title.replace(" ", "-") for alarm in solution.alarms}),
        "key_exists": not solution.alarms,
        "key": [counts_of(solution.keys[0].by_label[label]) for label in order if solution.keys],
    }


def _component(evaluation: Evaluation, label: str) -> dict[str, Any]:
    rates = [list(rates[label].values()) for rates in evaluation.response_rates]
    return {"share": evaluation.prevalence[label], "rates": rates}


def _order(solution: IndependentSolution) -> list[str]:
    evaluation = solution.solutions[0]

    def numbers(label: str) -> list[Any]:
        rates = [rate for row in evaluation.response_rates for rate in row[label].values()]
        return [rational_rate(rate) for rate in (evaluation.prevalence[label], *rates)]

    return sorted(evaluation.labels, key=numbers, reverse=True)


def steps(document: Document) -> Iterator[str]:
    """Tell the matrices up to the one that decides, what was found, and why each alarm fires."""
    votes, found = votes_from(document), compute(document)
    solution = solve_independent(votes)
    yield f"Q = {votes.size}, {len(votes.judges)} judges, labels {', '.join(votes.labels)}"
    yield from matrix_steps(votes)
    yield f"identification: {found['identification']}, {solution.identification.value}"
    for component in found["components"]:
        yield f"a true label with the share {component['share']}"
        for judge, rates in enumerate(component["rates"], start=1):
            yield f"  judge {judge} answers with rates {', '.join(map(str, rates))}"
    yield from (f"alarm, {alarm}" for alarm in solution.alarms)
    yield from (f"note: {note}" for note in solution.notes)
    if not solution.alarms:
        yield "no alarm: a key exists under which the errors are independent"


def _random_case(draws: Draws, index: int, labels: str, judges: int, any_from: int | None) -> Case:
    """Return votes of independent judges, one in three with a question moved, one in three any votes.

    Any votes are on this many questions and more; None stands for none of them.
    """
    width = len(labels) ** judges
    flags: tuple[str, ...] = ()
    if index % 3 == 2 and any_from is not None:
        size = any_from + index // 2 + draws.below(6)
        counts, comment = draws.counts(size, width), f"any votes on {size} questions"
    else:
        counts = model(*_drawn_model(draws, index, labels=len(labels), judges=judges))
        comment = f"independent judges on {sum(counts)} questions"
        if index % 3 == 1:
            counts[draws.pick([place for place, count in enumerate(counts) if count])] -= 1
            counts[draws.below(width)] += 1
            comment, flags = f"{comment}, one moved", ("changed",)
    return Case(votes_input(counts, labels=labels, judges=judges), comment, flags)


def _drawn_model(
    draws: Draws, index: int, *, labels: int, judges: int
) -> tuple[list[int], list[list[list[int]]]]:
    """Return weights of the labels and rates of the judges in small parts, mostly right."""
    base = 2 + (index // 3) % 3
    rates: list[list[list[int]]] = []
    while len(rates) < judges:
        rows = []
        for true in range(labels):
            row = draws.counts(base, labels)
            rows.append(row if draws.below(3) else [base * (given == true) for given in range(labels)])
        # A judge with singular rates may leave the others unidentified, and a key to be searched for.
        if inverse(matrix(rows)) is not None:
            rates.append(rows)
    return [draws.between(1, 2 + index // 30) for _ in range(labels)], rates


def model(weights: Sequence[int], rates: Sequence[Sequence[Sequence[int]]]) -> list[int]:
    """Return the counts of independent judges: rates[judge][true][given] in parts, weights for the true labels.

    >>> model([1, 2], [[[1, 0], [0, 1]], [[1, 1], [0, 2]]])
    [1, 1, 0, 4]
    """
    labels = range(len(weights))
    return [
        sum(
            weight * prod(judge[true][given] for judge, given in zip(rates, pattern, strict=True))
            for true, weight in enumerate(weights)
        )
        for pattern in product(labels, repeat=len(rates))
    ]
