"""One number for one thing: screen, details, JSON, page, alarm, dependence, agreement and graded sample agree."""

from __future__ import annotations

import html
import json
import re

import pytest

from ntqr_exact import (
    PartialKey,
    VoteCounts,
    agreement,
    best_level,
    example,
    prove_requirement,
    study_safety,
    study_votes,
)
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.blocks.block import NOT_INFORMATIVE, Picture, Table, range_text
from ntqr_exact.blocks.text import block_text
from ntqr_exact.exact.show import fixed_text, safe_text
from ntqr_exact.examples import PANELS
from ntqr_exact.study.logic_study import study_dependence
from ntqr_exact.study.screen import BUDGET, study_screen
from ntqr_exact.views.page import html_page

MADE = {
    "gaps": VoteCounts({("a", "b", None): 4, ("a", "a", "a"): 9, ("b", None, "b"): 5, ("b", "b", "a"): 3}),
    "three labels": VoteCounts({"xyz": 2, "xxx": 5, "yyx": 4, "zzz": 6, "yyy": 3, "zyz": 2}, tuple("xyz")),
    "two judges": VoteCounts({"aa": 17, "ab": 23, "bb": 41}),
    "one judge": VoteCounts({"a": 17, "b": 23}),
    "four judges": VoteCounts({"aaaa": 20, "bbbb": 15, "aabb": 6, "abab": 5, "abba": 1, "baaa": 4}),
}
EXAMPLES = [*PANELS, "two-norm", "uci-adult-imaginary"]
SLOW = ("medqa", "breast-cancer", "digits-parity", "digits-thirds", "uci-adult-imaginary")


def votes_of(name: str) -> VoteCounts:
    return MADE[name] if name in MADE else example(name).votes


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n in SLOW else ()) for n in (*EXAMPLES, *MADE)]
)
def test_every_surface_of_a_panel_has_the_same_numbers(name: str) -> None:
    votes = votes_of(name)
    study = study_votes(votes)
    screen, document = study.screen, json.loads(study.to_json())
    page = html.unescape(re.sub("<[^>]*>", " ", html_page(study, name)))
    short, exact = str(screen), block_text(screen.blocks(exact=True))
    assert str(study).startswith(short)
    estimates = {one.name: one.right_in_all for one in study["grades"].estimates}
    within = study["dependence"].within if "dependence" in study.parts else ()
    for index, (row, written) in enumerate(zip(screen.judges, document["screen"]["judges"], strict=True)):
        assert row.majority == estimates["majority"][row.judge]
        assert row.dawid_skene == estimates["Dawid-Skene"][row.judge]
        assert (written["majority"], written["answered"]) == (str(row.majority), votes.answered(index))
        assert all(fixed_text(row.majority, 3) in text for text in (short, page))
        assert str(row.majority) in exact
        if within:
            others = votes.answered(index) - votes.common().size  # the ranges know nothing of these answers
            right = [end * votes.common().size for end in within[0].overall[index]]
            assert row.within == (right[0] / row.answered, (right[1] + others) / row.answered)
        assert range_text(row.within) in short or row.within is None
    table, picture = (
        next(one for one in screen.blocks() if isinstance(one, kind)) for kind in (Table, Picture)
    )
    for column, drawn in picture.data[0].items():
        cells = [row[table.header.index(column)] for row in table.rows] if column in table.header else ()
        hidden = {"withheld", "not informative", "–"}
        assert [cell in hidden for cell in cells] == [each is None for each in drawn.values()][: len(cells)]
    levels = [(one.level, one.proven) for one in screen.failing]
    alarm = study_safety(votes, SafetySpecification())
    assert levels == [(one.level, one.proven) for one in alarm.failing]
    assert levels == [(one.level, one.proven) for one in study["safety"].failing]
    if screen.common_level is not None:
        assert screen.common_level.proven == best_level(votes).proven
        assert safe_text(screen.common_level.proven, 3, up=True) in short
    if screen.alpha is not None:
        assert screen.alpha == agreement(votes)
        assert fixed_text(screen.alpha, 3) in short
    if screen.covariance is not None:
        own = study_dependence(votes, budgets=[BUDGET])
        assert screen.covariance == own.least.proven == study["dependence"].least.proven
        assert own.within[0].overall == study["dependence"].within[0].overall
        if screen.covariance:
            assert all(safe_text(screen.covariance, 3, up=False) in text for text in (short, page))


@pytest.mark.parametrize("name", ["wine", "two-norm", *MADE])
def test_a_graded_sample_only_adds_to_the_screen(name: str) -> None:
    votes = votes_of(name)
    first = votes.labels[0]
    graded = {first: {pattern: min(n, 3) for pattern, n in votes.counts.items() if first in pattern}}
    screen, plain = study_screen(PartialKey(votes, graded, drawn="at_random")), study_screen(votes)
    assert str(screen).count(f" of {sum(graded[first].values())}") >= 1
    for row, without in zip(screen.judges, plain.judges, strict=True):
        assert (row.majority, row.dawid_skene, row.within) == (
            without.majority,
            without.dawid_skene,
            without.within,
        )
        right, total = row.sample
        assert f"{right} of {total}" in str(screen)
        assert row.graded[0] * row.answered >= right
        assert range_text(row.graded) in str(screen)
        for reason in screen.verdict.reasons:
            if reason.kind == "refuted" and f": {row.judge} has " in reason.text:
                assert (
                    row.graded[1] - row.graded[0] > NOT_INFORMATIVE or range_text(row.graded) in reason.text
                )
        gate = prove_requirement(screen.grades.key, f"{row.judge} >= 1/2")
        assert (gate.lower, gate.upper) == row.graded
        assert f"{right} of {total} right" in gate.line
    assert "more grades: " in str(screen)
