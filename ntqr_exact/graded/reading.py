"""Reading partial keys: a truth column with empty cells, in a CSV or a frame, or a partial key in JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ntqr_exact.csv_rows import CsvSource
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.arguments import checked
from ntqr_exact.graded.drawing import Drawn
from ntqr_exact.graded.partial_key import PartialKey
from ntqr_exact.votes.counted_rows import partial_votes_from_tally, votes_from_tally
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.csv_decisions import count_partial_csv
from ntqr_exact.votes.decisions_file import VotesDocument, opened_decisions
from ntqr_exact.votes.frames import count_partial_frame
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import check_labels
from ntqr_exact.votes.read_votes import refuse_row_options, votes_from_document
from ntqr_exact.votes.tally import tally


@checked
def partial_key_from_csv(
    source: CsvSource,
    *,
    truth: str,
    drawn: Drawn | str,
    strata: Iterable[Iterable[object]] | None = None,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    delimiter: str | None = None,
    missing: str | None = None,
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
        source,
        truth=truth,
        judges=judges,
        labels=labels,
        delimiter=delimiter,
        missing=missing,
        progress=progress,
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
    missing: str | None = None,
) -> PartialKey:
    """Return the partial key in a frame whose column `truth` has no value where a question is not graded."""
    votes, graded = count_partial_frame(frame, truth=truth, judges=judges, labels=labels, missing=missing)
    return PartialKey(votes, graded, drawn=drawn, strata=strata)


@checked
def read_test(
    path: str | os.PathLike[str],
    *,
    truth: str | None = None,
    long: Sequence[str] | None = None,
    drawn: Drawn | str = Drawn.NOT_AT_RANDOM,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    delimiter: str | None = None,
    missing: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> VoteCounts | LabeledVoteCounts | PartialKey:
    """Return the votes in a file with what is known of their key: nothing, all of it, or a part.

    The file and its options are those of `read_votes`. A truth column with empty cells makes a partial key; unless
    told otherwise, nothing is taken for granted of how they were chosen.
    Raises `BadDecisions` or `BadDocument` for what cannot be read.
    """
    known = None if labels is None else check_labels(labels)
    with opened_decisions(path, delimiter=delimiter) as rows:
        if isinstance(rows, VotesDocument):
            refuse_row_options(path, truth=truth, labels=labels, missing=missing, long=long)
            return votes_or_key(rows.document, judges)
        found = tally(
            rows,
            judges=judges,
            labels=known,
            truth=truth,
            long=long,
            missing=missing,
            progress=progress,
            key_in_part=True,
        )
    if truth is None:
        return votes_from_tally(found.counts, labels=found.labels, judges=found.judges)
    votes, graded = partial_votes_from_tally(found.counts, labels=found.labels, judges=found.judges)
    return graded if graded.size == votes.size else PartialKey(votes, graded, drawn=drawn)


def votes_or_key(
    document: Any, judges: Sequence[str] | None = None
) -> VoteCounts | LabeledVoteCounts | PartialKey:
    """Return the votes in a JSON document, of some of the judges if they are named."""
    if not (isinstance(document, dict) and "graded" in document):
        votes = votes_from_document(document)
        return votes if judges is None else votes.marginal(*judges)
    key = PartialKey.from_document(document)
    if judges is None:
        return key
    if key.drawn is Drawn.BY_STRATA:
        raise BadDocument(
            list(judges), "strata are patterns of all judges", "leave the choice of judges out for this file"
        )
    return PartialKey(key.votes.marginal(*judges), key.graded.marginal(*judges), drawn=key.drawn)
