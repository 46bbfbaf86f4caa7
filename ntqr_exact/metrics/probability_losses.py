"""How good probabilities are: Brier score, log loss, calibration error with its bins, and top-k accuracy.

>>> labels, shares = [1, 0, 1, 1], ["0.9", "0.2", "0.6", "0.5"]
>>> brier_score(labels, shares), log_loss(labels, shares).decimal(9)
(mpq(23,200), '0.383119218')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.columns.float_values import exact_column, float_column
from ntqr_exact.columns.whole_numbers import as_list, refuse_other_index
from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.exact.enclosure import LogSumKey
from ntqr_exact.exact.rational import RationalLike, probability, whole_number
from ntqr_exact.metrics.classes import BINARY, Classes, flags, label_list, positive_classes
from ntqr_exact.metrics.ranking import ScoresLike
from ntqr_exact.metrics.weights import WeightsLike, exact_weights


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


class TopTies(Enum):
    """Which of equal scores come first, where they straddle the k-th place."""

    FIRST = "the first labels"
    LAST = "the last labels, as in scikit-learn"
    SHARED = "all alike: the chance that a random order puts the label among the k"


def brier_score(
    labels: Iterable[Any],
    probabilities: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    classes: Classes = BINARY,
    pos_label: Any = None,
) -> mpq:
    """Return the mean of (p − y)², a rational; 0 is best. Raises `BadNumber` for what is no probability."""
    rows = _probable(labels, probabilities, sample_weight, classes, pos_label)
    return sum((weight * (share - positive) ** 2 for positive, share, weight in rows), mpq(0)) / _total(rows)


def log_loss(
    labels: Iterable[Any],
    probabilities: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    classes: Classes = BINARY,
    pos_label: Any = None,
) -> LogSumKey:
    """Return −mean log P(label), exactly: a sum of logarithms of whole numbers that is ordered and has decimals.

    It is infinite where a label had the probability 0; scikit-learn clips such probabilities.
    """
    rows = _probable(labels, probabilities, sample_weight, classes, pos_label)
    units: dict[int, mpq] = {}
    for positive, share, weight in rows:
        seen = share if positive else 1 - share
        if not weight:
            continue
        if not seen:
            return LogSumKey((), infinite=True)
        for number, factor in ((int(seen.denominator), weight), (int(seen.numerator), -weight)):
            if number != 1:
                units[number] = units.get(number, mpq(0)) + factor
    common = exact_weights([abs(factor) for factor in units.values()] or [1], len(units) or 1).unit
    terms = tuple((int(factor / common), number) for number, factor in sorted(units.items()))
    scale = _total(rows) / common
    below = int(scale.denominator)
    return LogSumKey(tuple((count * below, number) for count, number in terms), int(scale * below))


def calibration(
    labels: Iterable[Any],
    probabilities: ScoresLike,
    sample_weight: WeightsLike = None,
    *,
    bins: RationalLike = 10,
    classes: Classes = BINARY,
    pos_label: Any = None,
) -> Calibration:
    """Return the bins [i/n, (i+1)/n), the last with 1 in it, and with them the expected calibration error.

    >>> found = calibration([1, 0, 1, 1], ["0.9", "0.2", "0.6", "0.5"], bins=2)
    >>> found.error, [str(part.mean) for part in found.bins]
    (mpq(3,10), ['1/5', '2/3'])
    """
    count = whole_number(bins)
    if not count:
        raise BadNumber(bins, "there is at least one bin")
    held: dict[int, list[tuple[bool, mpq, mpq]]] = {}
    for positive, share, weight in _probable(labels, probabilities, sample_weight, classes, pos_label):
        place = min(int(share * count), count - 1)
        if weight:
            held.setdefault(place, []).append((positive, share, weight))
    return Calibration(
        tuple(
            CalibrationBin(
                mpq(place, count),
                mpq(place + 1, count),
                total := _total(rows),
                sum((share * weight for _, share, weight in rows), mpq(0)) / total,
                sum((weight for positive, _, weight in rows if positive), mpq(0)) / total,
            )
            for place, rows in sorted(held.items())
        )
    )


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
    truths, rows, most = label_list(labels), score_rows(scores), whole_number(k)
    names = label_list(range(len(rows[0]) if rows else 0) if label_names is None else label_names)
    places = {name: place for place, name in enumerate(names)}
    if len(truths) != len(rows) or not rows or any(len(row) != len(places) for row in rows):
        raise BadSamples((len(truths), len(rows), len(places)), "each sample has a score for each label")
    weights, ties = exact_weights(sample_weight, len(rows)), chosen(ties, TopTies)
    found = mpq(0)
    for truth, row, units in zip(truths, rows, weights, strict=True):
        if truth not in places:
            raise BadSamples(truth, f"the labels are {', '.join(map(repr, places))}")
        own = row[places[truth]]
        higher = sum(other > own for other in row)
        equal = [place for place, other in enumerate(row) if other == own]
        rank = equal.index(places[truth])
        if ties is TopTies.SHARED:
            share = mpq(min(max(most - higher, 0), len(equal)), len(equal))
        else:
            before = rank if ties is TopTies.FIRST else len(equal) - 1 - rank
            share = mpq(higher + before < most)
        found += units * share
    return found / sum(weights)


def score_rows(scores: Any) -> list[list[mpq]]:
    """Return rows of scores exactly; a table of floats (numpy, pandas) by its binary values."""
    table = scores.to_numpy() if hasattr(scores, "to_numpy") else scores
    if not isinstance(table, Iterable):
        raise BadSamples(scores, "scores must be rows, one for each sample")
    rows = list(table)
    for row in rows:
        if isinstance(row, str) or not hasattr(row, "__len__"):
            raise BadSamples(row, "the scores of a sample are a row, with a number for each label")
    return [exact_column(row) for row in rows]


def _probable(
    labels: Any, probabilities: Any, sample_weight: Any, classes: Classes, pos_label: Any
) -> list[tuple[bool, mpq, mpq]]:
    refuse_other_index(labels, probabilities, sample_weight)
    known = as_list(labels)
    truth = flags(known, positive_classes(known, classes, pos_label))
    shares = [probability(share, "a rate") for share in exact_column(float_column(probabilities))]
    if len(truth) != len(shares) or not truth:
        raise BadSamples((len(truth), len(shares)), "there is a probability for each label")
    weights = exact_weights(sample_weight, len(truth)).values()
    return list(zip(truth, shares, weights, strict=True))


def _total(rows: list[tuple[bool, mpq, mpq]]) -> mpq:
    return sum((weight for _, _, weight in rows), mpq(0))
