"""The sets of evaluations: counts for all key counts, and uniform draws, at Q = 1000 and N = 3."""

from __future__ import annotations

from itertools import islice

from benchmarks.measure import Ratio, compare, seconds
from ntqr_exact import VoteCounts
from ntqr_exact.varieties.consistent import ConsistentSet

PATTERNS = ("aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb")
COUNTS = (269, 88, 88, 60, 81, 74, 64, 276)
KEY = {"a": 400, "b": 600}


def rows(*, quick: bool) -> list[Ratio]:
    consistent = ConsistentSet(VoteCounts(dict(zip(PATTERNS, COUNTS, strict=True))))
    if sum(consistent.counts_by_key().values()) != consistent.count():
        raise ValueError("the counts at all key counts do not add up")
    draws = 200 if quick else 2000
    sampler = consistent.sampler(at=KEY)
    per_draw = min(seconds(lambda: list(islice(sampler.draws(seed=1), draws))) for _ in range(3)) / draws
    return [
        compare(
            "consistent evaluations at all 1001 keys",
            "loop of 8 x 1001 additions",
            ours=consistent.counts_by_key,
            theirs=_bare_loop,
            limit=20,
            repeats=20,
        ),
        Ratio("one uniform draw at key counts", "one millisecond", per_draw, 0.001, limit=1),
    ]


def _bare_loop() -> int:
    total = 0
    for _ in range(8):
        for number in range(1001):
            total += number
    return total
