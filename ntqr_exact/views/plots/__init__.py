"""Pictures of evaluations, judges, metrics and confidences; matplotlib is the extra `plots`.

Every function takes data, draws it on the axes given or on new ones, and returns them.
"""

from ntqr_exact.views.plots.evaluation_pictures import plot_consistent_lines as plot_consistent_lines
from ntqr_exact.views.plots.evaluation_pictures import plot_evaluation_counts as plot_evaluation_counts
from ntqr_exact.views.plots.evaluation_pictures import plot_pair_correlations as plot_pair_correlations
from ntqr_exact.views.plots.evaluation_pictures import plot_prevalence_quadratic as plot_prevalence_quadratic
from ntqr_exact.views.plots.judge_pictures import plot_coverage as plot_coverage
from ntqr_exact.views.plots.judge_pictures import plot_dependence_funnel as plot_dependence_funnel
from ntqr_exact.views.plots.judge_pictures import plot_failing_judges as plot_failing_judges
from ntqr_exact.views.plots.judge_pictures import plot_judge_grades as plot_judge_grades
from ntqr_exact.views.plots.judge_pictures import plot_safe_keys as plot_safe_keys
from ntqr_exact.views.plots.metric_pictures import plot_atc as plot_atc
from ntqr_exact.views.plots.metric_pictures import plot_bootstrap as plot_bootstrap
from ntqr_exact.views.plots.metric_pictures import plot_loan_threshold as plot_loan_threshold
from ntqr_exact.views.plots.metric_pictures import plot_precision_recall as plot_precision_recall
from ntqr_exact.views.plots.metric_pictures import plot_roc as plot_roc
from ntqr_exact.views.plots.metric_pictures import plot_score_levels as plot_score_levels
from ntqr_exact.views.plots.metric_pictures import plot_six_scores as plot_six_scores
