"""Least dependence in closed form: what a person can check with the votes' own moments.

With P = P_a, s = √(P(1−P)), w_i = (α_i − β_i)·s and Γ the error correlations under any key of two labels,

    Δ_ij = w_i·w_j + P·Γ^a_ij + (1−P)·Γ^b_ij ,  so that  |Δ_ij − w_i·w_j| ≤ δ  if no |Γ| exceeds δ.

Products of the w are alike in more than one way, and the Δ are not, unless δ is large enough:

- tetrads: (w_i w_k)(w_j w_l) = (w_i w_j)(w_k w_l) gives (|Δ_ik|−δ)(|Δ_jl|−δ) ≤ (|Δ_ij|+δ)(|Δ_kl|+δ), where δ² cancels;
- Heywood: w_k² ≤ f_k(1−f_k) gives (|Δ_ik|−δ)(|Δ_jk|−δ) ≤ (±Δ_ij+δ)·f_k(1−f_k), ± the sign of Δ_ik·Δ_jk, as long as
  δ is below |Δ_ik| and |Δ_jk|;
- signs: around a cycle of judges the product of the w_i·w_j is a square; if that of the Δ_ij is negative, some Δ_ij
  has the wrong sign, and δ ≥ |Δ_ij| for it.

A key with one label is no exception: there P(1−P) = 0, all w are zero and Δ = Γ. Any number of labels: `rank_bound`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from math import comb
from typing import Any

from gmpy2 import isqrt, mpq

from ntqr_exact.algebra.rational_matrix import Matrix
from ntqr_exact.dependence.key_dependence import check_panel
from ntqr_exact.dependence.rank_bound import rank_bounds
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.work import spend

_DIGITS = 10**12
"""A root is taken down to a multiple of 1/_DIGITS: a bound may be smaller than it could be, never larger."""


@dataclass(frozen=True, slots=True)
class ClosedBound:
    """One inequality that fails unless some correlation reaches `value`."""

    kind: str
    judges: tuple[str, ...]
    value: mpq
    words: str
    matrices: tuple[Matrix, Matrix] | None = None

    def __str__(self) -> str:
        """Return the inequality with its numbers."""
        return self.words

    def to_document(self) -> dict[str, Any]:
        """Return the bound as a JSON document."""
        return {"kind": self.kind, "judges": list(self.judges), "value": self.value, "words": self.words}


@dataclass(frozen=True, slots=True)
class TetradBound:
    """A number that the dependence of no key falls below, with the inequality of each kind that proves most."""

    value: mpq
    bounds: tuple[ClosedBound, ...]

    def __str__(self) -> str:
        """Return the bound and why, a line for each kind."""
        head = f"Whatever the key, some pair has an error correlation of at least {_down(self.value)}."
        return "\n".join([head, *(f"  {bound.kind}: {bound}" for bound in self.bounds)])

    def to_document(self) -> dict[str, Any]:
        """Return the bound as a JSON document."""
        return {"value": self.value, "bounds": [bound.to_document() for bound in self.bounds]}


@checked
def tetrad_bound(votes: VoteCounts) -> TetradBound:
    """Return the proven least dependence of pairs in closed form, from tetrads, Heywood cases, signs or ranks.

    >>> quarrel = VoteCounts({"aab": 1, "aba": 1, "baa": 1, "abb": 1, "bab": 1, "bba": 1})
    >>> tetrad_bound(quarrel).value, tetrad_bound(quarrel).bounds[0].kind
    (mpq(1,12), 'signs')
    """
    check_panel(votes)
    names = votes.judges
    found: Iterable[ClosedBound]
    if len(votes.labels) == 2:
        found = _two_label_bounds(votes)
    else:
        found = (
            ClosedBound(
                "rank",
                tuple(names[i] for i in rank.judges),
                rank.value,
                rank.words(names),
                (rank.left, rank.right),
            )
            for rank in rank_bounds(votes)
        )
    best: dict[str, ClosedBound] = {}
    for bound in found:
        if bound.value > 0 and (bound.kind not in best or bound.value > best[bound.kind].value):
            best[bound.kind] = bound
    bounds = tuple(sorted(best.values(), key=lambda bound: -bound.value))
    return TetradBound(bounds[0].value if bounds else mpq(0), bounds)


def _two_label_bounds(votes: VoteCounts) -> Iterator[ClosedBound]:
    places = range(len(votes.judges))
    names = votes.judges
    spend("all fours of so many judges", 9 * comb(len(names), 4) + 9 * comb(len(names), 3))
    moment = {(i, j): votes.pair_moment(i, j) for i, j in combinations(places, 2)}
    moment |= {(j, i): value for (i, j), value in moment.items()}
    size = {pair: abs(value) for pair, value in moment.items()}
    # Thirty judges have 27,405 fours: only the best inequality is put into words.
    tetrads = (order for four in combinations(places, 4) for order in _tetrads(four))
    best = max(tetrads, key=lambda order: _tetrad_value(size, order), default=None)
    if best is not None:
        yield _tetrad(names, size, best)
    trios = ((i, j, k) for i, j in combinations(places, 2) for k in places if k not in (i, j))
    rates = [votes.response_rate(i, votes.labels[0]) for i in places]
    room = [rate * (1 - rate) for rate in rates]
    heywood = max(trios, key=lambda trio: _heywood_value(moment, room, trio), default=None)
    if heywood is not None:
        yield _heywood(names, moment, room, heywood)
    cycle = _negative_cycle(len(votes.judges), moment)
    if cycle:
        pairs = list(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
        least = min(size[pair] for pair in pairs)
        shown = " · ".join(f"Δ({names[i]}, {names[j]}) {_signed(moment[i, j])}" for i, j in pairs)
        words = f"{shown} has a negative product, so that one |Δ| ≤ δ: fails below {_down(least)}"
        yield ClosedBound("signs", tuple(names[i] for i in cycle), least, words)


def _tetrads(four: tuple[int, ...]) -> Iterator[tuple[int, int, int, int]]:
    """Iterate over (i, k, j, l): the pairs ik and jl against ij and kl."""
    i, j, k, m = four
    for first, second, third in permutations((j, k, m)):
        yield i, first, second, third


def _tetrad_value(size: dict[tuple[int, int], mpq], order: tuple[int, int, int, int]) -> mpq:
    """Return the δ below which a tetrad fails; it may be negative."""
    i, k, j, m = order
    a, b, c, d = size[i, k], size[j, m], size[i, j], size[k, m]
    total = a + b + c + d
    return (a * b - c * d) / total if total else mpq(0)


def _tetrad(
    names: tuple[str, ...], size: dict[tuple[int, int], mpq], order: tuple[int, int, int, int]
) -> ClosedBound:
    i, k, j, m = order
    value = _tetrad_value(size, order)
    shown = ", ".join(_down(size[pair]) for pair in ((i, k), (j, m), (i, j), (k, m)))
    words = (
        f"(|Δ({names[i]}, {names[k]})|−δ)(|Δ({names[j]}, {names[m]})|−δ) ≤ (|Δ({names[i]}, {names[j]})|+δ)"
        f"(|Δ({names[k]}, {names[m]})|+δ) with |Δ| = {shown} fails below {_down(value)}"
    )
    return ClosedBound("tetrad", tuple(names[place] for place in order), value, words)


def _heywood_sides(moment: dict[tuple[int, int], mpq], trio: tuple[int, int, int]) -> tuple[mpq, mpq, mpq]:
    """Return |Δ_ik|, |Δ_jk|, and Δ_ij with the sign of the product of the two others."""
    i, j, k = trio
    same = (moment[i, k] >= 0) == (moment[j, k] >= 0)
    return abs(moment[i, k]), abs(moment[j, k]), moment[i, j] if same else -moment[i, j]


def _heywood_value(
    moment: dict[tuple[int, int], mpq], room: Sequence[mpq], trio: tuple[int, int, int]
) -> mpq:
    return _heywood_root(*_heywood_sides(moment, trio), room[trio[2]])


def _heywood(
    names: Sequence[str],
    moment: dict[tuple[int, int], mpq],
    room: Sequence[mpq],
    trio: tuple[int, int, int],
) -> ClosedBound:
    a, b, c = _heywood_sides(moment, trio)
    value = _heywood_value(moment, room, trio)
    first, second, third = judges = tuple(names[place] for place in trio)
    shown = ", ".join(_signed(number) for number in (c, a, b))
    sign = "" if c == moment[trio[0], trio[1]] else "−"
    words = (
        f"({sign}Δ({first}, {second})+δ)·{_down(room[trio[2]])} ≥ (|Δ({first}, {third})|−δ)(|Δ({second}, "
        f"{third})|−δ) with {shown} fails below {_down(value)}"
    )
    return ClosedBound("Heywood", judges, value, words)


def _heywood_root(a: mpq, b: mpq, c: mpq, room: mpq) -> mpq:
    """Return, rounded down, the least δ ≥ 0 with (a−δ)(b−δ) ≤ (c+δ)·room, or min(a, b) if that is less.

    The difference of the sides falls as long as δ < min(a, b) and is convex: all below its smaller root are excluded.

    >>> _heywood_root(mpq(1), mpq(1), mpq(-2), mpq(1))
    mpq(1,1)
    """
    least = min(a, b)
    if a * b - c * room <= 0:
        return mpq(0)
    if (a - least) * (b - least) > (c + least) * room:  # c + δ < 0 up to there: no δ below it will do
        return least
    half = (a + b + room) / 2
    square = half * half - (a * b - c * room)
    scaled = square * _DIGITS**2
    root = mpq(isqrt(scaled.numerator // scaled.denominator) + 1, _DIGITS)
    return max(mpq(0), min(least, half - root))


def _negative_cycle(judges: int, moment: dict[tuple[int, int], mpq]) -> tuple[int, ...]:
    """Return the cycle with a negative product of signs whose least |Δ| is largest; none is an empty tuple.

    Pairs join from the largest |Δ| down into a forest; the first that closes a cycle of the wrong sign ends it.
    """
    links: list[dict[int, int]] = [{} for _ in range(judges)]
    pairs = sorted(((i, j) for i, j in moment if i < j), key=lambda pair: (-abs(moment[pair]), pair))
    for i, j in pairs:
        sign = (moment[i, j] > 0) - (moment[i, j] < 0)
        if sign == 0:
            return ()
        path = _path(links, i, j)
        if not path:
            links[i][j] = links[j][i] = sign
            continue
        for first, second in pairwise(path):
            sign *= links[first][second]
        if sign < 0:
            return path
    return ()


def _path(links: list[dict[int, int]], start: int, end: int) -> tuple[int, ...]:
    """Return the judges from start to end in a forest, or an empty tuple if they are not joined."""
    paths: dict[int, tuple[int, ...]] = {start: (start,)}
    waiting = [start]
    while waiting:
        here = waiting.pop()
        for there in links[here]:
            if there not in paths:
                paths[there] = (*paths[here], there)
                waiting.append(there)
    return paths.get(end, ())


def _down(value: mpq) -> str:
    """Return six decimals, rounded down."""
    return fixed_text(mpq(int(value * 10**6), 10**6), 6)


def _signed(value: mpq) -> str:
    return fixed_text(value, 6)
