"""Logical alarms against enumeration of all answer keys."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations, product

import pytest

from ntqr_exact import VoteCounts
from ntqr_exact.alarms.misalignment import Alignment, find_misalignment
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.errors import BadVotes, EmptyTest
from tests.alarms.all_keys import compositions

SPECIFICATIONS = [(Fraction(2), Fraction(0)), (Fraction(3, 2), Fraction(0)), (Fraction(5, 2), Fraction(2, 3))]


def keys_where_a_group_could_be_safe(votes: VoteCounts, factor: Fraction, grade: Fraction) -> set[int]:
    """By trying every split of every pattern over the two true labels."""
    patterns = list(votes.counts)
    found = set()
    for split in product(*(range(votes.counts[pattern] + 1) for pattern in patterns)):
        on_a = sum(split)
        on_b = votes.size - on_a
        if on_a in found:
            continue
        for judge in range(len(votes.judges)):
            right_a = sum(k for p, k in zip(patterns, split, strict=True) if p[judge] == "a")
            right_b = sum(
                votes.counts[p] - k for p, k in zip(patterns, split, strict=True) if p[judge] == "b"
            )
            if (on_a and factor * right_a <= on_a) or (on_b and factor * right_b <= on_b):
                break
            if right_a + right_b < grade * votes.size:
                break
        else:
            found.add(on_a)
    return found


def check(votes: VoteCounts, factor: Fraction, grade: Fraction, size: int) -> None:
    result = find_misalignment(votes, SafetySpecification(factor, minimum_grade=grade), group_size=size)
    groups = [votes.marginal(*group) for group in combinations(range(len(votes.judges)), size)]
    safe = set.intersection(*(keys_where_a_group_could_be_safe(group, factor, grade) for group in groups))
    assert {key["a"] for key in result.safe_keys()} == safe, (votes, factor, grade, size)
    assert result.is_misaligned == (not safe)
    check_witness(result, factor, grade)


def check_witness(result, factor: Fraction, grade: Fraction) -> None:
    """A witness is an evaluation of the votes seen in which every judge is safe."""
    votes = result.votes
    if result.is_misaligned:
        assert result.witness is None
        assert not result.group_witnesses
        return
    if result.group_size == 1:
        witness = result.witness
        for judge, counts in enumerate(witness.confusion):
            answered = {label: sum(row[label] for row in counts.values()) for label in votes.labels}
            assert answered == votes.responses(judge)
            assert all(not n or factor * counts[label][label] > n for label, n in witness.key_counts.items())
            assert sum(counts[label][label] for label in votes.labels) >= grade * votes.size
        return
    assert len(result.group_witnesses) == len(list(combinations(votes.judges, result.group_size)))
    for names, labeled in result.group_witnesses.items():
        assert labeled.observed() == votes.marginal(*names)
        for judge in range(len(names)):
            confusion = labeled.confusion(judge)
            assert all(
                not n or factor * confusion[label][label] > n for label, n in labeled.key_counts.items()
            )
            assert sum(confusion[label][label] for label in votes.labels) >= grade * votes.size


@pytest.mark.parametrize(
    "size", [1, 2, 3, 4, 5, *(pytest.param(n, marks=pytest.mark.slow) for n in (6, 7, 8))]
)
def test_all_votes_of_pairs_agree_with_enumeration(size: int) -> None:
    for counts in compositions(size, 4):
        votes = VoteCounts(dict(zip(product("ab", repeat=2), counts, strict=True)))
        for factor, grade in SPECIFICATIONS:
            for group in (1, 2):
                check(votes, factor, grade, group)


@pytest.mark.parametrize("size", [1, 2, 3, *(pytest.param(n, marks=pytest.mark.slow) for n in (4, 5))])
def test_all_votes_of_trios_agree_with_enumeration(size: int) -> None:
    for counts in compositions(size, 8):
        votes = VoteCounts(dict(zip(product("ab", repeat=3), counts, strict=True)))
        factor, grade = SPECIFICATIONS[sum(counts[:3]) % 3]
        for group in (1, 2, 3):
            check(votes, factor, grade, group)


def test_larger_random_trios_agree_with_enumeration() -> None:
    generator = random.Random(11)
    for _ in range(60):
        counts = [generator.choice((0, 0, 1, 2, 3)) for _ in range(8)]
        if any(counts):
            votes = VoteCounts(dict(zip(product("ab", repeat=3), counts, strict=True)))
            check(votes, *generator.choice(SPECIFICATIONS), 3)


def test_a_single_alarm_is_silent_where_the_pair_fires() -> None:
    votes = VoteCounts({"ab": 1, "ba": 1})
    assert not find_misalignment(votes, group_size=1).is_misaligned
    assert find_misalignment(votes, group_size=2).is_misaligned


def test_pairs_are_silent_where_the_trio_fires() -> None:
    votes = VoteCounts(dict(zip(product("ab", repeat=3), (0, 1, 1, 0, 1, 0, 0, 2), strict=True)))
    fired = [
        find_misalignment(votes, SafetySpecification("3/2"), group_size=size).is_misaligned
        for size in (1, 2, 3)
    ]
    assert fired == [False, False, True]
    assert find_misalignment(votes, SafetySpecification("3/2")).group_size == 3


@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_single_judge_alarms_of_several_labels_agree_with_enumeration_of_confusions(labels: str) -> None:
    """Each judge's confusion is any table with its own answers; the closed form must know all of them."""
    generator = random.Random(5)
    for _ in range(25):
        size = generator.randrange(1, 6)
        rows = [tuple(generator.choice(labels) for _ in range(2)) for _ in range(size)]
        votes = VoteCounts({row: rows.count(row) for row in set(rows)}, tuple(labels))
        factor = generator.choice([Fraction(2), Fraction(3, 2), Fraction(3)])
        result = find_misalignment(votes, SafetySpecification(factor), group_size=1)
        possible = False
        for key in product(labels, repeat=size):
            questions = {label: key.count(label) for label in labels}
            if all(
                any(
                    all(not n or factor * sum(k == a == label for k, a in zip(key, answers, strict=True)) > n
                        for label, n in questions.items())
                    for answers in orders
                )
                for orders in [arrangements(column) for column in zip(*rows, strict=True)]
            ):  # fmt: skip
                possible = True
                break
        assert result.is_misaligned == (not possible)
        check_witness(result, factor, Fraction(0))


def arrangements(answers):
    from itertools import permutations

    return set(permutations(answers))


def test_the_closed_form_is_the_proof_in_words() -> None:
    result = find_misalignment(VoteCounts({"ab": 9, "ba": 1}), group_size=1)
    assert result.alignment is Alignment.IMPOSSIBLE
    assert result.most_questions == {"a": 1, "b": 1}
    assert str(result) == (
        "ALARM: all judges could be safe on at most 1 of a, 1 of b, 2 questions together, but there are 10"
    )


def test_a_witness_shares_out_what_is_left_over_of_several_labels() -> None:
    votes = VoteCounts({"a": 4, "b": 4, "c": 3, "d": 3}, labels=("a", "b", "c", "d"))
    result = find_misalignment(votes)
    check_witness(result, Fraction(2), Fraction(0))
    at = result.safe_region.witness({"a": 7, "b": 7, "c": 0, "d": 0})
    assert [at.confusion[0][label][label] for label in "abcd"] == [4, 4, 0, 0]


def test_a_verdict_can_be_written_as_json() -> None:
    document = json.loads(find_misalignment(VoteCounts({"aa": 2, "bb": 1})).to_json())
    assert document["misaligned"] is False
    assert {"a": 2, "b": 1} in document["safe_keys"]
    assert document["group_witnesses"][0]["judges"] == ["J1", "J2"]
    single = json.loads(find_misalignment(VoteCounts({"aa": 2, "bb": 1}), group_size=1).to_json())
    assert single["witness"]["key_counts"] == {"a": 2, "b": 1}


def test_a_trace_names_the_group_that_excludes_a_key() -> None:
    votes = VoteCounts({"aab": 4, "bba": 4})
    verdicts = {
        verdict.key_counts["a"]: verdict.excluded_by
        for verdict in find_misalignment(votes, group_size=2).trace()
    }
    assert verdicts[4] == ("J1", "J3")


def test_groups_that_are_too_large_and_empty_tests_are_refused() -> None:
    with pytest.raises(BadVotes, match="groups have 1 to 2 judges here"):
        find_misalignment(VoteCounts({"ab": 1}), group_size=3)
    with pytest.raises(BadVotes, match="groups have"):
        find_misalignment(VoteCounts({"ab": 1}), group_size=0)
    with pytest.raises(EmptyTest):
        find_misalignment(VoteCounts({}, judges=["A"]))
    with pytest.raises(BadVotes, match="two labels only"):
        list(find_misalignment(VoteCounts({"ab": 1}, labels=("a", "b", "c"))).trace())


def test_a_minimum_grade_excludes_all_keys_of_three_labels_where_the_factors_do_not() -> None:
    votes = VoteCounts({"ab": 2, "bc": 2, "ca": 2}, labels=("a", "b", "c"))
    assert not find_misalignment(votes, SafetySpecification(9), group_size=1).is_misaligned
    apart = VoteCounts({"ab": 6, "ba": 1, "cc": 1}, labels=("a", "b", "c"))
    assert not find_misalignment(apart, SafetySpecification(9), group_size=1).is_misaligned
    graded = find_misalignment(apart, SafetySpecification(9, minimum_grade="3/4"), group_size=1)
    assert graded.is_misaligned
    assert graded.words == "each of the 45 possible key counts is excluded by the answers of some judge"


def test_factors_for_labels_that_the_test_does_not_have_are_refused() -> None:
    votes = VoteCounts({"aa": 2, "bb": 1})
    with pytest.raises(BadVotes, match="'c': the test has no such label; factors are given for 'a', 'b'"):
        find_misalignment(votes, SafetySpecification({"a": 2, "b": 2, "c": 2}))
    with pytest.raises(BadVotes, match="has factors for 'a' only"):
        find_misalignment(votes, SafetySpecification({"a": 2}))
