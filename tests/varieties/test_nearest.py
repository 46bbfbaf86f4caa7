"""The nearest consistent evaluation: to irrational points exactly, ties by the stated rule, far points too."""

import itertools
import random
from collections import Counter
from fractions import Fraction

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadVotes, NotASurd, NotOrdered
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties import nearest as nearest_module
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.cuts import bounds_of, value_at, violated_cut
from ntqr_exact.varieties.group import individual
from ntqr_exact.varieties.nearest import CommonField
from ntqr_exact.varieties.trio_decision import TrioDecision
from ntqr_exact.votes.counts import VoteCounts

PATTERNS = ["".join(p) for p in itertools.product("ab", repeat=3)]
TWO_NORM = VoteCounts(dict(zip(PATTERNS, (181, 90, 86, 115, 86, 109, 100, 233), strict=True)))


def independent(votes):
    """Return the two solutions for independent judges, from the closed form of DESIGN section 4."""
    delta = {frozenset(p): votes.pair_moment(*p) for p in itertools.combinations(range(3), 2)}
    t = votes.trio_moment(0, 1, 2)
    product = mpq(1)
    for value in delta.values():
        product *= value
    root = Surd.sqrt(t * t + 4 * product)
    for sign in (1, -1):
        prevalence = (1 + sign * t / root) / 2
        rows = []
        for judge in range(3):
            other = delta[frozenset({0, 1, 2} - {judge})]
            a, b = (votes.response_rate(judge, label) for label in "ab")
            rows.append({"a": a + (sign * root - t) / (2 * other), "b": b + (sign * root + t) / (2 * other)})
        yield Evaluation.from_accuracies({"a": prevalence, "b": 1 - prevalence}, rows)


def numbers(votes, evaluation):
    """Return Q_a, R^a_a and R^b_b of each judge as exact numbers."""
    q = {label: votes.size * p for label, p in evaluation.prevalence.items()}
    return [q["a"], *(q[label] * right[label] for right in evaluation.accuracy for label in "ab")]


def squared_distance(votes, evaluation, target):
    total = Surd(0)
    here = [evaluation.key_counts["a"], *(right[x] for right in evaluation.correct for x in "ab")]
    for x, y in zip(here, numbers(votes, target), strict=True):
        total += (Surd(x) - y) * (Surd(x) - y)
    return total


def test_the_irrational_solution_of_two_norm_has_a_nearest_evaluation_and_no_neighbour_is_nearer():
    consistent = ConsistentSet(TWO_NORM)
    for target in independent(TWO_NORM):
        assert target not in consistent
        found = consistent.nearest(target)
        assert found.evaluation in consistent
        assert found.squared_distance == squared_distance(TWO_NORM, found.evaluation, target)
        key = found.evaluation.key_counts["a"]
        right = [r["a"] for r in found.evaluation.correct]
        for q, *s in itertools.product(*(range(n - 2, n + 3) for n in (key, *right))):
            rows = [{"a": x, "b": x - q + TWO_NORM.responses(judge)["b"]} for judge, x in enumerate(s)]
            neighbour = CountEvaluation.from_correct({"a": q, "b": 1000 - q}, rows)
            assert squared_distance(TWO_NORM, neighbour, target) >= found.squared_distance
            assert neighbour in consistent


def test_irrational_targets_agree_with_all_consistent_evaluations():
    generator = random.Random(5)
    for judges in (1, 2, 3):
        patterns = list(itertools.product("ab", repeat=judges))
        for _ in range(25):
            votes = VoteCounts({p: generator.randint(0, 2) for p in patterns} | {patterns[0]: 1})
            p, *rates = (
                Surd(Fraction(generator.randint(0, 6), 6), Fraction(generator.randint(-3, 3), 12), 3)
                for _ in range(1 + 2 * judges)
            )
            target = Evaluation.from_accuracies(
                {"a": p, "b": 1 - p}, [{"a": x, "b": y} for x, y in zip(rates[::2], rates[1::2], strict=True)]
            )
            found = ConsistentSet(votes).nearest(target)
            every = list(ConsistentSet(votes).projection())
            distances = [squared_distance(votes, evaluation, target) for evaluation in every]
            assert found.squared_distance == min(distances)
            # The projection is in lexicographic order, so the first of the nearest is the rule's.
            assert found.evaluation == every[distances.index(min(distances))]


def test_ties_go_to_the_lexicographically_smallest():
    votes = VoteCounts({"a": 1, "b": 1})
    target = Evaluation.from_accuracies({"a": "1/2", "b": "1/2"}, [{"a": "1/2", "b": "1/2"}])
    found = ConsistentSet(votes).nearest(target, at={"a": 1, "b": 1})
    assert (found.squared_distance, found.evaluation.correct[0]["a"]) == (mpq(1, 2), 0)


def test_a_consistent_target_is_its_own_nearest():
    consistent = ConsistentSet(TWO_NORM)
    evaluation = individual(consistent.sample(seed=3))
    assert consistent.nearest(evaluation).evaluation == evaluation
    assert consistent.nearest(evaluation.rates()).squared_distance == 0


def random_case(generator, judges, questions):
    """Return uneven votes, and grades that are possible and mostly far from consistent."""
    patterns = list(itertools.product("ab", repeat=judges))
    weights = [generator.randint(0, 9) ** 2 + 1 for _ in patterns]
    votes = VoteCounts(Counter(generator.choices(patterns, weights, k=questions)))
    key = generator.randint(0, questions)
    of_each = {"a": key, "b": questions - key}
    rows = [{x: generator.choice((0, n, n // 2)) for x, n in of_each.items()} for _ in range(judges)]
    return votes, CountEvaluation.from_correct(of_each, rows)


@pytest.mark.parametrize("judges", [2, 3])
def test_multipliers_change_the_speed_only(judges, monkeypatch):
    generator = random.Random(judges)
    cases = [random_case(generator, judges, 24) for _ in range(40)]
    found = [ConsistentSet(votes).nearest(target) for votes, target in cases]
    monkeypatch.setattr(nearest_module, "_ROUNDS", 0)
    assert [ConsistentSet(votes).nearest(target) for votes, target in cases] == found


@pytest.mark.parametrize("judges", [2, 3])
def test_every_cut_holds_for_every_consistent_point_and_fails_where_it_was_found(judges):
    generator = random.Random(judges)
    for _ in range(30):
        votes, _target = random_case(generator, judges, 6)
        bounds = bounds_of([votes.counts[pattern] for pattern in votes.patterns()])
        points = [
            (evaluation.key_counts["a"], *(right["a"] for right in evaluation.correct))
            for evaluation in ConsistentSet(votes).projection()
        ]
        assert all(violated_cut(bounds, point) is None for point in points)
        for _ in range(20):
            point = tuple(generator.randint(0, 6) for _ in range(judges + 1))
            cut = violated_cut(bounds, point)
            if cut is not None:
                assert value_at(cut, point) > 0
                assert all(value_at(cut, inside) <= 0 for inside in points)
            elif judges == 2:
                assert point in points
            else:
                trio = TrioDecision(tuple(votes.counts[pattern] for pattern in votes.patterns()))
                assert trio.joint_interval(point[0], point[1:]).holds_a_number


def test_undefined_rates_of_a_label_without_questions_count_as_nothing():
    target = CountEvaluation.from_correct({"a": 0, "b": 2}, [{"a": 0, "b": 1}]).rates()
    assert target.accuracy[0]["a"] is Undefined.NO_QUESTIONS
    found = ConsistentSet(VoteCounts({"a": 1, "b": 1})).nearest(target)
    assert found.squared_distance == 0


def test_targets_that_cannot_be_measured_are_refused():
    consistent = ConsistentSet(VoteCounts({"a": 1, "b": 1}))
    i = Surd.sqrt(-1)
    with pytest.raises(NotOrdered, match="imaginary"):
        consistent.nearest(Evaluation.from_accuracies({"a": i, "b": 1 - i}, [{"a": 1, "b": 1}]))
    with pytest.raises(NotASurd):
        consistent.nearest(
            Evaluation.from_accuracies({"a": "1/2", "b": "1/2"}, [{"a": Surd.sqrt(2), "b": Surd.sqrt(3)}])
        )
    with pytest.raises(BadVotes, match="1 judges"):
        consistent.nearest(CountEvaluation.from_correct({"a": 1, "b": 1}, [{"a": 1, "b": 1}] * 2))
    with pytest.raises(BadVotes, match="labels"):
        consistent.nearest(CountEvaluation.from_correct({"x": 1, "y": 1}, [{"x": 1, "y": 1}]))


@pytest.mark.parametrize("radicand", [2, 3, 7, 1009])
def test_pairs_of_integers_compare_as_surds(radicand):
    field = CommonField(1, radicand, ())
    values = [(u, w) for u in range(-4, 5) for w in range(-4, 5)]
    for left, right in itertools.product(values, repeat=2):
        expected = Surd(left[0], left[1], radicand) > Surd(right[0], right[1], radicand)
        assert field.exceeds(left, right) == expected


def test_a_common_field_takes_commensurable_roots():
    field = CommonField.of([Surd(0, 1, 2), Surd("1/2", "1/3", 8), mpq(1, 5)])
    assert (field.denominator, field.radicand) == (30, 2)
    assert field.pairs == ((0, 30), (15, 20), (6, 0))
