"""What ATC is given and gives: the error or accuracy Γ of the source, its readings, the threshold, the estimate.

With source weight W and weight c_g strictly below the score of group g, the threshold is the group that makes
|Γ − c_g/W| least. The c_g rise strictly, so at most two groups are best, one on either side of Γ; a tie rule then
says which.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import accumulate
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.columns.whole_numbers import Array
from ntqr_exact.confidence.probability_vector import ProbabilityVector, VectorTable
from ntqr_exact.confidence.scores import ScoreFunction, ScoreValue
from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.metrics.weights import SampleWeights


class TieRule(Enum):
    """Which threshold is taken where two are equally near to Γ; both rules go by the order of scores alone.

    Maaz et al. 2023, eq. 2, names none, and lemma 1 needs one.
    """

    SMALLEST = "smallest"
    LARGEST = "largest"


@dataclass(frozen=True, slots=True)
class RankGroups:
    """The ranks that occur, in order, with the weight strictly below each, and the weight of all."""

    ranks: tuple[int, ...]
    below: tuple[int, ...]
    total: int

    @classmethod
    def of(cls, ranked: Iterable[tuple[int, int]]) -> RankGroups:
        """Collect pairs of rank and weight; what weighs nothing is not there.

        >>> RankGroups.of([(3, 1), (0, 2), (3, 1)])
        RankGroups(ranks=(0, 3), below=(0, 2), total=4)
        """
        weights: dict[int, int] = {}
        for rank, weight in ranked:
            if weight:
                weights[rank] = weights.get(rank, 0) + weight
        ranks = tuple(sorted(weights))
        sums = tuple(accumulate((weights[rank] for rank in ranks), initial=0))
        return cls(ranks, sums[:-1], sums[-1])

    def threshold(self, gamma: mpq, rule: TieRule) -> int:
        """Return the place of the group whose share below is nearest to Γ.

        >>> groups = RankGroups.of([(0, 1), (1, 1)])
        >>> [groups.threshold(mpq(1, 4), rule) for rule in TieRule]
        [0, 1]
        """
        return nearest(self.below, gamma * self.total, rule)

    def share_below(self, rank: int) -> mpq:
        """Return the share of all weight that lies strictly below a rank, whether it occurs or not."""
        place = bisect_right(self.ranks, rank - 1)
        return mpq(self.below[place] if place < len(self.below) else self.total, self.total)


def threshold_rank(ranks: Array, gamma: mpq, rule: TieRule) -> int:
    """Return the rank of the threshold on an array of small ranks, each of weight 1: as `RankGroups.threshold` does.

    Shares below are compared as whole numbers, of which only the two next to Γ are needed.
    """
    import numpy

    counts = numpy.bincount(ranks)
    present = numpy.flatnonzero(counts)
    below = numpy.cumsum(counts)[present] - counts[present]
    wanted = gamma * len(ranks)
    above = int(numpy.searchsorted(below, int(wanted), side="right"))
    first = max(above - 1, 0)
    return int(present[first + nearest(below[first : first + 2].tolist(), wanted, rule)])


def nearest(rising: Sequence[int], wanted: mpq, rule: TieRule) -> int:
    """Return the place of the number nearest to `wanted` in a strictly rising sequence."""
    rule = chosen(rule, TieRule)
    above = bisect_right(rising, wanted)
    if above == 0:
        return 0
    if above == len(rising):
        return above - 1
    falls_short, exceeds = wanted - rising[above - 1], rising[above] - wanted
    if falls_short == exceeds:
        return above - 1 if rule is TieRule.SMALLEST else above
    return above - 1 if falls_short < exceeds else above


_Vectors: TypeAlias = "VectorTable | Sequence[ProbabilityVector]"


class AtcReading(Enum):
    """What Γ is, and on which side of the threshold it is counted."""

    ERROR_BELOW = "error-below"
    """Γ is the error, matched by P[s < t]: Garg et al. 2022."""

    ACCURACY_ABOVE = "accuracy-above"
    """Γ is the accuracy, matched by P[s ≥ t]: the same estimate, as an accuracy."""

    def gamma(self, error: mpq) -> mpq:
        """Return Γ, the error or the accuracy."""
        return error if self is AtcReading.ERROR_BELOW else 1 - error

    def share(self, below: mpq) -> mpq:
        """Return the share that is matched with Γ, from the share below the threshold."""
        return 1 - below if self is AtcReading.ACCURACY_ABOVE else below

    def error(self, estimate: mpq) -> mpq:
        """Return the error that an estimate of Γ means."""
        return self.gamma(estimate)


@dataclass(frozen=True, slots=True)
class GammaGiven:
    """What a caller gave of Γ: one of the error, the accuracy and the true labels; and perhaps a reading."""

    error: RationalLike | None = None
    accuracy: RationalLike | None = None
    labels: Sequence[RationalLike] | None = None
    reading: AtcReading | None = None

    def __post_init__(self) -> None:
        ways = {"error": self.error, "accuracy": self.accuracy, "labels": self.labels}
        given = [name for name, value in ways.items() if value is not None]
        if len(given) != 1:
            raise BadSamples(given, "Γ comes from one of error, accuracy and labels", "give exactly one")
        for value in (self.error, self.accuracy):
            if value is not None and not 0 <= rational(value) <= 1:
                raise BadNumber(value, "Γ lies between 0 and 1", "write 0.2 for 20 %")

    @property
    def chosen(self) -> AtcReading:
        """The reading: the one given, or the sound one that answers in kind."""
        return self.reading or (
            AtcReading.ERROR_BELOW if self.accuracy is None else AtcReading.ACCURACY_ABOVE
        )

    def source_error(self, source: _Vectors, weights: SampleWeights | None = None) -> mpq:
        """Return the error on the source, counted from its labels if these were given."""
        if self.labels is None:
            return 1 - rational(self.accuracy) if self.accuracy is not None else rational(self.error or 0)
        wrong = wrong_flags(source, self.labels)
        units = [1] * len(wrong) if weights is None else list(weights)
        return mpq(sum(flag * unit for flag, unit in zip(wrong, units, strict=True)), sum(units))

    def resolved(self, source: _Vectors, weights: SampleWeights | None = None) -> tuple[AtcReading, mpq]:
        """Return the reading and Γ on the source."""
        return self.chosen, self.chosen.gamma(self.source_error(source, weights))


@dataclass(frozen=True, slots=True)
class AtcEstimate:
    """An estimate by thresholded confidence, and the threshold that it stands on.

    `gamma` is Γ of the source, `source_share` what the threshold makes of it there, and `estimate` Γ of the
    target. `threshold_vector` is the first vector of the source whose score is the threshold.
    """

    score: ScoreFunction
    reading: AtcReading
    tie_rule: TieRule
    gamma: mpq
    threshold_vector: ProbabilityVector
    source_share: mpq
    estimate: mpq
    exact_comparisons: int = field(default=0, compare=False)
    """How many vectors were compared exactly; a proven bound decided all others."""

    @property
    def threshold(self) -> ScoreValue:
        """The threshold t, as a value of the score."""
        return self.score.value(self.threshold_vector)

    @property
    def error(self) -> mpq:
        """The estimated error on the target."""
        return self.reading.error(self.estimate)

    @property
    def accuracy(self) -> mpq:
        """The estimated accuracy on the target."""
        return 1 - self.error


def wrong_flags(vectors: _Vectors, labels: Iterable[RationalLike]) -> list[int]:
    """Return 1 for each vector that does not predict its label, else 0.

    Raises `BadSamples` for another number of labels, and for a label that is no place in the vectors.
    """
    truth = [whole_number(label) for label in labels]
    if len(truth) != len(vectors):
        raise BadSamples((len(truth), len(vectors)), "each source vector has a label")
    if truth and not max(truth) < (vectors.labels if isinstance(vectors, VectorTable) else len(vectors[0])):
        raise BadSamples(max(truth), "a label is a place in the vector, counted from 0")
    predicted = (
        vectors.predicted() if isinstance(vectors, VectorTable) else [vector.predicted for vector in vectors]
    )
    return [int(one != other) for one, other in zip(predicted, truth, strict=True)]
