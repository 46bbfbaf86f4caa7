"""What is perhaps not meant so: near-labels, keys taken for judges, numbers of questions.

What is counted as it stands, or left out, is a `DecisionsWarning`; the command prints them, and a program may turn them
into errors as any warning.
"""

from __future__ import annotations

import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from ntqr_exact.errors import DecisionsWarning
from ntqr_exact.votes.decision_rows import USUAL_NAMES, Batch, column_word, is_number

_FEW_QUESTIONS = 5
_INSTEAD = "if it is no judge, name the judges (--judges)"


def without_numbers(
    columns: list[str], batches: Iterator[Batch], truth: str | None
) -> tuple[list[str], Iterator[Batch]]:
    """Leave columns out that number the questions, by their names and first cells, with a warning."""
    first = next(batches, None)
    if first is None:
        return columns, batches
    rows = first.patterns if isinstance(first.patterns, Mapping) else list(first.patterns)
    first = Batch(rows, first.rows, first.line_of)
    numbers = [
        column
        for place, column in enumerate(columns)
        if column != truth
        and is_number(column_word(column))
        and len({row[place] for row in rows}) == first.rows > 1
    ]
    everything = chain(iter([first]), batches)  # an iterator lets go of what it gave
    kept = [column for column in columns if column not in numbers]
    if not numbers or kept == [truth] or not kept:
        return columns, everything
    for column in numbers:
        _warn(
            f"column {column!r} numbers the questions, and is left out",
            "if it is a judge, name it (--judges)",
        )
    places = [columns.index(column) for column in kept]
    return kept, (_chosen(batch, places) for batch in everything)


def _chosen(batch: Batch, places: Sequence[int]) -> Batch:
    """Return a batch with some of its columns."""
    if not isinstance(batch.patterns, Mapping):
        rows = (tuple([row[place] for place in places]) for row in batch.patterns)
        return Batch(rows, batch.rows, batch.line_of)
    counts: Counter[tuple[str, ...]] = Counter()
    for row, count in batch.patterns.items():
        counts[tuple([row[place] for place in places])] += count
    return Batch(counts, batch.rows, batch.line_of)


def warn_of_doubtful_columns(judges: Sequence[str], counts: Mapping[tuple[str, ...], int]) -> None:
    """Warn of columns that nobody named and that look like no judge."""
    size = sum(counts.values())
    for place, judge in enumerate(judges):
        word = column_word(judge)
        all_differ = size >= _FEW_QUESTIONS and len({pattern[place] for pattern in counts}) == size
        if word in USUAL_NAMES["keys"]:
            told = f"column {judge!r} looks like an answer key, and is counted as a judge"
            _warn(told, "name it as truth (--truth)")
        elif is_number(word):
            _warn(f"column {judge!r} looks like the number or text of a question", _INSTEAD)
        elif all_differ:
            _warn(f"all answers of {judge!r} are different", _INSTEAD)


def warn_of_doubtful_labels(answers: Mapping[str, int], filler: str) -> None:
    """Warn of labels that differ only in case or blanks, and of those but the filler that look like missing answers."""
    spelt: dict[str, list[str]] = {}
    for label in sorted(answers):
        spelt.setdefault(_plain(label), []).append(label)
    for plain, labels in spelt.items():
        if len(labels) > 1:
            told = " and ".join(f"{label!r} ({answers[label]} times)" for label in labels)
            _warn(
                f"the labels {told} differ only in case, blanks or encoding, and are counted as different answers"
            )
        if plain in USUAL_NAMES["missing"] and labels[0] != filler:
            told = f"{labels[0]!r} ({answers[labels[0]]} times)"
            remedy = "leave such cells empty, or say it is an abstention"
            _warn(f"the label {told} looks like a missing answer", remedy)


def _plain(label: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", label).casefold().split())


def _warn(text: str, remedy: str = "") -> None:
    warnings.warn(f"{text}; {remedy}" if remedy else text, DecisionsWarning, stacklevel=2)
