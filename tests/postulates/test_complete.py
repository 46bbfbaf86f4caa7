"""Every test that can be given satisfies the complete postulates; the evaluation is made by brute force."""

import itertools
import math

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from ntqr_exact.errors import BadVotes, NotANumber
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.postulates import Role, Space, complete, independent
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

COMPLETE = {judges: complete(judges) for judges in (1, 2, 3, 4)}


def rows(judges, labels="ab"):
    """Rows of a true label and the judges' answers."""
    return st.lists(st.tuples(*[st.sampled_from(labels)] * (judges + 1)), min_size=1, max_size=14)


def labeled(questions, judges, labels="ab"):
    names = [f"J{number}" for number in range(1, judges + 1)]
    by_label = {}
    for label in labels:
        patterns = [row[1:] for row in questions if row[0] == label]
        by_label[label] = VoteCounts({p: patterns.count(p) for p in patterns}, tuple(labels), names)
    return LabeledVoteCounts(by_label)


def brute_force(questions, judges):
    """The evaluation in rates, straight from the rows."""
    size = len(questions)
    of_label = {label: [row[1:] for row in questions if row[0] == label] for label in "ab"}
    prevalence = {label: mpq(len(of_label[label]), size) for label in "ab"}

    def mean(label, value):
        if not of_label[label]:
            return Undefined.NO_QUESTIONS
        return sum((value(answers) for answers in of_label[label]), mpq(0)) / len(of_label[label])

    accuracy = [
        {label: mean(label, lambda answers, j=j, label=label: answers[j] == label) for label in "ab"}
        for j in range(judges)
    ]
    correlations = {
        (label, subset): mean(
            label,
            lambda answers, label=label, subset=subset: math.prod(
                (answers[j] == label) - accuracy[j][label] for j in subset
            ),
        )
        for label in "ab"
        for size in range(2, judges + 1)
        for subset in itertools.combinations(range(judges), size)
    }
    return Evaluation.from_accuracies(prevalence, accuracy, correlations)


@pytest.mark.parametrize("judges", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
@settings(max_examples=25)
@given(data=st.data())
def test_every_test_satisfies_all_postulates_in_rates(judges, data):
    questions = data.draw(rows(judges))
    test = labeled(questions, judges)
    evaluation = brute_force(questions, judges)
    for postulate in COMPLETE[judges].rates:
        assert postulate.residual(evaluation, test.observed()) == 0, postulate.name
        assert postulate.residual(test) == 0, postulate.name


@pytest.mark.parametrize(
    ("judges", "labels"), [(1, "ab"), (3, "ab"), (4, "ab"), (2, "abc"), (3, "abc"), (2, "abcd")]
)
@settings(max_examples=10)
@given(data=st.data())
def test_every_test_satisfies_all_postulates_in_responses(judges, labels, data):
    test = labeled(data.draw(rows(judges, labels)), judges, labels)
    for postulate in complete(judges, tuple(labels), spaces=[Space.RESPONSES]):
        assert postulate.residual(test) == 0, postulate.name
        assert postulate.polynomial.degree == 1


@settings(max_examples=25)
@given(rows(3), st.data())
def test_a_wrong_evaluation_is_noticed(questions, data):
    """One changed correlation of a label that has questions breaks some postulate."""
    right = brute_force(questions, 3)
    keys = [key for key, value in right.correlations.items() if not isinstance(value, Undefined)]
    key = data.draw(st.sampled_from(keys))
    changed = {**right.correlations, key: right.correlations[key] + mpq(1, 7)}
    wrong = Evaluation(right.prevalence, right.response_rates, changed)
    votes = labeled(questions, 3).observed()
    assert any(postulate.residual(wrong, votes) != 0 for postulate in COMPLETE[3].rates)


@pytest.mark.parametrize(
    ("judges", "patterns", "correlations"), [(1, 2, 0), (2, 4, 2), (3, 8, 8), (4, 16, 22), (5, 32, 52)]
)
def test_there_is_a_postulate_for_every_pattern_and_a_correlation_for_every_set_of_judges(
    judges, patterns, correlations
):
    found = [p for p in complete(judges, spaces=[Space.RATES]) if p.role is Role.POSTULATE][1:-1]
    assert len(found) == patterns
    variables = {name for p in found for name in p.polynomial.variables()}
    assert sum(name.startswith("G") for name in variables) == correlations
    assert max(p.polynomial.degree for p in found) == judges + 1


@pytest.mark.parametrize("judges", [1, 2, 3, 4])
def test_without_correlations_the_complete_postulates_are_the_independent_ones(judges):
    for ours, theirs in zip(COMPLETE[judges].rates, independent(judges), strict=True):
        zero = {name: 0 for name in ours.polynomial.variables() if name.startswith("G")}
        assert ours.polynomial.substitute(zero) == theirs.polynomial


def test_other_names_of_labels_change_nothing_but_the_names():
    ours, theirs = complete(2, ("yes, sure", "no")), complete(2)
    assert len(ours) == len(theirs)
    votes = VoteCounts({("yes, sure", "no"): 3, ("no", "no"): 1}, ("yes, sure", "no"))
    assert votes.frequency(("yes, sure", "no")) == ours["26b"].specialise(votes).polynomial.terms[()]


@pytest.mark.parametrize(
    ("judges", "error"),
    [
        *((each, BadVotes) for each in (0, 7, 11, 10**9)),
        *((each, NotANumber) for each in (2.0, True, None)),
    ],
)
def test_bad_numbers_of_judges_are_refused(judges, error):
    with pytest.raises(error):
        complete(judges)


@pytest.mark.slow
def test_rates_alone_of_three_labels_are_refused_and_both_spaces_give_what_there_is():
    with pytest.raises(BadVotes):
        complete(2, ("a", "b", "c"), spaces=[Space.RATES])
    assert {p.space for p in complete(2, ("a", "b", "c"))} == {Space.RESPONSES}
    with pytest.raises(BadVotes):
        complete(2, ("a",))
    assert len(complete(10, spaces=[Space.RESPONSES])) > 1024
