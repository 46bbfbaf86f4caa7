"""Reading votes from files, streams and frames, and counting rows."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from ntqr_exact.errors import BadDecisions, BadDocument, BadVotes, listed
from ntqr_exact.votes.answers import Answers, answers_of, infer_labels
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.logs import read_logs
from ntqr_exact.votes.names import check_judges, check_labels, default_judges
from ntqr_exact.votes.shapes import Reading, nested_table
from ntqr_exact.votes.table import Batch, Cells, Document, Table
from ntqr_exact.votes.tables import Source, open_source

_VOTES = ("counts", "counts_by_label", "graded")
"""Names by which a document of votes is recognised."""


def read_votes(
    source: Source | Sequence[Source],
    *,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    truth: str | None = None,
    long: Sequence[str] | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    missing: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> VoteCounts | LabeledVoteCounts:
    r"""Return the votes in a file, a stream of text, a frame, the log of a harness, or several of them.

    `judges` are the judges or columns to count (all by default), `labels` all labels (those that occur, sorted);
    `truth` is the column of the answer key, or a key file with questions and labels; `long` names the columns of
    question, judge and answer where there is a row for each answer. Columns have names, or positions from 1; `header`
    tells whether the first row has the names. `missing` is "keep" (gaps, the default), "drop" (skip questions with a
    missing answer) or "label:NAME". `progress` is called with a number of rows now and then.

    >>> import io
    >>> read_votes(io.StringIO("A,B\na,b\n"), labels=["a", "b"])
    VoteCounts({'ab': 1}, labels=('a', 'b'), judges=('A', 'B'))

    Raises `BadDecisions` (with line and column), `BadDocument` or `BadVotes` for what cannot be read.
    """
    names = None if labels is None else check_labels(labels)
    reading = Reading(judges, names, truth, long, missing, progress)
    answers = read_answers(source, reading, delimiter=delimiter, header=header)
    if isinstance(answers, Answers):
        return answers.votes()
    votes = votes_from_document(answers.value)
    return votes if judges is None else votes.marginal(*judges)


def read_answers(
    source: Source | Sequence[Source],
    reading: Reading,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
) -> Answers | Document:
    """Return the answers in one or more sources, or the document of votes that the source is."""
    if isinstance(source, (list, tuple)) and not source:
        raise BadDecisions(source, "source must be a file, a stream or a frame, or several of them")
    is_text = isinstance(source, (list, tuple)) and any("\n" in str(each) for each in source[:1])
    sources = source if isinstance(source, (list, tuple)) and not is_text else [source]
    opened = [open_source(each, delimiter=delimiter, header=header) for each in sources]
    if len(opened) == 1 and isinstance(opened[0], Document) and is_votes(opened[0].value):
        refuse_row_options(opened[0].name, reading)
        return opened[0]
    tables: list[Table] = []
    if log := read_logs(opened):
        tables = [log]
    else:
        for each in opened:
            tables.append(nested_table(each, reading.judges) if isinstance(each, Document) else each)
    with tables[0] if len(tables) == 1 else _Chain(tables) as table:
        return answers_of(table, reading)


def is_votes(value: Any) -> bool:
    """Whether a JSON value is a document of votes."""
    return isinstance(value, dict) and any(name in value for name in _VOTES)


def refuse_row_options(name: str, reading: Reading) -> None:
    """Raise `BadDocument` if an option that only tables have was given for a votes file."""
    given = [each for each in ("truth", "labels", "missing", "long") if getattr(reading, each) is not None]
    if given:
        rule = f"a votes file has its own labels and key, and takes no {', '.join(given)}"
        raise BadDocument(name, rule, "leave the option out")


def votes_from_document(document: Any) -> VoteCounts | LabeledVoteCounts:
    """Return the votes in a JSON document, with or without an answer key."""
    if isinstance(document, dict) and "counts_by_label" in document:
        return LabeledVoteCounts.from_document(document)
    return VoteCounts.from_document(document)


class _Chain(Table):
    """Tables with the same columns, one after another."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables, self.columns, self.has_header = tables, tables[0].columns, tables[0].has_header
        for table in tables:
            if set(table.columns) != set(self.columns):
                rule = "tables that are read together must have the same columns"
                raise BadDecisions(listed(table.columns), rule)

    def close(self) -> None:
        for table in self._tables:
            table.close()

    def keep(self) -> None:
        for table in self._tables:
            table.keep()

    def sample(self) -> Sequence[Cells]:
        return self._tables[0].sample()

    def batches(self, columns: Sequence[str]) -> Iterator[Batch]:
        for table in self._tables:
            yield from table.batches(columns)


# -- rows ---------------------------------------------------------------------------------------------------


@overload
def count_rows(
    rows: Iterable[Sequence[str | None]],
    *,
    labels: Iterable[str] | None = None,
    judges: Iterable[str] | None = None,
    truth: None = None,
) -> VoteCounts: ...
@overload
def count_rows(
    rows: Iterable[Sequence[str | None]],
    *,
    labels: Iterable[str] | None = None,
    judges: Iterable[str] | None = None,
    truth: Iterable[str],
) -> LabeledVoteCounts: ...
def count_rows(
    rows: Iterable[Sequence[str | None]],
    *,
    labels: Iterable[str] | None = None,
    judges: Iterable[str] | None = None,
    truth: Iterable[str] | None = None,
) -> VoteCounts | LabeledVoteCounts:
    """Return the votes in rows that hold one label for each judge, in one pass.

    `truth` is the answer key: one true label for each row. The labels are those that occur, sorted, unless named. None
    or "" is a gap; a row of gaps is left out.

    >>> count_rows([("a", "b"), ("a", "a"), ("a", None)])
    VoteCounts({'aa': 1, 'ab': 1, ('a', None): 1}, labels=('a', 'b'), judges=('J1', 'J2'))

    Raises `BadDecisions` with the number of the row that is too short or too long or does not hold texts.
    """
    for each in (rows, truth or ()):
        if not isinstance(each, Iterable):
            raise BadDecisions(each, "rows and truth must be iterable")
    names = None if judges is None else check_judges(judges)
    counts: Counter[tuple[Any, ...]] = Counter()
    key = itertools.repeat(()) if truth is None else ((label,) for label in truth)
    for number, row in enumerate(rows, start=1):
        cells = _checked_cells(row, number, names)
        names = names or default_judges(len(cells))
        label = next(key, (None,))
        if label and not (isinstance(label[0], str) and label[0]):
            raise BadDecisions(label[0], f"row {number} must have a true label in the answer key")
        if any(cells):
            counts[cells + label] += 1
    if truth is not None and next(key, ()):
        raise BadDecisions(truth, "the answer key must have one label for each row, and has more")
    if names is None:
        raise BadVotes([], "rows must not be empty", "name the judges and labels to have an empty test")
    known = (
        check_labels(labels) if labels is not None else infer_labels(itertools.chain.from_iterable(counts))
    )
    for label in {*itertools.chain.from_iterable(counts)} - {*known, None}:
        raise BadVotes(label, f"a label must be one of {listed(known)}")
    return Answers(names, known, counts, has_key=truth is not None).votes()


def _checked_cells(
    row: Sequence[str | None], number: int, judges: Sequence[str] | None
) -> tuple[str | None, ...]:
    if not isinstance(row, Sequence):
        raise BadDecisions(row, f"row {number} must be a sequence of labels")
    for cell in row:
        if cell is not None and not isinstance(cell, str):
            raise BadDecisions(row, f"row {number} must hold texts, not {type(cell).__name__}")
    if judges is not None and len(row) != len(judges):
        raise BadDecisions(row, f"row {number} must have {len(judges)} labels, one for each judge")
    return tuple([cell or None for cell in row])
