"""A second implementation of `csv-counting`, and the bugs that the vectors must catch in it."""

QUOTE = chr(34)
MOST_LABELS = 100


class Bad(Exception):
    """The kind of a refusal."""


def line_break(text, at):
    """How many characters the line break at a place has; 0 if there is none."""
    if text[at : at + 2] == "\r\n":
        return 2
    return int(text[at] in "\r\n")


def quoted(text, at):
    """The cell whose opening quote stands at a place, and where it ends."""
    cell = ""
    at += 1
    while at < len(text):
        if text[at] != QUOTE:
            cell += text[at]
            at += 1
        elif text[at + 1 : at + 2] == QUOTE:
            cell += QUOTE
            at += 2
        else:
            return cell, at + 1
    raise Bad("bad-decisions")


def plain(text, at, delimiter):
    start = at
    while at < len(text) and text[at] != delimiter and not line_break(text, at):
        at += 1
    return text[start:at], at


def rows_of(text, delimiter):
    """All rows; a blank line is an empty row."""
    text = text.removeprefix(chr(0xFEFF))
    rows, at = [], 0
    while at < len(text):
        if line_break(text, at):
            rows.append([])
            at += line_break(text, at)
            continue
        row = []
        while True:
            is_quoted = text[at : at + 1] == QUOTE
            cell, at = quoted(text, at) if is_quoted else plain(text, at, delimiter)
            row.append(cell)
            if at < len(text) and text[at] == delimiter:
                at += 1
                continue
            break
        if at < len(text):
            if not line_break(text, at):
                raise Bad("bad-decisions")
            at += line_break(text, at)
        rows.append(row)
    return rows


def check_names(names, least):
    if len(names) < least or len(set(names)) < len(names) or "" in names:
        raise Bad("bad-votes")


def table(document, delimiter):
    """The header and the rows, all of one width."""
    rows = rows_of(document["csv"], delimiter)
    while len(rows) > 1 and rows[-1] == []:
        rows.pop()
    if not rows or rows[0] == []:
        raise Bad("bad-decisions")
    header = rows[0]
    if any(not name.strip() for name in header) or len(set(header)) < len(header):
        raise Bad("bad-decisions")
    return header, rows[1:]


def columns(document, header):
    truth = document.get("truth")
    judges = document.get("judges")
    if judges is None:
        judges = [name for name in header if name != truth]
    else:
        check_names(judges, 1)
    if any(name not in header for name in judges) or (truth is not None and truth not in header):
        raise Bad("bad-decisions")
    if truth in judges or not judges:
        raise Bad("bad-decisions")
    return judges, truth


def check_cell(cell, labels, found):
    if not cell or "\0" in cell:
        raise Bad("bad-decisions")
    if labels is not None:
        if cell not in labels:
            raise Bad("bad-decisions")
    elif cell != cell.strip():
        raise Bad("bad-decisions")
    found.add(cell)
    if labels is None and len(found) > MOST_LABELS:
        raise Bad("bad-decisions")


def name_of(pattern):
    return ",".join("".join("\\" + c if c in ",\\" else c for c in label) for label in pattern)


def answer(document):
    labels = document.get("labels")
    if labels is not None:
        check_names(labels, 2)
    delimiter = document.get("delimiter", ",")
    if len(delimiter) != 1 or delimiter in (QUOTE, "\r", "\n"):
        raise Bad("bad-decisions")
    header, rows = table(document, delimiter)
    judges, truth = columns(document, header)
    places = [header.index(name) for name in judges]
    counted = places if truth is None else [*places, header.index(truth)]
    found, seen = set(), {}
    for row in rows:
        if len(row) != len(header):
            raise Bad("bad-decisions")
        for place in counted:
            check_cell(row[place], labels, found)
        true_label = None if truth is None else row[header.index(truth)]
        name = name_of([row[place] for place in places])
        part = seen.setdefault(true_label, {})
        part[name] = part.get(name, 0) + 1
    if labels is None:
        labels = sorted(found)
        check_names(labels, 2)
    out = {"labels": labels, "judges": judges}
    if truth is None:
        return {**out, "counts": seen.get(None, {})}
    return {**out, "counts_by_label": {label: seen.get(label, {}) for label in labels}}


def reference(document):
    try:
        return answer(document)
    except Bad as refusal:
        return {"error": str(refusal)}


BUGS = {
    "a doubled quote ends the cell": ("elif text[at + 1 : at + 2] == QUOTE:", "elif False:"),
    "quotes are not understood": ("is_quoted = text[at : at + 1] == QUOTE", "is_quoted = False"),
    "anything may follow a quote": (
        'if not line_break(text, at):\n                raise Bad("bad-decisions")',
        "while at < len(text) and not line_break(text, at):\n                at += 1",
    ),
    "CR is no line break": ('text[at] in "\\r\\n"', 'text[at] in "\\n"'),
    "CR LF are two line breaks": ('if text[at : at + 2] == "\\r\\n":', "if False:"),
    "the byte order mark stays": ("text.removeprefix(chr(0xFEFF))", "text"),
    "blank lines are skipped": ("rows.append([])\n", "pass\n"),
    "cells are trimmed": ("row.append(cell)", "row.append(cell.strip())"),
    "an empty cell passes": (
        'if not cell or "\\0" in cell:',
        'if not cell:\n        return\n    if "\\0" in cell:',
    ),
    "capital letters are sorted like small ones": (
        "labels = sorted(found)",
        "labels = sorted(found, key=str.lower)",
    ),
    "commas are not escaped": ('if c in ",\\\\" else c', 'if c in "\\\\" else c'),
    "backslashes are not escaped": ('if c in ",\\\\" else c', 'if c in "," else c'),
    "the columns in the order of the file": (
        "for name in judges]\n    counted",
        "for name in sorted(judges)]\n    counted",
    ),
    "the truth is a judge": ("if name != truth]", "if name]"),
    "labels that are never true are left out": (
        "for label in labels}}",
        "for label in labels if label in seen}}",
    ),
    "every cell of a row is checked": ("for place in counted:", "for place in range(len(row)):"),
    "one label too many": ("len(found) > MOST_LABELS", "len(found) > MOST_LABELS + 1"),
    "a short row is filled up": (
        "if len(row) != len(header):",
        "row += ['a'] * (len(header) - len(row))\n        if len(row) != len(header):",
    ),
}
