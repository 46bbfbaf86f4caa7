"""Least dependence for any number of labels, from the rank of covariances of four judges.

Stack the covariances of the answers of judges i, j with those of judges k, l in a matrix C, one row for each answer of
i and of j, one column for each of k and of l. Under a key, C = B + E, where B = Σ_l P_l·(rates of i, j on l − overall
rates)·(the same for k, l)ᵀ has rank at most R − 1, since the R deviations add up to zero, and E = Σ_l P_l·Γ^l has no
entry above δ. If U·C·Vᵀ = I_R, then I − U·E·Vᵀ = U·B·Vᵀ is singular, so that 1 is an eigenvalue of K = U·E·Vᵀ. The
rows of E belonging to one judge add up to zero, and so do its columns: |K_ab| ≤ δ·S(u_a)·S(v_b), where S adds up, over
the judges, min_c Σ_r |u(r) − c|. The spectral radius of K is at most that of δ·S(u)S(v)ᵀ, which is δ·Σ_a S(u_a)·S(v_a).
Hence δ ≥ 1/Σ_a S(u_a)·S(v_a), for any U and V.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.algebra.rational_matrix import Matrix, inverse, matrix
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.votes.counts import VoteCounts

_MOST_JUDGES = 10
"""Of more judges, fours are taken from those whose answers move most with the others'."""

Covariances: TypeAlias = dict[tuple[int, int], list[list[mpq]]]
"""For two judges, the first before the second: the covariance of each answer with each."""


@dataclass(frozen=True, slots=True)
class RankBound:
    """The bound of judges i, j against k, l with the matrices U and V that prove it: U·C·Vᵀ is the identity."""

    judges: tuple[int, int, int, int]
    value: mpq
    left: Matrix
    right: Matrix

    def words(self, names: Sequence[str]) -> str:
        """Return the bound in one line."""
        i, j, k, m = (names[place] for place in self.judges)
        rank = len(self.left)
        told = (
            ""
            if len(names) <= _MOST_JUDGES
            else f" (only the {_MOST_JUDGES} judges who move most were tried)"
        )
        return (
            f"the covariances of ({i}, {j}) with ({k}, {m}) have rank {rank}, keys of {rank} labels without "
            f"correlations give less: fails below {fixed_text(self.value, 6)}{told}"
        )


def rank_bounds(votes: VoteCounts) -> Iterator[RankBound]:
    """Iterate over the bounds of two judges against two others; there are none for fewer than four judges.

    Of more than ten judges the ten with the largest covariances are looked at: other bounds are left out.
    """
    labels, places = len(votes.labels), range(len(votes.judges))
    covariances = pair_covariances(votes) if len(places) >= 4 else {}
    moved = [
        sum(
            (abs(x) for pair, block in covariances.items() if i in pair for row in block for x in row), mpq(0)
        )
        for i in places
    ]
    kept = sorted(sorted(places, key=lambda i: (-moved[i], i))[:_MOST_JUDGES])
    for i, j, k, m in combinations(kept, 4):
        for order in ((i, j, k, m), (i, k, j, m), (i, m, j, k)):
            found = _bound(covariance_block(covariances, order), order, labels)
            if found is not None:
                yield found


def pair_covariances(votes: VoteCounts) -> Covariances:
    """Return the covariances of the answers of every pair."""
    size, labels = votes.size, range(len(votes.labels))
    index = {label: place for place, label in enumerate(votes.labels)}
    patterns = [([index[answer] for answer in p], n) for p, n in votes.counts.items()]
    responses = [list(votes.responses(i).values()) for i in range(len(votes.judges))]
    found = {}
    for i, j in combinations(range(len(votes.judges)), 2):
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
    rows = []
    for first in (i, j):
        left, right = (
            covariances[first, other]
            if first < other
            else [list(row) for row in zip(*covariances[other, first], strict=True)]
            for other in (k, m)
        )
        rows += [a + b for a, b in zip(left, right, strict=True)]
    return rows


def _bound(block: list[list[mpq]], judges: tuple[int, int, int, int], labels: int) -> RankBound | None:
    """Return the bound of the answers with the largest pivots: U picks their rows, V inverts what is left of C."""
    chosen = _pivots(block, labels)
    if chosen is None:
        return None
    rows, columns = chosen
    inverted = inverse(matrix([[block[i][j] for j in columns] for i in rows]))
    if inverted is None:
        return None
    width = 2 * labels
    left = [[mpq(int(place == row)) for place in range(width)] for row in rows]
    right = [[mpq(0)] * width for _ in columns]
    for a, row in enumerate(right):
        for b, column in enumerate(columns):
            row[column] = inverted[b][a]
    total = sum((spread(u, labels) * spread(v, labels) for u, v in zip(left, right, strict=True)), mpq(0))
    return RankBound(judges, 1 / total, matrix(left), matrix(right))


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


def spread(row: Sequence[mpq], labels: int) -> mpq:
    """Return S(u): over the judges, Σ_r |u(r) − c| with the median as c, which makes it least.

    >>> spread((mpq(0), mpq(1), mpq(5), mpq(5)), 2)
    mpq(1,1)
    """
    total = mpq(0)
    for start in range(0, len(row), labels):
        part = sorted(row[start : start + labels])
        total += sum((abs(entry - part[labels // 2]) for entry in part), mpq(0))
    return total
