"""The family `csv-counting`: from the text of a decisions file to the counts of patterns, or a refusal."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import COUNT, TEXT, described, list_of, mapping, record
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


def compute(document: Document) -> dict[str, Any]:
    """Return the votes in the text as a JSON document, with or without an answer key."""
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


def edge_cases() -> Iterator[Case]:
    """Yield line ends, quotes, escapes, choices of columns and labels, and every kind of refusal."""
    yield _case("A,B\na,b\na,a\na,b\n", "two judges, three questions")
    yield _case("A,B\na,b\na,a\na,b", "no line break at the end")
    yield _case("A,B\r\na,b\r\na,a\r\n", "line ends of Windows", "form")
    yield _case("A,B\ra,b\ra,a\r", "line ends of old Macs", "form")
    yield _case("A,B\na,b\r\na,a\rb,a\n", "line ends of all kinds", "form")
    yield _case("\ufeffA,B\na,b\n", "a byte order mark", "form")
    yield _case("A,B\na,b\n\n\n", "blank lines at the end", "form")
    yield _case("A\na\nb\na\n", "one judge")
    yield _case("A,B,C\na,b,a\na,a,b\nb,b,b\na,b,a\n", "three judges")
    yield _case('A,B\n"a","b"\n"a",a\n', "quoted cells", "quoted")
    yield _case(
        'A,B\n"yes, sure",no\nno,"yes, sure"\n',
        "a comma in a label: escaped in the result",
        "quoted",
        "escaped",
    )
    yield _case('A,B\n"say ""a""",b\nb,b\n', "a quote in a label, doubled", "quoted")
    yield _case('A,B\n"a\nb",b\nb,b\n', "a line break in a label", "quoted")
    yield _case('A,B\n"a\r\nb",b\nb,b\n', "a line break of Windows in a label stays as it is", "quoted")
    yield _case("A,B\na\\,b\nb,b\n", "a backslash in a label: doubled in the result", "escaped")
    yield _case('A,B\n"a\\,b",b\nb,b\n', "a backslash and a comma in a label", "quoted", "escaped")
    yield _case('A,B\na"b,b\nb,b\n', "a quote inside a cell that is not quoted stands for itself")
    yield _case("A,B\na b,b\nb,b\n", "a blank inside a label")
    yield _case("A,B\né,e\ne,é\n", "labels are sorted by code points: e before é")
    yield _case("A,B\nb,B\nB,a\n", "capital letters come first, and are other labels")
    yield _case("A,B\n10,9\n9,9\n", "labels of digits are texts: 10 before 9")
    yield _case("A;B\na;b\nb;b\n", "a semicolon between cells", "form", delimiter=";")
    yield _case("A\tB\na\tb\nb\tb\n", "a tab between cells", "form", delimiter="\t")
    yield _case(
        "A;B\na,a;b\nb;b\n", "a comma inside a label, where it is no delimiter", "escaped", delimiter=";"
    )
    yield _case("A,key,B\na,a,b\nb,b,b\na,b,a\n", "an answer key", "truth", truth="key")
    yield _case("key,A\na,b\nb,b\nc,a\n", "a true label that no judge gives", "truth", truth="key")
    yield _case("A,key\na,b\nb,b\n", "no question has the true label a", "truth", truth="key")
    yield _case("A,B,C\na,b,a\nb,b,a\n", "some of the columns, in another order", "chosen", judges=["C", "A"])
    yield _case(
        "A,B,note\na,b,\nb,b,x y \n", "cells of other columns do not matter", "chosen", judges=["A", "B"]
    )
    yield _case("A,B\na,b\na,a\n", "labels named, in another order", "named", labels=["b", "a"])
    yield _case("A,B\na,a\na,a\n", "labels named that do not occur", "named", labels=["a", "b", "c"])
    yield _case("A,B\n a,b\nb,b\n", "a label with a blank before it, named", "named", labels=[" a", "b"])
    yield _case("A,B\n", "no question, labels named", "named", labels=["a", "b"])
    yield _case("A,key\na,b\n", "labels named, and a key", "named", "truth", labels=["a", "b"], truth="key")
    yield from _refusals()


def _refusals() -> Iterator[Case]:
    """Yield files that cannot be counted."""
    for text, comment in (
        ("", "an empty file"),
        ("\n", "a file that begins with a blank line"),
        ("A,\na,b\n", "a column without a name"),
        ("A, \na,b\n", "a column named by a blank"),
        ("A,A\na,b\n", "two columns of one name"),
        ("A,B\na\n", "a row that is too short"),
        ("A,B\na,b,c\n", "a row that is too long"),
        ("A,B\na,b\n\na,b\n", "a blank line between rows"),
        ("A,B\na,\nb,b\n", "an empty cell"),
        ('A,B\na,""\nb,b\n', "an empty cell in quotes"),
        ("A,B\n a,b\nb,b\n", "a blank before a label"),
        ("A,B\na,b \nb,b\n", "a blank after a label"),
        ('A,B\n"a" ,b\nb,b\n', "a blank after a quote"),
        ('A,B\n"a"b,b\nb,b\n', "a letter after a quote"),
        ('A,B\na,"b" \nb,b\n', "a blank after the last quote of a row"),
        ('A,B\n"a,b\nb,b\n', "a quote that is never closed"),
        ("A,B\na\0,b\nb,b\n", "a NUL in a cell"),
        ("A,B\na,a\na,a\n", "only one label occurs, and none are named"),
        ("A,B\n", "no question, and no labels are named"),
    ):
        yield _case(text, comment, "refused")
    many = "\n".join(f"l{number}" for number in range(101))
    yield _case(f"A\n{many}\n", "more than a hundred labels, and none are named", "refused")
    yield _case("A,B\na,b\n", "a judge who is not there", "refused", judges=["A", "C"])
    yield _case("A,B\na,b\n", "a judge named twice", "refused", judges=["A", "A"])
    yield _case("A,B\na,b\n", "no judge is named", "refused", judges=[])
    yield _case("A,B\na,b\n", "a key that is not there", "refused", truth="key")
    yield _case("A,B\na,b\n", "a key that is a judge as well", "refused", judges=["A", "B"], truth="B")
    yield _case("key\na\nb\n", "a key and no judge", "refused", truth="key")
    yield _case("A,B\na,c\n", "a label that is not among those named", "refused", labels=["a", "b"])
    yield _case(
        "A,key\na,c\nb,b\n",
        "a true label that is not among those named",
        "refused",
        labels=["a", "b"],
        truth="key",
    )
    yield _case("A,B\na,b\n", "one label named", "refused", labels=["a"])
    yield _case("A,B\na,b\n", "a label named twice", "refused", labels=["a", "b", "a"])
    yield _case("A,B\na,b\n", "an empty label named", "refused", labels=["a", ""])
    yield _case("A;;B\na;;b\n", "two characters between cells", "refused", delimiter=";;")
    yield _case('A"B\na"b\n', "a quote between cells", "refused", delimiter='"')


def random_case(draws: Draws, index: int) -> Case:
    """Return a file with drawn labels, quotes and line ends; now and then one with a fault."""
    judges = draws.between(1, 3)
    labels = draws.shuffled(_LABELS)[: draws.between(2, 4)]
    delimiter = draws.pick((",", ",", ",", ";", "\t", "|"))
    rows = [[draws.pick(labels) for _ in range(judges)] for _ in range(2 + min(index // 6, 20))]
    header = [f"J{number + 1}" for number in range(judges)]
    document: Document = {} if delimiter == "," else {"delimiter": delimiter}
    flags = []
    if draws.below(3) == 0:
        document["truth"] = "key"
        place = draws.between(0, judges)
        header.insert(place, "key")
        for row in rows:
            row.insert(place, draws.pick(labels))
        flags.append("truth")
    if draws.below(3) == 0:
        document["labels"] = list(labels)
        flags.append("named")
    fault = draws.below(8) == 0
    if fault:
        _spoil(draws, rows)
    end = draws.pick(("\n", "\n", "\r\n", "\r"))
    lines = [delimiter.join(_cell(draws, cell, delimiter) for cell in row) for row in (header, *rows)]
    document["csv"] = end.join(lines) + (end if draws.below(4) else "")
    comment = f"{len(rows)} questions" + (", with a fault" if fault else "")
    flags += [] if FAMILY.answer(document).result == "valid" else ["refused"]
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


def _case(
    text: str,
    comment: str,
    *flags: str,
    judges: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    truth: str | None = None,
    delimiter: str | None = None,
) -> Case:
    options = {"judges": judges, "labels": labels, "truth": truth, "delimiter": delimiter}
    given = {name: value for name, value in options.items() if value is not None}
    return Case({"csv": text, **given}, comment, flags)


_COUNTS = described(
    mapping(COUNT),
    "patterns that occur; labels joined by commas, a comma or backslash in a label after a backslash",
)

FAMILY = Family(
    name="csv-counting",
    version=1,
    title="Counting decisions from the text of a CSV file",
    citations=(Citation("ntqr", "section 1, what is observed of a test"),),
    algorithm=(
        "csv is the text of a file with a row for each question and a column for each judge. Optional: judges, the "
        "names of the columns to count, in this order; truth, the name of the column with the true labels; labels, "
        "all labels that may occur, in order; delimiter, the character between cells, a comma unless given.",
        "Reading: drop a byte order mark (U+FEFF) at the start. A cell that begins with a quote (U+0022) is quoted: "
        "it ends at the next quote that is not doubled, a doubled quote stands for one, and delimiters and line "
        "breaks in it are part of it, as they are. After the closing quote only a delimiter, a line break or the end "
        "of the text may follow. A quote later in a cell stands for itself. Outside of quotes LF, CR and CR LF each "
        "end a row; the last row needs no end. Nothing is trimmed.",
        "Refuse as bad-decisions: a delimiter that is not one character or is a quote or a line break; a quoted cell "
        "that is not closed or is followed by something else; a first row that is blank or missing; a column whose "
        "name is empty or all blanks, or occurs twice; a row whose number of cells is not that of the first row, and "
        "a blank row, but blank rows at the end of the text are ignored; a judge or a truth that names no column; a "
        "truth that is among the judges; no column left for a judge. The first row names the columns; the others are "
        "counted.",
        "Refuse as bad-decisions also a cell in a column that is counted (a judge's or the truth's) that is empty; "
        "that holds a NUL character; that is not one of the labels, if labels are given; that begins or ends with "
        "white space, if none are given; or that is the 101st different one, if none are given.",
        "Refuse as bad-votes: labels that are given and are fewer than two, empty or twice the same; judges that are "
        "given and are none, empty or twice the same; and if no labels are given, fewer than two different cells.",
        "labels: those given, or those that occur in the columns that are counted, sorted by code points. judges: "
        "those given, or all columns but the truth in the order of the file.",
        "counts, if there is no truth: for each pattern of labels that occurs how many rows have it. The name of a "
        "pattern is its labels in the order of the judges, joined by commas; before that a backslash is put before "
        "each comma and each backslash in a label.",
        "counts_by_label, if there is a truth: for each label, also those that are never true, the counts of the rows "
        "with this true label.",
    ),
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
    flags={
        "form": "another way to write the same rows",
        "quoted": "cells in quotes that matter",
        "escaped": "a comma or a backslash in a label",
        "chosen": "the columns of the judges are named",
        "named": "the labels are named",
        "truth": "there is an answer key",
        "refused": "the file or the options are refused",
    },
    errors={
        "bad-decisions": "a cell, row or column that cannot be counted",
        "bad-votes": "labels or judges that make no votes",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
)
