"""One small picture of every kind, for the laws that all pictures obey."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.safe_region import SafeRegion
from ntqr_exact.confidence.ordering import smallest_inversion
from ntqr_exact.dependence.ranges import EvaluationWithin, evaluate_within
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.metrics.bootstrap import BootstrapSample
from ntqr_exact.metrics.curves import precision_recall_curve, roc_curve
from ntqr_exact.metrics.exact_bootstrap import exact_bootstrap
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.metrics.threshold_queries import loan_threshold
from ntqr_exact.sampling.comparison import compare
from ntqr_exact.sampling.metric_model import MetricModel
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.study.study import Column
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.group import individual
from ntqr_exact.views import plots
from ntqr_exact.votes.counts import VoteCounts

NAMES = ("<script>alert(1)</script>", r"$\frac{")
"""Labels that would be tags, or a broken formula, if they were not text."""

a, b = NAMES
JUDGES = ("$x$", "judge & co", "^_^")
COUNTS = dict(
    zip(("aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb"), (4, 2, 1, 3, 2, 3, 2, 5), strict=True)
)
VOTES = VoteCounts(COUNTS, labels=("a", "b"), judges=JUDGES).with_labels(NAMES)
THREE = VoteCounts({(a, a): 7, (b, b): 6, ("c", "c"): 4, (a, b): 3}, labels=(*NAMES, "c"))
KEY = {a: 10, b: 12}
GRADES = individual(ConsistentSet(VOTES).sample(seed=1, at=KEY))
LABELS = [1, 0, 1, 1, 0, 0, 1, 0]
SCORES = ["0.9", "0.8", "0.8", "0.6", "0.4", "0.3", "0.3", "0.1"]
SOURCE = [["0.9", "0.1"], ["0.8", "0.2"], ["0.7", "0.3"], ["0.6", "0.4"], ["0.5", "0.5"]]
TARGET = [["0.55", "0.45"], ["0.65", "0.35"], ["0.95", "0.05"]]
COMPARISON = compare(control=(108, 23679), treatment=(56, 23679), metric=MetricModel("0.8897", "0.22769"))
RESAMPLED = BootstrapSample(mpq(1), tuple(mpq(n * n, 9) for n in range(6)), 0)
BOOTSTRAP = exact_bootstrap("precision", tp=3, fp=2, fn=1, tn=2)
INVERSION = smallest_inversion("max", "entropy", labels=3, max_denominator=6).inversions[0]

PARTIAL = PartialKey(VOTES, {a: {(a, a, a): 3, (a, b, a): 1}, b: {(b, b, b): 2}}, drawn="at_random")


@functools.cache
def funnel_ranges() -> tuple[EvaluationWithin, ...]:
    return tuple(evaluate_within(VOTES, budget, effort="1/5") for budget in ("0.05", "0.1"))


HALF = mpq(1, 2)
COLUMNS = (
    Column(
        "by key",
        "x",
        ((HALF, HALF), (mpq(3, 4), mpq(3, 4)), (HALF, HALF)),
        by_label=((a, ((HALF, HALF),) * 3),),
    ),
    Column(
        "within $0.1$",
        "y",
        ((mpq(1, 4), HALF),) * 3,
        by_label=((a, ((HALF, mpq(1)), None, (HALF, HALF))), (b, ((HALF, HALF),) * 3)),
    ),
)


FLAT: dict[str, Callable[[Any], Any]] = {
    "graded judges": lambda axes: plots.plot_graded_judges(PARTIAL, axes=axes),
    "coverage": lambda axes: plots.plot_coverage(22, 6, axes=axes),
    "evaluation counts": lambda axes: plots.plot_evaluation_counts(VOTES, axes=axes),
    "consistent lines": lambda axes: plots.plot_consistent_lines(VOTES, KEY, evaluation=GRADES, axes=axes),
    "prevalence quadratic": lambda axes: plots.plot_prevalence_quadratic(
        solve_independent(VOTES), marks={"$truth": "5/11", a: "1/2"}, axes=axes
    ),
    "pair correlations": lambda axes: plots.plot_pair_correlations(VOTES, GRADES, 0, 1, axes=axes),
    "safe keys": lambda axes: plots.plot_safe_keys(
        [SafeRegion(VOTES, group_size=size) for size in (1, "all")], true_key=KEY, axes=axes
    ),
    "safe keys of three labels": lambda axes: plots.plot_safe_keys(
        SafeRegion(THREE), true_key={a: 8, b: 7, "c": 5}, axes=axes
    ),
    "roc": lambda axes: plots.plot_roc(roc_curve(LABELS, SCORES), threshold="1/2", axes=axes),
    "precision and recall": lambda axes: plots.plot_precision_recall(
        precision_recall_curve(LABELS, SCORES), threshold="1/2", axes=axes
    ),
    "loan threshold": lambda axes: plots.plot_loan_threshold(
        loan_threshold(rank(LABELS, SCORES), "1/2"), axes=axes
    ),
    "variance readings": lambda axes: plots.plot_variance_readings(COMPARISON, axes=axes),
    "bootstrap": lambda axes: plots.plot_bootstrap(BOOTSTRAP, name="precision", axes=axes),
    "violins": lambda axes: plots.plot_violins({"max": RESAMPLED, "entropy": RESAMPLED}, axes=axes),
    "score levels": lambda axes: plots.plot_score_levels("max", inversion=INVERSION, axes=axes),
    "atc": lambda axes: plots.plot_atc(SOURCE, TARGET, error="1/5", axes=axes),
}

SPATIAL: dict[str, Callable[[Any], Any]] = {
    "wedge": lambda axes: plots.plot_possible_wedge(6, axes=axes),
    "consistent planes": lambda axes: plots.plot_consistent_planes(VOTES, evaluation=GRADES, axes=axes),
}

PANELS: dict[str, Callable[[Any], Any]] = {
    "dependence funnel": lambda figure: plots.plot_dependence_funnel(
        funnel_ranges(), proven=mpq(1, 100), key=ConsistentSet(VOTES).sample(seed=1, at=KEY), figure=figure
    ),
    "judge grades": lambda figure: plots.plot_judge_grades(COLUMNS, judges=JUDGES, figure=figure),
    "judge planes": lambda figure: plots.plot_judge_planes(VOTES, evaluation=GRADES, figure=figure),
    "six scores": lambda figure: plots.plot_six_scores(inversion=INVERSION, figure=figure),
}

ALL = {**FLAT, **SPATIAL, **PANELS}
