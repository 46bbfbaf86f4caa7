"""Programs over fractional answer keys, and what any multipliers prove about them.

A fractional key shares out the n_p questions of each pattern p among R labels: x_{p,l} ≥ 0 with Σ_l x_{p,l} = n_p.
Rows ask for Σ_{p,l} c_k(p,l)·x_{p,l} ≥ b_k. For multipliers λ ≥ 0 every key that meets all rows has, whatever w,

    Σ w(p,l)·x_{p,l}  ≤  Σ_p n_p·max_l(w(p,l) + Σ_k λ_k·c_k(p,l)) − Σ_k λ_k·b_k ,

since the rows add Σ_k λ_k·(Σ c_k·x − b_k) ≥ 0 on the left, and a sum over a pattern is at most n_p times its largest
term (weak duality). With w = 0 a negative right side proves that no key, whole or fractional, meets the rows.

An extra variable between 0 and n is a pattern of its own with n questions: the first label takes it, the others have
coefficients 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes

Number: TypeAlias = "int | mpq"
Table: TypeAlias = tuple[tuple[Number, ...], ...]
"""A number for each pattern and label: `table[p][l]`."""


@dataclass(frozen=True, slots=True)
class Row:
    """The inequality Σ coefficients[p][l]·x_{p,l} ≥ least."""

    coefficients: Table
    least: Number


@dataclass(frozen=True, slots=True)
class KeyProgram:
    """The fractional keys of `counts[p]` questions of each pattern over this many labels that meet all rows.

    >>> program = KeyProgram((1, 2), 2, (Row(((1, 0), (0, 1)), 4),))
    >>> refutes(program, (1,))
    True

    Raises `BadVotes` for a row that does not have a coefficient for each pattern and label.
    """

    counts: tuple[int, ...]
    labels: int
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        """Check the shape."""
        for row in self.rows:
            check_table(self, row.coefficients)


def check_table(program: KeyProgram, table: Table) -> None:
    """Check that there is a number for each pattern and label."""
    if len(table) != len(program.counts) or any(len(row) != program.labels for row in table):
        raise BadVotes(
            (len(table), {len(row) for row in table}),
            f"a table here has {len(program.counts)} patterns and {program.labels} labels",
        )


def value(table: Table, key: Sequence[Sequence[Number]]) -> mpq:
    """Return Σ table[p][l]·key[p][l]."""
    total = mpq(0)
    for row, split in zip(table, key, strict=True):
        for c, x in zip(row, split, strict=True):
            total += c * x
    return total


def is_met(program: KeyProgram, key: Sequence[Sequence[Number]]) -> bool:
    """Tell whether a fractional key belongs to the program."""
    return all(
        min(split) >= 0 and sum(split) == count for split, count in zip(key, program.counts, strict=True)
    ) and all(value(row.coefficients, key) >= row.least for row in program.rows)


def upper_bound(program: KeyProgram, multipliers: Sequence[Number], objective: Table | None = None) -> mpq:
    """Return what no key of the program exceeds: Σ_p n_p·max_l(w + Σ_k λ_k·c_k) − Σ_k λ_k·b_k.

    >>> program = KeyProgram((3,), 2, (Row(((-1, 0),), -1),))  # at most one question of the first label
    >>> upper_bound(program, (1,), ((1, 0),)), upper_bound(program, (0,), ((1, 0),))
    (mpq(1,1), mpq(3,1))

    Raises `BadVotes` for a negative multiplier, or another number of them than of rows.
    """
    if len(multipliers) != len(program.rows) or any(number < 0 for number in multipliers):
        raise BadVotes(
            tuple(multipliers), f"{len(program.rows)} rows have as many multipliers, none negative"
        )
    total = mpq(0)
    gains: list[list[Number]] = [[0] * program.labels for _ in program.counts]
    if objective is not None:
        gains = [list(row) for row in objective]
    for number, row in zip(multipliers, program.rows, strict=True):
        if not number:  # a proof uses few rows
            continue
        total -= number * row.least
        for sums, coefficients in zip(gains, row.coefficients, strict=True):
            for label, coefficient in enumerate(coefficients):
                if coefficient:
                    sums[label] += number * coefficient
    for count, sums in zip(program.counts, gains, strict=True):
        total += count * max(sums)
    return total


def refutes(program: KeyProgram, multipliers: Sequence[Number]) -> bool:
    """Tell whether the multipliers prove that no fractional key belongs to the program."""
    return upper_bound(program, multipliers) < 0
