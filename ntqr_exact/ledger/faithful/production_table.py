"""Goyal, Hu and Gupta 2023, table 2: each cell by interval arithmetic over the roundings of its row.

Neither counts nor means are printed for the production system, so a cell is judged against the others of its row: it
is possible if they fit together. If they do not, those cells are suspects that stand in a smallest set whose setting
aside lets the others fit; a cell that stands in all such sets is misprinted.
"""

from __future__ import annotations

from math import ceil, floor
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text, significant_text
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.ledger.faithful import production_row as rows
from ntqr_exact.ledger.faithful.tables import (
    EXPERIMENTS,
    READINGS,
    before_rounding,
    excludes_zero,
    meet,
    production_row,
)
from ntqr_exact.ledger.judgement import Finding, by_reading, decided, possible, within
from ntqr_exact.ledger.rounding import read_printed

_FINE = 10**15
_Letter = Literal["d", "m"]


def _span(bounds: Enclosure) -> str:
    return f"between {significant_text(bounds.lower, 5)} and {significant_text(bounds.upper, 5)}"


def _outwards(bounds: Enclosure) -> tuple[mpq, mpq]:
    """Return slightly wider bounds of few digits."""
    return mpq(floor(bounds.lower * _FINE), _FINE), mpq(ceil(bounds.upper * _FINE), _FINE)


def _point_off(printed: str, bounds: Enclosure) -> str:
    decimal = read_printed(printed)
    tenth = meet(Enclosure(decimal.low, decimal.high), bounds / 10)
    return "the decimal point is one place off" if tenth is not None else ""


def cell(printed: str, *, row: str, cell: str) -> Finding:
    """Judge a cell by the smallest sets of cells that must be set aside for the others of its row to fit."""
    cells = {**production_row(row), cell: printed}
    mending = rows.repairs(cells)
    own = [each for each in mending if cell in each]
    if not own:
        left = rows.left_by_others(cells, cell, min(mending, key=sorted))
        return possible(
            left is not None,
            f"the other cells leave {_span(left)} for it" if left else "the other cells leave nothing for it",
            *(
                [f"not so {' or '.join(' with '.join(sorted(each)) for each in mending)}"]
                if mending[0]
                else []
            ),
        )
    chosen = min(own, key=sorted)
    left = rows.left_by_others(cells, cell, chosen - {cell})
    if left is None:
        return decided(
            False, "whatever stands here, the other cells do not fit together", slip=True, right=""
        )
    misprint = within(printed, *_outwards(left), "by the other cells it", arose=_point_off(printed, left))
    others = sorted({name for each in mending for name in each} - {cell})
    if len(own) == len(mending):
        return misprint
    return by_reading(
        {
            "the other cells are right": misprint,
            f"another cell is misprinted ({', '.join(others)})": possible(
                rows.differences(cells, min((each for each in mending if cell not in each), key=sorted))
                is not None,
                f"with it set aside, {printed} fits",
            ),
        }
    )


def width(*, row: str, kind: _Letter) -> Finding:
    """Compare half of a printed width with 1.96·√(Var_C + Var_T)."""
    own = rows.Half.of(production_row(row), kind)
    return possible(
        meet(own.half_width, own.reach) is not None,
        f"half of the printed width lies {_span(own.half_width)}, 1.96·√(Var_C + Var_T) {_span(own.reach)}",
        right=f"half a width {_span(own.reach)}",
    )


def centre(*, row: str) -> Finding:
    """Ask whether both intervals can lie around the same difference."""
    first, second = (rows.Half.of(production_row(row), kind).middle for kind in READINGS)
    return possible(
        meet(first, second) is not None,
        f"the middle of CI^D lies {_span(first)}, that of CI^M {_span(second)}; both are f_d",
        right=f"a CI^M with its middle {_span(first)}",
    )


def decision(*, row: str, kind: _Letter) -> Finding:
    """Compare what a printed interval decides with f_d ∓ 1.96·√Var(d), f_d being what most cells of the row leave."""
    cells = production_row(row)
    shown = excludes_zero(cells, kind)
    mending = min(rows.repairs(cells), key=sorted)
    found, own = rows.differences(cells, mending), rows.Half.of(cells, kind, mending)
    if found is None:
        return decided(False, "the cells of the row do not fit together")
    lower, upper = found - own.reach, found + own.reach
    outside, inside = lower.lower > 0 or upper.upper < 0, lower.upper < 0 < upper.lower
    expected = kind == "d"
    text = (
        f"the printed interval {'leaves out' if shown else 'contains'} 0; by f_d and the variances its ends lie "
        f"{_span(lower)} and {_span(upper)}"
    )
    right = f"an interval that {'leaves out' if expected else 'contains'} 0"
    if inside or outside:
        return decided(shown == expected == outside, text, right=right)
    return possible(shown == expected, text, right=right, slip=False)


def _growth_factors(row: str) -> list[Enclosure]:
    """Return Var^M/Var^D of control and treatment, over the roundings."""
    cells = production_row(row)
    return [
        before_rounding(cells[f"var-m-{side}"]) / before_rounding(cells[f"var-d-{side}"]) for side in "ct"
    ]


def growth(*, row: str) -> Finding:
    """Compare both variances of both kinds."""
    factors = _growth_factors(row)
    return decided(
        all(factor.lower > 1 for factor in factors),
        f"Var^M/Var^D lies {_span(factors[0])} for C and {_span(factors[1])} for T",
        right="it does not grow",
    )


def impact(*, times: int) -> Finding:
    """Ask whether all variances, or some, are at least this many times as large."""
    factors = {row: _growth_factors(row) for row in EXPERIMENTS}
    text = "; ".join(
        f"{row.capitalize()} {' and '.join(fixed_text((each.lower + each.upper) / 2, 2) for each in pair)}"
        for row, pair in factors.items()
    )
    large = [row.capitalize() for row, pair in factors.items() if all(each.lower >= times for each in pair)]
    small = [row.capitalize() for row, pair in factors.items() if any(each.upper < times for each in pair)]
    return by_reading(
        {
            f"at least {times} times the variance in every experiment": decided(
                not small, f"Var^M/Var^D is {text}", right=f"not in {' and '.join(small)}"
            ),
            f"at least {times} times the variance in some": decided(bool(large), f"in {', '.join(large)}"),
        }
    )
