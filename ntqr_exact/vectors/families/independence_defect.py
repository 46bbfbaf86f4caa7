"""The family `independence-defect`: by how much error rates fail to multiply over the whole test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from gmpy2 import mpq

from ntqr_exact.evaluation import rational_rate
from ntqr_exact.evaluators.agreement_solution import independence_defect
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.rates import KEYED, key_from, key_input
from ntqr_exact.vectors.forms.votes import PARTS, SHARED
from ntqr_exact.vectors.fragments import RATIONAL, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_RIGHT, _WRONG = "right", "wrong"


def compute(document: Document) -> dict[str, Any]:
    """Return the error rates, the defects e_ij − e_i·e_j, and the two parts of which each is made."""
    key = key_from(document)
    found, errors = grade(key, order=2), _errors(key)
    pairs = list(combinations(range(len(key.judges)), 2))
    return {
        "error_rates": [errors.response_rate(judge, _WRONG) for judge in range(len(key.judges))],
        "defects": [errors.pair_moment(*pair, label=_WRONG) for pair in pairs],
        "within": [
            sum(
                (
                    rational_rate(found.prevalence[label]) * rational_rate(found.correlations[label, pair])
                    for label in key.labels
                ),
                mpq(0),
            )
            for pair in pairs
        ],
        "between": [independence_defect(found, *pair) for pair in pairs],
    }


def _errors(key: LabeledVoteCounts) -> VoteCounts:
    """Return the votes with each answer replaced by whether it is right."""
    counts: dict[tuple[str, ...], int] = {}
    for label, votes in key.by_label.items():
        for pattern, count in votes.counts.items():
            errors = tuple(_RIGHT if given == label else _WRONG for given in pattern)
            counts[errors] = counts.get(errors, 0) + count
    return VoteCounts(counts, [_RIGHT, _WRONG], key.judges)


def steps(document: Document) -> Iterator[str]:
    """Tell the rates of errors, alone and together, and the two parts of each defect."""
    key, found = key_from(document), compute(document)
    evaluation, errors = grade(key, order=2), _errors(key)
    a, b = key.labels
    shares = {label: evaluation.prevalence[label] for label in key.labels}
    yield f"Q = {key.size}, P_a = {shares[a]}, P_b = {shares[b]}"
    for judge, rate in enumerate(found["error_rates"]):
        x, y = (evaluation.accuracy[judge][label] for label in key.labels)
        yield f"judge {judge + 1}: x = {x}, y = {y}, error rate e = P_a(1 − x) + P_b(1 − y) = {rate}"
    for place, (i, j) in enumerate(combinations(range(len(key.judges)), 2)):
        both = errors.marginal(i, j).frequency((_WRONG, _WRONG))
        name = f"{i + 1}{j + 1}"
        gamma = [evaluation.correlations[label, (i, j)] for label in key.labels]
        yield f"e_{name} = {both}, so the defect is e_{name} − e_{i + 1}·e_{j + 1} = {found['defects'][place]}"
        yield f"  within: P_a·({gamma[0]}) + P_b·({gamma[1]}) = {found['within'][place]}"
        yield f"  between: P_a·P_b·(x_{i + 1} − y_{i + 1})(x_{j + 1} − y_{j + 1}) = {found['between'][place]}"


def random_case(draws: Draws, index: int) -> Case:
    """Return, in turn, any votes with a key, and keys under which errors are independent."""
    if index % 3 == 0:
        base = 2 + index % 4
        by_key = []
        for _ in range(2):
            rates = [draws.between(0, base) for _ in range(2)]
            scale = draws.between(1, 2 + index // 20)
            cells = [(p, q) for p in (rates[0], base - rates[0]) for q in (rates[1], base - rates[1])]
            by_key.append([scale * p * q for p, q in cells])
        return Case(key_input(by_key, judges=2), "independent errors of two judges")
    judges = 2 + index % 3
    size = 3 + index // 2 + draws.below(5)
    cells_of_one = 2**judges
    counts = draws.counts(size, 2 * cells_of_one)
    halves = [counts[:cells_of_one], counts[cells_of_one:]]
    for half in halves:
        half[draws.below(cells_of_one)] += 1
    return Case(key_input(halves, judges=judges), f"any votes and any key of {size + 2} questions")


FAMILY = Family(
    *declared("independence-defect"),
    input=record(labels=PARTS["labels"], judges=PARTS["judges"], counts_by_key=KEYED),
    expected=record(
        error_rates=list_of(RATIONAL),
        defects=list_of(RATIONAL),
        within=list_of(RATIONAL),
        between=list_of(RATIONAL),
    ),
    flags={
        "independent": lambda _, found: set(found["within"]) == {"0"},
        "multiplies": lambda _, found: set(found["defects"]) == {"0"},
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
