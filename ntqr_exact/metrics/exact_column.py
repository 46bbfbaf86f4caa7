"""A column of numbers as rationals: exact numbers through their door, arrays of floats by their binary values."""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.float_values import FloatValues, float_column
from ntqr_exact.columns.whole_numbers import as_list
from ntqr_exact.exact.rational import rational


def exact_column(values: Any) -> list[mpq]:
    """Return the numbers exactly.

    >>> exact_column(["0.5", 2])
    [mpq(1,2), mpq(2,1)]
    """
    taken = float_column(values)
    return list(taken) if isinstance(taken, FloatValues) else [rational(value) for value in as_list(taken)]
