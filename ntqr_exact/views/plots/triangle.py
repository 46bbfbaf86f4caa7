"""The triangle of three labels: where a vector (p₁, p₂, p₃) with sum 1 stands in the plane."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gmpy2 import mpq

from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.surd import Surd
from ntqr_exact.views.drawing_numbers import drawn
from ntqr_exact.views.plots.canvas import Axes, note
from ntqr_exact.views.plots.style import hue

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


CORNERS = [simplex_point(mpq(int(i == j)) for j in range(3)) for i in range(3)]
"""Where the corners of the triangle are drawn, the first label first."""


def draw_triangle(axes: Axes, names: Sequence[str]) -> None:
    """Draw the triangle with a name, made `plain` already, at each corner, and nothing around it."""
    axes.plot(*zip(*CORNERS, CORNERS[0], strict=True), color=hue("ink"), linewidth=1.2, zorder=4)
    places = (("right", "top", (-4, -2)), ("left", "top", (4, -2)), ("center", "bottom", (0, 4)))
    for name, corner, (side, edge, shift) in zip(names, CORNERS, places, strict=True):
        note(axes, name, corner, shift, ha=side, va=edge, fontsize=10)
    axes.axis("off")
    axes.set(aspect="equal", xlim=(-0.12, 1.12), ylim=(-0.08, 0.95))
