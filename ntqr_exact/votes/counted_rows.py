"""From counted rows to votes: the step that every way of reading decisions ends in.

A tally counts tuples of answers; where there is an answer key, the true label stands last in each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ntqr_exact.errors import BadDecisions, BadVotes, listed
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import check_judges, check_labels

MAX_INFERRED_LABELS = 100
"""More different labels than this in a file without named labels: surely a column that is no judge."""

MANY_LABELS = f"more than {MAX_INFERRED_LABELS} different labels"
INSTEAD_OF_MANY = "name the columns of the judges (--judges), or the labels"


def infer_labels(patterns: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the labels that occur, sorted; raises where they cannot be all.

    >>> infer_labels([("b", "a"), ("b", "c")])
    ('a', 'b', 'c')
    """
    seen = sorted({label for pattern in patterns for label in pattern})
    if len(seen) < 2:
        raise BadVotes(tuple(seen), "fewer than two labels occur", "name all labels that could occur")
    if len(seen) > MAX_INFERRED_LABELS:
        raise BadVotes(len(seen), MANY_LABELS, INSTEAD_OF_MANY)
    return check_labels(seen)


def votes_from_tally(
    tally: Mapping[tuple[str, ...], int], *, labels: Iterable[str] | None, judges: Sequence[str]
) -> VoteCounts:
    """Return the votes that a tally of patterns stands for."""
    return VoteCounts(tally, infer_labels(tally) if labels is None else labels, judges)


def labeled_votes_from_tally(
    tally: Mapping[tuple[str, ...], int], *, labels: Iterable[str] | None, judges: Sequence[str]
) -> LabeledVoteCounts:
    """Return the labeled votes that a tally of patterns with the true label last stands for."""
    names = infer_labels(tally) if labels is None else check_labels(labels)
    parts: dict[str, dict[tuple[str, ...], int]] = {label: {} for label in names}
    for (*pattern, true_label), count in tally.items():
        if true_label not in parts:
            raise BadVotes(true_label, f"a true label is one of {', '.join(map(repr, names))}")
        parts[true_label][tuple(pattern)] = count
    return LabeledVoteCounts({label: VoteCounts(part, names, judges) for label, part in parts.items()})


def partial_votes_from_tally(
    tally: Mapping[tuple[str, ...], int], *, labels: Iterable[str] | None, judges: Sequence[str]
) -> tuple[VoteCounts, LabeledVoteCounts]:
    """Return all votes and those with a true label, from a tally in which an empty true label means none.

    >>> votes, graded = partial_votes_from_tally({("a", "b"): 2, ("b", ""): 5}, labels=None, judges=["A"])
    >>> votes.size, graded.key_counts
    (7, {'a': 0, 'b': 2})
    """
    names = infer_labels([[cell for cell in row if cell] for row in tally]) if labels is None else labels
    every: dict[tuple[str, ...], int] = {}
    for (*pattern, _), count in tally.items():
        every[tuple(pattern)] = every.get(tuple(pattern), 0) + count
    known = {row: count for row, count in tally.items() if row[-1]}
    return VoteCounts(every, names, judges), labeled_votes_from_tally(known, labels=names, judges=judges)


def choose_columns(columns: Sequence[str], judges: Sequence[str] | None, truth: str | None) -> list[str]:
    """Return the columns to count: the judges (all but the truth unless named), the truth last.

    >>> choose_columns(["A", "key", "B"], None, "key")
    ['A', 'B', 'key']
    """
    known = set(columns)
    chosen = [column for column in columns if column != truth] if judges is None else [*check_judges(judges)]
    for column in (*chosen, *(() if truth is None else (truth,))):
        if column not in known:
            raise BadDecisions(column, f"there is no such column; the columns are {listed(columns)}")
    if truth in chosen:
        raise BadDecisions(truth, "the answer key cannot be a judge as well")
    if not chosen:
        raise BadDecisions(list(columns), "there is no column of a judge")
    return [*chosen, *(() if truth is None else (truth,))]
