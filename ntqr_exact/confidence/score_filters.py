"""Scores of whole tables in double precision with a proven bound on their error, and what it leaves to compare exactly.

Let u = 2^−53, x ≥ 0 a row of k ≤ 4096 numbers, S its sum, p = x/S. Each IEEE operation has relative error u, and so
has a whole number beyond 2^53 as a double.

* The sum of a row has relative error below 1.01·k·u, so that p̃ = x ⊘ S̃ = p(1 + δ) with |δ| ≤ 2(k+1)u. What
  underflows is off by at most 2^−1022, which the slack below holds a thousand times.
* max: off by at most |δ|.  L1: each |p̃ − 1/k| is off by at most (p + 1/k + 1)·2(k+1)u, their sum, which is at most
  2, by 2.02·k·u more: in all below 4(k+1)²u + 4ku.  L2: Σ p̃² ≤ 1.01 is off by 2|δ| + k·u·1.01 + u.
* x log x on [0, 2]: x = m·2^e, c the midpoint of the interval of width 2^−11 that holds m in [1/2, 1), d = m − c
  exactly, r̃ = d ⊗ (1 ⊘ c) with |r̃| ≤ 2^−11 and relative error 2.01u. The cubic r − r²/2 + r³/3 leaves out less than
  r⁴/3.9 < 2^−45.9 of log(1 + r). log c and log 2 are correctly rounded, all roundings together below 16u(|e| + 1). So
  log x is off by at most 2^−45.9 + 16u(|e| + 1), and with x(|e| + 1) ≤ 6 for x ≤ 2, x log x by less than 2^−44.
* Negative entropy orders as −log H, H = −Σ p log p, in which rows of a saturated softmax with tiny H differ, too; a
  factor 2^200 keeps all from underflow. Every term of H is positive. Except for the greatest share, m, p ≤ 1/2 and
  |log p| > 0.69, so that p|log p| has a relative error below 2^−44 + 2(k+1)u. For m, with ε the sum of the other
  shares: below 2^−11, −log(1−ε) is ε(1 + ε/2 + ε²/3 + ε³/4), off by a relative 2^−44 + 3(k+1)u; else log m is off by
  2^−45.9 + 16u·13 + |δ|, relative to ε ≥ 2^−11 by less than 2^−34.7 + (k+1)·2^−41. So H has a relative error below
  (k+1)·2^−35, log H one below (k+1)·2^−34, its bound. H = 0 is exact, and is above all others.
* Jensen-Shannon: Σ p log p − Σ q log q with q = p + 1/k in [0, 2]. p̃ instead of p changes Σ p log p by at most (log
  k + 2)|δ|, summing k terms of size at most 1.4 adds 1.5k²u: in all below k·2^−44 + 4(k+1)(log k + 2)u + 1.5k²u. The
  same again for q, whose rounding moves q log q by at most (|log q| + 1)·2q·(|δ| + 2u).

As log k ≤ 8.4, all but entropy stay below k²·2^−42, their bound. A table whose numbers could overflow or vanish in a
sum gets none. The r-th smallest double is within the bound ε of the r-th smallest score, so that a vector more than
2ε away from it is on the same side of it in both; 3ε makes up for the rounding of a ± 2ε.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ntqr_exact.columns.whole_numbers import Array
from ntqr_exact.confidence.ordering import ranks_of_keys
from ntqr_exact.confidence.probability_vector import VectorTable
from ntqr_exact.confidence.scores import SCORES, ScoreFunction

_MOST_LABELS = 4096
_ROWS = 4096
_CELLS = 2048
_RANGE = 100
_SCALE = 200
_MOST_BITS = 900
"""Whole numbers of this many bits are doubles, and so are the reciprocals of their sums."""

_SERIES = -11
_CERTAIN = 4096
"""Above −log H of every row that is not certain: H is at least 2^−1300."""


def filtered_scores(table: VectorTable, score: ScoreFunction) -> tuple[Array, Any]:
    """Return doubles that order like the scores, and their bound; where none is proven, equal doubles."""
    import numpy

    function, is_whole = _FILTERS.get(score.name), table.numbers.dtype == object
    result, k = numpy.zeros(len(table)), table.labels
    too_wide = k > _MOST_LABELS or (is_whole and int(table.numbers.max()).bit_length() > _MOST_BITS)
    if function is None or SCORES.get(score.name) is not score or too_wide:
        return result, numpy.int64(1)
    for start in range(0, len(table), _ROWS):
        part = table.numbers[start : start + _ROWS].astype(numpy.float64, copy=False)
        sums = part.sum(axis=1, keepdims=True)
        if is_whole:  # whole numbers: moving the point of a row loses none of its shares
            exponents = numpy.frexp(sums)[1]
            part, sums = numpy.ldexp(part, -exponents), numpy.ldexp(sums, -exponents)
        if sums.max() > numpy.ldexp(1, _RANGE) or sums.min() < numpy.ldexp(1, -_RANGE):
            return numpy.zeros(len(table)), numpy.int64(1)
        result[start : start + _ROWS] = function(part, sums)
    entropy = function is _negative_log_entropy
    return result, numpy.ldexp(k + 1, -34) if entropy else numpy.ldexp(k * k, -42)


def _max(part: Array, sums: Array) -> Any:
    return (part / sums).max(axis=1)


def _l2(part: Array, sums: Array) -> Any:
    import numpy

    shares = part / sums
    return numpy.einsum("ij,ij->i", shares, shares)


def _l1_uniform(part: Array, sums: Array) -> Any:
    import numpy

    shares = part / sums
    return numpy.abs(shares - 1 / numpy.int64(shares.shape[1])).sum(axis=1)


def _negative_log_entropy(part: Array, sums: Array) -> Any:
    import numpy

    shares = numpy.ldexp(part, _SCALE) / sums
    rows = numpy.arange(len(part))
    place = part.argmax(axis=1)
    greatest = shares[rows, place]
    shares[rows, place] = 0
    scale = logarithms(numpy.ldexp(numpy.ones(1), _SCALE))
    others = -(shares * (logarithms(shares) - scale)).sum(axis=1)
    rest = shares.sum(axis=1)
    small = numpy.ldexp(rest, -_SCALE)
    series = rest * (1 + small * (numpy.ldexp(1, -1) + small * (1 / numpy.int64(3) + small / 4)))
    whole = numpy.ldexp(greatest, -_SCALE)
    own = numpy.where(small < numpy.ldexp(1, _SERIES), whole * series, -greatest * logarithms(whole))
    entropy = others + own
    certain = rest == 0
    entropy[certain] = 1
    result = scale - logarithms(entropy)
    result[certain] = _CERTAIN
    return result


def _jensen_shannon(part: Array, sums: Array) -> Any:
    import numpy

    shares = part / sums
    mixed = shares + 1 / numpy.int64(shares.shape[1])
    return (x_log_x(shares) - x_log_x(mixed)).sum(axis=1)


def x_log_x(numbers: Array) -> Any:
    """Return x log x for doubles in [0, 2], each within 2^−44; only IEEE operations and a certified table."""
    return numbers * logarithms(numbers)


def logarithms(numbers: Array) -> Any:
    """Return log x for positive doubles x = m·2^e, each within 2^−45.9 + 2^−49·(|e| + 1); of 0 something finite."""
    import numpy

    inverse, logs, log_two = _tables()
    mantissa, exponent = numpy.frexp(numbers)
    cell = (mantissa * _CELLS).astype(numpy.intp)  # 0 falls into cell 0, whose logarithm is finite
    rest = (mantissa - numpy.ldexp(2 * cell + 1, -12)) * inverse[cell]
    series = rest * (1 - rest * (numpy.ldexp(1, -1) - rest / 3))
    return logs[cell] + series + exponent * log_two


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


_FILTERS: dict[str, Callable[[Array, Array], Any]] = {
    "max": _max,
    "l2": _l2,
    "herfindahl": _l2,
    "total-variation": _l1_uniform,
    # On the simplex ‖p − 1/k‖² = ‖p‖² − 1/k (theorem 2): the same order.
    "l2-uniform": _l2,
    "l1-uniform": _l1_uniform,
    "entropy": _negative_log_entropy,
    "jensen-shannon": _jensen_shannon,
}


def ranks_of_tables(
    source: VectorTable, target: VectorTable, score: ScoreFunction, at: int | None = None
) -> tuple[Array, Array]:
    """Return the ranks of both tables in one order; equal scores share a rank.

    In the order of the doubles, neighbours more than 3ε apart are in their true order. Rows between two such gaps are
    ranked by their exact keys. With `at`, only rows near the source's order statistic at this place, or near the lowest
    double surely above it, are ranked: all rows below these share the lowest rank, all rows above the highest.
    """
    import numpy

    (ours, bound), (theirs, other) = filtered_scores(source, score), filtered_scores(target, score)
    margin, is_proven = 3 * max(bound, other), max(bound, other) < 1
    values = (
        numpy.concatenate([ours, theirs]) * is_proven
    )  # without a bound all are equal, and compared exactly
    ours = values[: len(ours)]
    lowest, highest = values.min(), values.max()
    if at is not None:
        centre = numpy.partition(ours, at)[at]
        above = ours[ours > centre + margin]
        lowest, highest = centre - 2 * margin, (above.min() if len(above) else centre) + 2 * margin
    rows = numpy.flatnonzero((values >= lowest) & (values <= highest))
    order = rows[numpy.argsort(values[rows], kind="stable")]
    starts = numpy.flatnonzero(numpy.diff(values[order], prepend=values[order[0]]) > margin)
    ends = numpy.append(starts, len(order))
    starts = numpy.insert(starts, 0, 0)
    within = numpy.zeros(len(order), dtype=numpy.int64)
    more = numpy.zeros(len(starts) + 1, dtype=numpy.int64)
    for part in numpy.flatnonzero(ends - starts > 1).tolist():
        start, end = int(starts[part]), int(ends[part])
        exact = _exact_ranks(source, target, score, order[start:end].tolist())
        within[start:end] = exact
        more[part + 1] = max(exact)
    ranks = numpy.zeros(len(values), dtype=numpy.int64)
    first = numpy.arange(1, len(starts) + 1) + more.cumsum()[:-1]
    ranks[order] = numpy.repeat(first, ends - starts) + within
    ranks[values > highest] = ranks.max() + 1
    return ranks[: len(source)], ranks[len(source) :]


def _exact_ranks(
    source: VectorTable, target: VectorTable, score: ScoreFunction, rows: list[int]
) -> list[int]:
    """Return the ranks of some rows by their exact keys; equal rows have equal scores, whatever they are."""
    places = [(source, row) if row < len(source) else (target, row - len(source)) for row in rows]
    numbers = [tuple(table.numbers[row].tolist()) for table, row in places]
    names = [tuple(sorted(each)) for each in numbers] if score.symmetric else numbers
    distinct = dict(zip(names, places, strict=True))
    if len(distinct) == 1:
        return [0] * len(rows)
    ranks = ranks_of_keys([score.key(table[row]) for table, row in distinct.values()])
    return [*map(dict(zip(distinct, ranks, strict=True)).__getitem__, names)]
