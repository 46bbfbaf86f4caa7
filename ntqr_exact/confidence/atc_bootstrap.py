"""The bootstrap of ATC: the source is resampled, threshold and estimate are made anew each time.

Vectors are ranked once, exactly; a resample is a list of whole ranks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.columns.whole_numbers import Array, as_list
from ntqr_exact.confidence.atc import JointRanks, rank_jointly
from ntqr_exact.confidence.atc_threshold import RankGroups, TieRule, threshold_rank
from ntqr_exact.confidence.atc_values import AtcReading, GammaGiven, wrong_flags
from ntqr_exact.confidence.probability_table import Vectors, VectorTable
from ntqr_exact.confidence.scores import ScoreLike, score_function
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.metrics.bootstrap import BootstrapSample, bootstrap_places


@checked
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
    executor: Executor | Callable[[], Executor] | None = None,
) -> BootstrapSample:
    """Return the estimate and those of resampled sources, with intervals; see `atc` for the options.

    With `labels`, Γ is counted anew on each resample; a given error or accuracy stays what it is. Source: Maaz et
    al. 2023, algorithm 1.

    >>> source = [["0.9", "0.1"], ["0.7", "0.3"], ["0.6", "0.4"]]
    >>> found = bootstrap_atc(source, [["0.65", "0.35"]], labels=[0, 0, 1], resamples=100, seed=1)
    >>> found.estimate, found.interval("0.99").lower
    (mpq(1,1), mpq(0,1))
    """
    given = GammaGiven(error, accuracy, labels, None if reading is None else chosen(reading, AtcReading))
    ranked = rank_jointly(source, target, score=score_function(score))
    wrong = None if labels is None else wrong_flags(ranked.source, labels)
    fixed = given.source_error(ranked.source)
    statistic = _Statistic(
        ResampledEstimate.of(ranked, reading=given.chosen, tie_rule=tie_rule), wrong, fixed
    )
    return bootstrap_places(
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
