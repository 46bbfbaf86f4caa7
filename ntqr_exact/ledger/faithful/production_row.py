"""One row of table 2: which differences f_d fit its printed roundings, and which cell is to blame if none does.

A row holds two variances and two ends of an interval for each of the kinds D and M. Both intervals lie around the
same f_d, so with r = 1.96·√(Var_C + Var_T) the ends L and U leave for f_d exactly (L+U)/2 ∩ (L+r) ∩ (U−r), all
read as intervals of what rounds to the printed cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.exact.enclosure import Enclosure, enclose_sqrt
from ntqr_exact.ledger.faithful.tables import KINDS, Z, before_rounding, meet
from ntqr_exact.ledger.rounding import read_printed

Cells = Mapping[str, str]

_WIDE = Enclosure(-1, 1)
_VARIANCES = ("control", "treatment")
# A variance of a mean of values 0 and 1 is at most 1/4; a cell that is set aside may be anything up to that.
_ANY_VARIANCE = Enclosure(0, mpq(1, 4))


@dataclass(frozen=True, slots=True)
class Kind:
    """What the cells of one kind leave open; a cell that was set aside is as wide as can be."""

    lower: Enclosure
    upper: Enclosure
    control: Enclosure
    treatment: Enclosure

    @classmethod
    def of(cls, cells: Cells, kind: str, aside: str = "") -> Kind:
        """Read the cells of a kind, all but the one set aside."""

        def bounds(name: str, widest: Enclosure) -> Enclosure:
            key = f"{kind}_{name}"
            return widest if key == aside else before_rounding(cells[key])

        def spread(side: str) -> Enclosure:
            found = bounds(side, _ANY_VARIANCE)
            return Enclosure(max(mpq(0), found.lower), found.upper)

        return cls(
            *(bounds(end, _WIDE) for end in ("lower", "upper")),
            *(spread(side) for side in _VARIANCES),
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


def differences(cells: Cells, aside: str = "") -> Enclosure | None:
    """Return the f_d that fit all cells but the one set aside."""
    found: Enclosure | None = _WIDE
    for kind in KINDS.values():
        own = Kind.of(cells, kind, aside).differences()
        found = None if found is None or own is None else meet(found, own)
    return found


def suspects(cells: Cells) -> list[str]:
    """Return the cells of a row that does not fit, of which one set aside lets the others fit."""
    if differences(cells) is not None:
        return []
    return [name for name in cells if differences(cells, name) is not None]


def left_by_others(cells: Cells, name: str) -> Enclosure | None:
    """Return between which bounds the other cells leave a cell."""
    found = differences(cells, name)
    if found is None:
        return None
    word, _, part = name.partition("_")
    own = Kind.of(cells, word, name)
    if part in ("lower", "upper"):
        beside = found - own.reach if part == "lower" else found + own.reach
        mirrored = 2 * found - (own.upper if part == "lower" else own.lower)
        return meet(beside, mirrored)
    beside_ends = meet(found - own.lower, own.upper - found)
    wide = None if beside_ends is None else meet(beside_ends, own.half_width)
    if wide is None:
        return None
    low, high = (max(mpq(0), end) / Z for end in (wide.lower, wide.upper))
    rest = own.treatment if part == "control" else own.control
    return Enclosure(max(mpq(0), low**2 - rest.upper), max(mpq(0), high**2 - rest.lower))


def mending_digits(cells: Cells) -> list[tuple[str, str]]:
    """Return the cells that make a row fit by a change of one digit, each as it would be printed."""
    found = []
    for name in suspects(cells):
        text = cells[name]
        mantissa = len(text.partition("e")[0])
        for place in range(mantissa):
            if not text[place].isdecimal():
                continue
            for digit in "0123456789":
                changed = text[:place] + digit + text[place + 1 :]
                if changed != text and differences({**cells, name: changed}) is not None:
                    found.append((name, changed))
    return found


def shifted_point(printed: str, bounds: Enclosure) -> bool:
    """Return whether a printed cell is a value between the bounds with its point one place off."""
    decimal = read_printed(printed)
    tenth = bounds / 10
    return meet(Enclosure(decimal.low, decimal.high), tenth) is not None
