"""Pages made from the ledger: one per source with every claim, one of errata per source, and an index.

They are Markdown with LaTeX between dollar signs, as the documentation builds them. The errata pages are fit to
be sent to the authors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ntqr_exact.citation import SOURCES
from ntqr_exact.ledger.entry import Entry, summary
from ntqr_exact.ledger.entry_text import meaning
from ntqr_exact.ledger.finding import DEVIATIONS, Finding, Verdict

MADE = "<!-- Made by `ntqr-exact ledger pages`; change the claims, not this page. -->"


def pages(entries: Sequence[Entry]) -> dict[str, str]:
    """Return every page by its file name."""
    made = {"index.md": index_page(entries)}
    for source in SOURCES:
        own = [entry for entry in entries if entry.claim.source == source]
        if own:
            made[f"{source}.md"] = source_page(source, own)
            made[f"errata_{source}.md"] = errata_page(source, own)
    return made


def index_page(entries: Sequence[Entry]) -> str:
    """Return the page that counts the verdicts of each source."""
    counts = summary(entries)
    lines = [
        "# The ledger",
        "",
        MADE,
        "",
        f"{len(entries)} claims of the five sources, each checked by the program when it runs. "
        "`ntqr-exact ledger` makes this table anew; `ntqr-exact ledger show ID` shows one claim with its proof.",
        "",
        "| source | " + " | ".join(verdict.value for verdict in Verdict) + " | errata |",
        "|---|" + "---:|" * len(Verdict) + "---|",
    ]
    for source, row in counts.items():
        numbers = " | ".join(str(row[verdict]) for verdict in Verdict)
        lines.append(f"| [{SOURCES[source].short}]({source}.md) | {numbers} | [errata](errata_{source}.md) |")
    total = " | ".join(str(sum(row[verdict] for row in counts.values())) for verdict in Verdict)
    lines += [f"| all | {total} | |", "", "What the verdicts mean:", ""]
    lines += [f"- **{verdict.value}**: {meaning(verdict)}" for verdict in Verdict]
    contents = [*counts, *(f"errata_{source}" for source in counts)]
    lines += ["", "```{toctree}", ":hidden:", "", *contents, "```"]
    return "\n".join(lines) + "\n"


def source_page(source: str, entries: Sequence[Entry]) -> str:
    """Return the page with all claims of a source."""
    lines = [f"# Ledger: {SOURCES[source].title}", "", MADE, ""]
    for entry in entries:
        lines += [*_claim_lines(entry), ""]
    return "\n".join(lines).rstrip() + "\n"


def errata_page(source: str, entries: Sequence[Entry]) -> str:
    """Return the note for the authors: place, printed, right, evidence."""
    about = SOURCES[source]
    found = [entry for entry in entries if entry.verdict in DEVIATIONS]
    year = f" ({about.year})" if about.year else ""
    lines = [
        f"# Errata: {about.title}",
        "",
        MADE,
        "",
        f"Notes on *{about.title}*, {', '.join(about.authors)}{year}, {about.where}. "
        f"{len(entries)} claims were checked in exact arithmetic; these {len(found)} deserve a look. Places marked "
        "with ✂ may have been spoilt when the text was extracted from its PDF, and not by the authors.",
        "",
    ]
    for entry in found:
        claim, finding = entry.claim, entry.finding
        lines += [f"## {claim.place}{' ✂' if claim.garbled else ''}", ""]
        lines += [f"*{entry.verdict.value}* (`{claim.id}`). {claim.statement}", ""]
        rows = []
        if claim.printed:
            rows.append(f"- printed: {_code(claim.text(claim.printed))}")
        if finding.right:
            rows.append(f"- right: {_prose(finding.right)}")
        rows += _reading_lines(finding) or [f"- evidence: {_prose(line)}" for line in finding.evidence[:2]]
        if finding.arose:
            rows.append(f"- how it may have arisen: {_prose(finding.arose)}")
        lines += [*rows, ""]
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
    if claim.printed:
        yield f"- printed: {_code(claim.text(claim.printed))}"
    for line in finding.evidence:
        yield f"- {_prose(line)}"
    for name, text in (
        ("right", finding.right),
        ("how it arose", finding.arose),
        ("the text", claim.garbled),
        ("by hand", claim.by_hand),
    ):
        if text:
            yield f"- {name}: {_prose(text)}"
    yield from _reading_lines(finding)
    if finding.proof is not None:
        yield f"- proof: `ntqr-exact ledger show {claim.id}` prints it"


def _reading_lines(finding: Finding) -> list[str]:
    return [
        f"- read as *{_prose(reading.name)}*: **{reading.verdict.value}**"
        + (f": {_prose('; '.join(reading.evidence))}" if reading.evidence else "")
        for reading in finding.readings
    ]


def _code(text: str) -> str:
    flat = " ".join(text.split())
    return f"`` {flat} ``" if "`" in flat else f"`{flat}`"


def _prose(text: str) -> str:
    """Return a line for Markdown: signs that would mean something there are escaped, outside of formulas."""
    flat = " ".join(text.split())
    parts = re.split(r"(\$[^$]*\$|`[^`]*`)", flat)
    return "".join(
        part if index % 2 else re.sub(r"([\\*_<>\[\]|#{}])", r"\\\1", part)
        for index, part in enumerate(parts)
    )
