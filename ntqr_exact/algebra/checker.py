"""A small checker of certificates that shares no code with what makes them.

It reads JSON documents and uses nothing but Python's dictionaries and fractions: every product is
expanded, like terms are collected, and the sum is compared with the target. It can be copied out of the
library and run alone: `python checker.py FILE...` prints the problems it finds.

>>> x_squared = {"format": "ntqr-exact certificate 1", "target": {"x^2": "1", "1": "-1"}, "terms": [
...     {"name": "one", "generator": {"x": "1", "1": "-1"}, "cofactor": {"x": "1", "1": "1"}}]}
>>> problems(x_squared)
[]
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

_Terms: TypeAlias = dict[tuple[tuple[str, int], ...], Fraction]


def problems(document: Any) -> list[str]:
    """Return what is wrong with a certificate or a derivation: nothing, if it proves its claim."""
    try:
        match document["format"]:
            case "ntqr-exact certificate 1":
                return _certificate_problems(document)
            case "ntqr-exact derivation 1":
                return _derivation_problems(document)
            case unknown:
                return [f"unknown format {unknown!r}"]
    except (LookupError, TypeError, ValueError, AttributeError, ZeroDivisionError, RecursionError) as error:
        return [f"malformed: {type(error).__name__}: {error}"]


def _certificate_problems(document: Any) -> list[str]:
    pairs = [(_read(term["cofactor"]), _read(term["generator"])) for term in document["terms"]]
    return [] if _combination(pairs) == _read(document["target"]) else ["the combination is not the target"]


def _derivation_problems(document: Any) -> list[str]:
    """Check that each step follows from what is given and from the steps before it, and ends in the claim."""
    found: list[str] = []
    known: dict[str, _Terms] = {}
    seen_variables: set[str] = set()
    for given in document["given"]:
        name, polynomial = given["name"], _read(given["polynomial"])
        if name in known:
            found.append(f"{name!r} is given twice")
        defined = given.get("defines")
        if defined is not None and (defined in seen_variables or not _gives(polynomial, defined)):
            # A definition that constrained something known would be an assumption in disguise.
            found.append(f"{name!r} does not define {defined!r} anew")
        known[name] = polynomial
        seen_variables |= _variables(polynomial)
    proven: _Terms | None = None
    for step in document["steps"]:
        name, target = step["name"], _read(step["target"])
        unknown = [term["generator"] for term in step["terms"] if term["generator"] not in known]
        if unknown:
            found.append(f"step {name!r} uses {unknown}, which is neither given nor proven")
            continue
        pairs = [(_read(term["cofactor"]), known[term["generator"]]) for term in step["terms"]]
        if _combination(pairs) != target:
            found.append(f"step {name!r}: the combination is not the target")
            continue
        if name in known:
            found.append(f"step {name!r} takes the name of something known")
        known[name] = proven = target
    if proven != _read(document["claim"]):
        found.append("the last step is not the claim")
    return found


def _combination(pairs: list[tuple[_Terms, _Terms]]) -> _Terms:
    total: _Terms = {}
    for left, right in pairs:
        for left_monomial, left_coefficient in left.items():
            for right_monomial, right_coefficient in right.items():
                powers = dict(left_monomial)
                for name, power in right_monomial:
                    powers[name] = powers.get(name, 0) + power
                monomial = tuple(sorted(powers.items()))
                total[monomial] = total.get(monomial, Fraction(0)) + left_coefficient * right_coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def _read(polynomial: dict[str, str]) -> _Terms:
    terms: _Terms = {}
    for text, coefficient in polynomial.items():
        powers: dict[str, int] = {}
        if text != "1":
            for factor in text.split("*"):
                name, _, power = factor.partition("^")
                if not name.isidentifier() or name in powers or int(power or 1) < 1:
                    raise ValueError(f"not a monomial: {text!r}")
                powers[name] = int(power or 1)
        monomial = tuple(sorted(powers.items()))
        if monomial in terms or not isinstance(coefficient, str):
            raise ValueError(f"not a term: {text!r}: {coefficient!r}")
        terms[monomial] = Fraction(coefficient)
    return {monomial: coefficient for monomial, coefficient in terms.items() if coefficient}


def _variables(polynomial: _Terms) -> set[str]:
    return {name for monomial in polynomial for name, _ in monomial}


def _gives(polynomial: _Terms, variable: str) -> bool:
    """Tell whether the polynomial is c·variable + (something without it), with a number c."""
    return [monomial for monomial in polynomial if variable in dict(monomial)] == [((variable, 1),)]


def _main(paths: list[str]) -> int:
    failed = False
    for path in paths:
        found = problems(json.loads(Path(path).read_text(encoding="utf-8")))
        failed = failed or bool(found)
        print(f"{path}: {'; '.join(found) or 'proven'}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
