"""Average thresholded confidence: the error on unlabelled data, estimated by a threshold on a score.

On labelled source data with error Γ a threshold t is chosen so that P[s < t] is nearest to Γ; the estimate for the
target is P[s < t] there (Maaz et al. 2023, eq. 1 to 3). All shares are exact, and all comparisons.

>>> source = [["0.9", "0.1"], ["0.8", "0.2"], ["0.7", "0.3"], ["0.6", "0.4"], ["0.5", "0.5"]]
>>> found = atc(source, [["0.55", "0.45"], ["0.95", "0.05"]], error="1/5", score="max")
>>> found.threshold, found.estimate
(mpq(3,5), mpq(1,2))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, assert_never

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.confidence.ordering import rank_vectors
from ntqr_exact.confidence.scores import ScoreFunction, ScoreLike, ScoreValue, score_function
from ntqr_exact.confidence.thresholds import RankGroups, TieRule
from ntqr_exact.confidence.vector_table import Vectors, VectorTable
from ntqr_exact.confidence.vectors import ProbabilityVector, check_same_length, probability_vectors
from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.metrics.weights import SampleWeights, WeightsLike, exact_weights

if TYPE_CHECKING:
    from collections.abc import Iterable


class Reading(Enum):
    """What Γ is, and on which side of the threshold it is counted."""

    ERROR_BELOW = "error-below"
    """Γ is the error, matched by P[s < t]: Garg et al. 2022."""

    ACCURACY_ABOVE = "accuracy-above"
    """Γ is the accuracy, matched by P[s ≥ t]: the same estimate, told as an accuracy."""

    ACCURACY_BELOW = "accuracy-below"
    """Γ is the accuracy, matched by P[s < t], as in the published code: it rises when confidence falls."""

    def gamma(self, error: mpq) -> mpq:
        """Return Γ, the error or the accuracy."""
        return error if self is Reading.ERROR_BELOW else 1 - error

    def share(self, below: mpq) -> mpq:
        """Return the share that is matched with Γ, from the share below the threshold."""
        return 1 - below if self is Reading.ACCURACY_ABOVE else below

    def error(self, estimate: mpq) -> mpq:
        """Return the error that an estimate of Γ means."""
        match self:
            case Reading.ERROR_BELOW:
                return estimate
            case Reading.ACCURACY_ABOVE | Reading.ACCURACY_BELOW:
                return 1 - estimate
            case _:
                assert_never(self)


@dataclass(frozen=True, slots=True)
class GammaGiven:
    """What a caller gave of Γ: one of the error, the accuracy and the true labels; and perhaps a reading."""

    error: RationalLike | None = None
    accuracy: RationalLike | None = None
    labels: Sequence[RationalLike] | None = None
    reading: Reading | None = None

    def __post_init__(self) -> None:
        """Raise `BadSamples` unless Γ is given in exactly one way, `BadNumber` if it is outside [0, 1]."""
        ways = {"error": self.error, "accuracy": self.accuracy, "labels": self.labels}
        given = [name for name, value in ways.items() if value is not None]
        if len(given) != 1:
            raise BadSamples(given, "Γ comes from one of error, accuracy and labels", "give exactly one")
        for value in (self.error, self.accuracy):
            if value is not None and not 0 <= rational(value) <= 1:
                raise BadNumber(value, "Γ lies between 0 and 1", "write 0.2 for 20 %")

    @property
    def chosen(self) -> Reading:
        """The reading: the one given, or the sound one that answers in kind."""
        return self.reading or (Reading.ERROR_BELOW if self.accuracy is None else Reading.ACCURACY_ABOVE)

    def source_error(
        self, source: VectorTable | Sequence[ProbabilityVector], weights: SampleWeights | None = None
    ) -> mpq:
        """Return the error on the source, counted from its labels if these were given."""
        if self.labels is None:
            return 1 - rational(self.accuracy) if self.accuracy is not None else rational(self.error or 0)
        wrong = wrong_flags(source, self.labels)
        units = [1] * len(wrong) if weights is None else list(weights)
        return mpq(sum(flag * unit for flag, unit in zip(wrong, units, strict=True)), sum(units))

    def resolved(
        self, source: VectorTable | Sequence[ProbabilityVector], weights: SampleWeights | None = None
    ) -> tuple[Reading, mpq]:
        """Return the reading and Γ on the source."""
        return self.chosen, self.chosen.gamma(self.source_error(source, weights))


@dataclass(frozen=True, slots=True)
class AtcEstimate:
    """An estimate by thresholded confidence, and the threshold that it stands on.

    `gamma` is Γ of the source, `source_share` what the threshold makes of it there, and `estimate` Γ of the
    target. `threshold_vector` is the first vector of the source whose score is the threshold.
    """

    score: ScoreFunction
    reading: Reading
    tie_rule: TieRule
    gamma: mpq
    threshold_vector: ProbabilityVector
    source_share: mpq
    estimate: mpq
    exact_comparisons: int = field(default=0, compare=False)
    """How many vectors were compared exactly; all others were told apart by a proven bound."""

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


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The shares of source and target strictly below one threshold."""

    threshold_vector: ProbabilityVector
    source_below: mpq
    target_below: mpq


def atc(
    source: Vectors,
    target: Vectors,
    *,
    error: RationalLike | None = None,
    accuracy: RationalLike | None = None,
    labels: Sequence[RationalLike] | None = None,
    score: ScoreLike = "max",
    reading: Reading | None = None,
    tie_rule: TieRule = TieRule.SMALLEST,
    source_weights: WeightsLike = None,
    target_weights: WeightsLike = None,
) -> AtcEstimate:
    """Return the estimate for the target from the source's `error`, its `accuracy`, or its true `labels`.

    Labels are places, 0 to k − 1; a vector predicts the first of its largest probabilities. Without a `reading`,
    an accuracy is answered by an accuracy, and anything else by an error.

    Raises `BadSamples` for an empty source or target or vectors of different lengths, `BadNumber` for Γ outside
    [0, 1].
    """
    function, tie_rule = score_function(score), chosen(tie_rule, TieRule)
    given = GammaGiven(error, accuracy, labels, None if reading is None else chosen(reading, Reading))
    unweighted = source_weights is None and target_weights is None
    if unweighted and isinstance(source, VectorTable) and isinstance(target, VectorTable):
        from ntqr_exact.confidence.atc_tables import atc_of_tables

        _check_tables(source, target)
        answered, gamma = given.resolved(source)
        return atc_of_tables(source, target, gamma=gamma, score=function, reading=answered, tie_rule=tie_rule)
    ranked = rank_jointly(source, target, score=function)
    weights = exact_weights(source_weights, len(ranked.source_ranks))
    answered, gamma = given.resolved(ranked.source, weights)
    groups = RankGroups.of(zip(ranked.source_ranks, weights, strict=True))
    targets = exact_weights(target_weights, len(ranked.target_ranks))
    below = answered.share(gamma)  # the share below that is wanted: 1 − Γ if Γ is counted above
    place = groups.threshold(below, tie_rule)
    rank = groups.ranks[place]
    return AtcEstimate(
        function,
        answered,
        tie_rule,
        gamma,
        ranked.source[ranked.first_of(rank, weights)],
        answered.share(mpq(groups.below[place], groups.total)),
        answered.share(RankGroups.of(zip(ranked.target_ranks, targets, strict=True)).share_below(rank)),
        len(ranked.source) + len(ranked.target_ranks),
    )


def atc_curve(
    source: Vectors,
    target: Vectors,
    *,
    score: ScoreLike = "max",
    source_weights: WeightsLike = None,
    target_weights: WeightsLike = None,
) -> list[CurvePoint]:
    """Return the whole curve t ↦ (P_source[s < t], P_target[s < t]) over the scores of the source, rising.

    >>> [point.source_below for point in atc_curve([[1, 0], ["1/2", "1/2"], [0, 1]], [["3/4", "1/4"]])]
    [mpq(0,1), mpq(1,3)]
    """
    ranked = rank_jointly(source, target, score=score_function(score))
    weights = exact_weights(source_weights, len(ranked.source_ranks))
    targets = exact_weights(target_weights, len(ranked.target_ranks))
    groups = RankGroups.of(zip(ranked.source_ranks, weights, strict=True))
    others = RankGroups.of(zip(ranked.target_ranks, targets, strict=True))
    return [
        CurvePoint(
            ranked.source[ranked.first_of(rank, weights)], mpq(below, groups.total), others.share_below(rank)
        )
        for rank, below in zip(groups.ranks, groups.below, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class JointRanks:
    """Source vectors with the ranks of source and target in one common order."""

    source: list[ProbabilityVector]
    source_ranks: list[int]
    target_ranks: list[int]

    def first_of(self, rank: int, weights: SampleWeights) -> int:
        """Return the place of the first source vector of a rank that weighs something."""
        ranked = zip(self.source_ranks, weights, strict=True)
        return next(place for place, (own, weight) in enumerate(ranked) if own == rank and weight)


def rank_jointly(source: Vectors, target: Vectors, *, score: ScoreFunction) -> JointRanks:
    """Return exact ranks of all vectors in the order of a score."""
    first = probability_vectors(source, what="source")
    second = probability_vectors(target, what="target")
    check_same_length([first[0], second[0]], what="source and target")
    found = rank_vectors(score, [*first, *second])
    return JointRanks(first, found[: len(first)], found[len(first) :])


def wrong_flags(
    vectors: VectorTable | Sequence[ProbabilityVector], labels: Iterable[RationalLike]
) -> list[int]:
    """Return 1 for each vector that does not predict its label, else 0.

    Raises `BadSamples` for another number of labels, and for a label that is no place in the vectors.
    """
    truth = [whole_number(label) for label in labels]
    if len(truth) != len(vectors):
        raise BadSamples((len(truth), len(vectors)), "each source vector has a label")
    if truth and not max(truth) < (vectors.labels if isinstance(vectors, VectorTable) else len(vectors[0])):
        raise BadSamples(max(truth), "a label is a place in the vector, counted from 0")
    return [int(one != other) for one, other in zip(_predicted(vectors), truth, strict=True)]


def _predicted(vectors: VectorTable | Sequence[ProbabilityVector]) -> list[int]:
    if isinstance(vectors, VectorTable):
        return vectors.predicted()
    return [vector.predicted for vector in vectors]


def _check_tables(source: VectorTable, target: VectorTable) -> None:
    for table, what in ((source, "source"), (target, "target")):
        if not len(table):
            raise BadSamples(what, "there are no vectors here", "give at least one")
    if source.labels != target.labels:
        raise BadSamples((source.labels, target.labels), "source and target have the same number of labels")
