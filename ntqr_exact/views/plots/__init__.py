"""Pictures of evaluations, judges, metrics and confidences; matplotlib is the extra `plots`.

Every function takes data, draws it on the axes given or on new ones, and returns them.
"""

from ntqr_exact.views.plots.evaluation_pictures import (
    plot_consistent_lines,
    plot_evaluation_counts,
    plot_pair_correlations,
    plot_prevalence_quadratic,
)
from ntqr_exact.views.plots.judge_pictures import (
    plot_coverage,
    plot_dependence_funnel,
    plot_failing_judges,
    plot_judge_grades,
    plot_safe_keys,
)
from ntqr_exact.views.plots.metric_pictures import (
    plot_atc,
    plot_bootstrap,
    plot_loan_threshold,
    plot_precision_recall,
    plot_roc,
    plot_score_levels,
    plot_six_scores,
)

__all__ = [
    "plot_atc",
    "plot_bootstrap",
    "plot_consistent_lines",
    "plot_coverage",
    "plot_dependence_funnel",
    "plot_evaluation_counts",
    "plot_failing_judges",
    "plot_judge_grades",
    "plot_loan_threshold",
    "plot_pair_correlations",
    "plot_precision_recall",
    "plot_prevalence_quadratic",
    "plot_roc",
    "plot_safe_keys",
    "plot_score_levels",
    "plot_six_scores",
]
