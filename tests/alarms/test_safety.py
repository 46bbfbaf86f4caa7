"""Safety against every answer key of small votes; certificates, whole and tampered; regions, levels and groups."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from ntqr_exact import (
    SafeRegion,
    SafetySpecification,
    VoteCounts,
    best_level,
    check_failing_certificate,
    check_safety_certificate,
    find_misalignment,
    impossible_groups,
)
from ntqr_exact.alarms.simplex import Program, solve
from ntqr_exact.answer import Answer
from ntqr_exact.errors import (
    BadChoice,
    BadKeyCounts,
    BadNumber,
    BadVotes,
    EmptyTest,
    NotVotes,
    Undecided,
)
from tests.alarms import every_key

FACTORS = ("2", "3/2", "5/4", "3", "7/2")
SHAPES = ((2, 2, 5), (3, 2, 5), (4, 2, 5), (2, 3, 4), (3, 3, 4), (4, 3, 4))
"""(judges, labels, questions)"""


def drawn_case(seed: int) -> tuple[VoteCounts, SafetySpecification]:
    draw = random.Random(seed)
    judges, labels, questions = SHAPES[seed % len(SHAPES)]
    votes = every_key.drawn_votes(
        draw, judges=judges, labels=labels, questions=questions, gaps=bool(seed // 6 % 2)
    )
    by_judge = {"J1": draw.choice(FACTORS)} if draw.random() < 0.3 else {}
    factor = draw.choice(FACTORS)
    if draw.random() < 0.3:
        factor = {label: draw.choice(FACTORS) for label in votes.labels}
    grade = draw.choice(("0", "0", "1/2", "2/3"))
    return votes, SafetySpecification(factor, minimum_grade=grade, by_judge=by_judge)


@pytest.mark.parametrize("start", range(0, 240, 40))
def test_verdicts_are_those_of_all_keys_and_their_certificates_hold(start: int) -> None:
    answers = Counter()
    for seed in range(start, start + 40):
        votes, specification = drawn_case(seed)
        found = find_misalignment(votes, specification)
        expected = any(every_key.is_safe(key, votes, specification) for key in every_key.keys(votes))
        assert found.answer is (Answer.YES if expected else Answer.NO), (votes, specification)
        assert check_safety_certificate(json.loads(found.to_json())) == []
        assert (found.witness is None) == found.is_misaligned
        if found.witness is not None:
            assert found.witness.observed() == votes
        answers[found.answer] += 1
    assert len(answers) == 2


def test_ranges_of_key_counts_are_those_of_all_keys() -> None:
    for seed in range(60):
        votes, specification = drawn_case(seed)
        safe = {
            every_key.key_counts(key, votes)
            for key in every_key.keys(votes)
            if every_key.is_safe(key, votes, specification)
        }
        region = SafeRegion(votes, specification)
        assert [tuple(point.values()) for point in region] == sorted(safe)
        assert region.count() == len(safe)
        assert region.is_empty() == (not safe)


def test_best_levels_are_those_of_all_keys_and_no_grade_is_beyond_all_keys() -> None:
    refused = 0
    for seed in range(90):
        votes, specification = drawn_case(seed)
        grade = specification.minimum_grade
        levels = [
            every_key.level(key, votes)
            for key in every_key.keys(votes)
            if all(
                sum(pattern[j] == truth for pattern, truth in key)
                >= Fraction(grade) * sum(pattern[j] is not None for pattern, _ in key)
                for j in range(len(votes.judges))
            )
        ]
        if not levels:
            refused += 1
            with pytest.raises(BadVotes):
                best_level(votes, minimum_grade=grade)
            continue
        found = best_level(votes, minimum_grade=grade)
        assert found.is_exact
        assert Fraction(found.attained) == max(levels)
        assert found.witness.observed() == votes
        assert found.proof is None or check_safety_certificate(found.proof.to_document()) == []
    assert refused


def test_impossible_groups_are_the_smallest_ones() -> None:
    for seed in range(0, 60, 2):
        votes, specification = drawn_case(seed)
        found = impossible_groups(votes, specification)
        assert found.complete
        every = range(len(votes.judges))
        bad = [
            set(group)
            for size in range(1, len(votes.judges) + 1)
            for group in combinations(every, size)
            if find_misalignment(votes.marginal(group), _only(specification, votes, group)).is_misaligned
        ]
        smallest = [group for group in bad if not any(other < group for other in bad)]
        assert [{votes.judges.index(name) for name in names} for names in found.groups] == smallest


def test_a_judge_without_answers_is_in_no_impossible_group() -> None:
    votes = VoteCounts({(None, "a", "b"): 1, (None, "b", "a"): 1})
    assert impossible_groups(votes).groups == (("J2", "J3"),)


def _only(specification: SafetySpecification, votes: VoteCounts, group) -> SafetySpecification:
    names = [votes.judges[j] for j in group]
    by_judge = {judge: factor for judge, factor in specification.by_judge.items() if judge in names}
    return SafetySpecification(
        specification.factor, minimum_grade=specification.minimum_grade, by_judge=by_judge
    )


# -- certificates -----------------------------------------------------------------------------------------


def certificates() -> list[dict]:
    found = [find_misalignment(*drawn_case(seed)).to_document() for seed in range(120)]
    return [document for document in found if document["answer"] == "no"]


def test_tampered_certificates_are_refused() -> None:
    draw, refused = random.Random(5), 0
    for document in certificates():
        changed = copy.deepcopy(document)
        leaf = draw.choice(changed["leaves"])
        if len(changed["leaves"]) > 1 and draw.random() < 0.4:
            changed["leaves"].remove(leaf)
        elif leaf["where"] and draw.random() < 0.5:
            leaf["where"].pop(draw.randrange(len(leaf["where"])))
        elif leaf["rows"]:
            draw.choice(leaf["rows"])[-1] = str(draw.randint(-5, 50))
        if changed == document or not check_safety_certificate(changed):
            continue
        refused += 1
    assert refused > 40


def test_a_certificate_proves_nothing_about_votes_that_could_be_safe() -> None:
    empty = (
        ["pattern", 0, 0, -5, -1],
        ["pattern", 0, 0, 1, 0],
        ["judge", 0, 0, 2, 3],
        ["judge", 0, 0, -1, -1],
    )
    for document in certificates():
        safe = document | {"votes": [[["a"] * len(document["judges"]), "3"]]}
        assert check_safety_certificate(safe)
        for where in empty:  # a case that no key is in refutes nothing
            leaf = {"where": [where], "rows": []}
            assert check_safety_certificate(safe | {"leaves": [leaf]})


@pytest.mark.parametrize("document", [None, [], {}, "no", {"format": 3, "answer": "no", "leaves": []}])
def test_anything_but_a_certificate_has_problems(document: object) -> None:
    assert check_safety_certificate(document)
    assert check_failing_certificate(document)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("answer", "undecided"),
        ("answer", "yes"),
        ("leaves", []),
        ("leaves", [{"where": [], "rows": []}]),
        ("votes", []),
        ("votes", [[["a", "b"], "-1"]]),
        ("votes", [[["a", "c"], "1"]]),
        ("votes", [[["a"], "1"]]),
        ("factor", {}),
        ("factor", {"J1": {"a": "1", "b": "1"}, "J2": {"a": "1", "b": "1"}}),
        ("minimum_grade", "2"),
        ("labels", ["a", "a"]),
        ("key_counts", {"c": ["0", "1"]}),
        ("key_counts", {"a": ["0", "1", "1"]}),
    ],
)
def test_a_field_that_does_not_fit_has_problems(field: str, value: object) -> None:
    document = find_misalignment(VoteCounts({"ab": 1, "ba": 1})).to_document()
    assert check_safety_certificate(document) == []
    assert check_safety_certificate(document | {field: value})


# -- budgets, real sizes, mistakes --------------------------------------------------------------------------


def test_a_small_budget_is_undecided_and_says_so() -> None:
    draw = random.Random(8)
    votes = VoteCounts(
        Counter(tuple(draw.choice("abc") for _ in range(8)) for _ in range(200)), ("a", "b", "c")
    )
    found = find_misalignment(votes, budget=3000)
    assert found.answer is Answer.UNDECIDED
    assert str(found).startswith("undecided")
    with pytest.raises(Undecided):
        SafeRegion(votes, budget=3000).is_empty()
    assert not impossible_groups(votes, SafetySpecification("3/2"), budget=0).complete


def test_many_judges_are_refuted_by_a_few_of_them() -> None:
    draw = random.Random(3)
    rows = [tuple(draw.choice("ab") for _ in range(60)) for _ in range(150)]
    found = find_misalignment(VoteCounts(Counter(rows)), SafetySpecification("3/2"))
    assert found.is_misaligned
    assert len(found.conflicting) < 10
    assert check_safety_certificate(found.to_document()) == []


def test_the_simplex_finds_a_key_or_a_refutation() -> None:
    draw, answers = random.Random(4), Counter()
    for _ in range(300):
        counts = [draw.randint(1, 4) for _ in range(draw.randint(1, 5))]
        rows, labels = range(draw.randint(1, 5)), range(draw.randint(2, 3))
        least = [draw.randint(-2, 4) for _ in rows]
        program = Program(counts, [labels for _ in counts])
        for b in least:
            cells = [(p, a, draw.randint(-3, 3)) for p in range(len(counts)) for a in labels]
            program.add(b, draw.randint(0, 2), cells)
        columns = program.columns
        key, multipliers = solve(program, lambda _: None)
        answers[key is None] += 1
        if key is None:
            worth = [[sum(multipliers[k] * c for k, c in row[a]) for a in labels] for row in columns]
            most = sum(n * max(row) for n, row in zip(counts, worth, strict=True))
            assert min(multipliers) >= 0
            assert most < sum(x * b for x, b in zip(multipliers, least, strict=True))
            continue
        assert [sum(split.values()) for split in key] == counts
        assert min(min(split.values()) for split in key) >= 0
        for k, b in enumerate(least):
            cells = zip(columns, key, strict=True)
            assert sum(dict(row[a])[k] * split[a] for row, split in cells for a in labels) >= b
    assert len(answers) == 2


def test_the_simplex_finds_the_key_with_the_most_room() -> None:
    program = Program([4, 2], [(0, 1), (0, 1)])
    program.add(0, 1, [(0, 0, 1), (1, 0, -1)])
    program.add(0, 2, [(0, 1, 1)])
    key, _ = solve(program, lambda _: None)
    assert key == [{0: Fraction(4, 3), 1: Fraction(8, 3)}, {0: 0, 1: 2}]


VOTES = VoteCounts({"ab": 1, "ba": 1})


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: SafetySpecification(1), BadNumber),
        (lambda: SafetySpecification("0.5"), BadNumber),
        (lambda: SafetySpecification(minimum_grade=2), BadNumber),
        (lambda: SafetySpecification(by_judge={"J1": 1}), BadNumber),
        (lambda: find_misalignment(VOTES, SafetySpecification({})), BadVotes),
        (lambda: find_misalignment(VOTES, SafetySpecification({"a": 2})), BadVotes),
        (lambda: find_misalignment(VOTES, SafetySpecification({"a": 2, "b": 2, "c": 2})), BadVotes),
        (lambda: find_misalignment(VOTES, SafetySpecification(by_judge={"gpt": 2})), BadVotes),
        (lambda: find_misalignment(VOTES, 2), NotVotes),
        (lambda: find_misalignment({"ab": 1}), NotVotes),
        (lambda: find_misalignment(VoteCounts({}, judges=["A"])), EmptyTest),
        (lambda: find_misalignment(VOTES, group_size=2), BadChoice),
        (lambda: find_misalignment(VoteCounts({("a", None): 1}), group_size=1), BadVotes),
        (lambda: best_level(VOTES, minimum_grade=1), BadVotes),
        (lambda: best_level(VoteCounts({"aa": 1}), every_label=True), BadVotes),
        (lambda: best_level(VoteCounts({"ab": 1}), minimum_grade=1), BadVotes),
        (lambda: SafeRegion(VOTES).contains({"a": 3}), BadKeyCounts),
    ],
)
def test_bad_input_is_refused(call, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()
