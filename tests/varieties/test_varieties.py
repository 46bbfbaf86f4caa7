"""Possible and consistent sets against all answer keys of small votes, with gaps and with several labels."""

from __future__ import annotations

import random
import time
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from gmpy2 import mpq

from ntqr_exact import (
    ConsistentSet,
    CountEvaluation,
    Evaluation,
    LabeledVoteCounts,
    PossibleSet,
    VoteCounts,
    example,
    grade,
    solve_independent,
)
from ntqr_exact.answer import Answer
from ntqr_exact.errors import (
    BadKeyCounts,
    BadNumber,
    BadVotes,
    EmptyTest,
    NotAnEvaluation,
    NotOrdered,
    NotSupported,
    TooMuchWork,
)
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties import sampling
from ntqr_exact.varieties.compositions import individual
from ntqr_exact.varieties.correlations import pair_correlation, pair_correlation_ends
from ntqr_exact.varieties.linear_range import right_answers
from ntqr_exact.varieties.nearest import nearest

GAPS = VoteCounts({"aa": 2, "ab": 1, ("b", None): 2, (None, "a"): 1})
SMALL = [
    VoteCounts({"a": 3, "b": 2}),
    VoteCounts({"aa": 2, "ab": 1, "ba": 1, "bb": 1}),
    VoteCounts({"aab": 1, "aba": 2, "baa": 1, "bbb": 1}),
    VoteCounts({"aaaa": 1, "abab": 2, "bbba": 1}),
    VoteCounts({"ab": 2, "ca": 1, "cc": 2}, ("a", "b", "c")),
    VoteCounts({"a": 2, "b": 1, "d": 2}, ("a", "b", "c", "d")),
    GAPS,
]


def keys_of(votes):
    """Return all group evaluations as a set: every way to label every question, without counting."""
    questions = [pattern for pattern, count in votes.counts.items() for _ in range(count)]
    found = set()
    for labels in product(votes.labels, repeat=len(questions)):
        found.add(tuple(sorted(zip(map(str, questions), labels, strict=True))))
    return found


def as_key(graded):
    return tuple(
        sorted(
            (str(pattern), label)
            for label, part in graded.by_label.items()
            for pattern, count in part.counts.items()
            for _ in range(count)
        )
    )


def key_counts(key, labels):
    return tuple(sum(label == other for _, other in key) for label in labels)


# -- consistent sets ---------------------------------------------------------------------------------


@pytest.mark.parametrize("votes", SMALL)
def test_counting_and_listing_are_those_of_all_keys(votes) -> None:
    consistent, every = ConsistentSet(votes), keys_of(votes)
    listed = list(consistent)
    assert {as_key(graded) for graded in listed} == every
    assert len(listed) == len(every) == consistent.count()
    assert all(graded in consistent and graded.observed() == votes for graded in listed)
    by_key = Counter(key_counts(key, votes.labels) for key in every)
    assert {key: n for key, n in consistent.counts_by_key().items() if n} == by_key
    for key, number in by_key.items():
        at = dict(zip(votes.labels, key, strict=True))
        assert consistent.count_at(at) == number == sum(1 for _ in consistent.at(at))


@pytest.mark.parametrize("votes", [votes for votes in SMALL if not votes.has_gaps])
def test_individual_evaluations_are_those_of_some_key(votes) -> None:
    shadow = ConsistentSet(votes).projection()
    possible = {individual(graded) for graded in ConsistentSet(votes)}
    listed = list(shadow)
    assert set(listed) == possible
    assert len(listed) == shadow.count() == len(possible)
    for key in {tuple(one.key_counts.values()) for one in listed}:
        at = dict(zip(votes.labels, key, strict=True))
        assert shadow.count_at(at) == sum(dict(one.key_counts) == at for one in listed)
    draw = random.Random(1)
    for one in draw.sample(listed, min(20, len(listed))):
        verdict = shadow.explain(one)
        assert verdict.answer is Answer.YES
        assert individual(verdict.witness) == one
        assert verdict.witness.observed() == votes
        assert one.rates() in ConsistentSet(votes)
    others = PossibleSet(votes.size, len(votes.judges), votes.labels)
    for seed in range(40):
        one = individual(others.sample(seed=seed))
        verdict = shadow.explain(one)
        assert bool(verdict) == (one in possible)
        assert str(verdict)
        if not verdict:
            assert verdict.answer is Answer.NO
            assert all(breach.residual for breach in verdict.breaches)


def test_where_a_fraction_would_do_the_answer_is_no() -> None:
    votes = VoteCounts({"aab": 1, "aba": 1, "baa": 1, "bbb": 1})
    verdict = ConsistentSet(votes).explain(
        CountEvaluation.from_correct({"a": 2, "b": 2}, [{"a": 1, "b": 1}] * 3)
    )
    assert "1/2" in str(verdict)


def test_an_evaluation_with_correlations_is_the_group_evaluation() -> None:
    votes = VoteCounts({"aa": 2, "ab": 1, "bb": 2})
    for graded in ConsistentSet(votes):
        assert grade(graded) in ConsistentSet(votes)
    other = grade(LabeledVoteCounts({"a": VoteCounts({"aa": 1, "ab": 2}), "b": VoteCounts({"bb": 2})}))
    assert other not in ConsistentSet(votes)


def test_points_are_the_evaluations_in_numbers() -> None:
    for votes in SMALL[:3]:
        shadow = ConsistentSet(votes).projection()
        numbers = [
            (one.key_counts["a"], *(right[label] for right in one.correct for label in "ab"))
            for one in shadow
        ]
        assert list(shadow.points()) == numbers


# -- ranges ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("votes", SMALL)
def test_ranges_are_those_of_all_keys(votes) -> None:
    draw = random.Random(2)
    weights = {
        (label, pattern): Fraction(draw.randint(-4, 4), 3)
        for label in votes.labels
        for pattern in votes.counts
    }
    consistent = ConsistentSet(votes)
    by_key: dict = {}
    for graded in consistent:
        value = sum(
            weights[label, pattern] * n
            for label, part in graded.by_label.items()
            for pattern, n in part.counts.items()
        )
        by_key.setdefault(tuple(graded.key_counts.values()), []).append(value)
    every = [value for values in by_key.values() for value in values]
    result = consistent.range_of(weights)
    assert (result.minimum, result.maximum) == (min(every), max(every))
    for key, values in by_key.items():
        result = consistent.range_of(weights, at=dict(zip(votes.labels, key, strict=True)))
        assert (result.minimum, result.maximum) == (min(values), max(values))
        assert tuple(result.minimizer.key_counts.values()) == key


def test_right_answers_of_a_judge_are_those_on_the_questions_that_it_answered() -> None:
    result = ConsistentSet(GAPS).range_of(right_answers(GAPS, 1))
    assert (result.minimum, result.maximum) == (0, 4)


@pytest.mark.parametrize("votes", [SMALL[1], SMALL[2], SMALL[4]])
def test_correlation_ranges_are_those_of_all_keys(votes) -> None:
    consistent = ConsistentSet(votes)
    for label in votes.labels:
        by_key: dict = {}
        for graded in consistent:
            value = pair_correlation(graded, label, 0, 1)
            if not isinstance(value, Undefined):
                by_key.setdefault(tuple(graded.key_counts.values()), []).append(value)
        every = [value for values in by_key.values() for value in values]
        result = consistent.correlation_range(label, 0, 1)
        assert (result.minimum, result.maximum) == (min(every), max(every))
        for key, values in by_key.items():
            at = dict(zip(votes.labels, key, strict=True))
            result = consistent.correlation_range(label, 0, 1, at=at)
            assert (result.minimum, result.maximum) == (min(values), max(values))
            assert pair_correlation(result.maximizer, label, 0, 1) == result.maximum


@pytest.mark.parametrize("votes", SMALL[1:3])
def test_pairs_of_correlations_are_those_of_all_keys(votes) -> None:
    consistent = ConsistentSet(votes)
    found: dict = {}
    for graded in consistent:
        pair = tuple(pair_correlation(graded, label, 0, 1) for label in "ab")
        found.setdefault(individual(graded), set()).add(pair)
    for one, pairs in found.items():
        points = consistent.pair_correlations(one, 0, 1)
        assert {point.correlations for point in points} == pairs
        count, ends = pair_correlation_ends(votes, one, 0, 1)
        assert (count, ends[0], ends[-1]) == (len(points), points[0], points[-1])


# -- sampling ----------------------------------------------------------------------------------------


def assert_uniform(draws, expected) -> None:
    """Pearson's statistic is within six standard deviations of its mean."""
    counts = Counter(map(as_key, draws))
    assert set(counts) <= expected
    mean = Fraction(sum(counts.values()), len(expected))
    statistic = sum((counts[key] - mean) ** 2 / mean for key in expected)
    degrees = len(expected) - 1
    assert abs(statistic - degrees) ** 2 <= 36 * 2 * degrees


@pytest.mark.parametrize("seen_once", [False, True])
@pytest.mark.parametrize(
    ("counts", "key"),
    [
        ({"a": 2, "b": 3, "c": 2}, (3, 2, 2)),
        ({"aa": 1, "ab": 1, "bc": 1, "ca": 1, "cc": 3}, (1, 4, 2)),
        ({"aa": 1, "ab": 1, "ba": 2, "cb": 2}, (4, 0, 2)),
        ({"aa": 1, "ab": 1, "ba": 1, ("b", None): 2}, (1, 3, 1)),
    ],
)
def test_draws_at_key_counts_are_uniform(monkeypatch, counts, key, seen_once) -> None:
    if seen_once:  # no table for the block: patterns seen once alone, or nothing
        monkeypatch.setattr(sampling, "MAX_TABLE", -1)
    votes = VoteCounts(counts, ("a", "b", "c"))
    expected = {each for each in keys_of(votes) if key_counts(each, votes.labels) == key}
    sampler = ConsistentSet(votes).sampler(at=dict(zip("abc", key, strict=True)))
    draws = sampler.draws(seed=5)
    assert_uniform([next(draws) for _ in range(60 * len(expected))], expected)


def test_draws_of_two_labels_and_of_all_key_counts_are_uniform() -> None:
    votes = SMALL[1]
    sampler = ConsistentSet(votes).sampler(at={"a": 2, "b": 3})
    expected = {each for each in keys_of(votes) if key_counts(each, "ab") == (2, 3)}
    draws = sampler.draws(seed=1)
    assert_uniform([next(draws) for _ in range(600)], expected)
    draws = ConsistentSet(GAPS).sampler().draws(seed=1)
    assert_uniform([next(draws) for _ in range(1500)], keys_of(GAPS))
    assert ConsistentSet(votes).sample(seed=3) == ConsistentSet(votes).sample(seed=3)


def test_large_panels_of_five_labels_are_sampled_and_their_count_is_refused() -> None:
    draw = random.Random(3)
    rows = []
    for _ in range(295):
        true = draw.choice("abcde")
        rows.append(tuple(true if draw.random() < 0.6 else draw.choice("abcde") for _ in range(4)))
    votes = VoteCounts(Counter(rows), tuple("abcde"))
    at = dict(zip("abcde", (65, 63, 56, 56, 55), strict=True))
    started = time.process_time()
    graded = ConsistentSet(votes).sample(seed=1, at=at)
    assert time.process_time() - started < 20
    assert graded.key_counts == at
    assert graded.observed() == votes
    with pytest.raises(TooMuchWork):
        ConsistentSet(votes).count_at(at)


def test_counts_of_three_labels_are_exact_on_hundreds_of_questions() -> None:
    votes = VoteCounts({"aa": 30, "bb": 30, "cc": 30, "ab": 20, "ca": 10}, ("a", "b", "c"))
    consistent = ConsistentSet(votes)
    by_key = consistent.counts_by_key()
    assert sum(by_key.values()) == consistent.count()
    assert consistent.count_at({"a": 45, "b": 40, "c": 35}) == by_key[45, 40, 35]


# -- nearest -----------------------------------------------------------------------------------------


def distance(one, point):
    here = [one.key_counts["a"], *(right[label] for right in one.correct for label in "ab")]
    return sum((x - y) * (x - y) for x, y in zip(here, point, strict=True))


def test_the_nearest_evaluation_is_that_of_all() -> None:
    draw = random.Random(6)
    for _ in range(60):
        judges = draw.randint(1, 3)
        rows = [tuple(draw.choice("aab") for _ in range(judges)) for _ in range(draw.randint(1, 7))]
        votes = VoteCounts(Counter(rows))
        point = [Fraction(draw.randint(-20, 40), draw.randint(1, 4)) for _ in range(1 + 2 * judges)]
        size = votes.size
        if point[0] in (0, size):
            continue
        target = Evaluation.from_accuracies(
            {"a": point[0] / size, "b": 1 - point[0] / size},
            [
                {"a": point[1 + 2 * j] / point[0], "b": point[2 + 2 * j] / (size - point[0])}
                for j in range(judges)
            ],
        )
        every = list(ConsistentSet(votes).projection())
        result = ConsistentSet(votes).nearest(target)
        best = min(distance(one, point) for one in every)
        assert result.squared_distance == best
        assert result.evaluation == next(one for one in every if distance(one, point) == best)
        at = {"a": size // 2, "b": size - size // 2}
        result = ConsistentSet(votes).nearest(target, at=at)
        some = [one for one in every if dict(one.key_counts) == at]
        assert result.squared_distance == min(distance(one, point) for one in some)


def test_the_roots_of_the_published_tests_are_near_a_consistent_evaluation() -> None:
    votes = example("two-norm").votes
    for solution in solve_independent(votes).solutions:
        result = ConsistentSet(votes).nearest(solution)
        assert result.evaluation in ConsistentSet(votes).projection()
        assert result.squared_distance < 3
    imaginary = example("uci-adult-imaginary").votes
    with pytest.raises(NotOrdered):
        ConsistentSet(imaginary).nearest(solve_independent(imaginary).solutions[0])
    with pytest.raises(TooMuchWork):
        nearest(votes, solution, budget=3)


# -- possible sets -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("questions", "judges", "labels"), [(3, 1, "ab"), (2, 2, "ab"), (3, 1, "abc"), (0, 2, "ab")]
)
def test_possible_sets_count_what_they_list(questions, judges, labels) -> None:
    possible = PossibleSet(questions, judges, tuple(labels))
    listed = list(possible)
    cells = len(labels) ** (judges + 1)
    assert (
        len(set(map(as_key, listed)))
        == len(listed)
        == possible.count()
        == comb(questions + cells - 1, cells - 1)
    )
    assert len({individual(graded) for graded in listed}) == possible.individual_count()
    assert all(graded in possible and individual(graded) in possible for graded in listed)
    for key, number in possible.counts_by_key().items():
        at = dict(zip(labels, key, strict=True))
        assert possible.count_at(at) == number == sum(1 for _ in possible.at(at))
    assert possible.sample(seed=1) in possible
    other = PossibleSet(questions + 1, judges, tuple(labels)).sample(seed=1)
    assert other not in possible


def test_individual_evaluations_are_possible() -> None:
    one = CountEvaluation.from_correct({"a": 2, "b": 1}, [{"a": 1, "b": 1}, {"a": 2, "b": 0}])
    assert one in PossibleSet(3, 2)
    assert one not in PossibleSet(3, 1)


# -- bad input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ConsistentSet({"aa": 1}), BadVotes),
        (lambda: ConsistentSet(LabeledVoteCounts({"a": VoteCounts({"a": 1})})), BadVotes),
        (lambda: ConsistentSet(SMALL[0]).count_at({"a": 1}), BadKeyCounts),
        (lambda: ConsistentSet(SMALL[0]).count_at({"a": 1, "x": 4}), BadKeyCounts),
        (lambda: ConsistentSet(SMALL[0]).explain(3), NotAnEvaluation),
        (lambda: ConsistentSet(SMALL[0]).projection().explain(3), NotAnEvaluation),
        (lambda: ConsistentSet(SMALL[0]).range_of({("x", "a"): 1}), BadVotes),
        (lambda: ConsistentSet(SMALL[0]).range_of({("a", "ab"): 1}), BadVotes),
        (lambda: ConsistentSet(SMALL[1]).correlation_range("x", 0, 1), BadVotes),
        (lambda: ConsistentSet(SMALL[1]).correlation_range("a", 0, 1, at={"a": 0, "b": 5}), EmptyTest),
        (lambda: ConsistentSet(GAPS).projection(), BadVotes),
        (lambda: right_answers(SMALL[0], 0, "x"), BadVotes),
        (lambda: ConsistentSet(SMALL[3]).nearest(PossibleSet(4, 4).sample(seed=1)), NotSupported),
        (lambda: ConsistentSet(SMALL[4]).projection().points().__next__(), NotSupported),
        (lambda: PossibleSet(-1), BadNumber),
        (lambda: PossibleSet(1, 0), BadVotes),
        (lambda: 3 in PossibleSet(1), NotAnEvaluation),
    ],
)
def test_bad_input(call, error) -> None:
    with pytest.raises(error):
        call()


def test_the_grades_of_the_key_are_in_the_set() -> None:
    key = LabeledVoteCounts({"a": VoteCounts({"aab": 2}), "b": VoteCounts({"bbb": 1, "abb": 1})})
    assert mpq(1, 2) == grade(key).prevalence["a"]
    assert key in ConsistentSet(key.observed())
