"""Metrics, curves, comparisons and numbers as HTML."""

from __future__ import annotations

from itertools import islice

from ntqr_exact.blocks.html import study_html
from ntqr_exact.blocks.markup import Markup, card, fold, number, table
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.surd import Surd
from ntqr_exact.metrics.areas import ranking_average_precision, ranking_roc_auc
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.curves import Curve
from ntqr_exact.metrics.exact_bootstrap import BootstrapDistribution
from ntqr_exact.metrics.formulas import METRICS
from ntqr_exact.metrics.multiclass import LabelMatrices, MulticlassConfusion
from ntqr_exact.metrics.ranking import Ranking
from ntqr_exact.significance.comparison import Comparison
from ntqr_exact.significance.interval import NormalInterval
from ntqr_exact.study.significance_study import study_significance

_ROWS = 200
"""Rows of a ranking or a distribution that are shown; the summary says how many there are."""


def surd_html(value: Surd) -> Markup:
    """Return a surd with its decimal."""
    return number(value)


def enclosure_html(value: Enclosure) -> Markup:
    """Return the middle of an enclosure, and its ends, folded."""
    return card("a number that is enclosed", number(value))


def confusion_html(matrix: ConfusionMatrix) -> Markup:
    """Return the four cells, and all metrics, folded."""
    cells = table(
        ["", "labeled positive", "labeled negative"],
        [("predicted positive", matrix.tp, matrix.fp), ("predicted negative", matrix.fn, matrix.tn)],
    )
    metrics = table(["metric", "value"], [(name, matrix[name]) for name in METRICS])
    return card("Confusion matrix", cells, fold("metrics", metrics))


def multiclass_html(confusion: MulticlassConfusion) -> Markup:
    """Return the counts by true and predicted label."""
    rows = [(str(label), *row.values()) for label, row in confusion.counts.items()]
    return card(
        "Confusion of labels",
        table(["true label", *map(str, confusion.labels)], rows),
        fold("accuracy", number(confusion.accuracy)),
    )


def label_matrices_html(matrices: LabelMatrices) -> Markup:
    """Return the matrix of each label against the rest, folded."""
    parts = [fold(str(label), confusion_html(matrices[label])) for label in matrices]
    return card(f"A confusion matrix for each of {len(matrices)} labels", *parts)


def ranking_html(ranking: Ranking) -> Markup:
    """Return the thresholds, highest first, with the cells at each, folded."""
    cells = (
        (row.threshold, row.confusion.tp, row.confusion.fp, row.confusion.fn, row.confusion.tn)
        for row in islice(ranking, _ROWS)
    )
    shown = f"the first {_ROWS} of {len(ranking)} thresholds" if len(ranking) > _ROWS else "thresholds"
    return card(
        f"Ranking with {len(ranking)} thresholds",
        table(["score ≥", "TP", "FP", "FN", "TN"], cells, unit=shown),
    )


def curve_html(curve: Curve) -> Markup:
    """Return what a curve shows, the exact areas of its ranking, and its points, folded."""
    ranking = curve.ranking
    areas = [
        ("area under ROC", ranking_roc_auc(ranking)),
        ("average precision", ranking_average_precision(ranking)),
    ]
    points = table([curve.across.name, curve.up.name], islice(curve.points(), _ROWS), unit="points")
    title = f"Curve of {curve.up.name} over {curve.across.name}, {len(curve)} points"
    return card(title, table([], areas), points)


def bootstrap_html(distribution: BootstrapDistribution) -> Markup:
    """Return the estimate, the percentile interval, and the first values with their probabilities, folded."""
    facts = [("estimate", distribution.estimate), ("undefined", distribution.undefined_probability)]
    if distribution.undefined_weight != distribution.total:
        interval = distribution.interval()
        facts += [("95 % percentile interval, from", interval.lower), ("to", interval.upper)]
    outcomes = table(["value", "probability"], islice(distribution.outcomes(), _ROWS), unit="values")
    return card("Exact bootstrap distribution", table([], facts), outcomes)


def interval_html(interval: NormalInterval) -> Markup:
    """Return a normal interval in decimals, its exact parts, and what it decides."""
    facts = [
        ("centre", interval.centre),
        ("variance", interval.variance),
        ("critical value", str(interval.critical)),
        ("decision", interval.decision().value),
    ]
    return card(str(interval), fold("exactly", table([], facts)))


def comparison_html(comparison: Comparison) -> Markup:
    """Return the interval and the decision under every reading of the variance, as a study shows them."""
    return study_html(study_significance(comparison).sections())
