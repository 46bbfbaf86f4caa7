"""Many votes at once: a million sketches against 400 multiplications of as many numbers, and one at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.measure import Ratio, compare
from ntqr_exact.census.census import take_census
from ntqr_exact.census.enumeration import row_at, votes_count
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independence_class import independence_class
from ntqr_exact.evaluators.independent.many_trios import solve_independent_many, votes_of_row

SKETCHES = 1_000_000
MULTIPLICATIONS = 400
TWO_NORM = (181, 90, 86, 115, 86, 109, 100, 233)


def rows(*, quick: bool) -> list[Ratio]:
    generator = np.random.default_rng(1)
    left, right = generator.integers(-(2**31), 2**31, (2, SKETCHES))
    spread = np.array(TWO_NORM) / sum(TWO_NORM)
    kinds = {
        "Q = 12, any votes": generator.multinomial(12, np.full(8, 1 / 8), SKETCHES),
        "Q = 1000, like two-norm": generator.multinomial(1000, spread, SKETCHES),
        "with independent keys": _independent(generator),
    }
    found = []
    for name, counts in kinds.items():
        _require_same(counts[:200])
        found.append(
            compare(
                f"a million trio sketches, {name}",
                f"{MULTIPLICATIONS} int64 products, numpy {np.__version__}",
                ours=lambda counts=counts: solve_independent_many(counts),
                theirs=lambda: _multiply(left, right),
                limit=1,
                repeats=2 if quick else 4,
                our_repeats=2,
            )
        )
    return [*found, _beyond(generator, quick=quick), _census(quick=quick)]


def _multiply(left: Any, right: Any) -> None:
    for _ in range(MULTIPLICATIONS):
        left * right


def _independent(generator: np.random.Generator) -> Any:
    """Return votes of judges of rates in quarters, on 64 to 320 questions of each label."""
    total = np.zeros((SKETCHES, 8), dtype=np.int64)
    for _ in range(2):
        weight = generator.integers(1, 6, SKETCHES)
        right = generator.integers(0, 5, (3, SKETCHES))
        for place in range(8):
            answers = [right[i] if not place >> (2 - i) & 1 else 4 - right[i] for i in range(3)]
            total[:, place] += weight * answers[0] * answers[1] * answers[2]
    return total


def _require_same(counts: Any) -> None:
    many = solve_independent_many(counts)
    for place, row in enumerate(counts.tolist()):
        if many.kind(place) is not independence_class(solve_independent(votes_of_row(row))):
            raise ValueError("the verdicts differ")


def _beyond(generator: np.random.Generator, *, quick: bool) -> Ratio:
    size = 2_000 if quick else 10_000
    counts = generator.multinomial(10**6, np.full(8, 1 / 8), size)
    votes = [votes_of_row(row) for row in counts.tolist()]
    return compare(
        f"{size:,} sketches beyond 64 bits, Q = 1,000,000",
        "solve_independent, one at a time",
        ours=lambda: solve_independent_many(counts),
        theirs=lambda: [solve_independent(each) for each in votes],
        limit=1 / 8,
        repeats=1 if quick else 2,
        our_repeats=3,
    )


def _census(*, quick: bool) -> Ratio:
    questions = 7 if quick else 9
    return compare(
        f"census of all {votes_count(questions):,} votes, Q = {questions}",
        "solve_independent, one at a time",
        ours=lambda: take_census(questions),
        theirs=lambda: [
            solve_independent(votes_of_row(row_at(questions, rank))) for rank in range(votes_count(questions))
        ],
        limit=1 / 20,
        repeats=1 if quick else 2,
        our_repeats=5,
    )
