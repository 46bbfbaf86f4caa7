"""Pictures inside the page: what matplotlib draws, as SVG that loads nothing and shares no name with another.

A picture is drawn in our own style, whatever the user has set, and with a fixed salt for its names, so that the same
data give the same bytes. Its colours are named: the page shows them light or dark.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from ntqr_exact.blocks.block import Picture
from ntqr_exact.blocks.html import Markup, classed, tag
from ntqr_exact.errors import BadNumber
from ntqr_exact.views.explore.embed import placed
from ntqr_exact.views.plots.canvas import SPACE_BOX
from ntqr_exact.views.plots.style import HOVER, checked_matplotlib, settings, themed

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

    draw = getattr(plots, picture.drawing)
    ground = "figure" if picture.ground == "figure" else "axes"
    return figure(
        picture.name,
        picture.caption,
        lambda given: draw(*picture.data, **picture.options, **{ground: given}),
        height=picture.height / 10,
        ground=picture.ground,
    )


_EXPLORED = {
    "plot_consistent_planes": "explore_planes",
    "plot_judge_planes": "explore_planes",
    "plot_prevalence_quadratic": "explore_quadratic",
    "plot_dependence_funnel": "explore_dependence",
}
"""Drawings that there are to turn and to slide, too, from the same data."""


def explored_picture(picture: Picture) -> Markup:
    """Return a picture, and below it the one to turn if there is one; raises `MissingExtra` without plotly."""
    still = drawn_picture(picture)
    if picture.drawing not in _EXPLORED:
        return still
    from ntqr_exact.views import explore

    moving = getattr(explore, _EXPLORED[picture.drawing])(*picture.data, **picture.options)
    return Markup(f"{still}\n{placed(moving, picture.name)}")


def figure(
    name: str, title: str, draw: Callable[[Any], object], *, height: Any = 4, ground: str = "axes"
) -> Markup:
    """Return a picture with its title, which is read aloud where it cannot be seen, too.

    `draw` gets axes as wide as a telephone and `height` inches high, or a figure. `name` is the picture's own in this
    page. Raises `MissingExtra` without matplotlib.
    """
    drawing = _named(svg(draw, height, ground), name, title)
    return tag("figure", classed("div", drawing, kind="picture"), tag("figcaption", title))


def svg(draw: Callable[[Any], object], height: Any, ground: str = "axes", *, width: Any = _NARROW) -> str:
    """Return the drawing with letters as shapes; if a name needs letters that the font has not, with text."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        shapes = _drawn(draw, (width, height), ground, "path")
    if any("missing from" in str(warning.message) for warning in caught):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _drawn(draw, (width, height), ground, "none")
    return shapes


def _drawn(draw: Callable[[Any], object], size: tuple[Any, Any], ground: str, letters: str) -> str:
    matplotlib = checked_matplotlib()
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({**settings("light"), "svg.hashsalt": _SALT, "svg.fonttype": letters})
        made = Figure(figsize=size, layout=None if ground == "space" else "constrained")
        FigureCanvasSVG(made)
        written = io.BytesIO()
        try:
            match ground:
                case "space":
                    draw(made.add_axes(SPACE_BOX, projection="3d"))
                case "figure":
                    draw(made)
                case _:
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
            told = ElementTree.SubElement(node, "title")
            told.text = value.removeprefix(HOVER)
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
