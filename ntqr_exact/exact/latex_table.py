"""LaTeX for notebooks: exact numbers, names as text, and arrays of both.

>>> print(latex_array(["judge", "right"], [["A & B", mpq(1, 2)]]))
\\begin{array}{l|r} \\text{judge} & \\text{right} \\\\ \\hline \\text{A \\& B} & \\frac{1}{2} \\end{array}
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import whole_text
from ntqr_exact.exact.surd import Surd

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    **{character: "\\" + character for character in "#$%&_{}"},
}


def latex_text(name: object) -> str:
    """Return any text so that LaTeX sets it as it is."""
    return "".join(_SPECIAL.get(character, character) for character in str(name))


def latex_cell(value: object) -> str:
    """Return a cell: a number as a formula, anything else as text; of an enum its value."""
    match value:
        case Surd():
            return value.latex()
        case bool():
            return rf"\text{{{value}}}"
        case int():
            return whole_text(value)
        case Enum():
            return rf"\text{{{latex_text(value.value)}}}"
    if isinstance(value, type(mpq(1))):
        sign, top = ("-", -value.numerator) if value < 0 else ("", value.numerator)
        return f"{sign}{top}" if value.denominator == 1 else rf"{sign}\frac{{{top}}}{{{value.denominator}}}"
    return rf"\text{{{latex_text(value)}}}"


def latex_array(header: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    """Return rows under a header as an array; the first column is set apart by a line."""
    lines = [" & ".join(map(latex_cell, row)) for row in (header, *rows)]
    columns = "l|" + "r" * (len(header) - 1)
    body = lines[0] + r" \\ \hline " + r" \\ ".join(lines[1:]) if rows else lines[0]
    return rf"\begin{{array}}{{{columns}}} {body} \end{{array}}"
