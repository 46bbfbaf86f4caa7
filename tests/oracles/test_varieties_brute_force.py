"""The sets agree with their definition: every answer key of a small test is tried.

An answer key gives each question a true label; a group evaluation is consistent iff some key gives it.
Nothing here uses the formulas of the library: keys are enumerated question by question.
"""

import itertools
import random
from collections import Counter
from fractions import Fraction

import pytest
from gmpy2 import mpq

from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties.compositions import individual
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.varieties.reachable import ReachableSums
from ntqr_exact.varieties.trio_decision import TrioDecision
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


def all_votes(questions, judges, labels="ab"):
    """Yield all votes; of those that differ in the order of three or more judges only, one."""
    patterns = list(itertools.product(labels, repeat=judges))
    orders = list(itertools.permutations(range(judges)))
    for chosen in itertools.combinations_with_replacement(patterns, questions):
        if judges < 3 or chosen == min(
            tuple(sorted(tuple(p[place] for place in order) for p in chosen)) for order in orders
        ):
            yield Counter(chosen)


def grade(counts, labels="ab"):
    """Return all group evaluations: tuples of ((true label, pattern), count), by trying every key."""
    questions = [pattern for pattern, count in sorted(counts.items()) for _ in range(count)]
    found = set()
    for key in itertools.product(labels, repeat=len(questions)):
        found.add(frozenset(Counter(zip(key, questions, strict=True)).items()))
    return found


def as_group(graded, judges, labels="ab"):
    names = [f"J{number + 1}" for number in range(judges)]
    return LabeledVoteCounts(
        {
            label: VoteCounts({p: n for (true, p), n in graded if true == label}, tuple(labels), names)
            for label in labels
        }
    )


def key_of(graded, labels="ab"):
    return tuple(sum(n for (true, _), n in graded if true == label) for label in labels)


def confusions_of(graded, judges, labels="ab"):
    """Return the key counts and all confusion counts, as a tuple."""
    cells = [
        sum(n for (true, p), n in graded if true == label and p[judge] == given)
        for judge in range(judges)
        for label in labels
        for given in labels
    ]
    return (*key_of(graded, labels), *cells)


def confusions(evaluation):
    cells = [n for c in evaluation.confusion for row in c.values() for n in row.values()]
    return (*evaluation.key_counts.values(), *cells)


def gamma(graded, label, first, second):
    rows = [(p[first] == label, p[second] == label, n) for (true, p), n in graded if true == label]
    total = sum(n for *_, n in rows)
    if total == 0:
        return None
    x, y, both = (
        Fraction(sum(n for i, j, n in rows if wanted(i, j)), total)
        for wanted in (lambda i, _: i, lambda _, j: j, lambda i, j: i and j)
    )
    return both - x * y


CASES = [
    (1, "ab", 6),
    (2, "ab", 6),
    (3, "ab", 4),
    pytest.param(3, "ab", 6, marks=pytest.mark.slow),
    (4, "ab", 2),
    pytest.param(4, "ab", 3, marks=pytest.mark.slow),
    (1, "abc", 4),
    (2, "abc", 2),
]


@pytest.mark.parametrize(("judges", "labels", "most"), CASES)
def test_counts_enumeration_and_projection_are_those_of_all_answer_keys(judges, labels, most):
    for questions in range(most + 1):
        for counts in all_votes(questions, judges, labels):
            check_sets(counts, judges, labels)


def check_sets(counts, judges, labels):
    groups = grade(counts, labels)
    names = [f"J{number + 1}" for number in range(judges)]
    votes = VoteCounts(counts, tuple(labels), names)
    consistent = ConsistentSet(votes)
    assert consistent.count() == len(groups)
    by_key = Counter(key_of(graded, labels) for graded in groups)
    assert {key: n for key, n in consistent.counts_by_key().items() if n} == dict(by_key)
    shadows = {confusions_of(graded, judges, labels) for graded in groups}
    projection = consistent.projection()
    individuals = list(projection)
    found = [confusions(evaluation) for evaluation in individuals]
    assert len(found) == len(set(found))
    assert set(found) == shadows
    assert projection.count() == len(shadows)
    if sum(counts.values()) <= 3:
        listed = list(consistent)
        assert len(listed) == len(set(listed)) == len(groups)
        assert set(listed) == {as_group(graded, judges, labels) for graded in groups}
        assert all(group in consistent for group in listed)
        for key in by_key:
            at = dict(zip(labels, key, strict=True))
            assert consistent.count_at(at) == by_key[key]
            assert list(consistent.at(at)) == [g for g in listed if g.key_counts == at]
            assert projection.count_at(at) == sum(shadow[: len(labels)] == key for shadow in shadows)
            assert list(projection.at(at)) == [e for e in individuals if dict(e.key_counts) == at]


@pytest.mark.parametrize("questions", [*range(5), pytest.param(6, marks=pytest.mark.slow)])
def test_the_trio_decision_is_right_on_every_point_of_every_small_test(questions):
    refused_fractions = 0
    for counts in all_votes(questions, 3):
        points = set()
        joints = {}
        for graded in grade(counts):
            point = tuple(
                sum(n for (true, p), n in graded if true == "a" and want(p))
                for want in (lambda _: True, *(lambda p, i=i: p[i] == "a" for i in range(3)))
            )
            points.add(point)
            joint = sum(n for (true, p), n in graded if true == "a" and p[:2] == ("a", "a"))
            joints.setdefault(point, set()).add(joint)
        trio = TrioDecision(tuple(counts[p] for p in itertools.product("ab", repeat=3)))
        for key in range(questions + 1):
            for pair in itertools.product(range(key + 1), repeat=2):
                thirds = [third for third in range(key + 1) if (key, *pair, third) in points]
                assert list(trio.third_values(key, *pair)) == thirds
            for right in itertools.product(range(key + 1), repeat=3):
                interval = trio.joint_interval(key, right)
                whole = set(interval.whole)
                assert whole == joints.get((key, *right), set())
                assert trio.is_consistent(key, right) == ((key, *right) in points)
                only_a_fraction = interval.holds_a_number and not interval.whole
                assert trio.step == 2 or not only_a_fraction
                refused_fractions += only_a_fraction
                for joint in whole:
                    check_witness(trio, key, right, joint)
    assert (refused_fractions > 0) == (questions >= 4)


def check_witness(trio, key, right, joint):
    chosen = trio.witness(key, right, joint)
    assert all(0 <= k <= c for k, c in zip(chosen, trio.counts, strict=True))
    patterns = list(itertools.product("ab", repeat=3))
    assert sum(chosen) == key
    for judge in range(3):
        assert sum(k for k, p in zip(chosen, patterns, strict=True) if p[judge] == "a") == right[judge]
    assert chosen[0] + chosen[1] == joint


@pytest.mark.parametrize(("judges", "labels"), [(1, "ab"), (2, "ab"), (3, "ab"), (2, "abc")])
def test_membership_of_every_individual_evaluation_is_right_and_has_a_witness(judges, labels):
    questions = 3 if len(labels) == 3 else 4
    every = list(all_votes(questions, judges, labels))
    generator = random.Random(judges)
    possible = sorted({e for group in every for e in shadows_of(group, judges, labels)}, key=repr)
    for counts in generator.sample(every, min(len(every), 25)):
        votes = VoteCounts(counts, tuple(labels))
        consistent = ConsistentSet(votes)
        inside = shadows_of(counts, judges, labels)
        for shadow in generator.sample(possible, min(len(possible), 150)) + sorted(inside):
            evaluation = from_confusions(shadow, judges, labels)
            verdict = consistent.explain(evaluation)
            assert bool(verdict) == (shadow in inside) == (evaluation in consistent)
            if verdict:
                assert verdict.witness.observed() == votes
                assert individual(verdict.witness) == evaluation
            else:
                assert verdict.breaches
                assert all(breach.residual != 0 for breach in verdict.breaches)


def shadows_of(counts, judges, labels):
    return {confusions_of(graded, judges, labels) for graded in grade(counts, labels)}


def from_confusions(shadow, judges, labels):
    size = len(labels)
    key, cells = shadow[:size], iter(shadow[size:])
    rows = [{label: {given: next(cells) for given in labels} for label in labels} for _ in range(judges)]
    return CountEvaluation(dict(zip(labels, key, strict=True)), rows)


@pytest.mark.parametrize(("judges", "labels", "questions"), [(2, "ab", 6), (3, "ab", 5), (2, "abc", 4)])
def test_ranges_are_attained_and_never_exceeded(judges, labels, questions):
    generator = random.Random(questions)
    patterns = list(itertools.product(labels, repeat=judges))
    for _ in range(12):
        counts = Counter(generator.choices(patterns, k=questions))
        consistent = ConsistentSet(VoteCounts(counts, tuple(labels)))
        groups = grade(counts, labels)
        weights = {
            (label, p): mpq(generator.randint(-4, 4), generator.randint(1, 3))
            for label in labels
            for p in patterns
        }
        for key in [None, *{key_of(graded, labels) for graded in groups}]:
            at = None if key is None else dict(zip(labels, key, strict=True))
            inside = [graded for graded in groups if key is None or key_of(graded, labels) == key]
            values = [sum(weights[cell] * n for cell, n in graded) for graded in inside]
            found = consistent.range_of(weights, at=at)
            assert (found.minimum, found.maximum) == (min(values), max(values))
            check_attained(
                found, consistent, at, lambda g, w=weights: sum(w[cell] * n for cell, n in cells(g))
            )
            for label, (i, j) in itertools.product(labels, itertools.permutations(range(judges), 2)):
                gammas = [g for g in (gamma(graded, label, i, j) for graded in inside) if g is not None]
                if gammas:
                    found = consistent.correlation_range(label, i, j, at=at)
                    assert (found.minimum, found.maximum) == (min(gammas), max(gammas))
                    check_attained(
                        found, consistent, at, lambda g, at=(label, i, j): gamma(list(cells(g)), *at)
                    )


def cells(group):
    for label, votes in group.by_label.items():
        for pattern, count in votes.counts.items():
            yield (label, pattern), count


def check_attained(found, consistent, at, value):
    for group, end in ((found.minimizer, found.minimum), (found.maximizer, found.maximum)):
        assert group in consistent
        assert value(group) == end
        if at is not None:
            assert group.key_counts == at


@pytest.mark.parametrize("judges", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_pair_correlations_given_grades_are_those_of_all_answer_keys(judges):
    generator = random.Random(judges)
    patterns = list(itertools.product("ab", repeat=judges))
    for _ in range(10):
        counts = Counter(generator.choices(patterns, k=generator.randint(1, 7)))
        consistent = ConsistentSet(VoteCounts(counts))
        by_shadow = {}
        for graded in grade(counts):
            by_shadow.setdefault(confusions_of(graded, judges), []).append(graded)
        for shadow, members in by_shadow.items():
            evaluation = from_confusions(shadow, judges, "ab")
            for i, j in itertools.permutations(range(judges), 2):
                points = consistent.pair_correlations(evaluation, i, j)
                expected = {tuple(gamma(g, label, i, j) for label in "ab") for g in members}
                found = [
                    tuple(None if isinstance(v, Undefined) else v for v in p.correlations) for p in points
                ]
                assert set(found) == expected
                assert len({p.both_right for p in points}) == len(points)
                check_weighted_sum(evaluation, found)


def check_weighted_sum(evaluation, found):
    """Only P_a Γ^a + P_b Γ^b is fixed; a label without questions has weight 0."""
    weights = list(evaluation.key_counts.values())
    sums = {sum(w * g for w, g in zip(weights, pair, strict=True) if w) for pair in found}
    assert len(sums) == 1


@pytest.mark.parametrize("judges", [1, 2, 3])
def test_the_nearest_evaluation_is_the_first_of_the_nearest(judges):
    generator = random.Random(judges + 7)
    patterns = list(itertools.product("ab", repeat=judges))
    for _ in range(60):
        questions = generator.randint(1, 7)
        counts = Counter(generator.choices(patterns, k=questions))
        votes = VoteCounts(counts)
        key = generator.randint(0, questions)
        target = CountEvaluation.from_correct(
            {"a": key, "b": questions - key},
            [
                {"a": generator.randint(0, key), "b": generator.randint(0, questions - key)}
                for _ in patterns[0]
            ],
        )
        for at in (None, {"a": generator.randint(0, questions)}):
            if at is not None:
                at["b"] = questions - at["a"]
            candidates = []
            for shadow in shadows_of(counts, judges, "ab"):
                evaluation = from_confusions(shadow, judges, "ab")
                if at is None or dict(evaluation.key_counts) == at:
                    here, there = coordinates(evaluation), coordinates(target)
                    distance = sum((x - y) ** 2 for x, y in zip(here, there, strict=True))
                    order = (evaluation.key_counts["a"], *(right["a"] for right in evaluation.correct))
                    candidates.append((distance, order))
            found = ConsistentSet(votes).nearest(target, at=at)
            order = (found.evaluation.key_counts["a"], *(right["a"] for right in found.evaluation.correct))
            assert (found.squared_distance, order) == min(candidates)
            assert found.evaluation in ConsistentSet(votes)


def coordinates(evaluation):
    return [evaluation.key_counts["a"], *(n for right in evaluation.correct for n in right.values())]


@pytest.mark.parametrize(("judges", "labels", "most"), [(1, "ab", 5), (2, "ab", 3), (1, "abc", 3)])
def test_possible_evaluations_are_those_of_all_keys_and_all_answers(judges, labels, most):
    for questions in range(most + 1):
        possible = PossibleSet(questions=questions, judges=judges, labels=tuple(labels))
        groups = set()
        for counts in all_votes(questions, judges, labels):
            groups |= grade(counts, labels)
        expected = {as_group(graded, judges, labels) for graded in groups}
        listed = list(possible)
        assert len(listed) == len(set(listed)) == possible.count() == len(expected)
        assert set(listed) == expected
        by_key = Counter(key_of(graded, labels) for graded in groups)
        assert possible.counts_by_key() == dict(by_key)
        for key, count in by_key.items():
            at = dict(zip(labels, key, strict=True))
            assert possible.count_at(at) == count == len(list(possible.at(at)))
        shadows = {confusions_of(graded, judges, labels) for graded in groups}
        assert possible.individual_count() == len(shadows)
        assert all(from_confusions(shadow, judges, labels) in possible for shadow in shadows)


@pytest.mark.parametrize(("judges", "questions"), [(3, 9), (4, 6), (5, 5)])
def test_bits_agree_with_answer_keys_on_random_larger_tests(judges, questions):
    generator = random.Random(judges)
    patterns = list(itertools.product("ab", repeat=judges))
    for _ in range(6):
        counts = Counter(generator.choices(patterns, k=questions))
        reachable = ReachableSums(VoteCounts(counts))
        shadows = shadows_of(counts, judges, "ab")
        assert reachable.count() == len(shadows)
        assert {confusions(evaluation) for evaluation in reachable.evaluations()} == shadows
