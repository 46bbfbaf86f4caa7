"""The error on unlabelled data: average thresholded confidence (ATC), and the difference of confidences (DoC).

On labelled source data with error Γ a threshold t is chosen so that P[s < t] is nearest to Γ; the estimate for the
target is P[s < t] there (Maaz et al. 2023, eq. 1 to 3). These shares rise strictly with t, so that at most two scores
of the source are best, one on either side of Γ; a tie rule then says which.

>>> source = [["0.9", "0.1"], ["0.8", "0.2"], ["0.7", "0.3"], ["0.6", "0.4"], ["0.5", "0.5"]]
>>> found = atc(source, [["0.55", "0.45"], ["0.95", "0.05"]], error="1/5", score="max")
>>> found.threshold, found.estimate
(mpq(3,5), mpq(1,2))
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.choice import Choice
from ntqr_exact.columns.inputs import as_list, refuse_other_length
from ntqr_exact.columns.whole_numbers import Multiples, WideColumn, sum_of_quotients, taken, total
from ntqr_exact.confidence.ordering import rank_vectors
from ntqr_exact.confidence.probability_vector import (
    ProbabilityVector,
    Vectors,
    VectorTable,
    joint_vectors,
    probability_vectors,
)
from ntqr_exact.confidence.score_filters import ranks_of_tables
from ntqr_exact.confidence.scores import ScoreFunction, ScoreLike, ScoreValue, score_function
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.rational import RationalLike, probability, rational, whole_number
from ntqr_exact.metrics.bootstrap import BootstrapDistribution, bootstrap
from ntqr_exact.metrics.ranking import Ranking, rank_column
from ntqr_exact.metrics.weights import WeightsLike, exact_weights


class TieRule(Choice):
    """Which threshold is taken where two are equally near to Γ: eq. 2 names none, and lemma 1 needs one."""

    SMALLEST = "smallest"
    LARGEST = "largest"


class AtcReading(Choice):
    """What Γ is: the error, matched by P[s < t] as in Garg et al. 2022, or the accuracy, matched by P[s ≥ t]."""

    ERROR_BELOW = "error-below"
    ACCURACY_ABOVE = "accuracy-above"

    def turned(self, share: mpq) -> mpq:
        """Return Γ from the error, the matched share from the share below, and back again."""
        return share if self is AtcReading.ERROR_BELOW else 1 - share


@dataclass(frozen=True, slots=True)
class AtcEstimate:
    """Γ of the source, its share at the threshold, and the estimate of Γ of the target.

    `threshold_vector` is the first vector of the source whose score is the threshold.
    """

    score: ScoreFunction
    reading: AtcReading
    tie_rule: TieRule
    gamma: mpq
    threshold_vector: ProbabilityVector
    source_share: mpq
    estimate: mpq

    @property
    def threshold(self) -> ScoreValue:
        """The threshold t, as a value of the score."""
        return self.score.value(self.threshold_vector)

    @property
    def error(self) -> mpq:
        """The estimated error on the target."""
        return self.reading.turned(self.estimate)

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
    reading: AtcReading | None = None,
    tie_rule: TieRule = TieRule.SMALLEST,
    source_weights: WeightsLike = None,
    target_weights: WeightsLike = None,
) -> AtcEstimate:
    """Return the estimate for the target from the source's `error`, its `accuracy`, or its true `labels`.

    Labels are places, 0 to k − 1; a vector predicts the first of its largest probabilities. Without a `reading`,
    an accuracy is answered by an accuracy, and anything else by an error. An array or a frame of floats stands for
    their binary values, each row divided by its exact sum.

    Raises `BadSamples` for an empty source or target or vectors of different lengths, `BadNumber` for Γ outside
    [0, 1].
    """
    function, tie_rule = score_function(score), TieRule(tie_rule)
    first, second = joint_vectors(source, target, labels, source_weights)
    weights = None if source_weights is None else exact_weights(source_weights, len(first))
    wrong = source_error(first, error, accuracy, labels, weights)
    at = min(int(wrong * len(first)), len(first) - 1) if weights is None else None
    ranks, others = _joint_ranks(first, second, function, at)
    own, theirs = _ranked(ranks, weights), _ranked(others, target_weights)
    place = _nearest(own, wrong, tie_rule)
    threshold, answered = own.threshold(place), _reading(reading, accuracy)
    vector = first[_row_of(threshold, ranks, weights)]
    shares = wrong, _share_below(own, threshold), _share_below(theirs, threshold)
    gamma, source_share, estimate = map(answered.turned, shares)
    return AtcEstimate(function, answered, tie_rule, gamma, vector, source_share, estimate)


def atc_curve(source: Vectors, target: Vectors, *, score: ScoreLike = "max") -> list[CurvePoint]:
    """Return the whole curve t ↦ (P_source[s < t], P_target[s < t]) over the scores of the source, rising.

    >>> [point.source_below for point in atc_curve([[1, 0], ["1/2", "1/2"], [0, 1]], [["3/4", "1/4"]])]
    [mpq(0,1), mpq(1,3)]
    """
    first, second = joint_vectors(source, target)
    ranks, others = _joint_ranks(first, second, score_function(score))
    own, theirs = _ranked(ranks, None), _ranked(others, None)
    row_of = {int(ranks[row]): row for row in reversed(range(len(first)))}
    return [
        CurvePoint(first[row_of[rank]], _share_below(own, rank), _share_below(theirs, rank))
        for rank in sorted(row_of)
    ]


def _reading(reading: AtcReading | None, accuracy: RationalLike | None) -> AtcReading:
    if reading is not None:
        return AtcReading(reading)
    return AtcReading.ERROR_BELOW if accuracy is None else AtcReading.ACCURACY_ABOVE


def source_error(
    source: Any,
    error: RationalLike | None,
    accuracy: RationalLike | None,
    labels: Sequence[RationalLike] | None,
    weights: Multiples | None = None,
) -> mpq:
    """Return the error on the source from the one of error, accuracy and labels that is given."""
    ways = {"error": error, "accuracy": accuracy, "labels": labels}
    given = [name for name, value in ways.items() if value is not None]
    if len(given) != 1:
        raise BadSamples(given, "exactly one of error, accuracy and labels must be given")
    if labels is not None:
        wrong = wrong_flags(source, labels)
        units = list(exact_weights(weights, len(wrong)).units)
        return mpq(sum(flag * unit for flag, unit in zip(wrong, units, strict=True)), sum(units))
    number = probability(accuracy if error is None else error, given[0])  # type: ignore[arg-type]
    return number if error is not None else 1 - number


def wrong_flags(vectors: Any, labels: Iterable[RationalLike]) -> list[int]:
    """Return 1 for each vector that does not predict its label, else 0; raises `BadSamples` for invalid labels."""
    truth = list(map(whole_number, as_list(labels)))
    refuse_other_length(vectors=len(vectors), labels=len(truth))
    if truth and max(truth) >= vectors[0].labels:
        raise BadSamples(max(truth), "a label must be a place in the vector, counted from 0")
    predicted = vectors.predicted() if isinstance(vectors, VectorTable) else [p.predicted for p in vectors]
    return [int(one != other) for one, other in zip(predicted, truth, strict=True)]


# -- ranks of all vectors -----------------------------------------------------------------------


def _joint_ranks(source: Any, target: Any, score: ScoreFunction, at: int | None = None) -> tuple[Any, Any]:
    """Return the ranks of source and target in the order of a score; see `ranks_of_tables` for `at`."""
    if isinstance(source, VectorTable):
        return ranks_of_tables(source, target, score, at)
    ranks = rank_vectors(score, [*source, *target])
    return ranks[: len(source)], ranks[len(source) :]


def _ranked(ranks: Any, weights: WeightsLike) -> Ranking:
    """Return the weight at or above each rank, as that of true positives."""
    if weights is not None or isinstance(ranks, list):
        units = None if weights is None else exact_weights(weights, len(ranks))
        return rank_column([True] * len(ranks), ranks, units)
    import numpy

    counts = numpy.bincount(ranks)[::-1]  # ranks are small and need no sorting
    places = numpy.flatnonzero(counts)
    above = counts.cumsum()[places]
    columns = WideColumn((above,)), WideColumn((0 * above,))
    return Ranking(len(counts) - 1 - places, *columns, len(ranks), 0, mpq(1))


def _nearest(ranking: Ranking, error: mpq, rule: TieRule) -> int:
    """Return the place of the rank with the weight below it nearest to the error."""
    above, wanted = ranking.true_positives, (1 - error) * ranking.positives
    place = bisect_left(above, wanted)
    if place == 0:
        return 0
    exceeds, falls_short = above[place] - wanted, wanted - above[place - 1]
    is_lower = exceeds < falls_short or (exceeds == falls_short and rule is TieRule.SMALLEST)
    return place if is_lower else place - 1


def _share_below(ranking: Ranking, rank: Any) -> mpq:
    matrix = ranking.at(rank)
    return matrix.fn / matrix.total


def _row_of(rank: Any, ranks: Any, weights: Multiples | None) -> int:
    """Return the first row of a rank that has a weight."""
    if isinstance(ranks, list):
        rows = [row for row, own in enumerate(ranks) if own == rank]
    else:
        rows = (ranks == int(rank)).nonzero()[0].tolist()
    return next(row for row in rows if weights is None or weights.units[row])


def bootstrap_atc(
    source: Vectors,
    target: Vectors,
    *,
    error: RationalLike | None = None,
    accuracy: RationalLike | None = None,
    labels: Sequence[RationalLike] | None = None,
    score: ScoreLike = "max",
    reading: AtcReading | None = None,
    tie_rule: TieRule = TieRule.SMALLEST,
    **resampling: Any,
) -> BootstrapDistribution:
    """Return the estimate and those of resampled sources, with intervals; see `atc` for the options.

    The intervals bound the **error** on the target, unless an `accuracy` or `reading="accuracy-above"` is given: then
    its accuracy. With `labels`, Γ is counted anew on each resample; a given error or accuracy stays what it is. See
    `bootstrap` for `resamples`, `seed`, `progress` and `executor`. Source: Maaz et al. 2023, algorithm 1.

    >>> source = [["0.9", "0.1"], ["0.7", "0.3"], ["0.6", "0.4"]]
    >>> found = bootstrap_atc(source, [["0.65", "0.35"]], labels=[0, 0, 1], resamples=100, seed=1)
    >>> found.estimate, found.interval("0.99").lower
    (mpq(1,1), mpq(0,1))
    """
    first, second = joint_vectors(source, target, labels)
    fixed = source_error(first, error, accuracy, labels)
    wrong = None if labels is None else wrong_flags(first, labels)
    ranks, others = _joint_ranks(first, second, score_function(score))
    options = _reading(reading, accuracy), TieRule(tie_rule), fixed, wrong
    return bootstrap(len(first), _EstimateOfRows(ranks, _ranked(others, None), *options), **resampling)


@dataclass(frozen=True, slots=True)
class _EstimateOfRows:
    """The estimate of one resample of the source; a value and not a closure, so that it can travel."""

    source_ranks: Any
    target: Ranking
    reading: AtcReading
    tie_rule: TieRule
    error: mpq
    wrong: list[int] | None

    def __call__(self, rows: Any) -> mpq:
        own = _ranked(taken(self.source_ranks, rows), None)
        error = self.error if self.wrong is None else mpq(total(taken(self.wrong, rows)), len(rows))
        rank = own.threshold(_nearest(own, error, self.tie_rule))
        return self.reading.turned(_share_below(self.target, rank))


# -- difference of confidences ------------------------------------------------------------------
# With DoC = mean max p on the source − mean max p on the target, the accuracy is estimated as acc_S − (α + β·DoC):
# plainly with α = 0 and β = 1, or both fitted to known drops. Source: Maaz et al. 2023, section 3.1.


class DropSign(Choice):
    """Whether the drop of accuracy is taken off the source's, or added to it as the published code does."""

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


PLAIN = DropLine(mpq(0), mpq(1))  # the drop in accuracy is the drop in confidence


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
    """Return the accuracy on the target by the difference of confidences; see `atc` for the source's error.

    >>> doc([["0.9", "0.1"], ["0.7", "0.3"]], [["0.6", "0.4"]], accuracy="9/10").estimate
    mpq(7,10)
    """
    first, second = joint_vectors(source, target, labels, source_weights)
    weights = exact_weights(source_weights, len(first))
    accurate = 1 - source_error(first, error, accuracy, labels, weights)
    difference = mean_confidence(first, weights) - mean_confidence(second, target_weights)
    return DocEstimate(accurate, difference, line, DropSign(sign))


def mean_confidence(vectors: Any, weights: WeightsLike = None) -> mpq:
    """Return the weighted mean of max p."""
    units = list(exact_weights(weights, len(vectors)).units)
    if isinstance(vectors, VectorTable):
        shares = vectors.largest_shares()
    else:
        shares = [max(each.numerators) for each in vectors], [each.denominator for each in vectors]
    return mpq(*sum_of_quotients(units, *shares)) / sum(units)


def fit_drop_line(pairs: Iterable[tuple[RationalLike, RationalLike]]) -> DropLine:
    """Return the exact least-squares line through pairs (DoC, drop in accuracy).

    >>> fit_drop_line([("0.1", "0.1"), ("0.2", "0.3"), ("0.3", "0.2")])
    DropLine(intercept=mpq(1,10), slope=mpq(1,2))

    Raises `BadSamples` where all differences are equal.
    """
    points = [(rational(x), rational(y)) for x, y in pairs]
    if len({x for x, _ in points}) < 2:
        raise BadSamples(sorted({str(x) for x, _ in points}), "points must have at least two different x")
    mean_x, mean_y = (sum(column, mpq(0)) / len(points) for column in zip(*points, strict=True))
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
