"""Derivation of bias-adjusted metrics: the area under the precision-recall curve."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from itertools import pairwise

from gmpy2 import mpq

from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.equations import FormulaText, formula
from ntqr_exact.ledger.judgement import Finding, by_reading, decided
from ntqr_exact.metrics.areas import Anchor, pr_auc
from ntqr_exact.metrics.curves import precision_recall_curve
from ntqr_exact.metrics.undefined import defined

Point = tuple[mpq, mpq]
"""Recall and precision."""

LABELS, SCORES = (1, 0, 1), ("0.9", "0.9", "0.1")
"""The smallest test on which the three ways to begin the curve have three areas."""


def points_of(labels: Sequence[int], scores: Sequence[object]) -> list[Point]:
    """Return the points of the curve from the highest threshold down."""
    curve = precision_recall_curve(labels, [rational(str(score)) for score in scores])
    return [(defined(recall), defined(precision)) for recall, precision in curve.points()]


def trapezoids(points: Sequence[Point]) -> mpq:
    """Return Σ ½(r' − r)(p + p')."""
    return sum(((right[0] - left[0]) * (left[1] + right[1]) / 2 for left, right in pairwise(points)), mpq(0))


def rankings(size: int) -> list[tuple[int, ...]]:
    """Return all labels, with a positive, of samples in the order of their scores, which are distinct."""
    return [
        labels for n in range(1, size + 1) for labels in itertools.product((0, 1), repeat=n) if any(labels)
    ]


def recall_rises() -> Finding:
    """Follow recall down the thresholds of all small rankings."""
    cases = [points_of(labels, range(len(labels), 0, -1)) for labels in rankings(5)]
    return decided(
        all(left[0] <= right[0] for points in cases for left, right in pairwise(points)),
        f"recall never falls as the threshold does, on all {len(cases)} rankings of at most 5 samples",
        "a lower threshold predicts more positives, so true positives are not lost",
    )


def term(printed: FormulaText) -> Finding:
    """Compare a term of the sum with the trapezoid between two points, and the sum with the library's area."""
    claimed = formula(printed)
    area = mpq(0)
    for (r1, p1), (r2, p2) in pairwise(points_of(LABELS, SCORES)):
        area += rational(str(claimed.evaluate({"r1": r1, "p1": p1, "r2": r2, "p2": p2})))
    found = pr_auc(LABELS, SCORES, anchor=Anchor.NONE)
    return decided(
        claimed.equals(formula("(r2 - r1)*p1 + (r2 - r1)*(p2 - p1)/2")) and area == found,
        f"labels {LABELS}, scores {', '.join(SCORES)}: the sum is {area}, the area {found}",
        "rectangle plus triangle between two points: (r' − r)p + (r' − r)(p' − p)/2",
        right="1/2*(r2 - r1)*(p1 + p2)",
        slip=True,
    )


def last_index(printed: FormulaText) -> Finding:
    """Take the terms below the printed limit: they must use all neighbours among the points 1 to |E|."""
    size = len(points_of(LABELS, SCORES))
    limit = int(rational(str(formula(printed).evaluate({"E": mpq(size)}))))
    used = [(i, i + 1) for i in range(1, limit)]
    wanted = [(i, i + 1) for i in range(1, size)]
    return decided(
        used == wanted,
        f"{size} points, numbered from 1: {len(used)} terms for {len(wanted)} pairs of neighbours",
        right="E",
        slip=True,
    )


def start() -> Finding:
    """Begin the curve in each of three ways: a perfect ranking must have area 1."""
    perfect = ((1, 0), ("0.9", "0.1"))
    found = {}
    for anchor in Anchor:
        best = pr_auc(*perfect, anchor=anchor)
        found[f"begins at {anchor.value}"] = decided(
            best == 1,
            f"a perfect ranking, labels {perfect[0]}, scores {', '.join(perfect[1])}: area {best}",
            f"labels {LABELS}, scores {', '.join(SCORES)}: area {pr_auc(LABELS, SCORES, anchor=anchor)}",
            right="add a point at recall 0, and say which",
        )
    return by_reading(found)
