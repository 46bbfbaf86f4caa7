"""Any number of judges and labels, independent errors: solved by commuting matrices.

For judges p, q and r let S be the table of p against q, and T_k the part of it where r answered k. With the
response matrices U of p and V of q (a column for each true label), the prevalences D and the rates w of r,

    T_k = U D diag(w_k) Vᵀ,   S = Σ T_k = U D Vᵀ,   so   M_k = T_k S⁻¹ = U diag(w_k) U⁻¹.

The M_k of all other judges commute, and their common eigenvectors with sum 1 are the columns of U. A
combination with rational weights has rational eigenvalues; where it has not, the errors are not
independent. S may be singular for one pair of judges and not for another: all pairs are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

from gmpy2 import mpq

from ntqr_exact.alarms.alarm import Alarm, AlarmKind
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
from ntqr_exact.budget import spend
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.independent.independent_solution import (
    Identification,
    IndependentSolution,
    joint_count,
    key_from_rates,
    not_whole_alarms,
    range_alarms,
)
from ntqr_exact.evaluators.independent.product_tables import rank_of
from ntqr_exact.evaluators.independent.unidentified import label_orders, solve_unidentified
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


@dataclass(frozen=True, slots=True)
class _Rates:
    """Prevalence, and a response matrix for each judge: rates[judge][answer][true label]."""

    prevalence: tuple[mpq, ...]
    responses: tuple[Matrix, ...]


def solve_general(votes: VoteCounts, *, relabelings: bool = False, effort: int) -> IndependentSolution:
    """Return everything that independent errors of three or more judges would mean.

    The true labels come out up to their names. With two labels both solutions are given; with more, the
    one under which the judges are right most often, or all R! of them if `relabelings` are asked for.
    """
    unidentified: Alarm | None = None
    for pair in combinations(range(len(votes.judges)), 2):
        match _solve_with(votes, pair):
            case _Rates() as rates:
                return _judged(votes, rates, relabelings=relabelings)
            case Alarm(kind=AlarmKind.UNIDENTIFIED) as alarm:  # another pair may identify the rates
                unidentified = unidentified or alarm
            case Alarm() as alarm:  # a proof of dependence, whatever pair is tried next
                return IndependentSolution(votes, Identification.NONE, findings=(alarm,))
    why = unidentified or _singular(votes)
    return solve_unidentified(votes, why, effort=effort, relabelings=relabelings)


def response_matrices(votes: VoteCounts, pair: tuple[int, int], judge: int) -> tuple[Matrix, ...] | None:
    """Return M_k = T_k S⁻¹ for each answer k of `judge`, or `None` if the table S of the pair is singular."""
    inverse_table = inverse(_table(votes, pair))
    if inverse_table is None:
        return None
    return tuple(
        multiply(_table(votes.restricted(judge, label), pair), inverse_table) for label in votes.labels
    )


def _table(votes: VoteCounts, pair: tuple[int, int]) -> Matrix:
    return matrix(_counts(votes, pair))


def _counts(votes: VoteCounts, pair: tuple[int, int]) -> list[list[int]]:
    counts = votes.marginal(*pair).counts
    return [[counts[row, column] for column in votes.labels] for row in votes.labels]


def _solve_with(votes: VoteCounts, pair: tuple[int, int]) -> _Rates | Alarm | None:
    """Return the rates of all judges from the response matrices over a pair, or why there are none.

    It is `None` if the table of the pair is singular.
    """
    spend("the pairs of so many judges", 2 + len(votes.judges) // 10)
    others = [judge for judge in range(len(votes.judges)) if judge not in pair]
    by_judge: dict[int, tuple[Matrix, ...]] = {}
    for judge in others:
        matrices = response_matrices(votes, pair, judge)
        if matrices is None:
            return None
        by_judge[judge] = matrices
    everything = [(judge, k, m) for judge in others for k, m in enumerate(by_judge[judge])]
    for left, right in combinations(everything, 2):
        if multiply(left[2], right[2]) != multiply(right[2], left[2]):
            return _not_commuting(votes, left, right)
    columns = _common_eigenvectors([m for _, _, m in everything], votes, pair)
    if isinstance(columns, Alarm):
        return columns
    # Columns of U are the eigenvectors, so U itself is their transpose.
    first = tuple(zip(*columns, strict=True))
    inverse_first = inverse(first)
    if inverse_first is None:
        raise RuntimeError("eigenvectors of different eigenvalues are independent")
    weighted = multiply(
        inverse_first, tuple(tuple(x / votes.size for x in row) for row in _table(votes, pair))
    )
    prevalence = tuple(sum(row, mpq(0)) for row in weighted)
    if 0 in prevalence:
        shares = ", ".join(map(str, prevalence))
        words = (
            f"the shares of the labels would be {shares}: one has no questions, but then the table of the pair "
            "would be singular"
        )
        return Alarm(AlarmKind.ZERO_PREVALENCE, words, {"shares": shares})
    rows = (tuple(x / share for x in row) for row, share in zip(weighted, prevalence, strict=True))
    responses: dict[int, Matrix] = {pair[0]: first, pair[1]: tuple(zip(*rows, strict=True))}
    for judge in others:
        diagonal = [multiply(multiply(inverse_first, m), first) for m in by_judge[judge]]
        responses[judge] = tuple(tuple(row[place] for place, row in enumerate(m)) for m in diagonal)
    return _Rates(prevalence, tuple(responses[judge] for judge in range(len(votes.judges))))


def _common_eigenvectors(
    matrices: list[Matrix], votes: VoteCounts, pair: tuple[int, int]
) -> tuple[tuple[mpq, ...], ...] | Alarm:
    """Return the common eigenvectors of commuting matrices, each with sum 1, in a canonical order, or an alarm.

    Σ tᵐ M_m tells two different tuples of eigenvalues apart unless t is a root of a polynomial of a degree
    below the number of matrices: that number of values of t for each pair of labels is enough.
    """
    size = len(votes.labels)
    tries = len(matrices) * comb(size, 2)
    for t in range(1, tries + 1):
        mixed = combination([t**m for m in range(len(matrices))], matrices)
        polynomial = characteristic_polynomial(mixed)
        kind = kind_of_roots(polynomial)
        if kind is not RootKind.RATIONAL:
            return _bad_roots(kind, polynomial, t)
        eigenvectors = {
            root: kernel(combination([1, -root], [mixed, identity(size)]))
            for root in rational_roots(polynomial)
        }
        if not is_squarefree(polynomial):
            if sum(map(len, eigenvectors.values())) < size:
                return Alarm(
                    AlarmKind.NOT_DIAGONALISABLE,
                    f"the combination of response matrices with weights {t}^m has a root of "
                    f"{_polynomial_text(polynomial)} twice and too few eigenvectors",
                    {"polynomial": _polynomial_text(polynomial)},
                )
            continue
        vectors = []
        for root, (vector,) in eigenvectors.items():
            total = sum(vector, mpq(0))
            if total == 0:
                words = (
                    f"an eigenvector of the eigenvalue {root} has the sum 0, but the rates of a judge on one "
                    "label have the sum 1"
                )
                return Alarm(AlarmKind.CONTRADICTION, words, {"eigenvalue": root})
            vectors.append(tuple(entry / total for entry in vector))
        return tuple(sorted(vectors, reverse=True))
    names = ", ".join(votes.judges[judge] for judge in pair)
    words = (
        f"all judges but {names} give the same rates on two labels, so the labels cannot be told apart by them: "
        f"each of {tries} combinations of response matrices has a root twice"
    )
    return Alarm(AlarmKind.UNIDENTIFIED, words, {"pair": names, "combinations": tries})


# -- judging the rates -------------------------------------------------------------------------------


def _judged(votes: VoteCounts, rates: _Rates, *, relabelings: bool) -> IndependentSolution:
    labels = range(len(votes.labels))
    right = [
        [sum(table[answer][column] for table in rates.responses) for column in labels] for answer in labels
    ]
    orders = label_orders(right, everything=relabelings)
    solutions = tuple(_evaluation(votes, rates, order) for order in orders)
    alarms = [*range_alarms(solutions[:1], votes), *_not_reproduced(votes, solutions[0])]
    keys: tuple[LabeledVoteCounts, ...] = ()
    if not alarms:
        parts = {
            label: {pattern: joint_count(votes, solutions[0], label, pattern) for pattern in votes.counts}
            for label in votes.labels
        }
        alarms += not_whole_alarms(parts)
        if not alarms:
            keys = tuple(key_from_rates(votes, solution) for solution in solutions)
    return IndependentSolution(votes, Identification.IDENTIFIED, solutions, tuple(alarms), keys)


def _evaluation(votes: VoteCounts, rates: _Rates, order: tuple[int, ...]) -> Evaluation:
    labels = votes.labels
    return Evaluation(
        {label: rates.prevalence[column] for label, column in zip(labels, order, strict=True)},
        [
            {
                label: {given: table[answer][column] for answer, given in enumerate(labels)}
                for label, column in zip(labels, order, strict=True)
            }
            for table in rates.responses
        ],
    )


def _not_reproduced(votes: VoteCounts, solution: Evaluation) -> Iterator[Alarm]:
    """Yield an alarm for the first pattern seen whose count comes out differently.

    The patterns that were not seen need no look: all counts together are the size of the test on both
    sides, and with rates in range none of them is negative.
    """
    for pattern, seen in votes.counts.items():
        expected = sum((joint_count(votes, solution, label, pattern) for label in votes.labels), mpq(0))
        if expected != seen:
            answers = ", ".join(pattern)
            yield Alarm(
                AlarmKind.NOT_REPRODUCED,
                f"the answers {answers} were given {seen} times, but the solution gives {expected}",
                {"pattern": answers, "seen": seen, "expected": expected},
            )
            return


# -- alarms ------------------------------------------------------------------------------------------


def _singular(votes: VoteCounts) -> Alarm:
    labels = len(votes.labels)
    ranks = {
        f"{votes.judges[i]}, {votes.judges[j]}": rank_of(_counts(votes, (i, j)))
        for i, j in combinations(range(len(votes.judges)), 2)
    }
    words = (
        f"the table of answers of every pair of judges is singular (highest rank {max(ranks.values())}, where "
        f"{labels} is regular): a label has no questions, or the judges' rates on the labels are linearly dependent"
    )
    return Alarm(AlarmKind.SINGULAR, words, {f"rank of {names}": rank for names, rank in ranks.items()})


def _not_commuting(votes: VoteCounts, left: tuple[int, int, Matrix], right: tuple[int, int, Matrix]) -> Alarm:
    names = [f"{votes.judges[judge]} answering {votes.labels[k]}" for judge, k, _ in (left, right)]
    forth, back = multiply(left[2], right[2]), multiply(right[2], left[2])
    row, column, entry = next(
        (i, j, x - y)
        for i, (xs, ys) in enumerate(zip(forth, back, strict=True), start=1)
        for j, (x, y) in enumerate(zip(xs, ys, strict=True), start=1)
        if x != y
    )
    return Alarm(
        AlarmKind.NOT_COMMUTING,
        f"the response matrices of {names[0]} and of {names[1]} do not commute: their products in the two orders "
        f"differ by {entry} in row {row}, column {column}",
        {"left": names[0], "right": names[1], "row": row, "column": column, "difference": entry},
    )


def _bad_roots(kind: RootKind, polynomial: tuple[mpq, ...], t: int) -> Alarm:
    text = _polynomial_text(polynomial)
    return Alarm(
        AlarmKind.COMPLEX_ROOTS if kind is RootKind.COMPLEX else AlarmKind.IRRATIONAL_ROOTS,
        f"the characteristic polynomial {text} of the response matrices combined with weights {t}^m does not "
        f"split: {kind.value}",
        {"polynomial": text},
    )


def _polynomial_text(polynomial: tuple[mpq, ...]) -> str:
    degree = len(polynomial) - 1
    return " + ".join(f"({c})·x^{degree - index}" for index, c in enumerate(polynomial))
