"""Answers, counted: what each cell means, what is missing, and what looks doubtful.

A gap is a cell that is empty, or NA, N/A, NaN, null, unless it is a named label.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, islice

from ntqr_exact.errors import BadDecisions, BadVotes, DecisionsWarning, listed
from ntqr_exact.exact.show import counted
from ntqr_exact.votes.counts import VoteCounts, trusted_votes
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern, check_labels
from ntqr_exact.votes.shapes import (
    MAX_INFERRED_LABELS,
    USUAL_NAMES,
    LongTable,
    Reading,
    Shape,
    column_word,
    note,
    shape_of,
)
from ntqr_exact.votes.table import Batch, Cells, Table

MAX_LABEL_LENGTH = 200
"""A longer text in a file without named labels is probably not a label."""

_MOST_LABELS = f"there must be at most {MAX_INFERRED_LABELS} labels"
_TOO_MANY = "name the columns of judges (--judges, --long), or the --labels"
_GAPS = frozenset({"", "na", "n/a", "nan", "null", "<na>"})


@dataclass(frozen=True, slots=True)
class Answers:
    """How often each pattern was seen; if there is a key, the true label (or None) is the last of each pattern."""

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    counts: Mapping[Pattern, int]
    has_key: bool
    questions: tuple[tuple[str, Pattern], ...] = ()
    """Each question with its pattern, in the order of the file, if they were requested."""

    def votes(self) -> VoteCounts | LabeledVoteCounts:
        """Return the votes, with the key if there is one."""
        return self.graded() if self.has_key else self.observed()

    def observed(self) -> VoteCounts:
        """Return all votes without the key."""
        every = Counter[Pattern]()
        for pattern, count in self.counts.items():
            every[pattern[: len(self.judges)]] += count
        return trusted_votes(dict(every), self.labels, self.judges)

    def graded(self) -> LabeledVoteCounts:
        """Return the votes on the questions with a true label."""
        parts: dict[str, dict[Pattern, int]] = {label: {} for label in self.labels}
        for (*pattern, true_label), count in self.counts.items():
            if true_label is not None:
                parts[true_label][tuple(pattern)] = count
        return LabeledVoteCounts(
            {label: trusted_votes(part, self.labels, self.judges) for label, part in parts.items()}
        )


def plain_label(cell: str) -> str | None:
    """Return the label that a cell means without named labels; None for a gap.

    >>> plain_label(" yes"), plain_label("NA")
    ('yes', None)
    """
    label = cell.strip()
    return None if label.casefold() in _GAPS else label


def answers_of(table: Table, reading: Reading) -> Answers:
    """Return the answers in a table; raises `BadDecisions` with line and column for what cannot be counted."""
    filler = _filler(reading.missing)
    known = None if reading.labels is None else check_labels(reading.labels)
    if known is not None and filler and filler not in known:
        known = (*known, filler)
    shape = shape_of(table, reading)
    cells, meaning = _counted(shape, known, reading)
    if reading.judges is None:
        for judge in set(shape.judges) & set(table.columns):
            if column_word(judge) in USUAL_NAMES["keys"]:
                text = f"column {judge!r} looks like an answer key, and is counted as a judge; --truth {judge} uses it"
                warnings.warn(text, DecisionsWarning, stacklevel=2)
    counts = _settled(cells, meaning, len(shape.judges), reading.missing, filler)
    if known is None:
        labels = chain.from_iterable(counts)
        known = infer_labels((*labels, *(table.labels if isinstance(table, LongTable) else ())))
    named = []
    for name, row in shape.named if reading.with_questions else ():
        pattern = _filled([meaning[cell] for cell in row], len(shape.judges), filler)
        if pattern in counts:
            named.append((name, pattern))
    return Answers(shape.judges, known, counts, shape.has_key, tuple(named))


def infer_labels(labels: Iterable[str | None]) -> tuple[str, ...]:
    """Return the labels that occur, sorted; raises `BadVotes` for fewer than two, or more than are probable.

    >>> infer_labels(["b", "a", None, "b"])
    ('a', 'b')
    """
    seen = tuple(sorted({label for label in labels if label}))
    if len(seen) < 2:
        raise BadVotes(seen, "at least two labels must occur", "name all labels that could (--labels)")
    if len(seen) > MAX_INFERRED_LABELS:
        raise BadVotes(len(seen), _MOST_LABELS, _TOO_MANY)
    return check_labels(seen)


# -- cells --------------------------------------------------------------------------------------------------


def _counted(
    shape: Shape, labels: tuple[str, ...] | None, reading: Reading
) -> tuple[Counter[Cells], dict[str, str | None]]:
    """Return how often each row of cells was seen, and the label (or gap) that each cell means."""
    meaning: dict[str, str | None] = {label: label for label in labels or ()}
    distinct: set[str | None] = set()
    counts = Counter[Cells]()
    needs_key, known = shape.has_key and not reading.in_part, meaning.keys()
    for batch in shape.batches:
        before = len(counts)
        counts.update(batch.rows)
        for row in islice(reversed(counts), len(counts) - before):
            if not known >= set(row):
                for place, cell in enumerate(row):
                    if cell not in meaning:
                        where = (place, batch, shape.columns)
                        meaning[cell] = _label(cell, labels, where)
                        distinct.add(meaning[cell])
                        if labels is None and len(distinct) > MAX_INFERRED_LABELS + 1:  # one is the gap
                            raise _bad(cell, _MOST_LABELS, where, _TOO_MANY)
            if needs_key and meaning[row[-1]] is None:
                raise _bad(
                    row[-1], "every question must have a true label", (len(row) - 1, batch, shape.columns)
                )
        if reading.progress is not None:
            reading.progress(batch.size)
    return counts, meaning


def _label(cell: str, labels: tuple[str, ...] | None, where: tuple[int, Batch, Cells]) -> str | None:
    """Return the label that a cell means, None for a gap; raises for anything else."""
    label = cell.strip()
    if labels is not None and label in labels:
        return label
    if label.casefold() in _GAPS:
        return None
    if "\0" in cell:
        raise _bad(cell, "cell must be text, it has a NUL byte: a binary file?", where)
    if labels is not None:
        raise _bad(cell, f"label must be one of {listed(labels)}", where)
    if len(label) > MAX_LABEL_LENGTH:
        raise _bad(cell, f"a label must have at most {MAX_LABEL_LENGTH} characters", where, _TOO_MANY)
    return label


def _bad(cell: str, rule: str, where: tuple[int, Batch, Cells], remedy: str = "") -> BadDecisions:
    place, batch, columns = where
    return BadDecisions(cell, rule, remedy, line=batch.line_of(place, cell), column=columns[place])


def _filled(labels: list[str | None], judges: int, filler: str) -> Pattern:
    return (*(label or filler for label in labels[:judges]), *labels[judges:]) if filler else tuple(labels)


def _settled(
    counts: Counter[Cells], meaning: Mapping[str, str | None], judges: int, missing: str | None, filler: str
) -> dict[Pattern, int]:
    """Return patterns of labels and gaps, with the gaps as the user wants them."""
    if all(cell == label for cell, label in meaning.items()):
        return dict(counts)
    patterns: dict[Pattern, int] = {}
    gaps = with_gaps = empty = size = 0
    for row, count in counts.items():
        labels = list(map(meaning.__getitem__, row))
        absent = labels[:judges].count(None)
        size += count
        gaps += absent * count
        with_gaps += count if absent else 0
        empty += count if absent == judges and not filler else 0
        if absent == 0 or filler or (missing != "drop" and absent < judges):
            pattern = _filled(labels, judges, filler)
            patterns[pattern] = patterns.get(pattern, 0) + count
    if gaps:
        done = "each judge counts on the questions that it answered; --missing drop skips the others"
        if filler:
            done = f"they are the answer {filler!r}"
        elif missing == "drop":
            done = "these questions are skipped"
        elif empty:
            done += f" ({counted(empty, 'question')} without any answer left out)"
        if not patterns:
            remedy = "leave --missing out to keep gaps" if missing == "drop" else ""
            raise BadDecisions(f"{gaps} gaps", "some question must have the answers that are needed", remedy)
        where = f"on {with_gaps} of {counted(size, 'question')}"
        note(f"{gaps} of {size * judges} answers are missing, {where}: {done}")
    return patterns


def _filler(missing: str | None) -> str:
    """Return the label that missing answers become, or nothing."""
    kind, _, label = (missing or "keep").partition(":")
    if (kind, label.strip()) in (("drop", ""), ("keep", "")):
        return ""
    if kind != "label" or not label.strip():
        raise BadDecisions(missing, "missing must be keep, drop or label:NAME")
    return label.strip()
