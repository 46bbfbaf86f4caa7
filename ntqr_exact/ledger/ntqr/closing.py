"""Checks of sentences of the conclusions and of the appendix (sections 6, 7.1 and 7.2) of the source."""

from __future__ import annotations

from math import lcm

from gmpy2 import mpq

from ntqr_exact.evaluation import rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import joint_counts
from ntqr_exact.ledger.judgement import Finding, by_reading, decided
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
