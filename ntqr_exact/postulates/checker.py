"""A small checker of derivations that shares no code with what makes them.

It reads JSON documents and uses nothing but Python's dictionaries and fractions: every product is expanded, like
terms are collected, and the sum is compared with the target. It can be copied out of the library and run alone:
`python checker.py FILE...` prints the problems it finds.

>>> problems({"format": "ntqr-exact derivation 1", "claim": {"x^2": "1", "1": "-1"},
...     "given": [{"name": "one", "polynomial": {"x": "1", "1": "-1"}}],
...     "steps": [{"name": "end", "target": {"x^2": "1", "1": "-1"},
...                "terms": [{"generator": "one", "cofactor": {"x": "1", "1": "1"}}]}]})
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
    """Return what is wrong with a derivation: nothing, if it proves its claim."""
    try:
        if document["format"] != "ntqr-exact derivation 1":
            return [f"unknown format {document['format']!r}"]
        return _problems(document)
    except (LookupError, TypeError, ValueError, AttributeError, ZeroDivisionError, RecursionError) as error:
        return [f"malformed: {type(error).__name__}: {error}"]


def _problems(document: Any) -> list[str]:
    """Check that each step follows from what is given and from the steps before it, and ends in the claim."""
    result: list[str] = []
    known: dict[str, _Terms] = {}
    seen_variables: set[str] = set()
    for given in document["given"]:
        name, polynomial, defined = given["name"], _read(given["polynomial"]), given.get("defines")
        if name in known:
            result.append(f"{name!r} is given twice")
        if defined is not None:
            # A definition that constrained something known would be an assumption in disguise.
            with_it = [monomial for monomial in polynomial if defined in dict(monomial)]
            if defined in seen_variables or with_it != [((defined, 1),)]:
                result.append(f"{name!r} does not define {defined!r} anew")
        known[name] = polynomial
        seen_variables |= {variable for monomial in polynomial for variable, _ in monomial}
    proven: _Terms | None = None
    for step in document["steps"]:
        name, target = step["name"], _read(step["target"])
        unknown = [term["generator"] for term in step["terms"] if term["generator"] not in known]
        if unknown:
            result.append(f"step {name!r} uses {unknown}, which is neither given nor proven")
        elif (
            _combination([(_read(term["cofactor"]), known[term["generator"]]) for term in step["terms"]])
            != target
        ):
            result.append(f"step {name!r}: the combination is not the target")
        elif name in known:
            result.append(f"step {name!r} takes the name of something known")
        else:
            known[name] = proven = target
    return result if proven == _read(document["claim"]) else [*result, "the last step is not the claim"]


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
        for factor in text.split("*") if text != "1" else ():
            name, _, power = factor.partition("^")
            if not name.isidentifier() or name in powers or int(power or 1) < 1:
                raise ValueError(f"a monomial must be a product of names with exponents, got {text!r}")
            powers[name] = int(power or 1)
        monomial = tuple(sorted(powers.items()))
        if monomial in terms or not isinstance(coefficient, str):
            raise ValueError(f"a term must be unique, its coefficient a text, got {text!r}: {coefficient!r}")
        terms[monomial] = Fraction(coefficient)
    return {monomial: coefficient for monomial, coefficient in terms.items() if coefficient}


if __name__ == "__main__":
    results = {path: problems(json.loads(Path(path).read_text(encoding="utf-8"))) for path in sys.argv[1:]}
    for path, wrong in results.items():
        print(f"{path}: {'; '.join(wrong) or 'proven'}")
    sys.exit(any(results.values()))
