"""ATC on whole tables: the threshold is an order statistic, so few vectors need an exact comparison.

Let a be doubles within ε of the true scores s. Order statistics move no more than the numbers: the r-th smallest of
a is within ε of the r-th smallest of s. So a vector that is more than 2ε away from it in a lies on the same side of
it in s. Only the band between is ranked exactly. Tests use 3ε, which makes up for the rounding of a ± 2ε.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Any

from gmpy2 import mpq

from ntqr_exact.confidence.atc_threshold import TieRule, nearest
from ntqr_exact.confidence.atc_values import AtcEstimate, AtcReading
from ntqr_exact.confidence.filters import FilteredScores, filtered_scores
from ntqr_exact.confidence.keys import ScoreKey
from ntqr_exact.confidence.ordering import ranks_of_keys
from ntqr_exact.confidence.probability_table import VectorTable
from ntqr_exact.confidence.scores import ScoreFunction


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
    ours, theirs = filtered_scores(source, score), filtered_scores(target, score)
    if ours is None or theirs is None:
        ours, theirs = _unfiltered(source), _unfiltered(target)
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

    ours, theirs = filtered_scores(source, score), filtered_scores(target, score)
    if ours is None or theirs is None:
        ours, theirs = _unfiltered(source), _unfiltered(target)
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
            if (
                len({table.name(row) for table, row in tables}) == 1
            ):  # equal rows have equal scores, whatever they are
                for row in rows:
                    ranks[row] = rank
                start, rank = end, rank + 1
                continue
            banded = [table.of([row])[0] for table, row in tables]
            distinct = list({id(key): key for key in banded}.values())
            rank_of = dict(zip(map(id, distinct), ranks_of_keys(distinct), strict=True))
            for row, key in zip(rows, banded, strict=True):
                ranks[row] = rank + rank_of[id(key)]
            rank += max(rank_of.values())
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
    # Rows that share a key share its rank: distinct keys alone are compared with each other.
    distinct = list({id(key): key for key in banded}.values())
    rank_of = dict(zip(map(id, distinct), ranks_of_keys(distinct), strict=True))
    ranked = [rank_of[id(key)] for key in banded]
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


def _unfiltered(table: VectorTable) -> FilteredScores:
    """Return a filter that decides nothing: every vector is compared exactly."""
    import numpy

    return FilteredScores(numpy.zeros(len(table)), numpy.int64(1))
