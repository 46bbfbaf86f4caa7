"""Votes from files, streams, frames and rows: what each cell means, what is missing, and what looks doubtful.

A gap is a cell that is empty, or NA, N/A, NaN, null, and "1.0" is the label 1, unless they are named labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import Any

from ntqr_exact.errors import BadDecisions, BadDocument, BadVotes, listed
from ntqr_exact.exact.show import counted
from ntqr_exact.votes.counts import VoteCounts, trusted_votes
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.logs import read_logs
from ntqr_exact.votes.names import Pattern, check_judges, check_labels, default_judges
from ntqr_exact.votes.shapes import (
    MAX_INFERRED_LABELS,
    MAX_LABEL_LENGTH,
    Reading,
    Shape,
    nested_table,
    note,
    shape_of,
)
from ntqr_exact.votes.table import Cells, Document, Table, whole_text
from ntqr_exact.votes.tables import Source, open_source

_MOST_LABELS = f"there must be at most {MAX_INFERRED_LABELS} labels"
_TOO_MANY = "name the columns of judges (--judges, --long), or the --labels"
_GAPS = frozenset({"", "na", "n/a", "nan", "null", "<na>"})


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
    question, judge and answer of a table with one row per answer. Columns have names, or positions from 1; `header`
    says whether the first row has the names. `missing` is "keep" (gaps, the default), "drop" (skip questions with a
    missing answer) or "label:NAME". `progress` is called with a number of rows now and then.

    >>> import io
    >>> read_votes(io.StringIO("A,B\na,b\n"), labels=["a", "b"])
    VoteCounts({'ab': 1}, labels=('a', 'b'), judges=('A', 'B'))

    Raises `BadDecisions` (with line and column), `BadDocument` or `BadVotes` for what cannot be read.
    """
    reading = Reading(judges, labels, truth, long, delimiter, header, missing, progress)
    answers = read_answers(source, reading)
    if isinstance(answers, Answers):
        return answers.graded() if answers.has_key else answers.observed()
    return votes_from_document(answers.value, judges)


def read_answers(source: Source | Sequence[Source], reading: Reading) -> Answers | Document:
    """Return the answers in a source, or in several logs, or the document of votes that the source is."""
    sources: Any = source
    if not (isinstance(source, (list, tuple)) and source and "\n" not in str(source[0])):
        sources = [source]  # a list with line breaks is a table
    opened = [open_source(each, delimiter=reading.delimiter, header=reading.header) for each in sources]
    table = read_logs(opened) or opened[0]
    if isinstance(table, Document):
        if isinstance(table.value, dict) and {"counts", "counts_by_label", "graded"} & table.value.keys():
            names = ("truth", "labels", "missing", "long")
            given = [name for name in names if getattr(reading, name) is not None]
            if given:
                rule = f"a votes file must be read without {', '.join(given)}"
                raise BadDocument(table.name, rule, "it has its own labels and key")
            return table
        table = nested_table(table, reading.judges)
    with table:
        return answers_of(table, reading)


def votes_from_document(document: Any, judges: Sequence[str] | None) -> VoteCounts | LabeledVoteCounts:
    """Return the votes in a JSON document, with or without an answer key, of some of the judges if they are named."""
    has_key = isinstance(document, dict) and "counts_by_label" in document
    votes = (LabeledVoteCounts if has_key else VoteCounts).from_document(document)
    return votes if judges is None else votes.marginal(*judges)


@dataclass(frozen=True, slots=True)
class Answers:
    """How often each pattern was seen; if there is a key, the true label (or None) is the last of each pattern."""

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    counts: Mapping[Pattern, int]
    has_key: bool
    questions: tuple[tuple[str, Pattern], ...] = ()  # in the order of the file, if they were requested

    def observed(self) -> VoteCounts:
        """Return all votes without the key."""
        every = Counter[Pattern]()
        for pattern, count in self.counts.items():
            every[pattern[: len(self.judges)]] += count
        return trusted_votes(dict(every), self.labels, self.judges)

    def graded(self) -> LabeledVoteCounts:
        """Return the votes on the questions with a true label."""
        counts, names = self.counts.items(), (self.labels, self.judges)
        parts = {label: {row[:-1]: n for row, n in counts if row[-1] == label} for label in self.labels}
        return LabeledVoteCounts({label: trusted_votes(part, *names) for label, part in parts.items()})


def answers_of(table: Table, reading: Reading) -> Answers:
    """Return the answers in a table; raises `BadDecisions` with line and column for what cannot be counted."""
    filler = _filler(reading.missing)
    known = None if reading.labels is None else check_labels(reading.labels)
    if known is not None and filler and filler not in known:
        known = (*known, filler)
    shape = shape_of(table, reading)
    cells, meaning = _counted(table, shape, known, reading)
    given = {cell: label or filler or None for cell, label in meaning.items()}
    judges = len(shape.judges)

    def pattern_of(row: Cells) -> Pattern:
        return (*map(given.__getitem__, row[:judges]), *map(meaning.__getitem__, row[judges:]))

    counts, gaps = Counter[Pattern](), Counter[int]()
    for row, count in cells.items():
        pattern, absent = pattern_of(row), [*map(meaning.__getitem__, row[:judges])].count(None)
        gaps[absent] += count
        if absent == 0 or filler or (reading.missing != "drop" and absent < judges):
            counts[pattern] += count
    if cells and not counts:
        drops = reading.missing == "drop"
        rule, remedy = ("all answers", "leave --missing out to keep gaps") if drops else ("an answer", "")
        raise BadDecisions("gaps", f"some question must have {rule}", remedy)
    _note_gaps(gaps, judges, reading.missing, filler)
    if known is None:
        known = _known(table, counts, judges, reading)
    named = [(name, pattern_of(row)) for name, row in (shape.named if reading.with_questions else ())]
    questions = tuple(each for each in named if each[1] in counts)
    return Answers(shape.judges, known, counts, len(shape.columns) > judges, questions)


def _known(table: Table, counts: Counter[Pattern], judges: int, reading: Reading) -> tuple[str, ...]:
    """Return the labels that occur; doubtful ones are said, and a key of which no judge gave a label is refused."""
    size = counts.total()
    if not size:
        raise BadDecisions(
            listed(table.columns), "rows must follow the header", "--no-header takes it for a row"
        )
    key = {label for pattern in counts for label in pattern[judges:]} - {None}
    if (
        reading.truth is not None
        and key
        and key.isdisjoint(chain.from_iterable(row[:judges] for row in counts))
    ):
        rule = "some true label must be an answer of a judge"
        raise BadDecisions(listed(sorted(key), 3), rule, "--labels with all labels takes it as it is")
    known = infer_labels(chain(chain.from_iterable(counts), getattr(table, "labels", ())))
    if len({*map(str.casefold, known)}) < len(known):
        note(f"labels that differ only in case are different labels: {listed(known)}")
    if len(known) > max(10, size // 2):
        note(f"{len(known)} labels on {counted(size, 'question')}: scores are not labels")
    return known


def plain_label(cell: str, labels: Sequence[str] | None = None) -> str | None:
    """Return the label that a cell means, one of named labels as it is written; None for a gap."""
    if labels is not None and cell.strip() in labels:
        return cell.strip()
    label = whole_text(cell)
    return None if label.casefold() in _GAPS else label


def infer_labels(labels: Iterable[str | None]) -> tuple[str, ...]:
    """Return the labels that occur, sorted; raises `BadVotes` for fewer than two, or more than are probable."""
    seen = tuple(sorted({label for label in labels if label}))
    if len(seen) < 2:
        raise BadVotes(seen, "at least two labels must occur", "name all labels that could (--labels)")
    if len(seen) > MAX_INFERRED_LABELS:
        raise BadVotes(len(seen), _MOST_LABELS, _TOO_MANY)
    return check_labels(seen)


# -- cells --------------------------------------------------------------------------------------------------


def _counted(
    table: Table, shape: Shape, labels: tuple[str, ...] | None, reading: Reading
) -> tuple[Counter[Cells], dict[str, str | None]]:
    """Return how often each row of cells was seen, and the label (or gap) that each cell means."""
    meaning: dict[str, str | None] = {label: label for label in labels or ()}
    distinct: set[str | None] = set()
    counts = Counter[Cells]()
    needs_key, known = len(shape.columns) > len(shape.judges) and not reading.in_part, meaning.keys()
    for batch in shape.batches:
        before = len(counts)
        counts.update(batch)
        for row in islice(reversed(counts), len(counts) - before):
            for cell in row if not known >= {*row} else ():
                if cell not in meaning:
                    meaning[cell] = plain_label(cell, labels)
                    distinct.add(meaning[cell])
                    if rule := _fault(cell, meaning[cell], labels, len(distinct)):
                        raise _bad(table, shape.columns, cell, *rule)
            if needs_key and meaning[row[-1]] is None:
                raise _bad(table, shape.columns[-1:], row[-1], "every question must have a true label")
        if reading.progress is not None:
            reading.progress(batch.total() if isinstance(batch, Counter) else len(batch))
    return counts, meaning


def _fault(cell: str, label: str | None, labels: tuple[str, ...] | None, number: int) -> tuple[str, ...]:
    """Return the rule that a cell breaks, and the remedy."""
    if "\0" in cell:
        return ("cell must be text, it has a NUL byte: a binary file?",)
    if labels is not None:
        return () if label in (None, *labels) else (f"label must be one of {listed(labels)}",)
    if number > MAX_INFERRED_LABELS + 1:  # one is the gap
        return _MOST_LABELS, _TOO_MANY
    is_long = label is not None and len(label) > MAX_LABEL_LENGTH
    return (f"a label must have at most {MAX_LABEL_LENGTH} characters", _TOO_MANY) if is_long else ()


def _bad(table: Table, columns: Cells, cell: str, *rule: str) -> BadDecisions:
    """Return the error for a cell, with the first place in these columns where it is."""
    names = [column for column in dict.fromkeys(columns) if column in table.columns]
    rows = table.select(names) if names else ()
    places = ((line, names[row.index(cell)]) for line, row in rows if cell in row)
    line, column = next(places, (None, columns[-1]))
    return BadDecisions(cell, *rule, line=line, column=column)


def _note_gaps(absent: Counter[int], judges: int, missing: str | None, filler: str) -> None:
    """Say in one line how many answers are missing, and what is done with them."""
    gaps, size = sum(number * count for number, count in absent.items()), absent.total()
    if not gaps:
        return
    done = "each judge counts on the questions that it answered; --missing drop skips the others"
    if filler:
        done = f"they are the answer {filler!r}"
    elif missing == "drop":
        done = "these questions are skipped"
    elif absent[judges]:
        done += f" ({counted(absent[judges], 'question')} without any answer left out)"
    where = f"on {size - absent[0]} of {counted(size, 'question')}"
    note(f"{gaps} of {size * judges} answers {'is' if gaps == 1 else 'are'} missing, {where}: {done}")


def _filler(missing: str | None) -> str:
    """Return the label that missing answers become, or nothing."""
    kind, _, label = (missing or "keep").partition(":")
    if (kind, bool(label.strip())) not in (("keep", False), ("drop", False), ("label", True)):
        raise BadDecisions(missing, "missing must be keep, drop or label:NAME")
    return label.strip()


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
    try:
        pairs = zip(rows, repeat(None) if truth is None else truth, strict=truth is not None)
        counts = Counter((tuple(None if cell == "" else cell for cell in row), label) for row, label in pairs)
        seen = {*chain.from_iterable((*row, label) for row, label in counts)}
        known = check_labels(labels) if labels is not None else infer_labels(seen)
    except BadVotes:
        raise
    except (TypeError, ValueError):
        raise BadVotes(rows, "rows must be sequences of texts, each with a label if there is a key") from None
    first = next((row for row, _ in counts if any(row)), ())
    names = check_judges(judges if judges is not None else default_judges(len(first)))
    parts: dict[Any, dict[Pattern, int]] = {label: {} for label in (known if truth is not None else (None,))}
    for (row, label), count in counts.items():
        if any(row):
            parts.setdefault(label, {})[row] = count
    votes = {label: VoteCounts(part, known, names) for label, part in parts.items()}
    return votes[None] if truth is None else LabeledVoteCounts(votes)
