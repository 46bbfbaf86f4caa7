"""Joint safety of any panel against all answer keys, and its certificates against tampering."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import pytest
from gmpy2 import mpq

import ntqr_exact
from ntqr_exact import (
    SafetySpecification,
    VoteCounts,
    check_safety_certificate,
    find_misalignment,
    impossible_groups,
)
from ntqr_exact.alarms import few_judges, proof_checker
from ntqr_exact.alarms.few_judges import Answer
from ntqr_exact.alarms.joint_rows import facet_at
from ntqr_exact.alarms.joint_safety import decide_safety
from ntqr_exact.alarms.misalignment import Alignment
from ntqr_exact.errors import BadVotes, EmptyTest
from tests.alarms.all_keys import LABELS, best_level, compositions, outcomes, safe_counts, votes_of

SPECIFICATIONS = [
    SafetySpecification(2),
    SafetySpecification("3/2"),
    SafetySpecification("7/5", minimum_grade="2/3"),
    SafetySpecification("9/4", minimum_grade="1/2"),
]


def check(votes: VoteCounts, specification: SafetySpecification, size: int) -> bool:
    groups = list(combinations(range(len(votes.judges)), size))
    safe = safe_counts(votes, specification, groups)
    safety = decide_safety(votes, specification, groups)
    assert safety.answer is (Answer.POSSIBLE if safe else Answer.IMPOSSIBLE), (votes, specification, size)
    found = find_misalignment(votes, specification, group_size=size)
    assert (found.alignment.name, found.safe_key) == (safety.answer.name, safety.key_counts)
    assert check_safety_certificate(safety.to_document()) == [], (votes, specification, size)
    if safe:
        assert tuple(safety.key_counts.values()) in safe
        for names, labeled in safety.witnesses.items():
            assert labeled.observed() == votes.marginal(*names)
    return not safe


def canonical(rows, labels: int):
    """One of the votes that are the same up to the order of questions, of judges and of labels."""
    return min(
        tuple(sorted(tuple(names[row[j]] for j in order) for row in rows))
        for order in permutations(range(len(rows[0])))
        for names in permutations(range(labels))
    )


@cache
def all_rows(judges: int, labels: int, size: int):
    """The rows of all votes up to the order of questions, judges and labels: each is one of fewer and a row more."""
    if size == 0:
        return [()]
    patterns = list(product(range(labels), repeat=judges))
    return sorted(
        {canonical((*rows, p), labels) for rows in all_rows(judges, labels, size - 1) for p in patterns}
    )


def all_votes(judges: int, labels: int, size: int):
    """All votes up to the order of judges and labels."""
    for rows in all_rows(judges, labels, size):
        yield votes_of([[LABELS[i] for i in row] for row in rows], labels)


def test_every_vote_is_the_same_as_one_of_those_that_are_looked_at() -> None:
    for size in (1, 2, 3):
        found = {
            canonical(
                [p for p, n in zip(product(range(3), repeat=2), counts, strict=True) for _ in range(n)], 3
            )
            for counts in compositions(size, 9)
        }
        assert sorted(found) == all_rows(2, 3, size)


@pytest.mark.parametrize("size", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_all_pairs_of_three_labels_agree_with_all_keys(size: int) -> None:
    fired = [check(votes, spec, 2) for votes in all_votes(2, 3, size) for spec in SPECIFICATIONS]
    assert any(fired)
    assert not all(fired)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("judges", "labels", "size"), [(3, 3, 3), (3, 3, 4), (3, 3, 5), (4, 2, 4), (4, 2, 5)]
)
def test_all_larger_panels_agree_with_all_keys(judges: int, labels: int, size: int) -> None:
    for number, votes in enumerate(all_votes(judges, labels, size)):
        check(votes, SPECIFICATIONS[number % 4], 2 + number % (judges - 1))


@pytest.mark.parametrize(
    ("judges", "labels", "most"), [(3, 3, 5), (4, 2, 6), (2, 4, 4), (5, 2, 5), (2, 3, 8), (3, 2, 9)]
)
def test_drawn_panels_agree_with_all_keys(judges: int, labels: int, most: int) -> None:
    generator = random.Random(judges + 10 * labels)
    fired = 0
    for _ in range(60):
        rows = []
        for _ in range(generator.randrange(1, most + 1)):
            true = generator.randrange(labels)
            rows.append(
                [LABELS[generator.choice((true, generator.randrange(labels)))] for _ in range(judges)]
            )
        factors = {label: Fraction(generator.randrange(6, 16), 5) for label in LABELS[:labels]}
        grade = generator.choice((0, 0, "1/2", "3/5"))
        for size in range(1, judges + 1):
            fired += check(votes_of(rows, labels), SafetySpecification(factors, minimum_grade=grade), size)
    assert fired


def test_a_pattern_may_help_on_a_label_that_nobody_gave_it() -> None:
    votes = VoteCounts({"ab": 1, "cc": 3}, ("a", "b", "c"))
    found = find_misalignment(votes, group_size="all")
    assert found.alignment is Alignment.POSSIBLE
    assert found.safe_key == {"a": 0, "b": 0, "c": 4}


def test_whole_keys_are_asked_for_where_fractions_of_questions_would_do() -> None:
    """At two questions of a, half of each of four patterns would make all judges right on half of a."""
    votes = VoteCounts({"aab": 1, "aba": 1, "baa": 1, "bbb": 1})
    spec = SafetySpecification(2, minimum_grade="1/2")
    for key in product(range(5), repeat=1):
        ranges = {"a": (key[0], key[0])}
        safety = decide_safety(votes, spec, [(0, 1, 2)], key_counts=ranges)
        expected = any(q[0] == key[0] for q in safe_counts(votes, spec, [(0, 1, 2)]))
        assert (safety.answer is Answer.POSSIBLE) == expected
        assert check_safety_certificate(safety.to_document()) == []


# -- the parts of a proof ----------------------------------------------------------------------------


def test_the_least_of_a_label_is_the_least_over_all_questions() -> None:
    generator = random.Random(5)
    for _ in range(3000):
        t = generator.randrange(1, 12)
        s = t + generator.randrange(1, 20)
        low = generator.randrange(12)
        high = low + generator.randrange(25)
        lowers = [generator.randrange(7) for _ in range(generator.randrange(4))]
        weights = [(generator.randrange(-2, 6), lower, lower + generator.randrange(9)) for lower in lowers]
        price = generator.randrange(-6, 10)

        def least(q: int, s=s, t=t) -> int:
            return t * q // s + 1 if q else 0

        expected = min(
            sum(w * max(least(q), lower) if w > 0 else w * upper for w, lower, upper in weights) - price * q
            for q in range(low, high + 1)
        )
        assert proof_checker._least_needed((s, t), weights, price, low, high) == expected


def test_facets_touch_the_points_and_none_lies_below() -> None:
    generator = random.Random(6)
    for _ in range(600):
        t = generator.randrange(1, 15)
        question = proof_checker.Question((), ((t + generator.randrange(1, 20), t),), 0, 99)
        low = generator.randrange(5)
        high = low + generator.randrange(1, 30)
        q = Fraction(generator.randrange(4 * low, 4 * high + 1), 4)
        u, v, w = facet_at(question, 0, low, high, q)
        over = {x: u * proof_checker.least_right(question, 0, x) - v * x - w for x in range(low, high + 1)}
        touched = [x for x, rest in over.items() if rest == 0]
        assert min(over.values()) == 0
        assert touched[0] <= q <= touched[-1]


# -- certificates ------------------------------------------------------------------------------------


def certificates() -> list[dict]:
    generator = random.Random(12)
    found = []
    while len(found) < 40:
        judges, labels = generator.choice(((2, 2), (3, 2), (2, 3), (3, 3)))
        rows = [
            [generator.choice(LABELS[:labels]) for _ in range(judges)]
            for _ in range(generator.randrange(2, 6))
        ]
        size = generator.randrange(2, judges + 1)
        groups = list(combinations(range(judges), size))
        votes = votes_of(rows, labels)
        spec = generator.choice(SPECIFICATIONS)
        whole = decide_safety(votes, spec, groups)
        ranges = {"a": (0, generator.randrange(votes.size + 1))} if generator.randrange(3) == 0 else None
        safety = decide_safety(votes, spec, groups, key_counts=ranges) if ranges else whole
        found.append(safety.to_document())
    return found


def places(document, path=()):
    """The paths to all texts, numbers, lists and objects of a document."""
    yield path
    listed = list(document.items()) if isinstance(document, dict) else []
    for name, child in enumerate(document) if isinstance(document, list) else listed:
        yield from places(child, (*path, name))


def tampered(document: dict, generator: random.Random):
    """Yield the document with one thing changed, in every way that fits what stands there."""
    for path in list(places(document))[1:]:
        changed = copy.deepcopy(document)
        parent = changed
        for name in path[:-1]:
            parent = parent[name]
        old = parent[path[-1]]
        choices = [None, [], {}, "x", 7]
        if isinstance(old, str) and old.lstrip("-").isdigit():
            choices += [str(int(old) + 1), str(int(old) - 1), str(-int(old)), "0"]
        elif isinstance(old, str):
            choices += ["a", "b", "J1", "J2", "possible", "impossible", "questions 0", "3", "6/5"]
        elif isinstance(old, list):
            choices += [old[:-1], old[::-1], old + old[:1]]
        elif isinstance(old, dict) and "split" in old:
            choices += [{**old, "below": old["above"], "above": old["below"]}, old["below"], old["above"]]
        new = generator.choice([choice for choice in choices if choice != old])
        parent[path[-1]] = new
        yield changed


def claim_is_true(document: dict) -> bool:
    """Whether what a certificate claims is so, whatever it gives as a proof, by enumeration of all keys."""
    votes = VoteCounts({}, document["labels"], document["judges"])
    for pattern, count in document["votes"]:
        votes += VoteCounts({tuple(pattern): count}, document["labels"], document["judges"])
    spec = SafetySpecification(
        {label: document["factor"][label] for label in document["labels"]},
        minimum_grade=document["minimum_grade"],
    )
    safe = safe_counts(votes, spec, document["groups"])
    for label, (low, high) in document["key_counts"].items():
        place = document["labels"].index(label)
        safe = {key for key in safe if int(low) <= key[place] <= int(high)}
    return bool(safe) == (document["verdict"] == "possible")


def test_a_tampered_certificate_is_refused_unless_its_claim_still_is_true() -> None:
    generator = random.Random(3)
    refused = still_true = 0
    for document in certificates():
        assert proof_checker.problems(document) == []
        for changed in tampered(document, generator):
            if proof_checker.problems(changed):
                refused += 1
            else:
                assert claim_is_true(changed), (document, changed)
                still_true += 1
    assert refused > 800
    assert still_true  # weights have room, and some changes change nothing


def test_a_proof_does_not_serve_other_votes_that_have_a_safe_key() -> None:
    proofs = [document for document in certificates() if document["verdict"] == "impossible"]
    tried = 0
    for one, other in product(proofs, proofs):
        if one["labels"] == other["labels"] and len(one["judges"]) == len(other["judges"]):
            grafted = {**one, "votes": other["votes"], "factor": dict.fromkeys(one["labels"], "3")}
            tried += 1
            assert proof_checker.problems(grafted) or claim_is_true(grafted)
    assert tried > 50


def test_weights_of_right_answers_anywhere_are_not_negative() -> None:
    """A negative one would take back what a right answer weighs, and seem to refute a key that there is."""
    document = decide_safety(VoteCounts({"aa": 2, "bb": 2}), SafetySpecification(2), [(0, 1)]).to_document()
    assert document.pop("keys")
    leaf = {"group": 0, "votes": [["1", "1"], ["0", "0"]], "questions": ["0", "0"], "anywhere": ["-1", "0"]}
    found = proof_checker.problems({**document, "verdict": "impossible", "proof": {"leaf": [leaf]}})
    assert found == [
        "malformed: ValueError: a leaf has a weight for each judge and label, none negative for answers anywhere"
    ]


def test_the_parts_of_a_split_cover_what_was_split() -> None:
    question = decide_safety(
        VoteCounts({"aab": 3, "bba": 2, "bbb": 2}), SafetySpecification(2), [(0, 1, 2)]
    ).decision.question
    whole = {"questions 0": (0, 7), "questions 1": (0, 7)}
    for name, values in (("questions 0", range(8)), ("right 0 1 0", range(4)), ("split 0 2 1", range(3))):
        for at in (-1, 0, 1, 2, 7):
            parts = [part for part in proof_checker.parts_of(question, whole, name, at) if part is not None]
            covered = [value for part in parts for value in values if part[name][0] <= value <= part[name][1]]
            assert sorted(covered) == list(values)


@pytest.mark.parametrize("tried", [2, 3, 4])
def test_key_counts_that_were_not_tried_are_not_said_to_be_unsafe(
    tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, answers = random.Random(tried), set()
    for _ in range(300):
        rows = tuple((pair, rng.randint(1, 4)) for pair in product((0, 1), repeat=2) if rng.random() < 0.7)
        factors = ((rng.randint(3, 9), 2), (rng.randint(3, 9), 2))
        question = proof_checker.Question((rows,), factors, 0, sum(count for _, count in rows))
        if rows:
            exact = few_judges.safe_counts(question)[0]
            with monkeypatch.context() as patch:
                patch.setattr(few_judges, "_MOST_TRIED", tried)
                quick = few_judges.safe_counts(question)[0]
            assert quick in (exact, Answer.UNDECIDED)
            answers.add((exact, quick))
    assert (Answer.POSSIBLE, Answer.UNDECIDED) in answers


def test_parts_of_a_pattern_that_contradict_its_count_leave_no_key() -> None:
    question = proof_checker.Question(((((0, 1), 2), ((1, 0), 3)),), ((2, 1), (2, 1)), 0, 5)
    nothing = {"group": 0, "votes": [["0", "0"]] * 2, "questions": ["0", "0"], "anywhere": ["0", "0"]}
    whole = {"questions 0": (0, 5), "questions 1": (0, 5)}
    for first, second in product(range(3), repeat=2):
        bounds = {**whole, "split 0 0 0": (first, first), "split 0 0 1": (second, second)}
        assert proof_checker.proves(question, bounds, {"leaf": [nothing]}) is (first + second != 2)


def test_keys_of_different_groups_have_the_same_key_counts() -> None:
    votes = VoteCounts({"aab": 2, "bba": 2, "aaa": 2, "bbb": 2})
    spec, groups = SafetySpecification(3), [(0, 1), (0, 2)]
    one, other = (
        decide_safety(votes, spec, groups, key_counts={"a": (count, count)}).to_document() for count in (4, 5)
    )
    mixed = {**one, "key_counts": {}, "keys": [one["keys"][0], other["keys"][1]]}
    assert proof_checker.problems({**one, "key_counts": {}}) == []
    assert proof_checker.problems(mixed)


def test_the_checker_runs_alone(tmp_path) -> None:
    safety = find_misalignment(VoteCounts({"ab": 1, "ba": 1})).safety
    (tmp_path / "good.json").write_text(safety.to_json(), encoding="utf-8")
    wrong = {**safety.to_document(), "factor": {"a": "3", "b": "3"}}
    (tmp_path / "wrong.json").write_text(json.dumps(wrong), encoding="utf-8")
    path = proof_checker.__file__
    runs = [
        subprocess.run(
            [sys.executable, "-I", path, str(tmp_path / name)], capture_output=True, text=True, check=False
        )
        for name in ("good.json", "wrong.json")
    ]
    assert [run.returncode for run in runs] == [0, 1]
    assert "impossible, proven" in runs[0].stdout
    assert "leaves open" in runs[1].stdout


# -- levels, groups, ends ----------------------------------------------------------------------------


@pytest.mark.parametrize(("judges", "labels", "most"), [(2, 2, 7), (3, 2, 6), (2, 3, 5), (3, 3, 4)])
def test_the_best_level_is_the_best_of_all_keys(judges: int, labels: int, most: int) -> None:
    generator = random.Random(judges + labels)
    for _ in range(25):
        size = generator.randrange(1, most + 1)
        rows = [[generator.choice(LABELS[:labels]) for _ in range(judges)] for _ in range(size)]
        votes = votes_of(rows, labels)
        level = ntqr_exact.best_level(votes)
        assert level.is_exact
        assert level.attained == best_level(votes)
        if level.proof is not None:
            assert check_safety_certificate(level.proof.to_document()) == []
        if level.attained:
            assert find_misalignment(votes, SafetySpecification(level.factor + 1), group_size="all").safe_key
        if level.attained not in (0, 1):
            assert find_misalignment(votes, SafetySpecification(level.factor), group_size="all").is_misaligned


def drawn_panel() -> VoteCounts:
    generator = random.Random(8)
    return votes_of([[generator.choice("abc") for _ in range(4)] for _ in range(60)], 3)


@pytest.fixture(scope="module")
def whole() -> Any:
    return ntqr_exact.best_level(drawn_panel())


@pytest.mark.parametrize("effort", [0, 3, 12])
def test_a_level_that_is_not_found_lies_between_a_witness_and_a_proof(effort: int, whole: Any) -> None:
    level = ntqr_exact.best_level(drawn_panel(), effort=effort)
    assert whole.is_exact
    assert not level.is_exact
    assert level.attained <= whole.attained <= level.proven
    assert check_safety_certificate(level.witness.to_document()) == []
    if level.proof is not None:
        assert check_safety_certificate(level.proof.to_document()) == []
        assert level.proof.specification.factor == 1 / level.proven
    assert "what lies between is undecided" in str(level)


def test_a_proof_serves_another_factor_only_where_it_holds() -> None:
    votes = VoteCounts({"abc": 3, "bca": 3, "cab": 3, "aaa": 2}, ("a", "b", "c"))
    proof = decide_safety(votes, SafetySpecification("5/4"), [(0, 1, 2)])
    for factor in (Fraction(n, 20) for n in range(21, 80, 7)):
        found = proof.for_factor(mpq(factor))
        impossible = not safe_counts(votes, SafetySpecification(factor), [(0, 1, 2)])
        assert found is None or impossible
        assert found is None or check_safety_certificate(found.to_document()) == []
        if factor <= Fraction(5, 4):
            assert found is not None


def test_a_level_with_questions_of_every_label_is_no_better() -> None:
    votes = VoteCounts({"aa": 5, "ab": 1})
    everywhere, anywhere = ntqr_exact.best_level(votes, every_label=True), ntqr_exact.best_level(votes)
    assert (everywhere.attained, anywhere.attained) == (0, Fraction(5, 6))
    assert everywhere.factor is None
    with pytest.raises(EmptyTest):
        ntqr_exact.best_level(VoteCounts({}, judges=["A"]))
    with pytest.raises(BadVotes, match="need as many questions"):
        ntqr_exact.best_level(VoteCounts({"ab": 1}), every_label=True)


def test_the_smallest_impossible_groups_are_those_of_all_keys() -> None:
    generator = random.Random(9)
    drawn = [(["bbb", "bbb", "aab", "aba", "baa"], 2)]  # a trio whose pairs could be safe
    for _ in range(30):
        judges, labels = generator.choice(((3, 2), (4, 2), (3, 3)))
        size = generator.randrange(2, 5)
        drawn.append(
            ([[generator.choice(LABELS[:labels]) for _ in range(judges)] for _ in range(size)], labels)
        )
    sizes = set()
    for number, (rows, labels) in enumerate(drawn):
        votes, spec = votes_of(rows, labels), SPECIFICATIONS[1 - number % 2]
        judges = len(votes.judges)
        impossible = [
            set(group)
            for size in range(1, judges + 1)
            for group in combinations(votes.judges, size)
            if not safe_counts(votes, spec, [group])
        ]
        smallest = [group for group in impossible if not any(other < group for other in impossible)]
        found = impossible_groups(votes, spec)
        assert found.complete
        assert sorted(map(sorted, smallest)) == sorted(map(sorted, found.groups))
        assert not any(check_safety_certificate(proof.to_document()) for proof in found.proofs)
        sizes |= {len(group) for group in smallest}
    assert {2, 3} <= sizes


def test_the_ends_of_a_region_are_those_of_all_keys_with_witness_and_proof() -> None:
    generator = random.Random(13)
    empty = 0
    for _ in range(40):
        judges, labels = generator.choice(((2, 2), (3, 2), (2, 3)))
        rows = [
            [generator.choice(LABELS[:labels]) for _ in range(judges)]
            for _ in range(generator.randrange(2, 7))
        ]
        votes, spec = votes_of(rows, labels), generator.choice(SPECIFICATIONS)
        region = find_misalignment(votes, spec, group_size=2).safe_region
        safe = safe_counts(votes, spec, combinations(range(judges), 2))
        assert {tuple(point.values()) for point in region} == safe
        for place, label in enumerate(votes.labels):
            ends = region.ends(label)
            if ends is None:
                assert not safe
                empty += 1
                continue
            counts = {key[place] for key in safe}
            assert (
                [end.attained for end in ends] == [end.proven for end in ends] == [min(counts), max(counts)]
            )
            for end in ends:
                assert end.witness.key_counts[label] == end.attained
                if end.proof is not None:
                    assert check_safety_certificate(end.proof.to_document()) == []
    assert empty


# -- size --------------------------------------------------------------------------------------------


def test_the_number_of_questions_does_not_matter() -> None:
    many = 10**12
    patterns = list(product("ab", repeat=3))
    shares = [6, 1, 1, 1, 1, 1, 1, 4]
    votes = VoteCounts({pattern: share * many for pattern, share in zip(patterns, shares, strict=True)})
    for factor, alarm in (("3/2", False), ("21/20", True)):
        found = find_misalignment(votes, SafetySpecification(factor))
        assert found.is_misaligned is alarm
        assert check_safety_certificate(found.safety.to_document()) == []
    ends = find_misalignment(votes).safe_region.ends("a")
    assert all(end.attained == end.proven for end in ends)


def test_an_effort_that_does_not_suffice_is_an_answer_of_its_own() -> None:
    votes = VoteCounts({"ab": 3, "ba": 3, "aa": 2, "bb": 2, "cc": 1}, ("a", "b", "c"))
    found = find_misalignment(votes, SafetySpecification("5/4"), effort=0)
    assert found.alignment is Alignment.UNDECIDED
    assert not found.is_misaligned
    assert found.safe_key is None
    assert str(found) == (
        "undecided: neither a safe key nor a proof was found in 0 linear programs; the limit is 0, and a greater "
        "effort raises it"
    )
    assert check_safety_certificate(found.safety.to_document()) == ["unknown verdict 'undecided'"]


def test_proofs_are_mostly_one_leaf() -> None:
    generator = random.Random(2)
    numbers = []
    for _ in range(40):
        rows = [[generator.choice("abc") for _ in range(3)] for _ in range(30)]
        safety = find_misalignment(votes_of(rows, 3), SafetySpecification("3/2"), group_size="all").safety
        if safety.decision.proof is not None:
            numbers.append(str(safety.decision.proof).count("'leaf'"))
    assert len(numbers) > 20
    assert sorted(numbers)[len(numbers) // 2] == 1


def test_outcomes_are_those_of_all_keys() -> None:
    """The oracle itself, against keys written out question by question."""
    rows = [("a", "b"), ("a", "a"), ("b", "b"), ("a", "b")]
    expected = set()
    for key in product("ab", repeat=4):
        right = tuple(
            tuple(sum(k == r[j] == label for k, r in zip(key, rows, strict=True)) for label in "ab")
            for j in (0, 1)
        )
        expected.add((tuple(key.count(label) for label in "ab"), right))
    assert outcomes(votes_of(rows, 2)) == expected
