"""Pictures inside the page: what matplotlib draws, as SVG that loads nothing and shares no name with another.

A picture is drawn under matplotlib's own defaults, whatever the user has set, and with a fixed salt for its
names, so that the same data give the same bytes.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from ntqr_exact.blocks.block import Picture
from ntqr_exact.blocks.html import classed
from ntqr_exact.blocks.markup import Markup, tag
from ntqr_exact.errors import BadNumber, MissingExtra

_SALT = "ntqr-exact"
_NO_METADATA: dict[str, Any] = dict.fromkeys(("Creator", "Date", "Format", "Type"))
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_COMMENT = re.compile("<!--.*?-->", re.DOTALL)
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_LEFT_OUT = {"metadata", "style"}
_INCHES = 6.5


def drawn_picture(picture: Picture) -> Markup:
    """Return a picture of a study as a figure: its drawing is a function of `views.plots`."""
    from ntqr_exact.views import plots

    draw = getattr(plots, picture.drawing)
    return figure(
        picture.name,
        picture.caption,
        lambda axes: draw(*picture.data, **picture.options, axes=axes),
        height=picture.height / 10,
        in_space=picture.in_space,
    )


def figure(
    name: str, title: str, draw: Callable[[Any], object], *, height: Any = 4, in_space: bool = False
) -> Markup:
    """Return a picture with its title, which is read aloud where it cannot be seen, too.

    `draw` gets axes as wide as a page and `height` inches high. `name` is the picture's own in this page.
    Raises `MissingExtra` without matplotlib.
    """
    drawing = _named(_svg(draw, height, in_space), name, title)
    picture = classed(
        "div", drawing, kind="picture", tabindex="0", role="region", **{"aria-label": f"Picture: {title}"}
    )
    return tag("figure", picture, tag("figcaption", title))


def _svg(draw: Callable[[Any], object], height: Any, in_space: bool) -> str:
    """Return the drawing with letters as shapes; if a name needs letters that the font has not, with text."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        shapes = _drawn(draw, height, in_space, "path")
    if any("missing from" in str(warning.message) for warning in caught):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _drawn(draw, height, in_space, "none")
    return shapes


def _drawn(draw: Callable[[Any], object], height: Any, in_space: bool, letters: str) -> str:
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise MissingExtra(
            "matplotlib", "pictures are drawn by matplotlib", "pip install 'ntqr-exact[plots]'"
        ) from None
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.hashsalt": _SALT, "svg.fonttype": letters})
        made = Figure(figsize=(_INCHES, height), layout=None if in_space else "constrained")
        FigureCanvasSVG(made)
        # In space the box of the axes leaves room for a legend on its left.
        written = io.BytesIO()
        try:
            draw(made.add_axes((0.14, 0.11, 0.84, 0.82), projection="3d") if in_space else made.subplots())
            made.savefig(written, format="svg", metadata=_NO_METADATA)
        except (OverflowError, BadNumber):  # a float ends at 1.8e308, and an axis before that
            made.clear()
            made.text(0.5, 0.5, "The numbers are too large to be drawn.", horizontalalignment="center")
            written = io.BytesIO()
            made.savefig(written, format="svg", metadata=_NO_METADATA)
    return written.getvalue().decode("utf-8")


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
        if key == "id":
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
