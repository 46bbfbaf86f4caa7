"""The synthetic evaluation of table 8, and the frequencies and votes that follow from it."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import lcm

from gmpy2 import mpq

from ntqr_exact.algebra.notation import accuracy, prevalence
from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import TrioMoments
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.ntqr.graded_tests import moments_in
from ntqr_exact.ledger.registry import printed
from ntqr_exact.postulates.construction import answers, expected_frequency
from ntqr_exact.votes.counts import VoteCounts

JUDGES = ("1", "2", "3")
PATTERNS = tuple("".join(pattern) for pattern in product("ab", repeat=3))


@cache
def synthetic_evaluation() -> Evaluation:
    """Return the evaluation of table 8: P_a and the accuracies of three judges."""
    share = rational(printed("ntqr/table-8/caption/prevalence"))
    rates = [{label: printed(f"ntqr/table-8/accuracy-{label}/{judge}") for label in "ab"} for judge in JUDGES]
    return Evaluation.from_accuracies({"a": share, "b": 1 - share}, rates)


def independent_frequencies(evaluation: Evaluation) -> dict[str, mpq]:
    """Return f of each pattern of three independent judges, eqs. 41 to 48."""
    values: dict[str, mpq] = {}
    for label in "ab":
        values[prevalence(label).name] = rational_rate(evaluation.prevalence[label])
        for judge, right in enumerate(evaluation.accuracy):
            values[accuracy(label, judge).name] = rational_rate(right[label])
    found = {}
    for pattern in PATTERNS:
        polynomial = expected_frequency(answers(tuple(pattern)), ("a", "b"), independent=True)
        value = polynomial.evaluate({name: values[name] for name in polynomial.variables()})
        found[pattern] = rational_rate(value)
    return found


def votes_with(frequencies: dict[str, mpq]) -> VoteCounts:
    """Return the votes of the smallest test with given frequencies."""
    size = lcm(*(int(value.denominator) for value in frequencies.values()))
    return VoteCounts({pattern: int(value * size) for pattern, value in frequencies.items()})


@cache
def synthetic_votes() -> VoteCounts:
    """Return the votes of the smallest test with the frequencies of the synthetic evaluation."""
    return votes_with(independent_frequencies(synthetic_evaluation()))


@cache
def printed_votes() -> VoteCounts:
    """Return the votes that table 9 prints."""
    return votes_with({pattern: rational(printed(f"ntqr/table-9/{pattern}")) for pattern in PATTERNS})


def synthetic_moments() -> TrioMoments:
    """Return Δ, T, Π and A of the synthetic votes."""
    return moments_in(solve_independent(synthetic_votes()))
