"""Exact tests, intervals and resamples within stated seconds; the peer's floats are timed in the same run."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import stats
from sklearn.metrics import average_precision_score

from benchmarks.measure import Ratio, seconds
from ntqr_exact import (
    Binomial,
    PartialKey,
    VoteCounts,
    bootstrap_area,
    choose_questions,
    interval,
    mcnemar_test,
)


def rows(*, quick: bool) -> list[Ratio]:
    pairs, outputs, resamples = (10**5, 10**8, 100) if quick else (10**6, 10**9, 1000)
    only, positives, size = pairs * 499 // 1000, outputs // 3, 10_000
    generator = np.random.default_rng(3)
    scores = generator.random(size)
    labels = (generator.random(size) < scores).astype(np.int64)
    if abs(float(mcnemar_test(only, pairs - only)) / stats.binomtest(only, pairs).pvalue - 1) > 1e-9:
        raise ValueError("the two p-values differ")

    def float_resamples() -> None:
        for _ in range(resamples):
            drawn = generator.integers(0, size, size)
            average_precision_score(labels[drawn], scores[drawn])

    return [
        _within(
            2,
            f"McNemar's test as a fraction, {pairs:,} pairs",
            partial(mcnemar_test, only, pairs - only),
            ("scipy", partial(stats.binomtest, only, pairs)),
        ),
        _within(
            2,
            f"Clopper and Pearson's interval, {outputs:,} outputs",
            lambda: interval(Binomial(outputs), positives, "clopper_pearson").decimals(12),
            ("scipy", lambda: stats.binomtest(positives, outputs).proportion_ci(method="exact")),
        ),
        _within(
            30 * resamples / 1000,
            f"average precision of {resamples:,} resamples as fractions, {size:,} points",
            partial(bootstrap_area, labels, scores, resamples=resamples, seed=1),
            ("scikit-learn", float_resamples),
        ),
        _within(5, "right answers by strata, 3 judges, 3,200 questions, 200 graded", _strata()),
    ]


def _within(
    allowed: float,
    name: str,
    ours: Callable[[], object],
    peer: tuple[str, Callable[[], object]] | None = None,
) -> Ratio:
    """Return our seconds over those allowed."""
    other = f"; {peer[0]}: {seconds(peer[1]):.2g} s" if peer else ""
    return Ratio(name, f"{allowed:g} s allowed{other}", seconds(ours), allowed, limit=1)


def _strata() -> Callable[[], object]:
    """Return the intervals of three judges, right four times in five, whose questions were drawn by pattern."""
    draw = random.Random(0)
    truths: dict[Any, list[str]] = {}
    for _ in range(3200):
        truth = draw.choice("ab")
        pattern = tuple(truth if draw.random() < 0.8 else "ba"["ab".index(truth)] for _ in range(3))
        truths.setdefault(pattern, []).append(truth)
    votes = VoteCounts({pattern: len(found) for pattern, found in truths.items()})
    graded: dict[str, dict[Any, int]] = {"a": {}, "b": {}}
    for pattern, number in choose_questions(votes, 200, by_pattern=True, seed=1).questions:
        row = graded[truths[pattern][number - 1]]
        row[pattern] = row.get(pattern, 0) + 1
    key = PartialKey(votes, graded, drawn="by_strata")
    return lambda: [key.right_answers(judge) for judge in votes.judges]
