"""Areas under the curves: `roc_auc` always as one fraction, the areas of precision as one or enclosed.

An area under precision sums fractions with as many denominators as there are thresholds: its digits may run into the
millions. It is one fraction all the same, unless `digits` asks for a certified enclosure, which is quicker.

>>> labels, scores = [1, 0, 1], ["0.9", "0.9", "0.1"]
>>> [pr_auc(labels, scores, anchor=anchor) for anchor in Anchor]
[mpq(7,24), mpq(13,24), mpq(2,3)]
>>> average_precision(labels, scores), roc_auc(labels, scores)
(mpq(7,12), mpq(1,4))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from math import ceil, floor
from typing import Any, TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.choice import Choice
from ntqr_exact.columns.inputs import (
    as_array,
    exact_column,
    label_list,
    refuse_other_columns,
    refuse_other_index,
    refuse_other_length,
    sorted_labels,
)
from ntqr_exact.columns.whole_numbers import (
    Column,
    dot,
    rounded_quotients,
    steps,
    sum_of_quotients,
    taken,
    total,
)
from ntqr_exact.errors import BadNumber, BadSamples, Undecided
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.rational import whole_number
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.formulas import MetricValue, metric
from ntqr_exact.metrics.multiclass import Average
from ntqr_exact.metrics.ranking import Ranking, ScoresLike, rank
from ntqr_exact.metrics.weights import WeightsLike, exact_weights

DIGITS = 20
"""Digits after the point to which an enclosed area is usually proven."""

_GUARD_BITS = 32
_MOST_REFINEMENTS = 4


class Anchor(Choice):
    """Where the curve of precision begins, at recall 0: the source prints no point there."""

    NONE = "the first point of the curve"
    FIRST_PRECISION = "(0, precision of the first point)"
    ONE = "(0, 1)"


Area: TypeAlias = "mpq | Enclosure | Undefined"


def roc_auc(
    labels: Iterable[Any], scores: ScoresLike, sample_weight: WeightsLike = None, *, pos_label: Any = None
) -> MetricValue:
    """Return P(positive scores higher) + P(they tie)/2 of a random positive and a random negative.

    It is the area under the ROC curve by trapezoids, exactly. Source: ORES, section 1.5.

    >>> roc_auc([0, 1, 1], ["1/3", "1/3", "1/2"])
    mpq(3,4)
    """
    return ranking_roc_auc(rank(labels, scores, sample_weight, pos_label=pos_label))


def ranking_roc_auc(ranking: Ranking) -> MetricValue:
    """Return `roc_auc` of samples that are already ranked."""
    if not ranking.positives:
        return Undefined.NO_POSITIVES
    if not ranking.negatives:
        return Undefined.NO_NEGATIVES
    # Negatives at a score lie below all positives above it, and tie with those at it: Σ ΔFP·(2TP − ΔTP)/2.
    gains, tp = steps(ranking.false_positives), ranking.true_positives
    doubled = 2 * dot(gains, tp) - dot(gains, steps(tp))
    return mpq(doubled, 2 * ranking.positives * ranking.negatives)


def pr_auc(
    labels: Iterable[Any],
    scores: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    anchor: Anchor = Anchor.ONE,
    digits: int | None = None,
    pos_label: Any = None,
) -> Area:
    """Return Σ ½(rᵢ₊₁ − rᵢ)(pᵢ + pᵢ₊₁), the area under precision over recall by trapezoids.

    `anchor` names the point at recall 0: (0, 1), so that a perfect ranking has the area 1. Under `Anchor.NONE`
    what lies left of the first point is not counted, as the sum is printed. With `digits` the area is an enclosure
    that proves this many of them. Source: Bias-Adjusted Metrics, AUPR.
    """
    ranking = rank(labels, scores, sample_weight, pos_label=pos_label)
    return ranking_pr_auc(ranking, anchor=anchor, digits=digits)


def average_precision(
    labels: Iterable[Any],
    scores: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    digits: int | None = None,
    pos_label: Any = None,
) -> Area:
    """Return Σ (rᵢ − rᵢ₋₁)pᵢ, the mean precision at the positives, equal scores together; see `pr_auc` for `digits`."""
    ranking = rank(labels, scores, sample_weight, pos_label=pos_label)
    return ranking_average_precision(ranking, digits=digits)


def ranking_average_precision(ranking: Ranking, *, digits: int | None = None) -> Area:
    """Return `average_precision` of samples that are already ranked."""
    ranking = _from_first_weight(ranking)
    return _area(ranking, steps(ranking.true_positives), 0, ranking.positives, digits)


def ranking_pr_auc(ranking: Ranking, *, anchor: Anchor = Anchor.ONE, digits: int | None = None) -> Area:
    """Return `pr_auc` of samples that are already ranked."""
    anchor = Anchor(anchor)
    ranking = _from_first_weight(ranking)
    times_first = {Anchor.NONE: 0, Anchor.FIRST_PRECISION: 2, Anchor.ONE: 1}[anchor]
    gains = steps(ranking.true_positives)
    if isinstance(gains, list):
        factors: Column = _trapezoids(gains, times_first)
    else:
        factors = gains.each(lambda limb: _trapezoids(limb, times_first))
    constant = ranking.true_positives[0] if anchor is Anchor.ONE else 0
    return _area(ranking, factors, constant, 2 * ranking.positives, digits)


def _trapezoids(gains: Any, times_first: int) -> Any:
    """Return the factors of the precisions pᵢ in twice Σ ΔTPᵢ·(pᵢ₋₁ + pᵢ)/2, with the first TP this often more at p₁.

    They are ΔTPᵢ + ΔTPᵢ₊₁, but for the two ends.
    """
    first = gains[0]
    if isinstance(gains, list):
        factors = [own + following for own, following in zip(gains, [*gains[1:], 0], strict=True)]
    else:
        factors = gains.copy()
        factors[:-1] += gains[1:]
    factors[0] += (times_first - 1) * first
    return factors


def _area(ranking: Ranking, factors: Column, constant: int, divisor: int, digits: int | None) -> Area:
    """Return (Σ cᵢ·precisionᵢ + constant) / divisor."""
    if not ranking.positives:
        return Undefined.NO_POSITIVES
    above, below = ranking.ratios(metric("precision"))
    if digits is None:
        numerator, denominator = sum_of_quotients(*map(list, (factors, above, below)))
        return mpq(numerator + constant * denominator, denominator * divisor)
    if whole_number(digits) < 1:
        raise BadNumber(digits, "digits must be at least 1")
    bits = (10**digits).bit_length() + _GUARD_BITS
    for _ in range(_MOST_REFINEMENTS):
        least = rounded_quotients(factors, above, below, bits) + (constant << bits)
        scale = divisor << bits
        ends = mpq(least, scale), mpq(least + total(factors) + 1, scale)
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
    if tp[0] or fp[0]:
        return ranking
    places = [place for place, pair in enumerate(zip(tp, fp, strict=True)) if any(pair)]
    scores, tp, fp = (taken(column, places) for column in (ranking.scores, tp, fp))
    return replace(ranking, scores=scores, true_positives=tp, false_positives=fp)


class LabelPairs(Choice):
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

    >>> rows = [["0.7", "0.2", "0.1"], ["0.3", "0.5", "0.2"], ["0.2", "0.3", "0.5"], ["0.5", "0.4", "0.1"]]
    >>> many_label_roc_auc([0, 1, 2, 1], rows), many_label_roc_auc([0, 1, 2, 1], rows, pairs="ovo")
    (mpq(1,1), mpq(1,1))

    A row of scores has a column for each label; these are the labels that occur, sorted, unless named.
    Raises `BadSamples` for lengths that differ. Undefined where a label has no sample or all of them.
    """
    refuse_other_index(labels, scores, sample_weight)
    truths = label_list(labels)
    names = sorted_labels(set(truths)) if label_names is None else label_list(label_names)
    rows = score_rows(scores, names)
    refuse_other_length(labels=len(truths), rows=len(rows))
    weights = exact_weights(sample_weight, len(truths))
    pairs, average = LabelPairs(pairs), Average(average)
    samples = list(zip(truths, rows, weights, strict=True))
    if average is Average.MICRO:
        pooled = [(truth == names[i], score, w) for truth, row, w in samples for i, score in enumerate(row)]
        return _area_of(pooled)
    # Each area is that of one label's score on the samples of some labels, itself among them.
    if pairs is LabelPairs.OVR:
        everyone = list(dict.fromkeys(truths))  # also labels that are none of the names are among the rest
        contests = [(place, everyone) for place in range(len(names))]
    else:
        both = combinations(range(len(names)), 2)
        contests = [(place, [names[one], names[other]]) for one, other in both for place in (one, other)]
    found = shares = mpq(0)
    for place, among in contests:
        name = names[place]
        area = _area_of([(truth == name, row[place], w) for truth, row, w in samples if truth in among])
        if isinstance(area, Undefined):
            return Undefined.PART_UNDEFINED
        counted = [name] if pairs is LabelPairs.OVR else among
        weight = sum((w for truth, _, w in samples if truth in counted), mpq(0))
        share = weight if average is Average.WEIGHTED else mpq(1)
        found, shares = found + area * share, shares + share
    return found / shares if contests else Undefined.ONE_LABEL


def score_rows(scores: Any, names: Sequence[Any] | None) -> list[list[mpq]]:
    """Return rows of scores exactly, a column for each name; a table of floats (numpy, pandas) by its binary values."""
    refuse_other_columns(scores, names)
    array = as_array(scores, dimensions=2)
    table = scores if array is None else array
    if not isinstance(table, Iterable):
        raise BadSamples(scores, "scores must be rows, one for each sample")
    rows: list[Any] = list(table)
    if not rows:
        raise BadSamples(0, "scores must have at least one row")
    for row in rows:
        if isinstance(row, str) or not hasattr(row, "__len__"):
            raise BadSamples(row, "the scores of a sample must be a row with a number for each label")
        if len(row) != len(rows[0] if names is None else names):
            raise BadSamples(row, "each sample must have a score for each label")
    return [exact_column(row) for row in rows]


def _area_of(rows: list[tuple[bool, mpq, mpq]]) -> MetricValue:
    if not any(weight for _, _, weight in rows):
        return Undefined.NO_SAMPLES
    return ranking_roc_auc(rank(*map(list, zip(*rows, strict=True))))
