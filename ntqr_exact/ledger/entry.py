"""`Entry`: a claim with its finding, the ledger as many of them, and one for a reader at a terminal."""

from __future__ import annotations

import fnmatch
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.json_text import read_json, write_json
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.judgement import Finding, Verdict
from ntqr_exact.ledger.registry import claim, claims
from ntqr_exact.postulates.polynomial import Polynomial
from ntqr_exact.sweep import sweep


@cache
def pinned_verdicts() -> Mapping[str, Verdict]:
    """Return what each claim's verdict was when somebody last reviewed it, so that no change goes unseen."""
    path = files("ntqr_exact.data.ledger").joinpath("verdicts.json")
    document = read_json(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return FrozenMapping({name: Verdict(value) for name, value in document.items()})


def pins_text(verdicts: Mapping[str, Verdict]) -> str:
    """Return the file of pins for verdicts that were looked through."""
    return write_json({name: verdict.value for name, verdict in verdicts.items()})


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger."""

    claim: Claim
    finding: Finding

    @property
    def verdict(self) -> Verdict:
        """The verdict, as it was computed."""
        return self.finding.verdict

    @property
    def pinned(self) -> Verdict | None:
        """The verdict that the ledger had when it was last looked through, or `None` for a new claim."""
        return pinned_verdicts().get(self.claim.id)

    @property
    def differs(self) -> bool:
        """Whether the verdict is another one than that pinned."""
        return self.pinned is not self.verdict

    def to_document(self) -> dict[str, Any]:
        """Return the entry as a JSON document."""
        claim_, finding = self.claim, self.finding
        document: dict[str, Any] = {
            "id": claim_.id,
            "place": claim_.place,
            "kind": claim_.kind.value,
            "statement": claim_.statement,
            "printed": claim_.printed,
            "verdict": finding.verdict.value,
            "evidence": list(finding.evidence),
        }
        optional = {
            "right": finding.right,
            "arose": finding.arose,
            "garbled": claim_.garbled,
            "by_hand": claim_.by_hand,
            "theorem": claim_.theorem,
            "readings": [
                {"name": each.name, "verdict": each.verdict.value, "evidence": list(each.evidence)}
                for each in finding.readings
            ],
        }
        document |= {key: value for key, value in optional.items() if value}
        if finding.proof is not None:
            document["proof"] = dict(finding.proof)
        return document


def find(identity: str) -> Finding:
    """Check the claim with this id; the part of the work that is sent to other processes."""
    return claim(identity).find()


def ledger(identities: Sequence[str] | None = None, *, executor: Executor | None = None) -> Iterator[Entry]:
    """Yield the entries of the claims named, or of all, in order, as their checks finish.

    >>> next(ledger(["ntqr/eq-1"])).verdict
    <Verdict.HOLDS: 'holds'>
    """
    names = list(claims()) if identities is None else list(identities)
    chosen = [claim(name) for name in names]
    for each, finding in zip(chosen, sweep(find, names, executor=executor, chunk=4), strict=True):
        yield Entry(each, finding)


def matching(*, sources: Sequence[str] = (), patterns: Sequence[str] = ()) -> list[str]:
    """Return the ids of given sources that fit one of the patterns (`ntqr/table-*`), in the order of the ledger.

    Raises `BadDocument` for a pattern that fits no claim at all.
    """
    for pattern in patterns:
        if not fnmatch.filter(claims(), pattern):
            raise BadDocument(pattern, "no claim has an id of this form", "as in 'ntqr/table-2/*'")
    return [
        name
        for name, each in claims().items()
        if (not sources or each.source in sources)
        and (not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns))
    ]


def summary(entries: Sequence[Entry]) -> Mapping[str, Mapping[Verdict, int]]:
    """Return how many claims of each source have each verdict."""
    counts: dict[str, dict[Verdict, int]] = {}
    for entry in entries:
        row = counts.setdefault(entry.claim.source, dict.fromkeys(Verdict, 0))
        row[entry.verdict] += 1
    return counts


WIDTH = 100

MEANING = {
    Verdict.HOLDS: "it is true",
    Verdict.POSSIBLE: "nothing printed contradicts it, and the source does not determine it",
    Verdict.MISPRINT: "a slip; the right value or formula is given",
    Verdict.COMPUTATION: "wrong arithmetic; the right value is given",
    Verdict.WRONG: "the statement is false",
    Verdict.DEPENDS: "true or false by how it is read",
    Verdict.NOT_CHECKABLE: "what is printed does not decide it",
    Verdict.REMARK: "on a word or a reference; it was read, not computed",
}


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
    lines += ["", *_paragraph("Verdict", f"{entry.verdict.value}: {MEANING[entry.verdict]}")]
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
