"""Each number in the text and in the HTML of a study is in its document: the surfaces render, and compute nothing."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from itertools import product

import pytest

from ntqr_exact import ConsistentSet, PartialKey, VoteCounts, example
from ntqr_exact.study.study import Study
from ntqr_exact.study.votes_study import study_votes
from tests.study.numbers import numbers, renderings

STATIC = {"0", "1", "2", "3", "4", "1/4"}
"""Numbers of formulas and of counting (solution 1, branch 2, T² + 4Π); every other one must be computed."""


def trio(*counts: int) -> VoteCounts:
    return VoteCounts(dict(zip(product("xy", repeat=3), counts, strict=True)), ("x", "y"), ("A", "B", "C"))


def studies() -> dict[str, Study]:
    shown = example("two-norm")
    votes = trio(1381, 902, 864, 1157, 868, 1099, 1003, 2331)
    four = VoteCounts(
        {p: 11 + 7 * n % 31 for n, p in enumerate(product("xy", repeat=4))}, tuple("xy"), tuple("ABCD")
    )
    three = VoteCounts(
        {p: 5 + 13 * n % 17 for n, p in enumerate(product("xyz", repeat=3))}, tuple("xyz"), tuple("ABC")
    )
    partial = PartialKey(
        trio(19, 14, 13, 18, 16, 15, 17, 31),
        {"x": {"xxx": 5, "xxy": 4, "yxx": 1}, "y": {"yyy": 7, "yyx": 3, "xyy": 2}},
        drawn="at_random",
    )
    return {
        "an example with a key": study_votes(shown.votes, shown.evaluation),
        "a trio": study_votes(votes),
        "a trio with its own key": study_votes(ConsistentSet(trio(9, 4, 3, 8, 6, 5, 7, 21)).sample(seed=3)),
        "imaginary": study_votes(example("uci-adult-imaginary").votes),
        "four judges": study_votes(four),
        "three labels": study_votes(three),
        "two judges": study_votes(VoteCounts({"xx": 17, "xy": 23, "yy": 41}, tuple("xy"))),
        "a partial key": study_votes(partial),
        "a partial key by strata": study_votes(PartialKey(partial.votes, partial.graded, drawn="by_strata")),
        "a key of whatever questions": study_votes(
            PartialKey(partial.votes, partial.graded, drawn="not_at_random")
        ),
        "one judge": study_votes(VoteCounts({"x": 17, "y": 23}, tuple("xy"))),
    }


STUDIES = studies()


def page_text(markup: str) -> str:
    without = re.sub(
        r"<[^>]*>", " ", re.sub(r"(?s)<svg.*?</svg>|<style>.*?</style>|<pre.*?</pre>", " ", markup)
    )
    return html.unescape(without)


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.parametrize("surface", ["text", "notebook"])
def test_each_number_shown_is_the_rendering_of_a_value_of_the_document(name: str, surface: str) -> None:
    found = STUDIES[name]
    shown = str(found) if surface == "text" else page_text(found._repr_html_())
    assert len(numbers(shown)) > 4
    assert numbers(shown) - renderings(found.to_json()) - STATIC == set()


def test_the_check_sees_a_number_that_is_not_in_the_document() -> None:
    found = STUDIES["a trio"]
    other = replace(found, nearest=None)
    assert numbers(str(found)) - renderings(other.to_json()) - STATIC
