"""The experiment of Maaz et al. 2023, algorithm 1, on any data: how far off is each method, and who wins how often?

For each dimension the validation set is resampled, each method estimates the accuracy on the test set from it, and
the distance to the true accuracy is kept. In one dimension all methods see the same resamples, so that methods
that order alike agree run by run, as the source reports of two labels.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.confidence.atc import ResampledEstimate, rank_jointly
from ntqr_exact.confidence.atc_values import AtcReading, TieRule, wrong_flags
from ntqr_exact.confidence.doc import PLAIN, DropLine
from ntqr_exact.confidence.probability_vector import (
    ProbabilityVector,
    VectorLike,
    check_same_length,
    probability_vectors,
)
from ntqr_exact.confidence.scores import SIX, ScoreLike, max_key, score_function
from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.bootstrap import resampled
from ntqr_exact.metrics.bootstrap_interval import (
    BootstrapInterval,
    BootstrapMethod,
    QuantileDefinition,
    bootstrap_interval,
    sample_quantile,
    tails,
)

Estimator: TypeAlias = "Callable[[list[int]], mpq]"
"""The accuracy on the test set, from places of the validation set."""


@dataclass(frozen=True, slots=True)
class LabelledVectors:
    """Probability vectors with their true labels, which are places in them."""

    vectors: tuple[ProbabilityVector, ...]
    labels: tuple[int, ...]

    @classmethod
    def of(cls, vectors: Sequence[VectorLike], labels: Sequence[RationalLike]) -> LabelledVectors:
        """Check the vectors and their labels; raises `BadSamples` for what does not fit together."""
        given = probability_vectors(vectors, what="labelled vectors")
        wrong_flags(given, labels)
        return cls(tuple(given), tuple(whole_number(label) for label in labels))

    def wrong(self) -> list[int]:
        """Return 1 for each vector that does not predict its label, else 0."""
        return wrong_flags(self.vectors, self.labels)

    def first(self, dimension: int) -> LabelledVectors:
        """Return the part with labels below `dimension`, its vectors cut to these labels and normalised."""
        kept = [place for place, label in enumerate(self.labels) if label < dimension]
        return LabelledVectors.of(
            [self.vectors[place].first(dimension) for place in kept], [self.labels[place] for place in kept]
        )


@dataclass(frozen=True, slots=True)
class Round:
    """One dimension: what the model said of the validation and of the test set."""

    validation: LabelledVectors
    test: LabelledVectors

    def __post_init__(self) -> None:
        """Refuse sets of different lengths of vectors."""
        check_same_length([self.validation.vectors[0], self.test.vectors[0]], what="validation and test")


@dataclass(frozen=True, slots=True)
class Method:
    """A named way to estimate the accuracy on the test set from resamples of the validation set."""

    name: str
    prepare: Callable[[Round], Estimator]


@dataclass(frozen=True, slots=True)
class Trial:
    """The absolute error |a − ã| of one method on one resample in one dimension."""

    dimension: int
    method: str
    run: int
    error: mpq


def atc_method(
    score: ScoreLike,
    *,
    reading: AtcReading = AtcReading.ERROR_BELOW,
    tie_rule: TieRule = TieRule.SMALLEST,
) -> Method:
    """Return ATC with a score as a method, named after it."""
    function = score_function(score)

    def prepare(data: Round) -> Estimator:
        ranked = rank_jointly(data.validation.vectors, data.test.vectors, score=function)
        wrong = data.validation.wrong()
        estimate = ResampledEstimate.of(ranked, reading=reading, tie_rule=tie_rule)

        def accuracy(places: list[int]) -> mpq:
            error = mpq(sum(wrong[place] for place in places), len(places))
            return 1 - reading.error(estimate(places, error))

        return accuracy

    return Method(f"atc-{function.name}", prepare)


def doc_method(line: DropLine = PLAIN, *, name: str = "doc") -> Method:
    """Return the difference of confidences as a method, plain or with a fitted line."""

    def prepare(data: Round) -> Estimator:
        sure = [max_key(vector) for vector in data.validation.vectors]
        target = sum(map(max_key, data.test.vectors), mpq(0)) / len(data.test.vectors)
        wrong = data.validation.wrong()

        def accuracy(places: list[int]) -> mpq:
            n = len(places)
            mean = sum((sure[place] for place in places), mpq(0)) / n
            return 1 - mpq(sum(wrong[place] for place in places), n) - line(mean - target)

        return accuracy

    return Method(name, prepare)


METHODS = (*map(atc_method, SIX), doc_method())
"""The seven methods that the source compares."""


def rounds_of(
    validation: LabelledVectors, test: LabelledVectors, *, dimensions: Sequence[int] | None = None
) -> dict[int, Round]:
    """Return the rounds of algorithm 1 from vectors of all k labels, cut to the first d of them for each d.

    The source trains a model for each d instead; give the rounds of such models to `run_experiment` yourself.
    """
    k = validation.vectors[0].labels
    chosen = range(2, k + 1) if dimensions is None else dimensions
    if any(not 2 <= d <= k for d in chosen):
        raise BadNumber(list(chosen), f"a dimension lies between 2 and {k}")
    return {d: Round(validation.first(d), test.first(d)) for d in chosen}


def run_experiment(
    rounds: Mapping[int, Round],
    *,
    runs: RationalLike,
    seed: RationalLike,
    methods: Sequence[Method] = METHODS,
    progress: Callable[[int], object] | None = None,
) -> Iterator[Trial]:
    """Yield the absolute error of each method on each resample, dimension by dimension, method by method.

    `progress` is called with 1 after each trial. Trials come as they are made: what an interrupted run has yielded
    is kept by its reader. Raises `BadSamples` for no rounds, no runs, or two methods of one name.
    """
    count, start = whole_number(runs), whole_number(seed)
    names = [method.name for method in methods]
    if not rounds or count == 0 or len(set(names)) < len(names) or not names:
        raise BadSamples(
            (len(rounds), count, names), "an experiment has rounds, runs and methods of different names"
        )
    return _trials(rounds, count, start, methods, progress)


def _trials(
    rounds: Mapping[int, Round],
    runs: int,
    seed: int,
    methods: Sequence[Method],
    progress: Callable[[int], object] | None,
) -> Iterator[Trial]:
    for dimension, data in rounds.items():
        wrong = data.test.wrong()
        truth = 1 - mpq(sum(wrong), len(wrong))
        for method in methods:
            estimate = method.prepare(data)
            # One stream of bits for each dimension, shared by the methods and by no other dimension.
            estimates = resampled(
                range(len(data.validation.vectors)), estimate, seed=(seed << 20) + dimension
            )
            for run, value in enumerate(islice(estimates, runs), start=1):
                if isinstance(value, Undefined):
                    raise BadSamples(value, "a method of the experiment returns a number")
                yield Trial(dimension, method.name, run, abs(truth - value))
                if progress is not None:
                    progress(1)


@dataclass(frozen=True, slots=True)
class ErrorSummary:
    """The mean absolute error of a method in a dimension, and the interval that holds most of the errors."""

    dimension: int
    method: str
    runs: int
    mean: mpq
    interval: BootstrapInterval


def by_cell(trials: Iterable[Trial]) -> dict[tuple[int, str], list[mpq]]:
    """Return the errors of each dimension and method, in the order of the runs."""
    cells: dict[tuple[int, str], list[mpq]] = {}
    for trial in trials:
        cells.setdefault((trial.dimension, trial.method), []).append(trial.error)
    if not cells:
        raise BadSamples("trials", "there are no trials to be told about")
    return cells


def summarise(
    trials: Iterable[Trial],
    level: RationalLike = "0.95",
    *,
    quantiles: QuantileDefinition = QuantileDefinition.INVERSE_CDF,
) -> list[ErrorSummary]:
    """Return the mean absolute error with its percentile interval, as in tables 1, 3 and 4 of the source."""
    found = []
    for (dimension, method), errors in by_cell(trials).items():
        mean = sum(errors, mpq(0)) / len(errors)
        low, high = (sample_quantile(sorted(errors), tail, quantiles) for tail in tails(level))
        interval = bootstrap_interval(
            low, high, estimate=mean, level=level, method=BootstrapMethod.PERCENTILE
        )
        found.append(ErrorSummary(dimension, method, len(errors), mean, interval))
    return found


def means_of(summaries: Iterable[ErrorSummary]) -> dict[tuple[int, str], mpq]:
    """Return the mean error of each dimension and method."""
    return {(summary.dimension, summary.method): summary.mean for summary in summaries}


def winners(means: Mapping[tuple[int, str], mpq]) -> dict[int, tuple[str, ...]]:
    """Return the methods of least mean error in each dimension: all of them, where they tie."""
    least: dict[int, mpq] = {}
    for (dimension, _), mean in means.items():
        least[dimension] = min(mean, least.get(dimension, mean))
    return {
        dimension: tuple(
            method for (own, method), mean in means.items() if own == dimension and mean == lowest
        )
        for dimension, lowest in least.items()
    }


def count_wins(
    means: Mapping[tuple[int, str], mpq], *, excluded: Collection[int] = frozenset({2})
) -> dict[str, int]:
    """Return in how many dimensions each method has the least mean error; a tie is a win for all that tie.

    >>> count_wins({(3, "a"): mpq(1), (3, "b"): mpq(1), (4, "a"): mpq(2), (4, "b"): mpq(3)})
    {'a': 2, 'b': 1}

    Two labels are left out unless told otherwise, as there all scores order alike. Source: Maaz et al. 2023,
    table 2.
    """
    wins = dict.fromkeys((method for _, method in means), 0)
    for dimension, methods in winners(means).items():
        if dimension not in excluded:
            for method in methods:
                wins[method] += 1
    return wins
