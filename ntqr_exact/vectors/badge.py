"""A badge that says how many families a program passes, as a picture in SVG."""

from __future__ import annotations

from html import escape

_WIDTH = 7
_PADDING = 10
_COLOURS = ("#b91c1c", "#a16207", "#15803d")


def badge(passed: int, tried: int) -> str:
    """Return the picture of "ntqr vectors: passed/tried families".

    >>> badge(3, 3).count("3/3 families")
    3
    """
    label, value = "ntqr vectors", f"{passed}/{tried} {'family' if tried == 1 else 'families'}"
    left, right = (len(words) * _WIDTH + _PADDING for words in (label, value))
    colour = _COLOURS[0 if not passed else 1 + (passed == tried)]
    title = escape(f"{label}: {value}")
    texts = "".join(
        f'<text x="{start + width // 2}" y="14" text-anchor="middle">{escape(words)}</text>'
        for start, width, words in ((0, left, label), (left, right, value))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{title}"><title>{title}</title>'
        f'<rect width="{left}" height="20" fill="#404040"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{colour}"/>'
        f'<g fill="#ffffff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">{texts}</g></svg>\n'
    )
