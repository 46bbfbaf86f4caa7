"""Reading votes from a file of any form, told by its name, else by how it begins.

| name | rows |
|---|---|
| `.csv`, or any other | text, delimiter recognised |
| `.tsv`, `.tab` | text, tab |
| `.jsonl`, `.ndjson` | an object on each line |
| `.parquet` | read by polars, pyarrow, pandas or duckdb |
| `.json` | a votes document, or a list of objects |

Each but parquet may be packed by gzip, and come from standard input, "-".
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ntqr_exact.csv_rows import STANDARD_INPUT, opened_bytes, text_of
from ntqr_exact.errors import BadDecisions, BadDocument
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.csv_decisions import CsvRows
from ntqr_exact.votes.decision_rows import DecisionRows
from ntqr_exact.votes.frames import parquet_rows
from ntqr_exact.votes.json_rows import JsonRows, each_once
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import check_labels
from ntqr_exact.votes.tally import Tally, tally

# A header may begin with a bracket, too; in JSON a quote or another bracket follows.
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*[{\[]\s*(?:[\"{}\[\]]|\Z)")
_START = 64
"""Bytes by which JSON is recognised."""
_LONGEST_LINE = 1 << 20
_DOCUMENT = ("counts", "counts_by_label", "graded")
"""Names by which a document of votes is told from the first of many objects."""

_TABS, _LINES, _PARQUET = ("tsv", "tab"), ("jsonl", "ndjson"), "parquet"


@checked
def read_votes(
    path: str | os.PathLike[str],
    *,
    judges: Sequence[str] | None = None,
    labels: Iterable[str] | None = None,
    truth: str | None = None,
    long: Sequence[str] | None = None,
    delimiter: str | None = None,
    missing: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> VoteCounts | LabeledVoteCounts:
    """Return the votes in a file: a CSV, JSON lines or parquet of decisions, or JSON as written by `to_json`.

    The form is told by the name (`.csv`, `.tsv`, `.jsonl`, `.parquet`, `.json`, each also `.gz`), else by how the
    file begins; "-" is standard input. The options are those of `count_csv`; `long` names the columns of the question,
    the judge and the answer where there is a row for each answer, which is recognised by usual names. Of a votes file
    in JSON `judges` takes some of the judges; its labels and its key stand in it. Raises `BadDecisions` or
    `BadDocument` for what cannot be read.
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
    )
    if isinstance(found, Tally):
        return found.votes()
    votes = votes_from_document(found.document)
    return votes if judges is None else votes.marginal(*judges)


def read_tally(
    path: str | os.PathLike[str], *, delimiter: str | None, **options: Any
) -> Tally | VotesDocument:
    """Return the tally of the decisions in a file, with the options of `tally`, or the document that it is."""
    if options["labels"] is not None:
        options["labels"] = check_labels(options["labels"])
    with opened_decisions(path, delimiter=delimiter) as rows:
        if not isinstance(rows, VotesDocument):
            return tally(rows, **options)
        refuse_row_options(path, **{name: options[name] for name in ("truth", "labels", "missing", "long")})
        return rows


def refuse_row_options(path: str | os.PathLike[str], **options: object) -> None:
    """Raise `BadDocument` if an option that only rows of decisions have was given for a votes file."""
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise BadDocument(
            os.fspath(path),
            f"a votes file says itself what its labels and key are, and lacks no answer: no {', '.join(given)}",
            "leave the option out",
        )


def votes_from_document(document: Any) -> VoteCounts | LabeledVoteCounts:
    """Return the votes in a JSON document, with or without an answer key."""
    if isinstance(document, dict) and "counts_by_label" in document:
        return LabeledVoteCounts.from_document(document)
    return VoteCounts.from_document(document)


@dataclass(frozen=True, slots=True)
class VotesDocument:
    """The JSON of a votes file, which needs no counting."""

    document: Any


@contextmanager
def opened_decisions(
    path: str | os.PathLike[str], *, delimiter: str | None = None
) -> Iterator[DecisionRows | VotesDocument]:
    """Open a file and yield its rows, or the document that it is.

    Raises `BadDecisions` or `BadDocument` for what cannot be read.
    """
    name = os.fspath(path)
    kind = _kind(name)
    if kind == _PARQUET and name != STANDARD_INPUT:
        _refuse_delimiter(name, delimiter, "a parquet file")
        with opened_bytes(path):  # a file that is not there gets the same words as any other
            yield parquet_rows(name)
        return
    try:
        with opened_bytes(path) as stream:
            start = stream.read(_START)
            is_json = _JSON.match(start) is not None
            if is_json and kind not in _LINES and b"\n" not in start:
                start += stream.readline(_LONGEST_LINE)
            # A pipe is read once: what has been looked at comes first again.
            whole = io.BufferedReader(_After(start, stream))
            line, _, others = start.partition(b"\n")
            if kind in _LINES or (is_json and (others or stream.peek(1)) and _is_first_of_many(line)):
                _refuse_delimiter(name, delimiter, "a file of JSON lines")
                with text_of(whole, name) as text:
                    yield JsonRows((line, row.strip()) for line, row in enumerate(text, start=1))
            elif is_json:
                _refuse_delimiter(name, delimiter, "a votes file in JSON")
                yield _document_or_rows(whole.read(), name)
            else:
                with text_of(whole, name) as text:
                    yield CsvRows(text, "\t" if kind in _TABS and delimiter is None else delimiter)
    except UnicodeDecodeError:
        raise BadDecisions(name, "the file is not UTF-8 text", "save it as UTF-8") from None
    except OSError as error:
        raise BadDecisions(name, f"the file cannot be read: {error.strerror}") from None


def _kind(name: str) -> str:
    """Return the ending of a name in small letters, that of gzip left out.

    >>> _kind("folder/Votes.TSV.gz")
    'tsv'
    """
    path = PurePath(name.lower())
    return (path.with_suffix("") if path.suffix == ".gz" else path).suffix.removeprefix(".")


def _is_first_of_many(line: bytes) -> bool:
    """Whether a line that others follow is an object on its own, and no document of votes."""
    try:
        value = json.loads(line.decode("utf-8-sig"), parse_int=str)
    except (ValueError, RecursionError):  # not JSON, or not UTF-8
        return False
    return isinstance(value, dict) and not any(name in value for name in _DOCUMENT)


def _document_or_rows(raw: bytes, name: str) -> JsonRows | VotesDocument:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadDocument(name, "the file is not UTF-8 text") from None
    try:
        # A number is a label here: as it is written.
        value = json.loads(text, parse_int=str, object_pairs_hook=each_once)
    except (ValueError, RecursionError):
        value = None  # what is wrong with it is told below
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return JsonRows((None, item) for item in value)
    return VotesDocument(read_json(text))


def _refuse_delimiter(name: str, delimiter: str | None, what: str) -> None:
    if delimiter is not None:
        raise BadDocument(name, f"{what} has no delimiter", "leave the option out")


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
