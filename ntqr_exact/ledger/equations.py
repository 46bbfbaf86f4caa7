"""A printed formula against the right one: identities that all sources share."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ntqr_exact.algebra.formula import Formula, read_formula
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.checks import check
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, decided

_DECIMAL = re.compile(r"\d*\.\d+")


def formula(text: str, names: Mapping[str, str] | None = None) -> Formula:
    """Return a formula in which decimals are exact, and names stand for what `names` says.

    A name may be explained by names that stand before it.

    >>> str(formula("0.5*P", {"n": "a + b", "P": "a/n"}))
    '(1/2·a) / (a + b)'
    """
    known: dict[str, Formula] = {}
    for name, meaning in (names or {}).items():
        known[name] = _read(meaning, known)
    return _read(text, known)


def _read(text: str, known: Mapping[str, Formula]) -> Formula:
    return read_formula(_DECIMAL.sub(lambda match: f"({rational(match[0])})", text), known)


@check
def same(
    printed: str | tuple[str, ...],
    *,
    exact: str,
    names: Mapping[str, str] | None = None,
    because: str = "",
) -> Finding:
    """Return whether each printed side is the right formula, identically, once the names are put in."""
    sides = (printed,) if isinstance(printed, str) else tuple(printed)
    right = formula(exact, names)
    parts = {}
    for side in sides:
        found = formula(side, names)
        holds = found.equals(right)
        text = f"{side} {'is' if holds else 'is not'} {exact}, identically"
        parts[side] = decided(holds, text, *([because] if because else []), right=exact, slip=True)
    return all_of(parts)
