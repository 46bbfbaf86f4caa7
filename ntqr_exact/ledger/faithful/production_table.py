"""Goyal, Hu and Gupta 2023, table 2: each cell by interval arithmetic over the roundings of its row.

Neither counts nor means are printed for the production system, so a cell is judged against the others of its row: it
is possible if they fit together. If they do not, those cells are suspects that stand in a smallest set whose setting
aside lets the others fit; a cell that stands in all such sets is misprinted.

A row holds two variances and two ends of an interval for each of the kinds D and M. Both intervals lie around the
same f_d, so with r = 1.96·√(Var_C + Var_T) the ends L and U leave for f_d exactly (L+U)/2 ∩ (L+r) ∩ (U−r), all
read as intervals of what rounds to the printed cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import ceil, floor
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text, significant_text
from ntqr_exact.exact.enclosure import Enclosure, enclose_sqrt
from ntqr_exact.ledger.faithful.tables import (
    EXPERIMENTS,
    READINGS,
    Z,
    before_rounding,
    excludes_zero,
    meet,
    production_row,
)
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided, possible, within
from ntqr_exact.ledger.printed_value import read_printed

Cells = Mapping[str, str]
Names = frozenset[str]

NONE: Names = frozenset()
_WIDE = Enclosure(-1, 1)
# A variance of a mean of values 0 and 1 is at most 1/4; a cell that is set aside may be anything up to that.
_ANY_VARIANCE = Enclosure(0, mpq(1, 4))


@dataclass(frozen=True, slots=True)
class Half:
    """What the cells of one kind leave open; a cell that was set aside is as wide as can be."""

    lower: Enclosure
    upper: Enclosure
    control: Enclosure
    treatment: Enclosure

    @classmethod
    def of(cls, cells: Cells, kind: str, aside: Names = NONE) -> Half:
        """Read the cells of a kind, all but those set aside."""

        def end(name: str) -> Enclosure:
            return _WIDE if name in aside else before_rounding(cells[name])

        def spread(name: str) -> Enclosure:
            found = _ANY_VARIANCE if name in aside else before_rounding(cells[name])
            return Enclosure(max(mpq(0), found.lower), max(mpq(0), found.upper))

        return cls(
            end(f"ci-{kind}-lower"), end(f"ci-{kind}-upper"), spread(f"var-{kind}-c"), spread(f"var-{kind}-t")
        )

    @property
    def reach(self) -> Enclosure:
        """1.96·√(Var_C + Var_T)."""
        return Z * enclose_sqrt(self.control + self.treatment)

    @property
    def middle(self) -> Enclosure:
        """The middle of the interval."""
        return (self.lower + self.upper) / 2

    @property
    def half_width(self) -> Enclosure:
        """Half of what lies between the ends."""
        return (self.upper - self.lower) / 2

    def differences(self) -> Enclosure | None:
        """Return the f_d that fit, `None` if none does."""
        found = meet(self.middle, self.lower + self.reach)
        return None if found is None else meet(found, self.upper - self.reach)


def differences(cells: Cells, aside: Names = NONE) -> Enclosure | None:
    """Return the f_d that fit all cells but those set aside."""
    found: Enclosure | None = _WIDE
    for kind in READINGS:
        own = Half.of(cells, kind, aside).differences()
        found = None if found is None or own is None else meet(found, own)
    return found


def repairs(cells: Cells) -> list[Names]:
    """Return the smallest sets of cells that, set aside, let the others fit; the empty set alone if all fit."""
    for size in range(len(cells) + 1):
        found = [
            frozenset(chosen)
            for chosen in combinations(cells, size)
            if differences(cells, frozenset(chosen)) is not None
        ]
        if found:
            return found
    return []


def left_by_others(cells: Cells, name: str, aside: Names = NONE) -> Enclosure | None:
    """Return between which bounds the other cells, without those set aside, leave a cell."""
    found = differences(cells, aside | {name})
    if found is None:
        return None
    part, kind, which = name.split("-")
    own = Half.of(cells, kind, aside | {name})
    if part == "ci":
        beside = found - own.reach if which == "lower" else found + own.reach
        mirrored = 2 * found - (own.upper if which == "lower" else own.lower)
        return meet(beside, mirrored)
    beside_ends = meet(found - own.lower, own.upper - found)
    wide = None if beside_ends is None else meet(beside_ends, own.half_width)
    if wide is None:
        return None
    low, high = (max(mpq(0), end) / Z for end in (wide.lower, wide.upper))
    rest = own.treatment if which == "c" else own.control
    return Enclosure(max(mpq(0), low**2 - rest.upper), max(mpq(0), high**2 - rest.lower))


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
    mending = repairs(cells)
    own = [each for each in mending if cell in each]
    if not own:
        left = left_by_others(cells, cell, min(mending, key=sorted))
        return possible(
            left is not None,
            f"the other cells leave {_span(left)} for it" if left else "the other cells leave nothing for it",
            f"not so {' or '.join(' with '.join(sorted(each)) for each in mending)}" if mending[0] else "",
        )
    chosen = min(own, key=sorted)
    left = left_by_others(cells, cell, chosen - {cell})
    if left is None:
        return as_printed(False, "whatever stands here, the other cells do not fit together")
    misprint = within(printed, *_outwards(left), "by the other cells it", arose=_point_off(printed, left))
    others = sorted({name for each in mending for name in each} - {cell})
    if len(own) == len(mending):
        return misprint
    return by_reading(
        {
            "the other cells are right": misprint,
            f"another cell is misprinted ({', '.join(others)})": possible(
                differences(cells, min((each for each in mending if cell not in each), key=sorted))
                is not None,
                f"with it set aside, {printed} fits",
            ),
        }
    )


def width(*, row: str, kind: _Letter) -> Finding:
    """Compare half of a printed width with 1.96·√(Var_C + Var_T)."""
    own = Half.of(production_row(row), kind)
    return possible(
        meet(own.half_width, own.reach) is not None,
        f"half of the printed width lies {_span(own.half_width)}, 1.96·√(Var_C + Var_T) {_span(own.reach)}",
        right=f"half a width {_span(own.reach)}",
    )


def centre(*, row: str) -> Finding:
    """Ask whether both intervals can lie around the same difference."""
    first, second = (Half.of(production_row(row), kind).middle for kind in READINGS)
    return possible(
        meet(first, second) is not None,
        f"the middle of CI^D lies {_span(first)}, that of CI^M {_span(second)}; both are f_d",
        right=f"a CI^M with its middle {_span(first)}",
    )


def decision(*, row: str, kind: _Letter) -> Finding:
    """Compare what a printed interval decides with f_d ∓ 1.96·√Var(d), f_d being what most cells of the row leave."""
    cells = production_row(row)
    shown = excludes_zero(cells, kind)
    mending = min(repairs(cells), key=sorted)
    found, own = differences(cells, mending), Half.of(cells, kind, mending)
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
