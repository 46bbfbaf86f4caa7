"""The page around the sections of a report: one file that loads nothing and runs nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ntqr_exact import __version__
from ntqr_exact.blocks.block import Section
from ntqr_exact.blocks.html import Drawer, block_html, classed
from ntqr_exact.blocks.markup import Markup, tag
from ntqr_exact.views.explore.embed import policy, script_once
from ntqr_exact.views.report.page_style import STYLE
from ntqr_exact.views.report.picture import drawn_picture, explored_picture

# Control characters are no text, and those that turn the direction of writing would turn all that follows a name.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser may load or run for this page: nothing but the style inside it."""

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
        tag(
            "footer",
            tag(
                "p",
                f"Made by ntqr-exact {__version__}. Every number is exact; a decimal beside it is rounded, for reading "
                f"only. {_MOVING if interactive else _STILL}",
            ),
        ),
    ]
    allowed = f"{_POLICY}; img-src data: blob:; {policy(''.join(body))}" if interactive else _POLICY
    head = [
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'),
        Markup('<meta name="referrer" content="no-referrer">'),
        _seen(tag("title", title)),
        Markup(f"<style>{STYLE}</style>"),
    ]
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        *head,
        "</head>",
        "<body>",
        *body,
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _seen(markup: Markup) -> Markup:
    """Write characters that cannot be seen by their codes."""
    return Markup(_UNSEEN.sub(_code, markup))


def _code(found: re.Match[str]) -> str:
    """Return a character that cannot be seen by its code, as JSON writes it."""
    return f"\\u{ord(found[0]):04x}"


def _section(one: Section, draw: Drawer, *, is_open: bool) -> Markup:
    heading = tag("h2", one.title, id=f"{one.name}-heading")
    # Browsers unfold what holds the target of a link, so the target is inside of the fold.
    blocks = tag("div", block_html(one.blocks, draw), id=f"{one.name}-blocks")
    parts = [heading, blocks] if is_open else [tag("details", tag("summary", heading), blocks)]
    return _seen(tag("section", *parts, id=one.name, **{"aria-labelledby": f"{one.name}-heading"}))
