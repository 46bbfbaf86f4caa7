"""The family `csv-counting`: from the text of a decisions file to the counts of patterns, or a refusal."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from typing import Any

from ntqr_exact.errors import DecisionsWarning
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.fragments import COUNT, TEXT, described, list_of, mapping, record
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.csv_decisions import count_csv
from ntqr_exact.votes.names import split_pattern

_LABELS = (
    "a",
    "b",
    "yes",
    "no",
    "yes, sure",
    'the "best"',
    "two words",
    "back\\slash",
    "é",
    "1",
    "0",
    "a;b",
    "x\ny",
)


_OPTIONS = {"truth": "truth", "named": "labels"}
"""Flags of options that random files may have, refused ones too."""


def compute(document: Document) -> dict[str, Any]:
    """Return the votes in the text as a JSON document, with or without an answer key."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecisionsWarning)  # what is doubtful is counted all the same
        votes = count_csv(
            io.StringIO(document["csv"], newline=""),
            judges=document.get("judges"),
            labels=document.get("labels"),
            truth=document.get("truth"),
            delimiter=document.get("delimiter", ","),
        )
    return votes.to_document()


def steps(document: Document) -> Iterator[str]:
    """Tell the lines of the file, and what was counted."""
    found = compute(document)
    for number, line in enumerate(document["csv"].splitlines(), start=1):
        yield f"line {number}: {line!r}"
    yield f"judges: {', '.join(map(repr, found['judges']))}; labels: {', '.join(map(repr, found['labels']))}"
    parts = found.get("counts_by_label", {"": found.get("counts")})
    for label, counts in parts.items():
        if label:
            yield f"questions whose true label is {label!r}:"
        yield from (f"  {split_pattern(name)!r}: {count}" for name, count in counts.items())


def random_case(draws: Draws, index: int) -> Case:
    """Return a file with drawn labels, quotes and line ends; now and then one with a fault."""
    judges = draws.between(1, 3)
    labels = draws.shuffled(_LABELS)[: draws.between(2, 4)]
    delimiter = draws.pick((",", ",", ",", ";", "\t", "|"))
    rows = [[draws.pick(labels) for _ in range(judges)] for _ in range(2 + min(index // 6, 20))]
    header = [f"J{number + 1}" for number in range(judges)]
    document: Document = {} if delimiter == "," else {"delimiter": delimiter}
    if draws.below(3) == 0:
        document["truth"] = "key"
        place = draws.between(0, judges)
        header.insert(place, "key")
        for row in rows:
            row.insert(place, draws.pick(labels))
    if draws.below(3) == 0:
        document["labels"] = list(labels)
    fault = draws.below(8) == 0
    if fault:
        _spoil(draws, rows)
    end = draws.pick(("\n", "\n", "\r\n", "\r"))
    lines = [delimiter.join(_cell(draws, cell, delimiter) for cell in row) for row in (header, *rows)]
    document["csv"] = end.join(lines) + (end if draws.below(4) else "")
    comment = f"{len(rows)} questions" + (", with a fault" if fault else "")
    flags = [flag for flag, option in _OPTIONS.items() if option in document]
    return Case(document, comment, tuple(flags))


def _spoil(draws: Draws, rows: list[list[str]]) -> None:
    """Put one fault into the rows: a cell too few or too many, an empty cell, blanks, another label."""
    row = draws.pick(rows)
    place = draws.below(len(row))
    match draws.below(5):
        case 0:
            row.append("a")
        case 1:
            row.pop()
        case 2:
            row[place] = ""
        case 3:
            row[place] += " "
        case _:
            row[place] = "another"


def _cell(draws: Draws, cell: str, delimiter: str) -> str:
    """Write a cell, quoted where it must be and sometimes where it need not be."""
    must = any(character in cell for character in ('"', "\n", "\r", delimiter))
    if must or draws.below(5) == 0:
        return '"' + cell.replace('"', '""') + '"'
    return cell


_COUNTS = described(
    mapping(COUNT),
    "patterns that occur; labels joined by commas, a comma or backslash in a label after a backslash",
)

FAMILY = Family(
    *declared("csv-counting"),
    input=record(
        csv=TEXT,
        judges=list_of(TEXT),
        labels=list_of(TEXT),
        truth=TEXT,
        delimiter=TEXT,
    )
    | {"required": ["csv"]},
    expected=record(
        {
            "labels": list_of(TEXT),
            "judges": list_of(TEXT),
            "counts": _COUNTS,
            "counts_by_label": mapping(_COUNTS),
        },
        optional=("counts", "counts_by_label"),
    ),
    random_case=random_case,
    compute=compute,
    steps=steps,
)
