"""Grade classifiers, and the metrics used on them, in exact arithmetic.

Everything public can be imported from here; each name loads its module on first use, so that
`import ntqr_exact` itself costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from ntqr_exact.alarms.misalignment import find_misalignment as find_misalignment
    from ntqr_exact.alarms.safe_region import SafeRegion as SafeRegion
    from ntqr_exact.alarms.specification import SafetySpecification as SafetySpecification
    from ntqr_exact.census.census import take_census as take_census
    from ntqr_exact.confidence.atc import atc as atc
    from ntqr_exact.confidence.atc import atc_curve as atc_curve
    from ntqr_exact.confidence.atc_bootstrap import bootstrap_atc as bootstrap_atc
    from ntqr_exact.confidence.doc import doc as doc
    from ntqr_exact.confidence.inversions import smallest_inversion as smallest_inversion
    from ntqr_exact.confidence.scores import compare_scores as compare_scores
    from ntqr_exact.confidence.scores import register_score as register_score
    from ntqr_exact.confidence.vector_table import vectors_from_counts as vectors_from_counts
    from ntqr_exact.confidence.vector_table import vectors_from_floats as vectors_from_floats
    from ntqr_exact.confidence.vectors import ProbabilityVector as ProbabilityVector
    from ntqr_exact.evaluation import CountEvaluation as CountEvaluation
    from ntqr_exact.evaluation import Evaluation as Evaluation
    from ntqr_exact.evaluators.agreement import independence_defect as independence_defect
    from ntqr_exact.evaluators.agreement import solve_agreement as solve_agreement
    from ntqr_exact.evaluators.grade import grade as grade
    from ntqr_exact.evaluators.independent import solve_independent as solve_independent
    from ntqr_exact.evaluators.independent_many import solve_independent_many as solve_independent_many
    from ntqr_exact.evaluators.independent_solution import KeyExistence as KeyExistence
    from ntqr_exact.evaluators.majority import majority_vote as majority_vote
    from ntqr_exact.exact.rational import rational as rational
    from ntqr_exact.exact.rational import rational_from_float as rational_from_float
    from ntqr_exact.exact.surd import Surd as Surd
    from ntqr_exact.examples import example as example
    from ntqr_exact.graded.coverage import coverage_of as coverage_of
    from ntqr_exact.graded.partial_key import PartialKey as PartialKey
    from ntqr_exact.metrics.areas import average_precision as average_precision
    from ntqr_exact.metrics.areas import pr_auc as pr_auc
    from ntqr_exact.metrics.areas import roc_auc as roc_auc
    from ntqr_exact.metrics.averages import LabelMatrices as LabelMatrices
    from ntqr_exact.metrics.bootstrap import bootstrap as bootstrap
    from ntqr_exact.metrics.confusion import ConfusionMatrix as ConfusionMatrix
    from ntqr_exact.metrics.curves import precision_recall_curve as precision_recall_curve
    from ntqr_exact.metrics.curves import roc_curve as roc_curve
    from ntqr_exact.metrics.exact_bootstrap import exact_bootstrap as exact_bootstrap
    from ntqr_exact.metrics.floats import float_scores as float_scores
    from ntqr_exact.metrics.floats import float_weights as float_weights
    from ntqr_exact.metrics.multiclass import MulticlassConfusion as MulticlassConfusion
    from ntqr_exact.metrics.undefined import WhenUndefined as WhenUndefined
    from ntqr_exact.metrics.weighting import Strata as Strata
    from ntqr_exact.metrics.weighting import bias_adjusted as bias_adjusted
    from ntqr_exact.significance.comparison import compare as compare
    from ntqr_exact.significance.comparison import compare_paired as compare_paired
    from ntqr_exact.significance.metric_model import MetricModel as MetricModel
    from ntqr_exact.significance.planning import plan as plan
    from ntqr_exact.significance.variance import VarianceReading as VarianceReading
    from ntqr_exact.varieties.consistent import ConsistentSet as ConsistentSet
    from ntqr_exact.varieties.possible import PossibleSet as PossibleSet
    from ntqr_exact.votes.counts import VoteCounts as VoteCounts
    from ntqr_exact.votes.csv_decisions import count_csv as count_csv
    from ntqr_exact.votes.files import read_votes as read_votes
    from ntqr_exact.votes.frames import count_frame as count_frame
    from ntqr_exact.votes.labeled import LabeledVoteCounts as LabeledVoteCounts
    from ntqr_exact.votes.rows import count_rows as count_rows

_HOMES = {
    "rational": "exact.rational",
    "rational_from_float": "exact.rational",
    "Surd": "exact.surd",
    "VoteCounts": "votes.counts",
    "LabeledVoteCounts": "votes.labeled",
    "count_rows": "votes.rows",
    "count_csv": "votes.csv_decisions",
    "count_frame": "votes.frames",
    "read_votes": "votes.files",
    "example": "examples",
    "Evaluation": "evaluation",
    "CountEvaluation": "evaluation",
    "solve_agreement": "evaluators.agreement",
    "solve_independent": "evaluators.independent",
    "majority_vote": "evaluators.majority",
    "grade": "evaluators.grade",
    "solve_independent_many": "evaluators.independent_many",
    "KeyExistence": "evaluators.independent_solution",
    "take_census": "census.census",
    "find_misalignment": "alarms.misalignment",
    "SafeRegion": "alarms.safe_region",
    "SafetySpecification": "alarms.specification",
    "ConsistentSet": "varieties.consistent",
    "PossibleSet": "varieties.possible",
    "MetricModel": "significance.metric_model",
    "compare": "significance.comparison",
    "compare_paired": "significance.comparison",
    "VarianceReading": "significance.variance",
    "plan": "significance.planning",
    "bootstrap": "metrics.bootstrap",
    "exact_bootstrap": "metrics.exact_bootstrap",
    "ConfusionMatrix": "metrics.confusion",
    "MulticlassConfusion": "metrics.multiclass",
    "LabelMatrices": "metrics.averages",
    "WhenUndefined": "metrics.undefined",
    "roc_auc": "metrics.areas",
    "average_precision": "metrics.areas",
    "pr_auc": "metrics.areas",
    "roc_curve": "metrics.curves",
    "precision_recall_curve": "metrics.curves",
    "Strata": "metrics.weighting",
    "bias_adjusted": "metrics.weighting",
    "float_scores": "metrics.floats",
    "float_weights": "metrics.floats",
    "compare_scores": "confidence.scores",
    "register_score": "confidence.scores",
    "atc": "confidence.atc",
    "atc_curve": "confidence.atc",
    "bootstrap_atc": "confidence.atc_bootstrap",
    "doc": "confidence.doc",
    "ProbabilityVector": "confidence.vectors",
    "vectors_from_counts": "confidence.vector_table",
    "vectors_from_floats": "confidence.vector_table",
    "smallest_inversion": "confidence.inversions",
    "independence_defect": "evaluators.agreement",
    "coverage_of": "graded.coverage",
    "PartialKey": "graded.partial_key",
}

__all__ = [
    "ConfusionMatrix",
    "ConsistentSet",
    "CountEvaluation",
    "Evaluation",
    "KeyExistence",
    "LabelMatrices",
    "LabeledVoteCounts",
    "MetricModel",
    "MulticlassConfusion",
    "PartialKey",
    "PossibleSet",
    "ProbabilityVector",
    "SafeRegion",
    "SafetySpecification",
    "Strata",
    "Surd",
    "VarianceReading",
    "VoteCounts",
    "WhenUndefined",
    "atc",
    "atc_curve",
    "average_precision",
    "bias_adjusted",
    "bootstrap",
    "bootstrap_atc",
    "compare",
    "compare_paired",
    "compare_scores",
    "count_csv",
    "count_frame",
    "count_rows",
    "coverage_of",
    "doc",
    "exact_bootstrap",
    "example",
    "find_misalignment",
    "float_scores",
    "float_weights",
    "grade",
    "independence_defect",
    "majority_vote",
    "plan",
    "pr_auc",
    "precision_recall_curve",
    "rational",
    "rational_from_float",
    "read_votes",
    "register_score",
    "roc_auc",
    "roc_curve",
    "smallest_inversion",
    "solve_agreement",
    "solve_independent",
    "solve_independent_many",
    "take_census",
    "vectors_from_counts",
    "vectors_from_floats",
]


_PACKAGES = ("postulates",)
"""Packages that are used by their own name, as in `ntqr_exact.postulates.pair()`."""


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return importlib.import_module(f"ntqr_exact.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'ntqr_exact' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"ntqr_exact.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_PACKAGES})


def load_ipython_extension(shell: Any) -> None:
    """Show values as tables in a notebook: `%load_ext ntqr_exact`."""
    from ntqr_exact.views.rich import load_ipython_extension as load

    load(shell)
