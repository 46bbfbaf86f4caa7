"""Pages made from the ledger: one per source with every claim, one of errata per source, and an index.

They are Markdown with LaTeX between dollar signs, as the documentation builds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ntqr_exact.citation import SOURCES
from ntqr_exact.exact.symbol_formulas import formulas
from ntqr_exact.ledger.entry import Entry, summary
from ntqr_exact.ledger.entry_text import meaning
from ntqr_exact.ledger.errata import errata_page
from ntqr_exact.ledger.judgement import Finding, Verdict

MADE = "<!-- Made by `ntqr-exact ledger pages`; change the claims, not this page. -->"


def pages(entries: Sequence[Entry]) -> dict[str, str]:
    """Return every page by its file name."""
    made = {"index.md": _index_page(entries)}
    for source in SOURCES:
        own = [entry for entry in entries if entry.claim.source == source]
        if own:
            made[f"{source}.md"] = _source_page(source, own)
            made[f"errata_{source}.md"] = errata_page(source, own)
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
    lines += [f"- **{verdict.value}**: {meaning(verdict)}" for verdict in Verdict]
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
