"""Pages made from the ledger: one per source with every claim, a note for the authors of each, and an index.

They are Markdown with LaTeX between dollar signs, as the documentation builds them. In a note one fact is one entry:
claims of a group are told together. Each entry has its place, what is printed, what is right, why, and how to see it by
hand; all in the order of the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ntqr_exact.citation import SOURCES
from ntqr_exact.exact.symbol_formulas import formulas
from ntqr_exact.ledger.claim import Claim, ErrataSection, Group
from ntqr_exact.ledger.entry import MEANING, Entry, summary
from ntqr_exact.ledger.judgement import DEVIATIONS, Finding, Verdict
from ntqr_exact.ledger.printed_value import latex_of, number_latex
from ntqr_exact.ledger.registry import source_file

_SECTIONS = {
    ErrataSection.ERROR: """## Certain errors\n
What is printed here is not right in any reading.""",
    ErrataSection.WORDING: """## Unclear wording\n
These places can be read in more than one way, or a word seems to be meant otherwise.""",
    ErrataSection.EXTRACTION: """## Possible damage by extraction\n
We read a text that was extracted from a PDF. These may be its faults, not the paper's.""",
}


@dataclass(frozen=True, slots=True)
class Note:
    """One entry of the note: a claim, or claims that are one fact."""

    entries: tuple[Entry, ...]
    group: Group | None = None

    @property
    def section(self) -> ErrataSection:
        """Where it stands."""
        first = self.entries[0].claim
        if self.group is not None:
            return self.group.section or ErrataSection.ERROR
        if first.section is not None:
            return first.section
        if self.entries[0].verdict is Verdict.DEPENDS:
            return ErrataSection.WORDING
        return ErrataSection.EXTRACTION if first.garbled else ErrataSection.ERROR


def notes(source: str, entries: Sequence[Entry]) -> list[Note]:
    """Return what an author should look at, in the order of the source; a remark counts if it has a section."""
    groups = source_file(source).groups
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        claim = entry.claim
        if entry.verdict in DEVIATIONS or (entry.verdict is Verdict.REMARK and claim.section is not None):
            found.setdefault(claim.group or claim.id, []).append(entry)
    return [Note(tuple(held), groups.get(name)) for name, held in found.items()]


def _errata_page(source: str, entries: Sequence[Entry]) -> str:
    """Return the note on a source as Markdown."""
    about = SOURCES[source]
    year = f" ({about.year})" if about.year else ""
    found = notes(source, entries)
    used = [
        verdict
        for verdict in Verdict
        if any(entry.verdict is verdict for note in found for entry in note.entries)
    ]
    lines = [
        f"# Notes on *{about.title}*",
        "",
        "<!-- Made by `ntqr-exact ledger pages`; change the claims, not this page. -->",
        "",
        f"{', '.join(about.authors)}{year}, {about.where}.",
        "",
        f"We checked {len(entries)} statements, formulas and numbers in exact arithmetic. {len(found)} places deserve "
        "a look; the others hold, or cannot be judged from what is printed.",
        "",
        "## Summary",
        "",
        *(source_file(source).summary.strip().splitlines() or ["No summary is written yet."]),
        "",
        "The words at the head of the entries mean:",
        "",
        *(f"- *{verdict.value}*: {MEANING[verdict]}" for verdict in used),
        "",
    ]
    for section, heading in _SECTIONS.items():
        own = [note for note in found if note.section is section]
        if own:
            lines += [heading, ""]
            for note in own:
                lines += [*_note_lines(note), ""]
    return "\n".join(lines).rstrip() + "\n"


def _note_lines(note: Note) -> Iterator[str]:
    first = note.entries[0]
    about: Group | Claim = note.group or first.claim
    words = dict.fromkeys(entry.verdict.value for entry in note.entries)
    verdicts = [word for word in words if word != Verdict.DEPENDS.value] or list(words)
    yield f"### {about.place[0].upper()}{about.place[1:]}"
    yield ""
    for entry in note.entries:
        yield f"<!-- {entry.claim.id} -->"
    yield f"*{', '.join(verdicts)}.* {about.why or first.claim.remark or first.claim.statement}"
    yield ""
    if note.group is not None and not note.group.quote:
        yield from _cells(note)
    else:
        printed, right = _printed(about), _right(about, first)
        if printed:
            yield f"- Printed: {printed}"
        if right:
            yield f"- Right: {right}"
        if not about.why:
            for reading in first.finding.readings:
                yield f"- Read as *{reading.name}*: {reading.verdict.value}. {sentence('; '.join(reading.evidence))}"
    if about.by_hand:
        yield f"- By hand: {about.by_hand}"


def _cells(note: Note) -> Iterator[str]:
    yield "| place | printed | right |"
    yield "|---|---|---|"
    for entry in note.entries:
        if entry.claim.printed != "":
            yield f"| {entry.claim.place} | {_printed(entry.claim)} | {_right(entry.claim, entry)} |"
    yield ""


def _printed(about: Group | Claim) -> str:
    if about.quote or isinstance(about, Group):
        return about.quote
    return about.latex(about.printed) if about.printed != "" else ""


def _right(about: Group | Claim, entry: Entry) -> str:
    if isinstance(about, Group):
        return about.right
    if about.right != "":
        return about.latex(about.right)
    return "" if entry.verdict is Verdict.DEPENDS else numbers(entry.finding.right)


def numbers(text: str) -> str:
    r"""Return a right value as Markdown: a cell as the tables have it, other numbers as fractions.

    >>> print(numbers("401/582 = 0.689"))
    $\frac{401}{582}/0.689$
    """
    cells = text.split(" or ")
    if all(re.fullmatch(r"[-\d/()√ +]+ = -?[\d.]+", cell) for cell in cells):
        return " or ".join("$" + "/".join(map(number_latex, cell.split(" = "))) + "$" for cell in cells)
    return latex_of(text)


def sentence(text: str) -> str:
    """Return a text as a sentence, with a capital letter and a full stop."""
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}" if text else ""


MADE = "<!-- Made by `ntqr-exact ledger pages`; change the claims, not this page. -->"


def pages(entries: Sequence[Entry]) -> dict[str, str]:
    """Return every page by its file name."""
    made = {"index.md": _index_page(entries)}
    for source in SOURCES:
        own = [entry for entry in entries if entry.claim.source == source]
        if own:
            made[f"{source}.md"] = _source_page(source, own)
            made[f"errata_{source}.md"] = _errata_page(source, own)
    return made


def _index_page(entries: Sequence[Entry]) -> str:
    """Return the page that counts the verdicts of each source."""
    counts = summary(entries)
    lines = [
        "# The ledger",
        "",
        MADE,
        "",
        f"{len(entries)} claims of the five sources. Each is checked by the program when it runs, except for remarks "
        "on wording, which are marked as such. `ntqr-exact ledger` makes this table anew; `ntqr-exact ledger show ID` "
        "shows one claim with its proof.",
        "",
        "| source | " + " | ".join(verdict.value for verdict in Verdict) + " | errata |",
        "|---|" + "---:|" * len(Verdict) + "---|",
    ]
    for source, row in counts.items():
        numbers = " | ".join(str(row[verdict]) for verdict in Verdict)
        lines.append(f"| [{SOURCES[source].short}]({source}.md) | {numbers} | [errata](errata_{source}.md) |")
    total = " | ".join(str(sum(row[verdict] for row in counts.values())) for verdict in Verdict)
    lines += [f"| all | {total} | |", "", "What the verdicts mean:", ""]
    lines += [f"- **{verdict.value}**: {MEANING[verdict]}" for verdict in Verdict]
    contents = [*counts, *(f"errata_{source}" for source in counts)]
    lines += ["", "```{toctree}", ":hidden:", "", *contents, "```"]
    return "\n".join(lines) + "\n"


def _source_page(source: str, entries: Sequence[Entry]) -> str:
    """Return the page with all claims of a source."""
    lines = [f"# Ledger: {SOURCES[source].title}", "", MADE, ""]
    for entry in entries:
        lines += [*_claim_lines(entry), ""]
    return "\n".join(lines).rstrip() + "\n"


def _claim_lines(entry: Entry) -> Iterator[str]:
    claim, finding = entry.claim, entry.finding
    anchor = claim.id.replace("/", "-").replace("_", "-")
    yield f"({anchor})="
    yield f"## `{claim.id}`"
    yield ""
    yield f"**{entry.verdict.value}** · {claim.place} · {claim.kind.value}"
    yield ""
    yield claim.statement
    yield ""
    if claim.quote or claim.printed != "":
        yield f"- printed: {escaped(claim.quote or claim.latex(claim.printed))}"
    for line in finding.evidence:
        yield f"- {escaped(line)}"
    for name, text in (
        ("right", claim.latex(claim.right) if claim.right != "" and finding.right else finding.right),
        ("how it arose", finding.arose),
        ("in short", claim.why),
        ("the text", claim.garbled),
        ("by hand", claim.by_hand),
        ("theorem, checked by Coq", claim.theorem),
    ):
        if text:
            yield f"- {name}: {escaped(text)}"
    yield from _reading_lines(finding)
    if finding.proof is not None:
        yield f"- proof: `ntqr-exact ledger show {claim.id}` prints it"


def _reading_lines(finding: Finding) -> list[str]:
    return [
        f"- read as *{escaped(reading.name)}*: **{reading.verdict.value}**"
        + (f": {escaped('; '.join(reading.evidence))}" if reading.evidence else "")
        for reading in finding.readings
    ]


def escaped(text: str) -> str:
    """Return a line for Markdown: symbols are formulas, and signs that would mean something there are escaped."""
    flat = formulas(" ".join(text.split()))
    parts = re.split(r"(\$[^$]*\$|`[^`]*`)", flat)
    return "".join(
        part if index % 2 else re.sub(r"([\\*_<>\[\]|#{}])", r"\\\1", part)
        for index, part in enumerate(parts)
    )
