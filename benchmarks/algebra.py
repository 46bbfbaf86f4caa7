"""Proofs with cofactors against sympy's way to decide the same: a Gröbner basis of what is given, and a division."""

from __future__ import annotations

from benchmarks.measure import Ratio, compare
from ntqr_exact.postulates.derivations import derive
from ntqr_exact.postulates.polynomial import Polynomial


def rows(*, quick: bool) -> list[Ratio]:
    equations = [("33d", 1 / 3)] if quick else [("33d", 1 / 3), ("33e", 1 / 3), ("33f", 1 / 3)]
    return [_certificate(equation, limit, repeats=2 if quick else 3) for equation, limit in equations]


def _certificate(equation: str, limit: float, *, repeats: int) -> Ratio:
    import sympy

    known = derive(equation)
    names = sorted(
        {name for postulate in (known.claim, *known.given) for name in postulate.polynomial.variables()}
    )
    symbols = {name: sympy.Symbol(f"v{number}") for number, name in enumerate(names)}

    def expression(polynomial: Polynomial) -> sympy.Expr:
        return sympy.Add(
            *(
                sympy.Mul(
                    sympy.Rational(int(coefficient.numerator), int(coefficient.denominator)),
                    *(symbols[name] ** power for name, power in monomial),
                )
                for monomial, coefficient in polynomial.terms.items()
            )
        )

    given = [expression(postulate.polynomial) for postulate in known.given]
    claim = expression(known.claim.polynomial)

    def theirs() -> bool:
        basis = sympy.groebner(given, *symbols.values(), order="grevlex")
        return bool(basis.contains(claim))

    if not theirs() or known.problems():
        raise ValueError("the two do not both prove the equation")
    return compare(
        f"proof of equation {equation} with cofactors",
        f"sympy {sympy.__version__} groebner, contains",
        ours=lambda: derive.__wrapped__(equation),
        theirs=theirs,
        limit=limit,
        repeats=repeats,
        our_repeats=5,
    )
