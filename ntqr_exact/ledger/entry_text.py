"""One entry of the ledger for a reader at a terminal: statement, evidence, proof, and how to check it by hand."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.ledger.claim import Kind
from ntqr_exact.ledger.entry import Entry
from ntqr_exact.ledger.judgement import Verdict

WIDTH = 100

_MEANING = {
    Verdict.HOLDS: "it is true",
    Verdict.POSSIBLE: "nothing printed contradicts it, and the source does not determine it",
    Verdict.MISPRINT: "a slip; the right value or formula is given",
    Verdict.COMPUTATION: "wrong arithmetic; the right value is given",
    Verdict.WRONG: "the statement is false",
    Verdict.DEPENDS: "true or false by how it is read",
    Verdict.NOT_CHECKABLE: "what is printed does not decide it",
    Verdict.REMARK: "on a word or a reference; it was read, not computed",
}


def meaning(verdict: Verdict) -> str:
    """Return a verdict's meaning in a few words."""
    return _MEANING[verdict]


def entry_text(entry: Entry) -> str:
    """Return everything about a claim and its finding, wrapped for a terminal."""
    claim, finding = entry.claim, entry.finding
    lines = [
        f"{claim.id}   {entry.verdict.value.upper()}",
        f"{claim.citation}; {claim.kind.value}",
        "",
        *_paragraph("Claim", claim.statement),
    ]
    if claim.printed:
        lines += _paragraph("Printed", claim.text(claim.printed))
    if claim.garbled:
        lines += _paragraph("Text", claim.garbled)
    lines += ["", *_paragraph("Verdict", f"{entry.verdict.value}: {meaning(entry.verdict)}")]
    for evidence in finding.evidence:
        lines += _paragraph("Evidence", evidence)
    if finding.right:
        lines += _paragraph("Right", finding.right)
    if finding.arose:
        lines += _paragraph("Arose", finding.arose)
    for reading in finding.readings:
        lines += _paragraph("Reading", f"{reading.name}: {reading.verdict.value}")
        for evidence in reading.evidence:
            lines += _paragraph("", evidence)
    lines += ["", *_paragraph("By hand", claim.by_hand or _general_way(entry))]
    if claim.theorem:
        lines += _paragraph("Theorem", f"{claim.theorem} (Coq; ntqr-exact proofs check)")
    if finding.proof is not None:
        lines += ["", *_proof_lines(finding.proof)]
    if entry.differs:
        lines += ["", f"The pinned verdict is {entry.pinned.value if entry.pinned else 'missing'}."]
    return "\n".join(lines)


def _general_way(entry: Entry) -> str:
    """Return how a claim of this sort is checked with pencil and paper, where nothing more special is known."""
    evidence = " ".join(entry.finding.evidence)
    if entry.verdict is Verdict.NOT_CHECKABLE:
        return "Nothing to compute: the evidence names what would be needed, or two cases that differ."
    if "smallest test" in evidence or "counterexample" in evidence:
        return "Put the numbers of the counterexample into what is claimed, and see that it fails."
    if entry.finding.proof is not None:
        return "Multiply out the steps of the proof: each sum of cofactor times bracketed equation is its target."
    if entry.claim.kind in (Kind.NUMBER, Kind.COUNT):
        return "Compute the exact number of the evidence from what it names, and compare it with the printed digits."
    return "Work through the evidence line by line; every number in it is exact."


def _proof_lines(proof: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a derivation: what is given, and each step with its cofactors."""
    yield "Proof, by expansion alone (each step is a sum of cofactor times what is known):"
    for given in proof.get("given", ()):
        yield from _hanging(f"  [{given['name']}] ", f"{Polynomial(given['polynomial'])} = 0")
    for step in proof.get("steps", ()):
        yield from _hanging(f"  {step['name']}: ", step["words"])
        yield from _hanging("    ", str(Polynomial(step["target"])))
        for index, term in enumerate(step["terms"]):
            sign = "+" if index else "="
            yield from _hanging(f"      {sign} ", f"({Polynomial(term['cofactor'])}) · [{term['generator']}]")


def _paragraph(title: str, text: str) -> list[str]:
    return list(_hanging(f"{title:<9} ", text))


def _hanging(start: str, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines() or [""]):
        head = start if number == 0 else " " * len(start)
        yield from textwrap.wrap(
            line,
            WIDTH,
            initial_indent=head,
            subsequent_indent=" " * len(start),
            break_long_words=False,
            break_on_hyphens=False,
        ) or [head.rstrip()]
