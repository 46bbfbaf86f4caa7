"""The agreement-rate solution: it solves its hypothesis, and the hypothesis is not independence."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact import LabeledVoteCounts, VoteCounts, example
from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.errors import BadVotes, EmptyTest
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.agreement_solution import independence_defect, solve_agreement
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.varieties.consistent import ConsistentSet
from tests.compositions import compositions

TRIO = list(product("ab", repeat=3))
eight = st.lists(st.integers(0, 9), min_size=8, max_size=8)


def trio(counts) -> VoteCounts:
    return VoteCounts(dict(zip(TRIO, counts, strict=True)))


def errors_multiply(graded: LabeledVoteCounts) -> bool:
    """Whether e_ij = e_i·e_j for every pair under a key, in numbers of questions."""

    def wrong(*judges: int) -> int:
        return sum(
            count
            for label, votes in graded.by_label.items()
            for pattern, count in votes.counts.items()
            if all(pattern[judge] != label for judge in judges)
        )

    return all(graded.size * wrong(i, j) == wrong(i) * wrong(j) for i, j in combinations(range(3), 2))


@given(eight.filter(any))
def test_both_branches_solve_the_agreement_equations_under_the_hypothesis(counts) -> None:
    solution = solve_agreement(trio(counts))
    for errors in solution.branches:
        for i, j in combinations(range(3), 2):
            rate = 1 - errors[i] - errors[j] + 2 * errors[i] * errors[j]
            assert rate == solution.agreements[i, j] == trio(counts).agreement(i, j)
    if solution.branches:
        first, second = solution.branches
        assert all(x + y == 1 for x, y in zip(first, second, strict=True))


@given(eight, eight)
def test_the_agreement_equation_27_holds_for_every_key_and_the_defect_is_as_derived(on_a, on_b) -> None:
    if not any(on_a) or not any(on_b):
        return
    labeled = LabeledVoteCounts({"a": trio(on_a), "b": trio(on_b)})
    votes, evaluation = labeled.observed(), grade(labeled)
    wrong = [
        sum(labeled.by_label[true].responses(i)[other] for true, other in (("a", "b"), ("b", "a")))
        for i in range(3)
    ]
    for i, j in combinations(range(3), 2):
        both = sum(
            count
            for true, part in labeled.by_label.items()
            for pattern, count in part.counts.items()
            if pattern[i] != true and pattern[j] != true
        )
        e_i, e_j, e_ij = (mpq(n, votes.size) for n in (wrong[i], wrong[j], both))
        assert votes.agreement(i, j) == 1 - e_i - e_j + 2 * e_ij
        pulls = sum(evaluation.prevalence[label] * evaluation.correlations[label, (i, j)] for label in "ab")
        assert e_ij - e_i * e_j == pulls + independence_defect(evaluation, i, j)


def test_the_defect_vanishes_for_a_judge_who_is_equally_good_on_both_labels() -> None:
    even, odd = {"a": "2/3", "b": "2/3"}, {"a": "1/2", "b": "3/4"}
    evaluation = Evaluation.from_accuracies({"a": "1/3", "b": "2/3"}, [even, odd, odd])
    assert independence_defect(evaluation, 0, 1) == 0
    assert independence_defect(evaluation, 1, 2) == mpq(2, 9) / 16


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("two-norm", AlarmKind.IRRATIONAL),
        ("uci-adult-imaginary", AlarmKind.IMAGINARY),
        ("uci-adult", AlarmKind.IMAGINARY),
    ],
)
def test_its_own_alarm_fires_on_the_published_tests(name, kind) -> None:
    assert [alarm.kind for alarm in solve_agreement(example(name).votes).alarms] == [kind]


def test_one_pair_that_agrees_on_half_of_the_questions_is_a_contradiction() -> None:
    solution = solve_agreement(trio((1, 0, 1, 0, 0, 0, 0, 0)))
    assert (solution.alarms, "half of the questions" in solution.note) == ((), True)
    solution = solve_agreement(trio((1, 1, 1, 0, 1, 0, 0, 0)))
    assert (solution.alarms, solution.branches) == ((), ())
    assert "Judges agree" in str(solution)
    solution = solve_agreement(trio((2, 1, 1, 0, 0, 0, 0, 0)))
    assert solution.agreements == {(0, 1): mpq(3, 4), (0, 2): mpq(3, 4), (1, 2): mpq(1, 2)}
    assert [alarm.kind for alarm in solution.alarms] == [AlarmKind.CONTRADICTION]
    assert solution.branches == ()


def test_the_questions_that_all_answered_are_solved_and_counted() -> None:
    votes = VoteCounts({"aab": 2, "aaa": 3, ("a", None, "b"): 2})
    assert "5 of 7" in solve_agreement(votes).note
    assert solve_agreement(votes.common()).note == ""


def test_error_rates_out_of_range_are_an_alarm() -> None:
    solution = solve_agreement(trio((0, 1, 1, 3, 0, 0, 0, 0)))
    assert [alarm.kind for alarm in solution.alarms] == [
        AlarmKind.IRRATIONAL,
        AlarmKind.OUT_OF_RANGE,
        AlarmKind.OUT_OF_RANGE,
    ]
    assert [alarm.proof["branch"] for alarm in solution.alarms[1:]] == [1, 2]


def test_a_number_of_errors_that_is_not_whole_is_an_alarm() -> None:
    solution = solve_agreement(trio((85, 11, 11, 0, 37, 0, 0, 0)))
    assert solution.branches[0] == (mpq(3, 10), mpq(1, 12), mpq(1, 12))
    assert {alarm.kind for alarm in solution.alarms} == {AlarmKind.NOT_WHOLE}
    assert [(alarm.proof["count"]) for alarm in solution.alarms[:1]] == [mpq(216, 5)]


def test_a_number_of_common_errors_that_is_not_whole_is_an_alarm_and_no_key_has_such_errors() -> None:
    votes = trio((8, 3, 3, 0, 2, 0, 0, 0))
    alarms = solve_agreement(votes).alarms
    assert [(alarm.kind, alarm.proof["count"]) for alarm in alarms] == [
        (AlarmKind.NOT_WHOLE, mpq(1, 2)),
        (AlarmKind.NOT_WHOLE, mpq(1, 2)),
    ]
    assert not any(map(errors_multiply, ConsistentSet(votes)))


def test_votes_with_an_alarm_have_no_key_whose_errors_multiply() -> None:
    """All votes of up to four questions, against all keys."""
    fired = 0
    for counts in (counts for size in range(1, 5) for counts in compositions(size, 8)):
        votes = trio(counts)
        if solve_agreement(votes).alarms:
            fired += 1
            assert not any(map(errors_multiply, ConsistentSet(votes))), counts
    assert fired > 100


def test_three_judges_two_labels_and_questions_are_needed() -> None:
    with pytest.raises(BadVotes, match="3 judges and 2 labels"):
        solve_agreement(VoteCounts({"ab": 1}))
    with pytest.raises(BadVotes, match="3 judges and 2 labels"):
        solve_agreement(VoteCounts({"abc": 1}, labels=["a", "b", "c"]))
    with pytest.raises(EmptyTest):
        solve_agreement(VoteCounts({}, judges=["A", "B", "C"]))
