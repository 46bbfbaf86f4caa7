"""`Derivation`: what is given, steps that each carry a certificate, and the equation they end in.

It is written for people, as LaTeX, and as a theorem for a proof assistant: what is given implies the claim, by
polynomial identities. A file for Coq needs nothing but its own rationals: each step becomes an assertion, whose target
is the sum of cofactors times what is known; `ring` expands it, and what is known is zero. A file for Lean 4 says the
same of every commutative ring (field, if fractions occur); there each expansion is a theorem of its own, which supposes
nothing, so that `grind`, part of Lean's core, cannot mend a wrong cofactor by what is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.algebra.certificate import Certificate, Rewrite, certify
from ntqr_exact.algebra.checker import problems
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.latex_table import latex_text
from ntqr_exact.exact.symbol_formulas import formulas
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.postulates.factored import factored
from ntqr_exact.postulates.postulate import Postulate, Role

_DERIVATION_FORMAT = "ntqr-exact derivation 1"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what is proven, in words, and by which cofactors."""

    name: str
    words: str
    certificate: Certificate


@dataclass(frozen=True, slots=True)
class Derivation:
    """The proof that a claim vanishes wherever what is given vanishes."""

    claim: Postulate
    given: tuple[Postulate, ...]
    steps: tuple[Step, ...]

    def problems(self) -> list[str]:
        """Return what the independent checker finds wrong: nothing, if the derivation proves its claim."""
        return problems(self.to_document())

    def to_document(self) -> dict[str, Any]:
        """Return the derivation as a JSON document that the checker understands."""
        return {
            "format": _DERIVATION_FORMAT,
            "equation": self.claim.name,
            "source": str(self.claim.citation),
            "status": self.claim.status.value,
            "claim": self.claim.polynomial.to_document(),
            "given": [
                {"name": each.name, "polynomial": each.polynomial.to_document()}
                | ({"defines": each.solved_for} if each.role is Role.DEFINITION else {})
                for each in self.given
            ],
            "steps": [
                {
                    "name": step.name,
                    "words": step.words,
                    "target": step.certificate.target.to_document(),
                    "terms": [
                        {"generator": name, "cofactor": cofactor.to_document()}
                        for name, cofactor in zip(
                            step.certificate.names, step.certificate.cofactors, strict=True
                        )
                    ],
                }
                for step in self.steps
            ],
        }

    def to_json(self) -> str:
        """Return the derivation as JSON, the same bytes every time."""
        return write_json(self.to_document())

    @property
    def _title(self) -> str:
        return f"Equation {self.claim.name} ({self.claim.citation}; {self.claim.status.value})"

    def __str__(self) -> str:
        """Return the derivation for a reader: claim, what is given, and the steps."""
        lines = [self._title, f"  {self.claim.polynomial} = 0", "", "Given"]
        for each in self.given:
            role = f"   ({each.role.value})" if each.role is not Role.POSTULATE else ""
            lines.append(f"  [{each.name}] {each.polynomial} = 0{role}")
        for number, step in enumerate(self.steps, start=1):
            lines += ["", f"Step {number}: [{step.name}] {step.words}"]
            lines += [f"  {row}" for row in step.certificate.written()]
        return "\n".join(lines)

    # -- theorems ---------------------------------------------------------------------------------

    @property
    def theorem(self) -> str:
        """The name of the theorem."""
        return "equation_" + _identifier(self.claim.name)

    @property
    def _variables(self) -> str:
        """The names of all that the statement speaks of, in order."""
        names = {name for each in (*self.given, self.claim) for name in each.polynomial.variables()}
        return " ".join(map(_identifier, sorted(names)))

    def _proven(self, fraction: str) -> Iterator[tuple[str, str, str, str, list[str]]]:
        """Yield each step: its words, its name, its target, what that expands to, and why each term is zero."""
        known = {each.name: (f"given_{n}", each.polynomial) for n, each in enumerate(self.given, 1)}
        for number, step in enumerate(self.steps, start=1):
            certificate = step.certificate
            used = [known[name] for name in certificate.names]
            terms = [
                f"({_text(cofactor, fraction)}) * ({_text(polynomial, fraction)})"
                for cofactor, (_, polynomial) in zip(certificate.cofactors, used, strict=True)
            ]
            target = _text(certificate.target, fraction)
            yield step.words, f"step_{number}", target, " + ".join(terms) or "0", [why for why, _ in used]
            known[step.name] = (f"step_{number}", certificate.target)

    def to_coq(self) -> str:
        """Return a file of Coq that states and proves the claim; `ntqr-exact proofs check` checks it."""
        return derivations_to_coq([self])

    def coq_theorem(self) -> str:
        """Return a theorem of Coq that states and proves the claim; `to_coq` writes what it needs, too."""
        fraction = "({} # {})"
        names = " ".join(f"given_{number}" for number in range(1, len(self.given) + 1))
        lines = [
            f"(** {self._title} *)",
            f"Theorem {self.theorem} : forall {self._variables} : Q,",
            *(f"  (* {each.name} *) {_text(each.polynomial, fraction)} == 0 ->" for each in self.given),
            f"  {_text(self.claim.polynomial, fraction)} == 0.",
            "Proof.",
            f"  intros {self._variables}{' ' * bool(names)}{names}.",
        ]
        for words, step, target, total, _ in self._proven(fraction):
            lines += [
                f"  (* {words} *)",
                f"  assert ({step} : {target} == 0).",
                f"  {{ transitivity ({total}); [ring |].",
                "    repeat apply sum_of_zeros; apply multiple_of_zero; assumption. }",
            ]
        last = f"  exact step_{len(self.steps)}."
        return "\n".join([*lines, last, "Qed.", "", f"Print Assumptions {self.theorem}.", ""])

    def to_lean(self) -> str:
        """Return a file of Lean 4 with the same identities, for every commutative ring (field, with fractions)."""
        fraction = "({} / {})"
        whole = all(
            coefficient.denominator == 1
            for step in self.steps
            for polynomial in (step.certificate.target, *step.certificate.cofactors)
            for coefficient in polynomial.terms.values()
        )
        numbers = "[Lean.Grind.CommRing K]" if whole else "[Lean.Grind.Field K] [Lean.Grind.IsCharP K 0]"
        lines = [f"/- {self._title}. Check it with `lean FILE`; Lean 4.22 or later, without Mathlib. -/", ""]
        proof = []
        for words, step, target, total, zeros in self._proven(fraction):
            identity = f"{self.theorem}_{step}"
            names = " ".join(sorted(set(re.findall(r"[^\W\d]\w*", f"{target} {total}"))))
            lines += [
                f"theorem {identity} {{K : Type}} {numbers} ({names} : K)",
                f"    : {target} = {total} := by grind",
                "",
            ]
            proof += [
                f"  -- {words}",
                f"  have {step} : {target} = 0 := by",
                f"    refine ({identity} {names}).trans ?_",
                f"    rw [{', '.join(dict.fromkeys(zeros))}]",
                "    simp only [Lean.Grind.Semiring.mul_zero, Lean.Grind.Semiring.add_zero]",
            ]
        lines += [
            f"theorem {self.theorem} {{K : Type}} {numbers} ({self._variables} : K)",
            *(
                f"    (given_{number} : {_text(postulate.polynomial, fraction)} = 0)"
                for number, postulate in enumerate(self.given, start=1)
            ),
            f"    : {_text(self.claim.polynomial, fraction)} = 0 := by",
        ]
        return "\n".join([*lines, *proof, f"  exact step_{len(self.steps)}", ""])


def derivations_to_coq(derivations: Iterable[Derivation]) -> str:
    """Return one file of Coq that states and proves the claims of derivations; what two of them prove stands once."""
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
    return "\n".join([*preamble, *{each.theorem: each.coq_theorem() for each in derivations}.values()])


def _text(polynomial: Polynomial, fraction: str) -> str:
    """Return a polynomial with plain products, so that nothing but + and * has to be understood."""
    text = ""
    for monomial, coefficient in sorted(polynomial.terms.items()):
        factors = [_identifier(name) for name, power in monomial for _ in range(power)]
        size: mpq = abs(coefficient)
        if size.denominator != 1:
            factors.insert(0, fraction.format(size.numerator, size.denominator))
        elif size != 1 or not factors:
            factors.insert(0, str(size))
        sign = "- " if coefficient < 0 else "+ "
        text += (f" {sign}" if text else sign.removeprefix("+ ")) + " * ".join(factors)
    return text or "0"


def _identifier(name: str) -> str:
    """Return a name that a proof assistant takes: letters, digits and underscores."""
    return re.sub(r"\W", "_", name)


# -- LaTeX --------------------------------------------------------------------------------------------


def claim_latex(claim: Postulate) -> str:
    r"""Return the claim as an equation, factored where it can be.

    >>> from ntqr_exact.postulates import pair
    >>> print(claim_latex(pair()["33a"]))
    \hat{P}_{a}\, \left(\hat{P}^{a}_{a_1} - f_{a_1}\right) - \hat{P}_{b}\, \left(\hat{P}^{b}_{b_1} - f_{b_1}\right) = 0
    """
    form = factored(claim.polynomial)
    return f"{claim.polynomial.latex() if form is None else form.latex()} = 0"


def derivation_latex(derivation: Derivation) -> str:
    """Return a derivation as LaTeX that amsmath sets: align environments with words between them."""
    claim = derivation.claim
    lines = [
        f"% {claim.name}: {claim.citation}; {claim.status.value}",
        _align([rf"& {claim_latex(claim)} \tag{{{_words(claim.name)}}}"]),
        "Given:",
        _align([rf"& {one.polynomial.latex()} = 0 \tag{{{_words(one.name)}}}" for one in derivation.given]),
    ]
    for number, step in enumerate(derivation.steps, start=1):
        row = r"&\quad {} \left({}\right) \cdot [\text{{{}}}]"
        target, *cofactors = step.certificate.written(Polynomial.latex, row, _words)
        lines += [
            f"Step {number}, {_words(step.name)}: {_words(step.words)}",
            _align([f"& {target}", *cofactors]),
        ]
    return "\n".join(lines)


def _align(rows: list[str]) -> str:
    return "\\begin{align*}\n  " + " \\\\\n  ".join(rows) + "\n\\end{align*}"


def _words(name: str) -> str:
    """Return a name or a sentence for a text: what is written in symbols stands as a formula."""
    return formulas(name, other=latex_text).replace("−", "$-$")


# -- making them --------------------------------------------------------------------------------------


def prove(
    claim: Postulate,
    given: Sequence[Postulate],
    chain: Iterable[tuple[Postulate, str, Sequence[str]]] = (),
    *,
    words: str,
    using: Sequence[str] | None = None,
    turned: Mapping[str, tuple[str, str]] = FrozenMapping({}),
) -> Derivation:
    """Return the derivation that divides each target of the chain, and then the claim, by what is known.

    The chain holds lemmas as (postulate, words, names of the rules used); `using` names those for the claim
    itself, in the order of division, and all that is given if it is missing. What the claim turns out
    not to need, of lemmas as of what is given, is left out. `turned` gives further names to what is given,
    solved for another variable: {"x_1": ("d_1", "accuracy_a_1")} has d_1 = x_1 + y_1 − 1 replace x_1.
    """
    known = {postulate.name: _rule(postulate.name, postulate) for postulate in given}
    for alias, (name, variable) in turned.items():
        if name in known:
            known[alias] = Rewrite(name, known[name].polynomial, (variable,))
    steps = []
    for lemma, lemma_words, names in chain:
        certificate = certify(lemma.polynomial, [known[name] for name in names])
        steps.append(Step(f"lemma {lemma.name}", lemma_words, certificate))
        known[lemma.name] = _rule(f"lemma {lemma.name}", lemma)
    names = [postulate.name for postulate in given] if using is None else using
    steps.append(Step(claim.name, words, certify(claim.polynomial, [known[name] for name in names])))
    needed = {claim.name}
    for step in reversed(steps):
        if step.name in needed:
            needed |= set(step.certificate.names)
    return Derivation(
        claim,
        tuple(postulate for postulate in given if postulate.name in needed),
        tuple(step for step in steps if step.name in needed),
    )


def _rule(name: str, postulate: Postulate) -> Rewrite:
    return Rewrite(name, postulate.polynomial, (postulate.solved_for,) if postulate.solved_for else ())
