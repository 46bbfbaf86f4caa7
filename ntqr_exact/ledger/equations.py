"""A printed formula against the right one: identities that all sources share."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.judgement import Finding, all_of, as_printed
from ntqr_exact.postulates.polynomial import Polynomial, read_formula


def formula(text: str, names: Mapping[str, str] | None = None) -> Polynomial:
    """Return a formula in which decimals are exact, and `names` are replaced by formulas in earlier names."""
    known: dict[str, Polynomial] = {}
    for name, meaning in (names or {}).items():
        known[name] = _read(meaning, known)
    return _read(text, known)


def _read(text: str, known: Mapping[str, Polynomial]) -> Polynomial:
    return read_formula(re.sub(r"\d*\.\d+", lambda match: f"({rational(match[0])})", text), known)


def alike(first: Polynomial, second: Polynomial | str) -> bool:
    """Return whether two formulas are the same function, wherever both are defined."""
    return first == (formula(second) if isinstance(second, str) else second)


def mean(form: Polynomial, known: Mapping[str, str]) -> Polynomial:
    """Return E of a formula of degree 2 at most in random names; `known` has the moments, as "s" and "s s"."""
    names = sorted({name for key in known for name in key.split()})

    def at(**values: int) -> Polynomial:
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


def same(printed: str, exact: str, names: dict[str, str] | None = None, because: str = "") -> Finding:
    """Return whether each side of a printed equation is the right formula, identically, once the names are put in."""
    right = formula(exact, names)
    parts: dict[str, Finding] = {}
    for side in printed.split(" = "):
        holds = alike(formula(side, names), right)
        text = f"{side} {'is' if holds else 'is not'} {exact}, identically"
        parts[side] = as_printed(holds, text, because, right=exact)
    return all_of(parts)
