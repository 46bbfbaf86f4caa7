"""Reading votes from a file: a votes file in JSON, or a decisions file in CSV, recognised by its content."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any, TypeVar

from ntqr_exact.csv_rows import opened_bytes, text_of
from ntqr_exact.errors import BadDecisions, BadDocument
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.csv_decisions import count_csv
from ntqr_exact.votes.labeled import LabeledVoteCounts

# A header may begin with a bracket, too; in JSON a quote or another bracket follows.
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*[{\[]\s*(?:[\"{}\[\]]|\Z)")


_Counted = TypeVar("_Counted")

_START = 64
"""Bytes by which JSON is recognised."""


@checked
def read_votes(
    path: str | os.PathLike[str],
    *,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    truth: str | None = None,
    delimiter: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> VoteCounts | LabeledVoteCounts:
    """Return the votes in a file: JSON as written by `to_json`, or a CSV of decisions to be counted.

    The options are those of `count_csv`; a votes file has its answer key, judges and labels inside, and none of
    them goes with it. Without a delimiter, that of a CSV is the comma.
    Raises `BadDecisions` or `BadDocument` for what cannot be read.
    """
    between = "," if delimiter is None else delimiter

    def count(text: IO[str]) -> VoteCounts | LabeledVoteCounts:
        if truth is None:
            return count_csv(text, judges=judges, labels=labels, delimiter=between, progress=progress)
        return count_csv(
            text, judges=judges, labels=labels, truth=truth, delimiter=between, progress=progress
        )

    counted, document = csv_or_document(path, count)
    if counted is not None:
        return counted
    refuse_csv_options(path, truth=truth, judges=judges, labels=labels, delimiter=delimiter)
    return votes_from_document(document)


def csv_or_document(
    path: str | os.PathLike[str], count: Callable[[IO[str]], _Counted]
) -> tuple[_Counted | None, Any]:
    """Return what `count` makes of a CSV, or else the JSON document that a file holds."""
    name = os.fspath(path)
    try:
        with opened_bytes(path) as stream:
            start = stream.read(_START)
            if _JSON.match(start) is None:
                # A pipe is read once: what has been looked at comes first again.
                return count(text_of(io.BufferedReader(_After(start, stream)), name)), None
            raw = start + stream.read()
    except OSError as error:
        raise BadDecisions(name, f"the file cannot be read: {error.strerror}") from None
    try:
        text = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8-sig").read()
    except UnicodeDecodeError:
        raise BadDocument(name, "the file is not UTF-8 text") from None
    return None, read_json(text)


def refuse_csv_options(path: str | os.PathLike[str], *, delimiter: str | None, **options: object) -> None:
    """Raise `BadDocument` if an option that only a CSV has was given for a votes file."""
    if any(value is not None for value in options.values()):
        raise BadDocument(
            os.fspath(path),
            "a votes file says itself what its judges, labels and key are",
            "leave the options out",
        )
    if delimiter is not None:
        raise BadDocument(os.fspath(path), "a votes file in JSON has no delimiter", "leave the option out")


class _After(io.RawIOBase):
    """Bytes that were read already, and then the stream that they were read from."""

    def __init__(self, start: bytes, stream: io.BufferedReader) -> None:
        self._start, self._stream = start, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._start[: len(buffer)] or self._stream.read1(len(buffer))
        self._start = self._start[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)


def votes_from_document(document: Any) -> VoteCounts | LabeledVoteCounts:
    """Return the votes in a JSON document, with or without an answer key."""
    if isinstance(document, dict) and "counts_by_label" in document:
        return LabeledVoteCounts.from_document(document)
    return VoteCounts.from_document(document)
