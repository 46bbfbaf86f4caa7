"""Average thresholded confidence: the error on unlabelled data, estimated by a threshold on a score.

On labelled source data with error Γ a threshold t is chosen so that P[s < t] is nearest to Γ; the estimate for the
target is P[s < t] there (Maaz et al. 2023, eq. 1 to 3). With source weight W and weight c_g strictly below the score
of group g, the threshold is the group that makes |Γ − c_g/W| least. The c_g rise strictly, so at most two groups are
best, one on either side of Γ; a tie rule then says which.

>>> source = [["0.9", "0.1"], ["0.8", "0.2"], ["0.7", "0.3"], ["0.6", "0.4"], ["0.5", "0.5"]]
>>> found = atc(source, [["0.55", "0.45"], ["0.95", "0.05"]], error="1/5", score="max")
>>> found.threshold, found.estimate
(mpq(3,5), mpq(1,2))
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from enum import Enum
from itertools import accumulate
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.columns.inputs import as_list
from ntqr_exact.confidence.ordering import rank_vectors
from ntqr_exact.confidence.probability_vector import (
    ProbabilityVector,
    Vectors,
    VectorTable,
    joint_vectors,
)
from ntqr_exact.confidence.score_filters import ranks_of_tables, table_threshold
from ntqr_exact.confidence.scores import ScoreFunction, ScoreLike, ScoreValue, score_function
from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.metrics.bootstrap import BootstrapSample, bootstrap_rows
from ntqr_exact.metrics.weights import SampleWeights, WeightsLike, exact_weights

VectorsTaken: TypeAlias = "VectorTable | Sequence[ProbabilityVector]"


class TieRule(Enum):
    """Which threshold is taken where two are equally near to Γ; both rules go by the order of scores alone.

    Maaz et al. 2023, eq. 2, names none, and lemma 1 needs one.
    """

    SMALLEST = "smallest"
    LARGEST = "largest"


class AtcReading(Enum):
    """What Γ is, and on which side of the threshold it is counted."""

    ERROR_BELOW = "error-below"
    """Γ is the error, matched by P[s < t]: Garg et al. 2022."""

    ACCURACY_ABOVE = "accuracy-above"
    """Γ is the accuracy, matched by P[s ≥ t]: the same estimate, as an accuracy."""

    def turned(self, share: mpq) -> mpq:
        """Return Γ from the error, the matched share from the share below, and back again."""
        return share if self is AtcReading.ERROR_BELOW else 1 - share


@dataclass(frozen=True, slots=True)
class AtcEstimate:
    """An estimate by thresholded confidence, and the threshold that it is made with.

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
    function, tie_rule = score_function(score), chosen(tie_rule, TieRule)
    first, second = joint_vectors(source, target)
    weights = None if source_weights is None else exact_weights(source_weights, len(first))
    wrong = source_error(first, error, accuracy, labels, weights)
    answered = _reading(reading, accuracy)
    if weights is None and target_weights is None and isinstance(first, VectorTable):
        size = len(first)
        row, under, count, compared = table_threshold(
            first,
            second,
            function,
            min(int(wrong * size), size - 1),
            lambda belows: nearest(belows, wrong * size, tie_rule),
        )
        vector, below, lower = first[row], mpq(under, size), mpq(count, len(second))
    else:
        ranked = rank_jointly(first, second, function)
        units, own, others = ranked.grouped(source_weights, target_weights)
        place = nearest(own.below, wrong * own.total, tie_rule)
        vector, below = ranked.first_of(own.ranks[place], units), mpq(own.below[place], own.total)
        lower, compared = others.share_below(own.ranks[place]), len(first) + len(second)
    gamma, source_share, estimate = map(answered.turned, (wrong, below, lower))
    return AtcEstimate(function, answered, tie_rule, gamma, vector, source_share, estimate, compared)


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
    ranked = rank_jointly(*joint_vectors(source, target), score_function(score))
    weights, groups, others = ranked.grouped(source_weights, target_weights)
    return [
        CurvePoint(ranked.first_of(rank, weights), mpq(below, groups.total), others.share_below(rank))
        for rank, below in zip(groups.ranks, groups.below, strict=True)
    ]


def _reading(reading: AtcReading | None, accuracy: RationalLike | None) -> AtcReading:
    if reading is not None:
        return chosen(reading, AtcReading)
    return AtcReading.ERROR_BELOW if accuracy is None else AtcReading.ACCURACY_ABOVE


def source_error(
    source: VectorsTaken,
    error: RationalLike | None,
    accuracy: RationalLike | None,
    labels: Sequence[RationalLike] | None,
    weights: SampleWeights | None = None,
) -> mpq:
    """Return the error on the source from the one of error, accuracy and labels that is given."""
    ways = {"error": error, "accuracy": accuracy, "labels": labels}
    given = [name for name, value in ways.items() if value is not None]
    if len(given) != 1:
        raise BadSamples(given, "one of error, accuracy and labels must be given", "give exactly one")
    if labels is not None:
        wrong = wrong_flags(source, labels)
        units = [1] * len(wrong) if weights is None else list(weights)
        return mpq(sum(flag * unit for flag, unit in zip(wrong, units, strict=True)), sum(units))
    number = rational(accuracy if error is None else error)  # type: ignore[arg-type]
    if not 0 <= number <= 1:
        raise BadNumber(number, f"{given[0]} must be between 0 and 1", "write 0.2 for 20 %")
    return number if error is not None else 1 - number


def wrong_flags(vectors: VectorsTaken, labels: Iterable[RationalLike]) -> list[int]:
    """Return 1 for each vector that does not predict its label, else 0.

    Raises `BadSamples` for another number of labels, and for a label that is not a place in the vectors.
    """
    truth = [whole_number(label) for label in labels]
    if len(truth) != len(vectors):
        raise BadSamples((len(truth), len(vectors)), "each source vector must have a label")
    if truth and max(truth) >= vectors[0].labels:
        raise BadSamples(max(truth), "a label must be a place in the vector, counted from 0")
    predicted = (
        vectors.predicted() if isinstance(vectors, VectorTable) else [vector.predicted for vector in vectors]
    )
    return [int(one != other) for one, other in zip(predicted, truth, strict=True)]


def nearest(rising: Sequence[int], wanted: mpq, rule: TieRule) -> int:
    """Return the place of the number nearest to `wanted` in a strictly rising sequence."""
    above = bisect_right(rising, wanted)
    if above in (0, len(rising)):
        return max(above - 1, 0)
    falls_short, exceeds = wanted - rising[above - 1], rising[above] - wanted
    if falls_short == exceeds:
        return above - 1 if chosen(rule, TieRule) is TieRule.SMALLEST else above
    return above - 1 if falls_short < exceeds else above


# -- ranks of all vectors -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RankGroups:
    """The ranks that occur, in order, with the weight strictly below each, and the weight of all."""

    ranks: tuple[int, ...]
    below: tuple[int, ...]
    total: int

    @classmethod
    def of(cls, ranked: Iterable[tuple[int, int]]) -> RankGroups:
        """Collect pairs of rank and weight; a weight of zero does not count.

        >>> RankGroups.of([(3, 1), (0, 2), (3, 1)])
        RankGroups(ranks=(0, 3), below=(0, 2), total=4)
        """
        weights: Counter[int] = Counter()
        for rank, weight in ranked:
            weights[rank] += weight
        ranks = tuple(sorted(rank for rank, weight in weights.items() if weight))
        sums = tuple(accumulate((weights[rank] for rank in ranks), initial=0))
        return cls(ranks, sums[:-1], sums[-1])

    def share_below(self, rank: int) -> mpq:
        """Return the share of all weight that lies strictly below a rank, whether it occurs or not."""
        place = bisect_right(self.ranks, rank - 1)
        return mpq(self.below[place] if place < len(self.below) else self.total, self.total)


@dataclass(frozen=True, slots=True)
class JointRanks:
    """Source vectors with the ranks of source and target in one common order."""

    source: VectorsTaken
    source_ranks: list[int]
    target_ranks: list[int]

    def grouped(
        self, source: WeightsLike, target: WeightsLike
    ) -> tuple[SampleWeights, RankGroups, RankGroups]:
        """Return the weights of the source, and the ranks of source and target with theirs."""
        weights = exact_weights(source, len(self.source_ranks))
        others = exact_weights(target, len(self.target_ranks))
        groups = RankGroups.of(zip(self.source_ranks, weights, strict=True))
        return weights, groups, RankGroups.of(zip(self.target_ranks, others, strict=True))

    def first_of(self, rank: int, weights: SampleWeights) -> ProbabilityVector:
        """Return the first source vector of a rank that has a weight."""
        ranked = enumerate(zip(self.source_ranks, weights, strict=True))
        return self.source[next(row for row, (own, weight) in ranked if own == rank and weight)]


def rank_jointly(source: Any, target: Any, score: ScoreFunction) -> JointRanks:
    """Return exact ranks of all vectors in the order of a score; of tables only what a bound cannot separate."""
    if isinstance(source, VectorTable):
        return JointRanks(source, *ranks_of_tables(source, target, score))
    found = rank_vectors(score, [*source, *target])
    return JointRanks(source, found[: len(source)], found[len(source) :])


def bootstrap_atc(
    source: Vectors,
    target: Vectors,
    *,
    resamples: RationalLike,
    seed: RationalLike,
    error: RationalLike | None = None,
    accuracy: RationalLike | None = None,
    labels: Sequence[RationalLike] | None = None,
    score: ScoreLike = "max",
    reading: AtcReading | None = None,
    tie_rule: TieRule = TieRule.SMALLEST,
    progress: Callable[[int], object] | None = None,
    executor: Executor | None = None,
) -> BootstrapSample:
    """Return the estimate and those of resampled sources, with intervals; see `atc` for the options.

    The intervals bound the **error** on the target, unless an `accuracy` or `reading="accuracy-above"` is given: then
    its accuracy. With `labels`, Γ is counted anew on each resample; a given error or accuracy stays what it is.
    Source: Maaz et al. 2023, algorithm 1.

    >>> source = [["0.9", "0.1"], ["0.7", "0.3"], ["0.6", "0.4"]]
    >>> found = bootstrap_atc(source, [["0.65", "0.35"]], labels=[0, 0, 1], resamples=100, seed=1)
    >>> found.estimate, found.interval("0.99").lower
    (mpq(1,1), mpq(0,1))
    """
    ranked = rank_jointly(*joint_vectors(source, target), score_function(score))
    fixed = source_error(ranked.source, error, accuracy, labels)
    ranks: Any = ranked.source_ranks
    if isinstance(ranked.source, VectorTable):
        import numpy

        ranks = numpy.array(ranks)
    statistic = _EstimateOfRows(
        ranks,
        RankGroups.of((rank, 1) for rank in ranked.target_ranks),
        _reading(reading, accuracy),
        chosen(tie_rule, TieRule),
        fixed,
        None if labels is None else wrong_flags(ranked.source, labels),
    )
    return bootstrap_rows(
        len(ranked.source), statistic, resamples=resamples, seed=seed, progress=progress, executor=executor
    )


@dataclass(frozen=True, slots=True)
class _EstimateOfRows:
    """The estimate of one resample of the source; a value and not a closure, so that it can travel."""

    source_ranks: Any
    target: RankGroups
    reading: AtcReading
    tie_rule: TieRule
    error: mpq
    wrong: Sequence[int] | None

    def __call__(self, rows: Any) -> mpq:
        listed = as_list(rows)
        error = self.error
        if self.wrong is not None:
            error = mpq(sum(map(self.wrong.__getitem__, listed)), len(listed))
        if isinstance(self.source_ranks, list):
            groups = RankGroups.of(Counter(map(self.source_ranks.__getitem__, listed)).items())
            rank = groups.ranks[nearest(groups.below, error * len(listed), self.tie_rule)]
        else:
            rank = threshold_rank(self.source_ranks[rows], error, self.tie_rule)
        return self.reading.turned(self.target.share_below(rank))


def threshold_rank(ranks: Any, error: mpq, rule: TieRule) -> int:
    """Return the rank of the threshold on an array of small ranks, each of weight 1.

    Shares below are compared as whole numbers, of which only the two next to Γ are needed.
    """
    import numpy

    counts = numpy.bincount(ranks)
    present = numpy.flatnonzero(counts)
    below = numpy.cumsum(counts)[present] - counts[present]
    wanted = error * len(ranks)
    first = max(int(numpy.searchsorted(below, int(wanted), side="right")) - 1, 0)
    return int(present[first + nearest(below[first : first + 2].tolist(), wanted, rule)])
