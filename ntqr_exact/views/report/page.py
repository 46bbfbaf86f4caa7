"""The page around the sections of a report: one file that loads nothing and runs nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files

from ntqr_exact import __version__
from ntqr_exact.blocks.block import Section
from ntqr_exact.blocks.html import Drawer, Markup, block_html, classed, tag
from ntqr_exact.views.explore.embed import policy, script_once
from ntqr_exact.views.plots.style import variables
from ntqr_exact.views.report.picture import drawn_picture, explored_picture

# Control characters are no text, and those that turn the direction of writing would turn all that follows a name.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser may load or run for this page: nothing but the style inside it."""

_LIGHT = "--band: #f3f5f7; --link: #00518a; --alarm: #a33b00; --calm: #006b4e;"
_DARK = "--band: #22262a; --link: #7cc4f5; --alarm: #ffa36b; --calm: #5fd3ae;"
_PRINT = "--ink: #000; --paper: #fff; --soft: #222; --band: #fff; --link: #000; --alarm: #000; --calm: #000;"
"""Colours of the text besides those of the pictures; a printer has no other than black."""

_MADE = f"Made by ntqr-exact {__version__}. Every number is exact; a decimal beside it is rounded, for reading only."
_STILL = "This file loads nothing and runs nothing."
_MOVING = "This file loads nothing; it runs plotly, which stands inside it, for the pictures to turn."


def page(title: str, lead: object, sections: Sequence[Section], *, interactive: bool = False) -> str:
    """Return a whole HTML document with the first section open, contents, and the others folded; always the same bytes.

    >>> page("A<b", "what it is", [Section("one", "First", ())]).count("A&lt;b")
    2
    """
    first, *others = sections
    contents = tag("ol", *(tag("li", tag("a", one.title, href=f"#{one.name}-blocks")) for one in others))
    draw = explored_picture if interactive else drawn_picture
    body = [
        *([script_once()] if interactive else []),
        _seen(tag("header", tag("h1", title), classed("p", lead, kind="lead"))),
        tag(
            "main",
            _section(first, draw, is_open=True),
            tag("nav", tag("h2", "All the details"), contents, **{"aria-label": "Contents"}),
            *(_section(one, draw, is_open=False) for one in others),
        ),
        tag("footer", tag("p", f"{_MADE} {_MOVING if interactive else _STILL}")),
    ]
    allowed = f"{_POLICY}; img-src data: blob:; {policy(''.join(body))}" if interactive else _POLICY
    metas = [
        'charset="utf-8"',
        'name="viewport" content="width=device-width, initial-scale=1"',
        f'http-equiv="Content-Security-Policy" content="{allowed}"',
        'name="referrer" content="no-referrer"',
    ]
    head = [*(f"<meta {one}>" for one in metas), _seen(tag("title", title)), f"<style>{_style()}</style>"]
    parts = ["<!DOCTYPE html>", '<html lang="en">', "<head>", *head, "</head>", "<body>", *body]
    return "\n".join([*parts, "</body>", "</html>\n"])


def _style() -> str:
    """Return the style sheet: `report.css`, after the colours of both themes."""
    rules = files("ntqr_exact.views.report").joinpath("report.css").read_text(encoding="utf-8")
    return f"""
:root {{ color-scheme: light dark; {variables("light")} {_LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root {{ {variables("dark")} {_DARK} }} }}

{rules.replace("PRINTED", f"{variables('light')} {_PRINT}")}"""


def _seen(markup: Markup) -> Markup:
    """Write characters that cannot be seen by their codes, as JSON writes them."""
    return Markup(_UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", markup))


def _section(one: Section, draw: Drawer, *, is_open: bool) -> Markup:
    heading = tag("h2", one.title, id=f"{one.name}-heading")
    # Browsers unfold what holds the target of a link, so the target is inside of the fold.
    blocks = tag("div", block_html(one.blocks, draw), id=f"{one.name}-blocks")
    parts = [heading, blocks] if is_open else [tag("details", tag("summary", heading), blocks)]
    return _seen(tag("section", *parts, id=one.name, **{"aria-labelledby": f"{one.name}-heading"}))
