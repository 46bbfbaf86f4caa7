r"""Scored samples in a CSV: a row for each sample, columns for its label, its score and more.

>>> import io
>>> samples = read_scores(io.StringIO("y,s\n1,0.9\n0,0.9\n1,0.1\n"), label="y", score="s")
>>> samples.scores, samples.classes
([mpq(9,10), mpq(9,10), mpq(1,10)], ('0', '1'))
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.inputs import Classes
from ntqr_exact.columns.whole_numbers import Multiples, power_multiples
from ntqr_exact.errors import BadDecisions, BadNumber, listed
from ntqr_exact.exact.rational import rational
from ntqr_exact.votes.table import Table
from ntqr_exact.votes.tables import Source, open_table

_BLOCK = 8192
_MIN_ROWS_OF_ARRAYS = 10_000
"""Rows from which on arrays save more time than numpy needs to be imported."""

_LINE = re.compile(r"^ *([+-]?[0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]{1,3}))? *$", re.MULTILINE)
_NEGATIVE_AND_POSITIVE = (("0", "1"), ("false", "true"), ("no", "yes"), ("negative", "positive"), ("-1", "1"))


@dataclass(frozen=True, slots=True)
class ScoredSamples:
    """The columns of a file of scored samples; weights and strata are empty where none were asked for."""

    labels: list[str]
    scores: list[mpq] | Multiples
    weights: list[mpq] | Multiples
    strata: list[str]
    classes: Classes


def read_scores(
    source: Source,
    *,
    label: str,
    score: str,
    weight: str | None = None,
    stratum: str | None = None,
    positive: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    progress: Callable[[int], None] | None = None,
) -> ScoredSamples:
    """Return the scored samples of a CSV with a header; a decimal means the decimal, exactly.

    `positive` names the positive label; without it the labels must be such as 0 and 1, or false and true.
    `progress` is called with the number of rows that were read since the last call.
    Raises `BadDecisions`, with line and column, for what cannot be read.
    """
    with open_table(source, delimiter=delimiter, header=header) as table:
        names = {name: table.column(name) for name in (label, score, weight, stratum) if name is not None}
        if len(set(names.values())) < len(names):
            raise BadDecisions(list(names), "the columns must be different")
        places = {name: table.columns.index(column) for name, column in names.items()}
        columns = read_columns(
            table, places, {name for name in (score, weight) if name is not None}, progress
        )
    return ScoredSamples(
        columns[label],
        columns[score],
        columns[weight] if weight is not None else [],
        columns[stratum] if stratum is not None else [],
        _classes(columns[label], positive, label),
    )


def read_columns(
    table: Table, places: dict[str, int], numbers: set[str], progress: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """Return columns of a table by name: texts, or exact numbers for those in `numbers`."""
    columns: dict[str, Any] = {name: _Numbers() if name in numbers else [] for name in places}
    labels: dict[str, str] = {}
    rows = table.rows()
    while block := list(islice(rows, _BLOCK)):
        lines, cells_of_rows = zip(*block, strict=True)
        cells_of = list(zip(*cells_of_rows, strict=True))
        for name, place in places.items():
            cells = cells_of[place]
            if name in numbers:
                columns[name].add(cells, lines, name)
                continue
            for cell in dict.fromkeys(cells):
                if cell not in labels:
                    labels[cell] = _text(cell, lines[cells.index(cell)], name)
            columns[name] += map(labels.__getitem__, cells)
        if progress is not None:
            progress(len(block))
    return {name: column.joined() if name in numbers else column for name, column in columns.items()}


class _Numbers:
    """A column of numbers: digits and powers of ten as long as all cells are decimals, else rationals."""

    def __init__(self) -> None:
        self.digits, self.powers = array("q"), array("h")
        self.others: list[mpq] | None = None

    def add(self, cells: Sequence[str], lines: Sequence[int | None], column: str) -> None:
        found = None if self.others is not None else _decimals(cells)
        if found is not None:
            self.digits.extend(found[0])
            self.powers.extend(found[1])
            return
        if self.others is None:
            self.others = self._rationals()
        self.others += [_number(cell, line, column) for cell, line in zip(cells, lines, strict=True)]

    def _rationals(self) -> list[mpq]:
        return [number * mpq(10) ** power for number, power in zip(self.digits, self.powers, strict=True)]

    def joined(self) -> list[mpq] | Multiples:
        if self.others is not None:
            return self.others
        if len(self.digits) >= _MIN_ROWS_OF_ARRAYS and find_spec("numpy"):
            return power_multiples(self.digits, self.powers, 10)
        return self._rationals()


def _decimals(cells: Sequence[str]) -> tuple[array[int], array[int]] | None:
    """Return the digits and powers of ten that cells spell, or nothing if one is not a decimal of up to 63 bits."""
    text = "\n".join(cells)
    parts = _LINE.findall(text)
    if not len(parts) == len(cells) == text.count("\n") + 1:  # a quoted cell may hold a line break
        return None
    try:
        digits = array("q", [int(whole + fraction) for whole, fraction, _ in parts])
    except (ValueError, OverflowError):  # no digit, or too many
        return None
    powers = array("h", [(int(power) if power else 0) - len(fraction) for _, fraction, power in parts])
    # The lowest number of 64 bits has no absolute value among them.
    return (digits, powers) if -(1 << 63) not in digits else None


def _classes(labels: list[str], positive: str | None, column: str) -> Classes:
    names = sorted(set(labels))
    if not names:
        raise BadDecisions("", "the file must have at least one sample", column=column)
    if len(names) > 2:
        raise BadDecisions(names[:5], f"the column must have two labels, not {len(names)}", column=column)
    if positive is not None:
        if positive not in names:
            raise BadDecisions(positive, f"positive must be one of {listed(names)}", column=column)
        others = [name for name in names if name != positive]
        return (others[0] if others else f"not {positive}", positive)
    for pair in _NEGATIVE_AND_POSITIVE:
        if set(map(str.lower, names)) <= set(pair):
            by_word = {name.lower(): name for name in names}
            return (by_word.get(pair[0], pair[0]), by_word.get(pair[1], pair[1]))
    raise BadDecisions(
        names, "labels must be 0 and 1, or one be named as positive", "name it by positive=", column=column
    )


def _number(cell: str, line: int | None, column: str) -> mpq:
    try:
        return rational(cell)
    except BadNumber as error:
        raise BadDecisions(cell, error.rule, error.remedy, line=line, column=column) from None


def _text(cell: str, line: int | None, column: str) -> str:
    if not cell.strip():
        raise BadDecisions(cell, "a cell must not be empty", line=line, column=column)
    return cell.strip()
