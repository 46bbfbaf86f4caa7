r"""Rows of decisions with named columns, a row for each question, or made so of rows for each answer.

A harness writes `{"id": "q1", "model": "gpt", "label": "yes"}` for each question and judge. Three columns say it all:
the question, the judge and the answer. They are named, or recognised by their names; then a question that stands there
more than once tells such a file from one with a row for each question.
"""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Protocol

from ntqr_exact.errors import BadDecisions, DecisionsNote, listed
from ntqr_exact.exact.counted import counted

USUAL_NAMES: dict[str, list[str]] = tomllib.loads(
    files("ntqr_exact.data").joinpath("column_names.toml").read_text(encoding="utf-8")
)
"""Names of columns by what they hold, the likelier ones first."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows: the cells of the chosen columns, a missing one "", one by one or already counted."""

    patterns: Iterable[tuple[str, ...]] | Mapping[tuple[str, ...], int]
    rows: int
    line_of: Callable[[str, str], int | None]
    """The line of the first row of the batch with this cell in this column; `None` where there are no lines."""


class DecisionRows(Protocol):
    """Rows with named columns, a row for each question."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of all columns."""

    def keep(self) -> None:
        """Keep the rows, so that they can be gone through more than once."""

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        """Yield the rows in order, with the cells of some columns."""


def by_question(
    rows: DecisionRows, *, long: Sequence[str] | None, judges: Sequence[str] | None, truth: str | None
) -> DecisionRows:
    """Return rows with a column for each judge: as they are, or made of rows with one answer each.

    `long` names the columns of the question, the judge and the answer. Without it they are recognised, unless the
    `judges` are columns; a note tells so.
    """
    if long is not None:
        if len(long) != 3 or len(set(long)) != 3 or not set(long) <= set(rows.columns):
            rule = "a row for each answer has three columns: question, judge, answer; the columns are "
            raise BadDecisions(list(long), rule + listed(rows.columns))
        return _pivoted(rows, (long[0], long[1], long[2]), truth)
    named = long_columns(rows.columns, truth)
    if named is None or (judges is not None and set(judges) <= set(rows.columns)):
        return rows
    rows.keep()
    questions = [row for batch in rows.batches(named[:1]) for row in _each(batch)]
    if len(set(questions)) == len(questions):
        return rows
    found = _pivoted(rows, named, truth)
    size = counted(len(found.rows), "question")
    question, judge, answer = map(repr, named)
    warnings.warn(
        f"there is a row for each answer: {counted(len(found.judges), 'judge')} by {judge} on {size} by {question}, "
        f"their answers in {answer}; --long names other columns, --judges says that columns are judges",
        DecisionsNote,
        stacklevel=4,
    )
    return found


@dataclass(frozen=True, slots=True)
class _LongRows:
    """The rows of questions, and where in the file each answer was first given."""

    judges: list[str]
    columns: list[str]
    rows: list[tuple[str, ...]]
    lines: Mapping[str, int | None]

    def keep(self) -> None:
        """They are kept."""

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        places = [self.columns.index(column) for column in columns]
        chosen = [tuple(row[place] for place in places) for row in self.rows]
        yield Batch(chosen, len(chosen), lambda _, cell: self.lines.get(cell))


def _pivoted(rows: DecisionRows, named: tuple[str, str, str], truth: str | None) -> _LongRows:
    key = () if truth is None else (truth,)
    if truth is not None and truth not in rows.columns:
        raise BadDecisions(truth, f"there is no such column; the columns are {listed(rows.columns)}")
    answers: dict[str, dict[str, str]] = {}
    true_labels: dict[str, str] = {}
    judges: dict[str, None] = {}
    lines: dict[str, int | None] = {}
    for batch in rows.batches([*named, *key]):
        for question, judge, answer, *true in _each(batch):
            for name, cell in zip(named, (question, judge), strict=False):
                if not cell.strip():
                    rule = "this cell is empty"
                    raise BadDecisions(cell, rule, line=batch.line_of(name, cell), column=name)
            given = answers.setdefault(question, {})
            if judge in given:
                rule = "this judge answered this question twice"
                remedy = "keep one answer, or name the column that tells the questions apart (--long)"
                line = batch.line_of(named[0], question)
                raise BadDecisions([question, judge], rule, remedy, line=line)
            given[judge] = answer
            judges.setdefault(judge)
            if answer not in lines:
                lines[answer] = batch.line_of(named[2], answer)
            for label in true:
                if true_labels.setdefault(question, label) != label:
                    both = f"{true_labels[question]!r} and {label!r}"
                    raise BadDecisions(question, f"this question has two true labels, {both}", column=truth)
    if truth in judges:
        raise BadDecisions(truth, "a judge has the name of the column of the answer key", "rename the column")
    table = [
        (*(given.get(judge, "") for judge in judges), *(true_labels[question] for _ in key))
        for question, given in answers.items()
    ]
    return _LongRows([*judges], [*judges, *key], table, lines)


def _each(batch: Batch) -> Iterator[tuple[str, ...]]:
    """Iterate over the rows of a batch, those that were counted as often as they are there."""
    if not isinstance(batch.patterns, Mapping):
        yield from batch.patterns
        return
    for row, count in batch.patterns.items():
        for _ in range(count):
            yield row


def long_columns(columns: Sequence[str], truth: str | None) -> tuple[str, str, str] | None:
    """Return the columns of question, judge and answer, by their names, if there are such.

    >>> long_columns(["doc.id", "model", "prompt", "label"], None), long_columns(["item", "gpt"], None)
    (('doc.id', 'model', 'label'), None)
    """
    words = {column_word(column.rpartition(".")[2]): column for column in columns if column != truth}
    ids = [word for word in words if word.endswith("_id") and word not in USUAL_NAMES["judges"]]
    kinds = [*USUAL_NAMES["numbers"], *ids], USUAL_NAMES["judges"], USUAL_NAMES["answers"]
    question, judge, answer = (next((words[word] for word in kind if word in words), None) for kind in kinds)
    return None if question is None or judge is None or answer is None else (question, judge, answer)


def column_word(column: str) -> str:
    """Return the name of a column as one word in small letters."""
    return "_".join(column.casefold().replace("-", " ").split())


def is_number(word: str) -> bool:
    """Whether a column of this name numbers the questions."""
    return word in USUAL_NAMES["numbers"] or word.endswith("_id")
