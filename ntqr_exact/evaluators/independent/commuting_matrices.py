"""Any number of judges and labels, independent errors: solved by commuting matrices.

For judges p, q and r let S be the table of p against q, and T_k the part of it where r answered k. With the
response matrices U of p and V of q (a column for each true label), the prevalences D and the rates w of r,

    T_k = U D diag(w_k) Vᵀ,   S = Σ T_k = U D Vᵀ,   so   M_k = T_k S⁻¹ = U diag(w_k) U⁻¹.

The M_k of all other judges commute, and their common eigenvectors with sum 1 are the columns of U. A
combination with rational weights has rational eigenvalues; where it has not, the errors are not
independent. S may be singular for one pair of judges and not for another: all pairs are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, permutations
from math import comb, factorial
from typing import Any, NamedTuple, TypeAlias

from gmpy2 import mpq
from sympy import QQ, Poly, Symbol
from sympy.polys.matrices import DomainMatrix
from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

from ntqr_exact.alarms.alarm import Alarm, AlarmKind, ProofValue
from ntqr_exact.budget import check_work, spend
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.independent.independent_solution import (
    Identification,
    IndependentSolution,
    joint_counts,
    key_from_rates,
    not_whole_alarms,
    range_alarms,
)
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern

Matrix: TypeAlias = Any
"""A `DomainMatrix` over QQ; sympy has no types."""
Rows: TypeAlias = tuple[tuple[mpq, ...], ...]

_VARIABLE = Symbol("x")


class _Rates(NamedTuple):
    """Prevalence, and a response matrix for each judge: responses[judge][answer][true label]."""

    prevalence: tuple[mpq, ...]
    responses: tuple[Rows, ...]


def solve_general(votes: VoteCounts) -> IndependentSolution:
    """Return the solution for independent errors of three or more judges.

    The true labels come out up to their names. With two labels both solutions are given; with more, the one under
    which the judges are right most often. If no pair of judges identifies the rates, the answer is "not identified",
    with the rank of the table of each pair.
    """
    why = ""
    for pair in combinations(range(len(votes.judges)), 2):
        result = _solve_with(votes, pair)
        if isinstance(result, _Rates):
            return _check(votes, result)
        if isinstance(result, Alarm):  # a proof of dependence, whatever pair is tried next
            return IndependentSolution(votes, Identification.NONE, alarms=(result,))
        why = why or result  # another pair may identify the rates
    ranks = {pair: table(votes, pair).rank() for pair in combinations(range(len(votes.judges)), 2)}
    highest = max(ranks.values())
    note = (
        f"The table of answers of every pair of judges is singular (highest rank {highest}, where "
        f"{len(votes.labels)} is regular): a label has no questions, or the judges' rates on the labels are linearly "
        "dependent."
    )
    if why:
        note = f"{why[0].upper()}{why[1:]}: the labels cannot be distinguished (highest rank of a pair {highest})."
    return IndependentSolution(votes, Identification.FAMILY, notes=(note,), ranks=FrozenMapping(ranks))


def table(votes: VoteCounts, pair: tuple[int, int]) -> Matrix:
    """Return how often the first judge of a pair gave the label of the row and the second that of the column."""
    size = len(votes.labels)
    spend("matrices of all labels", 20 + size**3 // 2 + size**4 // 50)
    counts = votes.marginal(*pair).counts
    rows = [[QQ(int(counts[row, column])) for column in votes.labels] for row in votes.labels]
    return DomainMatrix(rows, (size, size), QQ)


def _solve_with(votes: VoteCounts, pair: tuple[int, int]) -> _Rates | Alarm | str:
    """Return the rates of all judges from the response matrices over a pair.

    It is an alarm if the matrices refute independence, a sentence if they do not tell two labels apart, and no text if
    the table of the pair is singular.
    """
    spend("the pairs of judges", 2 + len(votes.judges) // 10)
    others = [judge for judge in range(len(votes.judges)) if judge not in pair]
    whole = table(votes, pair)
    try:
        inverse = whole.inv()
    except DMNonInvertibleMatrixError:
        return ""
    by_judge = {
        judge: [table(votes.restricted(judge, label), pair) * inverse for label in votes.labels]  # M_k
        for judge in others
    }
    named = [(judge, k, m) for judge in others for k, m in enumerate(by_judge[judge])]
    for left, right in combinations(named, 2):
        spend("products of matrices", 20 + len(votes.labels) ** 3)
        if left[2] * right[2] != right[2] * left[2]:
            return _not_commuting(votes, left, right)
    columns = _common_eigenvectors([m for _, _, m in named], votes, pair)
    if not isinstance(columns, list):
        return columns
    first = DomainMatrix(columns, (len(columns), len(columns)), QQ).transpose()
    inverse = first.inv()
    weighted = _rows(inverse * whole * QQ(1, votes.size))
    prevalence = tuple(sum(row, mpq(0)) for row in weighted)
    if 0 in prevalence:
        shares = ", ".join(map(str, prevalence))
        message = (
            f"the shares of the labels would be {shares}: one has no questions, but then the table of the pair "
            "would be singular"
        )
        return Alarm(AlarmKind.ZERO_PREVALENCE, message, {"shares": shares})
    second = (tuple(x / share for x in row) for row, share in zip(weighted, prevalence, strict=True))
    responses: dict[int, Rows] = {pair[0]: _rows(first), pair[1]: tuple(zip(*second, strict=True))}
    for judge in others:
        diagonals = (_rows(inverse * m * first) for m in by_judge[judge])
        responses[judge] = tuple(tuple(row[i] for i, row in enumerate(m)) for m in diagonals)
    return _Rates(prevalence, tuple(responses[judge] for judge in range(len(votes.judges))))


def _common_eigenvectors(
    matrices: list[Matrix], votes: VoteCounts, pair: tuple[int, int]
) -> list[list[Any]] | Alarm | str:
    """Return the common eigenvectors of commuting matrices, each with sum 1, in a canonical order.

    Σ tᵐ M_m tells two different tuples of eigenvalues apart unless t is a root of a polynomial of a degree
    below the number of matrices: that number of values of t for each pair of labels is enough.
    """
    size = len(votes.labels)
    tries = len(matrices) * comb(size, 2)
    for t in range(1, tries + 1):
        spend("matrices of all labels", 20 + size**4 // 10)
        mixed = matrices[0]
        for m, matrix in enumerate(matrices[1:], start=1):
            mixed = mixed + QQ(t**m) * matrix
        polynomial = Poly.from_list(mixed.charpoly(), _VARIABLE, domain=QQ)
        factors = polynomial.factor_list()[1]
        text = " + ".join(f"({_mpq(c)})·x^{size - i}" for i, c in enumerate(polynomial.rep.to_list()))
        if any(factor.degree() > 1 for factor, _ in factors):
            return _bad_roots(polynomial, text, t)
        # A factor a·x + b has the root −b/a.
        roots = sorted(-b / a for a, b in (factor.rep.to_list() for factor, _ in factors))
        kernels = {root: (mixed - root * DomainMatrix.eye(size, QQ)).nullspace().to_dense() for root in roots}
        if len(roots) < size:
            if sum(kernel.shape[0] for kernel in kernels.values()) < size:
                message = (
                    f"the combination of response matrices with weights {t}^m has a root of {text} twice and too few "
                    "eigenvectors"
                )
                return Alarm(AlarmKind.NOT_DIAGONALISABLE, message, {"polynomial": text})
            continue
        vectors = []
        for root, kernel in kernels.items():
            (vector,) = kernel.to_list()
            total = sum(vector, QQ(0))
            if not total:
                message = (
                    f"an eigenvector of the eigenvalue {_mpq(root)} has the sum 0, but the rates of a judge on one "
                    "label have the sum 1"
                )
                return Alarm(AlarmKind.CONTRADICTION, message, {"eigenvalue": _mpq(root)})
            vectors.append([entry / total for entry in vector])
        return sorted(vectors, reverse=True)
    names = ", ".join(votes.judges[judge] for judge in pair)
    return f"all judges but {names} have the same rates on two labels"


def _check(votes: VoteCounts, rates: _Rates) -> IndependentSolution:
    labels = range(len(votes.labels))
    check_work("the orders of the labels", len(labels) * factorial(len(labels)))
    right = [
        [sum((rows[answer][column] for rows in rates.responses), mpq(0)) for column in labels]
        for answer in labels
    ]
    # Which column is which label: the order with the most right answers first.
    orders = sorted(
        permutations(labels),
        key=lambda order: (-sum(row[i] for row, i in zip(right, order, strict=True)), order),
    )
    solutions = tuple(_evaluation(votes, rates, order) for order in orders[: 2 if len(labels) == 2 else 1])
    parts = joint_counts(votes, solutions[0], votes.counts)
    alarms = [*range_alarms(solutions[:1], votes), *_not_reproduced(votes, parts)]
    keys: tuple[LabeledVoteCounts, ...] = ()
    if not alarms:
        alarms += not_whole_alarms(parts)
        if not alarms:
            keys = tuple(key_from_rates(votes, solution) for solution in solutions)
    return IndependentSolution(votes, Identification.IDENTIFIED, solutions, tuple(alarms), keys)


def _evaluation(votes: VoteCounts, rates: _Rates, order: tuple[int, ...]) -> Evaluation:
    columns = dict(zip(votes.labels, order, strict=True))
    return Evaluation(
        {label: rates.prevalence[column] for label, column in columns.items()},
        [
            {
                label: {given: rows[answer][column] for answer, given in enumerate(votes.labels)}
                for label, column in columns.items()
            }
            for rows in rates.responses
        ],
    )


def _not_reproduced(votes: VoteCounts, parts: Mapping[str, Mapping[Pattern, mpq]]) -> Iterator[Alarm]:
    """Yield an alarm for the first pattern seen whose count comes out differently.

    The patterns that were not seen need no check: all counts together are the size of the test on both
    sides, and with rates in range none of them is negative.
    """
    for pattern, seen in votes.counts.items():
        expected = sum((counts[pattern] for counts in parts.values()), mpq(0))
        if expected != seen:
            answers = ", ".join(map(str, pattern))
            message = f"the answers {answers} were given {seen} times, but the solution gives {expected}"
            proof: dict[str, ProofValue] = {"pattern": answers, "seen": seen, "expected": expected}
            yield Alarm(AlarmKind.NOT_REPRODUCED, message, proof)
            return


def _not_commuting(votes: VoteCounts, left: tuple[int, int, Matrix], right: tuple[int, int, Matrix]) -> Alarm:
    names = [f"{votes.judges[judge]} answering {votes.labels[k]}" for judge, k, _ in (left, right)]
    difference = _rows(left[2] * right[2] - right[2] * left[2])
    row, column, entry = next(
        (i, j, x) for i, xs in enumerate(difference, start=1) for j, x in enumerate(xs, start=1) if x
    )
    return Alarm(
        AlarmKind.NOT_COMMUTING,
        f"the response matrices of {names[0]} and of {names[1]} do not commute: their products in the two orders "
        f"differ by {entry} in row {row}, column {column}",
        {"left": names[0], "right": names[1], "row": row, "column": column, "difference": entry},
    )


def _bad_roots(polynomial: Any, text: str, t: int) -> Alarm:
    """Return the alarm of a polynomial that does not split; real roots are counted by Sturm's theorem."""
    simple = polynomial.sqf_part()
    is_real = simple.count_roots() == simple.degree()
    kind = AlarmKind.IRRATIONAL_ROOTS if is_real else AlarmKind.COMPLEX_ROOTS
    roots = "all roots are real, but not all are rational" if is_real else "some roots are not real"
    message = (
        f"the characteristic polynomial {text} of the response matrices combined with weights {t}^m does not "
        f"split: {roots}"
    )
    return Alarm(kind, message, {"polynomial": text})


def _rows(matrix: Matrix) -> Rows:
    return tuple(tuple(_mpq(entry) for entry in row) for row in matrix.to_list())


def _mpq(number: Any) -> mpq:
    """Return a number of sympy's QQ, whichever ground types it uses."""
    return mpq(int(QQ.numer(number)), int(QQ.denom(number)))
