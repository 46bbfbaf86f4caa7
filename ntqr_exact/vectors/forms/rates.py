"""Rates that may be undefined, and votes with their answer key, in inputs and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import Rate, Undefined
from ntqr_exact.vectors.forms.votes import PARTS, votes_from, votes_input
from ntqr_exact.vectors.fragments import RATIONAL, described, either, list_of, one_of
from ntqr_exact.vectors.specification import Document
from ntqr_exact.votes.labeled import LabeledVoteCounts

UNDEFINED = "undefined"
"""The word for a rate that would be a share of no questions."""

RATE = either(RATIONAL, one_of(UNDEFINED))
KEYED = described(list_of(PARTS["counts"]), "for each true label the counts of all patterns on its questions")


def written(rate: Rate) -> Any:
    """Return a rate, or the word for one that is not defined."""
    return UNDEFINED if isinstance(rate, Undefined) else rate


def key_from(document: Document) -> LabeledVoteCounts:
    """Return the votes with their key; raises `BadVotes` unless there is a list of counts for each label."""
    labels, by_key = document["labels"], document["counts_by_key"]
    if len(labels) != len(by_key):
        raise BadVotes(len(by_key), f"there are {len(labels)} true labels, and a list of counts for each")
    parts = [votes_from({**document, "counts": counts}) for counts in by_key]
    return LabeledVoteCounts(dict(zip(labels, parts, strict=True)))


def key_input(counts_by_key: Sequence[Sequence[int]], *, labels: str = "ab", judges: int = 3) -> Document:
    """Return the input of votes with their key."""
    rows = [votes_input(counts, labels=labels, judges=judges)["counts"] for counts in counts_by_key]
    return {"labels": list(labels), "judges": judges, "counts_by_key": rows}
