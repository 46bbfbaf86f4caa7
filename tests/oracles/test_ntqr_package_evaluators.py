"""The package `ntqr` of the paper's author: its evaluators and its alarm agree with ours where they are right."""

import warnings
from itertools import product

import pytest
import sympy
from gmpy2 import mpq

from benchmarks.peers.sympy_numbers import surd_from_sympy
from ntqr_exact import LabeledVoteCounts, VoteCounts
from ntqr_exact.alarms.misalignment import SafeRegion, find_misalignment
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.majority import majority_vote
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties.consistent import ConsistentSet
from tests.compositions import compositions

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pytest.importorskip("ntqr", reason="the peer package ntqr is not installed")
    from ntqr import (
        ErrorIndependentEvaluation,
        MajorityVotingEvaluation,
        SupervisedEvaluation,
        TrioLabelVoteCounts,
        TrioVoteCounts,
    )
    from ntqr.alarms import SingleClassifierAxiomsAlarm
    from ntqr.r2.evaluations import PosteriorSingleEvaluations, SingleClassifierEvaluations
    from ntqr.r2.examples import uciadult_label_counts
    from ntqr.r2.raxioms import SingleClassifierAxioms
    from ntqr.r2.uci_adult_20240415 import data_sketches

TRIO = list(product("ab", repeat=3))
SKETCHES = {"example": uciadult_label_counts, **{n: data_sketches[n] for n in (0, 17, 42, 63, 99)}}


def labeled(sketch):
    return LabeledVoteCounts({label: VoteCounts(counts) for label, counts in sketch.items()})


def theirs_of(votes):
    return TrioVoteCounts({pattern: votes.counts[pattern] for pattern in TRIO})


def exact(value):
    """One of their numbers as ours."""
    return surd_from_sympy(sympy.sympify(value))


def numbers(evaluation):
    """Our evaluation, or theirs, in one order: prevalence of a, then the accuracies."""
    if isinstance(evaluation, dict):
        return (
            exact(evaluation["prevalence"]["a"]),
            *(exact(right[label]) for right in evaluation["accuracy"] for label in "ab"),
        )
    return (evaluation.prevalence["a"], *(right[label] for right in evaluation.accuracy for label in "ab"))


# -- independent errors ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SKETCHES)
def test_the_independent_solutions_are_the_same_surds(name):
    votes = labeled(SKETCHES[name]).observed()
    theirs = ErrorIndependentEvaluation(theirs_of(votes))
    ours = solve_independent(votes)
    assert {numbers(solution) for solution in theirs.evaluation_exact} == {
        numbers(solution) for solution in ours.solutions
    }
    terms = theirs.alpha_prevalence_quadratic_terms()
    assert [exact(terms[power]) for power in (2, 1, 0)] == [
        ours.quadratic.leading,
        ours.quadratic.linear,
        ours.quadratic.constant,
    ]


def has_no_accuracy(votes):
    """Whether none of their accuracies is a number: all are nan, or infinite."""
    return all(
        rate in (sympy.nan, sympy.zoo)
        for solution in ErrorIndependentEvaluation(theirs_of(votes)).evaluation_exact
        for right in solution["accuracy"]
        for rate in right.values()
    )


def test_two_questions_are_enough_for_them_to_fail_at_T_0_where_there_is_an_independent_key():
    """Their accuracies divide by T. All judges agree, on one a and one b: T = 0, and everybody is perfect."""
    votes = VoteCounts({"aaa": 1, "bbb": 1})
    ours = solve_independent(votes)
    assert ours.moments.trio == 0
    assert ours.alarms == ()
    assert numbers(ours.solutions[0]) == (mpq(1, 2), 1, 1, 1, 1, 1, 1)
    theirs = ErrorIndependentEvaluation(theirs_of(votes)).evaluation_exact
    assert theirs[0]["prevalence"]["a"] == sympy.Rational(1, 2)
    assert {right[label] for right in theirs[0]["accuracy"] for label in "ab"} == {sympy.nan}


@pytest.mark.slow
def test_of_all_votes_with_up_to_four_questions_they_fail_at_T_0_only_and_there_always():
    """Of the votes with an independent key and identified rates, 56 have T = 0."""
    at_zero = elsewhere = 0
    for size in range(1, 5):
        for counts in compositions(size, 8):
            votes = VoteCounts(dict(zip(TRIO, counts, strict=True)))
            ours = solve_independent(votes)
            if not ours.solutions or ours.alarms:
                continue
            if ours.moments.trio == 0:
                at_zero += 1
                assert has_no_accuracy(votes)
            else:
                elsewhere += 1
                theirs = ErrorIndependentEvaluation(theirs_of(votes)).evaluation_exact
                assert set(map(numbers, theirs)) == set(map(numbers, ours.solutions))
    assert (at_zero, elsewhere) == (56, 88)


# -- grading by key and by majority ------------------------------------------------------------------


@pytest.mark.parametrize("name", SKETCHES)
def test_grading_by_key_is_the_same_with_all_correlations(name):
    theirs = SupervisedEvaluation(TrioLabelVoteCounts(SKETCHES[name])).evaluation_exact
    ours = grade(labeled(SKETCHES[name]))
    assert numbers(theirs) == numbers(ours)
    correlations = {**theirs["pair_correlation"], **theirs["3_way_correlation"]}
    assert {
        (label, subset): exact(value)
        for subset, by_label in correlations.items()
        for label, value in by_label.items()
    } == ours.correlations


def test_a_label_without_questions_is_undefined_for_us_and_nan_for_them():
    sketch = {"a": {("a", "a", "b"): 2}, "b": {}}
    theirs = SupervisedEvaluation(TrioLabelVoteCounts(sketch)).evaluation_exact
    assert theirs["accuracy"][0]["b"] is sympy.nan
    ours = grade(LabeledVoteCounts({"a": VoteCounts(sketch["a"])}))
    assert ours.accuracy[0]["b"] is Undefined.NO_QUESTIONS


@pytest.mark.parametrize("name", SKETCHES)
def test_the_majority_is_the_same_whether_the_crowd_is_right_or_wrong(name):
    votes = labeled(SKETCHES[name]).observed()
    right, wrong = MajorityVotingEvaluation(theirs_of(votes)).evaluation_exact
    ours = majority_vote(votes)
    assert numbers(right) == numbers(ours.evaluation)
    assert numbers(wrong) == numbers(ours.reversed_evaluation)


# -- one judge, and the alarm of single judges -------------------------------------------------------


@pytest.mark.parametrize("size", range(1, 7))
def test_the_evaluations_of_one_judge_are_the_same(size):
    for given in range(size + 1):
        votes = VoteCounts({"aaa": given, "bbb": size - given})
        theirs = PosteriorSingleEvaluations(theirs_of(votes)).all_possible_evaluations(0)
        ours = {key: [] for key in range(size + 1)}
        for evaluation in ConsistentSet(votes.marginal(0)).projection():
            right = evaluation.correct[0]
            ours[evaluation.key_counts["a"]].append((right["a"], right["b"]))
        assert theirs == ours


def their_alarm(size, judges, factors):
    axioms = [SingleClassifierAxioms(("a", "b"), judge) for judge in "ijk"[:judges]]
    alarm = SingleClassifierAxiomsAlarm(size, axioms, SingleClassifierEvaluations)
    alarm.set_safety_specification(factors)
    return alarm


def votes_with(answers_a, size):
    """Votes in which judge i gives a to the first answers_a[i] questions: an alarm of single judges asks no more."""
    rows = [tuple("a" if question < n else "b" for n in answers_a) for question in range(size)]
    return VoteCounts({row: rows.count(row) for row in set(rows)})


@pytest.mark.parametrize(
    ("size", "judges", "factors"),
    [
        (1, 2, (2, 2)),
        (2, 2, (2, 2)),
        (3, 2, (2, 2)),
        (3, 2, (2, 3)),
        pytest.param(4, 2, (2, 2), marks=pytest.mark.slow),
        pytest.param(4, 2, (2, 3), marks=pytest.mark.slow),
        pytest.param(3, 3, (2, 2), marks=pytest.mark.slow),
    ],
)
def test_the_alarm_and_its_trace_are_the_same_for_all_responses(size, judges, factors):
    """A label without questions asks for nothing, with them as with us: key counts 0 and Q are in the trace."""
    alarm = their_alarm(size, judges, factors)
    specification = SafetySpecification(dict(zip("ab", factors, strict=True)))
    fired = set()
    for answers_a in product(range(size + 1), repeat=judges):
        votes = votes_with(answers_a, size)
        ours = find_misalignment(votes, specification, group_size=1)
        region = SafeRegion(votes, specification, 1)
        trace = dict(alarm.misalignment_trace([(n, size - n) for n in answers_a]))
        assert {qs: not misaligned for qs, misaligned in trace.items()} == {
            (n, size - n): {"a": n, "b": size - n} in region for n in range(size + 1)
        }
        assert all(trace.values()) == ours.is_misaligned
        fired.add(ours.is_misaligned)
    assert fired == {True, False}
