"""The safe region against all confusions of every judge, and all answer keys."""

from __future__ import annotations

import pickle
import random
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest

from ntqr_exact import VoteCounts
from ntqr_exact.alarms.misalignment import find_misalignment
from ntqr_exact.alarms.safe_region import SafeRegion
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.errors import BadKeyCounts, BadNumber, BadVotes, NotSupported
from tests.alarms.all_keys import compositions

SPECIFICATIONS = [
    SafetySpecification(2),
    SafetySpecification("3/2"),
    SafetySpecification("5/2", minimum_grade="2/3"),
    SafetySpecification(9, minimum_grade="1/2"),
]


@cache
def right_answers_there_are(given: tuple[int, ...], key: tuple[int, ...]) -> frozenset[tuple[int, ...]]:
    """How often a judge with these answers can be right on each label: all confusions, row by row."""
    if not key:
        return frozenset([()])
    label = len(given) - len(key)
    found = set()
    for row in compositions(key[0], len(given)):
        if all(x <= y for x, y in zip(row, given, strict=True)):
            left = tuple(y - x for x, y in zip(row, given, strict=True))
            found |= {(row[label], *rest) for rest in right_answers_there_are(left, key[1:])}
    return frozenset(found)


def is_safe(right, key, labels, specification: SafetySpecification) -> bool:
    return all(
        not questions or Fraction(specification.factor_of(label)) * n > questions
        for n, questions, label in zip(right, key, labels, strict=True)
    ) and sum(right) >= specification.minimum_grade * sum(key)


def safe_keys_by_brute_force(votes: VoteCounts, specification: SafetySpecification) -> list[tuple[int, ...]]:
    given = [tuple(votes.responses(judge).values()) for judge in range(len(votes.judges))]
    return [
        key
        for key in compositions(votes.size, len(votes.labels))
        if all(
            any(
                is_safe(right, key, votes.labels, specification)
                for right in right_answers_there_are(answers, key)
            )
            for answers in given
        )
    ]


def check(votes: VoteCounts, specification: SafetySpecification) -> int:
    region = find_misalignment(votes, specification, group_size=1).safe_region
    expected = safe_keys_by_brute_force(votes, specification)
    assert [tuple(key.values()) for key in region] == expected
    assert region.count() == len(expected)
    assert (
        region.is_empty()
        == (not expected)
        == find_misalignment(votes, specification, group_size=1).is_misaligned
    )
    for key in compositions(votes.size, len(votes.labels)):
        counts = dict(zip(votes.labels, key, strict=True))
        assert (counts in region) == region.contains(counts) == (key in expected)
        witness = region.witness(counts)
        assert (witness is not None) == (key in expected)
        if witness is not None:
            assert witness.key_counts == counts
            for judge, confusion in enumerate(witness.confusion):
                for label, times in votes.responses(judge).items():
                    assert sum(row[label] for row in confusion.values()) == times
                right = [confusion[label][label] for label in votes.labels]
                assert is_safe(right, key, votes.labels, specification)
    return len(expected)


@pytest.mark.parametrize("size", [1, 2, *(pytest.param(size, marks=pytest.mark.slow) for size in (3, 4))])
def test_two_judges_between_three_labels_agree_with_all_confusions(size: int) -> None:
    sizes = set()
    for first, second in product(compositions(size, 3), repeat=2):
        rows = zip(
            [label for label, n in zip("abc", first, strict=True) for _ in range(n)],
            [label for label, n in zip("abc", second, strict=True) for _ in range(n)],
            strict=True,
        )
        answers = list(rows)
        votes = VoteCounts({row: answers.count(row) for row in answers}, ("a", "b", "c"))
        for specification in SPECIFICATIONS:
            sizes.add(check(votes, specification))
    assert 0 in sizes
    assert max(sizes) >= 1


@pytest.mark.parametrize(("labels", "size"), [("ab", 9), ("abc", 7), ("abcd", 4)])
def test_random_votes_agree_with_all_confusions(labels: str, size: int) -> None:
    generator = random.Random(3)
    for _ in range(15):
        rows = [tuple(generator.choice(labels) for _ in range(3)) for _ in range(size)]
        rows += [(label,) * 3 for label in labels if generator.random() < 2 / 3]
        votes = VoteCounts({row: rows.count(row) for row in rows[:size]}, tuple(labels))
        factors = {label: Fraction(generator.randrange(4, 13), 3) for label in labels}
        for grade in (0, Fraction(1, 2)):
            check(votes, SafetySpecification(factors, minimum_grade=grade))


def test_a_large_region_is_counted_in_closed_form() -> None:
    votes = VoteCounts({"aaa": 40, "bbb": 35, "ccc": 25}, ("a", "b", "c"))
    region = SafeRegion(votes, SafetySpecification(2), 1)
    assert region.count() == len(list(region)) == 3098
    larger = VoteCounts({(label,) * 3: 10**6 for label in "abcdef"}, tuple("abcdef"))
    assert SafeRegion(larger, SafetySpecification("11/10"), 1).count() > 10**25


def between(point, corners) -> bool:
    """Whether a point of the plane lies in the hull of corners: in one of their triangles, or on them."""

    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    def on_line(p, q):
        return side(p, q, point) == 0 and all(min(p[i], q[i]) <= point[i] <= max(p[i], q[i]) for i in (0, 1))

    if point in corners or any(on_line(p, q) for p, q in combinations(corners, 2)):
        return True
    return any(
        len({side(p, q, point) > 0, side(q, r, point) > 0, side(r, p, point) > 0}) == 1 and side(p, q, r) != 0
        for p, q, r in combinations(corners, 3)
    )


@pytest.mark.parametrize("specification", SPECIFICATIONS)
def test_the_corners_span_the_region_and_none_lies_between_the_others(specification) -> None:
    generator = random.Random(8)
    seen = 0
    for _ in range(12):
        rows = [(generator.choice("abc"),) * 2 for _ in range(9)] + [("a", "b")]
        votes = VoteCounts({row: rows.count(row) for row in rows}, ("a", "b", "c"))
        region = SafeRegion(votes, specification, 1)
        corners = [tuple(corner.values())[:2] for corner in region.vertices()]
        points = [tuple(point.values())[:2] for point in region]
        assert set(corners) <= set(points)
        assert all(between(point, corners) for point in points)
        for corner in corners:
            assert not between(corner, [other for other in corners if other != corner])
        seen += len(corners)
    assert seen


def test_the_corners_of_two_labels_are_the_ends() -> None:
    region = find_misalignment(VoteCounts({"aaa": 4, "bbb": 3}), group_size=1).safe_region
    points = list(region)
    assert region.vertices() == [points[0], points[-1]]
    single = SafeRegion(VoteCounts({"aa": 1, "bb": 1}), SafetySpecification("3/2"), 1)
    assert single.vertices() == list(single) == [{"a": 1, "b": 1}]
    assert SafeRegion(VoteCounts({"ab": 1, "ba": 1}), SafetySpecification(2), 2).vertices() == []


def test_corners_with_a_grade_and_four_labels_are_not_supported() -> None:
    votes = VoteCounts({(label,) * 2: 3 for label in "abcd"}, tuple("abcd"))
    assert SafeRegion(votes, SafetySpecification(2), 1).vertices()
    with pytest.raises(NotSupported, match="up to three labels"):
        SafeRegion(votes, SafetySpecification(2, minimum_grade="1/2"), 1).vertices()


@pytest.mark.parametrize("size", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_joint_regions_are_the_safe_keys_and_every_point_has_its_witnesses(size: int) -> None:
    generator = random.Random(21)
    smaller = 0
    for _ in range(10):
        counts = [generator.choice((0, 1, 2, 3)) for _ in range(8)]
        votes = VoteCounts(dict(zip(product("ab", repeat=3), [*counts[:7], counts[7] + 1], strict=True)))
        specification = generator.choice(SPECIFICATIONS)
        result = find_misalignment(votes, specification, group_size=size)
        region = result.safe_region
        traced = [dict(verdict.key_counts) for verdict in result.trace() if verdict.is_safe]
        assert list(region) == traced == [dict(key) for key in result.safe_keys()]
        assert region.vertices() == list(
            {tuple(key.values()): key for key in traced[:1] + traced[-1:]}.values()
        )
        assert region.count() == len(list(region))
        smaller += region.count() < SafeRegion(votes, specification, 1).count()
        for verdict in result.trace():
            assert (verdict.key_counts in region) == verdict.is_safe
            witnesses = region.group_witnesses(verdict.key_counts)
            assert bool(witnesses) == verdict.is_safe
            if size == 3:
                assert (region.witness(verdict.key_counts) is not None) == verdict.is_safe
            for names, labeled in witnesses.items():
                assert labeled.observed() == votes.marginal(*names)
                assert labeled.key_counts == verdict.key_counts
                for judge in range(size):
                    confusion = labeled.confusion(judge)
                    right = [confusion[label][label] for label in "ab"]
                    assert is_safe(right, tuple(labeled.key_counts.values()), "ab", specification)
    assert smaller


def test_the_range_of_right_answers_is_the_one_of_all_confusions() -> None:
    for size in range(1, 7):
        for given in compositions(size, 2):
            votes = VoteCounts({"aa": given[0], "bb": given[1]})
            for specification in SPECIFICATIONS:
                region = SafeRegion(votes, specification, 1)
                for questions in range(size + 1):
                    key = (questions, size - questions)
                    expected = sorted(
                        right[0]
                        for right in right_answers_there_are(given, key)
                        if is_safe(right, key, "ab", specification)
                    )
                    assert list(region.right_answers(1, questions)) == expected


def test_what_is_no_key_of_the_test_is_told_apart_from_what_is_not_safe() -> None:
    region = SafeRegion(VoteCounts({"aa": 2, "bb": 3}), SafetySpecification(2), 1)
    assert {"a": 5, "b": 0} not in region
    for wrong in ({"a": 2}, {"a": 2, "b": 2}, {"a": 2, "c": 3}, 7):
        assert wrong not in region
        with pytest.raises(BadKeyCounts):
            region.contains(wrong)
    with pytest.raises(BadNumber):
        region.contains({"a": 6, "b": -1})
    with pytest.raises(BadKeyCounts, match="5 questions"):
        region.right_answers(0, 6)
    with pytest.raises(BadVotes, match="group_witnesses"):
        SafeRegion(VoteCounts({"aaa": 2, "bbb": 3}), SafetySpecification(2), 2).witness({"a": 2, "b": 3})
    three = SafeRegion(VoteCounts({"aa": 2, "bb": 3}, ("a", "b", "c")), SafetySpecification(2), 1)
    with pytest.raises(BadVotes, match="two labels only"):
        three.right_answers(0, 1)


def test_regions_and_verdicts_are_values_that_can_be_hashed_and_pickled() -> None:
    votes = VoteCounts({"aaa": 2, "aab": 1, "bbb": 3})
    for size in (1, 2, 3):
        result = find_misalignment(votes, group_size=size)
        again = pickle.loads(pickle.dumps(result))
        assert result == again
        assert hash(result) == hash(again)
        assert hash(result.safe_region) == hash(again.safe_region)
        assert len({*result.trace(), *again.trace()}) == votes.size + 1


def test_the_document_of_a_region_has_its_bounds_its_size_and_its_corners() -> None:
    region = SafeRegion(VoteCounts({"aa": 2, "bb": 1}), SafetySpecification(2), 1)
    assert region.to_document() == {
        "group_size": 1,
        "most_questions": {"a": 3, "b": 1},
        "count": 2,
        "vertices": [{"a": 2, "b": 1}, {"a": 3, "b": 0}],
    }


def test_the_document_of_a_region_that_is_long_to_count_has_its_ranges() -> None:
    votes = VoteCounts({(label,) * 2: 10**9 for label in "abc"}, ("a", "b", "c"))
    assert set(SafeRegion(votes, SafetySpecification(2), 1).to_document()) == {
        "group_size",
        "most_questions",
        "count",
        "vertices",
    }
    graded = SafetySpecification(2, minimum_grade="1/2")
    region = SafeRegion(votes, graded, 1)
    assert set(region.to_document()) == {"group_size", "most_questions"}
    assert [end.proven for end in region.ends("b")] == [0, 2 * 10**9 - 1]
    joint = SafeRegion(VoteCounts({"aa": 10**9, "bb": 10**9}), SafetySpecification(2), 2)
    assert [end["proven"] for end in joint.to_document()["ranges"]["a"]] == [1, 2 * 10**9 - 1]


def test_the_ends_of_two_labels_are_found_without_a_walk_whatever_the_size() -> None:
    votes = VoteCounts({"aa": 10**30, "ab": 10**29, "bb": 2 * 10**30})
    region = SafeRegion(votes, SafetySpecification(2, minimum_grade="9/10"), 1)
    low, high = (corner["a"] for corner in region.vertices())
    assert region.count() == high - low + 1
    for key, inside in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
        assert region.contains({"a": key, "b": votes.size - key}) is inside


def test_a_trio_with_very_many_questions_is_decided_at_once() -> None:
    many = 10**20
    votes = VoteCounts(
        dict(zip(product("ab", repeat=3), (0, many, many, 0, many, 0, 0, 2 * many), strict=True))
    )
    key = {"a": 2 * many, "b": 3 * many}
    # Two of three answers a in every question of a: all judges are right on two thirds of them, and not on more.
    for factor, size, safe in ((2, 3, True), ("6/5", 3, False), ("6/5", 1, True)):
        assert SafeRegion(votes, SafetySpecification(factor), size).contains(key) is safe
