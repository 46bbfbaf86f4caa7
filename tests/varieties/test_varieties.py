"""Possible and consistent sets against all answer keys of small votes, with gaps and with several labels.

An answer key gives each question a true label; keys are enumerated question by question, without any formula.
"""

import random
import time
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb

import pytest

from ntqr_exact import (
    ConsistentSet,
    Evaluation,
    LabeledVoteCounts,
    PossibleSet,
    VoteCounts,
    example,
    grade,
    solve_independent,
)
from ntqr_exact.errors import (
    BadKeyCounts,
    BadNumber,
    BadVotes,
    EmptyTest,
    NotOrdered,
    NotSupported,
    NotVotes,
    TooMuchWork,
)
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties.closed_forms import TrioDecision
from ntqr_exact.varieties.compositions import all_key_counts, individual
from ntqr_exact.varieties.consistent import right_answers
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
    VoteCounts({("a", None, "b"): 2, ("b", "b", None): 1, "aba": 1, (None, None, "a"): 1}),
    VoteCounts({("a", None): 2, ("c", "b"): 1, (None, "c"): 2}, ("a", "b", "c")),
]


def all_votes(judges, labels, most):
    """Return all votes of up to `most` questions; of those that differ in the order of the judges only, one."""
    patterns = list(product(labels, repeat=judges))
    orders = list(permutations(range(judges)))
    for questions in range(most + 1):
        for rows in combinations_with_replacement(patterns, questions):
            if rows == min(tuple(sorted(tuple(row[i] for i in order) for row in rows)) for order in orders):
                yield VoteCounts(Counter(rows), tuple(labels), [f"J{i}" for i in range(judges)])


def random_votes(seed, judges, labels="ab", size=7):
    draw = random.Random(seed)
    rows = [tuple(draw.choice(labels) for _ in range(judges)) for _ in range(draw.randint(1, size))]
    return VoteCounts(Counter(rows), tuple(labels)), draw


def keys_of(votes):
    """Return all group evaluations: for each the sorted (true label, pattern) of all questions."""
    questions = [pattern for pattern, count in votes.counts.items() for _ in range(count)]
    every = product(votes.labels, repeat=len(questions))
    return {tuple(sorted(zip(key, questions, strict=True), key=repr)) for key in every}


def as_key(graded):
    cells = ((label, part.counts) for label, part in graded.by_label.items())
    return tuple(
        sorted(((a, p) for a, counts in cells for p, n in counts.items() for _ in range(n)), key=repr)
    )


def key_counts(key, labels):
    return tuple(sum(true == label for true, _ in key) for label in labels)


def confusions(key, votes):
    """Return the key counts and how often each judge gave each label on each true label."""
    cells = Counter((true, j, given) for true, pattern in key for j, given in enumerate(pattern) if given)
    judges, labels = range(len(votes.judges)), votes.labels
    return (*key_counts(key, labels), *(cells[a, j, b] for j in judges for a in labels for b in labels))


def numbers(one):
    return (
        *one.key_counts.values(),
        *(n for rows in one.confusion for row in rows.values() for n in row.values()),
    )


def gamma(key, label, i, j):
    rows = [(p[i] == label, p[j] == label) for true, p in key if true == label and p[i] and p[j]]
    if not rows:
        return Undefined.NO_QUESTIONS
    x, y, both = (
        Fraction(sum(each), len(rows)) for each in (*zip(*rows, strict=True), [i and j for i, j in rows])
    )
    return both - x * y


def by_key_counts(votes):
    """Return all keys, and those at each key counts."""
    parts: dict = {None: list(keys_of(votes))}
    for key in parts[None]:
        parts.setdefault(key_counts(key, votes.labels), []).append(key)
    return [
        (None if at is None else dict(zip(votes.labels, at, strict=True)), keys) for at, keys in parts.items()
    ]


def check_sets(votes):
    consistent, every = ConsistentSet(votes), keys_of(votes)
    listed = list(consistent)
    assert {as_key(graded) for graded in listed} == every
    assert len(listed) == len(every) == consistent.count()
    assert all(graded in consistent and graded.observed() == votes for graded in listed)
    by_key = consistent.counts_by_key()
    assert all(min(key) >= 0 for key in by_key)
    shadow = consistent.projection()
    alone = list(shadow)
    shadows = {confusions(key, votes) for key in every}
    assert {numbers(one) for one in alone} == shadows
    assert len(alone) == len(shadows) == shadow.count()
    assert {individual(graded) for graded in listed} == set(alone)
    for at, keys in by_key_counts(votes):
        if at is not None:
            assert consistent.count_at(at) == by_key.pop(tuple(at.values())) == len(keys)
            assert list(consistent.at(at)) == [graded for graded in listed if graded.key_counts == at]
            here = [one for one in alone if dict(one.key_counts) == at]
            assert (shadow.count_at(at), list(shadow.at(at))) == (len(here), here)
    assert not any(by_key.values())
    return alone


@pytest.mark.parametrize("votes", SMALL)
def test_sets_are_those_of_all_keys(votes) -> None:
    alone = check_sets(votes)
    consistent, inside = ConsistentSet(votes), set(alone)
    for one in random.Random(1).sample(alone, min(20, len(alone))):
        verdict = consistent.explain(one)
        assert individual(verdict.witness) == one
        assert verdict.witness.observed() == votes
    others = PossibleSet(votes.size, len(votes.judges), votes.labels)
    for seed in range(40):
        one = individual(others.sample(seed=seed))
        verdict = consistent.explain(one)
        assert (one in consistent.projection()) == bool(verdict)
        assert bool(verdict) == (one in inside)
        assert str(verdict)
        assert all(breach.residual for breach in verdict.breaches)


@pytest.mark.parametrize(
    ("judges", "labels", "most"),
    [(1, "ab", 5), (2, "ab", 5), (3, "ab", 4), (4, "ab", 2), (1, "abc", 4), (2, "abc", 2)],
)
def test_sets_of_all_small_votes_are_those_of_all_keys(judges, labels, most) -> None:
    for votes in all_votes(judges, labels, most):
        check_sets(votes)


@pytest.mark.parametrize(
    ("judges", "labels", "size"), [(1, "ab", 4), (2, "ab", 4), (3, "ab", 4), (2, "abc", 3)]
)
def test_membership_of_every_individual_evaluation_is_right(judges, labels, size) -> None:
    every = [votes for votes in all_votes(judges, labels, size) if votes.size == size]
    shadows = [{individual(graded) for graded in ConsistentSet(votes)} for votes in every]
    possible = sorted(set().union(*shadows), key=repr)
    draw = random.Random(judges)
    for votes, inside in draw.sample(list(zip(every, shadows, strict=True)), min(len(every), 25)):
        for one in draw.sample(possible, min(len(possible), 100)):
            assert (one in ConsistentSet(votes)) == (one in inside)


@pytest.mark.parametrize("questions", range(5))
def test_trio_decision_is_right_on_every_point_of_all_small_votes(questions) -> None:
    fractions = 0
    patterns = list(product("ab", repeat=3))
    for votes in all_votes(3, "ab", questions):
        joints: dict = {}
        for key in keys_of(votes):
            of_a = [pattern for true, pattern in key if true == "a"]
            point = (len(of_a), *(sum(p[i] == "a" for p in of_a) for i in range(3)))
            joints.setdefault(point, set()).add(sum(p[:2] == ("a", "a") for p in of_a))
        trio = TrioDecision.of(votes)
        for key, *pair in product(range(questions + 1), repeat=3):
            thirds = [third for third in range(questions + 1) if (key, *pair, third) in joints]
            assert list(trio.third_values(key, *pair)) == thirds
        for key, *right in product(range(questions + 1), repeat=4):
            whole = trio.joint_values(key, right)
            assert set(whole) == joints.get((key, *right), set())
            fraction = trio.joint_values(key, right, parts=2) and not whole
            assert trio.step == 2 or not fraction
            fractions += bool(fraction)
            for joint in whole:
                chosen = dict(zip(patterns, trio.witness(key, right, joint), strict=True))
                assert all(0 <= n <= votes.counts[p] for p, n in chosen.items())
                sums = [sum(n for p, n in chosen.items() if p[i] == "a") for i in range(3)]
                assert (sum(chosen.values()), sums) == (key, list(right))
    assert (fractions > 0) == (questions >= 4)


def test_points_are_the_evaluations_in_numbers() -> None:
    for votes in SMALL[:3]:
        shadow = ConsistentSet(votes).projection()
        assert list(shadow.points()) == [coordinates(one) for one in shadow]


# -- ranges ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("votes", [*SMALL, random_votes(1, 3)[0], random_votes(2, 2, "abc", 5)[0]])
def test_ranges_are_those_of_all_keys(votes) -> None:
    draw = random.Random(2)
    weights = {(a, p): Fraction(draw.randint(-4, 4), 3) for a in votes.labels for p in votes.counts}
    consistent = ConsistentSet(votes)
    for at, keys in by_key_counts(votes):
        values = [sum(weights[cell] for cell in key) for key in keys]
        result = consistent.range_of(weights, at=at)
        assert (result.minimum, result.maximum) == (min(values), max(values))
        for end, value in ((result.minimizer, min(values)), (result.maximizer, max(values))):
            assert end in consistent
            assert sum(weights[cell] for cell in as_key(end)) == value
            assert at is None or end.key_counts == at
        for label, (i, j) in product(votes.labels, permutations(range(len(votes.judges)), 2)):
            gammas = [gamma(key, label, i, j) for key in keys]
            gammas = [value for value in gammas if not isinstance(value, Undefined)]
            if gammas:
                assert consistent.correlation_range(label, i, j, at=at) == (min(gammas), max(gammas))
            else:
                with pytest.raises(EmptyTest):
                    consistent.correlation_range(label, i, j, at=at)


@pytest.mark.parametrize("votes", [*SMALL[1:3], random_votes(3, 2)[0], random_votes(4, 3)[0]])
def test_pair_correlations_that_go_with_grades_are_those_of_all_keys(votes) -> None:
    consistent = ConsistentSet(votes)
    members: dict = {}
    for key in keys_of(votes):
        members.setdefault(confusions(key, votes), []).append(key)
    for one in consistent.projection():
        for i, j in permutations(range(len(votes.judges)), 2):
            points = consistent.pair_correlations(one, i, j)
            expected = {(gamma(key, "a", i, j), gamma(key, "b", i, j)) for key in members[numbers(one)]}
            assert {point.correlations for point in points} == expected
            assert len({point.both_right for point in points}) == len(points)
            assert [each.both_right[0] - points[0].both_right[0] for each in points] == list(
                range(len(points))
            )


# -- sampling ----------------------------------------------------------------------------------------


def assert_uniform(sampler, expected, each=60) -> None:
    """Pearson's statistic is within six standard deviations of its mean."""
    draws = sampler.draws(seed=5)
    counts = Counter(as_key(next(draws)) for _ in range(each * len(expected)))
    assert set(counts) <= expected
    statistic = sum(Fraction((counts[key] - each) ** 2, each) for key in expected)
    degrees = len(expected) - 1
    assert abs(statistic - degrees) ** 2 <= 36 * 2 * degrees


@pytest.mark.parametrize(
    ("counts", "key"),
    [
        ({"a": 2, "b": 3, "c": 2}, (3, 2, 2)),
        ({"aa": 1, "ab": 1, "bc": 1, "ca": 1, "cc": 3}, (1, 4, 2)),
        ({"aa": 1, "ab": 1, "bc": 1, "ca": 1, "cc": 1, "cb": 2}, (2, 4, 1)),
        ({"aa": 1, "ab": 1, "ba": 2, "cb": 2}, (4, 0, 2)),
        ({"aa": 1, "ab": 1, "ba": 1, ("b", None): 2}, (1, 3, 1)),
        ({"aa": 1, "ab": 1, "ba": 1, "bb": 1}, (2, 1, 1)),
        ({"aa": 2, "ab": 1, "ba": 1, "bb": 1}, (2, 3)),
    ],
)
def test_draws_at_key_counts_are_uniform(counts, key) -> None:
    votes = VoteCounts(counts, tuple("abc"[: len(key)]))
    expected = {each for each in keys_of(votes) if key_counts(each, votes.labels) == key}
    at = dict(zip(votes.labels, key, strict=True))
    assert_uniform(ConsistentSet(votes).sampler(at=at), expected)


def test_draws_of_all_key_counts_are_uniform() -> None:
    assert_uniform(ConsistentSet(GAPS).sampler(), keys_of(GAPS), each=30)
    assert ConsistentSet(GAPS).sample(seed=3) == ConsistentSet(GAPS).sample(seed=3)


@pytest.mark.parametrize(
    ("labels", "judges", "size", "key"),
    [("abcde", 4, 295, (65, 63, 56, 56, 55)), ("abc", 2, 300, (250, 30, 20)), ("abcdefg", 9, 400, None)],
)
def test_large_panels_of_several_labels_are_sampled(labels, judges, size, key) -> None:
    draw = random.Random(3)
    true = [draw.choice(labels) for _ in range(size)]
    rows = [tuple(t if draw.random() < 0.6 else draw.choice(labels) for _ in range(judges)) for t in true]
    votes = VoteCounts(Counter(rows), tuple(labels))
    at = {a: true.count(a) for a in labels} if key is None else dict(zip(labels, key, strict=True))
    started = time.process_time()
    graded = ConsistentSet(votes).sample(seed=1, at=at)
    assert time.process_time() - started < 10
    assert (graded.key_counts, graded.observed()) == (at, votes)
    if len(labels) > 3:
        with pytest.raises(TooMuchWork):
            ConsistentSet(votes).count_at(at)


# -- nearest -----------------------------------------------------------------------------------------


def coordinates(one):
    return (one.key_counts["a"], *(right[label] for right in one.correct for label in "ab"))


def distance(one, point):
    return sum((x - y) * (x - y) for x, y in zip(coordinates(one), point, strict=True))


@pytest.mark.parametrize("seed", range(60))
def test_the_nearest_evaluation_is_the_first_of_the_nearest(seed) -> None:
    judges = 1 + seed % 3
    votes, draw = random_votes(seed, judges)
    size = votes.size
    # Whole numbers within reach have ties, at which the smallest comes first.
    low, high, parts = (-9, 20, (1, 2, 3, 4)) if seed % 2 else (0, size, (1,))
    point = [Fraction(draw.randint(low, high), draw.choice(parts)) for _ in range(1 + 2 * judges)]
    if point[0] in (0, size):
        point[0] = Fraction(1, 2)
    rights = [(point[1 + 2 * j] / point[0], point[2 + 2 * j] / (size - point[0])) for j in range(judges)]
    prevalence = {"a": point[0] / size, "b": 1 - point[0] / size}
    target = Evaluation.from_accuracies(prevalence, [{"a": x, "b": y} for x, y in rights])
    every = list(ConsistentSet(votes).projection())  # in the order of (Q_a, s_1, …)
    for at in (None, {"a": size // 2, "b": size - size // 2}):
        some = [one for one in every if at is None or dict(one.key_counts) == at]
        result = ConsistentSet(votes).nearest(target, at=at)
        assert result.squared_distance == min(distance(one, point) for one in some)
        assert result.evaluation == min(some, key=lambda one: distance(one, point))


def test_the_roots_of_the_published_tests_are_near_a_consistent_evaluation() -> None:
    votes = example("two-norm").votes
    for solution in solve_independent(votes).solutions:
        result = ConsistentSet(votes).nearest(solution)
        assert result.evaluation in ConsistentSet(votes)
        assert result.squared_distance < 3
    imaginary = example("uci-adult-imaginary").votes
    with pytest.raises(NotOrdered):
        ConsistentSet(imaginary).nearest(solve_independent(imaginary).solutions[0])
    with pytest.raises(TooMuchWork):
        nearest(votes, solution, budget=3)


# -- possible sets -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("questions", "judges", "labels"), [(4, 1, "ab"), (3, 2, "ab"), (3, 1, "abc"), (0, 2, "ab")]
)
def test_possible_sets_are_those_of_all_keys_and_all_answers(questions, judges, labels) -> None:
    possible = PossibleSet(questions, judges, tuple(labels))
    patterns = list(product(labels, repeat=judges))
    rows = combinations_with_replacement(list(product(labels, patterns)), questions)
    listed = list(possible)
    cells = len(labels) ** (judges + 1)
    assert {as_key(graded) for graded in listed} == {tuple(sorted(row, key=repr)) for row in rows}
    assert len(listed) == possible.count() == comb(questions + cells - 1, cells - 1)
    assert len({individual(graded) for graded in listed}) == possible.individual_count()
    assert all(graded in possible and individual(graded) in possible for graded in listed)
    for at in all_key_counts(tuple(labels), questions):
        assert possible.count_at(at) == sum(1 for _ in possible.at(at))
        assert possible.sample(seed=1, at=at).key_counts == at
    assert possible.sample(seed=1) in possible
    assert PossibleSet(questions + 1, judges, tuple(labels)).sample(seed=1) not in possible
    assert LabeledVoteCounts({"a": GAPS}) not in PossibleSet(GAPS.size, 2)


# -- bad input ---------------------------------------------------------------------------------------

ONE, TWO = ConsistentSet(SMALL[0]), ConsistentSet(SMALL[1])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ConsistentSet({"aa": 1}), BadVotes),
        (lambda: ConsistentSet(LabeledVoteCounts({"a": VoteCounts({"a": 1})})), BadVotes),
        (lambda: ONE.count_at({"a": 1}), BadKeyCounts),
        (lambda: ONE.count_at({"a": 1, "x": 4}), BadKeyCounts),
        (lambda: ONE.count_at({"a": -1, "b": 6}), BadKeyCounts),
        (lambda: ONE.count_at(5), BadKeyCounts),
        (lambda: ONE.explain(3), NotVotes),
        (lambda: 3 in ONE.projection(), NotVotes),
        (lambda: TWO.explain(grade(next(iter(TWO)))), NotVotes),
        (lambda: ONE.range_of({("x", "a"): 1}), BadVotes),
        (lambda: ONE.range_of({("a", "ab"): 1}), BadVotes),
        (lambda: TWO.correlation_range("x", 0, 1), BadVotes),
        (lambda: ConsistentSet(GAPS).nearest(next(iter(TWO.projection()))), BadVotes),
        (lambda: ConsistentSet(GAPS).pair_correlations(next(iter(TWO.projection())), 0, 1), BadVotes),
        (lambda: right_answers(SMALL[0], 0, "x"), BadVotes),
        (lambda: ConsistentSet(SMALL[3]).nearest(PossibleSet(4, 4).sample(seed=1)), NotSupported),
        (lambda: ConsistentSet(SMALL[4]).projection().points().__next__(), NotSupported),
        (lambda: PossibleSet(-1), BadNumber),
        (lambda: PossibleSet(1, 0), BadVotes),
        (lambda: 3 in PossibleSet(1), NotVotes),
    ],
)
def test_bad_input_is_refused(call, error) -> None:
    with pytest.raises(error):
        call()
