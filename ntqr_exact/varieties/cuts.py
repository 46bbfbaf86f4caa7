"""Linear inequalities that right answers of two or three judges must satisfy, found where they fail.

The bounds of `pair_bounds` and `trio_decision` on the unknown e = R^a_{aa} are of the form
slope·e + a(x) ≤ 0 with a linear function a of the point x = (Q_a, s_1, …, s_N). Two of them with slopes of
unlike sign imply |slope_2|·a_1(x) + |slope_1|·a_2(x) ≤ 0, in which e does not occur: a cut, which every
consistent point satisfies. (All such cuts together describe the points that fractions of questions allow.)
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gmpy2 import mpq

Linear: TypeAlias = tuple[int, ...]
"""The coefficients of Q_a, s_1, …, s_N, and the constant."""

_SLOPES = (1, -1, -1, 1)


@dataclass(frozen=True, slots=True)
class CutBound:
    """The inequality slope·e + a(x) ≤ 0."""

    slope: int
    linear: Linear


def bounds_of(counts: Sequence[int]) -> list[CutBound]:
    """Return the bounds on e for the 4 or 8 counts of a pair or a trio, in the order of the labels.

    >>> len(bounds_of([1, 2, 3, 4])), len(bounds_of(range(8)))
    (8, 40)
    """
    judges = 2 if len(counts) == 4 else 3
    third = [0] * (judges - 2)
    # m_w = slope·e + base_w(x) for the patterns w of judges 1 and 2.
    bases = [(0, 0, 0, *third, 0), (0, 1, 0, *third, 0), (0, 0, 1, *third, 0), (1, -1, -1, *third, 0)]
    width = len(counts) // 4
    bounds = []
    for place, (slope, base) in enumerate(zip(_SLOPES, bases, strict=True)):
        seen = sum(counts[place * width : (place + 1) * width])
        bounds.append(CutBound(-slope, _combined((-1, base))))
        bounds.append(CutBound(slope, _combined((1, base), constant=-seen)))
    if judges == 2:
        return bounds
    s_3 = (0, 0, 0, 1, 0)
    with_a, with_b = counts[0::2], counts[1::2]
    for chosen in itertools.product((0, 1), repeat=4):
        slope = sum(itertools.compress(_SLOPES, chosen))
        inside = _combined(*((here, base) for here, base in zip(chosen, bases, strict=True)))
        forced = sum(itertools.compress(with_b, chosen))
        room = sum(itertools.compress(with_a, [1 - here for here in chosen]))
        bounds.append(CutBound(slope, _combined((1, inside), (-1, s_3), constant=-forced)))
        bounds.append(CutBound(-slope, _combined((-1, inside), (1, s_3), constant=-room)))
    return bounds


def violated_cut(bounds: Sequence[CutBound], point: Sequence[int]) -> Linear | None:
    """Return a cut that the point does not satisfy, as its linear function; nothing if there is none.

    >>> violated_cut(bounds_of([0, 2, 2, 0]), (2, 2, 2))
    (-1, 1, 1, 0)
    """
    highest: tuple[mpq, CutBound] | None = None
    lowest: tuple[mpq, CutBound] | None = None
    for bound in bounds:
        value = value_at(bound.linear, point)
        if bound.slope == 0:
            if value > 0:
                return bound.linear
            continue
        end = mpq(-value, bound.slope)
        if bound.slope > 0 and (highest is None or end < highest[0]):
            highest = (end, bound)
        if bound.slope < 0 and (lowest is None or end > lowest[0]):
            lowest = (end, bound)
    if highest is None or lowest is None or lowest[0] <= highest[0]:
        return None
    above, below = highest[1], lowest[1]
    return _combined((-below.slope, above.linear), (above.slope, below.linear))


def value_at(linear: Linear, point: Sequence[int]) -> int:
    """Return the value of a linear function with a constant at a point."""
    return linear[-1] + sum(c * x for c, x in zip(linear, point, strict=False))


def _combined(*terms: tuple[int, Linear], constant: int = 0) -> Linear:
    columns = zip(*(linear for _, linear in terms), strict=True)
    factors = [factor for factor, _ in terms]
    *others, last = (sum(f * c for f, c in zip(factors, column, strict=True)) for column in columns)
    return (*others, last + constant)
