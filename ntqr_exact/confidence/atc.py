"""Average thresholded confidence: the error on unlabelled data, estimated by a threshold on a score.

On labelled source data with error Γ a threshold t is chosen so that P[s < t] is nearest to Γ; the estimate for the
target is P[s < t] there (Maaz et al. 2023, eq. 1 to 3). All shares are exact, and all comparisons.

>>> source = [["0.9", "0.1"], ["0.8", "0.2"], ["0.7", "0.3"], ["0.6", "0.4"], ["0.5", "0.5"]]
>>> found = atc(source, [["0.55", "0.45"], ["0.95", "0.05"]], error="1/5", score="max")
>>> found.threshold, found.estimate
(mpq(3,5), mpq(1,2))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.columns.inputs import as_list
from ntqr_exact.columns.whole_numbers import Array
from ntqr_exact.confidence.atc_tables import atc_of_tables, ranks_of_tables
from ntqr_exact.confidence.atc_values import (
    AtcEstimate,
    AtcReading,
    GammaGiven,
    RankGroups,
    TieRule,
    threshold_rank,
    wrong_flags,
)
from ntqr_exact.confidence.ordering import rank_vectors
from ntqr_exact.confidence.probability_vector import (
    ProbabilityVector,
    Vectors,
    VectorTable,
    check_same_length,
    float_table,
    probability_vectors,
)
from ntqr_exact.confidence.scores import ScoreFunction, ScoreLike, score_function
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.metrics.bootstrap import BootstrapSample, bootstrap_rows
from ntqr_exact.metrics.weights import SampleWeights, WeightsLike, exact_weights


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
    source, target = float_table(source), float_table(target)
    given = GammaGiven(error, accuracy, labels, None if reading is None else chosen(reading, AtcReading))
    unweighted = source_weights is None and target_weights is None
    if unweighted and isinstance(source, VectorTable) and isinstance(target, VectorTable):
        _check_tables(source, target)
        answered, gamma = given.resolved(source)
        return atc_of_tables(source, target, gamma=gamma, score=function, reading=answered, tie_rule=tie_rule)
    ranked = rank_jointly(source, target, score=function)
    weights, groups, others = ranked.grouped(source_weights, target_weights)
    answered, gamma = given.resolved(ranked.source, weights)
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
        answered.share(others.share_below(rank)),
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
    weights, groups, others = ranked.grouped(source_weights, target_weights)
    return [
        CurvePoint(
            ranked.source[ranked.first_of(rank, weights)], mpq(below, groups.total), others.share_below(rank)
        )
        for rank, below in zip(groups.ranks, groups.below, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class JointRanks:
    """Source vectors with the ranks of source and target in one common order."""

    source: VectorTable | list[ProbabilityVector]
    source_ranks: list[int]
    target_ranks: list[int]

    def grouped(
        self, source: WeightsLike, target: WeightsLike
    ) -> tuple[SampleWeights, RankGroups, RankGroups]:
        """Return the weights of the source, and the ranks of source and target with theirs."""
        weights, others = (
            exact_weights(source, len(self.source_ranks)),
            exact_weights(target, len(self.target_ranks)),
        )
        groups = RankGroups.of(zip(self.source_ranks, weights, strict=True))
        return weights, groups, RankGroups.of(zip(self.target_ranks, others, strict=True))

    def first_of(self, rank: int, weights: SampleWeights) -> int:
        """Return the place of the first source vector of a rank that weighs something."""
        ranked = zip(self.source_ranks, weights, strict=True)
        return next(place for place, (own, weight) in enumerate(ranked) if own == rank and weight)


def rank_jointly(source: Vectors, target: Vectors, *, score: ScoreFunction) -> JointRanks:
    """Return exact ranks of all vectors in the order of a score; of tables only those that a bound cannot separate."""
    source, target = float_table(source), float_table(target)
    if isinstance(source, VectorTable) and isinstance(target, VectorTable):
        _check_tables(source, target)
        return JointRanks(source, *ranks_of_tables(source, target, score))
    first = probability_vectors(source, what="source")
    second = probability_vectors(target, what="target")
    check_same_length([first[0], second[0]], what="source and target")
    found = rank_vectors(score, [*first, *second])
    return JointRanks(first, found[: len(first)], found[len(first) :])


def _check_tables(source: VectorTable, target: VectorTable) -> None:
    for table, what in ((source, "source"), (target, "target")):
        if not len(table):
            raise BadSamples(what, "there are no vectors here", "give at least one")
    if source.labels != target.labels:
        raise BadSamples((source.labels, target.labels), "source and target have the same number of labels")


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
    given = GammaGiven(error, accuracy, labels, None if reading is None else chosen(reading, AtcReading))
    ranked = rank_jointly(source, target, score=score_function(score))
    statistic = _Statistic(
        ResampledEstimate.of(ranked, reading=given.chosen, tie_rule=tie_rule),
        None if labels is None else wrong_flags(ranked.source, labels),
        given.source_error(ranked.source),
    )
    return bootstrap_rows(
        len(ranked.source), statistic, resamples=resamples, seed=seed, progress=progress, executor=executor
    )


@dataclass(frozen=True, slots=True)
class ResampledEstimate:
    """The function from places of the source, and the error there, to the estimate for the target."""

    source_ranks: list[int] | Array
    target: RankGroups
    reading: AtcReading
    tie_rule: TieRule

    @classmethod
    def of(cls, ranked: JointRanks, *, reading: AtcReading, tie_rule: TieRule) -> ResampledEstimate:
        """Group the target's ranks once, for all resamples."""
        target = RankGroups.of((rank, 1) for rank in ranked.target_ranks)
        ranks: list[int] | Array = ranked.source_ranks
        if isinstance(ranked.source, VectorTable):
            import numpy

            ranks = numpy.array(ranks)
        return cls(ranks, target, reading, tie_rule)

    def __call__(self, places: list[int] | Array, error: mpq) -> mpq:
        """Return the estimate with the threshold of this resample."""
        wanted = self.reading.share(self.reading.gamma(error))
        if isinstance(self.source_ranks, list):
            groups = RankGroups.of(Counter(map(self.source_ranks.__getitem__, as_list(places))).items())
            rank = groups.ranks[groups.threshold(wanted, self.tie_rule)]
        else:
            rank = threshold_rank(self.source_ranks[places], wanted, self.tie_rule)
        return self.reading.share(self.target.share_below(rank))


@dataclass(frozen=True, slots=True)
class _Statistic:
    """The estimate of one resample; a value and not a closure, so that it can travel to other processes."""

    estimate: ResampledEstimate
    wrong: Sequence[int] | None
    fixed: mpq

    def __call__(self, places: list[int] | Array) -> mpq:
        if self.wrong is None:
            return self.estimate(places, self.fixed)
        return self.estimate(places, mpq(sum(map(self.wrong.__getitem__, as_list(places))), len(places)))
