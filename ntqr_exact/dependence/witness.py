"""Witnesses: keys in whole numbers that are as independent as the search could make them.

Floats propose fractional keys; these are rounded, improved question by question, changed at random and improved
again. Nobody says that there is no better key: that is what proofs are for. What counts is measured exactly: for each
label the sums m (questions), R (answers), S (pairs) and those of trios are kept; Γ_ij = (m·S − R_i·R_j)/m² and
Γ_ijk = (m²·S_ijk − m·Σ S_ij·R_k + 2·R_i·R_j·R_k)/m³. A change of a few questions is tried on the largest correlations
first and given up at the first that is not better than the best so far.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice, product
from operator import itemgetter
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.budget import spend
from ntqr_exact.dependence.float_keys import OWN_STARTS, FloatKey, FloatKeys
from ntqr_exact.dependence.panel import answer_subsets
from ntqr_exact.dependence.tree_checker import Problem, added
from ntqr_exact.exact.rational import rational_from_float

Change: TypeAlias = tuple[int, int, int]
"""A question of a pattern goes from one label to another."""

Places: TypeAlias = tuple[int, int, int]
Marks: TypeAlias = tuple[frozenset[int], frozenset[int], frozenset[int]]

_Best: TypeAlias = tuple[mpq, list[list[int]]] | None

_MOST_TRIED = 60_000
_LARGE = 10**7
"""Questions above which moving one of them changes no printed digit of a correlation."""

_WORK = 1_000_000
_MOST_ROUNDED = 8
"""So many fractional patterns are rounded in every way; more of them to the nearest."""

_MOST_PAIRS = 40_000

_ZERO = mpq(0)
_STARTS = 2
_ROUNDINGS = 64
_KEPT = 3
SHAKES = 24
_SHAKEN = 15
"""A key changed at random is improved with the effort divided by this."""


@dataclass(frozen=True, slots=True)
class Found:
    """A key in shares[p][l], its dependence, and the dependence of the fractional key that it was rounded from."""

    shares: tuple[tuple[int, ...], ...]
    value: mpq
    fractional: float


def search_witness(
    problem: Problem, *, shakes: int = SHAKES, enough: mpq = _ZERO, most: int | None = None
) -> Found | None:
    """Return the least dependent key found that meets the conditions of a problem; `None` if none was found.

    The search ends at a key whose dependence is `enough`; `most` changes of each first key are tried.
    """
    floats = FloatKeys(problem)
    unit = floats.rows.unit
    if unit > 1:  # a question more or less does not show
        shakes, most = 0, 0
    fractional = floats.near()
    starts = [shares for key, _ in fractional[:_STARTS] for shares in _best_roundings(problem, key, unit)]
    starts += [key_by(problem, lambda _, k=label: k) for label in range(problem.labels)]  # type: ignore[misc]
    if (
        problem.labels == 2 or problem.judges < 4
    ):  # nobody is correlated with a judge whose answers are the key
        starts += [key_by(problem, itemgetter(i)) for i in range(min(problem.judges, OWN_STARTS))]
    best: _Best = None
    for shares in starts:
        if best is None or best[0] > enough:
            best = _better(best, WholeKey(problem, shares), most, enough)
    if best is None:
        return None
    rng = random.Random(len(problem.counts))
    for _ in range(shakes):
        if best[0] <= enough:
            break
        key = WholeKey(problem, best[1])
        for _ in range(rng.randint(2, 6)):
            key.apply([rng.choice(key.single_changes())])
        best = _better(best, key, key.effort() // _SHAKEN, enough) or best
    return Found(tuple(map(tuple, best[1])), best[0], fractional[0][1])


def _better(best: _Best, key: WholeKey, most: int | None, enough: mpq) -> _Best:
    """Return the better of the best so far and of a key that is improved; one that misses the conditions is none."""
    if not key.meets():
        return best
    value = key.improve(most=most, enough=enough)
    return (value, key.shares) if best is None or value < best[0] else best


def _best_roundings(problem: Problem, key: FloatKey, unit: int) -> list[list[list[int]]]:
    """Return the best whole keys near a fractional one, which counts in units."""
    wholes = [WholeKey(problem, shares) for shares in islice(rounded_keys(problem, key, unit), _ROUNDINGS)]
    wholes.sort(key=lambda whole: (not whole.meets(), whole.largest()))
    return [whole.shares for whole in wholes[:_KEPT]]


def key_by(problem: Problem, label: Callable[[Sequence[int]], int]) -> list[list[int]]:
    """Return the key whose label is a function of the answers."""
    return [[n * (place == label(p)) for place in range(problem.labels)] for p, n in problem.counts]


@lru_cache(maxsize=4)
def _layout(problem: Problem) -> tuple[dict[int, list[tuple[int, ...]]], list[Places], list[Marks]]:
    """Return the pairs and trios that count, the pairs of each trio, and which of them each pattern contains."""
    cells, subsets = answer_subsets(problem, (2, 3) if 3 in problem.orders else (2,))
    subsets.setdefault(3, [])
    place = {cell: k for k, cell in enumerate(cells)}
    places = [{subset: k for k, subset in enumerate(subsets[order])} for order in (2, 3)]
    marks = []
    for p, _ in problem.counts:
        given = [place[cell] for cell in enumerate(p) if cell in place]
        pairs, trios = (
            frozenset(known[subset] for subset in combinations(given, order)) if known else frozenset()
            for order, known in zip((2, 3), places, strict=True)
        )
        marks.append((frozenset(given), pairs, trios))
    pairs_of = [(places[0][a, b], places[0][b, c], places[0][a, c]) for a, b, c in subsets[3]]
    return subsets, pairs_of, marks


class WholeKey:
    """A key of a problem in whole numbers, `shares[p][l]`, with the sums of its correlations."""

    def __init__(self, problem: Problem, shares: Sequence[Sequence[int]]) -> None:
        """Add up the sums."""
        self.problem = problem
        self.patterns = [p for p, _ in problem.counts]
        self.subsets, self.pairs_of, self.marks = _layout(problem)
        groups = len(self.subsets[2]) + len(self.subsets[3])
        digits = 1 + int(problem.size).bit_length() // 1000
        spend("the search for a key", groups * (len(self.patterns) // 3 + 4 * problem.labels) * digits)
        self.shares = [list(split) for split in shares]
        self.sizes = [sum(split[label] for split in self.shares) for label in range(problem.labels)]
        widths = (problem.judges * len(problem.answers), len(self.subsets[2]), len(self.subsets[3]))
        self.sums = [tuple([0] * width for width in widths) for _ in range(problem.labels)]
        for split, marks in zip(self.shares, self.marks, strict=True):
            for label, count in enumerate(split):
                if count:
                    for sums, marked in zip(self.sums[label], marks, strict=True):
                        for k in marked:
                            sums[k] += count
        self.tops = [mpq(0)] * problem.labels
        self.order: list[list[int]] = [[] for _ in range(problem.labels)]
        for label in range(problem.labels):
            self._sort(label)

    # -- measures ----------------------------------------------------------------------------------------

    def correlation(self, label: int, cell: int, more: Sequence[tuple[int, int]] = ()) -> mpq:
        """Return |Γ| of a pair or a trio (counted after the pairs) on a label, with some patterns added to it."""
        size = self.sizes[label] + sum(sign for _, sign in more)
        order = 2 if cell < len(self.subsets[2]) else 3
        return mpq(self._moment(label, cell, size, more), size**order) if size else mpq(0)

    def _moment(self, label: int, cell: int, size: int, more: Sequence[tuple[int, int]] = ()) -> int:
        """Return |Γ| times the number of questions of the label, which is given, to the power of how many they are."""
        ones, twos, threes = self.sums[label]
        marks = self.marks

        def one(k: int) -> int:
            return ones[k] + sum([sign for p, sign in more if k in marks[p][0]])

        def two(k: int) -> int:
            return twos[k] + sum([sign for p, sign in more if k in marks[p][1]])

        if cell < len(twos):
            a, b = self.subsets[2][cell]
            return abs(size * two(cell) - one(a) * one(b))
        k = cell - len(twos)
        a, b, c = self.subsets[3][k]
        ab, bc, ac = self.pairs_of[k]
        ra, rb, rc = one(a), one(b), one(c)
        all_three = threes[k] + sum([sign for p, sign in more if k in marks[p][2]])
        mixed = two(ab) * rc + two(bc) * ra + two(ac) * rb
        return abs(size * (size * all_three - mixed) + 2 * ra * rb * rc)

    def cells(self) -> range:
        """The pairs and trios that count."""
        pairs, trios = len(self.subsets[2]), len(self.subsets[3])
        return range(0 if 2 in self.problem.orders else pairs, pairs + trios)

    def _sort(self, label: int) -> None:
        size, pairs = (
            self.sizes[label],
            len(self.subsets[2]),
        )  # over one denominator whole numbers are compared
        values = {
            cell: self._moment(label, cell, size) * (size if cell < pairs else 1) for cell in self.cells()
        }
        self.order[label] = sorted(values, key=lambda cell: -values[cell])
        self.tops[label] = mpq(max(values.values(), default=0), size**3) if size else mpq(0)

    def largest(self) -> mpq:
        """Return the dependence."""
        return max(self.tops)

    def after(self, changes: Sequence[Change], below: mpq) -> mpq | None:
        """Return the dependence after some changes, or `None` if it is not below a number."""
        more: dict[int, list[tuple[int, int]]] = {}
        for p, source, target in changes:
            more.setdefault(source, []).append((p, -1))
            more.setdefault(target, []).append((p, 1))
        largest = max([mpq(0), *(value for label, value in enumerate(self.tops) if label not in more)])
        if largest >= below:
            return None
        for label, patterns in more.items():
            found = self._label_after(label, patterns, below)
            if found is None:
                return None
            largest = max(largest, found)
        return largest

    def _label_after(self, label: int, more: Sequence[tuple[int, int]], below: mpq) -> mpq | None:
        """Return the largest |Γ| on a label with some patterns added, or `None` if it is not below a number."""
        size = self.sizes[label] + sum([sign for _, sign in more])
        if size == 0:
            return mpq(0)
        limit = -(
            -below.numerator * size**2 // below.denominator
        )  # a pair at or above this is no improvement
        ones, twos, _ = self.sums[label]
        ones, doubles = list(ones), [(sign, self.marks[p][1]) for p, sign in more]
        for p, sign in more:
            for k in self.marks[p][0]:
                ones[k] += sign
        subsets, pairs, largest_pair, largest = self.subsets[2], len(twos), 0, mpq(0)
        for cell in self.order[label]:
            if cell >= pairs:
                value = self.correlation(label, cell, more)
                if value >= below:
                    return None
                largest = max(largest, value)
                continue
            a, b = subsets[cell]
            both = twos[cell]
            for sign, double in doubles:
                if cell in double:
                    both += sign
            top = abs(size * both - ones[a] * ones[b])
            if top > largest_pair:
                if top >= limit:
                    return None
                largest_pair = top
        return max(largest, mpq(largest_pair, size * size))

    def meets(self) -> bool:
        """Tell whether the conditions, and being better than chance, hold."""
        problem = self.problem
        for condition in problem.conditions:
            shares = list(zip(self.patterns, self.shares, strict=True))
            parts = (
                (split[k], p, terms) for k, terms in condition.items() for p, split in shares if split[k]
            )
            if sum(n * added(terms, p) for n, p, terms in parts) < 0:
                return False
        return all(
            self.sums[r][0][i * len(problem.answers) + r] >= problem.overall[i, r] * self.sizes[r]
            for i in problem.better
            for r in problem.answers
        )

    # -- changes -----------------------------------------------------------------------------------------

    def apply(self, changes: Iterable[Change]) -> None:
        """Move the questions."""
        touched = set()
        for p, source, target in changes:
            for label, sign in ((source, -1), (target, 1)):
                self.shares[p][label] += sign
                self.sizes[label] += sign
                for sums, marked in zip(self.sums[label], self.marks[p], strict=True):
                    for k in marked:
                        sums[k] += sign
                touched.add(label)
        for label in touched:
            self._sort(label)

    def single_changes(self) -> list[Change]:
        """Return every move of one question to another label."""
        return [
            (p, source, target)
            for p, split in enumerate(self.shares)
            for source, count in enumerate(split)
            if count
            for target in range(self.problem.labels)
            if target != source
        ]

    def effort(self) -> int:
        """Return how many changes are worth trying: fewer where each costs more, or moves next to nothing."""
        if self.problem.size > _LARGE:
            return 300
        return max(300, min(_MOST_TRIED, _WORK // max(1, len(self.cells()) * self.problem.labels)))

    def improve(self, *, most: int | None = None, enough: mpq = _ZERO) -> mpq:
        """Move questions, one or two at a time, as long as the dependence falls and is not enough; return it."""
        value = self.largest()
        left = self.effort() if most is None else most
        while left > 0 and value > enough:
            singles = self.single_changes()
            found: tuple[mpq, tuple[Change, ...]] | None = None
            for changes in self._candidates(singles):
                left -= 1
                spend("the search for a key", 5 + len(self.order[0]) // 4)
                better = self.after(changes, value if found is None else found[0])
                if better is not None and self._allowed(changes):
                    found = (better, changes)
                if left <= 0 or (found is not None and len(changes) == 2):
                    break
            if found is None:
                break
            self.apply(found[1])
            value = found[0]
        return value

    def stretch(self, gains: Sequence[Sequence[Any]], limit: mpq, most: int) -> None:
        """Move single questions to where they gain most, as long as no correlation exceeds the limit."""
        below = limit + mpq(1, 2 * limit.denominator * self.problem.size**3)  # nothing lies between
        while most > 0:
            moves = [
                (gain, (p, source, target))
                for p, source, target in self.single_changes()
                if (gain := gains[p][target] - gains[p][source]) > 0
            ]
            for _, change in sorted(moves, key=lambda move: (-move[0], move[1])):
                most -= 1
                if self.after((change,), below) is not None and self._allowed((change,)):
                    self.apply((change,))
                    break
            else:
                return

    def _candidates(self, singles: list[Change]) -> Iterator[tuple[Change, ...]]:
        """Iterate over single moves, all compared, and then over pairs, of which the first that helps is taken."""
        for change in singles:
            yield (change,)
        if len(singles) ** 2 <= 2 * _MOST_PAIRS:
            for first, second in combinations(singles, 2):
                if first[0] != second[0] or self.shares[first[0]][first[1]] > 1:
                    yield (first, second)

    def _allowed(self, changes: Sequence[Change]) -> bool:
        if not self.problem.conditions and not self.problem.better:
            return True
        self.apply(changes)
        allowed = self.meets()
        self.apply([(p, target, source) for p, source, target in changes])
        return allowed


def rounded_keys(
    problem: Problem, fractional: Sequence[Sequence[Any]], unit: int = 1
) -> Iterator[list[list[int]]]:
    """Iterate over whole keys near a fractional one, `fractional[label][p]` in floats: all roundings if few.

    The fractional key counts in units of so many questions.

    Questions go down first; those left of a pattern go where most is missing, or, if few patterns are fractional, to
    every label that has a part of them.
    """
    choices: list[list[list[int]]] = []
    for k, (_, n) in enumerate(problem.counts):
        parts = [max(mpq(0), unit * rational_from_float(float_share[k])) for float_share in fractional]
        whole = [min(n, int(part)) for part in parts]
        while sum(whole) > n:
            largest = whole.index(max(whole))
            whole[largest] -= min(whole[largest], sum(whole) - n)
        rest = [part - count for part, count in zip(parts, whole, strict=True)]
        missing = n - sum(whole)
        order = sorted(range(len(parts)), key=lambda label: (-rest[label], label))
        nearest = list(whole)
        each, extra = divmod(missing, len(order))
        for turn, label in enumerate(order):
            nearest[label] += each + (turn < extra)
        options = [nearest]
        if missing == 1:
            for label in order:
                other = list(whole)
                other[label] += 1
                if rest[label] > mpq(1, 50) and other not in options:
                    options.append(other)
        choices.append(options)
    if sum(len(options) > 1 for options in choices) > _MOST_ROUNDED:
        choices = [options[:1] for options in choices]
    for chosen in product(*choices):
        yield [list(split) for split in chosen]
