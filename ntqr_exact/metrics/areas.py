"""Areas under the curves: `roc_auc` always as one fraction, the areas of precision as one or enclosed.

The area under ROC has the small denominator 2PN. An area under precision sums fractions with as many
different denominators as there are thresholds: with weights, its digits run into the millions. It is one
fraction all the same, at every size, unless `form` asks for a certified enclosure, which is quicker.

>>> labels, scores = [1, 0, 1], ["0.9", "0.9", "0.1"]
>>> [pr_auc(labels, scores, anchor=anchor) for anchor in Anchor]
[mpq(7,24), mpq(13,24), mpq(2,3)]
>>> average_precision(labels, scores), roc_auc(labels, scores)
(mpq(7,12), mpq(1,4))

The area under ROC for three labels and more: each against the rest, or each pair.

>>> rows = [["0.7", "0.2", "0.1"], ["0.3", "0.5", "0.2"], ["0.2", "0.3", "0.5"], ["0.5", "0.4", "0.1"]]
>>> many_label_roc_auc([0, 1, 2, 1], rows), many_label_roc_auc([0, 1, 2, 1], rows, pairs="ovo")
(mpq(1,1), mpq(1,1))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum
from itertools import combinations
from math import ceil, floor
from typing import Any, TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.choice import chosen
from ntqr_exact.columns.quotients import sum_of_quotients, weighted_quotients
from ntqr_exact.columns.whole_numbers import (
    Column,
    WideColumn,
    as_list,
    dot,
    doubled,
    plus,
    refuse_other_index,
    shifted,
    steps,
    total,
)
from ntqr_exact.errors import BadNumber, BadSamples, Undecided
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.rational import whole_number
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.classes import BINARY, Classes, label_list, sorted_labels
from ntqr_exact.metrics.formulas import metric
from ntqr_exact.metrics.multiclass import Average
from ntqr_exact.metrics.probability_losses import score_rows
from ntqr_exact.metrics.ranking import Ranking, ScoresLike, rank
from ntqr_exact.metrics.undefined import MetricValue
from ntqr_exact.metrics.weights import WeightsLike, exact_weights

LARGEST_FRACTION = 1000
"""Thresholds up to which `Form.AUTOMATIC` gives one fraction."""

DIGITS = 20
"""Digits after the point to which an enclosed area is proven by default."""

_GUARD_BITS = 32
_MOST_REFINEMENTS = 4


class Anchor(Enum):
    """Where the curve of precision begins, at recall 0: the source prints no point there."""

    NONE = "the first point of the curve"
    FIRST_PRECISION = "(0, precision of the first point)"
    ONE = "(0, 1)"


class Form(Enum):
    """How an area under precision is given."""

    AUTOMATIC = "a fraction for few thresholds, else an enclosure"
    FRACTION = "one fraction"
    ENCLOSURE = "an enclosure"


Area: TypeAlias = "mpq | Enclosure | Undefined"


def roc_auc(
    labels: Iterable[Any],
    scores: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    classes: Classes = BINARY,
    pos_label: Any = None,
) -> MetricValue:
    """Return P(positive scores higher) + P(they tie)/2 of a random positive and a random negative.

    It is the area under the ROC curve by trapezoids, exactly. Source: ORES, section 1.5.

    >>> roc_auc([0, 1, 1], ["1/3", "1/3", "1/2"])
    mpq(3,4)
    """
    return ranking_roc_auc(rank(labels, scores, sample_weight, classes=classes, pos_label=pos_label))


def ranking_roc_auc(ranking: Ranking) -> MetricValue:
    """Return `roc_auc` of samples that are already ranked."""
    if not ranking.positives:
        return Undefined.NO_POSITIVES
    if not ranking.negatives:
        return Undefined.NO_NEGATIVES
    # Negatives at a score lie below all positives above it, and tie with those at it:
    # Σ ΔFP·(TP before + TP after)/2. Twice TP is below 2^62 in an int64 column.
    tp = ranking.true_positives
    doubled = dot(steps(ranking.false_positives), plus(tp, shifted(tp)))
    return mpq(doubled, 2 * ranking.positives * ranking.negatives)


def pr_auc(
    labels: Iterable[Any],
    scores: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    anchor: Anchor = Anchor.ONE,
    form: Form = Form.FRACTION,
    digits: int = DIGITS,
    classes: Classes = BINARY,
    pos_label: Any = None,
) -> Area:
    """Return Σ ½(rᵢ₊₁ − rᵢ)(pᵢ + pᵢ₊₁), the area under precision over recall by trapezoids.

    `anchor` names the point at recall 0: (0, 1), so that a perfect ranking has the area 1. Under `Anchor.NONE`
    what lies left of the first point is not counted, as the sum is printed. Source: Bias-Adjusted Metrics, AUPR.
    """
    ranking = rank(labels, scores, sample_weight, classes=classes, pos_label=pos_label)
    return ranking_pr_auc(ranking, anchor=anchor, form=form, digits=digits)


def average_precision(
    labels: Iterable[Any],
    scores: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    form: Form = Form.FRACTION,
    digits: int = DIGITS,
    classes: Classes = BINARY,
    pos_label: Any = None,
) -> Area:
    """Return Σ (rᵢ − rᵢ₋₁)pᵢ, the mean precision at the positives, equal scores together."""
    ranking = rank(labels, scores, sample_weight, classes=classes, pos_label=pos_label)
    return ranking_average_precision(ranking, form=form, digits=digits)


def ranking_average_precision(ranking: Ranking, *, form: Form = Form.AUTOMATIC, digits: int = DIGITS) -> Area:
    """Return `average_precision` of samples that are already ranked."""
    ranking = _from_first_weight(ranking)
    return _area(ranking, doubled(steps(ranking.true_positives)), 0, form, digits)


def ranking_pr_auc(
    ranking: Ranking, *, anchor: Anchor = Anchor.ONE, form: Form = Form.AUTOMATIC, digits: int = DIGITS
) -> Area:
    """Return `pr_auc` of samples that are already ranked."""
    anchor = chosen(anchor, Anchor)
    ranking = _from_first_weight(ranking)
    if not len(ranking):
        return Undefined.NO_PREDICTED_POSITIVES
    first = int(ranking.true_positives[0])
    times_first = {Anchor.NONE: 0, Anchor.FIRST_PRECISION: 2, Anchor.ONE: 1}[anchor]
    coefficients = _trapezoids(ranking.true_positives, times_first)
    return _area(ranking, coefficients, first if anchor is Anchor.ONE else 0, form, digits)


def _trapezoids(tp: Column, times_first: int) -> Column:
    """Return the factors of the precisions pᵢ in twice Σ ΔTPᵢ·(pᵢ₋₁ + pᵢ)/2, with the first TP so often more at p₁.

    They are TPᵢ₊₁ − TPᵢ₋₁, but for the two ends; being linear, they are found limb by limb.
    """
    if isinstance(tp, WideColumn):
        return WideColumn(tuple(_trapezoids(limb, times_first) for limb in tp.limbs))  # type: ignore[misc]
    gains: Any = steps(tp)
    first, gains[0] = gains[0], 0
    later: Any = shifted(gains[::-1])
    factors: Any = plus(gains, later[::-1])
    factors[0] += times_first * first
    return factors  # type: ignore[no-any-return]


def _area(ranking: Ranking, coefficients: Column, constant: int, form: Form, digits: int) -> Area:
    """Return (Σ cᵢ·precisionᵢ + constant) / 2P."""
    form = chosen(form, Form)
    if not ranking.positives:
        return Undefined.NO_POSITIVES
    digits = whole_number(digits)
    if digits < 1:
        raise BadNumber(digits, "the number of digits must be at least 1")
    above, below = ranking.ratios(metric("precision"))
    if form is Form.FRACTION or (form is Form.AUTOMATIC and len(ranking) <= LARGEST_FRACTION):
        numerator, denominator = sum_of_quotients(as_list(coefficients), as_list(above), as_list(below))
        return mpq(numerator + constant * denominator, denominator * 2 * ranking.positives)
    bits = (10**digits).bit_length() + _GUARD_BITS
    for _ in range(_MOST_REFINEMENTS):
        # Each quotient is rounded down by less than one unit of 2^−bits, so the sum by less than Σ c.
        least = weighted_quotients(coefficients, above, below, bits) + (constant << bits)
        scale = 2 * ranking.positives << bits
        ends = mpq(least, scale), mpq(least + total(coefficients), scale)
        enclosure = _on_grid(*ends, bits - _GUARD_BITS // 2)
        try:
            enclosure.decimal(digits)
        except Undecided:
            bits *= 2  # the ends round differently; only an exact tie does so for ever
            continue
        break
    return enclosure


def _on_grid(lower: mpq, upper: mpq, bits: int) -> Enclosure:
    """Return the nearest multiples of 2^−bits around an area, so that no way of summing shows in its ends."""
    scale = mpz(1) << bits
    low, high = ceil(lower * scale) - 1, floor(upper * scale) + 1
    return Enclosure(max(mpq(low, scale), mpq(0)), min(mpq(high, scale), mpq(1)))


def _from_first_weight(ranking: Ranking) -> Ranking:
    """Leave out the scores above all weight, where precision does not exist; a rate of 0 or 1 makes such."""
    tp, fp = ranking.true_positives, ranking.false_positives
    if not len(ranking) or tp[0] or fp[0]:
        return ranking
    up, down = as_list(tp), as_list(fp)
    first = next((place for place, pair in enumerate(zip(up, down, strict=True)) if any(pair)), len(ranking))
    return replace(
        ranking, scores=ranking.scores[first:], true_positives=up[first:], false_positives=down[first:]
    )


class LabelPairs(Enum):
    """Which labels are set against each other."""

    OVR = "each against the rest"
    OVO = "each pair: the mean of both areas, each by the score of its own label (Hand and Till 2001)"


def many_label_roc_auc(
    labels: Iterable[Any],
    scores: Iterable[Any],
    sample_weight: WeightsLike = None,
    *,
    label_names: Sequence[Any] | None = None,
    pairs: LabelPairs = LabelPairs.OVR,
    average: Average = Average.MACRO,
) -> MetricValue:
    """Return the mean area over labels or pairs; `WEIGHTED` by how much of the sample has them, `MICRO` pools.

    A row of scores has a column for each label; these are the labels that occur, sorted, unless named.
    Raises `BadSamples` for lengths that differ. Undefined where a label has no sample or all of them.
    """
    refuse_other_index(labels, scores, sample_weight)
    truths, rows = label_list(labels), score_rows(scores)
    names = sorted_labels(set(truths)) if label_names is None else label_list(label_names)
    columns = getattr(scores, "columns", None)
    if columns is not None and [str(name) for name in columns] != [str(name) for name in names]:
        raise BadSamples(
            [*columns],
            f"the columns of the scores must be {', '.join(map(repr, names))} in this order",
            "reorder the frame, or give label_names=",
        )
    if not rows or len(truths) != len(rows) or any(len(row) != len(names) for row in rows):
        raise BadSamples((len(truths), len(rows), len(names)), "each sample has a score for each label")
    weights = exact_weights(sample_weight, len(truths)).values()
    pairs, average = chosen(pairs, LabelPairs), chosen(average, Average)
    samples = list(zip(truths, rows, weights, strict=True))
    if average is Average.MICRO:
        return _contest(
            [(truth == name, row[place], w) for truth, row, w in samples for place, name in enumerate(names)]
        )
    # Each area is that of one label's score on the samples of some labels, itself among them.
    if pairs is LabelPairs.OVR:
        everyone = list(dict.fromkeys(truths))  # also labels that are none of the names are among the rest
        contests = [(place, everyone) for place in range(len(names))]
    else:
        both = combinations(range(len(names)), 2)
        contests = [(place, [names[one], names[other]]) for one, other in both for place in (one, other)]
    found = total = mpq(0)
    for place, among in contests:
        area = _contest(
            [(truth == names[place], row[place], w) for truth, row, w in samples if truth in among]
        )
        if isinstance(area, Undefined):
            return Undefined.PART_UNDEFINED
        counted = names[place : place + 1] if pairs is LabelPairs.OVR else among
        heft = sum((w for truth, _, w in samples if truth in counted), mpq(0))
        share = heft if average is Average.WEIGHTED else mpq(1)
        found, total = found + area * share, total + share
    return found / total if contests else Undefined.ONE_LABEL


def _contest(rows: list[tuple[bool, mpq, mpq]]) -> MetricValue:
    if not any(weight for _, _, weight in rows):
        return Undefined.NO_SAMPLES
    return ranking_roc_auc(rank(*map(list, zip(*rows, strict=True))))
