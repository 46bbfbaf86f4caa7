"""Checks of section 6 and of the appendix: what is concluded, theorem 1 and its eight polynomials, eqs. 41 to 48."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import lcm

from ntqr_exact.evaluation import rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import joint_counts
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.ledger.ntqr.counting import PATTERNS, small_tests, votes_text, without_solution
from ntqr_exact.ledger.ntqr.identities import (
    Hypothesis,
    Printed,
    code,
    hypotheses,
    identity,
    in_parameters,
    in_rates,
    read,
    symbols,
    written_test,
)
from ntqr_exact.ledger.ntqr.synthetic_tables import independent_frequencies, synthetic_evaluation
from ntqr_exact.ledger.registry import printed
from ntqr_exact.postulates.equations import independent, trio
from ntqr_exact.postulates.ideal import eliminate_prevalence
from ntqr_exact.postulates.polynomial import Polynomial, sum_of
from ntqr_exact.postulates.postulate import Postulate
from ntqr_exact.postulates.refutations import Refutation, refute
from ntqr_exact.varieties.compositions import compositions
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import pair_correlation
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


@cache
def generating() -> Mapping[str, str]:
    """Return the eight polynomials as printed; 42 without the β that stands in its text."""
    return {name: printed(f"ntqr/eq-{name}").replace("beta*", "") for name in map(str, range(41, 49))}


def polynomial(printed: Printed, *, name: str) -> Finding:
    """Judge one polynomial for independent judges, and against the library's postulate of that name."""
    found = identity(printed, derivation=name, hypothesis=Hypothesis.INDEPENDENT)
    ours = independent(3)[name].polynomial.substitute({code("Pb"): 1 - symbols()["Pa"]})
    if printed.formula.polynomial() == ours:
        return found
    return as_printed(False, *found.evidence)


def polynomial_with_beta(printed: Printed, *, name: str) -> Finding:
    """Judge a polynomial in which a β stands as an unknown factor: it must hold whatever β is."""
    claim = printed.formula.polynomial()
    if "beta" not in claim.variables():
        return polynomial(printed, name=name)
    proven = not in_parameters(claim.substitute({"beta": 1}), Hypothesis.INDEPENDENT)
    return decided(
        False,
        "β is nowhere explained, and the equation is linear in it",
        "for β = 1 it vanishes identically, so that no other β is right"
        if proven
        else "for β = 1 it fails, too",
        slip=proven,
    )


def given_independence() -> Finding:
    """Put Γ = 0 in the complete postulates of three judges, and count through small tests without correlations."""
    failing = [
        name
        for name, text in generating().items()
        if in_parameters(read(text).polynomial(), Hypothesis.INDEPENDENT)
    ]
    checked = 0
    for test in small_tests(3, 2):
        if all(each.residual(test) == 0 for each in _no_correlations()):
            checked += 1
            failing += [each.name for each in _printed_forms() if each.residual(test) != 0]
    return decided(
        not failing,
        "if all eight Γ are 0, the complete postulates of three judges become eqs. 41 to 48",
        f"so counted in all {checked} tests without correlations that have two questions, one of each label",
    )


@cache
def _printed_forms() -> tuple[Postulate, ...]:
    return tuple(in_rates(name, read(text).polynomial()) for name, text in generating().items())


@cache
def _no_correlations() -> tuple[Postulate, ...]:
    """Return that each of the error correlations of three judges is 0."""
    names = {name for each in trio().rates for name in each.polynomial.variables()}
    return tuple(in_rates(name, Polynomial.variable(name)) for name in sorted(names) if name.startswith("G"))


def variety() -> Finding:
    """Judge that the true rates of independent judges solve the eight equations."""
    failing = [
        each.name for each in _printed_forms() if in_parameters(each.polynomial, Hypothesis.INDEPENDENT)
    ]
    empty = without_solution()
    return decided(
        not failing,
        "the true rates of independent judges solve eqs. 41 to 48, so that the variety contains them",
        "for other judges it may be empty: "
        f"{votes_text(empty)}: elimination ends in {eliminate_prevalence(empty).outcome.value}",
    )


def every_pattern() -> Finding:
    """Judge that the eight equations give the frequency of every pattern: their right sides add up to 1."""
    total = sum_of(read(text).polynomial() for text in generating().values())
    frequencies = sum_of(read(text.split("=")[0]).polynomial() for text in generating().values())
    found = refute(in_rates("Γ^a = 0", symbols()["Ga12"]), hypotheses(Hypothesis.INDEPENDENT))
    other = (
        f"they do not imply independence: {written_test(found.test)} has Γ^a_{{1,2}} = {found.residual}, and 41 to 48 "
        "hold with the true rates, since P_aΓ^a + P_bΓ^b = 0"
        if isinstance(found, Refutation)
        else "no small test with correlations satisfies them"
    )
    return decided(
        total == frequencies - 1, f"{len(generating())} = 2³ equations, whose right sides add up to 1", other
    )


_PAIRS = ((0, 1), (0, 2), (1, 2))


def _votes(counts: tuple[int, ...]) -> VoteCounts:
    return VoteCounts(dict(zip(PATTERNS, counts, strict=True)), ("a", "b"), ("1", "2", "3"))


def self_alarm() -> Finding:
    """Judge that correlated judges can make the independent evaluator raise an alarm."""
    loud = [test for test in graded.TESTS if graded.independent_of(test).alarms]
    silent, key = _silent_key()
    found = {pair: pair_correlation(key, "a", *pair) for pair in _PAIRS}
    text = ", ".join(f"Γ^a_{i + 1}{j + 1} = {value}" for (i, j), value in found.items())
    return decided(
        bool(loud),
        f"it raises alarms on {', '.join(loud)}",
        f"it need not: {silent.size} questions with votes {_shown(silent)} raise no alarm, and the key that gives a to "
        f"{_shown(key.by_label['a'])} has {text}",
    )


def _silent_key() -> tuple[VoteCounts, LabeledVoteCounts]:
    """Return the first smallest votes with identified judges, no alarm, and a key with a correlation."""
    for size in range(1, 8):
        for counts in compositions(size, 8):
            votes = _votes(counts)
            solution = solve_independent(votes)
            if solution.alarms or not solution.solutions:
                continue
            for key in ConsistentSet(votes):
                if key.key_counts["a"] and any(
                    rational_rate(pair_correlation(key, "a", *pair)) != 0 for pair in _PAIRS
                ):
                    return votes, key
    return _votes((0,) * 8), LabeledVoteCounts({"a": _votes((0,) * 8)})


def _shown(votes: VoteCounts) -> str:
    return " ".join(f"{''.join(pattern)}:{count}" for pattern, count in votes.counts.items() if count)


def guaranteed() -> Finding:
    """Judge what frequencies the equations generate: from rates that one chooses, and those that one wants."""
    counts = joint_counts(VoteCounts({"aaa": 1}), synthetic_evaluation())
    size = lcm(*(int(share.denominator) for by_pattern in counts.values() for share in by_pattern.values()))
    wanted = _votes((0, 1, 1, 0, 1, 0, 0, 0))
    frequencies = independent_frequencies(synthetic_evaluation())
    return by_reading(
        {
            "the rates can be chosen freely": decided(
                sum(frequencies.values()) == 1 and all(value >= 0 for value in frequencies.values()),
                f"those of table 8 give the frequencies of an independent test of {size} questions",
            ),
            "the frequencies can be chosen freely": decided(
                bool(solve_independent(wanted).solutions), f"votes {_shown(wanted)}: no rates generate them"
            ),
        }
    )
