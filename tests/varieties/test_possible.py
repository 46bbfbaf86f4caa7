"""The set of possible evaluations: the source's counts, membership with reasons, order, uniform draws."""

from collections import Counter
from math import prod

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadVotes, NotAnEvaluation, TooMuchWork
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.varieties.compositions import compositions, count_compositions
from ntqr_exact.varieties.group import individual
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.varieties.verdict import Membership
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


def test_eq_17_one_judge_on_1000_questions_has_167668501_evaluations():
    assert PossibleSet(questions=1000).count() == 167668501 == 1001 * 1002 * 1003 // 6
    assert PossibleSet(questions=1000).individual_count() == 167668501


def test_counts_at_keys_add_up():
    for possible in (PossibleSet(7), PossibleSet(5, 2), PossibleSet(4, 1, ("x", "y", "z"))):
        assert sum(possible.counts_by_key().values()) == possible.count()


def test_an_evaluation_of_another_test_is_refused_with_the_reason():
    possible = PossibleSet(questions=3, judges=2)
    graded = LabeledVoteCounts({"a": VoteCounts({"ab": 2}), "b": VoteCounts({"bb": 1})})
    assert graded in possible
    verdict = possible.explain(graded)
    assert verdict.answer is Membership.YES
    assert verdict.witness == graded
    more = LabeledVoteCounts({"a": VoteCounts({"ab": 5})})
    (breach,) = possible.explain(more).breaches
    assert (breach.residual, breach.postulate) == (mpq(2), "the key counts add up to 3")
    assert more not in possible
    (breach,) = possible.explain(graded.marginal(0)).breaches
    assert breach.residual == -1
    assert possible.explain(graded.with_labels(["x", "y"])).answer is Membership.NO


def test_an_individual_evaluation_is_possible_and_has_a_witness():
    evaluation = CountEvaluation.from_correct({"a": 2, "b": 3}, [{"a": 1, "b": 3}, {"a": 2, "b": 0}])
    verdict = PossibleSet(questions=5, judges=2).explain(evaluation)
    assert individual(verdict.witness) == evaluation
    assert evaluation not in PossibleSet(questions=6, judges=2)


def test_what_is_no_evaluation_is_a_type_error():
    with pytest.raises(NotAnEvaluation) as caught:
        (4, 3, 2) in PossibleSet(questions=5)  # noqa: B015
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize("at", [None, {"a": 1, "b": 2}])
def test_draws_are_uniform(at):
    possible = PossibleSet(questions=3)
    members = list(possible) if at is None else list(possible.at(at))
    draws = Counter(possible.sample(seed=seed, at=at) for seed in range(60 * len(members)))
    assert set(draws) == set(members)
    # Pearson's statistic has mean n − 1 and variance about 2(n − 1): stay within five deviations.
    n = len(members)
    statistic = sum(mpq((count - 60) ** 2, 60) for count in draws.values())
    assert (statistic - (n - 1)) ** 2 < 25 * 2 * (n - 1)


def test_the_same_seed_gives_the_same_evaluation():
    possible = PossibleSet(questions=50, judges=2)
    assert possible.sample(seed=4) == possible.sample(seed="4") != possible.sample(seed=5)
    with pytest.raises(BadNumber):
        possible.sample(seed=-1)


def test_order_is_by_key_counts_then_by_counts_of_patterns():
    order = [
        (group.key_counts["a"], group.by_label["a"].counts["a"], group.by_label["b"].counts["a"])
        for group in PossibleSet(questions=3)
    ]
    assert order == sorted(order)


def test_bad_sizes_are_refused():
    for arguments in ((-1,), ("1/2",)):
        with pytest.raises(BadNumber):
            PossibleSet(*arguments)
    with pytest.raises(BadVotes):
        PossibleSet(3, 0)
    with pytest.raises(BadVotes):
        PossibleSet(3, 1, ["a"])


def test_repr_can_be_pasted_back():
    possible = PossibleSet(3, 2, ["x", "y"])
    assert eval(repr(possible)) == possible


def test_individual_evaluations_are_counted_as_key_by_key_whatever_the_size():
    for judges, labels, sizes in ((2, "ab", (3, 5, 40)), (3, "ab", (20,)), (2, "abc", (4, 30))):
        for size in sizes:
            expected = sum(
                prod(count_compositions(count, len(labels)) for count in key) ** judges
                for key in compositions(size, len(labels))
            )
            assert PossibleSet(size, judges, tuple(labels)).individual_count() == expected


@pytest.mark.parametrize(
    ("questions", "judges", "count"),
    [
        (0, 10**18, "count"),
        (108, 10**9, "count"),
        (10**30, 30, "count"),
        (10**5, 10**5, "individual_count"),
        (10**9, 10**9, "individual_count"),
    ],
)
def test_a_count_with_too_many_digits_is_refused_before_it_begins(questions, judges, count):
    with pytest.raises(TooMuchWork):
        getattr(PossibleSet(questions, judges), count)()


def test_the_evaluations_of_a_million_judges_on_one_question_are_counted():
    assert PossibleSet(1, 10**6).count() == 2 ** (10**6 + 1)
    assert PossibleSet(1, 10**6).individual_count() == 2 ** (10**6 + 1)
