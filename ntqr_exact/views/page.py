"""A study or a result as one HTML file that loads nothing and runs nothing, with its pictures as SVG inside.

A picture is drawn in our own style, whatever the user has set, and with a fixed salt for its names, so that the same
data give the same bytes. Its colours are named: the page shows them light or dark.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

from ntqr_exact import __version__
from ntqr_exact.blocks.block import Picture, Section
from ntqr_exact.blocks.html import Drawer, Markup, block_html, tag
from ntqr_exact.budget import accounted
from ntqr_exact.errors import BadNumber
from ntqr_exact.views.plots.style import HOVER, checked_matplotlib, settings, themed, variables

# Control characters are not text, and those that turn the direction of writing would turn all that follows a name.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a browser may load or run for this page: nothing but the style inside it."""

_LIGHT = "--band: #f3f5f7; --link: #00518a; --alarm: #a33b00; --calm: #006b4e;"
_DARK = "--band: #22262a; --link: #7cc4f5; --alarm: #ffa36b; --calm: #5fd3ae;"
_PRINT = "--ink: #000; --paper: #fff; --soft: #222; --band: #fff; --link: #000; --alarm: #000; --calm: #000;"
"""Colours of the text besides those of the pictures; in print all text is black."""

_FOOTER = (
    f"Made by ntqr-exact {__version__}. Every number is exact; decimals are rounded for reading. "
    "This file loads nothing and runs nothing."
)


def html_page(value: Any, title: str) -> str:
    """Return a whole HTML document of a study or a result, always the same bytes.

    Raises `MissingExtra` without matplotlib if there are pictures to draw.

    >>> from ntqr_exact import VoteCounts, study_votes
    >>> text = html_page(study_votes(VoteCounts({"aab": 2, "bbb": 1}, judges=["<A>", "B", "C"])), "My test")
    >>> text.startswith("<!DOCTYPE html>"), "&lt;A&gt;" in text, "<A>" in text
    (True, True, False)
    """
    with accounted():  # the work of printing is not limited by the work of computing
        return page(title, value.sections())


def page(title: str, sections: Sequence[Section]) -> str:
    """Return a whole HTML document with the first section open, contents, and the others folded.

    A picture of several sections is drawn in the first of them.
    """
    first, *others = sections
    drawn: set[str] = set()

    def draw(picture: Picture) -> Markup:
        if picture.name in drawn:
            return Markup("")
        drawn.add(picture.name)
        return drawn_picture(picture)

    contents = tag("ol", *(tag("li", tag("a", one.title, href=f"#{one.name}-blocks")) for one in others))
    body = [
        _visible(tag("header", tag("h1", title))),
        tag(
            "main",
            _section(first, draw, is_open=True),
            tag("nav", tag("h2", "All the details"), contents, **{"aria-label": "Contents"})
            if others
            else "",
            *(_section(one, draw, is_open=False) for one in others),
        ),
        tag("footer", tag("p", _FOOTER)),
    ]
    metas = [
        'charset="utf-8"',
        'name="viewport" content="width=device-width, initial-scale=1"',
        f'http-equiv="Content-Security-Policy" content="{_POLICY}"',
        'name="referrer" content="no-referrer"',
    ]
    head = [*(f"<meta {one}>" for one in metas), _visible(tag("title", title)), f"<style>{_style()}</style>"]
    parts = ["<!DOCTYPE html>", '<html lang="en">', "<head>", *head, "</head>", "<body>", *body]
    return "\n".join([*parts, "</body>", "</html>\n"])


def _style() -> str:
    """Return the style sheet: `report.css`, after the colours of both themes."""
    rules = files("ntqr_exact.views").joinpath("report.css").read_text(encoding="utf-8")
    return f"""
:root {{ color-scheme: light dark; {variables("light")} {_LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root {{ {variables("dark")} {_DARK} }} }}

{rules.replace("PRINTED", f"{variables('light')} {_PRINT}")}"""


def _visible(markup: Markup) -> Markup:
    """Write invisible characters by their codes, as JSON does."""
    return Markup(_UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", markup))


def _section(one: Section, draw: Drawer, *, is_open: bool) -> Markup:
    heading = tag("h2", one.title or "Result", id=f"{one.name}-heading")
    # Browsers unfold what holds the target of a link, so the target is inside of the fold.
    blocks = tag("div", block_html(one.blocks, draw), id=f"{one.name}-blocks")
    parts = [heading, blocks] if is_open else [tag("details", tag("summary", heading), blocks)]
    return _visible(tag("section", *parts, id=one.name, **{"aria-labelledby": f"{one.name}-heading"}))


_SALT = "ntqr-exact"
_NO_METADATA: dict[str, Any] = dict.fromkeys(("Creator", "Date", "Format", "Type"))
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_COMMENT = re.compile("<!--.*?-->", re.DOTALL)
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_LEFT_OUT = {"metadata", "style"}
_NARROW = 4.8
"""Inches across: what a telephone still shows with text that can be read."""


def drawn_picture(picture: Picture) -> Markup:
    """Return a picture of a study as a figure: its drawing is a function of `views.plots`."""
    from ntqr_exact.views import plots

    def draw(axes: Any) -> None:
        getattr(plots, picture.drawing)(*picture.data, **picture.options, axes=axes)

    return figure(picture.name, picture.caption, draw, height=picture.height / 10)


def figure(name: str, title: str, draw: Callable[[Any], object], *, height: Any = 4) -> Markup:
    """Return a picture with its title, which is read aloud where it cannot be seen, too.

    `draw` gets axes as wide as a telephone and `height` inches high. `name` is the picture's own in this page. Raises
    `MissingExtra` without matplotlib.
    """
    drawing = _named(_svg(draw, height), name, title)
    return tag("figure", tag("div", drawing, kind="picture"), tag("figcaption", title))


def _svg(draw: Callable[[Any], object], height: Any) -> str:
    """Return the drawing with letters as shapes; if a name needs letters that the font has not, with text."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        shapes = _drawn(draw, height, "path")
    if any("missing from" in str(warning.message) for warning in caught):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _drawn(draw, height, "none")
    return shapes


def _drawn(draw: Callable[[Any], object], height: Any, letters: str) -> str:
    matplotlib = checked_matplotlib()
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({**settings("light"), "svg.hashsalt": _SALT, "svg.fonttype": letters})
        made = Figure(figsize=(_NARROW, height), layout="constrained")
        FigureCanvasSVG(made)
        written = io.BytesIO()
        try:
            draw(made.subplots())
            made.savefig(written, format="svg", metadata=_NO_METADATA)
        except (OverflowError, BadNumber):  # a float ends at 1.8e308, and an axis before that
            made.clear()
            made.text(0.5, 0.5, "The numbers are too large to be drawn.", horizontalalignment="center")
            written = io.BytesIO()
            made.savefig(written, format="svg", metadata=_NO_METADATA)
    return themed(written.getvalue().decode("utf-8"))


def _named(svg: str, name: str, title: str) -> Markup:
    """Return the drawing as a part of a page: without a name space, with names of its own, and with its title."""
    root = ElementTree.fromstring(_NOT_XML.sub("", _COMMENT.sub("", svg)))
    _strip(root, name)
    for size in ("width", "height", "version"):
        root.attrib.pop(size, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title")
    first = ElementTree.Element("title", {"id": f"{name}-title"})
    first.text = title
    root.insert(0, first)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _strip(node: ElementTree.Element, name: str) -> None:
    node.tag = _local(node.tag)
    if node.tag not in {"text", "tspan"}:
        node.text = node.text.strip() if node.text else None
    attributes = {_local(key): value for key, value in node.attrib.items()}
    node.attrib.clear()
    for key, value in attributes.items():
        if key == "id" and value.startswith(HOVER):
            title = ElementTree.SubElement(node, "title")
            title.text = value.removeprefix(HOVER)
        elif key == "id":
            node.set(key, f"{name}-{value}")
        elif key == "href":
            node.set(key, f"#{name}-{value.removeprefix('#')}")
        else:
            node.set(key, _REFERENCE.sub(rf"url(#{name}-\1)", value))
    for child in list(node):
        if _local(child.tag) in _LEFT_OUT:
            node.remove(child)
            continue
        child.tail = "\n"
        _strip(child, name)


def _local(qualified: str) -> str:
    return qualified.rpartition("}")[2]
