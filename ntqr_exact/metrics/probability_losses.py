"""How good probabilities are: Brier score, log loss, calibration and top-k accuracy.

>>> labels, shares = [1, 0, 1, 1], ["0.9", "0.2", "0.6", "0.5"]
>>> brier_score(labels, shares), log_loss(labels, shares).decimal(9)
(mpq(23,200), '0.383119218')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import neg
from typing import Any

from gmpy2 import mpq

from ntqr_exact.choice import Choice
from ntqr_exact.columns.inputs import (
    FloatValues,
    as_list,
    flags,
    float_column,
    label_list,
    refuse_other_index,
    refuse_other_length,
)
from ntqr_exact.columns.whole_numbers import Multiples, WideColumn, dot, total
from ntqr_exact.errors import BadNumber, BadSamples, listed
from ntqr_exact.exact.enclosure import LogSumKey
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.metrics.areas import score_rows
from ntqr_exact.metrics.ranking import ScoresLike
from ntqr_exact.metrics.weights import WeightsLike, exact_weights

_MOST_SORTED = 1000


def brier_score(
    labels: Iterable[Any],
    probabilities: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    pos_label: Any = None,
) -> mpq:
    """Return the mean of (p − y)², a rational; 0 is best. Raises `BadNumber` for a number outside [0, 1]."""
    samples = _Samples.of(labels, probabilities, sample_weight, pos_label)
    of_all, units = total(samples.weights.units), samples.units
    if units is None:
        return sum((w * (p - y) ** 2 for y, p, w in samples.rows()), mpq(0)) / of_all
    # Σ(p − y)² = Σ p² + Σ_positive (1 − 2p), in whole multiples of the unit of p.
    unit: mpq = samples.shares.unit
    positive = samples.positive
    found = total(units.each(lambda limb: limb * positive))
    return (dot(units, units) * unit**2 + int(positive.sum()) - 2 * found * unit) / of_all


def log_loss(
    labels: Iterable[Any],
    probabilities: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    pos_label: Any = None,
) -> LogSumKey:
    """Return −mean log P(label): a sum of logarithms of whole numbers, with a float, decimals, and an exact order.

    It is infinite where a label had the probability 0; scikit-learn clips such probabilities.
    """
    samples = _Samples.of(labels, probabilities, sample_weight, pos_label)
    of_all, terms = total(samples.weights.units), Counter[int]()
    if samples.units is not None:  # multiples of 1/below, a power of two
        below = int(samples.shares.unit.denominator)
        rows = zip(samples.units, samples.positive.tolist(), strict=True)
        terms.update(number if positive else below - number for number, positive in rows)
        terms[below] -= of_all
    else:
        for positive, share, weight in samples.rows():
            chance = share if positive else 1 - share
            terms[int(chance.numerator)] += weight
            terms[int(chance.denominator)] -= weight
    if 0 in terms:
        return LogSumKey((), infinite=True)
    terms.pop(1, None)
    if len(terms) <= _MOST_SORTED:  # a short sum is read, and so is in order
        terms = Counter(dict(sorted(terms.items())))
    return LogSumKey(tuple(zip(map(neg, terms.values()), terms, strict=True)), of_all)


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """The samples whose probability lies in [lower, upper): their weight, mean probability and share of positives."""

    lower: mpq
    upper: mpq
    weight: mpq
    mean: mpq
    positives: mpq


@dataclass(frozen=True, slots=True)
class Calibration:
    """The bins that hold samples, and the expected calibration error Σ wᵢ|meanᵢ − positivesᵢ| / Σ wᵢ."""

    bins: tuple[CalibrationBin, ...]

    @property
    def error(self) -> mpq:
        """The expected calibration error."""
        gaps = (part.weight * abs(part.mean - part.positives) for part in self.bins)
        return sum(gaps, mpq(0)) / sum((part.weight for part in self.bins), mpq(0))

    @property
    def largest_gap(self) -> mpq:
        """The maximum calibration error: the largest gap of a bin."""
        return max(abs(part.mean - part.positives) for part in self.bins)


def calibration(
    labels: Iterable[Any],
    probabilities: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    bins: RationalLike = 10,
    pos_label: Any = None,
) -> Calibration:
    """Return bins of equal width and with them the expected calibration error.

    A bin is closed on the left, [i/n, (i+1)/n), the last with 1 in it; `calibration_curve` of scikit-learn closes its
    bins on the right: there exactly i/n falls into the bin below.

    >>> found = calibration([1, 0, 1, 1], ["0.9", "0.2", "0.6", "0.5"], bins=2)
    >>> found.error, [str(part.mean) for part in found.bins]
    (mpq(3,10), ['1/5', '2/3'])
    """
    count = whole_number(bins)
    if not count:
        raise BadNumber(bins, "bins must be at least 1")
    samples = _Samples.of(labels, probabilities, sample_weight, pos_label)
    held: dict[int, list[mpq]] = {}
    for positive, share, weight in samples.rows():
        sums = held.setdefault(min(int(share * count), count - 1), [mpq(0)] * 3)
        sums[0] += weight
        sums[1] += weight * share
        sums[2] += weight * positive
    parts = []
    for place, (total_weight, shares, positives) in sorted(held.items()):
        ends = mpq(place, count), mpq(place + 1, count)
        means = shares / total_weight, positives / total_weight
        parts.append(CalibrationBin(*ends, total_weight * samples.weights.unit, *means))
    return Calibration(tuple(parts))


@dataclass(frozen=True, slots=True)
class _Samples:
    """Labels with their weights and probabilities; `units` are those of an array of floats without weights."""

    positive: Any
    shares: Any
    weights: Multiples
    units: WideColumn | None = None

    @classmethod
    def of(cls, labels: Any, probabilities: Any, sample_weight: Any, pos_label: Any) -> _Samples:
        refuse_other_index(labels, probabilities, sample_weight)
        positive, column = flags(labels, pos_label), float_column(probabilities)
        if not isinstance(column, FloatValues):
            column = [rational(share) for share in as_list(column)]
        refuse_other_length(labels=len(positive), probabilities=len(column))
        if not column:
            raise BadSamples(0, "probabilities must have at least one sample")
        weights = exact_weights(sample_weight, len(column))
        is_list = isinstance(column, list)
        ends = (min(column), max(column)) if is_list else (column.values.min(), column.values.max())
        if ends[0] < 0 or ends[1] > 1:
            raise BadNumber(str(ends[0] if ends[0] < 0 else ends[1]), "a probability must be from 0 to 1")
        if is_list:
            return cls(positive, column, weights)
        import numpy

        shares = column.multiples()
        return cls(numpy.asarray(positive), shares, weights, shares.units if sample_weight is None else None)

    def rows(self) -> Iterator[tuple[bool, mpq, int]]:
        for positive, share, weight in zip(self.positive, self.shares, self.weights.units, strict=True):
            if weight:
                yield bool(positive), share, weight


class TopTies(Choice):
    """Which of equal scores come first, where they straddle the k-th place."""

    FIRST = "the first labels"
    LAST = "the last labels, as in scikit-learn"
    SHARED = "all alike: the chance that a random order puts the label among the k"


def top_k_accuracy(
    labels: Iterable[Any],
    scores: Iterable[Any],
    sample_weight: WeightsLike = None,
    *,
    k: RationalLike = 2,
    label_names: Sequence[Any] | None = None,
    ties: TopTies = TopTies.FIRST,
) -> mpq:
    """Return the share of samples whose label is among the k highest of their row of scores.

    `label_names` are the labels of the columns, 0, 1, 2, … unless named.

    >>> top_k_accuracy([0, 2, 1], [[5, 3, 1], [4, 3, 2], [1, 1, 7]], k=2)
    mpq(1,3)
    """
    refuse_other_index(labels, scores, sample_weight)
    truths, most, ties = label_list(labels), whole_number(k), TopTies(ties)
    rows = score_rows(scores, label_names)
    names = range(len(rows[0])) if label_names is None else label_list(label_names)
    places = {name: place for place, name in enumerate(names)}
    refuse_other_length(labels=len(truths), rows=len(rows))
    weights = exact_weights(sample_weight, len(rows))
    found = mpq(0)
    for truth, row, units in zip(truths, rows, weights.units, strict=True):
        if truth not in places:
            raise BadSamples(truth, f"label must be one of {listed(places)}")
        own = row[places[truth]]
        higher = sum(other > own for other in row)
        equal = [place for place, other in enumerate(row) if other == own]
        if ties is TopTies.SHARED:
            found += units * mpq(min(max(most - higher, 0), len(equal)), len(equal))
        else:
            rank = equal.index(places[truth])
            before = rank if ties is TopTies.FIRST else len(equal) - 1 - rank
            found += units * (higher + before < most)
    return found / total(weights.units)
