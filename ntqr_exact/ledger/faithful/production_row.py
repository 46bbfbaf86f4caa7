"""One row of table 2: which differences f_d fit its printed roundings, and which cells are to blame if none does.

A row holds two variances and two ends of an interval for each of the kinds D and M. Both intervals lie around the
same f_d, so with r = 1.96·√(Var_C + Var_T) the ends L and U leave for f_d exactly (L+U)/2 ∩ (L+r) ∩ (U−r), all
read as intervals of what rounds to the printed cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.exact.enclosure import Enclosure, enclose_sqrt
from ntqr_exact.ledger.faithful.tables import READINGS, Z, before_rounding, meet

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
