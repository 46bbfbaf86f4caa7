r"""Scored samples in a CSV: a row for each sample, columns for its label, its score and more.

>>> import io
>>> samples = read_scores(io.StringIO("y,s\n1,0.9\n0,0.9\n1,0.1\n"), label="y", score="s")
>>> samples.scores, samples.classes
([mpq(9,10), mpq(9,10), mpq(1,10)], ('0', '1'))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.csv_rows import CsvSource, numbered_rows, opened
from ntqr_exact.errors import BadDecisions, BadNumber
from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics.classes import Classes

_BLOCK = 8192
_NEGATIVE_AND_POSITIVE = (("0", "1"), ("false", "true"), ("no", "yes"), ("negative", "positive"), ("-1", "1"))


@dataclass(frozen=True, slots=True)
class ScoredSamples:
    """The columns of a file of scored samples; weights and strata are empty where none were asked for."""

    labels: list[str]
    scores: list[mpq]
    weights: list[mpq]
    strata: list[str]
    classes: Classes


def read_scores(
    source: CsvSource,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    stratum: str | None = None,
    positive: str | None = None,
    delimiter: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> ScoredSamples:
    """Return the scored samples of a CSV with a header; a decimal means the decimal, exactly.

    `positive` names the positive label; without it the labels must be such as 0 and 1, or false and true.
    `progress` is called with the number of rows that were read since the last call.
    Raises `BadDecisions`, with line and column, for what cannot be read.
    """
    named = [name for name in (label, score, weight, stratum) if name is not None]
    if len(set(named)) < len(named):
        raise BadDecisions(named, "one column cannot be two things")
    with opened(source) as stream:
        rows = numbered_rows(stream, delimiter)
        _, header = next(rows, (1, []))
        if not header:
            raise BadDecisions("", "the file is empty: it begins with a line that names the columns", line=1)
        places = {name: _place(header, name) for name in named}
        found: dict[str, list[Any]] = {name: [] for name in places}
        for count, (line, row) in enumerate(rows, start=1):
            if progress is not None and count % _BLOCK == 0:
                progress(_BLOCK)
            if len(row) != len(header):
                raise BadDecisions(row, f"this row has {len(row)} cells for {len(header)} columns", line=line)
            for name, place in places.items():
                cell = row[place]
                found[name].append(
                    _number(cell, line, name) if name in (score, weight) else _text(cell, line, name)
                )
    return ScoredSamples(
        found[label],
        found[score],
        found[weight] if weight is not None else [],
        found[stratum] if stratum is not None else [],
        _classes(found[label], positive, label),
    )


def _classes(labels: list[str], positive: str | None, column: str) -> Classes:
    names = sorted(set(labels))
    if not names:
        raise BadDecisions("", "there are no samples in this file", column=column)
    if len(names) > 2:
        raise BadDecisions(names[:5], f"two labels are needed, and here are {len(names)}", column=column)
    if positive is not None:
        if positive not in names:
            raise BadDecisions(positive, f"the labels are {', '.join(map(repr, names))}", column=column)
        others = [name for name in names if name != positive]
        return (others[0] if others else f"not {positive}", positive)
    for pair in _NEGATIVE_AND_POSITIVE:
        if set(map(str.lower, names)) <= set(pair):
            by_word = {name.lower(): name for name in names}
            return (by_word.get(pair[0], pair[0]), by_word.get(pair[1], pair[1]))
    raise BadDecisions(
        names, "which of these labels is the positive one?", "name it as the positive label", column=column
    )


def _place(header: list[str], name: str) -> int:
    if header.count(name) != 1:
        problem = "is named twice" if name in header else "is missing"
        raise BadDecisions(name, f"this column {problem}; the columns are {', '.join(header)}", line=1)
    return header.index(name)


def _number(cell: str, line: int, column: str) -> mpq:
    try:
        return rational(cell)
    except BadNumber as error:
        raise BadDecisions(cell, error.rule, error.remedy, line=line, column=column) from None


def _text(cell: str, line: int, column: str) -> str:
    if not cell.strip():
        raise BadDecisions(cell, "this cell is empty", line=line, column=column)
    return cell.strip()
