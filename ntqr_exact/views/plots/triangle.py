"""The triangle of three labels: where a vector (p₁, p₂, p₃) with sum 1 stands in the plane."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gmpy2 import mpq

from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.surd import Surd
from ntqr_exact.views.drawing_numbers import drawn
from ntqr_exact.views.plots.style import hue

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = Surd.sqrt(3) / 2


def simplex_point(shares: Iterable[mpq]) -> tuple[float, float]:
    """Return where a vector is drawn: x = p₂ + p₃/2, y = p₃·√3/2; the first label is the corner on the left.

    >>> simplex_point([mpq(0), mpq(0), mpq(1)])
    (0.5, 0.8660254037844386)

    Raises `BadSamples` for other than three labels.
    """
    vector = tuple(shares)
    if len(vector) != 3:
        raise BadSamples(len(vector), "a triangle has three labels")
    _, second, third = vector
    return drawn(second + third / 2), drawn(third * _HEIGHT)


def draw_triangle(axes: Axes, names: Sequence[str]) -> None:
    """Draw the triangle with a name, made `plain` already, at each corner, and nothing around it."""
    corners = [simplex_point(mpq(int(i == j)) for j in range(3)) for i in range(3)]
    axes.plot(*zip(*corners, corners[0], strict=True), color=hue("ink"), linewidth=1.2, zorder=4)
    places = (("right", "top"), ("left", "top"), ("center", "bottom"))
    for name, (x, y), (side, edge) in zip(names, corners, places, strict=True):
        shift = {"right": -4, "left": 4, "center": 0}[side]
        axes.annotate(
            name,
            (x, y),
            xytext=(shift, 4 if edge == "bottom" else -2),
            textcoords="offset points",
            ha=side,
            va=edge,
            fontsize=10,
        )
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_xlim(-0.12, 1.12)
    axes.set_ylim(-0.08, 0.95)
