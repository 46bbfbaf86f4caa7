"""Independent judges with any labels: what their votes mean if errors were independent, matrix by matrix."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import combinations, product
from math import comb, prod
from typing import Any

from gmpy2 import mpq

from ntqr_exact.algebra.rational_matrix import (
    Matrix,
    RootKind,
    characteristic_polynomial,
    combination,
    identity,
    inverse,
    is_squarefree,
    kernel,
    kind_of_roots,
    matrix,
    multiply,
    rational_roots,
)
from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.commuting_matrices import response_matrices
from ntqr_exact.evaluators.independent.independent_solution import Identification, IndependentSolution
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family, listed
from ntqr_exact.vectors.forms.votes import counts_of, votes_from, votes_input
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.counts import VoteCounts


def matrix_steps(votes: VoteCounts) -> Iterator[str]:
    """Yield the tables and matrices of each pair of judges, until one decides; what follows from it is not told."""
    judges = range(len(votes.judges))
    for pair in combinations(judges, 2):
        counts = votes.marginal(*pair).counts
        table = matrix([[counts[row, column] for column in votes.labels] for row in votes.labels])
        yield f"judges {pair[0] + 1} and {pair[1] + 1}: S = {_text(table)}"
        others = [judge for judge in judges if judge not in pair]
        if inverse(table) is None:
            yield "  S is singular: take the next pair"
        elif (yield from _with_pair(votes, pair, others, table)):
            return
    yield "no pair is left: the rates are not identified, and a key has to be searched for"


def _with_pair(
    votes: VoteCounts, pair: tuple[int, int], others: Sequence[int], table: Matrix
) -> Generator[str, None, bool]:
    """Yield the steps of a pair with a regular table; the value of the generator says whether it decided."""
    named = {}
    for judge in others:
        for label, one in zip(votes.labels, response_matrices(votes, pair, judge) or (), strict=True):
            named[f"M_{judge + 1}{label}"] = one
            yield f"  M_{judge + 1}{label} = T·S⁻¹, T counting where judge {judge + 1} said {label}: {_text(one)}"
    for (left, one), (right, other) in combinations(named.items(), 2):
        if multiply(one, other) != multiply(other, one):
            yield f"  {left}·{right} = {_text(multiply(one, other))}"
            yield f"  {right}·{left} = {_text(multiply(other, one))}: not the same"
            return True
    yield "  they all commute"
    matrices, size = list(named.values()), len(votes.labels)
    tries = len(matrices) * comb(size, 2)
    for t in range(1, tries + 1):
        mixed = combination([t**m for m in range(len(matrices))], matrices)
        polynomial = characteristic_polynomial(mixed)
        words = f"  t = {t}: Σ t^m·M_m = {_text(mixed)}, det(x − Σ) has the coefficients {_list(polynomial)}"
        kind = kind_of_roots(polynomial)
        if kind is not RootKind.RATIONAL:
            yield f"{words}: not all roots are {'real' if kind is RootKind.COMPLEX else 'rational'}"
            return True
        roots = rational_roots(polynomial)
        yield f"{words} and the roots {_list(roots)}"
        if is_squarefree(polynomial):
            yield from _eigenvectors(votes, mixed, roots, table)
            return True
        if sum(len(kernel(_shifted(mixed, root))) for root in set(roots)) < size:
            yield "  a root occurs twice, and the matrix has too few eigenvectors"
            return True
    yield f"  a root occurs twice for every t up to {tries}: this pair does not tell the labels apart"
    return False


def _eigenvectors(votes: VoteCounts, mixed: Matrix, roots: Sequence[mpq], table: Matrix) -> Iterator[str]:
    columns = []
    for root in roots:
        (vector,) = kernel(_shifted(mixed, root))
        total = sum(vector, mpq(0))
        if total == 0:
            yield f"  the eigenvector of {root} is a multiple of {_list(vector)}, and has the sum 0"
            return
        columns.append(tuple(entry / total for entry in vector))
        yield f"  the eigenvector of {root} with the sum 1: {_list(columns[-1])}"
    back = inverse(tuple(zip(*columns, strict=True)))
    if back is not None:
        weighted = multiply(back, tuple(tuple(count / votes.size for count in row) for row in table))
        shares = [sum(row, mpq(0)) for row in weighted]
        yield f"  with these as the columns of U, U⁻¹·S/Q = {_text(weighted)}: its rows have the sums {_list(shares)}"


def _shifted(square: Matrix, root: mpq) -> Matrix:
    return combination([1, -root], [square, identity(len(square))])


def _text(rows: Matrix) -> str:
    return "[" + "; ".join(_list(row) for row in rows) + "]"


def _list(numbers: Sequence[mpq]) -> str:
    return ", ".join(map(str, numbers))


_ALARMS = (
    "complex-roots",
    "irrational-roots",
    "not-commuting",
    "not-diagonalisable",
    "not-whole",
    "out-of-range",
)
"""Alarms that every one of these families has."""
_NOT_DRAWN = {"singular", "unidentified"}
"""Alarms of votes that leave the rates unidentified, and a key to be searched for: edge cases have them."""


def _family(
    name: str, more_alarms: Sequence[str], *, labels: str, judges: int, any_from: int | None
) -> Family:
    """Return the family of independent judges with these alarms besides; see `_random_case` for `any_from`."""
    alarms = sorted((*_ALARMS, *more_alarms))
    drawn = {*alarms} - _NOT_DRAWN

    def case(draws: Draws, index: int) -> Case:
        return _random_case(draws, index, labels, judges, any_from)

    return Family(
        *declared(name, _compute, _steps, case),
        flags={
            **listed("alarms", alarms),
            "key": lambda _, found: bool(found["key"]),
            "family": lambda _, found: found["identification"] == "family",
        },
        wanted=lambda _, found: found["identification"] != "family" and drawn.issuperset(found["alarms"]),
    )


def _compute(document: Document) -> dict[str, Any]:
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


def _steps(document: Document) -> Iterator[str]:
    votes, found = votes_from(document), _compute(document)
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
        counts = _model(*_drawn_model(draws, index, labels=len(labels), judges=judges))
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


def _model(weights: Sequence[int], rates: Sequence[Sequence[Sequence[int]]]) -> list[int]:
    """Return the counts of independent judges: rates[judge][true][given] in parts, weights for the true labels.

    >>> _model([1, 2], [[[1, 0], [0, 1]], [[1, 1], [0, 2]]])
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


FAMILIES = (
    _family(
        "independent-three-labels",
        ("contradiction", "no-key-in-family", "singular", "unidentified", "zero-prevalence"),
        labels="abc",
        judges=3,
        any_from=12,
    ),
    _family("independent-four-labels", (), labels="abcd", judges=3, any_from=None),
    _family(
        "independent-four-judges",
        ("contradiction", "not-reproduced", "singular", "unidentified"),
        labels="ab",
        judges=4,
        any_from=6,
    ),
)
