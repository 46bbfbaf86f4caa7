"""Reading partial keys: a truth column with empty cells, in a CSV or a frame, or a partial key in JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ntqr_exact.csv_rows import CsvSource, opened
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.arguments import checked
from ntqr_exact.sampling.drawing import Drawn
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.csv_decisions import CsvRows
from ntqr_exact.votes.frames import FrameRows
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.read_votes import read_tally, votes_from_document
from ntqr_exact.votes.tally import Tally, tally


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
    with opened(source) as stream:
        found = tally(
            CsvRows(stream, delimiter),
            judges=judges,
            labels=labels,
            truth=truth,
            missing=missing,
            progress=progress,
            key_in_part=True,
        )
    return PartialKey(*found.votes_and_graded(), drawn=drawn, strata=strata)


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
    found = tally(
        FrameRows(frame), judges=judges, labels=labels, truth=truth, missing=missing, key_in_part=True
    )
    return PartialKey(*found.votes_and_graded(), drawn=drawn, strata=strata)


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
    found = read_tally(
        path,
        judges=judges,
        labels=labels,
        truth=truth,
        long=long,
        delimiter=delimiter,
        missing=missing,
        progress=progress,
        key_in_part=True,
    )
    if not isinstance(found, Tally):
        return votes_or_key(found.document, judges)
    if truth is None:
        return found.votes()
    votes, graded = found.votes_and_graded()
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
        rule = "leave the choice of judges out for this file"
        raise BadDocument(list(judges), "strata are patterns of all judges", rule)
    return PartialKey(key.votes.marginal(*judges), key.graded.marginal(*judges), drawn=key.drawn)
