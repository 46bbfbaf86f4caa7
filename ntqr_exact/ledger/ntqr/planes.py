"""Figures 2 to 4 of the source: what the answers of one judge leave of its evaluations."""

from __future__ import annotations

from collections.abc import Iterator

from gmpy2 import mpq

from ntqr_exact.ledger.checks import check
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import counterexample, decided
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.pair_bounds import single_interval
from ntqr_exact.varieties.projection import individual_from_right


@check
def questions(printed: mpq, *, tests: tuple[str, ...]) -> Finding:
    """Judge how many questions tests have."""
    found = {test: graded.votes_of(test).size for test in tests}
    text = ", ".join(f"{test} has {count} questions" for test, count in found.items())
    return decided(all(printed == count for count in found.values()), text, right=str(found[tests[0]]), slip=True)


@check
def counts_per_key(*, test: str) -> Finding:
    """Judge that the evaluations left, counted for each Q_a, are (R_a + 1)(R_b + 1) in all."""
    lines = []
    holds = True
    for judge in range(3):
        seen = graded.votes_of(test).responses(judge)
        ends = [single_interval(key, seen["a"], seen["b"]) for key in range(sum(seen.values()) + 1)]
        number = sum(high - low + 1 for low, high in ends)
        holds = holds and number == (seen["a"] + 1) * (seen["b"] + 1)
        lines.append(f"judge {judge + 1}: {seen['a'] + 1}·{seen['b'] + 1} = {number}")
    return decided(holds, *lines)


@check
def plane(*, tests: tuple[str, ...]) -> Finding:
    """Judge that the evaluations left lie in the plane R^a_a − R^b_b − Q_a + R_b = 0, and only there."""

    def cases() -> Iterator[tuple[str, bool]]:
        for test in tests:
            for judge in range(3):
                votes = graded.votes_of(test).marginal(judge)
                seen = votes.responses(0)
                consistent = ConsistentSet(votes).projection()
                for key in range(0, votes.size + 1, 50):
                    for right in single_interval(key, seen["a"], seen["b"]):
                        point = individual_from_right(votes, key, (right,))
                        on_b = point.correct[0]["b"]
                        name = f"{test}, judge {judge + 1}: Q_a = {key}, R^a = {right}, R^b = {on_b}"
                        yield name, point in consistent and right - on_b - key + seen["b"] == 0

    return counterexample(
        cases(),
        checked="the ends of the line of each fiftieth Q_a",
        proof="R^a_a − R^b_b = Q_a − R_b, the second line of eq. 16 as corrected there, is a plane for given R_b",
    )


@check
def split(printed: tuple[mpq, mpq], *, tests: tuple[str, ...]) -> Finding:
    """Judge of how many hundredths each label is true."""
    keys = {test: graded.truth_of(test).key_counts for test in tests}
    text = ", ".join(f"{test}: {key['a']} of a and {key['b']} of b" for test, key in keys.items())
    first, second = printed
    holds = all(first * key["b"] == second * key["a"] for key in keys.values()) and first + second == 100
    return decided(holds, text, right="40/60", slip=True)
