"""Reading votes from files, streams and frames, and counting rows."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ntqr_exact.errors import BadDecisions, BadDocument, BadVotes
from ntqr_exact.votes.answers import Answers, answers_of, infer_labels
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.logs import read_logs
from ntqr_exact.votes.names import check_judges, check_labels, default_judges
from ntqr_exact.votes.shapes import Reading, nested_table
from ntqr_exact.votes.table import Document
from ntqr_exact.votes.tables import Source, open_source


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
    r"""Return the votes in a file, a stream of text, a frame, or the logs of a harness.

    `judges` are the judges or columns to count (all by default), `labels` all labels (those that occur, sorted);
    `truth` is the column of the answer key, or a key file with questions and labels; `long` names the columns of
    question, judge and answer where there is a row for each answer. Columns have names, or positions from 1; `header`
    says whether the first row has the names. `missing` is "keep" (gaps, the default), "drop" (skip questions with a
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
    """Return the answers in a source, or in several logs, or the document of votes that the source is."""
    sources: Any = source
    if not (isinstance(source, (list, tuple)) and source and "\n" not in str(source[0])):
        sources = [source]  # a list with line breaks is a table
    opened = [open_source(each, delimiter=delimiter, header=header) for each in sources]
    table = read_logs(opened) or opened[0]
    if len(opened) > 1 and table is opened[0]:
        for each in opened:
            if not isinstance(each, Document):
                each.close()
        raise BadDecisions(len(opened), "several files must be logs of one tool", "join tables first")
    if isinstance(table, Document):
        if isinstance(table.value, dict) and {"counts", "counts_by_label", "graded"} & table.value.keys():
            _refuse_row_options(table.name, reading)
            return table
        table = nested_table(table, reading.judges)
    with table:
        return answers_of(table, reading)


def _refuse_row_options(name: str, reading: Reading) -> None:
    given = [each for each in ("truth", "labels", "missing", "long") if getattr(reading, each) is not None]
    if given:
        rule = f"a votes file must be read without {', '.join(given)}"
        raise BadDocument(name, rule, "it has its own labels and key")


def votes_from_document(document: Any) -> VoteCounts | LabeledVoteCounts:
    """Return the votes in a JSON document, with or without an answer key."""
    if isinstance(document, dict) and "counts_by_label" in document:
        return LabeledVoteCounts.from_document(document)
    return VoteCounts.from_document(document)


def count_rows(
    rows: Iterable[Sequence[str | None]],
    *,
    labels: Iterable[str] | None = None,
    judges: Iterable[str] | None = None,
    truth: Iterable[str] | None = None,
) -> VoteCounts | LabeledVoteCounts:
    """Return the votes in rows that hold one label for each judge.

    `truth` is the answer key: one true label for each row. The labels are those that occur, sorted, unless named. None
    or "" is a gap; a row of gaps is left out. Raises `BadVotes` for what does not make votes.

    >>> count_rows([("a", "b"), ("a", "a"), ("a", None)])
    VoteCounts({'aa': 1, 'ab': 1, ('a', None): 1}, labels=('a', 'b'), judges=('J1', 'J2'))
    """
    parts: dict[Any, Counter[Any]] = {None: Counter()} if truth is None else {}
    try:
        for row, label in zip(
            rows, itertools.repeat(None) if truth is None else truth, strict=truth is not None
        ):
            cells = tuple(cell or None for cell in row)
            parts.setdefault(label, Counter()).update([cells] if any(cells) else [])
        seen = {*itertools.chain.from_iterable(itertools.chain.from_iterable(parts.values()))}
        known = check_labels(labels) if labels is not None else infer_labels(seen | {*parts})
    except (TypeError, ValueError) as error:
        if isinstance(error, BadVotes):
            raise
        raise BadVotes(rows, "rows must be sequences of texts, each with a label if there is a key") from None
    first = next(itertools.chain(*parts.values()), ())
    names = check_judges(judges if judges is not None else default_judges(len(first)))
    if truth is None:
        return VoteCounts(parts[None], known, names)
    every = {**{label: Counter() for label in known}, **parts}
    return LabeledVoteCounts({label: VoteCounts(counts, known, names) for label, counts in every.items()})
