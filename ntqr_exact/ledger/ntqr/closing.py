"""Sentences of the conclusions and of the appendix (sections 6, 7.1 and 7.2) of the source."""

from __future__ import annotations

from math import lcm, prod

from gmpy2 import mpq

from ntqr_exact.evaluation import rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import joint_counts
from ntqr_exact.ledger.checks import check
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, counterexample, decided
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.ledger.ntqr.synthetic_trio import (
    PATTERNS,
    independent_frequencies,
    synthetic_evaluation,
)
from ntqr_exact.varieties.compositions import compositions
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import pair_correlation
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_PAIRS = ((0, 1), (0, 2), (1, 2))


def _votes(counts: tuple[int, ...]) -> VoteCounts:
    return VoteCounts(dict(zip(PATTERNS, counts, strict=True)), ("a", "b"), ("1", "2", "3"))


@check
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


@check
def only_correlation() -> Finding:
    """Judge that the grades of a pair leave one pair correlation: on small tests, and on those of the tables."""
    text = _several_correlations(4)
    numbers = {
        test: len(graded.consistent_pairs(test, "iae", "1-2"))
        for test in graded.TESTS
        if graded.is_real(test)
    }
    return decided(
        not text and set(numbers.values()) == {1},
        f"smallest counterexample: {text}",
        "judges 1 and 2 at the projected grades of all three judges: "
        + ", ".join(f"{test} {count} values" for test, count in numbers.items()),
        right="only P_aΓ^a + P_bΓ^b is determined; the consistent (Γ^a, Γ^b) are the whole points of an interval",
    )


def _several_correlations(most: int) -> str:
    """Describe the first smallest test of two judges, of up to so many questions, whose grades leave several."""
    for size in range(1, most + 1):
        for counts in compositions(size, 4):
            votes = VoteCounts(
                dict(zip(("aa", "ab", "ba", "bb"), counts, strict=True)), ("a", "b"), ("1", "2")
            )
            consistent = ConsistentSet(votes)
            for grades in consistent.projection():
                points = consistent.pair_correlations(grades, 0, 1)
                if len({point.correlations for point in points}) > 1:
                    right = "; ".join(f"{each['a']} on a, {each['b']} on b" for each in grades.correct)
                    values = " and ".join(f"({', '.join(map(str, point.correlations))})" for point in points)
                    return f"votes {_shown(votes)}, right answers {right}: (Γ^a, Γ^b) = {values}"
    return ""


@check
def soundness() -> Finding:
    """Judge that votes never determine the key: with Q ≥ 1 questions several answer keys are consistent."""

    def number(counts: tuple[int, ...]) -> int:
        return ConsistentSet(_votes(counts)).count()

    return counterexample(
        (
            (
                f"votes {counts}: {number(counts)} group evaluations",
                number(counts) == prod(c + 1 for c in counts) >= 2,
            )
            for size in range(1, 4)
            for counts in compositions(size, 8)
        ),
        checked="all votes of three judges on one to three questions",
        proof="each pattern's c questions can have 0 to c true labels a, so Π(c + 1) ≥ 2 evaluations are consistent",
    )


@check
def guaranteed() -> Finding:
    """Judge what frequencies the equations generate: from rates that one chooses, and those that one wants."""
    size = _least_size()
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


def _least_size() -> int:
    """Return the least number of questions of an independent test with the rates of table 8."""
    evaluation = synthetic_evaluation()
    counts = joint_counts(VoteCounts({"aaa": 1}), evaluation)
    shares: list[mpq] = [count for by_pattern in counts.values() for count in by_pattern.values()]
    return lcm(*(int(share.denominator) for share in shares))
