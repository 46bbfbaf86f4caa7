"""Sentences of the conclusions and of the appendix (sections 6, 7.1 and 7.2) of the source."""

from __future__ import annotations

from math import lcm, prod

from gmpy2 import mpq

from ntqr_exact.evaluation import rational_rate
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import joint_counts
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, counterexample, decided, not_checkable
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.ledger.ntqr.synthetic_trio import (
    PATTERNS,
    independent_frequencies,
    printed_votes,
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


def _self_alarm(_: str) -> Finding:
    """Judge that correlated judges make the independent evaluator raise an alarm: sometimes, or always."""
    loud = [test for test in graded.TESTS if graded.independent_of(test).alarms]
    silent, key = _silent_key()
    found = {pair: pair_correlation(key, "a", *pair) for pair in _PAIRS}
    text = ", ".join(f"Γ^a_{i + 1}{j + 1} = {value}" for (i, j), value in found.items())
    return by_reading(
        {
            "it can": decided(bool(loud), f"it raises alarms on {', '.join(loud)}"),
            "it always does": decided(
                not any(found.values()),
                f"{silent.size} question{'s' if silent.size > 1 else ''}, votes {_shown(silent)}: no alarm, yet "
                f"with the key that gives a to {_shown(key.by_label['a'])}: {text}",
                right="an alarm proves correlation; no alarm does not disprove it",
            ),
        }
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


def _only_correlation(_: str) -> Finding:
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
        "pair 1-2 at the projected grades: "
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


def _detects_failure(_: str) -> Finding:
    return not_checkable(
        "a rule that says which correlations make an evaluation suspect; the one failed evaluation was known by its "
        "imaginary root, and has no correlations in the tables"
    )


def _soundness(_: str) -> Finding:
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


def _guaranteed(_: str) -> Finding:
    """Judge what frequencies the equations generate: rates to frequencies, and frequencies wanted to rates."""
    evaluation = synthetic_evaluation()
    size = _least_size()
    wanted = _votes((0, 1, 1, 0, 1, 0, 0, 0))
    frequencies = independent_frequencies(evaluation)
    return by_reading(
        {
            "any rational rates give frequencies of independent judges": decided(
                sum(frequencies.values()) == 1 and all(value >= 0 for value in frequencies.values()),
                f"those of table 8 are frequencies of an independent test of {size} questions, and no smaller one",
            ),
            "in a test of any size": decided(
                size == 1,
                f"with the rates of table 8 all counts by label are whole only if {size} divides their number",
            ),
            "any frequencies can be wanted": decided(
                bool(solve_independent(wanted).solutions),
                f"votes {_shown(wanted)}: no rates generate them",
                right="one may choose the rates, not the frequencies",
            ),
        }
    )


def _least_size() -> int:
    """Return the least number of questions of an independent test with the rates of table 8."""
    evaluation = synthetic_evaluation()
    counts = joint_counts(VoteCounts({"aaa": 1}), evaluation)
    shares: list[mpq] = [count for by_pattern in counts.values() for count in by_pattern.values()]
    return lcm(*(int(share.denominator) for share in shares))


def _random_choice(_: str) -> Finding:
    return not_checkable("how the rates of table 8 were drawn")


def _uses(_: str) -> Finding:
    """Judge that eqs. 41 to 48 with table 8 give table 9, as it is printed."""
    frequencies, votes = independent_frequencies(synthetic_evaluation()), printed_votes()
    same = [pattern for pattern in PATTERNS if votes.frequency(pattern) == frequencies[pattern]]
    return decided(
        len(same) == len(PATTERNS), f"{len(same)} of 8 frequencies are those printed, over {votes.size}"
    )


def _one_year(printed: str) -> Finding:
    """Judge references that name one volume of proceedings, with the same pages, and a year."""
    entries = [part.rsplit(", ", 1) for part in printed.split("; ")]
    places = {place for place, _ in entries}
    years = [year for _, year in entries]
    return decided(
        len(places) == len({tuple(entry) for entry in entries}),
        f"{len(entries)} references stand for {' and '.join(sorted(places))}, in {' and '.join(years)}",
        right="one volume appeared in one year, so at most one of the two references is right",
        slip=True,
    )


_SENTENCES = (
    (
        "sec-6/self-alarm",
        "section 6",
        "The independent evaluator can raise an alarm by itself when the judges are correlated.",
        _self_alarm,
    ),
    (
        "sec-6/only-consistent-correlation",
        "section 6",
        "Given the grades of two judges, only one pair correlation is logically consistent.",
        _only_correlation,
    ),
    (
        "sec-6/detects-failure",
        "section 6",
        "The estimated error correlation was used to detect evaluations that should be suspected.",
        _detects_failure,
    ),
    (
        "sec-6/soundness",
        "section 6",
        "Without an answer key only consistency can be shown, never soundness.",
        _soundness,
    ),
    (
        "sec-7-2/guaranteed",
        "section 7.2",
        "Eqs. 41 to 48 generate whatever frequencies one wants, surely those of independent judges.",
        _guaranteed,
    ),
    ("sec-7-2/random-choice", "section 7.2", "Table 8 is a single random choice.", _random_choice),
    ("sec-7-2/table-9", "section 7.2", "The generating polynomials turn table 8 into table 9.", _uses),
)

CLAIMS: tuple[Claim, ...] = (
    *(
        Claim(f"ntqr/{name}", place, Kind.SENTENCE, statement, check)
        for name, place, statement, check in _SENTENCES
    ),
    Claim(
        "ntqr/references/1-and-2",
        "references 1 and 2",
        Kind.SENTENCE,
        "References 1 and 2 have the same title, proceedings, volume and pages, and each has a year.",
        _one_year,
        printed="volume 48, pages 1416-1425, 2014; volume 48, pages 1416-1425, 2016",
    ),
)
