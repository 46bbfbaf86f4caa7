"""`Derivation`: what is given, steps that each carry a certificate, and the equation they end in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ntqr_exact.algebra.certificate import Certificate, Rewrite, certify
from ntqr_exact.algebra.checker import problems
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.postulates.identity_text import ProofText, coq_file
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

    def to_coq(self) -> str:
        """Return a file of Coq that states and proves the claim; `ntqr-exact proofs check` checks it."""
        return derivations_to_coq([self])

    def to_lean(self) -> str:
        """Return a file of Lean 4 with the same polynomial identities."""
        return _proof_text(self).lean()

    def to_document(self) -> dict[str, Any]:
        """Return the derivation as a JSON document that the checker understands."""
        return {
            "format": _DERIVATION_FORMAT,
            "equation": self.claim.name,
            "source": str(self.claim.citation),
            "status": self.claim.status.value,
            "claim": self.claim.polynomial.to_document(),
            "given": [_given_document(postulate) for postulate in self.given],
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

    def __str__(self) -> str:
        """Return the derivation for a reader: claim, what is given, and the steps."""
        lines = [
            f"Equation {self.claim.name} ({self.claim.citation}; {self.claim.status.value})",
            f"  {self.claim.polynomial} = 0",
            "",
            "Given",
            *(
                f"  [{postulate.name}] {postulate.polynomial} = 0"
                + (f"   ({postulate.role.value})" if postulate.role is not Role.POSTULATE else "")
                for postulate in self.given
            ),
        ]
        for number, step in enumerate(self.steps, start=1):
            certificate = step.certificate
            lines += ["", f"Step {number}: [{step.name}] {step.words}", f"  {certificate.target}"]
            for index, (name, cofactor) in enumerate(
                zip(certificate.names, certificate.cofactors, strict=True)
            ):
                lines.append(f"    {'+' if index else '='} ({cofactor}) · [{name}]")
        return "\n".join(lines)


def derivations_to_coq(derivations: Iterable[Derivation]) -> str:
    """Return one file of Coq that states and proves the claims of derivations."""
    return coq_file(map(_proof_text, derivations))


def _proof_text(derivation: Derivation) -> ProofText:
    steps = [(step.name, step.words, step.certificate) for step in derivation.steps]
    return ProofText(derivation.claim, derivation.given, steps)


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


def _given_document(postulate: Postulate) -> dict[str, Any]:
    document: dict[str, Any] = {"name": postulate.name, "polynomial": postulate.polynomial.to_document()}
    if postulate.role is Role.DEFINITION:
        document["defines"] = postulate.solved_for
    return document
