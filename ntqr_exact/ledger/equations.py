"""A printed formula against the right one: identities that all sources share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.judgement import Finding, all_of, as_printed
from ntqr_exact.postulates.polynomial import Formula, Polynomial, read_formula

_DECIMAL = re.compile(r"\d*\.\d+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_GREEK = {"pi": r"\pi", "phi": r"\varphi"}


class FormulaText(str):
    r"""A printed formula in the language of `postulates.formula`, which shows itself in LaTeX.

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


def derivative(form: Polynomial, name: str) -> Polynomial:
    """Return ∂form/∂name, term by term.

    >>> str(derivative(read_formula("a**3*b - b").polynomial(), "a"))
    '3·a²·b'
    """
    total = Polynomial()
    for monomial, coefficient in form.terms.items():
        powers = dict(monomial)
        if power := powers.get(name, 0):
            factors = (
                Polynomial.variable(each) ** (exponent - (each == name)) for each, exponent in monomial
            )
            total = total + prod(factors, start=Polynomial.constant(power * coefficient))
    return total


def _read(text: str, known: Mapping[str, Formula]) -> Formula:
    return read_formula(_DECIMAL.sub(lambda match: f"({rational(match[0])})", text), known)


def same(printed: Sides, *, exact: str, names: Mapping[str, str] | None = None, because: str = "") -> Finding:
    """Return whether each printed side is the right formula, identically, once the names are put in."""
    right = formula(exact, names)
    parts: dict[str, Finding] = {}
    for side in printed.texts:
        found = formula(side, names)
        holds = found.equals(right)
        text = f"{side} {'is' if holds else 'is not'} {exact}, identically"
        parts[side] = as_printed(holds, text, because, right=exact)
    return all_of(parts)
