"""The shape of a table: a row for each question (wide) or for each answer (long), and where the key is.

A wide table has a column for each judge. A long one has the columns question, judge and answer, which are named, known
by their usual names, or guessed from their cells.
"""

from __future__ import annotations

import os
import re
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from ntqr_exact.errors import BadDecisions, DecisionsNote, listed
from ntqr_exact.exact.show import counted
from ntqr_exact.votes.names import check_judges
from ntqr_exact.votes.table import Batch, Cells, Document, Table
from ntqr_exact.votes.tables import Source, open_source

USUAL_NAMES: dict[str, list[str]] = tomllib.loads(
    files("ntqr_exact.data").joinpath("column_names.toml").read_text(encoding="utf-8")
)
"""Names of columns by what they hold, the likelier ones first."""

MAX_INFERRED_LABELS = 100
"""More different labels than this in a file without named labels: probably a column that is not a judge."""

_MAX_CONFLICTS = 20
"""At most one in this many answers may contradict another answer of the same judge to the same question."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a table is read; `read_votes` documents the parameters."""

    judges: Sequence[str] | None = None
    labels: tuple[str, ...] | None = None
    truth: str | None = None
    long: Sequence[str] | None = None
    missing: str | None = None
    progress: Callable[[int], None] | None = None
    in_part: bool = False
    """Whether questions may be without a true label."""
    with_questions: bool = False

    def __post_init__(self) -> None:
        for name in ("judges", "labels", "long"):
            value = getattr(self, name)
            if not (
                value is None
                or (isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value))
            ):
                raise BadDecisions(value, f"{name} must be a list of str")
        for name in ("truth", "missing"):
            if not isinstance(getattr(self, name), str | None):
                raise BadDecisions(getattr(self, name), f"{name} must be a str")
        if not (self.progress is None or callable(self.progress)):
            raise BadDecisions(self.progress, "progress must be a function")


@dataclass(frozen=True, slots=True)
class Shape:
    """Rows with a cell for each judge, the true label last if there is a key."""

    judges: tuple[str, ...]
    has_key: bool
    columns: Cells
    batches: Iterable[Batch]
    named: Sequence[tuple[str, Cells]] = ()
    """Each question with its row, if they were requested."""


class LongTable(Table):
    """Answers one by one: question, judge, answer and true label (or ""), as nested JSON and logs hold them."""

    columns = ("question", "judge", "answer", "truth")

    def __init__(
        self, entries: Iterable[Cells], labels: Iterable[str] = (), checks: Iterable[str] = ()
    ) -> None:
        self.entries, self.labels, self.checks = list(entries), tuple(labels), frozenset(checks)

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """Return all rows in one batch."""
        index = [self.columns.index(column) for column in columns]
        yield Batch([tuple([entry[place] for place in index]) for entry in self.entries], len(self.entries))


def shape_of(table: Table, reading: Reading) -> Shape:
    """Return the rows of a table by question; raises `BadDecisions` where a column or a key is not there."""
    long = _long_columns(table, reading)
    return _wide(table, reading) if long is None else _pivoted(table, long, reading)


# -- long ---------------------------------------------------------------------------------------------------


def _long_columns(table: Table, reading: Reading) -> Cells | None:
    """Return the columns of question, judge and answer if there is a row for each answer."""
    if isinstance(table, LongTable) or reading.long is not None:
        long = table.columns[:3] if reading.long is None else tuple(map(table.column, reading.long))
        if len(set(long)) != 3:
            raise BadDecisions(list(long), "long must name three columns: question, judge, answer")
        return long
    if reading.judges is not None and set(reading.judges) <= set(table.columns):
        return None
    named = usual_long_columns(table.columns, reading.truth) if table.has_header else None
    if named is None and (len(table.columns) != 3 or not _is_long(Counter(table.sample()), table.has_header)):
        return None
    table.keep()
    rows = Counter(row for batch in table.batches(named or table.columns) for row in batch.each())
    if named is not None and len({row[0] for row in rows}) == rows.total():
        note(f"a row for each question; --long {','.join(named)} reads a row for each answer")
        named = None
    elif named is None:
        named = _guessed(table.columns, rows)
    if named is None:
        return None
    question, judge, answer = named
    key = (
        f", or --truth {answer} if it is the answer key" if column_word(answer) in USUAL_NAMES["keys"] else ""
    )
    note(
        f"a row for each answer: question {question!r}, judge {judge!r}, answer {answer!r}; "
        f"--long names other columns{key}, --judges says that columns are judges"
    )
    for column in set(table.columns) - {*named} if reading.truth is None else ():
        if column_word(column) in USUAL_NAMES["keys"]:
            note(f"column {column!r} may be the answer key; --truth {column} uses it")
    return named


def usual_long_columns(columns: Sequence[str], truth: str | None) -> Cells | None:
    """Return the columns of question, judge and answer by their names, if there are such.

    >>> usual_long_columns(["doc.id", "model", "prompt", "label"], None), usual_long_columns(["item", "gpt"], None)
    (('doc.id', 'model', 'label'), None)
    """
    words = {column_word(column.rpartition(".")[2]): column for column in columns if column != truth}
    result: dict[str, str] = {}
    for kind in ("judges", "numbers", "answers"):
        usual = USUAL_NAMES[kind]
        ranked = [word for word in usual if word in words]
        ranked += [word for word in words if kind == "numbers" and word.endswith("_id")]
        ranked += [word for word in words if {*word.removesuffix("s").split("_")} & {*usual}]
        left = [words[word] for word in ranked if words[word] not in result.values()]
        if not left:
            return None
        result[kind] = left[0]
    return result["numbers"], result["judges"], result["answers"]


def _is_long(rows: Counter[Cells], has_header: bool) -> bool:
    """Whether pairs of the first two cells hardly repeat, and the third has few values, other ones than the first two.

    Without a header, 20 rows are evidence enough even if they share values: there, all names may be numbers.
    """
    size, pairs = rows.total(), len({row[:2] for row in rows})
    labels = {row[2] for row in rows}
    differ = labels.isdisjoint(cell for row in rows for cell in row[:2])
    enough = size >= 5 if differ else size >= 20 and not has_header
    return enough and 20 * pairs >= 19 * size and len(labels) <= MAX_INFERRED_LABELS


def _guessed(columns: Cells, rows: Counter[Cells]) -> Cells | None:
    """Return question, judge, answer among three columns by their cells; questions are the more numerous."""
    first, second = (len({row[place] for row in rows}) for place in (0, 1))
    if max(first, second) == rows.total():
        return None
    if first == second:
        remedy = (
            "name them: --long 1,2,3 if they are question, judge, answer, or --judges for columns of judges"
        )
        raise BadDecisions(listed(columns), "questions and judges must be told apart", remedy)
    return columns if first > second else (columns[1], columns[0], columns[2])


def _pivoted(table: Table, long: Cells, reading: Reading) -> Shape:
    """Return a row for each question from a row for each answer."""
    truth, key = _truth(table, reading, long[1])
    from_column = truth is not None and key is None and truth in table.columns
    answers: dict[str, dict[str, str]] = {}
    true_labels: dict[str, str] = {}
    names: dict[str, None] = {}
    lines: dict[str, int | None] = {}
    total = repeated = conflicting = 0
    for batch in table.batches([*long, *([str(truth)] if from_column else [])]):
        for question, judge, answer, *true in batch.each():
            if not question.strip() or not judge.strip():
                place = 0 if not question.strip() else 1
                line = batch.line_of(place, (question, judge)[place])
                raise BadDecisions(
                    "", "a question or a judge must have a name", line=line, column=long[place]
                )
            if answer not in lines:
                lines[answer] = batch.line_of(2, answer)
            if true and true_labels.setdefault(question, true[0]) != true[0]:
                both = f"{true_labels[question]!r} and {true[0]!r}"
                raise BadDecisions(question, f"a question must have one true label, not {both}", column=truth)
            given = answers.setdefault(question, {})
            names.setdefault(judge)
            total += 1
            repeated += judge in given and given[judge] == answer
            if given.setdefault(judge, answer) != answer:
                conflicting += 1
                given[judge] = ""
    _note_repeats(total, repeated, conflicting)
    if truth in names and key is None and not from_column:
        true_labels = {question: given[str(truth)] for question, given in answers.items() if truth in given}
    if key is not None:
        true_labels = _joined_key(answers, key)
    judges = _chosen_judges(table, reading, [name for name in names if name != truth or from_column])
    index = {judge: place for place, judge in enumerate(judges)}
    rows = []
    for question, given in answers.items():
        row = [""] * len(judges)
        for judge, answer in given.items():
            if judge in index:
                row[index[judge]] = answer
        rows.append((*row, true_labels.get(question, "")) if truth is not None else tuple(row))
    batch = Batch(rows, total, lambda _, cell: lines.get(cell))
    named = list(zip(answers, rows, strict=True))
    return Shape(judges, truth is not None, (*judges, *([truth] if truth else [])), [batch], named)


def _chosen_judges(table: Table, reading: Reading, names: Sequence[str]) -> tuple[str, ...]:
    if reading.judges is not None:
        for judge in reading.judges:
            if judge not in names:
                raise BadDecisions(judge, f"there is no such judge; the judges are {listed(names)}")
        return check_judges(reading.judges)
    checks = table.checks if isinstance(table, LongTable) else frozenset()
    computed = [name for name in names if name in checks]
    if not computed or len(computed) == len(names):
        return check_judges(names)
    note(
        f"not taken for a judge, because a program computed it: {listed(computed, 5)}; --truth makes one the key"
    )
    return check_judges([name for name in names if name not in checks])


def _note_repeats(total: int, repeated: int, conflicting: int) -> None:
    if conflicting * _MAX_CONFLICTS > total:
        rule = f"a judge must answer a question once; {conflicting} of {total} answers contradict another one"
        raise BadDecisions(conflicting, rule, "name the column that tells the questions apart (--long)")
    if conflicting:
        note(f"{counted(conflicting, 'answer')} of {total} contradict another one of the same judge: gaps")
    if repeated:
        note(f"{counted(repeated, 'answer')} of {total} repeat another one of the same judge, and count once")


# -- wide ---------------------------------------------------------------------------------------------------


def _wide(table: Table, reading: Reading) -> Shape:
    """Return the rows with a column for each judge, the key last."""
    truth, key = _truth(table, reading, None)
    of_key = () if truth is None or key is not None else (truth,)
    needs_names = key is not None or reading.with_questions
    numbers = _numbering(table, of_key) if reading.judges is None or needs_names else ()
    if reading.judges is not None:
        judges = check_judges([table.column(name) for name in reading.judges])
    else:
        others = tuple(column for column in table.columns if column not in of_key)
        judges = tuple(column for column in others if column not in numbers) or others
        if numbers and judges != others:
            note(f"column {listed(numbers)} has the names of questions; --judges would make it a judge")
    if not judges:
        raise BadDecisions(listed(table.columns), "there must be a column of a judge")
    if truth in judges and key is None:
        raise BadDecisions(truth, "the answer key must not be a judge as well")
    asked = (*judges, *of_key)
    if not needs_names:
        return Shape(judges, truth is not None, asked, table.batches(asked))
    rows = [row for batch in table.batches(table.columns) for row in batch.each()]
    ids = table.columns.index(numbers[0]) if numbers else None
    if key is not None:
        hits = [sum(row[place].strip() in key for row in rows) for place in range(len(table.columns))]
        ids = hits.index(max(hits))
        if not hits[ids]:
            raise BadDecisions(listed(table.columns), "a column must hold the questions of the key file")
        judges = tuple(judge for judge in judges if table.columns.index(judge) != ids or reading.judges)
        _note_unused(key, {row[ids].strip() for row in rows})
    index = [table.columns.index(column) for column in (*judges, *of_key)]
    named = []
    for number, row in enumerate(rows, start=1):
        name = str(number) if ids is None else row[ids].strip()
        cells = tuple([row[place] for place in index])
        named.append((name, cells if key is None else (*cells, key.get(name, ""))))
    batch = Batch([cells for _, cells in named], len(named))
    return Shape(judges, truth is not None, (*judges, "truth"), [batch], named)


def _numbering(table: Table, of_key: Cells) -> Cells:
    """Return the columns that name the questions: by their own names, and their first cells all differ."""
    rows = table.sample()
    return tuple(
        column
        for place, column in enumerate(table.columns)
        if column not in of_key and is_question(column) and len({row[place] for row in rows}) == len(rows) > 1
    )


# -- the key ------------------------------------------------------------------------------------------------


def _truth(table: Table, reading: Reading, judges: str | None) -> tuple[str | None, dict[str, str] | None]:
    """Return the column (or, of a long table, the judge) that is the key, or a name and the labels of a key file."""
    truth = reading.truth
    if isinstance(table, LongTable):
        if truth is None:
            return ("truth" if any(entry[3] for entry in table.entries) else None), None
    elif truth is None or truth in table.columns:
        return truth, None
    if judges is not None:
        table.keep()
        names = {row[0] for batch in table.batches([judges]) for row in batch.each()}
        if truth in names:
            return truth, None
    if os.path.isfile(truth):
        return "truth", read_key(truth)
    if truth.isdigit() and not isinstance(table, LongTable):
        return table.column(truth), None
    columns = listed(table.columns if judges is None else sorted(names))
    raise BadDecisions(truth, f"truth must be a column or a key file; there are {columns}")


def read_key(source: Source) -> dict[str, str]:
    """Return the true label of each question in a key file: two columns, or a JSON object {question: label}."""
    opened = open_source(source)
    if isinstance(opened, Document):
        value = opened.value
        if isinstance(value, dict) and not any(isinstance(cell, (dict, list)) for cell in value.values()):
            return {question: json_cell(cell).strip() for question, cell in value.items()}
        raise BadDecisions(opened.name, "a key file must have a question and a label in each row")
    with opened as table:
        question, label = _key_columns(table)
        key: dict[str, str] = {}
        for batch in table.batches([question, label]):
            for name, cell in batch.each():
                if key.setdefault(name.strip(), cell.strip()) != cell.strip():
                    raise BadDecisions(name, "a question must have one true label", column=label)
    return key


def _key_columns(table: Table) -> tuple[str, str]:
    words = {column_word(column): column for column in table.columns}
    labels = [words[word] for word in USUAL_NAMES["keys"] if word in words]
    if len(table.columns) == 2:
        first, second = table.columns
        return (second, first) if labels == [first] else (first, second)
    questions = [column for column in table.columns if is_question(column)]
    if not labels or not questions:
        rule = "a key file must have two columns, question and label"
        raise BadDecisions(listed(table.columns), rule)
    return questions[0], labels[0]


def _joined_key(answers: Iterable[str], key: dict[str, str]) -> dict[str, str]:
    found = {question: key[question.strip()] for question in answers if question.strip() in key}
    if not found:
        example = next(iter(answers), "")
        raise BadDecisions(example, "the key file must have the questions of the votes; it has none of them")
    _note_unused(key, {question.strip() for question in answers})
    return found


def _note_unused(key: Mapping[str, str], questions: set[str]) -> None:
    unused = sum(question not in questions for question in key)
    if unused:
        note(f"{counted(unused, 'question')} of the key file {'has' if unused == 1 else 'have'} no votes")


# -- nested JSON, names of columns --------------------------------------------------------------------------


def nested_table(document: Document, judges: Sequence[str] | None) -> LongTable:
    """Return the answers of {judge: {question: answer}} or {question: {judge: answer}}; judges are the fewer names."""
    value = document.value if isinstance(document.value, dict) else {}
    parts = [part for part in value.values() if isinstance(part, dict)]
    cells = [cell for part in parts for cell in part.values()]
    if not cells or len(parts) < len(value) or any(isinstance(cell, (dict, list)) for cell in cells):
        rule = (
            "JSON must be votes, a list of objects, {judge: {question: answer}}, or the log of a known tool"
        )
        raise BadDecisions(document.name, rule)
    inners = {inner for part in parts for inner in part}
    by_judge = len(value) <= len(inners) if judges is None else set(judges) <= set(value)
    which = "{judge: {question: answer}}" if by_judge else "{question: {judge: answer}}"
    note(f"this is read as {which}; --judges with the names of the judges says the other")
    entries = ((a, b, json_cell(cell)) for a, part in value.items() for b, cell in part.items())
    return LongTable((b, a, cell, "") if by_judge else (a, b, cell, "") for a, b, cell in entries)


def json_cell(cell: Any) -> str:
    """Return a value of JSON as the text that it is in a table."""
    return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def column_word(column: str) -> str:
    """Return the name of a column in small letters, its words joined by underscores.

    >>> column_word("!amt_workerIds"), column_word("Gold label")
    ('amt_worker_ids', 'gold_label')
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", column)
    return "_".join(re.findall(r"\w+", spaced.casefold().replace("_", " ")))


def is_question(column: str) -> bool:
    """Whether a column of this name numbers the questions."""
    return column_word(column) in USUAL_NAMES["numbers"] or column_word(column).endswith("_id")


def note(text: str) -> None:
    """Warn how a file was read, where it could be read in another way."""
    warnings.warn(text, DecisionsNote, stacklevel=2)
