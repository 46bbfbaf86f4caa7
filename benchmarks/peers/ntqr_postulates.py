"""The axioms of `ntqr` as polynomials: their values at points on and off the variety.

The sign of a polynomial is a convention: where its own is the other one, the value is negated.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

from benchmarks.peers.conformance import NotAsked, Quantity, exactly
from benchmarks.peers.sympy_numbers import surd_from_sympy
from ntqr_exact.exact.json_text import as_document

JUDGES = "ijk"


def _symbols(judges: int) -> list[list[str]]:
    """The names in the module `paxioms`: prevalences, accuracies by judge, correlations by label, frequencies."""
    names = JUDGES[:judges]
    subsets = ["".join(subset) for size in range(2, judges + 1) for subset in combinations(names, size)]
    return [
        ["pa", "pb"],
        [f"p{judge}{label}" for judge in names for label in "ab"],
        [f"g{subset}{label}" for label in "ab" for subset in subsets],
        [
            "f" + "".join(f"{label}{judge}" for label, judge in zip(pattern, names, strict=True))
            for pattern in product("ab", repeat=judges)
        ],
    ]


def _point(document: dict[str, Any]) -> dict[str, Any]:
    """The values of all names at the point of an input; a point without all its rates has none."""
    judges, counts = document["judges"], [exactly(count) for count in document["counts"]]
    if len(counts) != 2**judges or min(counts) < 0 or not sum(counts):
        raise NotAsked
    rates = _rates_of_key(document["key"], judges) if "key" in document else document["rates"]
    flat = [
        rates["prevalence"],
        [rate for pair in rates["accuracies"] for rate in pair],
        [value for values in rates["correlations"] for value in values],
        [count / sum(counts) for count in counts],
    ]
    point = {
        name: _number(value)
        for names, values in zip(_symbols(judges), flat, strict=True)
        for name, value in zip(names, values, strict=True)
    }
    for judge, name in enumerate(JUDGES[:judges]):
        for place, label in enumerate("ab"):
            patterns = product(range(2), repeat=judges)
            total = sum(n for n, pattern in zip(counts, patterns, strict=True) if pattern[judge] == place)
            point[f"f{label}{name}"] = _number(total / sum(counts))
    if judges == 2:
        moment = point["fbibj"] - point["fbi"] * point["fbj"]
        point["deltaij"] = _number(document["moment"]) if "moment" in document else moment
    return point


def _number(value: Any) -> Any:
    import sympy

    if value is None:
        raise NotAsked
    if isinstance(value, dict):
        rational, coefficient, radicand = (
            _number(value[part]) for part in ("rational", "coefficient", "radicand")
        )
        return rational + coefficient * sympy.sqrt(radicand)
    number = exactly(value)
    return sympy.Rational(number.numerator, number.denominator)


def _rates_of_key(key: list[list[Any]], judges: int) -> dict[str, Any]:
    """The rates of a key; one that leaves a label without questions has no rates there."""
    if len(key) != 2 or any(len(counts) != 2**judges or min(counts) < 0 for counts in key):
        raise NotAsked
    sizes = [sum(counts) for counts in key]
    if not all(sizes):
        raise NotAsked
    patterns = list(product(range(2), repeat=judges))
    right = [
        [
            Fraction(sum(n for n, p in zip(counts, patterns, strict=True) if p[judge] == label), sizes[label])
            for label, counts in enumerate(key)
        ]
        for judge in range(judges)
    ]
    subsets = [s for size in range(2, judges + 1) for s in combinations(range(judges), size)]
    correlations = [
        [
            sum(
                n * prod((pattern[judge] == label) - right[judge][label] for judge in subset)
                for n, pattern in zip(counts, patterns, strict=True)
            )
            / sizes[label]
            for subset in subsets
        ]
        for label, counts in enumerate(key)
    ]
    prevalence = [Fraction(size, sum(sizes)) for size in sizes]
    return {"prevalence": prevalence, "accuracies": right, "correlations": correlations}


def _residual(names: str, place: int | None, sign: int) -> Quantity:
    """The value of a polynomial of `paxioms`, at a place in a list or alone."""

    def ask(document: dict[str, Any]) -> Any:
        import sympy
        from ntqr.r2 import paxioms

        found = getattr(paxioms, names)
        polynomial = found if place is None else found[place]
        values = {getattr(paxioms, name): value for name, value in _point(document).items()}
        value = sympy.expand(sign * polynomial.xreplace(values))
        return as_document(surd_from_sympy(value))

    return ask


def _counted(label: str) -> Quantity:
    """The value of an axiom in counts: it denotes the wrong answers, so that a key is needed."""

    def ask(document: dict[str, Any]) -> Any:
        from ntqr.r2.raxioms import SingleClassifierAxioms

        if "key" not in document or len(document["counts"]) != 2:
            raise NotAsked
        axioms = SingleClassifierAxioms(("a", "b"), "i")
        key = document["key"]
        if [len(row) for row in key] != [2, 2] or min(map(min, key)) < 0 or min(document["counts"]) < 0:
            raise NotAsked
        if not sum(document["counts"]) or not sum(map(sum, key)):
            raise NotAsked
        values = {axioms.questions_number[name]: sum(row) for name, row in zip("ab", key, strict=True)}
        values |= {axioms.responses[name]: n for name, n in zip("ab", document["counts"], strict=True)}
        errors = {name: axioms.responses_by_label[name]["errors"] for name in "ab"}
        values |= {errors["a"]["b"]: key[0][1], errors["b"]["a"]: key[1][0]}
        return -int(axioms.evaluate_axioms(values)[label])

    return ask


PAIR = "pair_binary_classifiers"
POSTULATES: dict[str, dict[str, Quantity]] = {
    "single-postulates": {
        "residuals/5": _residual("prelances_sum_to_one", None, 1),
        "residuals/11": _counted("a"),
        "residuals/12": _counted("b"),
        "residuals/14": _residual("single_binary_classifier_generating_set", 0, -1),
        "residuals/15": _residual("single_binary_classifier_generating_set", 1, -1),
        "residuals/16": _residual("single_binary_classifier_axiom", None, 1),
    },
    "pair-postulates": {
        **{
            f"residuals/26{name}": _residual(f"{PAIR}_generating_set", n, -1) for n, name in enumerate("abcd")
        },
        **{f"residuals/33{name}": _residual(f"{PAIR}_axioms", n, 1) for n, name in enumerate("cef")},
    },
    "trio-postulates": {
        f"residuals/f({','.join(pattern)})": _residual("trio_binary_classifiers_generating_set", place, -1)
        for place, pattern in enumerate(product("ab", repeat=3))
    },
}
