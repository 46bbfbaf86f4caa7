"""What is perhaps not meant so: near-labels, keys taken for judges, numbers of questions, a row for each answer.

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
from ntqr_exact.votes.tally_rows import Batch

_KEYS = frozenset(
    (
        *("truth", "true_label", "true_labels", "label", "labels", "gold", "gold_label", "key", "answer_key"),
        *("target", "ground_truth", "groundtruth", "correct", "correct_answer", "reference", "expected"),
        "y_true",
    )
)
_NUMBERS = (
    *(
        "id",
        "question_id",
        "item_id",
        "doc_id",
        "sample_id",
        "example_id",
        "prompt_id",
        "ids",
        "uuid",
        "guid",
    ),
    *("index", "idx", "no", "nr", "number", "row", "question_number", "item", "question", "prompt", "text"),
)
_JUDGES = (
    *("judge", "judge_id", "judge_name", "annotator", "annotator_id", "rater", "rater_id", "worker"),
    *("worker_id", "model", "model_id", "model_name", "grader", "evaluator", "labeler", "classifier"),
)
_ANSWERS = (
    *("label", "verdict", "vote", "decision", "choice", "judgment", "rating", "grade", "score", "answer"),
    *("prediction", "annotation", "category", "class", "value", "response", "output"),
)
"""Names of columns, the likelier ones first."""

_MISSING = frozenset(("na", "n/a", "nan", "null", "none", "<na>", "missing"))
_FEW_QUESTIONS = 5
_INSTEAD = "if it is no judge, name the judges (--judges)"


def long_columns(columns: Sequence[str], truth: str | None) -> tuple[str, str, str] | None:
    """Return the columns of question, judge and answer, by their names, if there are such.

    >>> long_columns(["doc.id", "model", "prompt", "label"], None), long_columns(["item", "gpt"], None)
    (('doc.id', 'model', 'label'), None)
    """
    words = {_word(column.rpartition(".")[2]): column for column in columns if column != truth}
    numbers = (*_NUMBERS, *(word for word in words if word.endswith("_id") and word not in _JUDGES))
    found = [
        next((words[word] for word in kind if word in words), None) for kind in (numbers, _JUDGES, _ANSWERS)
    ]
    question, judge, answer = found
    return None if question is None or judge is None or answer is None else (question, judge, answer)


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
        and _is_number(_word(column))
        and len({row[place] for row in rows}) == first.rows > 1
    ]
    everything = chain(iter([first]), batches)  # an iterator lets go of what it gave
    kept = [column for column in columns if column not in numbers]
    if not numbers or kept == [truth] or not kept:
        return columns, everything
    for column in numbers:
        _warn(
            f"column {column!r} numbers the questions, and is left out; if it is a judge, name it (--judges)"
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
        word = _word(judge)
        all_differ = size >= _FEW_QUESTIONS and len({pattern[place] for pattern in counts}) == size
        if word in _KEYS:
            _warn(
                f"column {judge!r} looks like an answer key, and is counted as a judge; name it as truth (--truth)"
            )
        elif _is_number(word):
            _warn(f"column {judge!r} looks like the number or text of a question; {_INSTEAD}")
        elif all_differ:
            _warn(f"all answers of {judge!r} are different; {_INSTEAD}")


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
        if plain in _MISSING and labels[0] != filler:
            told = f"{labels[0]!r} ({answers[labels[0]]} times)"
            _warn(
                f"the label {told} looks like a missing answer; leave such cells empty, or say it is an abstention"
            )


def _word(column: str) -> str:
    return "_".join(column.casefold().replace("-", " ").split())


def _is_number(word: str) -> bool:
    return word in _NUMBERS or word.endswith("_id")


def _plain(label: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", label).casefold().split())


def _warn(text: str) -> None:
    warnings.warn(text, DecisionsWarning, stacklevel=2)
