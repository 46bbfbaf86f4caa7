"""The public names, each with its home: the one list, for type checkers as well as for `__init__.py`."""

from typing import Any

from ntqr_exact import postulates as postulates
from ntqr_exact.alarms.best_level import best_level as best_level
from ntqr_exact.alarms.impossible_groups import impossible_groups as impossible_groups
from ntqr_exact.alarms.joint_safety import check_safety_certificate as check_safety_certificate
from ntqr_exact.alarms.misalignment import find_misalignment as find_misalignment
from ntqr_exact.alarms.safe_region import SafeRegion as SafeRegion
from ntqr_exact.alarms.specification import SafetySpecification as SafetySpecification
from ntqr_exact.census.census import take_census as take_census
from ntqr_exact.columns.float_values import float_scores as float_scores
from ntqr_exact.columns.float_values import float_weights as float_weights
from ntqr_exact.confidence.atc import atc as atc
from ntqr_exact.confidence.atc import atc_curve as atc_curve
from ntqr_exact.confidence.atc_bootstrap import bootstrap_atc as bootstrap_atc
from ntqr_exact.confidence.doc import doc as doc
from ntqr_exact.confidence.inversions import smallest_inversion as smallest_inversion
from ntqr_exact.confidence.probability_table import vectors_from_counts as vectors_from_counts
from ntqr_exact.confidence.probability_table import vectors_from_floats as vectors_from_floats
from ntqr_exact.confidence.probability_vector import ProbabilityVector as ProbabilityVector
from ntqr_exact.confidence.scores import compare_scores as compare_scores
from ntqr_exact.confidence.scores import register_score as register_score
from ntqr_exact.dependence.breakdown import breakdown_point as breakdown_point
from ntqr_exact.dependence.certificate_checker import (
    check_dependence_certificate as check_dependence_certificate,
)
from ntqr_exact.dependence.closed_form import tetrad_bound as tetrad_bound
from ntqr_exact.dependence.closest import closest_to_independence as closest_to_independence
from ntqr_exact.dependence.least import least_dependence as least_dependence
from ntqr_exact.dependence.ranges import evaluate_within as evaluate_within
from ntqr_exact.evaluation import CountEvaluation as CountEvaluation
from ntqr_exact.evaluation import Evaluation as Evaluation
from ntqr_exact.evaluators.agreement_solution import independence_defect as independence_defect
from ntqr_exact.evaluators.agreement_solution import solve_agreement as solve_agreement
from ntqr_exact.evaluators.grade import grade as grade
from ntqr_exact.evaluators.independent import solve_independent as solve_independent
from ntqr_exact.evaluators.independent.independent_solution import KeyExistence as KeyExistence
from ntqr_exact.evaluators.independent.many_trios import solve_independent_many as solve_independent_many
from ntqr_exact.evaluators.majority import majority_vote as majority_vote
from ntqr_exact.exact.rational import rational as rational
from ntqr_exact.exact.rational import rational_from_float as rational_from_float
from ntqr_exact.exact.surd import Surd as Surd
from ntqr_exact.examples import example as example
from ntqr_exact.graded.answer_table import AnswerTable as AnswerTable
from ntqr_exact.graded.chance_agreement import agreement as agreement
from ntqr_exact.graded.choosing import choose_questions as choose_questions
from ntqr_exact.graded.corrected_share import corrected_share as corrected_share
from ntqr_exact.graded.coverage import coverage_of as coverage_of
from ntqr_exact.graded.grading_plan import questions_to_grade as questions_to_grade
from ntqr_exact.graded.partial_key import PartialKey as PartialKey
from ntqr_exact.graded.reading import partial_key_from_csv as partial_key_from_csv
from ntqr_exact.graded.reading import partial_key_from_frame as partial_key_from_frame
from ntqr_exact.graded.reading import read_test as read_test
from ntqr_exact.metrics.areas import average_precision as average_precision
from ntqr_exact.metrics.areas import pr_auc as pr_auc
from ntqr_exact.metrics.areas import roc_auc as roc_auc
from ntqr_exact.metrics.averages import LabelMatrices as LabelMatrices
from ntqr_exact.metrics.bootstrap import bootstrap as bootstrap
from ntqr_exact.metrics.confusion import ConfusionMatrix as ConfusionMatrix
from ntqr_exact.metrics.curves import precision_recall_curve as precision_recall_curve
from ntqr_exact.metrics.curves import roc_curve as roc_curve
from ntqr_exact.metrics.exact_bootstrap import exact_bootstrap as exact_bootstrap
from ntqr_exact.metrics.multiclass import MulticlassConfusion as MulticlassConfusion
from ntqr_exact.metrics.undefined import WhenUndefined as WhenUndefined
from ntqr_exact.metrics.weighting import Strata as Strata
from ntqr_exact.metrics.weighting import bias_adjusted as bias_adjusted
from ntqr_exact.significance.comparison import compare as compare
from ntqr_exact.significance.comparison import compare_paired as compare_paired
from ntqr_exact.significance.metric_model import MetricModel as MetricModel
from ntqr_exact.significance.planning import plan as plan
from ntqr_exact.significance.variance import VarianceReading as VarianceReading
from ntqr_exact.study.confidence_study import ConfidenceStudy as ConfidenceStudy
from ntqr_exact.study.confidence_study import study_confidence as study_confidence
from ntqr_exact.study.consistent_part import ConsistentStudy as ConsistentStudy
from ntqr_exact.study.consistent_part import study_consistent as study_consistent
from ntqr_exact.study.safety_part import SafetyStudy as SafetyStudy
from ntqr_exact.study.safety_part import study_safety as study_safety
from ntqr_exact.study.score_study import ScoreStudy as ScoreStudy
from ntqr_exact.study.score_study import study_scores as study_scores
from ntqr_exact.study.significance_study import SignificanceStudy as SignificanceStudy
from ntqr_exact.study.significance_study import study_significance as study_significance
from ntqr_exact.study.votes_study import VotesStudy as VotesStudy
from ntqr_exact.study.votes_study import study_votes as study_votes
from ntqr_exact.varieties.consistent import ConsistentSet as ConsistentSet
from ntqr_exact.varieties.possible import PossibleSet as PossibleSet
from ntqr_exact.votes.counts import VoteCounts as VoteCounts
from ntqr_exact.votes.csv_decisions import count_csv as count_csv
from ntqr_exact.votes.frames import count_frame as count_frame
from ntqr_exact.votes.labeled import LabeledVoteCounts as LabeledVoteCounts
from ntqr_exact.votes.read_votes import read_votes as read_votes
from ntqr_exact.votes.rows import count_rows as count_rows

__version__: str

def load_ipython_extension(shell: Any) -> None: ...
