"""Keys that vectors are ordered by: rationals, and sums of logarithms compared exactly."""

from __future__ import annotations

from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import NotOrdered
from ntqr_exact.exact.log_sum_key import LogSumKey

ScoreKey: TypeAlias = "mpq | LogSumKey"
"""What a score orders vectors by."""


def compare_keys(left: ScoreKey, right: ScoreKey) -> int:
    """Return −1, 0 or 1, the sign of left − right, exactly."""
    if isinstance(left, LogSumKey) and isinstance(right, LogSumKey):
        return left.compare(right)
    if isinstance(left, LogSumKey) or isinstance(right, LogSumKey):
        raise NotOrdered((left, right), "keys of two kinds have no common order", "use one score")
    return (left > right) - (left < right)
