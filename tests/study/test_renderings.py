"""Each number in the text and in the HTML of a study is in its document: the surfaces render, and compute nothing."""

from __future__ import annotations

import functools
import html
import io
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from gmpy2 import mpq

from ntqr_exact import ConsistentSet, MetricModel, PartialKey, VoteCounts, example
from ntqr_exact.blocks.value import Value
from ntqr_exact.confidence.probability_vector import read_vectors
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.metrics.score_file import ScoredSamples
from ntqr_exact.sampling.intervals import Critical
from ntqr_exact.study.confidence_study import study_confidence
from ntqr_exact.study.score_study import study_scores
from ntqr_exact.study.significance_study import study_significance
from ntqr_exact.study.votes_study import study_votes
from ntqr_exact.views.page import html_page
from tests.study.numbers import numbers, renderings

STATIC = {"0", "1", "2", "3", "4", "1/4", "1/20", "0.10", "50", "28"}
"""Numbers of formulas and of counting (solution 1, branch 2, T² + 4Π); every other one must be computed."""


LABELS = [1, 1, 0, 1, 0, 0, 1, 0]
SCORES = ["0.9", "0.8", "0.8", "0.6", "0.5", "0.4", "0.3", "0.1"]
QUERIES = ["maximum recall @ precision >= 3/4", "maximum recall @ fpr < 0"]
METRIC = MetricModel("0.8897", "0.22769")
VECTORS = read_vectors(io.StringIO("a,b,truth\n0.91,0.09,a\n0.67,0.33,b\n0.5,0.5,a\n"), truth="truth")


def trio(*counts: int) -> VoteCounts:
    return VoteCounts(dict(zip(product("xy", repeat=3), counts, strict=True)), ("x", "y"), ("A", "B", "C"))


PARTIAL = PartialKey(
    trio(5, 4, 3, 8, 6, 5, 7, 11),
    {"x": {"xxx": 3, "xxy": 2, "yxx": 1}, "y": {"yyy": 5, "yyx": 2, "xyy": 1}},
    drawn="at_random",
)
FOUR = VoteCounts(
    {p: 3 + 7 * n % 11 for n, p in enumerate(product("xy", repeat=4))}, tuple("xy"), tuple("ABCD")
)
THREE = VoteCounts({p: n % 4 for n, p in enumerate(product("xyz", repeat=3))}, tuple("xyz"), tuple("ABC"))
NORM = example("two-norm")

STUDIES: dict[str, Callable[[], Value]] = {
    "an example with a key": lambda: study_votes(NORM.votes, NORM.evaluation),
    "a trio": lambda: study_votes(trio(1381, 902, 864, 1157, 868, 1099, 1003, 2331)),
    "a trio with its own key": lambda: study_votes(
        ConsistentSet(trio(9, 4, 3, 8, 6, 5, 7, 21)).sample(seed=3)
    ),
    "imaginary": lambda: study_votes(example("uci-adult-imaginary").votes),
    "four judges": lambda: study_votes(FOUR),
    "three labels": lambda: study_votes(THREE),
    "two judges": lambda: study_votes(VoteCounts({"xx": 17, "xy": 23, "yy": 41}, tuple("xy"))),
    "a partial key": lambda: study_votes(PARTIAL),
    "a partial key by strata": lambda: study_votes(
        PartialKey(PARTIAL.votes, PARTIAL.graded, drawn="by_strata")
    ),
    "a key of whatever questions": lambda: study_votes(
        PartialKey(PARTIAL.votes, PARTIAL.graded, drawn="not_at_random")
    ),
    "scores": lambda: study_scores(rank(LABELS, SCORES), queries=QUERIES, threshold="0.6"),
    "scores of strata": lambda: study_scores(
        ScoredSamples(["n", "y", "y"], [mpq(7, 13), mpq(8), mpq(-5)], [], ["u", "u", "v"], ("n", "y")),
        populations={"u": 17, "v": 29},
        population_rate="3/7",
    ),
    "many scores": lambda: study_scores(rank([n % 3 == 0 for n in range(1100)], range(1100))),
    "comparison": lambda: study_significance(control=(108, 23679), treatment=(56, 23679), metric=METRIC),
    "paired comparison": lambda: study_significance(
        control=(30, 100),
        treatment=(20, 100),
        both=10,
        metric=MetricModel.from_counts(tp=40, fp=10, fn=5, tn=45),
        critical=Critical(level="0.95"),
    ),
    "confidences": lambda: study_confidence(VECTORS, VECTORS, labels=VECTORS.labels, score="entropy"),
    "one judge": lambda: study_votes(VoteCounts({"x": 17, "y": 23}, tuple("xy"))),
}


@functools.cache
def study(name: str) -> tuple[Value, frozenset[str]]:
    """Return a study, computed once for all its surfaces, and the numbers that its document may be shown by."""
    found = STUDIES[name]()
    return found, frozenset(renderings(found.to_json()))


def page_text(markup: str) -> str:
    without = re.sub(
        r"<[^>]*>", " ", re.sub(r"(?s)<svg.*?</svg>|<style>.*?</style>|<pre.*?</pre>", " ", markup)
    )
    return html.unescape(without)


PAGES = ("two judges", "scores", "comparison")


@pytest.mark.parametrize(
    ("surface", "name"), [*product(("text", "notebook"), STUDIES), *product(["report"], PAGES)]
)
def test_each_number_shown_is_the_rendering_of_a_value_of_the_document(name: str, surface: str) -> None:
    found, told = study(name)
    if surface == "text":
        shown = str(found)
    elif surface == "notebook":
        shown = page_text(found._repr_html_())
    else:
        shown = page_text(html_page(found, "title").partition("<main>")[2].partition("<footer>")[0])
    assert len(numbers(shown)) > 4
    assert numbers(shown) - told - STATIC == set()


def test_the_check_sees_a_number_that_is_not_in_the_document() -> None:
    found, _ = study("a trio with its own key")
    other = replace(found, parts={})
    assert numbers(str(found)) - renderings(other.to_json()) - STATIC
