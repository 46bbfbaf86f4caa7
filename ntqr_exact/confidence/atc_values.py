"""What ATC is given and gives: the error or accuracy Γ of the source, its readings, and the estimate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import assert_never

from gmpy2 import mpq

from ntqr_exact.confidence.atc_threshold import TieRule
from ntqr_exact.confidence.probability_table import VectorTable
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import ScoreFunction, ScoreValue
from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.metrics.weights import SampleWeights


class AtcReading(Enum):
    """What Γ is, and on which side of the threshold it is counted."""

    ERROR_BELOW = "error-below"
    """Γ is the error, matched by P[s < t]: Garg et al. 2022."""

    ACCURACY_ABOVE = "accuracy-above"
    """Γ is the accuracy, matched by P[s ≥ t]: the same estimate, as an accuracy."""

    ACCURACY_BELOW = "accuracy-below"
    """Γ is the accuracy, matched by P[s < t], as in the published code: it rises when confidence falls."""

    def gamma(self, error: mpq) -> mpq:
        """Return Γ, the error or the accuracy."""
        return error if self is AtcReading.ERROR_BELOW else 1 - error

    def share(self, below: mpq) -> mpq:
        """Return the share that is matched with Γ, from the share below the threshold."""
        return 1 - below if self is AtcReading.ACCURACY_ABOVE else below

    def error(self, estimate: mpq) -> mpq:
        """Return the error that an estimate of Γ means."""
        match self:
            case AtcReading.ERROR_BELOW:
                return estimate
            case AtcReading.ACCURACY_ABOVE | AtcReading.ACCURACY_BELOW:
                return 1 - estimate
            case _:
                assert_never(self)


@dataclass(frozen=True, slots=True)
class GammaGiven:
    """What a caller gave of Γ: one of the error, the accuracy and the true labels; and perhaps a reading."""

    error: RationalLike | None = None
    accuracy: RationalLike | None = None
    labels: Sequence[RationalLike] | None = None
    reading: AtcReading | None = None

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
    def chosen(self) -> AtcReading:
        """The reading: the one given, or the sound one that answers in kind."""
        return self.reading or (
            AtcReading.ERROR_BELOW if self.accuracy is None else AtcReading.ACCURACY_ABOVE
        )

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
    ) -> tuple[AtcReading, mpq]:
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
