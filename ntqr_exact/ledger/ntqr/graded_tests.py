"""The three tests of tables 2 to 7: votes, true grades, estimates of them, and how far these are from the truth.

The votes ship with the library. The majority vote and the independent solution follow from them. The true accuracies are
those printed; the true correlations on label a are those printed, too, and then the votes determine those on label b, since
P_aΓ^a + P_bΓ^b is the same for all answer keys with given accuracies.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from gmpy2 import mpq

from ntqr_exact.evaluation import CountEvaluation, Evaluation, defined, rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.majority import MajorityEvaluation, majority_vote
from ntqr_exact.exact.show import fixed_text
from ntqr_exact.examples import example
from ntqr_exact.ledger.judgement import Exact
from ntqr_exact.ledger.ntqr.pairs import PAIRS
from ntqr_exact.ledger.ntqr.printed_cells import Cell
from ntqr_exact.ledger.ntqr.single_judge import TESTS
from ntqr_exact.ledger.ntqr.trio import BOOK, moments
from ntqr_exact.ledger.printed_value import read_printed
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import PairPoint, pair_correlation
from ntqr_exact.votes.counts import VoteCounts

TABLES = {"two-norm": (2, 3), "uci-adult-imaginary": (4, 5), "uci-adult": (6, 7)}
LABELS = ("a", "b")
__all__ = ["BOOK", "PAIRS", "TESTS"]


@cache
def votes_of(test: str) -> VoteCounts:
    """Return the votes of a test."""
    return example(test).votes


def truth_of(test: str) -> CountEvaluation:
    """Return the true grades, as the accuracies printed under GT tell them."""
    return example(test).evaluation


@cache
def majority_of(test: str) -> MajorityEvaluation:
    """Return the grades by majority vote."""
    return majority_vote(votes_of(test))


@cache
def independent_of(test: str) -> IndependentSolution:
    """Return the solution for independent errors."""
    return solve_independent(votes_of(test))


def discriminant_of(test: str) -> mpq:
    """Return A of the votes; the independent solution is real if it is positive."""
    return moments(votes_of(test))[2]


def estimate_of(test: str) -> Evaluation:
    """Return the solution for independent errors with the fewer questions of a: the one that is printed."""
    first, second = independent_of(test).solutions
    return first if defined(first.prevalence["a"]) < defined(second.prevalence["a"]) else second


@cache
def projected_of(test: str) -> CountEvaluation:
    """Return the consistent whole evaluation nearest to that solution."""
    return ConsistentSet(votes_of(test)).nearest(estimate_of(test)).evaluation


@cache
def consistent_pairs(test: str, grades: str, pair: str) -> tuple[PairPoint, ...]:
    """Return all correlations of a pair that go with the true (`gt`) or the projected (`iae`) grades."""
    evaluation = truth_of(test) if grades == "gt" else projected_of(test)
    return ConsistentSet(votes_of(test)).pair_correlations(evaluation, *PAIRS[pair])


def rates(test: str, column: str) -> Evaluation:
    """Return the true rates, those of the independent solution, or those by majority vote."""
    if column == "iae":
        return estimate_of(test)
    return truth_of(test).rates() if column == "gt" else majority_of(test).evaluation


def accuracy(test: str, column: str, label: str, judge: int) -> Exact:
    """Return P^l_{l_i} of a judge, counted from 0."""
    return defined(rates(test, column).accuracy[judge][label])


def prevalence(test: str, column: str, label: str) -> Exact:
    """Return P_l."""
    return defined(rates(test, column).prevalence[label])


def printed_cell(test: str, label: str, quantity: str, row: str, column: str) -> Cell:
    """Return a cell of tables 2 to 7: `quantity` accuracy or correlation, `row` a judge or a pair."""
    number = TABLES[test][LABELS.index(label)]
    return Cell.from_text(BOOK.printed(f"table-{number}/{quantity}-{label}/{row}/{column}"))


@cache
def true_point(test: str, pair: str) -> PairPoint:
    """Return the true correlations of a pair: the consistent point with the printed GT value of Γ^a."""
    value = printed_cell(test, "a", "correlation", pair, "gt").value
    return next(point for point in consistent_pairs(test, "gt", pair) if point.correlations[0] == value)


def other_point(test: str, pair: str) -> PairPoint | None:
    """Return the one consistent point whose Γ^a rounds to the printed decimal, if the printed fraction does not."""
    text, points = printed_cell(test, "a", "correlation", pair, "gt").decimal, consistent_pairs(test, "gt", pair)
    near = [point for point in points if read_printed(text).rounds(rational_rate(point.correlations[0]))]
    return near[0] if len(near) == 1 and near[0] != true_point(test, pair) else None


def joint_keys(test: str) -> list[int]:
    """Return the possible numbers of questions of a on which all are right, at the true grades of all pairs.

    With k_ij = R^a_{a_i a_j} and s_i = R^a_{a_i} the count of each pattern on label a follows from that number.
    """
    counts, truth = votes_of(test).counts, truth_of(test)
    s1, s2, s3 = (right["a"] for right in truth.correct)
    k12, k13, k23 = (true_point(test, pair).both_right[0] for pair in PAIRS)
    rest = truth.key_counts["a"] - s1 - s2 - s3 + k12 + k13 + k23
    found = []
    for e in range(min(k12, k13, k23) + 1):
        on_a = {
            "aaa": e, "aab": k12 - e, "aba": k13 - e, "baa": k23 - e, "abb": s1 - k12 - k13 + e,
            "bab": s2 - k12 - k23 + e, "bba": s3 - k13 - k23 + e, "bbb": rest - e,
        }  # fmt: skip
        if all(0 <= count <= counts[pattern] for pattern, count in on_a.items()):
            found.append(e)
    return found


def correlations(test: str, column: str, *, end: int = 0) -> dict[str, mpq]:
    """Return Γ of each label and pair; `end` says which end of the consistent ones is taken for `iae`."""
    found = {}
    for place, label in enumerate(LABELS):
        for pair, judges in PAIRS.items():
            if column == "mv":
                value = pair_correlation(majority_of(test).key, label, *judges)
            else:
                point = true_point(test, pair) if column == "gt" else consistent_pairs(test, "iae", pair)[end]
                value = point.correlations[place]
            found[f"{label} {pair}"] = rational_rate(value)
    return found


def size_of(value: Exact) -> Exact:
    """Return the absolute value."""
    return -value if value < 0 else value


def prevalence_error(test: str, column: str) -> Exact:
    """Return |estimated P_a − true P_a|."""
    return size_of(prevalence(test, column, "a") - prevalence(test, "gt", "a"))


def accuracy_errors(test: str, column: str) -> dict[str, Exact]:
    """Return |estimate − truth| of each accuracy, `a1` for label a and judge 1."""
    places = [(label, judge) for label in LABELS for judge in range(3)]
    return {
        f"{label}{judge + 1}": size_of(accuracy(test, column, label, judge) - accuracy(test, "gt", label, judge))
        for label, judge in places
    }


def squares(errors: Mapping[str, Exact]) -> Exact:
    """Return the sum of the squares."""
    return sum((error * error for error in errors.values()), mpq(0))


def largest(values: Mapping[str, Exact]) -> tuple[str, Exact]:
    """Return the name and size of the first value of the greatest absolute size."""
    name = next(iter(values))
    for each in values:
        if size_of(values[each]) > size_of(values[name]):
            name = each
    return name, size_of(values[name])


def decimals(values: Mapping[str, Exact], places: int = 3) -> str:
    """Return the values in a row, as decimals."""
    return ", ".join(f"{name}: {fixed_text(value, places)}" for name, value in values.items())
