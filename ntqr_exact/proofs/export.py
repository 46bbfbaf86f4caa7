"""Derivations as files for Coq, which need nothing but its own rationals.

Each step becomes an assertion, whose target is the sum of cofactors times what is known; `ring` expands it, and what is
known is zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gmpy2 import mpq

from ntqr_exact.postulates.derivations import Derivation
from ntqr_exact.postulates.polynomial import Polynomial

_PREAMBLE = """\
From Coq Require Import QArith.
Open Scope Q_scope.

Lemma multiple_of_zero : forall c x : Q, x == 0 -> c * x == 0.
Proof. intros c x zero. rewrite zero. ring. Qed.
Lemma sum_of_zeros : forall x y : Q, x == 0 -> y == 0 -> x + y == 0.
Proof. intros x y one two. rewrite one, two. ring. Qed.
"""


def theorem_name(derivation: Derivation) -> str:
    """Return the name of the theorem that a derivation becomes."""
    return "equation_" + _identifier(derivation.claim.name)


def derivations_to_coq(derivations: Iterable[Derivation]) -> str:
    """Return one file of Coq that states and proves the claims of derivations, each of them once."""
    theorems = {theorem_name(each): _theorem(each) for each in derivations}
    return "\n".join([_PREAMBLE, *theorems.values()])


def _theorem(derivation: Derivation) -> str:
    given, claim, name = derivation.given, derivation.claim, theorem_name(derivation)
    polynomials = [each.polynomial for each in (*given, claim)]
    variables = " ".join(sorted({_variable(v) for polynomial in polynomials for v in polynomial.variables()}))
    known = {each.name: each.polynomial for each in given}
    lines = [
        f"(** {derivation.title} *)",
        f"Theorem {name} : forall {variables} : Q,",
        *(f"  (* {each.name} *) {_text(each.polynomial)} == 0 ->" for each in given),
        f"  {_text(claim.polynomial)} == 0.",
        "Proof.",
        f"  intros {variables} {' '.join(f'given_{number}' for number in range(1, len(given) + 1))}.",
    ]
    for number, step in enumerate(derivation.steps, start=1):
        terms = [f"({_text(cofactor)}) * ({_text(known[used])})" for used, cofactor in step.cofactors]
        lines += [
            f"  (* {step.words} *)",
            f"  assert (step_{number} : {_text(step.target)} == 0).",
            f"  {{ transitivity ({' + '.join(terms) or '0'}); [ring |].",
            "    repeat apply sum_of_zeros; apply multiple_of_zero; assumption. }",
        ]
        known[step.name] = step.target
    last = f"  exact step_{len(derivation.steps)}."
    return "\n".join([*lines, last, "Qed.", "", f"Print Assumptions {name}.", ""])


def _text(polynomial: Polynomial) -> str:
    """Return a polynomial with plain products, so that nothing but + and * has to be understood."""
    text = ""
    for monomial, coefficient in sorted(polynomial.terms.items()):
        factors = [_variable(name) for name, power in monomial for _ in range(power)]
        size: mpq = abs(coefficient)
        if size != 1 or not factors:
            factors.insert(
                0, str(size) if size.denominator == 1 else f"({size.numerator} # {size.denominator})"
            )
        sign = "- " if coefficient < 0 else "+ "
        text += (f" {sign}" if text else sign.removeprefix("+ ")) + " * ".join(factors)
    return text or "0"


def _variable(name: str) -> str:
    return "Q_" if name == "Q" else _identifier(name)


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)
