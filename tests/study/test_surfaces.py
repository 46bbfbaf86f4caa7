"""One number for one thing: the screen, details, JSON, page, alarm and dependence of a panel agree."""

from __future__ import annotations

import html
import json
import re

import pytest

from ntqr_exact import example, study_safety, study_votes
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.exact.show import fixed_text, safe_text
from ntqr_exact.examples import PANELS
from ntqr_exact.study.dependence_study import study_dependence
from ntqr_exact.study.votes_study import GRADING
from ntqr_exact.views.page import html_page


@pytest.mark.parametrize(
    "name", [n if n == "breast-cancer" else pytest.param(n, marks=pytest.mark.slow) for n in PANELS]
)
def test_every_surface_of_a_panel_has_the_same_numbers(name: str) -> None:
    votes = example(name).votes
    study = study_votes(votes, parts=[part for part in GRADING if part not in {"trios", "correlations"}])
    screen, document = study.screen, json.loads(study.to_json())
    estimates = {one.name: one.right_in_all for one in study["grades"].estimates}
    page = html.unescape(re.sub("<[^>]*>", " ", html_page(study, name)))
    for row, written in zip(screen.judges, document["screen"]["judges"], strict=True):
        assert row.majority == estimates["majority"][row.judge]
        assert row.dawid_skene == estimates["Dawid-Skene"][row.judge]
        assert written["majority"] == str(row.majority)
        for text in (str(screen), page):
            assert fixed_text(row.majority, 3) in text
    safety = study_safety(votes, SafetySpecification(2))
    assert [(one.level, one.proven) for one in screen.failing] == [
        (one.level, one.proven) for one in safety.failing
    ]
    if screen.covariance is not None:
        assert screen.covariance == study_dependence(votes).least.proven
        if screen.covariance:
            assert safe_text(screen.covariance, 3, up=False) in str(screen)
