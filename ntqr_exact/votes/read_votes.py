"""Reading votes from a file of any form: decisions to be counted, or a votes file in JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.arguments import checked
from ntqr_exact.votes.counted_rows import labeled_votes_from_tally, votes_from_tally
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.decisions_file import VotesDocument, opened_decisions
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import check_labels
from ntqr_exact.votes.tally import tally


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
    known = None if labels is None else check_labels(labels)
    with opened_decisions(path, delimiter=delimiter) as rows:
        if isinstance(rows, VotesDocument):
            refuse_row_options(path, truth=truth, labels=labels, missing=missing, long=long)
            votes = votes_from_document(rows.document)
            return votes if judges is None else votes.marginal(*judges)
        found = tally(
            rows, judges=judges, labels=known, truth=truth, long=long, missing=missing, progress=progress
        )
    make = votes_from_tally if truth is None else labeled_votes_from_tally
    return make(found.counts, labels=found.labels, judges=found.judges)


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
