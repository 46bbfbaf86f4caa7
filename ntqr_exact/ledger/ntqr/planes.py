"""Captions of figures 2 to 4 of the source: what the answers of one judge leave of its evaluations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import counterexample, decided
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.pair_bounds import single_interval
from ntqr_exact.varieties.projection import individual_from_right

_UCI = ("uci-adult-imaginary", "uci-adult")


def _questions(printed: str, tests: tuple[str, ...]) -> Finding:
    size = rational(printed.replace(",", ""))
    found = {test: graded.votes_of(test).size for test in tests}
    text = ", ".join(f"{test} has {count} questions" for test, count in found.items())
    right = str(found[tests[0]])
    return decided(
        all(size == count for count in found.values()), text, f"printed {printed}", right=right, slip=True
    )


def _counts_per_key(_: str) -> Finding:
    """Judge that the evaluations left, counted for each Q_a, are (R_a + 1)(R_b + 1) in all."""
    lines = []
    holds = True
    for judge in range(3):
        seen = graded.votes_of("two-norm").responses(judge)
        ends = [single_interval(key, seen["a"], seen["b"]) for key in range(sum(seen.values()) + 1)]
        number = sum(high - low + 1 for low, high in ends)
        holds = holds and number == (seen["a"] + 1) * (seen["b"] + 1)
        lines.append(f"judge {judge + 1}: {seen['a'] + 1}·{seen['b'] + 1} = {number}")
    return decided(holds, *lines)


def _plane(_: str, tests: tuple[str, ...]) -> Finding:
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


def _split(printed: str, tests: tuple[str, ...]) -> Finding:
    first, second = (rational(part) for part in printed.split("/"))
    keys = {test: graded.truth_of(test).key_counts for test in tests}
    text = ", ".join(f"{test}: {key['a']} of a and {key['b']} of b" for test, key in keys.items())
    holds = all(first * key["b"] == second * key["a"] for key in keys.values()) and first + second == 100
    return decided(holds, text, f"printed {printed}", right="40/60", slip=True)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/fig-2/questions",
        "figure 2, caption",
        Kind.COUNT,
        "The two-norm test has 1000 questions.",
        partial(_questions, tests=("two-norm",)),
        printed="1,000",
    ),
    Claim(
        "ntqr/fig-2/counts",
        "figure 2, caption",
        Kind.SENTENCE,
        "For each $Q_a$ the figure counts the evaluations of a judge that its answers leave; "
        "in all they are $(R_a + 1)(R_b + 1)$.",
        _counts_per_key,
    ),
    *(
        claim
        for figure, tests in ((3, ("two-norm",)), (4, _UCI))
        for claim in (
            Claim(
                f"ntqr/fig-{figure}/questions",
                f"figure {figure}, caption",
                Kind.COUNT,
                f"The test behind figure {figure} has 1000 questions.",
                partial(_questions, tests=tests),
                printed="1,000",
            ),
            Claim(
                f"ntqr/fig-{figure}/split",
                f"figure {figure}, caption",
                Kind.NUMBER,
                "40 of 100 questions have the label a, 60 the label b.",
                partial(_split, tests=tests),
                printed="40/60",
            ),
            Claim(
                f"ntqr/fig-{figure}/plane",
                f"figure {figure}, caption",
                Kind.SENTENCE,
                "The evaluations that a judge's answers leave lie in a plane of $(Q_a, R^a_a, R^b_b)$.",
                partial(_plane, tests=tests),
            ),
        )
    ),
)
