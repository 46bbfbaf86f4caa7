"""Pictures of evaluations, alarms, metrics and confidences; matplotlib is the extra `plots`.

Every function takes data, draws it on the axes given or on new ones, and returns them.
"""

from __future__ import annotations

from ntqr_exact.views.plots.bootstrap_bars import plot_bootstrap, plot_violins
from ntqr_exact.views.plots.confidences import plot_atc, plot_score_levels, plot_six_scores
from ntqr_exact.views.plots.dependence import plot_dependence_funnel, plot_pair_correlations
from ntqr_exact.views.plots.evaluations import (
    plot_consistent_lines,
    plot_evaluation_counts,
)
from ntqr_exact.views.plots.failing_staircase import plot_failing_judges
from ntqr_exact.views.plots.judge_grades import plot_coverage, plot_graded_judges, plot_judge_grades
from ntqr_exact.views.plots.prevalence_quadratic import plot_prevalence_quadratic
from ntqr_exact.views.plots.safe_keys import plot_safe_keys
from ntqr_exact.views.plots.score_curves import plot_loan_threshold, plot_precision_recall, plot_roc

__all__ = [
    "plot_atc",
    "plot_bootstrap",
    "plot_consistent_lines",
    "plot_coverage",
    "plot_dependence_funnel",
    "plot_evaluation_counts",
    "plot_failing_judges",
    "plot_graded_judges",
    "plot_judge_grades",
    "plot_loan_threshold",
    "plot_pair_correlations",
    "plot_precision_recall",
    "plot_prevalence_quadratic",
    "plot_roc",
    "plot_safe_keys",
    "plot_score_levels",
    "plot_six_scores",
    "plot_violins",
]
