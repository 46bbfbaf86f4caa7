"""Scores of whole tables in double precision, with a proven bound on their error.

The bound is used for one thing only: to skip exact comparisons of vectors that it separates beyond doubt.

Let u = 2^−53, x ≥ 0 a row of k ≤ 4096 numbers, S its sum, p = x/S. Each IEEE operation has relative error u.

* Row sum: k−1 additions of numbers that are not negative, in any order, have relative error below 1.01·k·u. So
  p̃ = x ⊘ S̃ = p(1 + δ) with |δ| ≤ 2(k+1)u. Where a quotient or a square underflows, it is off by at most 2^−1022,
  which the slack of the bound below holds a thousand times.
* max: the error is at most |δ|.  L1: each |p̃ − 1/k| is off by at most (p + 1/k + 1)·2(k+1)u, their sum, which is
  at most 2, by 2.02·k·u more: in all below 4(k+1)²u + 4ku.  L2: Σ p̃² ≤ 1.01 is off by 2|δ| + k·u·1.01 + u.
* x log x on [0, 2]: x = m·2^e, c the midpoint of the interval of width 2^−11 that holds m in [1/2, 1), d = m − c
  exactly (both within a factor 2), r̃ = d ⊗ (1 ⊘ c) with |r̃| ≤ 2^−11 and relative error 2.01u. The cubic
  r − r²/2 + r³/3 leaves out less than r⁴/3.9 < 2^−45.9 of log(1 + r). log c and log 2 are correctly rounded.
  All roundings together stay below 16u(|e| + 1), so log x is off by at most 2^−45.9 + 16u(|e| + 1), and with
  x(|e| + 1) ≤ 6 for x ≤ 2, the product x log x by less than 2^−44.9 + 2^−46.4 + 2^−52 < 2^−44.
* Negative entropy: that of p̃ instead of p changes Σ p log p by at most Σ (p|log p| + 2p)|δ| ≤ (log k + 2)|δ|;
  summing k terms of size at most 1.4 adds 1.5k²u. In all below k·2^−44 + 4(k+1)(log k + 2)u + 1.5k²u.
* Jensen-Shannon: Σ p log p − Σ q log q with q = p + 1/k in [0, 2]: the same again for q, whose rounding moves
  q log q by at most (|log q| + 1)·2q·(|δ| + 2u).

Since u = 2^−53 and log k ≤ 8.4, each of these is below k²·2^−42, which is the bound. A table whose numbers could
overflow or vanish in a sum gets none.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ntqr_exact.columns.whole_numbers import Array
from ntqr_exact.confidence.probability_table import VectorTable
from ntqr_exact.confidence.scores import SCORES, ScoreFunction

_MOST_LABELS = 4096
_ROWS = 4096
_CELLS = 2048
_RANGE = 400


@dataclass(frozen=True, slots=True, eq=False)
class FilteredScores:
    """Doubles, each within `bound` of a key that orders like the score."""

    values: Array
    bound: Any


def filtered_scores(table: VectorTable, score: ScoreFunction) -> FilteredScores | None:
    """Return the scores of a table with their bound, or `None` where no bound is proven."""
    function = _FILTERS.get(score.name)
    if function is None or SCORES.get(score.name) is not score or table.labels > _MOST_LABELS:
        return None
    import numpy

    numbers, k = table.numbers, table.labels
    found = numpy.empty(len(table))
    for start in range(0, len(table), _ROWS):
        part = numbers[start : start + _ROWS].astype(numpy.float64, copy=False)
        sums = part.sum(axis=1, keepdims=True)
        if sums.max() > numpy.ldexp(1, _RANGE) or sums.min() < numpy.ldexp(1, -_RANGE):
            return None
        found[start : start + _ROWS] = function(part / sums)
    return FilteredScores(found, numpy.ldexp(k * k, -42))


def _max(shares: Array) -> Any:
    return shares.max(axis=1)


def _l2(shares: Array) -> Any:
    import numpy

    return numpy.einsum("ij,ij->i", shares, shares)


def _l1_uniform(shares: Array) -> Any:
    import numpy

    return numpy.abs(shares - 1 / numpy.int64(shares.shape[1])).sum(axis=1)


def _entropy(shares: Array) -> Any:
    return x_log_x(shares).sum(axis=1)


def _jensen_shannon(shares: Array) -> Any:
    import numpy

    mixed = shares + 1 / numpy.int64(shares.shape[1])
    return (x_log_x(shares) - x_log_x(mixed)).sum(axis=1)


def x_log_x(numbers: Array) -> Any:
    """Return x log x for doubles in [0, 2], each within 2^−44; only IEEE operations and a certified table."""
    import numpy

    inverse, logs, log_two = _tables()
    mantissa, exponent = numpy.frexp(numbers)
    cell = (mantissa * _CELLS).astype(numpy.intp)  # 0 falls into cell 0, whose logarithm is finite
    rest = (mantissa - numpy.ldexp(2 * cell + 1, -12)) * inverse[cell]
    series = rest * (1 - rest * (numpy.ldexp(1, -1) - rest / 3))
    return numbers * (logs[cell] + series + exponent * log_two)


@functools.cache
def _tables() -> tuple[Array, Array, Any]:
    """Return 1/c and log c for the midpoint c of each cell, and log 2, all correctly rounded to doubles."""
    import gmpy2
    import numpy

    context = gmpy2.context(precision=53, round=gmpy2.RoundToNearest)
    midpoints = numpy.ldexp(2 * numpy.arange(_CELLS) + 1, -12)
    logs = [
        context.log(gmpy2.mpfr(gmpy2.mpq(2 * cell + 1, 2 * _CELLS), 0, context)) for cell in range(_CELLS)
    ]
    log_two = numpy.array([context.log(gmpy2.mpfr(2))], dtype=numpy.float64)[0]
    return 1 / midpoints, numpy.array(logs, dtype=numpy.float64), log_two


_FILTERS: dict[str, Callable[[Array], Any]] = {
    "max": _max,
    "l2": _l2,
    # On the simplex ‖p − 1/k‖² = ‖p‖² − 1/k (theorem 2): the same order.
    "l2-uniform": _l2,
    "l1-uniform": _l1_uniform,
    "entropy": _entropy,
    "jensen-shannon": _jensen_shannon,
}
