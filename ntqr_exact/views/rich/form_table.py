"""Which form a class has, by module and name, so that nothing is imported before a value of it is shown."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, TypeAlias

from ntqr_exact.blocks.markup import Markup

Form: TypeAlias = Callable[[Any], Markup]

_VOTES = "ntqr_exact.views.rich.votes_forms"
_VERDICTS = "ntqr_exact.views.rich.verdict_forms"
_METRICS = "ntqr_exact.views.rich.metric_forms"
_CONFIDENCE = "ntqr_exact.views.rich.confidence_forms"

SPECIAL: dict[tuple[str, str], tuple[str, str]] = {
    ("ntqr_exact.votes.counts", "VoteCounts"): (_VOTES, "votes_html"),
    ("ntqr_exact.votes.labeled", "LabeledVoteCounts"): (_VOTES, "labeled_votes_html"),
    ("ntqr_exact.votes.abstentions", "AbstainingVotes"): (_VOTES, "abstaining_votes_html"),
    ("ntqr_exact.evaluation", "Evaluation"): (_VOTES, "evaluation_html"),
    ("ntqr_exact.evaluation", "CountEvaluation"): (_VOTES, "count_evaluation_html"),
    ("ntqr_exact.varieties.consistent", "ConsistentSet"): (_VOTES, "consistent_html"),
    ("ntqr_exact.varieties.projection", "Projection"): (_VOTES, "projection_html"),
    ("ntqr_exact.varieties.possible", "PossibleSet"): (_VOTES, "possible_html"),
    ("ntqr_exact.alarms.alarm", "Alarm"): (_VERDICTS, "alarm_html"),
    ("ntqr_exact.alarms.misalignment", "Misalignment"): (_VERDICTS, "misalignment_html"),
    ("ntqr_exact.alarms.specification", "SafetySpecification"): (_VERDICTS, "specification_html"),
    ("ntqr_exact.evaluators.independent.independent_solution", "IndependentSolution"): (
        _VERDICTS,
        "independent_html",
    ),
    ("ntqr_exact.evaluators.independent.independent_solution", "PrevalenceQuadratic"): (
        _VERDICTS,
        "quadratic_html",
    ),
    ("ntqr_exact.evaluators.agreement_solution", "AgreementSolution"): (_VERDICTS, "agreement_html"),
    ("ntqr_exact.evaluators.majority", "MajorityEvaluation"): (_VERDICTS, "majority_html"),
    ("ntqr_exact.postulates.derivation", "Derivation"): (_VERDICTS, "derivation_html"),
    ("ntqr_exact.exact.surd", "Surd"): (_METRICS, "surd_html"),
    ("ntqr_exact.exact.enclosure", "Enclosure"): (_METRICS, "enclosure_html"),
    ("ntqr_exact.metrics.confusion", "ConfusionMatrix"): (_METRICS, "confusion_html"),
    ("ntqr_exact.metrics.multiclass", "MulticlassConfusion"): (_METRICS, "multiclass_html"),
    ("ntqr_exact.metrics.averages", "LabelMatrices"): (_METRICS, "label_matrices_html"),
    ("ntqr_exact.metrics.ranking", "Ranking"): (_METRICS, "ranking_html"),
    ("ntqr_exact.metrics.curves", "Curve"): (_METRICS, "curve_html"),
    ("ntqr_exact.metrics.exact_bootstrap", "BootstrapDistribution"): (_METRICS, "bootstrap_html"),
    ("ntqr_exact.significance.interval", "NormalInterval"): (_METRICS, "interval_html"),
    ("ntqr_exact.significance.comparison", "Comparison"): (_METRICS, "comparison_html"),
    ("ntqr_exact.confidence.inversions", "InversionSearch"): (_CONFIDENCE, "inversions_html"),
    ("ntqr_exact.confidence.atc_values", "AtcEstimate"): (_CONFIDENCE, "atc_html"),
    ("ntqr_exact.confidence.scores", "ScoreFunction"): (_CONFIDENCE, "score_html"),
    ("ntqr_exact.confidence.probability_vector", "ProbabilityVector"): (_CONFIDENCE, "vector_html"),
    ("ntqr_exact.significance.metric_model", "MetricModel"): (_CONFIDENCE, "metric_model_html"),
    ("ntqr_exact.alarms.safe_region", "SafeRegion"): (_CONFIDENCE, "safe_region_html"),
}
"""Classes with a form of their own: module and name of the class, module and name of the function."""

GENERAL: dict[str, tuple[str, ...]] = {
    "ntqr_exact.citation": ("Citation", "Source"),
    "ntqr_exact.exact.undefined_value": ("Undefined",),
    "ntqr_exact.examples": ("Example",),
    "ntqr_exact.algebra.certificate": ("Certificate",),
    "ntqr_exact.alarms.alarm": ("AlarmKind",),
    "ntqr_exact.alarms.misalignment": ("Alignment", "KeyVerdict"),
    "ntqr_exact.evaluators.independent.independent_solution": (
        "Identification",
        "KeyExistence",
        "TrioMoments",
    ),
    "ntqr_exact.graded.answer_table": ("AnswerTable",),
    "ntqr_exact.graded.partial_key": ("PartialKey",),
    "ntqr_exact.varieties.correlations": ("PairPoint",),
    "ntqr_exact.varieties.linear_range": ("Range",),
    "ntqr_exact.varieties.nearest": ("Nearest",),
    "ntqr_exact.varieties.verdict": ("Accepted", "Membership", "Breach", "Refused"),
    "ntqr_exact.metrics.areas": ("Anchor",),
    "ntqr_exact.metrics.averages": ("Average",),
    "ntqr_exact.metrics.bootstrap": ("BootstrapSample",),
    "ntqr_exact.metrics.bootstrap_interval": ("BootstrapInterval", "BootstrapMethod", "UndefinedResamples"),
    "ntqr_exact.metrics.distribution": ("Bin", "LoanThreshold"),
    "ntqr_exact.metrics.exact_bootstrap": ("CellStratum",),
    "ntqr_exact.metrics.formulas": ("Metric",),
    "ntqr_exact.metrics.label_metrics": ("MetricFunction",),
    "ntqr_exact.metrics.ranking": ("ThresholdRow",),
    "ntqr_exact.metrics.threshold_queries": ("ThresholdAnswer", "NoThreshold", "Query"),
    "ntqr_exact.metrics.undefined": ("WhenUndefined",),
    "ntqr_exact.metrics.weighting": ("Strata",),
    "ntqr_exact.significance.comparison": ("Result",),
    "ntqr_exact.significance.critical": ("NormalCritical", "RationalCritical"),
    "ntqr_exact.significance.interval": ("Decision",),
    "ntqr_exact.significance.metric_model": ("ObservedClass",),
    "ntqr_exact.significance.performance": ("Performance",),
    "ntqr_exact.significance.planning": ("SamplePlan",),
    "ntqr_exact.significance.variance": ("VarianceParts", "VarianceReading"),
    "ntqr_exact.confidence.atc": ("CurvePoint",),
    "ntqr_exact.confidence.atc_values": ("AtcReading",),
    "ntqr_exact.confidence.doc": ("DocEstimate", "DropLine"),
    "ntqr_exact.confidence.inversions": ("Inversion",),
    "ntqr_exact.exact.log_sum_key": ("LogSumKey",),
    "ntqr_exact.confidence.ordering": ("OrderComparison",),
    "ntqr_exact.views.plots.figures": ("FigureDetail",),
}
"""Classes that are shown by their fields."""


def special_form(kind: type) -> Form | None:
    """Return the form that was made for a class, or `None` if it has none of its own."""
    home = SPECIAL.get((kind.__module__, kind.__qualname__))
    if home is None:
        return None
    form: Form = getattr(importlib.import_module(home[0]), home[1])
    return form
