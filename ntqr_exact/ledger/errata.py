"""The note for the authors of a source: a summary, certain errors, unclear wording, possible damage by extraction.

One fact is one entry: claims of a group are told together. Each entry has its place, what is printed, what is right,
why, and how to see it by hand; all in the order of the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ntqr_exact.citation import SOURCES
from ntqr_exact.ledger.claim import Claim, ErrataSection, Group
from ntqr_exact.ledger.entry import Entry
from ntqr_exact.ledger.entry_text import meaning
from ntqr_exact.ledger.judgement import DEVIATIONS, Verdict
from ntqr_exact.ledger.printed_value import latex_of, number_latex
from ntqr_exact.ledger.source_file import source_file

_TITLES = {
    ErrataSection.ERROR: "Certain errors",
    ErrataSection.WORDING: "Unclear wording",
    ErrataSection.EXTRACTION: "Possible damage by extraction",
}
_WORDS = {
    ErrataSection.ERROR: "What is printed here is not right in any reading.",
    ErrataSection.WORDING: "These places can be read in more than one way, or a word seems to be meant otherwise.",
    ErrataSection.EXTRACTION: "We read a text that was extracted from a PDF. These may be its faults, not the paper's.",
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


def errata_page(source: str, entries: Sequence[Entry]) -> str:
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
        *(f"- *{verdict.value}*: {meaning(verdict)}" for verdict in used),
        "",
    ]
    for section, title in _TITLES.items():
        own = [note for note in found if note.section is section]
        if own:
            lines += [f"## {title}", "", _WORDS[section], ""]
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
