"""The shape of a table, a row for each question (wide) or for each answer (long), and where the key is.

The columns of a long table, question, judge and answer, are named, known by usual names, or guessed from their cells.
"""

from __future__ import annotations

import os
import re
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain
from typing import Any

from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadDecisions, DecisionsWarning, listed
from ntqr_exact.exact.show import counted
from ntqr_exact.votes.names import check_judges
from ntqr_exact.votes.table import Cells, Document, Rows, Table, json_cell, object_rows, whole_text
from ntqr_exact.votes.tables import open_source, open_table

USUAL_NAMES: dict[str, list[str]] = tomllib.loads(
    files("ntqr_exact.data").joinpath("column_names.toml").read_text(encoding="utf-8")
)
"""Names of columns by what they hold, the likelier ones first."""

MAX_INFERRED_LABELS = 100
"""More different labels than this in a file without named labels: probably a column that is not a judge."""

MAX_LABEL_LENGTH = 200
"""A longer text in a file without named labels is probably not a label."""

_MAX_CONFLICTS = 20
"""At most one in this many answers may contradict another answer of the same judge to the same question."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a table is read; `read_votes` documents the parameters."""

    judges: Sequence[str] | None = None
    labels: Iterable[str] | None = None
    truth: str | None = None
    long: Sequence[str] | None = None
    delimiter: str | None = None
    header: bool | None = None
    missing: str | None = None
    progress: Callable[[int], None] | None = None
    in_part: bool = False  # questions may be without a true label
    with_questions: bool = False

    def __post_init__(self) -> None:
        for name in ("judges", "long"):
            if isinstance(getattr(self, name), str):  # its characters would be taken for names
                raise BadDecisions(getattr(self, name), f"{name} must be a list of str")


@dataclass(frozen=True, slots=True)
class Shape:
    """Rows with a cell for each judge, the true label last if there is a key; `columns` are where these cells are."""

    judges: Cells
    columns: Cells
    batches: Iterable[list[Cells] | Counter[Cells]]
    named: Sequence[tuple[str, Cells]] = ()  # each question with its row, if they were requested


@dataclass(slots=True)
class LongTable(Rows):
    """Answers one by one, as nested JSON and logs hold them; labels that could occur, and judges that are programs."""

    columns: Cells = ("question", "judge", "answer", "truth")
    labels: Cells = ()
    checks: Collection[str] = ()


def shape_of(table: Table, reading: Reading) -> Shape:
    """Return the rows of a table by question; raises `BadDecisions` where a column or a key is not there."""
    if isinstance(table, Rows) and reading.long is None and reading.judges is None:
        table = _one_row_each(table)
    long = _long_columns(table, reading)
    return _wide(table, reading) if long is None else _pivoted(table, long, reading)


# -- long ---------------------------------------------------------------------------------------------------


def _one_row_each(table: Rows) -> Rows:
    """Return a row for each object in the list of answers that every object has, if there is one such list."""
    for name, items in table.objects[0].items() if table.objects else ():
        inner = items[0] if isinstance(items, list) and items and isinstance(items[0], dict) else {}
        are_lists = all(isinstance(each.get(name), list) for each in table.objects)
        if are_lists and usual_long_columns(["id", *inner], None):
            note(f"the list {name!r} of each object has its answers")
            rows = [
                {"row": str(number), **each, name: None} | item
                for number, each in enumerate(table.objects, start=1)
                for item in each[name]
                if isinstance(item, dict)
            ]
            return object_rows(rows, table.name)
    return table


def _long_columns(table: Table, reading: Reading) -> Cells | None:
    """Return the columns of question, judge and answer of a table with one row per answer, else None."""
    if isinstance(table, LongTable) or reading.long is not None:
        long = table.columns[:3] if reading.long is None else tuple(map(table.column, reading.long))
        if len(set(long)) != 3:
            raise BadDecisions(list(long), "long must name three columns: question, judge, answer")
        return long
    if reading.judges is not None and set(reading.judges) <= set(table.columns):
        return None
    parts = (table.columns, table.columns[1:]) if table.has_header else ()  # the first may be an index
    usual = [named for part in parts if (named := usual_long_columns(part, reading.truth)) is not None]
    named = next((each for each in usual if _has_answers(table, each, reading, each == usual[0])), None)
    if usual and named is None:
        note(f"a row for each question; --long {','.join(usual[0])} reads a row for each answer")
    if not usual:
        named = _guessed(table, reading.truth)
    if named is None:
        return None
    question, judge, answer = named
    is_key = column_word(answer) in USUAL_NAMES["keys"]
    key = f", or --truth {answer} if it is the answer key" if is_key else ""
    note(
        f"a row for each answer: question {question!r}, judge {judge!r}, answer {answer!r}; "
        f"--long names other columns{key}, --judges says that columns are judges"
    )
    for column in set(table.columns) - {*named} if reading.truth is None else ():
        if column_word(column) in USUAL_NAMES["keys"] or not table.has_header:
            note(f"column {column!r} may be the answer key; --truth {column} uses it")
    return named


def _has_answers(table: Table, named: Cells, reading: Reading, may_repeat: bool) -> bool:
    """Whether questions repeat among these columns, and answers are no longer texts next to columns of judges."""
    rows = [row for _, row in table.select(named)]
    texts = {row[2] for row in rows} if reading.labels is None else set()
    has_texts = len(texts) > MAX_INFERRED_LABELS or max(map(len, texts), default=0) > MAX_LABEL_LENGTH
    if has_texts and len({*_roles(table, reading)[1]} - {*named}) > 1:
        return False
    return len({row[0] for row in rows}) < len(rows) and (may_repeat or _seldom_repeat(rows))


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


def _guessed(table: Table, truth: str | None) -> Cells | None:
    """Return question, judge and answer of three columns without usual names, or None if a row is a question.

    Pairs of the first two cells seldom repeat, and the third has few values, other ones than these. The same numbers
    may be names and answers if the columns say so, or if nothing names them; then a fourth column may be the key. The
    questions are those of the key, or the more numerous.
    """
    sample, columns, by_key = table.sample(), table.columns, [0, 0]
    if len(columns) == 4 and not table.has_header:
        by_key = [
            len({row[i] for row in sample}) // len({(row[i], row[3]) for row in sample}) for i in (0, 1)
        ]
    labels = {row[2] for row in sample} if len(columns) == 3 or any(by_key) else set()
    if not 0 < len(labels) <= MAX_INFERRED_LABELS or not _seldom_repeat(sample):
        return None
    words = {*map(column_word, columns)}
    has_names = any(map(is_question, columns)) and not words.isdisjoint(USUAL_NAMES["judges"])
    if not has_names and not labels.isdisjoint(cell for row in sample for cell in row[:2]):
        if table.has_header and len(sample) >= 20:
            note(f"a row for each question; --long {','.join(columns)} reads a row for each answer")
        if table.has_header or len(sample) < 20:
            return None
    rows = [row for _, row in table.select(columns[:2])]
    names = [{*column} for column in zip(*rows, strict=True)]
    numbers = [*map(len, names)]
    if len(sample) < 5 or max(numbers) == len(rows):
        return None
    if len(columns) == 3 and truth is not None and truth not in columns and os.path.isfile(truth):
        with warnings.catch_warnings(action="ignore"):  # they come when the key is joined
            known = _key_file(truth, columns, set().union(*names))
        by_key = [sum(whole_text(name) in known for name in each) for each in names]
    first, second = by_key if by_key[0] != by_key[1] else numbers
    if first == second:
        rule = "the columns of questions and judges must differ in how many names they have"
        remedy = "use --long 1,2,3 if they are question, judge, answer, or --judges for columns of judges"
        raise BadDecisions(first, rule, remedy)
    return columns[:3] if first > second else (columns[1], columns[0], columns[2])


def _seldom_repeat(rows: Sequence[Cells]) -> bool:
    return 5 * len({row[:2] for row in rows}) >= 4 * len(
        rows
    )  # some published files have an answer twice in 20


def _pivoted(table: Table, long: Cells, reading: Reading) -> Shape:
    """Return a row for each question from a row for each answer."""
    truth = _key_column(table, reading)
    answers: dict[str, dict[str, str]] = {}
    key: dict[str, str] = {}
    names: dict[str, None] = {}
    total = repeated = conflicting = 0
    for line, (question, judge, answer, *true) in table.select([*long, *([truth] if truth else [])]):
        if not question.strip() or not judge.strip():
            column = long[1 if question.strip() else 0]
            raise BadDecisions("", "question and judge must have names", line=line, column=column)
        if true and key.setdefault(question, true[0]) != true[0]:
            both = f"{key[question]!r} and {true[0]!r}"
            raise BadDecisions(question, f"a question must have one true label, not {both}", column=truth)
        given = answers.setdefault(question, {})
        names.setdefault(judge)
        total += 1
        repeated += judge in given and given[judge] == answer
        if given.setdefault(judge, answer) != answer:
            conflicting += 1
            given[judge] = ""
    _note_repeats(total, repeated, conflicting)
    has_key = truth is not None or reading.truth is not None
    if reading.truth in names and truth is None:
        key = {question: given.get(reading.truth, "") for question, given in answers.items()}
        del names[reading.truth]
    elif has_key and truth is None:
        key = _joined(_key_file(str(reading.truth), names, answers), answers)
    judges = _chosen_judges(table, reading, tuple(names))
    size = len(answers) * len(judges)  # ten cells a step
    check_work(f"a table of {len(answers)} questions by {len(judges)} judges", size // 10)
    keys = (key,) if has_key else ()
    rows = [
        (*[given.get(judge, "") for judge in judges], *[key.get(question, "") for key in keys])
        for question, given in answers.items()
    ]
    columns = (*[long[2]] * len(judges), *[str(truth or reading.truth) for _ in keys])
    return Shape(judges, columns, [rows], list(zip(answers, rows, strict=True)))


def _chosen_judges(table: Table, reading: Reading, names: Cells) -> Cells:
    for judge in reading.judges or ():
        if judge not in names:
            raise BadDecisions(judge, f"a judge must be one of {listed(names)}")
    checks = table.checks if isinstance(table, LongTable) else ()
    computed = [name for name in names if name in checks]
    if reading.judges is not None or len(computed) in (0, len(names)):
        return check_judges(reading.judges or names)
    note(f"not judges, because a program computed them: {listed(computed, 5)}; --truth makes one the key")
    return check_judges([name for name in names if name not in checks])


def _note_repeats(total: int, repeated: int, conflicting: int) -> None:
    if conflicting * _MAX_CONFLICTS > total:
        rule = f"a judge must answer a question once; {conflicting} of {total} answers contradict another one"
        raise BadDecisions(conflicting, rule, "name the column of the questions (--long)")
    if repeated or conflicting:
        same = f"{repeated} of {total} answers repeat another one of the same judge, and count once"
        note(f"{same}; {conflicting} contradict another one, and are gaps")


# -- wide ---------------------------------------------------------------------------------------------------


def _wide(table: Table, reading: Reading) -> Shape:
    """Return the rows with a column for each judge, the key last."""
    truth = _key_column(table, reading)
    of_key = () if truth is None else (truth,)
    from_file = reading.truth is not None and truth is None
    needs_names = from_file or reading.with_questions
    naming, judges = _roles(table, reading) if reading.judges is None or needs_names else ((), ())
    if reading.judges is not None:
        judges = check_judges([table.column(name) for name in reading.judges])
    else:
        keys = [column for column in table.columns if column_word(column) in USUAL_NAMES["keys"]]
        unused = [column for column in table.columns if column not in (*judges, *of_key)]
        if rest := [column for column in unused if column not in keys]:
            note(f"not read as judges: {listed(rest)}; --judges names other columns")
        for column in unused:
            if column in keys and reading.truth is None:
                note(f"column {column!r} looks like an answer key and is left out; --truth {column} uses it")
    if not judges or truth in judges:
        raise BadDecisions(listed(table.columns), "there must be a column of a judge other than the key")
    if not needs_names:
        return Shape(judges, (*judges, *of_key), table.batches((*judges, *of_key)))
    rows = [row for _, row in table.select(table.columns)]
    cells = {column: [row[index] for row in rows] for index, column in enumerate(table.columns)}
    name = naming[0] if naming else ""
    if from_file:
        known = _key_file(str(reading.truth), table.columns, {cell for row in rows for cell in row})
        name = max(cells, key=lambda column: sum(whole_text(cell) in known for cell in cells[column]))
        judges = tuple(judge for judge in judges if judge != name or reading.judges)
    ids = [cell.strip() for cell in cells[name]] if name else [str(n + 1) for n in range(len(rows))]
    chosen = [cells[column] for column in (*judges, *of_key)]
    if from_file:
        key = _joined(known, ids)
        chosen.append([key.get(each, "") for each in ids])
    named = [*zip(ids, zip(*chosen, strict=True), strict=True)]
    columns = (*judges, *of_key, *([str(reading.truth)] if from_file else ()))
    return Shape(judges, columns, [[row for _, row in named]], named)


def _roles(table: Table, reading: Reading) -> tuple[Cells, Cells]:
    """Return the columns that name the questions, and those of judges, by their names and their first cells.

    Names all differ, and their column says so or has no cell of another column. Among many rows, such a column is not a
    judge, if others share two answers.
    """
    rows, key = table.sample(), _key_column(table, reading)
    distinct = ({whole_text(cell).casefold() for cell in set(cells)} for cells in zip(*rows, strict=True))
    columns = dict(zip(table.columns, distinct, strict=False))
    times = Counter(chain.from_iterable(columns.values()))
    apart = {column for column, cells in columns.items() if all(times[cell] == 1 for cell in cells if cell)}
    others = tuple(column for column in table.columns if column != key)
    naming, answers = [], []
    for column in others:
        cells = columns.get(column, {""})
        is_name = is_question(column) or (column in apart and len(rows) >= 5 and len(columns) > 1)
        is_label = reading.labels is not None or max(map(len, cells)) <= MAX_LABEL_LENGTH
        if is_name and len(cells) == len(rows) > 1:
            naming.append(column)
        elif not is_question(column) and cells != {""} and is_label:
            answers.append(column)
    shared = [column for column in answers if column not in apart]
    labels = {cell for column in shared for cell in columns[column]} - {""}
    if len(rows) >= 20 and reading.labels is None and len(labels) > 1:
        answers = shared
    usual = [column for column in answers if column_word(column) not in USUAL_NAMES["keys"]]
    return tuple(naming), _group(others) or tuple(usual or answers or others)


def _group(columns: Cells) -> Cells:
    """Return the columns of the one object in JSON that has a usual name for answers, such as `votes.ada`."""
    parts = {column: column.partition(".") for column in columns}
    names = {first for first, dot, _ in parts.values() if dot and column_word(first) in USUAL_NAMES["groups"]}
    return tuple(column for column in columns if {parts[column][0]} == names and parts[column][1])


# -- the key ------------------------------------------------------------------------------------------------


def _key_column(table: Table, reading: Reading) -> str | None:
    """Return the column of the key; None without a key, or if the key is a file or the answers of a judge."""
    truth = reading.truth
    if isinstance(table, LongTable):
        has_key = truth is None and any(row[3] for _, row in table.rows())
        return "truth" if has_key else None
    if truth is not None and truth not in table.columns and truth.isdigit() and not os.path.isfile(truth):
        return table.column(truth)
    return truth if truth in table.columns else None


def _key_file(truth: str, names: Iterable[str], questions: Collection[str]) -> dict[str, str]:
    """Return the true label of each question in a key file: two columns, or an object {question: label}.

    A first row that names a question is not a header.
    """
    if not os.path.isfile(truth):
        raise BadDecisions(truth, f"truth must be a key file or one of {listed(names)}")
    opened = open_source(truth)
    if isinstance(opened, Document):
        value = opened.value if isinstance(opened.value, dict) else {"": []}
        if any(isinstance(cell, (dict, list)) for cell in value.values()):
            raise BadDecisions(opened.name, "a key file must have a question and a label in each row")
        opened = Rows(
            [(question, json_cell(cell)) for question, cell in value.items()], ("question", "label")
        )
    if opened.has_header and not isinstance(opened, Rows) and opened.columns[0] in questions:
        opened.close()
        opened = open_table(truth, header=False)
    with opened as table:
        question, label = _key_columns(table, {*map(whole_text, questions)})
        key: dict[str, str] = {}
        for line, (name, cell) in table.select([question, label]):
            if key.setdefault(whole_text(name), cell.strip()) != cell.strip():
                raise BadDecisions(name, "a question must have one true label", line=line, column=label)
    return key


def _key_columns(table: Table, known: set[str]) -> tuple[str, str]:
    """Return the columns of question and label; of several with names of questions, the one with most of ours."""
    words = {column_word(column): column for column in table.columns}
    labels = [words[word] for word in USUAL_NAMES["keys"] if word in words]
    if len(table.columns) == 2:
        first, second = table.columns
        return (second, first) if labels == [first] else (first, second)
    places = [place for place, column in enumerate(table.columns) if is_question(column)]
    if not labels or not places:
        raise BadDecisions(listed(table.columns), "a key file must have two columns, question and label")
    ours = {place: sum(whole_text(row[place]) in known for row in table.sample()) for place in places}
    return table.columns[max(reversed(places), key=ours.__getitem__)], labels[0]  # an index is before it


def _joined(key: Mapping[str, str], questions: Collection[str]) -> dict[str, str]:
    """Return the true labels of these questions."""
    result = {question: key[name] for question in questions if (name := whole_text(question)) in key}
    if not result:
        rule = f"key file must have questions of the votes, such as {listed([*questions][:1])}"
        raise BadDecisions([*key][:3], rule, "make the names of questions equal")
    if unused := key.keys() - map(whole_text, result):
        note(f"{counted(len(unused), 'question')} of the key file without votes")
    return result


# -- nested JSON, names of columns --------------------------------------------------------------------------


def nested_table(document: Document, judges: Sequence[str] | None) -> Rows:
    """Return the answers of {judge: {question: answer}} or {question: {judge: answer}}; judges are the fewer names.

    Or the rows of a frame, written by column or by row, or as the only list of objects.
    """
    value: dict[str, Any] = document.value if isinstance(document.value, dict) else {}
    lists = [part for part in value.values() if isinstance(part, list) and part]
    objects = [part for part in lists if isinstance(part[0], dict)]
    if len(objects) == 1:
        return object_rows(objects[0], document.name)
    if len(lists) == len(value) and len({*map(len, lists)}) == 1:
        return object_rows(
            [dict(zip(value, row, strict=True)) for row in zip(*lists, strict=True)], document.name
        )
    parts = [part for part in value.values() if isinstance(part, dict)]
    cells = [cell for part in parts for cell in part.values()]
    if not cells or len(parts) < len(value) or any(isinstance(cell, (dict, list)) for cell in cells):
        rule = "votes, a list of objects, {judge: {question: answer}}, or the log of a known tool"
        raise BadDecisions(document.name, f"file must be {rule}")
    inners = dict.fromkeys(inner for part in parts for inner in part)
    by_judge = len(value) <= len(inners) if judges is None else set(judges) <= set(value)
    if any(map(is_question, value if by_judge else inners)):
        by_row = [{name: part.get(row) for name, part in value.items()} for row in inners]
        return object_rows(by_row if by_judge else parts, document.name)
    which = "{judge: {question: answer}}" if by_judge else "{question: {judge: answer}}"
    note(f"this is read as {which}; --judges with the names of the judges says the other")
    entries = ((a, b, json_cell(cell)) for a, part in value.items() for b, cell in part.items())
    return LongTable([(b, a, cell, "") if by_judge else (a, b, cell, "") for a, b, cell in entries])


def column_word(column: str) -> str:
    """Return the name of a column in small letters, its words joined by underscores: `gold_label` for `Gold label`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", column)
    return "_".join(re.findall(r"\w+", spaced.casefold().replace("_", " ")))


def is_question(column: str) -> bool:
    """Whether a column of this name numbers the questions."""
    return column_word(column) in USUAL_NAMES["numbers"] or column_word(column).endswith("_id")


def note(text: str) -> None:
    """Warn how a file was read, where it could be read in another way."""
    warnings.warn(text, DecisionsWarning, stacklevel=2)
