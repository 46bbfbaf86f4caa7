"""What an experiment shows: mean absolute errors with intervals, and who wins how often.

>>> means = {(3, "a"): mpq(1), (3, "b"): mpq(1), (4, "a"): mpq(2), (4, "b"): mpq(3)}
>>> count_wins(means)
{'a': 2, 'b': 1}
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.ledger.orderings_analysis.trials import Trial
from ntqr_exact.metrics.bootstrap_interval import (
    BootstrapInterval,
    BootstrapMethod,
    QuantileDefinition,
    bootstrap_interval,
    sample_quantile,
    tails,
)


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

    Two labels are left out unless told otherwise, as there all scores order alike. Source: Maaz et al. 2023,
    table 2.
    """
    wins = dict.fromkeys((method for _, method in means), 0)
    for dimension, methods in winners(means).items():
        if dimension not in excluded:
            for method in methods:
                wins[method] += 1
    return wins
