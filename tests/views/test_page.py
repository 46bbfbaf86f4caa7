"""Pages and the pictures in them: well formed, nothing loaded or run, names stay text, and they fit a telephone."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys

import pytest

from ntqr_exact import MetricModel, example, study_scores, study_significance, study_votes
from ntqr_exact.blocks.block import Section
from ntqr_exact.errors import MissingExtra
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.views.page import figure, html_page, page
from ntqr_exact.views.plots.style import hue, tell

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


def clipped(axes):
    axes.plot([0, 1], [0, 1], clip_on=True)
    axes.set_title("title")


def test_two_pictures_in_a_page_share_no_name_and_find_their_own_parts():
    first, second = (figure(name, "T", clipped) for name in ("one", "two"))
    for name, made in (("one", first), ("two", second)):
        ids = set(re.findall(r' id="([^"]*)"', made))
        assert ids
        assert all(one.startswith(f"{name}-") for one in ids)
        references = re.findall(r'href="#([^"]*)"', made) + re.findall(r"url\(#([^)]*)\)", made)
        assert references
        assert set(references) <= ids


def test_a_picture_has_no_size_no_name_space_no_style_and_no_remarks():
    made = figure("p", "T", clipped)
    opening = re.search(r"<svg[^>]*>", made)[0]
    assert "viewBox=" in opening
    assert not re.search(r"width=|height=|xmlns", opening)
    assert not re.search(r"http|<style|<!--|<metadata|<\?xml|DOCTYPE|ns0:|xlink", made)


def test_the_title_is_escaped_and_belongs_to_the_picture():
    made = figure("p", '<b>"&', clipped)
    assert '<title id="p-title">&lt;b&gt;"&amp;</title>' in made
    assert 'aria-labelledby="p-title"' in made
    assert "<figcaption>&lt;b&gt;&quot;&amp;</figcaption>" in made


def test_the_page_chooses_the_colours_and_hovering_shows_exact_values():
    def draw(axes):
        (line,) = axes.plot([0, 1], [0, 1], color=hue("blue"))
        tell(line, "exactly 1/3 & <more>")

    made = figure("p", "T", draw)
    assert "stroke: var(--blue, #0067a3)" in made
    assert "<title>exactly 1/3 &amp; &lt;more&gt;</title>" in made
    assert "hover:" not in made
    assert not re.search(r"(?:fill|stroke): #", made)


def test_letters_are_shapes_unless_the_font_lacks_one():
    assert "<text" not in figure("p", "T", clipped)
    made = figure("p", "T", lambda axes: axes.set_title("评委 <i>"))
    assert re.search(r"<text[^>]*>评委 &lt;i&gt;</text>", made)


def test_a_control_character_in_a_name_makes_no_broken_picture():
    assert figure("p", "T", lambda axes: axes.set_title("a\x07b -->")).count("<svg ") == 1


def test_without_matplotlib_the_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra):
        figure("p", "T", clipped)


def test_characters_that_cannot_be_seen_are_written_by_their_codes(parsed):
    text = page("t\u202e\x00\u2066", [Section("s", "S\x9b", ())])
    assert parsed(text).text.count("t\\u202e\\u0000\\u2066") == 2
    assert "S\\u009b" in text


@functools.cache
def made_page(kind: str) -> str:
    if kind == "votes":
        return html_page(study_votes(example("wine").labeled), "Wine")
    if kind == "metrics":
        scores = [f"0.{n:02}" for n in range(10, 60)]
        ranking = rank([n * 7 % 3 == 0 for n in range(50)], scores)
        return html_page(study_scores(ranking), "Scores")
    metric = MetricModel("0.8897", "0.22769")
    return html_page(study_significance(control=(108, 23679), treatment=(56, 23679), metric=metric), "Models")


KINDS = ["votes", "metrics", "significance"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_well_formed_and_loads_nothing(kind, parsed):
    found = parsed(made_page(kind))
    assert found.faults == []
    assert found.open == []
    assert not {"script", "link", "img", "iframe"} & set(found.tags)
    assert not [
        value for name in ("src", "href") for value in found.values(name) if not value.startswith("#")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_opens_and_fits_a_phone(kind, browser):
    found = browser.measure(made_page(kind), 1000, LAYOUT)
    assert found["pictures"][0] == found["pictures"][1] == found["pictures"][2]
    assert (found["scripts"], found["images"]) == (0, 0)
    found = browser.measure(made_page(kind), 390, OVERFLOW)
    assert found["wide"] == []
    assert found["scroll"] <= found["inner"]
    assert found["cut"] == 0


def test_the_probe_sees_a_page_that_is_too_wide(browser):
    broken = made_page("significance").replace(".scroll { overflow-x: auto;", ".scroll {")
    assert broken != made_page("significance")
    found = browser.measure(broken, 360, OVERFLOW)
    assert found["scroll"] > found["inner"]


def test_hostile_names_stay_text(hostile, parsed):
    text = html_page(study_votes(hostile), "<b>title")
    found = parsed(text)
    assert found.faults == []
    assert "script" not in found.tags
    assert not [name for _, name, _ in found.attributes if name.startswith("on")]
    assert "<script>alert(1)</script>" in found.text


@pytest.mark.slow
def test_hostile_names_run_nothing_in_a_browser(hostile, browser):
    text = html_page(study_votes(hostile), "title")
    for word in ("alert(1)", "alert(2)", "alert(3)"):
        text = text.replace(word, "parent.attacked=1")
    text = re.sub(r"<meta http-equiv[^>]*>", "", text)
    assert browser.measure(text, 390, LAYOUT)["attacked"] == "undefined"
    hole = text.replace("<h2", "<script>parent.attacked=1</script><h2", 1)
    assert browser.measure(hole, 390, LAYOUT)["attacked"] == "number"


@pytest.mark.slow
def test_a_page_has_the_same_bytes_under_every_hash_seed():
    program = (
        "from ntqr_exact import example, study_votes; from ntqr_exact.views.page import html_page; import hashlib; "
        "print(hashlib.sha256(html_page(study_votes(example('wine').labeled), 'Wine').encode()).hexdigest())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(seen) == 1


def test_the_staircase_of_failing_judges_is_on_the_screen_of_a_report_and_nowhere_else():
    screen, details = html_page(study_votes(example("two-norm").votes), "").split("<nav", 1)
    captions = [re.findall("<figcaption>(How many)?", part) for part in (screen, details)]
    assert ["How many" in found for found in captions] == [True, False]
    assert captions[1]
