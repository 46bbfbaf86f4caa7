"""Theorem 1: on two labels all six scores order alike, each with a proof that is checked symbolically.

With p = (a, 1 − a) and a = max p in [1/2, 1], each score is a function g of a; it orders like `max` if g′ > 0 on
(1/2, 1), as g is continuous on [1/2, 1] (or tends to +∞ at 1). A proof says what g is, and writes g′ as a sum of
rational functions and of positive multiples of logarithms of fractions, where each rational function, and the
excess of each numerator over its denominator, is positive on (1/2, 1).

>>> binary_proof("entropy").problems()
[]
>>> print(binary_proof("jensen-shannon").derivative_text())
1/2·log((3/2·a - a^2)/(1/2 + 1/2·a - a^2))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import comb
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import HALF_JEFFREYS, SCORES, ScoreFunction, ScoreLike, score_function
from ntqr_exact.errors import NotSupported
from ntqr_exact.exact.enclosure import LogSumKey, log_sum_sign

Polynomial: TypeAlias = tuple[mpq, ...]
"""Coefficients in a, from the constant up."""

_POINTS = tuple(mpq(n, 24) for n in range(12, 25))


@dataclass(frozen=True, slots=True)
class LogTerm:
    """The product coefficient(a)·log(argument(a))."""

    coefficient: Polynomial
    argument: Polynomial


@dataclass(frozen=True, slots=True)
class RationalFunction:
    """A rational function, above(a)/below(a)."""

    above: Polynomial
    below: Polynomial


@dataclass(frozen=True, slots=True)
class PositiveLog:
    """The number factor·log(above(a)/below(a)), positive since factor > 0 and above > below > 0."""

    factor: mpq
    above: Polynomial
    below: Polynomial


@dataclass(frozen=True, slots=True)
class BinaryProof:
    """That a score orders vectors of two labels as `max` does: g, and g′ as a sum of positive parts."""

    score: ScoreFunction
    polynomial: Polynomial
    logarithms: tuple[LogTerm, ...]
    positive_fractions: tuple[RationalFunction, ...]
    positive_logarithms: tuple[PositiveLog, ...]
    citation: Citation

    def problems(self) -> list[str]:
        """Return what is wrong with the proof: nothing, if it proves its claim.

        Checked are that g is the score, exactly at points of [1/2, 1]; that the parts sum to g′, symbolically;
        and that each part is positive on (1/2, 1), by the signs of coefficients.
        """
        found = [f"g differs from the score at a = {a}" for a in _POINTS if not self._is_score_at(a)]
        if not self._parts_sum_to_derivative():
            found.append("the parts do not sum to the derivative")
        parts: list[Polynomial] = []
        for fraction in self.positive_fractions:
            parts += [fraction.above, fraction.below]
        for part in self.positive_logarithms:
            parts += [part.below, _minus(part.above, part.below), (part.factor,)]
        found += [
            f"{_text(part)} is not shown to be positive" for part in parts if not positive_on_half(part)
        ]
        if not self.positive_fractions and not self.positive_logarithms:
            found.append("no part is positive")
        return found

    def holds(self) -> bool:
        """Whether the proof has no problems."""
        return not self.problems()

    def derivative_text(self) -> str:
        """Return g′ as the sum of its positive parts."""
        parts = [
            _text(fraction.above)
            if fraction.below == _ONE
            else f"({_text(fraction.above)})/({_text(fraction.below)})"
            for fraction in self.positive_fractions
        ]
        parts += [
            f"{part.factor}·log(({_text(part.above)})/({_text(part.below)}))"
            for part in self.positive_logarithms
        ]
        return " + ".join(parts)

    def _is_score_at(self, a: mpq) -> bool:
        key = self.score.key(ProbabilityVector.of([a, 1 - a]))
        constant = _at(self.polynomial, a)
        terms = [(_at(term.coefficient, a), _at(term.argument, a)) for term in self.logarithms]
        if isinstance(key, LogSumKey):
            if key.infinite:
                return any(m == 0 and c != 0 for c, m in terms)
            ours = [(-c, m) for c, m in terms if c]
            return constant == 0 and (
                log_sum_sign([*((mpq(c, key.divisor), m) for c, m in key.terms), *ours]) == 0
            )
        return not terms and constant == key

    def _parts_sum_to_derivative(self) -> bool:
        import sympy

        a = sympy.Symbol("a", positive=True)
        rational_part = sympy.diff(_expression(self.polynomial, a), a)
        logs: list[tuple[Any, Any]] = []
        for term in self.logarithms:
            c, m = _expression(term.coefficient, a), _expression(term.argument, a)
            rational_part += c * sympy.diff(m, a) / m
            logs.append((sympy.diff(c, a), m))
        for fraction in self.positive_fractions:
            rational_part -= _expression(fraction.above, a) / _expression(fraction.below, a)
        for part in self.positive_logarithms:
            factor = _number(part.factor)
            logs += [(-factor, _expression(part.above, a)), (factor, _expression(part.below, a))]
        return bool(sympy.cancel(sympy.together(rational_part)) == 0) and _log_sum_vanishes(logs, a)


def positive_on_half(polynomial: Sequence[mpq]) -> bool:
    """Tell whether a polynomial is shown to be positive on (1/2, 1).

    With a = (1/2 + t)/(1 + t) and t > 0, (1 + t)^n times it is a polynomial in t; it is positive if no coefficient
    is negative and one is not zero. This is enough, but not needed, for positivity.

    >>> positive_on_half([mpq(-1), mpq(2)]), positive_on_half([mpq(1), mpq(-2)])
    (True, False)
    """
    degree = len(polynomial) - 1
    total = [
        sum(
            coefficient * comb(p, i) * comb(degree - p, power - i) / mpq(2) ** (p - i)
            for p, coefficient in enumerate(polynomial)
            for i in range(max(0, power - degree + p), min(p, power) + 1)
        )
        for power in range(degree + 1)
    ]
    return min(total) >= 0 and max(total) > 0


def binary_proof(score: ScoreLike) -> BinaryProof:
    """Return the proof that a score orders vectors of two labels as `max` does.

    Raises `NotSupported` for a score that has none here; make a `BinaryProof` of your own.
    """
    function = score_function(score)
    if function.name not in _PROOFS or _PROOFS[function.name].score is not function:
        raise NotSupported(function.name, f"proofs are here for {', '.join(_PROOFS)}")
    return _PROOFS[function.name]


def _poly(*coefficients: int | str) -> Polynomial:
    return tuple(mpq(coefficient) for coefficient in coefficients)


_ONE, _A, _B = _poly(1), _poly(0, 1), _poly(1, -1)
_ENTROPY = (LogTerm(_A, _A), LogTerm(_B, _B))
_SLOPE = (RationalFunction(_poly(-2, 4), _ONE),)


def _proof(
    item: int,
    score: str,
    g: tuple[Polynomial, tuple[LogTerm, ...]],
    fractions: tuple[RationalFunction, ...] = (),
    logarithms: tuple[PositiveLog, ...] = (),
) -> BinaryProof:
    citation = Citation("orderings", f"theorem 1, item {item}")
    return BinaryProof(SCORES.get(score, HALF_JEFFREYS), *g, fractions, logarithms, citation)


_PROOFS = {
    proof.score.name: proof
    for proof in (
        _proof(1, "max", (_A, ()), (RationalFunction(_ONE, _ONE),)),
        _proof(2, "l2", (_poly(1, -2, 2), ()), _SLOPE),
        _proof(3, "l1-uniform", (_poly(-1, 2), ()), (RationalFunction(_poly(2), _ONE),)),
        _proof(4, "l2-uniform", (_poly("1/2", -2, 2), ()), _SLOPE),
        _proof(5, "entropy", (_poly(0), _ENTROPY), (), (PositiveLog(mpq(1), _A, _B),)),
        _proof(
            6,
            "jensen-shannon",
            (
                _poly(0),
                (
                    LogTerm(_poly(0, "1/2"), _A),
                    LogTerm(_poly("1/2", "-1/2"), _B),
                    LogTerm(_poly("-1/4", "-1/2"), _poly("1/2", 1)),
                    LogTerm(_poly("-3/4", "1/2"), _poly("3/2", -1)),
                    LogTerm(_poly("1/2"), _poly(2)),
                ),
            ),
            (),
            (PositiveLog(mpq(1, 2), _poly(0, "3/2", -1), _poly("1/2", "1/2", -1)),),
        ),
        _proof(
            6,
            "jensen-shannon-printed",
            (_poly(0), (LogTerm(_poly("-1/4", "1/2"), _A), LogTerm(_poly("1/4", "-1/2"), _B))),
            (RationalFunction(_poly("-1/4", "1/2"), _poly(0, 1, -1)),),
            (PositiveLog(mpq(1, 2), _A, _B),),
        ),
    )
}


def _at(polynomial: Polynomial, a: mpq) -> mpq:
    return sum((coefficient * a**power for power, coefficient in enumerate(polynomial)), mpq(0))


def _minus(left: Polynomial, right: Polynomial) -> Polynomial:
    return tuple(one - other for one, other in zip_longest(left, right, fillvalue=mpq(0)))


def _text(polynomial: Polynomial) -> str:
    parts = []
    for power, coefficient in enumerate(polynomial):
        if coefficient:
            name = ("", "a", f"a^{power}")[min(power, 2)]
            size = abs(coefficient)
            number = "" if size == 1 and name else str(size)
            parts.append(("- " if coefficient < 0 else "+ ") + "·".join(filter(None, (number, name))))
    text = " ".join(parts) or "0"
    return text.removeprefix("+ ") if text.startswith("+") else text.replace("- ", "-", 1)


def _log_sum_vanishes(logs: Sequence[tuple[Any, Any]], a: Any) -> bool:
    """Tell whether Σ c(a)·log m(a) vanishes, coefficient by coefficient, over the irreducible factors of all m.

    Every m is positive on (1/2, 1), so that log m = log |content| + Σ e·log |factor|.
    """
    import sympy

    sums: dict[Any, Any] = {}
    for c, m in logs:
        content, factors = sympy.factor_list(m, a)
        primes = sympy.factorrat(abs(content)) if content not in {0, 1, -1} else {}
        for factor, exponent in [*factors, *primes.items()]:
            sums[factor] = sums.get(factor, 0) + c * exponent
    return all(sympy.expand(total) == 0 for total in sums.values())


def _number(value: mpq) -> Any:
    import sympy

    return sympy.Rational(int(value.numerator), int(value.denominator))


def _expression(polynomial: Polynomial, a: Any) -> Any:
    return sum(_number(coefficient) * a**power for power, coefficient in enumerate(polynomial))
