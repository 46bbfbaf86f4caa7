"""Derivation of bias-adjusted metrics: the area under the precision-recall curve."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from itertools import pairwise

from gmpy2 import mpq

from ntqr_exact.algebra.formula import constant, read_formula
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided
from ntqr_exact.metrics.areas import Anchor, pr_auc
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.curves import precision_recall_curve
from ntqr_exact.metrics.undefined import Undefined, defined

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


# -- the curve -----------------------------------------------------------------------------------------------------


def _rankings(size: int) -> list[tuple[int, ...]]:
    """Return all labels, with a positive, of samples in the order of their scores, which are distinct."""
    return [
        labels for n in range(1, size + 1) for labels in itertools.product((0, 1), repeat=n) if any(labels)
    ]


def _recall_rises(_: str) -> Finding:
    cases = [points_of(labels, range(len(labels), 0, -1)) for labels in _rankings(5)]
    return decided(
        all(left[0] <= right[0] for points in cases for left, right in pairwise(points)),
        f"recall never falls as the threshold does, on all {len(cases)} rankings of at most 5 samples",
        "a lower threshold predicts more positives, so true positives are not lost",
        right="recall may fall",
    )


def _order_fixes_area(_: str) -> Finding:
    """Points of equal recall may stand in any order, if recall alone orders them."""

    def areas(points: list[Point]) -> list[mpq]:
        groups = [list(group) for _, group in itertools.groupby(points, key=lambda point: point[0])]
        orders = itertools.product(*(itertools.permutations(group) for group in groups))
        return sorted({trapezoids([point for group in order for point in group]) for order in orders})

    found = {labels: areas(points_of(labels, range(len(labels), 0, -1))) for labels in _rankings(4)}
    failing = [labels for labels, each in found.items() if len(each) > 1]
    shown = failing[0] if failing else ()
    return by_reading(
        {
            "ordered by falling threshold": decided(
                all(trapezoids(points_of(each, range(len(each), 0, -1))) in found[each] for each in found),
                "the order of all points is fixed, and so is the area",
            ),
            "ordered by recall alone, as the condition says": decided(
                not failing,
                f"smallest case: labels {shown} by falling score: two points have recall 1, and the area is "
                f"{' or '.join(map(str, found.get(shown, [])))}",
                right="order by falling threshold",
            ),
        }
    )


_RANGE = re.compile(r"([(\[])(\S+), (\S+)([)\]])")


def _thresholds(printed: str) -> Finding:
    match = _RANGE.fullmatch(printed)
    if match is None:
        raise BadDocument(printed, "an interval is written (a, b]")
    low, high = rational(match[2]), rational(match[3])
    holds_ends = match[1] == "[" and match[4] == "]"
    empty = low > high or (low == high and not holds_ends)
    backwards = "[" if match[4] == "]" else "("
    ahead = "]" if match[1] == "[" else ")"
    right = f"{backwards}{match[3]}, {match[2]}{ahead}, from the top down"
    return decided(
        not empty,
        f"t ∈ {printed} means {low} {'≤' if match[1] == '[' else '<'} t {'≤' if match[4] == ']' else '<'} {high}: "
        f"{'no t does' if empty else 'possible'}",
        f"meant is {right}; leaving out 1 loses no point, since scores of 1 are still positive for t just below 1",
        right=right,
        slip=True,
    )


def _sum(printed: str) -> Finding:
    claimed = read_formula(printed)
    true = read_formula("(r2 - r1)*p1 + (r2 - r1)*(p2 - p1)/2")
    library = pr_auc(LABELS, SCORES)
    return decided(
        claimed.equals(true) and library == trapezoids(points_of(LABELS, SCORES)),
        f"rectangle plus triangle between two points: {true}; printed: {claimed}",
        f"labels {LABELS}, scores {', '.join(SCORES)}: the sum is {library}",
        right="(r2 - r1)*(p1 + p2)/2",
        slip=True,
    )


def _last_index(printed: str) -> Finding:
    """Points r_first … ; the terms i < |E| must use all neighbours and no point that is not there."""
    bound = printed.removeprefix("i < ")
    size = len(points_of(LABELS, SCORES))

    def judged(first: int) -> Finding:
        last = int(read_formula(bound, {"E": constant(size)}).polynomial().constant_term)
        used = [(i, i + 1) for i in range(first, last)]
        there = range(first, first + size)
        wanted = [(i, i + 1) for i in range(first, first + size - 1)]
        missing = [i for pair in used for i in pair if i not in there]
        return decided(
            used == wanted,
            f"{size} points, numbered from {first}: the terms use the pairs {used}"
            + (f", but there is no point {missing[-1]}" if missing else ""),
            right=f"pairs {wanted}",
            slip=True,
        )

    return by_reading({"points numbered from 1": judged(1), "points numbered from 0": judged(0)})


def _every_threshold(_: str) -> Finding:
    """Look for the smallest sample and a threshold at which precision is a share of nothing."""
    score, thresholds = mpq(1, 2), (mpq(1, 4), mpq(1, 2), mpq(3, 4))
    found = {t: ConfusionMatrix.from_labels([1], [int(score >= t)]).precision for t in thresholds}
    failing = [t for t, precision in found.items() if isinstance(precision, Undefined)]
    return decided(
        not failing,
        f"one positive sample of score {score}: precision is "
        + ", ".join(f"{'0/0' if isinstance(p, Undefined) else p} at t = {t}" for t, p in found.items()),
        "above the highest score nothing is predicted to be positive: recall is 0, and precision has no value",
        right="thresholds up to the highest score; the point at recall 0 is a convention of its own",
    )


def _start(_: str) -> Finding:
    """Where does the curve begin? A perfect ranking must have area 1."""
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


def _axes(_: str) -> Finding:
    points = points_of(LABELS, SCORES)
    over_recall = trapezoids(points)
    over_precision = trapezoids([(precision, recall) for recall, precision in points])
    return by_reading(
        {
            "precision up, recall across": decided(
                over_recall == pr_auc(LABELS, SCORES), f"the printed sum is ∫ p dr = {over_recall}"
            ),
            "recall up, precision across, as 'recall vs. precision' says": decided(
                over_precision == pr_auc(LABELS, SCORES),
                f"∫ r dp = {over_precision}, the printed sum is {over_recall}",
                right="precision vs. recall",
            ),
        }
    )


# -- the bootstrap -------------------------------------------------------------------------------------------------


_AUPR = "section AUPR"

CLAIMS: tuple[Claim, ...] = (
    Claim("bias_adjusted/aupr/recall-rises", _AUPR, Kind.THEOREM,
          r"As the threshold falls, recall does not: $r_i\ge r_{i'}$ for $i'<i$.", _recall_rises),
    Claim("bias_adjusted/aupr/order", _AUPR, Kind.DEFINITION,
          r"The points are ordered by $r_i\ge r_{i'}$ for $i'<i$.", _order_fixes_area),
    Claim("bias_adjusted/aupr/thresholds", _AUPR, Kind.DEFINITION, "The threshold runs through $t\\in(1,0]$.",
          _thresholds, printed="(1, 0]"),
    Claim("bias_adjusted/aupr/sum", _AUPR, Kind.IDENTITY,
          r"The area by trapezoids is $\sum\frac12(r_{i+1}-r_i)(p_i+p_{i+1})$.", _sum,
          printed="1/2*(r2 - r1)*(p1 + p2)"),
    Claim("bias_adjusted/aupr/last-index", _AUPR, Kind.DEFINITION, r"The sum has the terms with $i<|E|$.", _last_index,
          printed="i < E"),
    Claim("bias_adjusted/aupr/every-threshold", _AUPR, Kind.SENTENCE,
          "Each threshold from 1 down to 0 gives a point of precision and recall.", _every_threshold),
    Claim("bias_adjusted/aupr/start", _AUPR, Kind.THEOREM,
          "The sum approximates the area under the curve; no starting point at recall 0 is given.", _start),
    Claim("bias_adjusted/aupr/axes", _AUPR, Kind.SENTENCE, "The area is that of recall drawn vs. precision.",
          _axes),
)  # fmt: skip
