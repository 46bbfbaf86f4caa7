"""The page of a report, and pictures in it: names of their own, nothing loaded, letters beyond the font as text."""

from __future__ import annotations

import re
import sys

import pytest

from ntqr_exact.blocks.block import Section
from ntqr_exact.errors import MissingExtra
from ntqr_exact.views.plots.style import hue, tell
from ntqr_exact.views.report.page import page
from ntqr_exact.views.report.picture import figure
from ntqr_exact.views.report.reports import command_line


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


def test_the_page_chooses_the_colours_and_the_pointer_tells_exact_values():
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
    with pytest.raises(MissingExtra, match=r"\.\[plots\]' in a clone"):
        figure("p", "T", clipped)


def test_characters_that_cannot_be_seen_are_written_by_their_codes(parsed):
    text = page("t\u202e\x00\u2066", "lead\x9b", [Section("s", "S", ())])
    assert parsed(text).text.count("t\\u202e\\u0000\\u2066") == 2
    assert "lead\\u009b" in text


def test_a_command_is_quoted_for_the_shell():
    assert (
        command_line(["report", "a b.csv", "--truth", "$(rm)"])
        == "ntqr-exact report 'a b.csv' --truth '$(rm)'"
    )
