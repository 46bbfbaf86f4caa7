"""Reading partial keys: a truth column with empty cells, in a CSV or a frame, or a partial key in JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ntqr_exact.csv_rows import CsvSource
from ntqr_exact.errors import BadDocument
from ntqr_exact.graded.drawing import Drawn
from ntqr_exact.graded.partial_key import PartialKey
from ntqr_exact.votes.csv_decisions import count_partial_csv
from ntqr_exact.votes.frames import count_partial_frame
from ntqr_exact.votes.read_votes import document_in


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


def partial_key_in(path: str | os.PathLike[str]) -> PartialKey | None:
    """Return the partial key in a JSON file; nothing if the file is a CSV or holds other votes.

    Raises `BadDecisions` or `BadDocument` for what cannot be read.
    """
    document = document_in(path)
    if not isinstance(document, dict) or "graded" not in document:
        return None
    try:
        return PartialKey.from_document(document)
    except BadDocument as error:
        raise BadDocument(os.fspath(path), error.rule, error.remedy) from None
