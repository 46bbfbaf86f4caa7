"""Reports in a browser: they open, show what they should, fit a telephone, print well, and run nothing."""

from __future__ import annotations

import re

import pytest

from ntqr_exact import MetricModel, VoteCounts, compare, example
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.views.report import metrics_report, significance_report, votes_report

OPEN = 'const folds = [...d.querySelectorAll("details")]; folds.forEach((e) => { e.open = true; });'

OVERFLOW = (
    f"{OPEN}"
    """
const inside = ".scroll, pre";
const wide = [...d.querySelectorAll("body *")].filter(
  (e) => e.getBoundingClientRect().right > w.innerWidth + 1 && !e.parentElement.closest(`${inside}, svg`));
const boxes = [...d.querySelectorAll(inside)];
return {
  inner: w.innerWidth, scroll: d.documentElement.scrollWidth,
  wide: wide.slice(0, 3).map((e) => e.outerHTML.slice(0, 80)),
  scrolled: boxes.filter((e) => e.scrollWidth > e.clientWidth).length,
  cut: [...d.querySelectorAll("svg")].filter((e) => e.getBoundingClientRect().width > w.innerWidth).length,
};
"""
)

LAYOUT = (
    f"{OPEN}"
    """
const shown = [...d.querySelectorAll("svg")];
const seen = shown.filter((e) => { const r = e.getBoundingClientRect(); return r.width > 300 && r.height > 100; });
const drawn = shown.filter((e) => e.querySelector("path").getBoundingClientRect().width > 0);
return {
  title: d.title, headings: [...d.querySelectorAll("h2")].map((e) => e.textContent),
  pictures: [shown.length, seen.length, drawn.length], scripts: d.scripts.length, images: d.images.length,
  attacked: typeof w.parent.attacked, closed: folds.length,
};
"""
)


def votes_page():
    shown = example("two-norm")
    return votes_report(shown.votes, known=shown.evaluation.rates(), title="Two norm")


def metrics_page():
    scores = [f"0.{place:02}" for place in range(10, 60)]
    return metrics_report(rank([place * 7 % 3 == 0 for place in range(50)], scores, classes=(False, True)))


def significance_page():
    metric = MetricModel("0.8897", "0.22769")
    return significance_report(compare(control=(108, 23679), treatment=(56, 23679), metric=metric))


MADE = {"votes": votes_page, "metrics": metrics_page, "significance": significance_page}


class Pages(dict):
    """Pages by their kinds, each made when it is first looked at."""

    def __missing__(self, kind):
        self[kind] = MADE[kind]()
        return self[kind]


@pytest.fixture(scope="module")
def pages():
    return Pages()


KINDS = [
    pytest.param("votes", marks=pytest.mark.slow),
    pytest.param("metrics", marks=pytest.mark.slow),
    "significance",
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_opens_and_its_pictures_are_drawn(kind, pages, browser):
    found = browser.measure(pages[kind], 1000, LAYOUT)
    assert found["headings"][0] == "In short"
    assert found["headings"][-1] == "How to reproduce it"
    pictures = {"votes": 10, "metrics": 3, "significance": 1}[kind]
    assert found["pictures"] == [pictures] * 3
    assert (found["scripts"], found["images"]) == (0, 0)
    assert found["closed"] > 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_fits_a_telephone_without_scrolling_the_page_sideways(kind, pages, browser):
    found = browser.measure(pages[kind], 360, OVERFLOW)
    assert found["inner"] == 360
    assert found["wide"] == []
    assert found["scroll"] <= found["inner"]
    assert found["scrolled"] > 0  # wide tables scroll inside their own boxes
    assert found["cut"] == 0  # and pictures fit


def test_the_probe_sees_a_page_that_is_too_wide(pages, browser):
    broken = pages["significance"].replace(".scroll { overflow-x: auto;", ".scroll {")
    assert broken != pages["significance"]
    found = browser.measure(broken, 360, OVERFLOW)
    assert found["scroll"] > found["inner"]


def attack(page: str) -> str:
    """The page with names that leave a trace if they run, and without the policy that would stop them anyway."""
    for word in ("alert(1)", "alert(2)", "alert(3)"):
        page = page.replace(word, "parent.attacked=1")
    return re.sub(r"<meta http-equiv[^>]*>", "", page)


@pytest.mark.slow
def test_hostile_names_run_nothing_and_stay_readable_at_the_width_of_a_telephone(hostile, browser):
    page = attack(votes_report(hostile))
    found = browser.measure(page, 360, LAYOUT)
    assert (found["scripts"], found["images"], found["attacked"]) == (0, 0, "undefined")
    found = browser.measure(page, 360, OVERFLOW)
    assert found["wide"] == []
    assert found["scroll"] <= 360


def test_the_probe_sees_a_name_that_runs_and_the_policy_of_the_page_stops_it(pages, browser):
    hole = pages["significance"].replace("<h2", "<script>alert(1)</script><h2", 1)
    assert browser.measure(attack(hole), 360, LAYOUT)["attacked"] == "number"
    kept = hole.replace("alert(1)", "parent.attacked=1")
    assert browser.measure(kept, 360, LAYOUT)["attacked"] == "undefined"


def test_the_browser_finds_the_page_as_it_was_written(pages, browser):
    dom = browser.dom(pages["significance"])
    for tag in ("table", "tr", "th", "td", "details", "svg", "path", "section"):
        assert dom.count(f"<{tag}") == pages["significance"].count(f"<{tag}"), tag


@pytest.mark.slow
def test_what_is_folded_is_printed_and_no_table_is_cut(pages, printing_browser):
    printed = printing_browser.printed(pages["votes"])
    assert 4 < len(printed) < 30
    text = "".join("".join(printed).split())
    assert "(82128915125-883439·√657031321)/164257830250" in text  # behind a click on the screen
    assert '"a,a,a":181' in text  # the last line of the data, which scroll on the screen
    assert text.count("Howtoreproduceit") == 1  # the contents are not printed
    exact = re.findall(r"<details><summary>[^<]*</summary><span>([^<]*)</span></details>", pages["votes"])
    assert len(exact) > 10
    missing = [number for number in exact if "".join(number.split()) not in text]
    # A number that is broken into lines beside another column is not found in one piece.
    assert len(missing) < len(exact) / 2


@pytest.mark.slow
def test_printed_pages_are_black_on_white_and_nothing_reaches_over_the_edge(pages, browser):
    # A frame as wide as the paper, with the rules for print in force on the screen.
    style = pages["votes"].replace("@media print {", "@media all {")
    assert style != pages["votes"]
    found = browser.measure(
        style,
        688,  # 182 mm: A4 without its margins
        """
        const right = (e) => e.getBoundingClientRect().right;
        const colours = new Set([...d.querySelectorAll("h1, p, td, th, summary, .alarm, .calm")]
          .map((e) => w.getComputedStyle(e).color));
        const hidden = [...d.querySelectorAll("details > div, details td")].filter((e) => !e.getClientRects().length);
        return { wide: [...d.querySelectorAll("table, svg, pre, p")].filter((e) => right(e) > w.innerWidth + 1).length,
          colours: [...colours], ground: w.getComputedStyle(d.body).backgroundColor, hidden: hidden.length };
        """,
    )
    assert found == {
        "wide": 0,
        "colours": ["rgb(0, 0, 0)", "rgb(34, 34, 34)"],
        "ground": "rgb(255, 255, 255)",
        "hidden": 0,
    }


@pytest.mark.slow
def test_an_interactive_report_draws_its_pictures_by_its_own_scripts_under_its_policy(browser):
    pytest.importorskip("plotly")
    votes = VoteCounts({"aab": 5, "aba": 4, "baa": 2, "bbb": 6, "aaa": 3}, judges=["<i>A", "B", "C"])
    page = votes_report(votes, interactive=True)
    assert 4_000_000 < len(page) < 8_000_000
    places = page.count('class="explore"')
    assert places >= 2
    assert page.count("<script") == places + 1
    # The page by itself: in the frame of `measure` the hashes of its policy do not fit its scripts.
    drawn = browser.run(page, "--dump-dom", "--virtual-time-budget=8000")
    assert drawn.count('class="main-svg"') >= places
