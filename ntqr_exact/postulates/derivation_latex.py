"""Derivations as LaTeX: the claim, factored where it can be, what is given, and each step with its cofactors."""

from __future__ import annotations

from ntqr_exact.algebra.certificate import Certificate
from ntqr_exact.exact.latex_table import latex_text
from ntqr_exact.exact.symbol_formulas import formulas
from ntqr_exact.postulates.derivation import Derivation
from ntqr_exact.postulates.factored import factored
from ntqr_exact.postulates.postulate import Postulate


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
        _align([rf"& {claim_latex(claim)} \tag{{{_name(claim.name)}}}"]),
        "Given:",
        _align([rf"& {one.polynomial.latex()} = 0 \tag{{{_name(one.name)}}}" for one in derivation.given]),
    ]
    for number, step in enumerate(derivation.steps, start=1):
        lines += [f"Step {number}, {_name(step.name)}: {_name(step.words)}", _step(step.certificate)]
    return "\n".join(lines)


def _step(certificate: Certificate) -> str:
    rows = [f"& {certificate.target.latex()}"]
    for index, (name, cofactor) in enumerate(zip(certificate.names, certificate.cofactors, strict=True)):
        sign = "+" if index else "="
        rows.append(rf"&\quad {sign} \left({cofactor.latex()}\right) \cdot [\text{{{_name(name)}}}]")
    return _align(rows)


def _align(rows: list[str]) -> str:
    return "\\begin{align*}\n  " + " \\\\\n  ".join(rows) + "\n\\end{align*}"


def _name(name: str) -> str:
    """Return a name or a sentence for a text: what is written in symbols stands as a formula."""
    return formulas(name, other=latex_text).replace("−", "$-$")
