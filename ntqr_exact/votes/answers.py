"""Answers, counted: what each cell means, what is missing, and what looks doubtful.

A gap is a cell that is empty, or NA, N/A, NaN, null, unless it is a named label.
"""

from __future__ import annotations

import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

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
    is_question,
    note,
    shape_of,
)
from ntqr_exact.votes.table import Batch, Cells, Table

DROP, KEEP, LABEL = "drop", "keep", "label:"
"""Missing answers: skip their questions, keep them as gaps, or make them an answer of their own."""

MAX_LABEL_LENGTH = 200
"""A longer text in a file without named labels is probably not a label."""

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
        if not self.has_key:
            return trusted_votes(dict(self.counts), self.labels, self.judges)
        every = Counter[Pattern]()
        for pattern, count in self.counts.items():
            every[pattern[:-1]] += count
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
    checker = _Checker(shape, known, reading)
    cells = checker.count(shape.batches)
    if reading.judges is None and shape.judges and set(shape.judges) <= set(table.columns):
        _warn_of_columns(shape.judges, cells)
    counts = _settled(cells, checker.meaning, len(shape.judges), reading.missing, filler)
    if known is None:
        labels = Counter[str]()
        for pattern, count in counts.items():
            for label in filter(None, pattern):
                labels[label] += count
        known = infer_labels(labels, table.labels if isinstance(table, LongTable) else ())
        _warn_of_labels(labels, filler)
    named = []
    for name, row in shape.named if reading.with_questions else ():
        pattern = _filled([checker.meaning[cell] for cell in row], len(shape.judges), filler)
        if pattern in counts:
            named.append((name, pattern))
    return Answers(shape.judges, known, counts, shape.has_key, tuple(named))


# -- cells --------------------------------------------------------------------------------------------------


class _Checker:
    """Counts rows, and looks at each cell that has not been seen before."""

    def __init__(self, shape: Shape, labels: tuple[str, ...] | None, reading: Reading) -> None:
        self._shape, self._labels, self._reading = shape, labels, reading
        self.meaning: dict[str, str | None] = {label: label for label in labels or ()}
        self._labels_seen = 0

    def count(self, batches: Iterable[Batch]) -> Counter[Cells]:
        """Return how often each row of cells was seen."""
        counts = Counter[Cells]()
        has_key, known = self._shape.has_key and not self._reading.in_part, self.meaning.keys()
        for batch in batches:
            before = len(counts)
            counts.update(batch.rows)
            for row in islice(reversed(counts), len(counts) - before):
                if not known >= set(row):
                    for place, cell in enumerate(row):
                        if cell not in self.meaning:
                            self.meaning[cell] = self._label(cell, place, batch)
                if has_key and self.meaning[row[-1]] is None:
                    rule = "every question must have a true label"
                    raise self._bad(row[-1], rule, len(row) - 1, batch)
            if self._reading.progress is not None:
                self._reading.progress(batch.size)
        return counts

    def _label(self, cell: str, place: int, batch: Batch) -> str | None:
        """Return the label that a cell means, None for a gap; raises for anything else."""
        label = cell.strip()
        if self._labels is not None and label in self._labels:
            return label
        if label.casefold() in _GAPS:
            return None
        if "\0" in cell:
            raise self._bad(cell, "cell must be text, it has a NUL byte: a binary file?", place, batch)
        if self._labels is not None:
            raise self._bad(cell, f"label must be one of {listed(self._labels)}", place, batch)
        if len(label) > MAX_LABEL_LENGTH:
            raise self._bad(
                cell, f"a label must have at most {MAX_LABEL_LENGTH} characters", place, batch, _TOO_MANY
            )
        self._labels_seen += label not in self.meaning
        if self._labels_seen > MAX_INFERRED_LABELS:
            rule = f"there must be at most {MAX_INFERRED_LABELS} labels"
            raise self._bad(
                cell, rule, place, batch, "name the columns of judges (--judges, --long), or the --labels"
            )
        return label

    def _bad(self, cell: str, rule: str, place: int, batch: Batch, remedy: str = "") -> BadDecisions:
        column = self._shape.columns[place]
        return BadDecisions(cell, rule, remedy, line=batch.line_of(place, cell), column=column)


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
        if absent == 0 or filler or (missing != DROP and absent < judges):
            pattern = _filled(labels, judges, filler)
            patterns[pattern] = patterns.get(pattern, 0) + count
    if gaps:
        what = f"{gaps} of {size * judges} answers are missing, on {with_gaps} of {counted(size, 'question')}"
        done = "each judge counts on the questions that it answered; --missing drop skips the others"
        if filler:
            done = f"they are the answer {filler!r}"
        elif missing == DROP:
            done = "these questions are skipped"
        elif empty:
            done += f" ({counted(empty, 'question')} without any answer left out)"
        if not patterns:
            remedy = "leave --missing out to keep gaps" if missing == DROP else ""
            raise BadDecisions(f"{gaps} gaps", "some question must have the answers that are needed", remedy)
        note(f"{what}: {done}")
    return patterns


def _filler(missing: str | None) -> str:
    """Return the label that missing answers become, or nothing."""
    if missing is None or missing in (DROP, KEEP):
        return ""
    if isinstance(missing, str) and missing.startswith(LABEL) and missing.removeprefix(LABEL).strip():
        return missing.removeprefix(LABEL)
    raise BadDecisions(missing, f"missing must be {KEEP}, {DROP} or {LABEL}NAME")


def infer_labels(labels: Iterable[str | None], others: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the labels that occur, and others that could, sorted; raises `BadVotes` for fewer than two.

    >>> infer_labels(["b", "a", None, "b"])
    ('a', 'b')
    """
    seen = sorted({label for label in (*labels, *others) if label})
    if len(seen) < 2:
        raise BadVotes(tuple(seen), "at least two labels must occur", "name all labels that could (--labels)")
    if len(seen) > MAX_INFERRED_LABELS:
        raise BadVotes(len(seen), f"there must be at most {MAX_INFERRED_LABELS} labels", _TOO_MANY)
    return check_labels(seen)


# -- doubts -------------------------------------------------------------------------------------------------


def _warn_of_columns(judges: Sequence[str], counts: Mapping[Cells, int]) -> None:
    """Warn of columns that were not named and look like something else than a judge."""
    size = sum(counts.values())
    for place, judge in enumerate(judges):
        remedy = "--judges names the judges"
        if column_word(judge) in USUAL_NAMES["keys"]:
            _warn(
                f"column {judge!r} looks like an answer key, and is counted as a judge; --truth {judge} uses it"
            )
        elif is_question(judge):
            _warn(f"column {judge!r} looks like the number or text of a question; {remedy}")
        elif size >= 5 and len(counts) == size and len({row[place] for row in counts}) == size:
            _warn(f"all answers of {judge!r} are different; {remedy}")


def _warn_of_labels(answers: Mapping[str, int], filler: str) -> None:
    """Warn of labels that differ only in case or blanks, and of those that look like missing answers."""
    spelled: dict[str, list[str]] = {}
    for label in sorted(answers):
        plain = " ".join(unicodedata.normalize("NFKC", label).casefold().split())
        spelled.setdefault(plain, []).append(label)
    for plain, labels in spelled.items():
        if len(labels) > 1:
            each = " and ".join(f"{label!r} ({answers[label]} times)" for label in labels)
            _warn(
                f"the labels {each} differ only in case, blanks or encoding, and count as different answers"
            )
        if plain in USUAL_NAMES["missing"] and labels[0] != filler:
            _warn(
                f"the label {labels[0]!r} looks like a missing answer; leave such cells empty, or use --abstain"
            )


def _warn(text: str) -> None:
    warnings.warn(text, DecisionsWarning, stacklevel=2)
