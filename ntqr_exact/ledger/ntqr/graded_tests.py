"""The three tests of tables 2 to 7: votes, true grades, estimates of them, and how far these are from the truth.

The votes ship with the library. The majority vote and the independent solution follow from them. The true accuracies are
those printed; the true correlations on label a are those printed, too, and then the votes determine those on label b, since
P_aΓ^a + P_bΓ^b is the same for all answer keys with given accuracies.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property

from gmpy2 import mpq

from ntqr_exact.evaluation import CountEvaluation, Evaluation, defined, rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.majority import majority_vote
from ntqr_exact.examples import example
from ntqr_exact.ledger.judgement import Exact
from ntqr_exact.ledger.ntqr.pairs import PAIRS
from ntqr_exact.ledger.ntqr.printed_cells import Cell
from ntqr_exact.ledger.ntqr.single_judge import TESTS
from ntqr_exact.ledger.ntqr.trio import BOOK, moments
from ntqr_exact.ledger.printed_value import read_printed
from ntqr_exact.varieties.consistent import ConsistentSet, PairPoint, error_correlation

TABLES = {"two-norm": (2, 3), "uci-adult-imaginary": (4, 5), "uci-adult": (6, 7)}
LABELS = ("a", "b")


def _size(value: Exact) -> Exact:
    return -value if value < 0 else value


class GradedTest:
    """One of the three tests; a column is gt (the truth), iae (the independent solution) or mv (majority vote)."""

    def __init__(self, name: str) -> None:
        self.name, self.votes, self.truth = name, example(name).votes, example(name).evaluation
        self.majority, self.alarms = majority_vote(self.votes), solve_independent(self.votes).alarms
        self.discriminant = moments(self.votes)[2]

    @classmethod
    def from_text(cls, text: str) -> GradedTest:
        """Return the test of this name."""
        return graded(text)

    def __str__(self) -> str:
        return self.name

    @cached_property
    def estimate(self) -> Evaluation:
        """The solution for independent errors with the fewer questions of a: the one that is printed."""
        return min(solve_independent(self.votes).solutions, key=lambda each: defined(each.prevalence["a"]))

    @cached_property
    def projected(self) -> CountEvaluation:
        """The consistent whole evaluation nearest to that solution."""
        return ConsistentSet(self.votes).nearest(self.estimate).evaluation

    def consistent(self, column: str, pair: str) -> tuple[PairPoint, ...]:
        """Return all correlations of a pair that go with the true or the projected grades."""
        return _consistent(self.name, column, pair)

    def rates(self, column: str) -> Evaluation:
        """Return the rates of a column."""
        if column == "iae":
            return self.estimate
        return self.truth.rates() if column == "gt" else self.majority.evaluation

    def accuracy(self, column: str, label: str, judge: int) -> Exact:
        """Return P^l_{l_i} of a judge, counted from 0."""
        return defined(self.rates(column).accuracy[judge][label])

    def prevalence(self, column: str, label: str = "a") -> Exact:
        """Return P_l."""
        return defined(self.rates(column).prevalence[label])

    def printed(self, label: str, quantity: str, row: str, column: str) -> Cell:
        """Return a cell of tables 2 to 7: `quantity` accuracy or correlation, `row` a judge or a pair."""
        number = TABLES[self.name][LABELS.index(label)]
        return Cell.from_text(BOOK.printed(f"table-{number}/{quantity}-{label}/{row}/{column}"))

    def true_point(self, pair: str) -> PairPoint:
        """Return the true correlations of a pair: the consistent point with the printed GT value of Γ^a."""
        value = self.printed("a", "correlation", pair, "gt").value
        return next(point for point in self.consistent("gt", pair) if point.correlations[0] == value)

    def other_point(self, pair: str) -> PairPoint | None:
        """Return the one consistent point whose Γ^a rounds to the printed decimal, if the printed fraction does not."""
        decimal = read_printed(self.printed("a", "correlation", pair, "gt").decimal)
        near = [point for point in self.consistent("gt", pair) if decimal.rounds(rational_rate(point.correlations[0]))]
        return near[0] if len(near) == 1 and near[0] != self.true_point(pair) else None

    def correlations(self, column: str, *, end: int = 0) -> dict[str, mpq]:
        """Return Γ of each label and pair; `end` says which end of the consistent ones is taken for `iae`."""
        result = {}
        for place, label in enumerate(LABELS):
            for pair, judges in PAIRS.items():
                if column == "mv":
                    value = error_correlation(self.majority.key, label, *judges)
                else:
                    point = self.true_point(pair) if column == "gt" else self.consistent("iae", pair)[end]
                    value = point.correlations[place]
                result[f"{label} {pair}"] = rational_rate(value)
        return result

    def prevalence_error(self, column: str) -> Exact:
        """Return |estimated P_a − true P_a|."""
        return _size(self.prevalence(column) - self.prevalence("gt"))

    def accuracy_errors(self, column: str) -> dict[str, Exact]:
        """Return |estimate − truth| of each accuracy, `a1` for label a and judge 1."""
        places = [(label, judge) for label in LABELS for judge in range(3)]
        return {f"{of}{j + 1}": _size(self.accuracy(column, of, j) - self.accuracy("gt", of, j)) for of, j in places}


@cache
def graded(name: str) -> GradedTest:
    """Return one of the three tests."""
    return GradedTest(name)


@cache
def _consistent(name: str, column: str, pair: str) -> tuple[PairPoint, ...]:
    evaluation = graded(name).truth if column == "gt" else graded(name).projected
    return ConsistentSet(graded(name).votes).pair_correlations(evaluation, *PAIRS[pair])


GRADED = TWO_NORM, IMAGINARY, ADULT = tuple(map(graded, TESTS))


def squares(errors: Mapping[str, Exact]) -> Exact:
    """Return the sum of the squares."""
    return sum((error * error for error in errors.values()), mpq(0))


def largest(values: Mapping[str, Exact]) -> tuple[str, Exact]:
    """Return the name and size of the first value of the greatest absolute size."""
    sizes = {name: _size(value) for name, value in values.items()}
    name = max(sizes, key=lambda each: sizes[each])
    return name, sizes[name]
