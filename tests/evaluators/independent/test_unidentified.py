"""Judges that are not identified: a key, a proof that there is none, or undecided, against all answer keys."""

from __future__ import annotations

import json
import pickle
import random
from itertools import permutations, product

import pytest
from gmpy2 import mpq

from ntqr_exact import ConsistentSet, VoteCounts
from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.errors import BadNumber, Undecided
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import Identification, KeyExistence
from ntqr_exact.evaluators.independent.product_tables import difference, is_product, table_of


def some_key_is_independent(votes: VoteCounts) -> bool:
    """By the definition, over all answer keys."""
    return any(
        all(is_product(table_of(part)) for part in key.by_label.values()) for key in ConsistentSet(votes)
    )


def check_against_all_keys(votes: VoteCounts) -> bool:
    solution = solve_independent(votes)
    expected = some_key_is_independent(votes)
    assert (solution.alarms == ()) == expected == bool(solution.keys)
    assert solution.existence is (KeyExistence.EXISTS if expected else KeyExistence.NONE)
    for key in solution.keys:
        assert key.observed() == votes
        assert all(is_product(table_of(part)) for part in key.by_label.values())
    return expected


def large_votes(seed: int, answers: str, size: int, *, labels: str = "abc", judges: int = 3) -> VoteCounts:
    generator = random.Random(seed)
    rows = [tuple(generator.choice(answers) for _ in range(judges)) for _ in range(size)]
    return VoteCounts({row: rows.count(row) for row in rows}, tuple(labels))


def renamed(rows, judges, names) -> tuple[tuple[str, ...], ...]:
    """The same votes with the judges in another order, and the answers of each of them renamed."""
    return tuple(
        sorted(tuple(name[row[judge]] for judge, name in zip(judges, names, strict=True)) for row in rows)
    )


def votes_up_to_names(labels: str, judges: int, size: int) -> set[tuple[tuple[str, ...], ...]]:
    """All votes, one of each class that renaming leaves: independence does not depend on names."""
    names = [dict(zip(labels, order, strict=True)) for order in permutations(labels)]
    patterns = list(product(labels, repeat=judges))
    ways = [
        {row: renamed([row], order, chosen)[0] for row in patterns}
        for order in permutations(range(judges))
        for chosen in product(names, repeat=judges)
    ]
    found: set[tuple[tuple[str, ...], ...]] = {()}
    for _ in range(size):
        larger = {tuple(sorted((*rows, row))) for rows in found for row in patterns}
        found = {min(tuple(sorted(way[row] for row in rows)) for way in ways) for rows in larger}
    return found


@pytest.mark.parametrize(
    ("labels", "judges", "size", "both"),
    [
        ("ab", 4, 2, False),
        ("ab", 4, 3, True),
        pytest.param("ab", 4, 5, True, marks=pytest.mark.slow),
        ("abc", 3, 3, False),
        pytest.param("abc", 3, 4, True, marks=pytest.mark.slow),
    ],
)
def test_all_votes_of_a_small_test_agree_with_all_keys(
    labels: str, judges: int, size: int, both: bool
) -> None:
    generator = random.Random(size)
    found = set()
    for rows in sorted(votes_up_to_names(labels, judges, size)):
        expected = check_against_all_keys(VoteCounts({row: rows.count(row) for row in rows}, tuple(labels)))
        names = [dict(zip(labels, generator.sample(labels, len(labels)), strict=True)) for _ in range(judges)]
        other = renamed(rows, generator.sample(range(judges), judges), names)
        votes = VoteCounts({row: other.count(row) for row in other}, tuple(labels))
        assert (solve_independent(votes).existence is KeyExistence.EXISTS) == expected
        found.add(expected)
    assert found == ({True, False} if both else {True})


@pytest.mark.parametrize(
    ("labels", "judges", "most"),
    [
        ("ab", 4, 7),
        pytest.param("ab", 4, 9, marks=pytest.mark.slow),
        pytest.param("ab", 5, 8, marks=pytest.mark.slow),
        ("abc", 3, 6),
        pytest.param("abc", 3, 8, marks=pytest.mark.slow),
        pytest.param("abc", 4, 6, marks=pytest.mark.slow),
        ("abcd", 3, 6),
    ],
)
def test_random_votes_agree_with_all_keys(labels: str, judges: int, most: int) -> None:
    generator = random.Random(29)
    found, open_before = set(), 0
    for _ in range(60):
        answers = labels if len(labels) == 2 else labels[: generator.choice([2, len(labels)])]
        rows = [
            tuple(generator.choice(answers) for _ in range(judges))
            for _ in range(generator.randrange(1, most))
        ]
        votes = VoteCounts({row: rows.count(row) for row in rows}, tuple(labels))
        found.add(check_against_all_keys(votes))
        open_before += solve_independent(votes).identification is Identification.FAMILY
    assert open_before > 10
    assert found == ({True, False} if labels != "abcd" else {True})


def has_parts(table, parts: int) -> bool:
    """Whether a table is a sum of so many product tables, by trying every part of it."""
    if parts == 1 or is_product(table):
        return is_product(table)
    for counts in product(*(range(count + 1) for count in table.values())):
        part = {pattern: count for pattern, count in zip(table, counts, strict=True) if count}
        left = difference(table, part)
        if part and is_product(part) and left is not None and has_parts(left, parts - 1):
            return True
    return False


@pytest.mark.slow
def test_votes_of_more_questions_agree_with_trying_every_part() -> None:
    generator = random.Random(31)
    found = set()
    for _ in range(10):
        patterns = generator.sample(list(product("abc", repeat=3)), 7)
        votes = VoteCounts({pattern: generator.randrange(1, 4) for pattern in patterns}, ("a", "b", "c"))
        expected = has_parts(table_of(votes), 3)
        assert (solve_independent(votes).existence is KeyExistence.EXISTS) == expected
        found.add(expected)
    assert found == {True, False}


def test_a_blind_judge_beside_a_pair_leaves_a_key_whatever_the_size() -> None:
    pair = {"aa": 30, "ab": 12, "ba": 6, "bb": 9}
    blind = {"aa": 1, "ab": 2, "ba": 2, "bb": 4}
    scale = 10**12
    votes = VoteCounts({p + q: m * n * scale for p, m in pair.items() for q, n in blind.items()})
    solution = solve_independent(votes)
    assert solution.identification is Identification.FAMILY
    assert solution.alarms == ()
    assert solution.keys[0].confusion(0)["a"]["b"] == solution.keys[0].confusion(0)["b"]["a"] == 0
    assert solution.keys[1].by_label["a"] == solution.keys[0].by_label["b"]
    moved = dict(votes.counts) | {("a",) * 4: votes.counts["aaaa"] + 1, ("b",) * 4: votes.counts["bbbb"] + 1}
    moved[tuple("aabb")] -= 1
    moved[tuple("bbaa")] -= 1
    assert solve_independent(VoteCounts(moved)).alarms


def test_votes_that_are_no_product_although_all_pair_moments_vanish_are_refused_with_the_count() -> None:
    votes = VoteCounts({p: 1 for p in product("ab", repeat=4) if p.count("b") % 2 == 0})
    singular, deviation = solve_independent(votes).alarms
    assert singular.kind is AlarmKind.SINGULAR
    assert "highest rank 1, where 2 is regular" in singular.words
    assert deviation.kind is AlarmKind.NOT_REPRODUCED
    assert (deviation.proof["seen"], deviation.proof["expected"]) == (1, mpq(1, 2))


def test_two_correlated_pairs_contradict_independence_where_nothing_else_is_correlated() -> None:
    pair = {"aa": 2, "ab": 1, "ba": 1, "bb": 2}
    votes = VoteCounts({p + q: m * n for p, m in pair.items() for q, n in pair.items()})
    unidentified, contradiction = solve_independent(votes).alarms
    assert unidentified.kind is AlarmKind.UNIDENTIFIED
    assert contradiction.kind is AlarmKind.CONTRADICTION
    assert contradiction.words.startswith("Δ of J1 and J2 is 1/12 and Δ of J3 and J4 is 1/12")
    assert contradiction.words.endswith("but Δ of J1 and J3 is 0")


def test_a_rank_above_the_number_of_labels_proves_that_there_is_no_key() -> None:
    votes = VoteCounts({"aaaa": 2, "abab": 1, "baba": 1, "bbbb": 2, "aabb": 1, "abbb": 1}, ("a", "b", "c"))
    singular, high = solve_independent(votes).alarms
    assert singular.kind is AlarmKind.SINGULAR
    assert high.kind is AlarmKind.RANK_TOO_HIGH
    assert high.proof["rank"] == 4
    assert not some_key_is_independent(votes)


def test_a_complete_search_that_finds_nothing_raises_singular_and_says_how_many_steps_it_took() -> None:
    singular, searched = solve_independent(large_votes(3, "ab", 100)).alarms
    assert singular.kind is AlarmKind.SINGULAR
    assert "highest rank 2, where 3 is regular" in singular.words
    assert searched.kind is AlarmKind.NO_KEY_IN_FAMILY
    assert str(searched.proof["steps"]) in searched.words


def test_singular_tables_of_27_different_patterns_have_the_key_of_one_label() -> None:
    votes = VoteCounts(dict.fromkeys(product("abc", repeat=3), 1), ("a", "b", "c"))
    solution = solve_independent(votes)
    assert solution.alarms == ()
    assert "highest rank 1" in solution.notes[0]
    assert sorted(solution.keys[0].key_counts.values()) == [0, 0, 27]


def test_a_key_in_three_parts_with_dependent_rates_is_found() -> None:
    # On c every judge is halfway between a and b: every pair table has rank 2, and two parts are not enough.
    parts = {"a": "aab", "b": "bcc", "c": "aabbcc"}
    counts: dict[tuple[str, ...], int] = {}
    for answers in parts.values():
        for row in product(answers, repeat=3):
            counts[row] = counts.get(row, 0) + 1
    solution = solve_independent(VoteCounts(counts, ("a", "b", "c")))
    assert solution.alarms == ()
    assert solution.notes
    assert all(is_product(table_of(part)) for part in solution.keys[0].by_label.values())
    assert min(solution.keys[0].key_counts.values()) > 0


def test_relabelings_give_every_naming_of_the_parts_and_the_first_has_the_most_right_answers() -> None:
    votes = VoteCounts({"aaa": 3, "abb": 2, "bbb": 2, "aab": 1}, ("a", "b", "c"))
    keys = solve_independent(votes, relabelings=True).keys

    def right(key):
        return sum(key.confusion(judge)[label][label] for judge in range(3) for label in "abc")

    assert len(keys) == len(set(keys)) == len(list(permutations("abc")))
    assert [right(key) for key in keys] == sorted(map(right, keys), reverse=True)
    assert solve_independent(votes).keys == keys[:1]


# -- undecided -----------------------------------------------------------------------------------------


def test_a_search_that_ends_at_its_budget_is_undecided_and_says_what_to_do() -> None:
    votes = large_votes(3, "ab", 100)
    solution = solve_independent(votes, effort=50)
    assert solution.existence is KeyExistence.UNDECIDED
    with pytest.raises(Undecided, match=r"undecided after 50 steps; .*effort="):
        solution.alarms  # noqa: B018
    assert [finding.kind for finding in solution.findings] == [AlarmKind.SINGULAR]
    assert "UNDECIDED: whether there is an answer key" in str(solution)
    assert "Known: singular: " in str(solution)
    assert "ALARM" not in str(solution)
    assert "No alarm" not in str(solution)
    document = json.loads(solution.to_json())
    assert document["independent_key"] == "undecided"
    assert document["alarms"] is None
    assert document["undecided_at"] == 50
    assert [finding["kind"] for finding in document["findings"]] == ["singular"]


def test_more_effort_decides_what_little_effort_could_not() -> None:
    votes = large_votes(3, "ab", 100)
    assert solve_independent(votes, effort=50).existence is KeyExistence.UNDECIDED
    (needed,) = [alarm.proof["steps"] for alarm in solve_independent(votes).alarms if "steps" in alarm.proof]
    assert solve_independent(votes, effort=needed).existence is KeyExistence.NONE
    assert solve_independent(votes, effort=needed - 1).existence is KeyExistence.UNDECIDED


def test_the_document_of_a_decided_solution_says_so() -> None:
    document = json.loads(solve_independent(VoteCounts({"aaaa": 5})).to_json())
    assert (document["independent_key"], document["alarms"]) == ("exists", [])
    assert "findings" not in document
    document = json.loads(solve_independent(VoteCounts({"aab": 1, "aba": 1, "baa": 1})).to_json())
    assert document["independent_key"] == "none"
    assert document["alarms"]


@pytest.mark.parametrize("effort", [0, -1, "1/2"])
def test_an_effort_is_a_number_of_steps(effort) -> None:
    with pytest.raises(BadNumber):
        solve_independent(VoteCounts({"aaaa": 5}), effort=effort)


def test_solutions_are_values_that_can_be_hashed_and_pickled() -> None:
    for votes in (
        VoteCounts({"aaa": 3, "aab": 1, "bbb": 2}),
        VoteCounts({"aaaa": 5}),
        large_votes(3, "ab", 60),
    ):
        solution, again = solve_independent(votes, effort=60), solve_independent(votes, effort=60)
        assert hash(solution) == hash(again)
        assert solution == again == pickle.loads(pickle.dumps(solution))


def test_the_words_of_every_alarm_carry_a_number_that_proves_it() -> None:
    generator = random.Random(5)
    kinds = set()
    for _ in range(400):
        labels, judges = generator.choice([("ab", 3), ("ab", 4), ("abc", 3)])
        rows = [
            tuple(generator.choice(labels) for _ in range(judges)) for _ in range(generator.randrange(2, 12))
        ]
        votes = VoteCounts({row: rows.count(row) for row in rows}, tuple(labels))
        for alarm in solve_independent(votes).alarms:
            kinds.add(alarm.kind)
            values = [value for name, value in alarm.proof.items() if name not in {"pattern", "label"}]
            assert any(str(value) in alarm.words and any(map(str.isdigit, str(value))) for value in values), (
                alarm
            )
    assert len(kinds) >= 10
