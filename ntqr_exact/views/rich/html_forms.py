"""The HTML of any value of the library, and its registration in a notebook."""

from __future__ import annotations

from typing import Any

from ntqr_exact.errors import BadChoice

SHOWN = {
    "alarms.alarm": "Alarm AlarmKind",
    "alarms.misalignment": "ImpossibleGroups Misalignment",
    "alarms.safe_region": "SafeRegion",
    "alarms.specification": "SafetySpecification",
    "algebra.certificate": "Certificate",
    "citation": "Citation Source",
    "confidence.atc": "CurvePoint",
    "confidence.atc_values": "AtcEstimate AtcReading",
    "confidence.doc": "DocEstimate DropLine",
    "confidence.ordering": "Inversion InversionSearch OrderComparison",
    "confidence.probability_vector": "ProbabilityVector",
    "confidence.scores": "ScoreFunction",
    "evaluation": "CountEvaluation Evaluation",
    "evaluators.agreement_solution": "AgreementSolution",
    "evaluators.independent.independent_solution": (
        "Identification IndependentSolution PrevalenceQuadratic TrioMoments"
    ),
    "evaluators.majority": "MajorityEvaluation",
    "exact.enclosure": "Enclosure",
    "exact.log_sum_key": "LogSumKey",
    "exact.surd": "Surd",
    "exact.undefined_value": "Undefined",
    "examples": "Example",
    "sampling.answer_table": "AnswerTable",
    "sampling.partial_key": "PartialKey",
    "ledger.orderings_analysis.two_way_anova": "AnovaRow AnovaTable",
    "metrics.areas": "Anchor",
    "metrics.bootstrap": "BootstrapSample",
    "metrics.bootstrap_interval": "BootstrapInterval BootstrapMethod UndefinedResamples",
    "metrics.confusion": "ConfusionMatrix",
    "metrics.curves": "Curve",
    "metrics.exact_bootstrap": "BootstrapDistribution CellStratum",
    "metrics.formulas": "Metric",
    "metrics.label_metrics": "MetricFunction",
    "metrics.multiclass": "Average LabelMatrices MulticlassConfusion",
    "metrics.ranking": "Ranking ThresholdRow",
    "metrics.threshold_queries": "Bin LoanThreshold NoThreshold Query ThresholdAnswer",
    "metrics.undefined": "WhenUndefined",
    "metrics.weighting": "Strata",
    "postulates.derivation": "Derivation",
    "sampling.comparison": "Comparison Result",
    "sampling.normal_interval": "Decision NormalCritical NormalInterval RationalCritical",
    "sampling.metric_model": "MetricModel ObservedClass Performance",
    "sampling.planning": "SamplePlan",
    "sampling.variance": "VarianceParts VarianceReading",
    "varieties.consistent": "ConsistentSet",
    "varieties.correlations": "PairPoint",
    "varieties.linear_range": "Range",
    "varieties.nearest": "Nearest",
    "varieties.possible": "PossibleSet",
    "varieties.projection": "Projection",
    "varieties.verdict": "Accepted Breach Membership Refused",
    "views.plots.figures": "FigureDetail",
    "votes.abstentions": "AbstainingVotes",
    "votes.counts": "VoteCounts",
    "votes.labeled": "LabeledVoteCounts",
}
"""The classes that a notebook shows as HTML, by the module of each below `ntqr_exact`."""


def html(value: object) -> str:
    """Return a value of the library as HTML, everything in it escaped; long parts fold.

    >>> from ntqr_exact import Surd
    >>> html(Surd.sqrt(2))
    '√2 ≈ 1.414214'

    Any other value of the library is shown by its fields. Raises `BadChoice` for what is no value of the library.
    """
    if type(value).__module__.partition(".")[0] != "ntqr_exact":
        raise BadChoice(value, "HTML is made of values of this library")
    from ntqr_exact.views.rich.forms import form

    return form(value)


def register(display_formatter: Any) -> None:
    """Teach the display formatter of an IPython shell the HTML form of every class in the table.

    Nothing is imported for it: IPython finds a class by its name when a value of it is shown.
    """
    formatter = display_formatter.formatters["text/html"]
    for module, names in SHOWN.items():
        for name in names.split():
            formatter.for_type_by_name(f"ntqr_exact.{module}", name, html)


def load_ipython_extension(shell: Any) -> None:
    """Register the forms in a notebook: `%load_ext ntqr_exact.views.rich`."""
    register(shell.display_formatter)
