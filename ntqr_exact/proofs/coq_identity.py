"""Derivations as theorems for Coq: what is given implies the claim, by polynomial identities that `ring` checks.

The file needs nothing but Coq's own rationals. Each step of a derivation becomes an assertion: its target is the sum of
cofactors times what is known, which `ring` expands by itself; what is known is zero, so the target is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gmpy2 import mpq

from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.postulates.derivation import Derivation


def derivation_to_coq(derivation: Derivation) -> str:
    """Return a file of Coq that states and proves what a derivation claims.

    >>> from ntqr_exact.postulates.derivations import derive
    >>> print(derivation_to_coq(derive("33c")).splitlines()[0])
    (** Equation 33c (Corrada-Emmanuel 2023, eq. 33c; as printed) *)
    """
    known = {postulate.name: f"given_{number}" for number, postulate in enumerate(derivation.given, start=1)}
    polynomials = {postulate.name: postulate.polynomial for postulate in derivation.given}
    theorem = "equation_" + _identifier(derivation.claim.name)
    variables = sorted(
        {name for each in (*polynomials.values(), derivation.claim.polynomial) for name in _names(each)}
    )
    lines = [
        f"(** Equation {derivation.claim.name} ({derivation.claim.citation}; {derivation.claim.status.value}) *)",
        "",
        "From Coq Require Import QArith.",
        "Open Scope Q_scope.",
        "",
        "Lemma multiple_of_zero : forall c x : Q, x == 0 -> c * x == 0.",
        "Proof. intros c x zero. rewrite zero. ring. Qed.",
        "Lemma sum_of_zeros : forall x y : Q, x == 0 -> y == 0 -> x + y == 0.",
        "Proof. intros x y one two. rewrite one, two. ring. Qed.",
        "",
        f"Theorem {theorem} : forall {' '.join(map(_identifier, variables))} : Q,",
        *(
            f"  (* {postulate.name} *) {_text(postulate.polynomial)} == 0 ->"
            for postulate in derivation.given
        ),
        f"  {_text(derivation.claim.polynomial)} == 0.",
        "Proof.",
        f"  intros {' '.join((*map(_identifier, variables), *known.values()))}.",
    ]
    for number, step in enumerate(derivation.steps, start=1):
        certificate = step.certificate
        terms = [
            f"({_text(cofactor)}) * ({_text(polynomials[name])})"
            for name, cofactor in zip(certificate.names, certificate.cofactors, strict=True)
        ]
        lines += [
            f"  (* {step.words} *)",
            f"  assert (step_{number} : {_text(certificate.target)} == 0).",
            f"  {{ transitivity ({' + '.join(terms) or '0'}); [ring |].",
            "    repeat apply sum_of_zeros; apply multiple_of_zero; assumption. }",
        ]
        known[step.name], polynomials[step.name] = f"step_{number}", certificate.target
    return "\n".join(
        [*lines, f"  exact step_{len(derivation.steps)}.", "Qed.", "", f"Print Assumptions {theorem}.", ""]
    )


def _names(polynomial: Polynomial) -> Iterable[str]:
    return (name for monomial in polynomial.terms for name, _ in monomial)


def _text(polynomial: Polynomial) -> str:
    """Return a polynomial with plain products, so that nothing but + and * has to be understood."""
    text = ""
    for monomial, coefficient in sorted(polynomial.terms.items()):
        factors = [_identifier(name) for name, power in monomial for _ in range(power)]
        size = abs(mpq(coefficient))
        if size != 1 or not factors:
            factors.insert(
                0, str(size) if size.denominator == 1 else f"({size.numerator} # {size.denominator})"
            )
        sign = "-" if coefficient < 0 else "+"
        text += (f" {sign} " if text else sign.replace("+", "") + " " * (sign == "-")) + " * ".join(factors)
    return text or "0"


def _identifier(name: str) -> str:
    """Return a name that Coq takes: letters, digits and underscores."""
    return re.sub(r"\W", "_", name)
