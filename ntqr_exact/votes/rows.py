"""Counting rows of labels from any iterable, such as a list of tuples or a generator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from ntqr_exact.errors import BadDecisions, BadVotes, shown
from ntqr_exact.exact.arguments import checked
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import check_judges, check_labels, default_judges
from ntqr_exact.votes.tally import Tally, infer_labels


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
@checked
def count_rows(
    rows: Iterable[Sequence[str | None]],
    *,
    labels: Iterable[str] | None = None,
    judges: Iterable[str] | None = None,
    truth: Iterable[str] | None = None,
) -> VoteCounts | LabeledVoteCounts:
    """Return the votes in rows that hold one label for each judge, in one pass.

    `truth`, if given, is the answer key: one true label for each row. The labels are those that
    occur, sorted, unless named. None or "" is a gap: this judge gave no answer.

    >>> count_rows([("a", "b"), ("a", "a"), ("a", "b")])
    VoteCounts({'aa': 1, 'ab': 2}, labels=('a', 'b'), judges=('J1', 'J2'))
    >>> count_rows(["ab", "aa"], truth="ab").key_counts
    {'a': 1, 'b': 1}

    Raises `BadDecisions` for a row that is too short or too long or holds no texts, with its number.
    """
    key = None if truth is None else iter(truth)
    names = None if judges is None else check_judges(judges)
    counts: Counter[tuple[str, ...]] = Counter()
    for number, row in enumerate(rows, start=1):
        cells = _checked(row, number)
        if names is None:
            names = default_judges(len(cells))
        if len(cells) != len(names):
            raise BadDecisions(row, f"row {number} has {len(cells)} labels for {len(names)} judges")
        counts[cells if key is None else (*cells, _next_key(key, number))] += 1
    for more in key or ():
        raise BadDecisions(more, f"the answer key goes on after the last row, {counts.total()}")
    if names is None:
        raise BadVotes([], "there are no rows", "name the judges and labels to have an empty test")
    known = infer_labels(counts) if labels is None else check_labels(labels)
    return Tally(names, known, counts, has_key=key is not None).votes()


def _checked(row: Sequence[str | None], number: int) -> tuple[str, ...]:
    cells = tuple(row)
    for cell in cells:
        if cell is not None and not isinstance(cell, str):
            rule = f"row {number} holds {shown(cell)}: a label is a text, not {type(cell).__name__}"
            raise BadDecisions(row, rule)
    return tuple(cell or "" for cell in cells)


def _next_key(key: Iterator[str], number: int) -> str:
    true_label = next(key, None)
    if not isinstance(true_label, str) or not true_label:
        raise BadDecisions(true_label, f"row {number} has no true label in the answer key")
    return true_label
