"""From where to where a number can lie, and whether it may have no value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.exact.json_text import encode_number
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.exact.value_text import with_decimal

Number: TypeAlias = "mpq | Surd"
Value: TypeAlias = "mpq | Surd | Undefined"


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The least and the greatest value, both attained, and why there may be none.

    `lower` and `upper` are `Undefined` where there is no value at all; `undefined` is the reason for which
    some truths leave the number without a value, or `None` if all of them give it one.
    """

    lower: Value
    upper: Value
    undefined: Undefined | None = None

    def to_document(self) -> dict[str, Any]:
        """Return the range as a JSON document; what has no value is null."""
        reason = None if self.undefined is None else self.undefined.value
        return {"lower": _encode(self.lower), "upper": _encode(self.upper), "undefined": reason}

    def __str__(self) -> str:
        """Return the range in words."""
        if isinstance(self.lower, Undefined) or isinstance(self.upper, Undefined):
            return f"no value: {self.lower.value if isinstance(self.lower, Undefined) else ''}"
        text = f"{with_decimal(self.lower)} to {with_decimal(self.upper)}"
        return text if self.undefined is None else f"{text} (or no value: {self.undefined.value})"


def rising_range(
    value: Callable[[int, int], Value], first: tuple[int, int], second: tuple[int, int]
) -> ValueRange:
    """Return the range of a value that rises in x and falls in y, for x and y in their own intervals.

    The extremes are at two corners. Where a corner has no value, its two neighbours are asked; a value that is
    missing elsewhere, too, is missing everywhere.
    """
    (x_low, x_high), (y_low, y_high) = first, second
    lowest = _at(value, (x_low, y_high), [(x_low + 1, y_high), (x_low, y_high - 1)], first, second)
    highest = _at(value, (x_high, y_low), [(x_high - 1, y_low), (x_high, y_low + 1)], first, second)
    corners = [value(x, y) for x in first for y in second]
    reason = next((corner for corner in corners if isinstance(corner, Undefined)), None)
    numbers = [number for number in lowest if not isinstance(number, Undefined)]
    highs = [number for number in highest if not isinstance(number, Undefined)]
    if not numbers or not highs:
        missing = next(number for number in (*lowest, *highest) if isinstance(number, Undefined))
        return ValueRange(missing, missing, missing)
    return ValueRange(min(numbers), max(highs), reason)


def _at(
    value: Callable[[int, int], Value],
    corner: tuple[int, int],
    neighbours: list[tuple[int, int]],
    first: tuple[int, int],
    second: tuple[int, int],
) -> list[Value]:
    at_corner = value(*corner)
    if not isinstance(at_corner, Undefined):
        return [at_corner]
    inside = [(x, y) for x, y in neighbours if first[0] <= x <= first[1] and second[0] <= y <= second[1]]
    return [at_corner, *(value(x, y) for x, y in inside)]


def _encode(value: Value) -> object:
    return None if isinstance(value, Undefined) else encode_number(value)
