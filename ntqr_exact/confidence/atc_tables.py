"""ATC on whole tables: the threshold is an order statistic, so few vectors need an exact comparison.

Let a be doubles within ε of the true scores s. Order statistics move no more than the numbers: the r-th smallest of
a is within ε of the r-th smallest of s. So a vector that is more than 2ε away from it in a lies on the same side of
it in s. Only the band between is ranked exactly. Tests use 3ε, which makes up for the rounding of a ± 2ε.

Scores of whole tables in double precision, with a proven bound on their error.

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
* Negative entropy orders as −log H, H = −Σ p log p, in which rows of a saturated softmax with tiny H differ, too. All
  numbers carry a factor 2^200, so that nothing underflows. Every term of H is positive. But for the greatest
  share m, p ≤ 1/2 and |log p| > 0.69, so that p|log p| has a relative error below 2^−44 + 2(k+1)u. For m, with ε the
  sum of the other shares: below 2^−11, −log(1−ε) is ε(1 + ε/2 + ε²/3 + ε³/4), off by a relative 2^−44 + 3(k+1)u; else
  log m is off by 2^−45.9 + 16u·13 + |δ|, relative to ε ≥ 2^−11 by less than 2^−34.7 + (k+1)·2^−41. So H has a relative
  error below (k+1)·2^−35, log H an error below 1.01 times that and 2^−38 of its own: in all below (k+1)·2^−34,
  its bound. H = 0 is exact, and stands above all others.
* Jensen-Shannon: Σ p log p − Σ q log q with q = p + 1/k in [0, 2]. p̃ instead of p changes Σ p log p by at most
  (log k + 2)|δ|, summing k terms of size at most 1.4 adds 1.5k²u: in all below k·2^−44 + 4(k+1)(log k + 2)u + 1.5k²u.
  The same again for q, whose rounding moves q log q by at most (|log q| + 1)·2q·(|δ| + 2u).

Since u = 2^−53 and log k ≤ 8.4, each of the others is below k²·2^−42, which is their bound. A table whose numbers could
overflow or vanish in a sum gets none.
"""

from __future__ import annotations

import functools
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gmpy2 import mpq

from ntqr_exact.columns.whole_numbers import Array
from ntqr_exact.confidence.atc_values import AtcEstimate, AtcReading, TieRule, nearest
from ntqr_exact.confidence.ordering import ranks_of_keys
from ntqr_exact.confidence.probability_vector import VectorTable
from ntqr_exact.confidence.scores import SCORES, ScoreFunction, ScoreKey

_MOST_LABELS = 4096
_ROWS = 4096
_CELLS = 2048
_RANGE = 100
_SCALE = 200
_SERIES = -11
_CERTAIN = 4096
"""Above −log H of every row that is not certain: H is at least 2^−1300."""


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
        found[start : start + _ROWS] = function(part, sums)
    entropy = function is _negative_log_entropy
    return FilteredScores(found, numpy.ldexp(k + 1, -34) if entropy else numpy.ldexp(k * k, -42))


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
    found = scale - logarithms(entropy)
    found[certain] = _CERTAIN
    return found


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


@dataclass(slots=True)
class _ExactKeys:
    """Keys of rows, made when needed, each of equal rows once; counts the rows that were asked for."""

    table: VectorTable
    score: ScoreFunction
    asked: int = 0
    _known: dict[tuple[Any, ...], ScoreKey] = field(default_factory=dict)

    def of(self, rows: list[int]) -> list[ScoreKey]:
        self.asked += len(rows)
        return [self._key(row) for row in rows]

    def name(self, row: int) -> tuple[Any, ...]:
        """Return the numbers of a row, in order for a score that does not care about it."""
        numbers = self.table.numbers[row].tolist()
        return tuple(sorted(numbers)) if self.score.symmetric else tuple(numbers)

    def _key(self, row: int) -> ScoreKey:
        name = self.name(row)
        if name not in self._known:
            self._known[name] = self.score.key(self.table[row])
        return self._known[name]


@dataclass(frozen=True, slots=True)
class _Group:
    """Source vectors of one score: the first of them, its key, and how many vectors lie below."""

    row: int
    key: ScoreKey
    below: int


def atc_of_tables(
    source: VectorTable,
    target: VectorTable,
    *,
    gamma: mpq,
    score: ScoreFunction,
    reading: AtcReading,
    tie_rule: TieRule,
) -> AtcEstimate:
    """Return the estimate of `atc` for two tables without weights, with as few exact comparisons as are needed."""
    ours, theirs = _filtered(source, target, score)
    keys, others = _ExactKeys(source, score), _ExactKeys(target, score)
    size = len(source)
    wanted = reading.share(gamma) * size
    # Shares below rise from group to group: the last that is not above the wanted one belongs to the group of
    # the vector at this place, and the first above it to the next group.
    at = min(int(wanted), size - 1)
    groups = _two_groups(ours, keys, at, size)
    chosen = groups[nearest([group.below for group in groups], wanted, tie_rule)]
    below = _count_below(ours, chosen, theirs, others)
    return AtcEstimate(
        score,
        reading,
        tie_rule,
        gamma,
        source[chosen.row],
        reading.share(mpq(chosen.below, size)),
        reading.share(mpq(below, len(target))),
        keys.asked + others.asked,
    )


def ranks_of_tables(
    source: VectorTable, target: VectorTable, score: ScoreFunction
) -> tuple[list[int], list[int]]:
    """Return the ranks of both tables in one order; equal scores share a rank.

    In the order of the doubles, neighbours more than 3ε apart are in their true order. Rows between two such gaps are
    ranked by their exact keys.
    """
    import numpy

    ours, theirs = _filtered(source, target, score)
    values = numpy.concatenate([ours.values, theirs.values])
    margin = 3 * max(ours.bound, theirs.bound)
    order = numpy.argsort(values, kind="stable")
    starts = numpy.flatnonzero(numpy.diff(values[order]) > margin) + 1
    ends = [*starts.tolist(), len(values)]
    keys, others = _ExactKeys(source, score), _ExactKeys(target, score)
    ranks = [0] * len(values)
    start, rank, places = 0, 0, order.tolist()
    for end in ends:
        if end - start == 1:
            ranks[places[start]] = rank
        else:
            rows = places[start:end]
            tables = [(keys, row) if row < len(source) else (others, row - len(source)) for row in rows]
            inside = [0] * len(rows)  # equal rows have equal scores, whatever they are
            if len({table.name(row) for table, row in tables}) > 1:
                inside = _ranked([table.of([row])[0] for table, row in tables])
            for row, own in zip(rows, inside, strict=True):
                ranks[row] = rank + own
            rank += max(inside)
        start, rank = end, rank + 1
    return ranks[: len(source)], ranks[len(source) :]


def _two_groups(scores: FilteredScores, keys: _ExactKeys, at: int, size: int) -> list[_Group]:
    """Return the group of the order statistic at a place, and the next one if there is one."""
    import numpy

    values, margin = scores.values, 3 * scores.bound
    centre = numpy.partition(values, at)[at]
    lower = int((values < centre - margin).sum())
    band = numpy.flatnonzero((values >= centre - margin) & (values <= centre + margin)).tolist()
    banded = keys.of(band)
    ranked = _ranked(banded)
    order = sorted(range(len(band)), key=ranked.__getitem__)
    rank = ranked[order[at - lower]]
    first = bisect_left(order, rank, key=ranked.__getitem__)
    after = bisect_right(order, rank, key=ranked.__getitem__)
    groups = [_Group(min(band[own] for own in order[first:after]), banded[order[first]], lower + first)]
    if lower + after < size:
        # Rows beyond the band are above the group, too, and one of them may lie below those of the band that are.
        # Of all these the lowest true score has a double within 2ε of the lowest double.
        above = numpy.concatenate(
            [
                numpy.array([band[own] for own in order[after:]], dtype=numpy.intp),
                numpy.flatnonzero(values > centre + margin),
            ]
        )
        near = sorted(above[values[above] <= values[above].min() + margin].tolist())
        nearby = keys.of(near)
        higher = min(nearby)
        row = next(row for row, own in zip(near, nearby, strict=True) if own == higher)
        groups.append(_Group(row, higher, lower + after))
    return groups


def _count_below(ours: FilteredScores, chosen: _Group, scores: FilteredScores, keys: _ExactKeys) -> int:
    """Return how many vectors of the target have a score strictly below that of a group of the source."""
    import numpy

    value, key = ours.values[chosen.row], chosen.key
    # Each side has an error of its own; three times the greater makes up for both and for rounding.
    margin = 3 * max(ours.bound, scores.bound)
    sure = int((scores.values < value - margin).sum())
    band = numpy.flatnonzero((scores.values >= value - margin) & (scores.values <= value + margin)).tolist()
    found = keys.of(band)
    is_below = {id(own): own < key for own in {id(own): own for own in found}.values()}
    return sure + sum(is_below[id(own)] for own in found)


def _filtered(
    source: VectorTable, target: VectorTable, score: ScoreFunction
) -> tuple[FilteredScores, FilteredScores]:
    """Return the scores of both; where no bound is proven, a filter that decides nothing."""
    import numpy

    ours, theirs = filtered_scores(source, score), filtered_scores(target, score)
    if ours is not None and theirs is not None:
        return ours, theirs
    one = numpy.int64(1)
    return FilteredScores(numpy.zeros(len(source)), one), FilteredScores(numpy.zeros(len(target)), one)


def _ranked(keys: list[ScoreKey]) -> list[int]:
    """Return the rank of each key; rows that share a key share its rank, so that each is compared once."""
    distinct = list({id(key): key for key in keys}.values())
    rank_of = dict(zip(map(id, distinct), ranks_of_keys(distinct), strict=True))
    return [rank_of[id(key)] for key in keys]
