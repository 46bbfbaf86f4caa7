"""What is printed, for a reader: as a line of text, and in LaTeX as the source has it.

A type of printed values that has a notation of its own tells it by `text()` and `latex()`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_FRACTION = re.compile(r"(?<![\w.])(\d+)/(\d+)(?![\w.])")
_ROOT = re.compile(r"√\(([^()]*)\)|√(\d+)")


def text_of(value: Any) -> str:
    """Return what is printed in a line: texts as they are, lists and tables with commas.

    >>> text_of({"fraction": "3/8", "decimal": "0.375"}), text_of(["a", "b"])
    ('fraction 3/8, decimal 0.375', 'a, b')
    """
    if hasattr(value, "text") and callable(value.text):
        return str(value.text())
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {text_of(part)}" for key, part in value.items())
    return ", ".join(map(text_of, value)) if isinstance(value, list | tuple) else str(value)


def latex_of(value: Any) -> str:
    r"""Return what is printed as Markdown with LaTeX between dollar signs.

    >>> print(latex_of("3/8"), latex_of(["0.5", "about a half"]))
    $\frac{3}{8}$ $0.5$, about a half
    """
    if hasattr(value, "latex") and callable(value.latex):
        return f"${value.latex()}$"
    if hasattr(value, "text") and callable(value.text):
        return str(value.text())
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {latex_of(part)}" for key, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(latex_of, value))
    text = str(value)
    if re.fullmatch(r"[-−+\d./,()√ eE]+", text):
        return f"${number_latex(text)}$"
    return text


def number_latex(text: str) -> str:
    r"""Return a printed number in LaTeX.

    >>> print(number_latex("-3/8"), number_latex("(1 + √5)/2"), number_latex("1.92e-7"))
    -\frac{3}{8} \frac{1 + \sqrt{5}}{2} 1.92 \cdot 10^{-7}
    """
    text = _ROOT.sub(lambda match: rf"\sqrt{{{match[1] or match[2]}}}", text.replace("−", "-"))
    text = re.sub(r"(?:\(([^()]*)\)|(\\sqrt\{[^{}]*\}))/(\d+)", r"\\frac{\1\2}{\3}", text)
    text = _FRACTION.sub(r"\\frac{\1}{\2}", text)
    return re.sub(r"(\d)[eE]([-+]?\d+)", r"\1 \\cdot 10^{\2}", text).replace(",", "{,}")
