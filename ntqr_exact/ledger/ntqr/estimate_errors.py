"""How far the estimates of the three tests are from the truth, exactly: the basis of sentences that compare them."""

from __future__ import annotations

from collections.abc import Mapping

from gmpy2 import mpq

from ntqr_exact.evaluation import rational_rate
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.ledger.judgement import Exact
from ntqr_exact.ledger.ntqr import graded_tests as graded


def size(value: Exact) -> Exact:
    """Return the absolute value."""
    return -value if value < 0 else value


def prevalence_error(test: str, column: str) -> Exact:
    """Return |estimated P_a − true P_a|."""
    return size(graded.prevalence(test, column, "a") - graded.prevalence(test, "gt", "a"))


def accuracy_errors(test: str, column: str) -> dict[str, Exact]:
    """Return |estimate − truth| of each accuracy, `a1` for label a and judge 1."""
    return {
        f"{label}{judge + 1}": size(
            graded.accuracy(test, column, label, judge) - graded.accuracy(test, "gt", label, judge)
        )
        for label in graded.LABELS
        for judge in range(3)
    }


def correlations(test: str, column: str, *, end: int = 0) -> dict[str, mpq]:
    """Return Γ of each label and pair; `end` says which end of the consistent ones stands for `iae`."""
    found = {}
    for place, label in enumerate(graded.LABELS):
        for pair in graded.PAIRS:
            if column == "gt":
                value = graded.true_correlation(test, label, pair)
            elif column == "mv":
                value = graded.majority_correlation(test, label, pair)
            else:
                point = graded.consistent_pairs(test, "iae", pair)[end]
                value = rational_rate(point.correlations[place])
            found[f"{label} {pair}"] = value
    return found


def correlation_errors(test: str, column: str, *, end: int = 0) -> dict[str, Exact]:
    """Return |estimate − truth| of each correlation."""
    truth = correlations(test, "gt")
    return {name: size(value - truth[name]) for name, value in correlations(test, column, end=end).items()}


def squares(errors: Mapping[str, Exact]) -> Exact:
    """Return the sum of the squares."""
    total: Exact = mpq(0)
    for error in errors.values():
        total = total + error * error
    return total


def total(errors: Mapping[str, Exact]) -> Exact:
    """Return the sum."""
    result: Exact = mpq(0)
    for error in errors.values():
        result = result + error
    return result


def largest(values: Mapping[str, Exact]) -> tuple[str, Exact]:
    """Return the name and size of the value of the greatest absolute size."""
    name = next(iter(values))
    for other in values:
        if size(values[other]) > size(values[name]):
            name = other
    return name, size(values[name])


def shown(values: Mapping[str, Exact], places: int = 3) -> str:
    """Return the values in a row, as decimals."""
    return ", ".join(f"{name}: {fixed_text(value, places)}" for name, value in values.items())
