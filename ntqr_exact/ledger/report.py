"""The ledger as people read it: one claim for a terminal, pages of the site, notes for the authors.

Pages are Markdown with LaTeX between dollar signs. A note for the authors has what matters first, an entry for each fact
(claims `with` another are reported with it), and all slips in one table after it, in the order of the source.
"""

from __future__ import annotations

import fnmatch
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from ntqr_exact.citation import SOURCES
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.show import formulas
from ntqr_exact.ledger.book import Claim, book, claim, claims
from ntqr_exact.ledger.judgement import DEVIATIONS, Finding, Verdict
from ntqr_exact.ledger.printed_value import number_latex
from ntqr_exact.postulates.polynomial import read_document
from ntqr_exact.sweep import sweep

WIDTH = 100
MEANING = {
    Verdict.HOLDS: "it is true",
    Verdict.POSSIBLE: "nothing printed contradicts it, and the source does not determine it",
    Verdict.MISPRINT: "a slip; the right value or formula is given",
    Verdict.COMPUTATION: "wrong arithmetic; the right value is given",
    Verdict.WRONG: "the statement is false",
    Verdict.DEPENDS: "true in one reading and false in another",
    Verdict.NOT_CHECKABLE: "what is printed does not decide it",
    Verdict.REMARK: "on a word or a reference; it was read, not computed",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger: a claim, and what its check found now."""

    claim: Claim
    finding: Finding

    @property
    def verdict(self) -> Verdict:
        """The verdict, as it was computed."""
        return self.finding.verdict

    @property
    def differs(self) -> bool:
        """Whether the verdict is not the one that the book gives."""
        return self.claim.verdict is not self.verdict

    def to_document(self) -> dict[str, Any]:
        """Return the entry as a JSON document; fields that are empty are left out."""
        claim, finding = self.claim, self.finding
        document: dict[str, Any] = {
            "id": claim.id, "place": claim.place, "statement": claim.statement, "printed": claim.printed,
            "verdict": finding.verdict.value, "evidence": list(finding.evidence),
        }  # fmt: skip
        readings = [
            {"name": each.name, "verdict": each.verdict.value, "evidence": list(each.evidence)} for each in finding.readings
        ]
        proof = dict(finding.proof) if finding.proof is not None else None
        more = {**claim.fields, "right": finding.right, "arose": finding.arose, "readings": readings, "proof": proof}
        return document | {key: value for key, value in more.items() if value}


def find(identity: str) -> Finding:
    """Check the claim with this id; the part of the work that is sent to other processes."""
    return claim(identity).find()


def ledger(identities: Sequence[str] | None = None, *, executor: Executor | None = None) -> Iterator[Entry]:
    """Yield the entries of the claims named, or of all, in order, as their checks finish."""
    names = list(claims()) if identities is None else list(identities)
    chosen = [claim(name) for name in names]
    for each, finding in zip(chosen, sweep(find, names, executor=executor, chunk=4), strict=True):
        yield Entry(each, finding)


def matching(*, sources: Sequence[str] = (), patterns: Sequence[str] = ()) -> list[str]:
    """Return the ids of given sources that fit a pattern (`ntqr/table-*`); raises `BadDocument` for one that fits none."""
    for pattern in patterns:
        if not fnmatch.filter(claims(), pattern):
            raise BadDocument(pattern, "pattern must fit the id of a claim", "as in 'ntqr/table-2/*'")
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
        counts.setdefault(entry.claim.source, dict.fromkeys(Verdict, 0))[entry.verdict] += 1
    return counts


# -- one claim ---------------------------------------------------------------------------------------


def _parts(entry: Entry) -> list[tuple[str, str]]:
    """Return what is shown of a claim after its statement, with a title each."""
    claim, finding = entry.claim, entry.finding
    parts = [
        ("Printed", claim["quote"] or claim.printed),
        ("Text", claim["garbled"]),
        *(("Evidence", line) for line in finding.evidence),
        ("Right", claim["instead"] or finding.right),
        ("Arose", finding.arose),
        *(("Reading", f"{each.name}: {each.verdict.value}\n" + "\n".join(each.evidence)) for each in finding.readings),
        ("In short", claim["why"]),
        ("By hand", claim["by hand"]),
        ("Theorem", claim["theorem"] and f"{claim['theorem']} (Coq; ntqr-exact proofs check)"),
    ]
    return [(title, text.strip()) for title, text in parts if text]


def entry_text(entry: Entry) -> str:
    """Return everything about a claim and its finding, wrapped for a terminal."""
    verdict = entry.verdict
    lines = [f"{entry.claim.id}   {verdict.value.upper()}", f"{entry.claim.citation}", ""]
    for title, text in [("Claim", entry.claim.statement), ("Verdict", MEANING[verdict]), *_parts(entry)]:
        lines += _hanging(f"{title:<9} ", text)
    if entry.finding.proof is not None:
        lines += ["", *_proof_lines(entry.finding.proof)]
    if entry.differs:
        lines += ["", f"The verdict in the book is {entry.claim.verdict.value}."]
    return "\n".join(lines)


def _proof_lines(proof: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a derivation: what is given, and each step with its cofactors."""
    yield "Proof, by expansion alone (each step is a sum of cofactor times what is known):"
    for given in proof.get("given", ()):
        yield from _hanging(f"  [{given['name']}] ", f"{read_document(given['polynomial'])} = 0")
    for step in proof.get("steps", ()):
        yield from _hanging(f"  {step['name']}: ", step["words"])
        yield from _hanging("    ", str(read_document(step["target"])))
        for index, term in enumerate(step["terms"]):
            sign = "+" if index else "="
            yield from _hanging(f"      {sign} ", f"({read_document(term['cofactor'])}) · [{term['generator']}]")


def _hanging(start: str, text: str) -> Iterator[str]:
    indent = " " * len(start)
    for number, line in enumerate(text.splitlines()):
        head = indent if number else start
        wrapper = textwrap.TextWrapper(WIDTH, head, indent, break_long_words=False, break_on_hyphens=False)
        yield from wrapper.wrap(line) or [head.rstrip()]


# -- notes for the authors ---------------------------------------------------------------------------

EXTRACTED = (
    "We read a text that was extracted from a PDF: a letter, a digit or a sign may be the extraction's fault and not "
    "the paper's. Where that is likely, the entry says so."
)


def errata(source: str, entries: Sequence[Entry]) -> str:
    """Return the note on a source as Markdown: what matters, then the slips in one table."""
    about, facts = SOURCES[source], _facts(source, entries)
    year = f" ({about['year']})" if "year" in about else ""
    kinds = ", ".join(f"*{each.value}* ({MEANING[each]})" for each in DEVIATIONS)
    slips = [row for group in facts if not group[0].claim.essential for row in _slip_rows(group)]
    matters = [group for group in facts if group[0].claim.essential]
    lines = [
        f"# Notes on *{about['title']}*", "", f"{', '.join(about['authors'])}{year}, {about['where']}.", "",
        f"We checked {len(entries)} statements, formulas and numbers in exact arithmetic. {len(matters) + len(slips)} places "
        "deserve a look; the others hold, or cannot be judged from what is printed.", "",
        EXTRACTED, "", f"An entry begins with its kind: {kinds}.", "", "## Summary", "", book(source).summary.strip(), "",
    ]  # fmt: skip
    if matters:
        lines += ["## What matters", ""]
        for group in matters:
            lines += [*_entry_lines(group), ""]
    if slips:
        lines += ["## Slips and unclear places", "", "| place | printed | right | note |", "|---|---|---|---|", *slips]
    return "\n".join(lines).rstrip() + "\n"


def _facts(source: str, entries: Sequence[Entry]) -> list[list[Entry]]:
    """Return what deviates, in the order of the source: each fact with the claims that belong to it."""
    facts: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.verdict in (*DEVIATIONS, Verdict.REMARK):
            name = entry.claim["with"]
            facts.setdefault(f"{source}/{name}" if name else entry.claim.id, []).append(entry)
    return [sorted(group, key=lambda each: bool(each.claim["with"])) for group in facts.values()]


def _entry_lines(group: Sequence[Entry]) -> Iterator[str]:
    first, *others = group
    about = first.claim
    yield f"### {about.place[0].upper()}{about.place[1:]}"
    yield ""
    yield from (f"<!-- {entry.claim.id} -->" for entry in group)
    yield f"*{first.verdict.value}.* {about['why']}"
    yield ""
    for title, text in (
        ("Printed", _printed(first)),
        ("Right", _right(first)),
        ("By hand", about["by hand"]),
        ("Perhaps by extraction", " ".join(dict.fromkeys(filter(None, (each.claim["garbled"] for each in group))))),
    ):
        if text:
            yield f"- {title}: {text}"
    cells = [each for each in others if each.claim.printed]
    if cells:
        yield from ("", "| place | printed | right |", "|---|---|---|")
        for each in cells:
            yield f"| {each.claim.place} | {_cell(_printed(each))} | {_cell(_right(each)) or 'as above'} |"


def _slip_rows(group: Sequence[Entry]) -> Iterator[str]:
    for entry in group:
        about = entry.claim
        note = about["why"] or f"See {group[0].claim.place}."
        note = " ".join(filter(None, (note, about["garbled"] and f"Perhaps by extraction: {about['garbled']}")))
        for row in about.rows or ((about.place, _printed(entry), _right(entry) or "see the note", note),):
            yield f"| {' | '.join(map(_cell, row))} | <!-- {about.id} -->"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", r"\|").split())


def _printed(entry: Entry) -> str:
    return entry.claim["quote"] or _latex(entry.claim, entry.claim.printed)


def _right(entry: Entry) -> str:
    return entry.claim["instead"] or _latex(entry.claim, entry.finding.right)


def _latex(claim: Claim, text: str) -> str:
    """Return a text of a claim as Markdown: in the notation of its check, if that has one, or as a number."""
    if re.fullmatch(r"[-−+\d./,()√ eE;]+", text):
        return "; ".join(f"${number_latex(part)}$" for part in text.split("; "))
    try:
        value = claim.printing(text).values()[0] if claim.printed else None
    except (BadDocument, ValueError):
        value = None
    values = value if isinstance(value, tuple) else (value,)
    return "; ".join(f"${v.latex()}$" for v in values) if all(hasattr(v, "latex") for v in values) else escaped(text)


# -- pages of the site -------------------------------------------------------------------------------


def pages(entries: Sequence[Entry]) -> dict[str, str]:
    """Return every page by its file name: an index, all claims of each source, and the notes for its authors."""
    made = {"index.md": _index_page(entries)}
    for source in SOURCES:
        own = [entry for entry in entries if entry.claim.source == source]
        if own:
            lines = [f"# Ledger: {SOURCES[source]['title']}", "", *(line for entry in own for line in _claim_lines(entry))]
            made[f"{source}.md"] = "\n".join(lines).rstrip() + "\n"
            made[f"errata_{source}.md"] = errata(source, own)
    return made


def _index_page(entries: Sequence[Entry]) -> str:
    counts = summary(entries)
    lines = [
        "# The ledger", "",
        f"{len(entries)} claims of the five sources. Each is checked by the program when it runs, except for remarks "
        "on wording, which are marked as such. `ntqr-exact ledger` makes this table anew; `ntqr-exact ledger show ID` "
        "shows one claim with its proof.", "",
        "| source | " + " | ".join(verdict.value for verdict in Verdict) + " | errata |",
        "|---|" + "---:|" * len(Verdict) + "---|",
    ]  # fmt: skip
    for source, row in counts.items():
        numbers = " | ".join(str(row[verdict]) for verdict in Verdict)
        lines.append(f"| [{SOURCES[source]['short']}]({source}.md) | {numbers} | [errata](errata_{source}.md) |")
    total = " | ".join(str(sum(row[verdict] for row in counts.values())) for verdict in Verdict)
    lines += [f"| all | {total} | |", "", "What the verdicts mean:", ""]
    lines += [f"- **{verdict.value}**: {MEANING[verdict]}" for verdict in Verdict]
    contents = [*counts, *(f"errata_{source}" for source in counts)]
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", "", *contents, "```"]) + "\n"


def _claim_lines(entry: Entry) -> Iterator[str]:
    claim = entry.claim
    yield f"({claim.id.replace('/', '-').replace('_', '-')})="
    yield from (f"## `{claim.id}`", "", f"**{entry.verdict.value}** · {claim.place}", "", claim.statement, "")
    shown = {"Printed": _printed(entry), "Right": _right(entry)}
    for title, text in _parts(entry):
        yield f"- {title.lower()}: {shown.get(title) or escaped(text)}"
    if entry.finding.proof is not None:
        yield f"- proof: `ntqr-exact ledger show {claim.id}` prints it"
    yield ""


def escaped(text: str) -> str:
    """Return a line for Markdown: symbols are formulas, and signs that would mean something there are escaped."""
    parts = re.split(r"(\$[^$]*\$|`[^`]*`)", formulas(" ".join(text.split())))
    return "".join(part if index % 2 else re.sub(r"([\\*_<>\[\]|#{}])", r"\\\1", part) for index, part in enumerate(parts))
