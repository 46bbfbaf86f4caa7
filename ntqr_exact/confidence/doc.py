"""Difference of confidences: the drop in accuracy, estimated by the drop in mean maximum confidence.

With DoC = mean max p on the source − mean max p on the target, the estimate is acc_S − (α + β·DoC). The plain form
has α = 0 and β = 1; the regression form fits both by least squares to known drops. Source: Maaz et al. 2023,
section 3.1, after Guillory et al. 2021.

>>> doc([["0.9", "0.1"], ["0.7", "0.3"]], [["0.6", "0.4"]], accuracy="9/10").estimate
mpq(7,10)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.columns.whole_numbers import sum_of_quotients
from ntqr_exact.confidence.atc import source_error
from ntqr_exact.confidence.probability_vector import (
    ProbabilityVector,
    Vectors,
    VectorTable,
    joint_vectors,
    probability_vectors,
)
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.metrics.weights import WeightsLike, exact_weights


class DropSign(Enum):
    """Whether the predicted drop of accuracy is taken off the source's, or added to it as the published code does."""

    SUBTRACTED = "subtracted"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class DropLine:
    """The line α + β·DoC that predicts the drop in accuracy."""

    intercept: mpq
    slope: mpq

    def __call__(self, difference: mpq) -> mpq:
        """Return the predicted drop."""
        return self.intercept + self.slope * difference


PLAIN = DropLine(mpq(0), mpq(1))
"""The drop in accuracy is the drop in confidence."""


@dataclass(frozen=True, slots=True)
class DocEstimate:
    """An estimated accuracy, and what it is made of; it may lie outside [0, 1], as a line does."""

    source_accuracy: mpq
    difference: mpq
    line: DropLine
    sign: DropSign

    @property
    def drop(self) -> mpq:
        """The predicted drop of accuracy, α + β·DoC."""
        return self.line(self.difference)

    @property
    def estimate(self) -> mpq:
        """The estimated accuracy on the target."""
        return self.source_accuracy + (-self.drop if self.sign is DropSign.SUBTRACTED else self.drop)

    accuracy = estimate

    @property
    def error(self) -> mpq:
        """The estimated error on the target."""
        return 1 - self.estimate


def doc(
    source: Vectors,
    target: Vectors,
    *,
    error: RationalLike | None = None,
    accuracy: RationalLike | None = None,
    labels: Sequence[RationalLike] | None = None,
    line: DropLine = PLAIN,
    sign: DropSign = DropSign.SUBTRACTED,
    source_weights: WeightsLike = None,
    target_weights: WeightsLike = None,
) -> DocEstimate:
    """Return the estimate for the target from the source's error, accuracy or true labels; see `atc`."""
    first, second = joint_vectors(source, target)
    weights = exact_weights(source_weights, len(first))
    accurate = 1 - source_error(first, error, accuracy, labels, weights)
    difference = mean_confidence(first, source_weights) - mean_confidence(second, target_weights)
    return DocEstimate(accurate, difference, line, chosen(sign, DropSign))


def mean_confidence(vectors: VectorTable | Sequence[ProbabilityVector], weights: WeightsLike = None) -> mpq:
    """Return the weighted mean of max p.

    >>> mean_confidence([ProbabilityVector((1, 1), 2), ProbabilityVector((1, 0), 1)])
    mpq(3,4)
    """
    units = list(exact_weights(weights, len(vectors)).units)
    if isinstance(vectors, VectorTable):
        largest, sums = vectors.largest_shares()
    else:
        largest = [max(vector.numerators) for vector in vectors]
        sums = [vector.denominator for vector in vectors]
    return mpq(*sum_of_quotients(units, largest, sums)) / sum(units)


def fit_drop_line(pairs: Iterable[tuple[RationalLike, RationalLike]]) -> DropLine:
    """Return the exact least-squares line through pairs (DoC, drop in accuracy).

    >>> fit_drop_line([("0.1", "0.1"), ("0.2", "0.3"), ("0.3", "0.2")])
    DropLine(intercept=mpq(1,10), slope=mpq(1,2))

    Raises `BadSamples` where all differences are equal, so that no one line is the best.
    """
    points = [(rational(x), rational(y)) for x, y in pairs]
    if len({x for x, _ in points}) < 2:
        raise BadSamples(len(points), "a line needs points with at least two different x")
    n = len(points)
    mean_x = sum((x for x, _ in points), mpq(0)) / n
    mean_y = sum((y for _, y in points), mpq(0)) / n
    spread = sum(((x - mean_x) ** 2 for x, _ in points), mpq(0))
    slope = sum(((x - mean_x) * (y - mean_y) for x, y in points), mpq(0)) / spread
    return DropLine(mean_y - slope * mean_x, slope)


def calibrated_drop_line(
    source: Vectors, accuracy: RationalLike, calibration: Iterable[tuple[Vectors, RationalLike]]
) -> DropLine:
    """Return the line fitted to data sets of known accuracy: each gives a DoC and a drop from the source's."""
    own = probability_vectors(source, what="source")
    mean, known = mean_confidence(own), rational(accuracy)
    return fit_drop_line(
        (mean - mean_confidence(probability_vectors(vectors, what="calibration")), known - rational(other))
        for vectors, other in calibration
    )
