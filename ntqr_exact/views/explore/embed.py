"""Interactive pictures inside a page that loads nothing: the program that draws stands in it once."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from ntqr_exact.blocks.html import Markup, tag
from ntqr_exact.views.explore.ground import plotly_script

_CONFIG = '{"responsive": true, "displayModeBar": false}'
_STEP_BACK = """.then((shown) => {
  const scene = shown.layout.scene;
  if (scene && shown.clientWidth < 520) {
    const {x, y, z} = scene.camera.eye;
    return Plotly.relayout(shown, {"scene.camera.eye": {x: 1.35 * x, y: 1.35 * y, z: 1.35 * z}});
  }
});"""
"""On a telephone the names of the axes of a space would be cut: look at it from further away."""

_SCRIPT = re.compile("<script>(.*?)</script>", re.DOTALL)


def placed(figure: Any, name: str) -> Markup:
    """Return a figure of plotly as a part of a page that has `plotly_script` before it; `name` is its own."""
    # A name from the data could end the script; as JSON it may be written by its code.
    drawing = (
        str(figure.to_json())
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )
    place = tag("div", id=f"{name}-explore", role="figure", **{"class": "explore"})
    program = f'Plotly.newPlot("{name}-explore", {{...{drawing}, "config": {_CONFIG}}})'
    return Markup(f"{place}<script>{program}{_STEP_BACK}</script>")


class Shown:
    """A figure that a notebook shows, live or on a page; the program that draws stands in the first one."""

    __slots__ = ("_markup", "figure")

    def __init__(self, figure: Any, markup: Markup) -> None:
        """Keep the figure of plotly, and its markup."""
        self.figure, self._markup = figure, markup

    def _repr_html_(self) -> str:
        return self._markup


_shown = count()


def in_notebook(figure: Any) -> Shown:
    """Return a figure for a notebook that is also read as a static page, without a network."""
    number = next(_shown)
    drawing = placed(figure, f"shown{number}")
    return Shown(figure, drawing if number else Markup(script_once() + drawing))


def policy(page: str) -> str:
    """Return the policy of a page: its own scripts run, known by their digests, and nothing is loaded.

    >>> policy("<script>1</script>")
    "script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"
    """
    digests = [
        base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
        for script in _SCRIPT.findall(page)
    ]
    return " ".join(["script-src", *(f"'sha256-{digest}'" for digest in digests)])


def script_once() -> Markup:
    """Return the program that draws all interactive pictures of a page."""
    return Markup(f"<script>{plotly_script()}</script>")


def interactive_page(
    figures: Iterable[Any], *, titles: Sequence[str] = (), title: str = "Pictures to turn"
) -> str:
    """Return one HTML page with figures of plotly that loads nothing from a network.

    Raises `MissingExtra` without plotly.
    """
    shown = list(figures)
    named = [*titles, *[""] * (len(shown) - len(titles))]
    parts = [script_once(), tag("h1", title)]
    for place, (figure, name) in enumerate(zip(shown, named, strict=True), start=1):
        parts += [tag("h2", name)] * bool(name)
        parts.append(placed(figure, f"picture{place}"))
    body = "\n".join(parts)
    rules = f"default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; {policy(body)}"
    style = (
        ":root { color-scheme: light dark; } "
        "body { font-family: sans-serif; max-width: 60rem; margin: 0 auto; padding: 0 0.8rem; }"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{rules}">\n'
        f"{tag('title', title)}\n<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
