"""A printed formula against the right one: identities that all sources share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.judgement import Finding, all_of, as_printed
from ntqr_exact.postulates.polynomial import Formula, read_formula

_DECIMAL = re.compile(r"\d*\.\d+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_GREEK = {"pi": r"\pi", "phi": r"\varphi"}


class FormulaText(str):
    r"""A printed formula in the language of `postulates.polynomial`, which shows itself in LaTeX.

    >>> print(FormulaText("2*pR*(1 - phi)**2/N1").latex())
    2 p_{R} (1 - \varphi)^{2}/N_{1}
    """

    __slots__ = ()

    @classmethod
    def from_data(cls, value: str) -> FormulaText:
        """Return the formula that a claim holds as text."""
        return cls(value)

    def latex(self) -> str:
        """Return the formula with indices, Greek letters and powers set as such."""
        text = re.sub(r"\*\*(\d+)", r"^{\1}", self).replace("*", " ")
        return _NAME.sub(lambda match: _name_latex(match[0]), text)


def _name_latex(name: str) -> str:
    if name in _GREEK:
        return _GREEK[name]
    indexed = re.fullmatch(r"([A-Za-z])_?([A-Z]+|\d+|[a-z])", name)
    if indexed and not (name.isalpha() and name.isupper()):
        return f"{indexed[1]}_{{{indexed[2]}}}"
    escaped = name.replace("_", r"\_")
    return name if len(name) == 1 else rf"\mathrm{{{escaped}}}"


@dataclass(frozen=True, slots=True)
class Sides:
    """The sides of a printed equation, or one formula."""

    texts: tuple[FormulaText, ...]

    @classmethod
    def from_data(cls, value: Any) -> Sides:
        """Return the sides that a claim holds as a text or a list."""
        return cls(tuple(map(FormulaText, [value] if isinstance(value, str) else value)))

    @classmethod
    def from_text(cls, text: str) -> Sides:
        """Return the sides of an equation as it is printed."""
        return cls(tuple(map(FormulaText, text.split(" = "))))

    def text(self) -> str:
        """Return the equation in a line."""
        return " = ".join(self.texts)

    def latex(self) -> str:
        """Return the equation in LaTeX."""
        return " = ".join(text.latex() for text in self.texts)


def formula(text: str, names: Mapping[str, str] | None = None) -> Formula:
    """Return a formula in which decimals are exact, and names stand for what `names` says.

    A name may be explained by names that stand before it.

    >>> str(formula("0.5*P", {"n": "a + b", "P": "a/n"}))
    '1/2·a/(a + b)'
    """
    known: dict[str, Formula] = {}
    for name, meaning in (names or {}).items():
        known[name] = _read(meaning, known)
    return _read(text, known)


def alike(first: Formula, second: Formula | str) -> bool:
    """Return whether two formulas are the same function, wherever both are defined."""
    return first == (formula(second) if isinstance(second, str) else second)


def mean(form: Formula, known: Mapping[str, str]) -> Formula:
    """Return E of a formula of degree 2 at most in random names; `known` has the moments, as "s" and "s s".

    >>> str(mean(formula("(s - f)**2"), {"s": "p", "s s": "q", "f": "p", "f f": "p", "f s": "q"}))
    'p − q'
    """
    names = sorted({name for key in known for name in key.split()})

    def at(**values: int) -> Formula:
        return form.substitute({name: formula(str(values.get(name, 0))) for name in names})

    zero, half = at(), formula("1/2")
    total = zero
    for index, one in enumerate(names):
        up, down = at(**{one: 1}), at(**{one: -1})
        total = total + (up - down) * half * formula(known[one])
        total = total + ((up + down) * half - zero) * formula(known[f"{one} {one}"])
        for other in names[index + 1 :]:
            mixed = at(**{one: 1, other: 1}) - at(**{one: 1}) - at(**{other: 1}) + zero
            if not alike(mixed, "0"):
                total = total + mixed * formula(known[f"{one} {other}"])
    return total


def _read(text: str, known: Mapping[str, Formula]) -> Formula:
    return read_formula(_DECIMAL.sub(lambda match: f"({rational(match[0])})", text), known)


def same(printed: Sides, exact: str, names: dict[str, str] | None = None, because: str = "") -> Finding:
    """Return whether each printed side is the right formula, identically, once the names are put in."""
    right = formula(exact, names)
    parts: dict[str, Finding] = {}
    for side in printed.texts:
        found = formula(side, names)
        holds = alike(found, right)
        text = f"{side} {'is' if holds else 'is not'} {exact}, identically"
        parts[side] = as_printed(holds, text, because, right=exact)
    return all_of(parts)
