"""Least dependence in closed form: what a person can check with the votes' own moments.

With P = P_a, s = √(P(1−P)), w_i = (α_i − β_i)·s and Γ the error correlations under any key of two labels,

    Δ_ij = w_i·w_j + P·Γ^a_ij + (1−P)·Γ^b_ij ,  so that  |Δ_ij − w_i·w_j| ≤ δ  if no |Γ| exceeds δ.

Products of the w are alike in more than one way, and the Δ are not, unless δ is large enough:

- tetrads: (w_i w_k)(w_j w_l) = (w_i w_j)(w_k w_l) gives (|Δ_ik|−δ)(|Δ_jl|−δ) ≤ (|Δ_ij|+δ)(|Δ_kl|+δ), where δ² cancels;
- Heywood: w_k² ≤ f_k(1−f_k) gives (|Δ_ik|−δ)(|Δ_jk|−δ) ≤ (±Δ_ij+δ)·f_k(1−f_k), ± the sign of Δ_ik·Δ_jk, as long as
  δ is below |Δ_ik| and |Δ_jk|;
- signs: around a cycle of judges the product of the w_i·w_j is a square; if that of the Δ_ij is negative, some Δ_ij
  has the wrong sign, and δ ≥ |Δ_ij| for it.

A key with one label is no exception: there P(1−P) = 0, all w are zero and Δ = Γ.

For any number of labels the rank of covariances decides. Stack those of the answers of judges i, j with those of judges
k, l in a matrix C, one row for each answer of i and of j, one column for each of k and of l. Under a key, C = B + E,
where B = Σ_l P_l·(rates of i, j on l − overall rates)·(the same for k, l)ᵀ has rank at most R − 1, since the R
deviations add up to zero, and E = Σ_l P_l·Γ^l has no entry above δ. If U·C·Vᵀ = I_R, then I − U·E·Vᵀ = U·B·Vᵀ is
singular, so that 1 is an eigenvalue of K = U·E·Vᵀ. The rows of E belonging to one judge add up to zero, and so do its
columns: |K_ab| ≤ δ·S(u_a)·S(v_b), where S adds up, over the judges, min_c Σ_r |u(r) − c|. The spectral radius of K is
at most that of δ·S(u)S(v)ᵀ, which is δ·Σ_a S(u_a)·S(v_a). Hence δ ≥ 1/Σ_a S(u_a)·S(v_a), for any U and V.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from math import comb
from typing import TYPE_CHECKING, Any, TypeAlias

from gmpy2 import isqrt, mpq

from ntqr_exact.budget import spend
from ntqr_exact.dependence.key_dependence import check_panel
from ntqr_exact.dependence.moment_ranges import spread
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.votes.counts import VoteCounts

if TYPE_CHECKING:
    from ntqr_exact.algebra.rational_matrix import Matrix

_MOST_JUDGES = 10
"""Of more judges, fours are taken from those whose answers move most with the others'."""

Moments: TypeAlias = dict[tuple[int, int], mpq]
Covariances: TypeAlias = dict[tuple[int, int], list[list[mpq]]]
"""For two judges: the covariance of each answer with each."""

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
    found = _two_label_bounds(votes) if len(votes.labels) == 2 else rank_bounds(votes)
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
    tetrads = ((i, *rest) for i, *others in combinations(places, 4) for rest in permutations(others))
    best = max(tetrads, key=lambda order: _tetrad_value(size, order), default=())
    if best:
        value = _tetrad_value(size, best)
        i, k, j, m = judges = tuple(names[place] for place in best)
        shown = ", ".join(_down(size[best[x], best[y]]) for x, y in ((0, 1), (2, 3), (0, 2), (1, 3)))
        words = (
            f"(|Δ({i}, {k})|−δ)(|Δ({j}, {m})|−δ) ≤ (|Δ({i}, {j})|+δ)(|Δ({k}, {m})|+δ) with |Δ| = {shown} fails below "
            f"{_down(value)}"
        )
        yield ClosedBound("tetrad", judges, value, words)
    trios = ((i, j, k) for i, j in combinations(places, 2) for k in places if k not in (i, j))
    rates = [votes.response_rate(i, votes.labels[0]) for i in places]
    room = [rate * (1 - rate) for rate in rates]
    heywood = max(trios, key=lambda trio: _heywood_value(moment, room, trio), default=None)
    if heywood is not None:
        a, b, c = _heywood_sides(moment, heywood)
        value = _heywood_value(moment, room, heywood)
        first, second, third = judges = tuple(names[place] for place in heywood)
        sign = "" if c == moment[heywood[:2]] else "−"
        words = (
            f"({sign}Δ({first}, {second})+δ)·{_down(room[heywood[2]])} ≥ (|Δ({first}, {third})|−δ)(|Δ({second}, "
            f"{third})|−δ) with {', '.join(map(_signed, (c, a, b)))} fails below {_down(value)}"
        )
        yield ClosedBound("Heywood", judges, value, words)
    cycle = _negative_cycle(len(votes.judges), moment)
    if cycle:
        pairs = list(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
        least = min(size[pair] for pair in pairs)
        shown = " · ".join(f"Δ({names[i]}, {names[j]}) {_signed(moment[i, j])}" for i, j in pairs)
        words = f"{shown} has a negative product, so that one |Δ| ≤ δ: fails below {_down(least)}"
        yield ClosedBound("signs", tuple(names[i] for i in cycle), least, words)


def _tetrad_value(size: Moments, order: tuple[int, ...]) -> mpq:
    """Return the δ, possibly negative, below which the tetrad of the pairs ik and jl against ij and kl fails."""
    i, k, j, m = order
    a, b, c, d = size[i, k], size[j, m], size[i, j], size[k, m]
    total = a + b + c + d
    return (a * b - c * d) / total if total else mpq(0)


def _heywood_value(moment: Moments, room: Sequence[mpq], trio: tuple[int, ...]) -> mpq:
    return _heywood_root(*_heywood_sides(moment, trio), room[trio[2]])


def _heywood_sides(moment: Moments, trio: tuple[int, ...]) -> tuple[mpq, mpq, mpq]:
    """Return |Δ_ik|, |Δ_jk|, and Δ_ij with the sign of the product of the two others."""
    i, j, k = trio
    same = (moment[i, k] >= 0) == (moment[j, k] >= 0)
    return abs(moment[i, k]), abs(moment[j, k]), moment[i, j] if same else -moment[i, j]


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


def _negative_cycle(judges: int, moment: Moments) -> tuple[int, ...]:
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


def rank_bounds(votes: VoteCounts) -> Iterator[ClosedBound]:
    """Iterate over the bounds of two judges against two others; there are none for fewer than four judges.

    Of more than ten judges the ten with the largest covariances are looked at: other bounds are left out.
    """
    labels, places, names = len(votes.labels), range(len(votes.judges)), votes.judges
    covariances = _pair_covariances(votes) if len(places) >= 4 else {}
    moved = [mpq(0) for _ in places]
    for (i, _), block in covariances.items():
        moved[i] += sum(abs(x) for row in block for x in row)
    kept = sorted(sorted(places, key=lambda i: (-moved[i], i))[:_MOST_JUDGES])
    told = f" (only the {_MOST_JUDGES} judges who move most were tried)" if len(names) > _MOST_JUDGES else ""
    for i, j, k, m in combinations(kept, 4):
        for order in ((i, j, k, m), (i, k, j, m), (i, m, j, k)):
            first, second, third, fourth = who = tuple(names[place] for place in order)
            matrices = _inverting(covariance_block(covariances, order), labels)
            if matrices is not None:
                value = 1 / sum(spread(u, labels) * spread(v, labels) for u, v in zip(*matrices, strict=True))
                words = (
                    f"the covariances of ({first}, {second}) with ({third}, {fourth}) have rank {labels}, keys of "
                    f"{labels} labels without correlations give less: fails below {fixed_text(value, 6)}{told}"
                )
                yield ClosedBound("rank", who, value, words, matrices)


def _pair_covariances(votes: VoteCounts) -> Covariances:
    """Return the covariances of the answers of every two judges."""
    size, labels, judges = votes.size, range(len(votes.labels)), range(len(votes.judges))
    index = {label: place for place, label in enumerate(votes.labels)}
    patterns = [([index[answer] for answer in p], n) for p, n in votes.counts.items()]
    responses = [list(votes.responses(i).values()) for i in judges]
    found = {}
    for i, j in permutations(judges, 2):
        joint = [[0 for _ in labels] for _ in labels]
        for p, n in patterns:
            joint[p[i]][p[j]] += n
        found[i, j] = [
            [mpq(size * joint[r][s] - responses[i][r] * responses[j][s], size * size) for s in labels]
            for r in labels
        ]
    return found


def covariance_block(covariances: Covariances, judges: tuple[int, int, int, int]) -> list[list[mpq]]:
    """Return C: the covariances of each answer of the first two judges with each answer of the last two."""
    i, j, k, m = judges
    blocks = ((covariances[first, k], covariances[first, m]) for first in (i, j))
    return [a + b for left, right in blocks for a, b in zip(left, right, strict=True)]


def _inverting(block: list[list[mpq]], labels: int) -> tuple[Matrix, Matrix] | None:
    """Return U and V with U·C·Vᵀ = I: U picks the rows of the largest pivots, V inverts what is left of C."""
    from ntqr_exact.algebra.rational_matrix import inverse, matrix  # sympy, which only ranks need

    chosen = _pivots(block, labels)
    if chosen is None:
        return None
    rows, columns = chosen
    inverted = inverse(matrix([[block[i][j] for j in columns] for i in rows]))
    if inverted is None:
        return None
    left = [[mpq(int(place == row)) for place in range(2 * labels)] for row in rows]
    right = [[mpq(0)] * (2 * labels) for _ in columns]
    for a, row in enumerate(right):
        for b, column in enumerate(columns):
            row[column] = inverted[b][a]
    return matrix(left), matrix(right)


def _pivots(block: list[list[mpq]], how_many: int) -> tuple[list[int], list[int]] | None:
    """Return the rows and columns that elimination with the largest pivots takes; `None` if the rank is less."""
    work = [list(row) for row in block]
    rows: list[int] = []
    columns: list[int] = []
    for _ in range(how_many):
        free = [
            (i, j) for i in range(len(work)) for j in range(len(work)) if i not in rows and j not in columns
        ]
        i, j = max(free, key=lambda place: abs(work[place[0]][place[1]]))
        if not work[i][j]:
            return None
        rows.append(i)
        columns.append(j)
        for other in range(len(work)):
            if other not in rows and work[other][j]:
                share = work[other][j] / work[i][j]
                work[other] = [x - share * y for x, y in zip(work[other], work[i], strict=True)]
    return rows, columns
