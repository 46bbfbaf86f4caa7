"""Derivations as theorems for a proof assistant: what is given implies the claim, by polynomial identities.

A file for Coq needs nothing but its own rationals: each step of a derivation becomes an assertion, whose target is the
sum of cofactors times what is known; `ring` expands it, and what is known is zero. A file for Lean 4 says the same of
every commutative ring (field, if fractions occur), and leaves the expansion to `grind`, which is part of Lean's core.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.algebra.certificate import Certificate
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.postulates.postulate import Postulate


@dataclass(frozen=True, slots=True)
class ProofText:
    """What a derivation claims, what is given, and its steps: words, certificate and name of what each proves."""

    claim: Postulate
    given: tuple[Postulate, ...]
    steps: Sequence[tuple[str, str, Certificate]]

    @property
    def theorem(self) -> str:
        """The name of the theorem."""
        return "equation_" + _identifier(self.claim.name)

    @property
    def variables(self) -> list[str]:
        """The names of all that the statement speaks of, in order."""
        polynomials = (*(postulate.polynomial for postulate in self.given), self.claim.polynomial)
        return [_identifier(name) for name in sorted({name for each in polynomials for name in _names(each)})]

    @property
    def _title(self) -> str:
        return f"Equation {self.claim.name} ({self.claim.citation}; {self.claim.status.value})"

    def _proven_steps(
        self,
    ) -> Iterable[tuple[str, str, Certificate, list[tuple[Polynomial, Polynomial, str]]]]:
        """Yield each step: words, name, certificate, and cofactors with what they multiply and why that is zero."""
        known = {
            postulate.name: (f"given_{n}", postulate.polynomial) for n, postulate in enumerate(self.given, 1)
        }
        for number, (name, words, certificate) in enumerate(self.steps, start=1):
            terms = [
                (cofactor, known[other][1], known[other][0])
                for other, cofactor in zip(certificate.names, certificate.cofactors, strict=True)
            ]
            yield words, f"step_{number}", certificate, terms
            known[name] = (f"step_{number}", certificate.target)

    def coq(self) -> str:
        """Return a theorem of Coq that states and proves the claim; `coq_file` writes what it needs."""
        names = [*self.variables, *(f"given_{number}" for number in range(1, len(self.given) + 1))]
        lines = [
            f"(** {self._title} *)",
            f"Theorem {self.theorem} : forall {' '.join(self.variables)} : Q,",
            *(f"  (* {each.name} *) {_text(each.polynomial, _in_coq)} == 0 ->" for each in self.given),
            f"  {_text(self.claim.polynomial, _in_coq)} == 0.",
            "Proof.",
            f"  intros {' '.join(names)}.",
        ]
        for words, step, certificate, terms in self._proven_steps():
            total = " + ".join(f"({_text(c, _in_coq)}) * ({_text(p, _in_coq)})" for c, p, _ in terms) or "0"
            lines += [
                f"  (* {words} *)",
                f"  assert ({step} : {_text(certificate.target, _in_coq)} == 0).",
                f"  {{ transitivity ({total}); [ring |].",
                "    repeat apply sum_of_zeros; apply multiple_of_zero; assumption. }",
            ]
        last = f"  exact step_{len(self.steps)}."
        return "\n".join([*lines, last, "Qed.", "", f"Print Assumptions {self.theorem}.", ""])

    def lean(self) -> str:
        """Return a file of Lean 4 with the same identities, for every commutative ring (field, with fractions)."""
        whole = all(
            mpq(coefficient).denominator == 1
            for _, _, certificate in self.steps
            for polynomial in (certificate.target, *certificate.cofactors)
            for coefficient in polynomial.terms.values()
        )
        numbers = "[Lean.Grind.CommRing K]" if whole else "[Lean.Grind.Field K] [Lean.Grind.IsCharP K 0]"
        lines = [
            f"/- {self._title}. Check it with `lean FILE`; Lean 4.22 or later, without Mathlib. -/",
            "",
            f"theorem {self.theorem} {{K : Type}} {numbers} ({' '.join(self.variables)} : K)",
            *(
                f"    (given_{number} : {_text(postulate.polynomial, _in_lean)} = 0)"
                for number, postulate in enumerate(self.given, start=1)
            ),
            f"    : {_text(self.claim.polynomial, _in_lean)} = 0 := by",
        ]
        for words, step, certificate, terms in self._proven_steps():
            target = _text(certificate.target, _in_lean)
            total = " + ".join(f"({_text(c, _in_lean)}) * ({_text(p, _in_lean)})" for c, p, _ in terms) or "0"
            zeros = ", ".join(dict.fromkeys(why for _, _, why in terms))
            lines += [
                f"  -- {words}",
                f"  have {step} : {target} = 0 := by",
                f"    have expanded : {target} = {total} := by grind",
                f"    rw [expanded{', ' if zeros else ''}{zeros}]",
                "    grind",
            ]
        return "\n".join([*lines, f"  exact step_{len(self.steps)}", ""])


def coq_file(texts: Iterable[ProofText]) -> str:
    """Return a file of Coq with a theorem for each text; what two of them prove stands there once."""
    preamble = [
        "From Coq Require Import QArith.",
        "Open Scope Q_scope.",
        "",
        "Lemma multiple_of_zero : forall c x : Q, x == 0 -> c * x == 0.",
        "Proof. intros c x zero. rewrite zero. ring. Qed.",
        "Lemma sum_of_zeros : forall x y : Q, x == 0 -> y == 0 -> x + y == 0.",
        "Proof. intros x y one two. rewrite one, two. ring. Qed.",
        "",
    ]
    return "\n".join([*preamble, *{text.theorem: text.coq() for text in texts}.values()])


def _names(polynomial: Polynomial) -> Iterable[str]:
    return (name for monomial in polynomial.terms for name, _ in monomial)


def _text(polynomial: Polynomial, number: Callable[[mpq], str]) -> str:
    """Return a polynomial with plain products, so that nothing but + and * has to be understood."""
    text = ""
    for monomial, coefficient in sorted(polynomial.terms.items()):
        factors = [_identifier(name) for name, power in monomial for _ in range(power)]
        size = abs(mpq(coefficient))
        if size != 1 or not factors:
            factors.insert(0, number(size))
        sign = "-" if coefficient < 0 else "+"
        text += (f" {sign} " if text else sign.replace("+", "") + " " * (sign == "-")) + " * ".join(factors)
    return text or "0"


def _in_coq(size: mpq) -> str:
    return str(size) if size.denominator == 1 else f"({size.numerator} # {size.denominator})"


def _in_lean(size: mpq) -> str:
    return str(size) if size.denominator == 1 else f"({size.numerator} / {size.denominator})"


def _identifier(name: str) -> str:
    """Return a name that a proof assistant takes: letters, digits and underscores."""
    return re.sub(r"\W", "_", name)
