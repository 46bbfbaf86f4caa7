"""Theorem 1: on two labels all six scores order alike, each with a proof that is checked symbolically.

With p = (a, 1 − a) and a = max p, a score is a function g of a that is continuous on [1/2, 1], or tends to +∞ at 1; it
orders like `max` if g′ > 0 on (1/2, 1). A proof says what g is, and writes g′ as a sum of quotients of polynomials and
of positive multiples of logarithms of such quotients; each of these polynomials, and the excess of each numerator under
a logarithm over its denominator, is positive there.

>>> binary_proof("entropy").problems()
[]
>>> print(binary_proof("jensen-shannon").derivative_text())
1/2·log((-a^2 + 3·a/2)/(-a^2 + a/2 + 1/2))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import HALF_JEFFREYS, SCORES, ScoreFunction, ScoreLike, score_function
from ntqr_exact.errors import NotSupported
from ntqr_exact.exact.enclosure import LogSumKey, log_sum_sign

Polynomial: TypeAlias = Callable[[Any], Any]

_POINTS = tuple(mpq(n, 24) for n in range(12, 25))


@dataclass(frozen=True, slots=True)
class BinaryProof:
    """That a score orders vectors of two labels as `max` does: g, and g′ as a sum of positive parts.

    g is `polynomial` + Σ c·log(m) over `logarithms` (c, m); g′ is Σ p/q over `fractions` (p, q) plus Σ f·log(p/q) over
    `positive_logarithms` (f, p, q). All are polynomials, as functions of a.
    """

    score: ScoreFunction
    polynomial: Polynomial
    logarithms: tuple[tuple[Polynomial, Polynomial], ...]
    fractions: tuple[tuple[Polynomial, Polynomial], ...]
    positive_logarithms: tuple[tuple[Polynomial, Polynomial, Polynomial], ...]

    def problems(self) -> list[str]:
        """Return what is wrong with the proof: nothing, if it proves its claim.

        g must be the score, exactly at points of [1/2, 1]; the parts must sum to g′, and be positive on (1/2, 1).
        """
        result = [f"g differs from the score at a = {a}" for a in _POINTS if not self._is_score_at(a)]
        if not self._parts_sum_to_derivative():
            result.append("the parts do not sum to the derivative")
        parts = [part for fraction in self.fractions for part in fraction]
        for factor, above, below in self.positive_logarithms:
            parts += [factor, below, lambda a, up=above, down=below: up(a) - down(a)]  # type: ignore[misc]
        unproven = [part for part in parts if not positive_on_half(part)]
        result += [f"{_text(part)} is not shown to be positive" for part in unproven]
        if not parts:
            result.append("no part is positive")
        return result

    def derivative_text(self) -> str:
        """Return g′ as the sum of its positive parts."""
        parts = [
            _text(above) if _text(below) == "1" else f"({_text(above)})/({_text(below)})"
            for above, below in self.fractions
        ]
        for part in self.positive_logarithms:
            factor, above, below = map(_text, part)
            parts.append(f"{factor}·log(({above})/({below}))")
        return " + ".join(parts)

    def _is_score_at(self, a: mpq) -> bool:
        key = self.score.key(ProbabilityVector.of([a, 1 - a]))
        constant = mpq(self.polynomial(a))
        terms = [(mpq(c(a)), mpq(m(a))) for c, m in self.logarithms]
        if not isinstance(key, LogSumKey):
            return not terms and constant == key
        if key.infinite:
            return any(m == 0 and c != 0 for c, m in terms)
        theirs = [(mpq(c, key.divisor), m) for c, m in key.terms]
        return constant == 0 and log_sum_sign([*theirs, *((-c, m) for c, m in terms if c)]) == 0

    def _parts_sum_to_derivative(self) -> bool:
        import sympy

        a = _symbol()
        g = _read(self.polynomial) + sum(_read(c) * _log(m) for c, m in self.logarithms)
        parts = sum(_read(above) / _read(below) for above, below in self.fractions)
        parts += sum(_read(f) * (_log(above) - _log(below)) for f, above, below in self.positive_logarithms)
        return bool(sympy.simplify(sympy.diff(g, a) - parts) == 0)


def positive_on_half(polynomial: Polynomial) -> bool:
    """Return whether a polynomial in a is shown to be positive on (1/2, 1).

    With a = (1/2 + t)/(1 + t) and t > 0, (1 + t)^n times it is a polynomial in t; it is positive if no coefficient
    is negative and one is not zero. This is enough, but not needed, for positivity.

    >>> positive_on_half(lambda a: 2 * a - 1), positive_on_half(lambda a: 1 - 2 * a)
    (True, False)
    """
    import sympy

    t = sympy.Symbol("t", positive=True)
    mapped = sympy.together(sympy.S.Zero + polynomial((1 + 2 * t) / (2 + 2 * t)))
    coefficients = sympy.Poly(sympy.fraction(mapped)[0], t).all_coeffs()
    return bool(min(coefficients) >= 0 and max(coefficients) > 0)


def _symbol() -> Any:
    import sympy

    return sympy.Symbol("a", positive=True)


def _read(polynomial: Polynomial) -> Any:
    import sympy

    return sympy.S.Zero + polynomial(_symbol())


def _log(polynomial: Polynomial) -> Any:
    """Return the logarithm as a sum over irreducible factors, each positive on (1/2, 1), and over primes."""
    import sympy

    content, factors = sympy.factor_list(_read(polynomial), _symbol())
    at = sympy.Rational(3, 4)
    parts = [(factor * sympy.sign(factor.subs(_symbol(), at)), exponent) for factor, exponent in factors]
    parts += sympy.factorrat(abs(content)).items() if abs(content) != 1 else []
    return sum(exponent * sympy.log(part) for part, exponent in parts)


def _text(polynomial: Polynomial) -> str:
    return str(_read(polynomial)).replace("**", "^").replace("*", "·")


def binary_proof(score: ScoreLike) -> BinaryProof:
    """Return the proof for a score; raises `NotSupported` for one that has none here."""
    function = score_function(score)
    if function.name not in _PROOFS or _PROOFS[function.name].score is not function:
        raise NotSupported(function.name, f"score must be one of {', '.join(_PROOFS)}")
    return _PROOFS[function.name]


def _a(a: Any) -> Any:
    return a


def _b(a: Any) -> Any:
    return 1 - a


def _constant(above: int, below: int = 1) -> Polynomial:
    return lambda a: (above + 0 * a) / below


_ZERO, _ONE, _HALF = _constant(0), _constant(1), _constant(1, 2)
_ENTROPY = ((_a, _a), (_b, _b))
_JENSEN_SHANNON = (
    (lambda a: a / 2, _a),
    (lambda a: (1 - a) / 2, _b),
    (lambda a: -(1 + 2 * a) / 4, lambda a: (1 + 2 * a) / 2),
    (lambda a: (2 * a - 3) / 4, lambda a: (3 - 2 * a) / 2),
    (_HALF, _constant(2)),
)
_MIXED = (_HALF, lambda a: 3 * a / 2 - a * a, lambda a: (1 + a) / 2 - a * a)
_PRINTED = ((lambda a: (2 * a - 1) / 4, _a), (lambda a: (1 - 2 * a) / 4, _b))
_QUOTIENT = (lambda a: (2 * a - 1) / 4, lambda a: a - a * a)
_PROOFS = {
    proof.score.name: proof
    for proof in (
        BinaryProof(SCORES["max"], _a, (), ((_ONE, _ONE),), ()),
        BinaryProof(SCORES["l2"], lambda a: 1 - 2 * a + 2 * a * a, (), ((lambda a: 4 * a - 2, _ONE),), ()),
        BinaryProof(SCORES["l1-uniform"], lambda a: 2 * a - 1, (), ((_constant(2), _ONE),), ()),
        BinaryProof(
            SCORES["l2-uniform"], lambda a: (2 * a - 1) ** 2 / 2, (), ((lambda a: 4 * a - 2, _ONE),), ()
        ),
        BinaryProof(SCORES["entropy"], _ZERO, _ENTROPY, (), ((_ONE, _a, _b),)),
        BinaryProof(SCORES["jensen-shannon"], _ZERO, _JENSEN_SHANNON, (), (_MIXED,)),
        BinaryProof(HALF_JEFFREYS, _ZERO, _PRINTED, (_QUOTIENT,), ((_HALF, _a, _b),)),
    )
}
