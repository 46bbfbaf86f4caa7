"""The first screen: it is short, it warns by its rules, and its proofs hold under the true key."""

from __future__ import annotations

import functools
import random
from types import SimpleNamespace

import pytest
from gmpy2 import mpq

from ntqr_exact import LabeledVoteCounts, PartialKey, VoteCounts, example
from ntqr_exact.budget import work_limit
from ntqr_exact.evaluators.grade import share_right
from ntqr_exact.examples import PANELS
from ntqr_exact.study import verdict
from ntqr_exact.study.answers_study import study_answers
from ntqr_exact.study.grades_study import study_graded
from ntqr_exact.study.screen import Screen, _short_names, study_screen


@functools.cache
def screen_of(name: str) -> Screen:
    """Return the screen of a panel without its key, computed once for all tests."""
    return study_screen(example(name).votes)


def passes(key: LabeledVoteCounts, judge: int, level: mpq) -> bool:
    for label, row in key.confusion(judge).items():
        asked = sum(row.values())
        if asked and row[label] <= level * asked:
            return False
    return True


SLOW = ("medqa", "digits-parity")  # screens that the tests of the demo and of the README print


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in PANELS]
)
def test_the_proofs_of_a_screen_hold_under_the_key(name: str) -> None:
    key = example(name).labeled
    screen = study_screen(key)
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


@pytest.mark.parametrize(
    ("alpha", "answers", "moved", "kind", "text"),
    [
        (mpq(-1, 10), 30, 0, "withheld", "majority is 0.000"),
        (mpq(1, 5), 6, 0, "withheld", "majority is 0.600"),
        (mpq(3, 10), 7, 0, "doubtful", "alpha is 0.300"),
        (mpq(3, 10), 7, mpq(1, 5), "withheld", "overrules the majority on 0.200"),
    ],
)
def test_low_agreement_withholds_the_estimate_or_warns(alpha, answers, moved, kind, text) -> None:
    (reason,) = verdict._agreement(alpha, mpq(answers), SimpleNamespace(moved=moved))
    assert reason.kind == kind
    assert text in reason.text


VERDICTS = dict.fromkeys(("breast-cancer", "digits-parity"), "dependent")
VERDICTS |= {"medqa": "withheld", "wine": "unknown"}


@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdict_warns_where_columns_mislead_and_is_calm_where_they_are_good(name: str) -> None:
    assert screen_of(name).verdict.kind == VERDICTS[name]


def test_each_doubt_has_its_rule() -> None:
    copies = VoteCounts({"aab": 20, "bbb": 40, "aaa": 40}, judges=["A", "B", "C"])
    few = VoteCounts({"aab": 2, "bbb": 4, "aaa": 4})
    for votes, text in (
        (copies, "A and B answered alike"),
        (few, "fewer than 30"),
    ):
        reasons = study_screen(votes).verdict.reasons
        assert any(one.kind == "doubtful" and text in one.text for one in reasons)


@pytest.mark.parametrize(("most", "kind"), [(mpq(1, 20), "dependent"), (mpq(1, 100), "withheld")])
def test_a_proven_covariance_above_the_limit_withholds_the_estimate(monkeypatch, most, kind) -> None:
    monkeypatch.setattr("ntqr_exact.study.verdict.MAX_COVARIANCE", most)
    screen = study_screen(example("uci-adult-imaginary").votes)
    assert mpq(1, 100) < screen.covariance < mpq(1, 20)
    assert kind in {one.kind for one in screen.verdict.reasons if "covariance" in one.text}


def test_grades_refute_a_column() -> None:
    votes = VoteCounts({"aaa": 50, "bbb": 50, "aab": 10, "bba": 10})
    graded = {"a": {"bbb": 20}, "b": {"aaa": 20}}
    screen = study_screen(PartialKey(votes, graded, drawn="at_random"))
    assert screen.verdict.kind == "refuted"
    assert all(row.graded is not None for row in screen.judges)


def test_judges_are_ranked_only_where_ranges_separate_them() -> None:
    for name in ("digits-parity", "breast-cancer"):
        screen = screen_of(name)
        ranges = {row.judge: row.within for row in screen.judges}
        for better, worse in screen.better:
            assert ranges[better][0] > ranges[worse][1]


def test_a_large_panel_shows_the_best_and_the_worst_judges() -> None:
    rng = random.Random(1)
    rows = ["".join(rng.choice("aab" if n % 3 else "b") for n in range(40)) for _ in range(60)]
    screen = study_screen(VoteCounts({row: rows.count(row) for row in rows}))
    assert len(screen.judges) == 40
    lines = str(screen).splitlines()
    assert len(lines) <= 48
    assert max(map(len, lines)) <= 100
    assert any("`ntqr-exact dependence" in line for line in screen.left_out)


def test_judges_keep_different_names_however_short_they_are():
    judges = [f"{family}-{version}:prompt:ab" for family in ("gpt", "llama") for version in (3, 30)]
    votes = VoteCounts({"aaaa": 40, "bbbb": 35, "aabb": 6, "abab": 5}, judges=judges)
    for longest in (8, 12, 20):
        names = _short_names(votes.judges, longest)
        assert len({*names.values()}) == 4
        assert max(map(len, names.values())) <= longest
    alike = ["a" * 30 + "b" + "c" * 30, "a" * 30 + "d" + "c" * 30]
    assert len({*_short_names(alike, 10).values()}) == 2
    graded = PartialKey(votes, {"a": {"aaaa": 20}, "b": {"bbbb": 20}}, drawn="at_random")
    rows = str(study_screen(graded)).split("The judges")[1].split("\n\n")[0].splitlines()[2:]
    assert len({row.split()[0] for row in rows}) == 4


def test_a_printed_command_is_in_one_line():
    votes = VoteCounts({tuple("ab"[j == i] for j in range(12)): 9 for i in range(12)})
    screen = study_screen(votes, source="a/long/path/to/the/answers/of/all/judges.csv")
    assert len(screen.left_out) == 2
    for line in screen.left_out:
        assert f"`{line.split('`')[1]}`" in str(screen)


def test_a_graded_sample_shows_its_largest_covariance():
    votes = VoteCounts({"aa": 60, "bb": 40})
    key = PartialKey(votes, {"a": {"aa": 9, "bb": 3}, "b": {"bb": 6}}, drawn="at_random")
    assert study_graded(key).covariance.value == mpq(3, 16)


def test_judges_without_a_common_question_are_shown_without_a_command_that_fails():
    judges = [f"w{index}" for index in range(10)]
    votes = VoteCounts(
        {tuple("ab"[j % 2] if j == i else None for j in range(10)): 3 for i in range(10)}, judges=judges
    )
    assert study_answers(votes).statistics == {}
    assert "--judges" not in " ".join(study_screen(votes).left_out)


def test_failing_judges_of_more_cells_than_the_limit_are_left_out_with_their_command():
    votes = example("medqa").labeled.observed()
    with work_limit(1_000):  # the screen gives each part a tenth
        screen = study_screen(votes, source="panel.csv")
    assert screen.failing == ()
    assert any("ntqr-exact alarm panel.csv --level 2/3" in reason for reason in screen.left_out)


def test_the_grades_that_separate_are_of_the_best_judges_that_differ_somewhere():
    rows = [("b", "b", None, None), (None, None, "b", "a"), (None, None, "a", "a"), ("a", "a", None, "b")]
    draw = random.Random(0)
    counts = {(*row[:3], row[3], *draw.choices("ab", k=2)): 20 for row in rows}
    screen = study_screen(VoteCounts(counts, judges=["p", "q", "r", "s", "t", "u"]))
    assert screen.better == ()
    first, second, number = screen.to_separate
    assert {first, second} != {"p", "q"}  # they agree everywhere
    assert number > 0
