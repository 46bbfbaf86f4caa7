"""The page docs/peers.md: a summary of all peers, then for each its families and its defects."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator

from benchmarks.peers import crowd_kit, no_agreement, ntqr_package, scikit_learn
from benchmarks.peers.conformance import (
    ACCEPTED,
    NOT_ASKED,
    RANDOM_TESTS,
    REFUSED,
    RIGHT,
    TOLERANCE,
    Defect,
    Peer,
    Row,
    report,
    size,
)

PEERS: tuple[Peer, ...] = (ntqr_package.PEER, scikit_learn.PEER, crowd_kit.PEER)

COLUMNS = ("passed", "failed", "refused wrongly", "accepted wrongly", "not comparable")
COLUMN_OF = {
    RIGHT: "passed",
    REFUSED: "refused wrongly",
    ACCEPTED: "accepted wrongly",
    NOT_ASKED: "not comparable",
}
ORDER = ("failed", "refused wrongly", "accepted wrongly", "passed", "not comparable")
"""A test with several quantities is counted in the first of these columns that one of them is in."""
LONGEST = 240
"""How many characters of an expected or given value are shown."""

START = (
    f"Written by `python -m benchmarks.peers`. Other packages compute some of what the [reference vectors](vectors.md) "
    f"ask for. Here each is put to the vectors: of every family that it knows something of, all edge cases and the "
    f"first {RANDOM_TESTS} random tests. A test is *passed* if all that the package computes of it is right; *failed* "
    f"if a value is wrong, missing, or given where there is none; *refused wrongly* if the package stops at a valid "
    f"input; *accepted wrongly* if it computes on from an invalid one; *not comparable* if it has no way to take the "
    f"input or computes nothing of what is expected. Exact results must be equal; a float may differ by "
    f"{TOLERANCE} · max(1, |expected|). A failed test is a difference from the vectors' definitions, which are "
    f"written in each family's file; where a package means another thing by the same word, the text says so."
)
PREDICTION = (
    "## ppi-python",
    "",
    *textwrap.wrap(
        "No adapter: version 0.2.3 computes no quantity of a family. Its interval for the mean of labels alone, "
        "`classical_mean_ci`, takes p(1 − p)/N for the variance of a share, where the reading `deterministic` of "
        "`variance-readings` is p(1 − p)/(N − 1): with 1 positive of 2, 1/8 against 1/4. Its prediction-powered "
        "interval `ppi_mean_ci` corrects the mean of predictions by a mean of residuals, and tunes their weight from "
        "the data; `real-rate` weighs rates per class, and `estimated-rates` adds their variances. They answer the "
        "same question by other estimators, so that no vector can tell right from wrong.",
        width=118,
        break_on_hyphens=False,
    ),
)


def page(old: str = "") -> str:
    """Return the page; what it says of a peer that is not installed is kept from the old page."""
    sections, summary = [], []
    for peer in PEERS:
        if peer.version is None:
            sections.append(section_in(old, peer.name))
            summary += [line for line in old.splitlines() if line.startswith(f"| [{peer.name}]")]
        else:
            rows = report(peer.asked, cause=peer.cause)
            sections.append("\n".join(section(peer, rows)))
            summary.append(_summary(peer, rows))
    head = [
        "# Conformance of other packages",
        "",
        *textwrap.wrap(START, width=118, break_on_hyphens=False),
        "",
        _line(("package", "version", "families", *COLUMNS)),
        _line(("---", "---", *["---:"] * (1 + len(COLUMNS)))),
        *summary,
        "",
    ]
    return "\n".join(
        [*head, *(f"{text}\n" for text in sections), *PREDICTION, "", *no_agreement.section(old), ""]
    )


def section_in(old: str, name: str) -> str:
    """Return what a page says of a peer: from its heading to the next."""
    lines = old.splitlines()
    starts = [place for place, line in enumerate(lines) if line.startswith("## ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        if lines[start].split()[1] == name:
            return "\n".join(lines[start:end]).rstrip("\n")
    return f"## {name}\n\nNot run yet."


def section(peer: Peer, rows: list[Row]) -> Iterator[str]:
    """Yield what the page says of a peer."""
    yield f"## {peer.name} {peer.version}"
    for text in peer.about:
        yield ""
        yield from textwrap.wrap(text, width=118, break_on_hyphens=False)
    yield ""
    yield _line(("family", "compared", *COLUMNS))
    yield _line(("---", "---", *["---:"] * len(COLUMNS)))
    for family, of_family in by_family(rows).items():
        counts = standing(of_family)
        names = ", ".join(f"`{row.quantity}`" for row in of_family)
        yield _line((f"`{family}`", names, *(str(counts[column]) for column in COLUMNS)))
    found = causes(rows)
    if found:
        yield ""
        yield "Differences, each with the smallest vector that shows it:"
        yield ""
    for cause, defects in found.items():
        yield from _difference(cause, defects)


def by_family(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the rows of each family."""
    families: dict[str, list[Row]] = {}
    for row in rows:
        families.setdefault(row.family, []).append(row)
    return families


def standing(rows: Iterable[Row]) -> Counter[str]:
    """Return how many tests of a family are in each column."""
    columns: dict[str, set[str]] = {}
    for row in rows:
        for name, outcome in row.outcomes.items():
            columns.setdefault(name, set()).add(COLUMN_OF.get(outcome, "failed"))
    return Counter(next(column for column in ORDER if column in found) for found in columns.values())


def causes(rows: Iterable[Row]) -> dict[str, list[tuple[Row, Defect]]]:
    """Return for each cause the rows that it shows in, in the order of the rows."""
    found: dict[str, list[tuple[Row, Defect]]] = {}
    for row in rows:
        for cause, defect in row.defects.items():
            found.setdefault(cause, []).append((row, defect))
    return found


def _difference(cause: str, defects: list[tuple[Row, Defect]]) -> Iterator[str]:
    row, smallest = min(defects, key=lambda one: size(one[1].test))
    tests = {row.family: 0 for row, _ in defects}
    for each, defect in defects:
        tests[each.family] = max(tests[each.family], defect.tests)
    places = ", ".join(f"`{family}` ({count})" for family, count in tests.items())
    yield f"- {cause}"
    yield f"  - in tests of {places}; smallest `{smallest.test.id}`, `{row.quantity}`"
    yield f"  - input `{_short(smallest.test.input)}`"
    yield f"  - expected `{_short(smallest.expected)}`, given `{_short(smallest.given)}`"


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _summary(peer: Peer, rows: list[Row]) -> str:
    families = by_family(rows)
    total = sum((standing(of_family) for of_family in families.values()), Counter())
    counts = [str(total[column]) for column in COLUMNS]
    anchor = f"{peer.name} {peer.version}".replace(".", "").replace(" ", "-")
    return _line((f"[{peer.name}](#{anchor})", str(peer.version), str(len(families)), *counts))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
