"""Reading partial keys: a truth column with empty cells, in a CSV or a frame, or a partial key in JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any

from ntqr_exact.csv_rows import CsvSource
from ntqr_exact.exact.arguments import checked
from ntqr_exact.graded.drawing import Drawn
from ntqr_exact.graded.partial_key import PartialKey
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.csv_decisions import count_csv, count_partial_csv
from ntqr_exact.votes.frames import count_partial_frame
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.read_votes import csv_or_document, refuse_csv_options, votes_from_document


@checked
def partial_key_from_csv(
    source: CsvSource,
    *,
    truth: str,
    drawn: Drawn | str,
    strata: Iterable[Iterable[object]] | None = None,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    delimiter: str = ",",
    progress: Callable[[int], None] | None = None,
) -> PartialKey:
    r"""Return the partial key in a CSV whose column `truth` is empty where a question is not graded.

    >>> import io
    >>> decisions = io.StringIO("A,B,key\na,b,a\nb,b,\na,a,\n")
    >>> key = partial_key_from_csv(decisions, truth="key", drawn="at_random")
    >>> key.size, key.graded_size
    (3, 1)
    """
    votes, graded = count_partial_csv(
        source, truth=truth, judges=judges, labels=labels, delimiter=delimiter, progress=progress
    )
    return PartialKey(votes, graded, drawn=drawn, strata=strata)


@checked
def partial_key_from_frame(
    frame: Any,
    *,
    truth: str,
    drawn: Drawn | str,
    strata: Iterable[Iterable[object]] | None = None,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
) -> PartialKey:
    """Return the partial key in a frame whose column `truth` has no value where a question is not graded."""
    votes, graded = count_partial_frame(frame, truth=truth, judges=judges, labels=labels)
    return PartialKey(votes, graded, drawn=drawn, strata=strata)


@checked
def read_test(
    path: str | os.PathLike[str],
    *,
    truth: str | None = None,
    drawn: Drawn | str = Drawn.NOT_AT_RANDOM,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    delimiter: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> VoteCounts | LabeledVoteCounts | PartialKey:
    """Return the votes in a file with what is known of their key: nothing, all of it, or a part.

    The file is JSON as written by `to_json`, or a CSV, whose options are those of `count_csv`. A truth column with
    empty cells makes a partial key; unless told otherwise, nothing is taken for granted of how they were chosen.
    Raises `BadDecisions` or `BadDocument` for what cannot be read.
    """

    def count(text: IO[str]) -> VoteCounts | LabeledVoteCounts | PartialKey:
        between = "," if delimiter is None else delimiter
        if truth is None:
            return count_csv(text, judges=judges, labels=labels, delimiter=between, progress=progress)
        votes, graded = count_partial_csv(
            text, truth=truth, judges=judges, labels=labels, delimiter=between, progress=progress
        )
        key = PartialKey(votes, graded, drawn=drawn)
        return key.graded if key.graded_size == key.size else key

    counted, document = csv_or_document(path, count)
    if counted is not None:
        return counted
    refuse_csv_options(path, truth=truth, judges=judges, labels=labels, delimiter=delimiter)
    if isinstance(document, dict) and "graded" in document:
        return PartialKey.from_document(document)
    return votes_from_document(document)
