"""The first screen: it is short, it warns by its rules, and its proofs hold under the true key."""

from __future__ import annotations

import random

import pytest
from gmpy2 import mpq

from ntqr_exact import LabeledVoteCounts, PartialKey, VoteCounts, example
from ntqr_exact.examples import PANELS
from ntqr_exact.study.grades_part import share_right
from ntqr_exact.study.screen import MAX_COVARIANCE, study_screen
from ntqr_exact.study.votes_study import study_votes


def passes(key: LabeledVoteCounts, judge: int, level: mpq) -> bool:
    for label, row in key.confusion(judge).items():
        asked = sum(row.values())
        if asked and row[label] <= level * asked:
            return False
    return True


@pytest.mark.parametrize("name", PANELS)
def test_a_screen_is_short_and_its_proofs_hold_under_the_key(name: str) -> None:
    key = example(name).labeled
    screen = study_screen(key, source=f"example:{name}")
    lines = str(screen).splitlines()
    assert len(lines) <= 45
    assert max(map(len, lines)) <= 100
    for one in screen.failing:
        failing = sum(not passes(key, judge, one.level) for judge in range(len(key.judges)))
        assert one.proven <= failing
        assert one.proven <= one.attained
    for place, row in enumerate(screen.judges):
        assert row.by_key == share_right(key, place)


def random_key(rng: random.Random, judges: int, labels: str, questions: int) -> LabeledVoteCounts:
    by_label: dict[str, dict[tuple[str | None, ...], int]] = {label: {} for label in labels}
    for _ in range(questions):
        truth = rng.choice(labels)
        pattern = tuple(
            None if rng.random() < 0.2 else truth if rng.random() < 0.8 else rng.choice(labels)
            for _ in range(judges)
        )
        if any(pattern):
            by_label[truth][pattern] = by_label[truth].get(pattern, 0) + 1
    names = [f"J{n}" for n in range(judges)]
    return LabeledVoteCounts(
        {label: VoteCounts(counts, tuple(labels), names) for label, counts in by_label.items()}
    )


@pytest.mark.parametrize("seed", range(6))
def test_votes_with_gaps_have_a_screen(seed: int) -> None:
    rng = random.Random(seed)
    key = random_key(rng, rng.choice((3, 5)), rng.choice(("ab", "abc")), 40)
    screen = study_screen(key)
    assert screen.gaps == sum(pattern.count(None) * n for pattern, n in key.observed().counts.items())
    assert "answers are missing" in str(screen)
    for one in screen.failing:
        assert one.proven <= sum(not passes(key, judge, one.level) for judge in range(len(key.judges)))


def test_judges_who_agree_no_more_than_chance_are_withheld() -> None:
    counts = {tuple(p): 5 for p in ("aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb")}
    screen = study_screen(VoteCounts(counts))
    assert "withheld" in {one.kind for one in screen.verdicts}
    assert "withheld" in str(screen)


def test_dependent_judges_are_named() -> None:
    screen = study_screen(example("uci-adult-imaginary").votes)
    kinds = {one.kind for one in screen.verdicts}
    assert kinds & {"dependent", "withheld"}
    assert "unknown" not in kinds
    assert mpq(0) < MAX_COVARIANCE


def test_grades_refute_a_column() -> None:
    votes = VoteCounts({"aaa": 50, "bbb": 50, "aab": 10, "bba": 10})
    graded = {"a": {"bbb": 20}, "b": {"aaa": 20}}
    screen = study_screen(PartialKey(votes, graded, drawn="at_random"))
    assert screen.verdicts[0].kind == "refuted by your grades"
    assert all(row.graded is not None for row in screen.judges)


def test_judges_are_ranked_only_where_ranges_separate_them() -> None:
    for name in ("digits-parity", "breast-cancer"):
        screen = study_screen(example(name).votes)
        ranges = {row.judge: row.within for row in screen.judges}
        for better, worse in screen.separated:
            assert ranges[better][0] > ranges[worse][1]


def test_details_with_a_key_and_gaps_grade_each_judge_on_its_answers() -> None:
    key = random_key(random.Random(5), 3, "ab", 30)
    study = study_votes(key, parts=["grades"])
    assert study.grades is not None
    assert study.summary.key_counts == key.key_counts
    for place, right in enumerate(study.grades.estimates[0].right):
        given = [
            (label == truth, count)
            for truth, votes in key.by_label.items()
            for (*_, label), count in votes.marginal(place).counts.items()
        ]
        assert right == mpq(sum(good * count for good, count in given), sum(count for _, count in given))
