"""How the rates of independent judges come out of their votes, told matrix by matrix.

The same steps as in the statement of the algorithm, so that a person can follow them, and see where they end.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import combinations
from math import comb

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
from ntqr_exact.evaluators.independent.commuting_matrices import response_matrices
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
    return combination([1, -1], [square, _scaled(identity(len(square)), root)])


def _scaled(square: Matrix, factor: mpq) -> Matrix:
    return tuple(tuple(factor * entry for entry in row) for row in square)


def _text(rows: Matrix) -> str:
    return "[" + "; ".join(_list(row) for row in rows) + "]"


def _list(numbers: Sequence[mpq]) -> str:
    return ", ".join(map(str, numbers))
