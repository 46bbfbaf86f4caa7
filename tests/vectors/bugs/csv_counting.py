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
