"""Least dependence for any number of labels, from the rank of covariances of four judges.

Stack the covariances of the answers of judges i, j with those of judges k, l in a matrix C, one row for each answer of i
and of j, one column for each of k and of l. Under a key, C = B + E, where B = Σ_l P_l·(rates of i, j on l − overall
rates)·(the same for k, l)ᵀ has rank at most R − 1, since the R deviations add up to zero, and E = Σ_l P_l·Γ^l has no
entry above δ. If U·C·Vᵀ = I_R, then I − U·E·Vᵀ = U·B·Vᵀ is singular, so that 1 is an eigenvalue of K = U·E·Vᵀ. The rows
of E belonging to one judge add up to zero, and so do its columns: |K_ab| ≤ δ·S(u_a)·S(v_b), where S adds up, over the
judges, min_c Σ_r |u(r) − c|. The spectral radius of K is at most that of δ·S(u)S(v)ᵀ, which is δ·Σ_a S(u_a)·S(v_a). Hence
δ ≥ 1/Σ_a S(u_a)·S(v_a), for any U and V: they are guessed, the identity U·C·Vᵀ = I_R is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from gmpy2 import mpq

from ntqr_exact.algebra.rational_matrix import Matrix, inverse, matrix, multiply
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.votes.counts import VoteCounts

_SWEEPS = 6
"""So many times directions are multiplied by C·Cᵀ: enough for a good guess."""

_BITS = 24


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
        return (
            f"the covariances of ({i}, {j}) with ({k}, {m}) have rank {rank}, keys of {rank} labels without "
            f"correlations give less: fails below {fixed_text(self.value, 6)}"
        )


def rank_bounds(votes: VoteCounts) -> Iterator[RankBound]:
    """Iterate over the bounds of all two judges against two others; there are none for fewer than four judges."""
    places = range(len(votes.judges))
    for four in combinations(places, 4):
        i, j, k, m = four
        for order in ((i, j, k, m), (i, k, j, m), (i, m, j, k)):
            found = _bound(votes, order)
            if found is not None:
                yield found


def covariance_block(votes: VoteCounts, judges: tuple[int, int, int, int]) -> list[list[mpq]]:
    """Return C: the covariances of each answer of the first two judges with each answer of the last two."""
    size = votes.size
    cells = list(product((0, 1), range(len(votes.labels))))
    index = {label: place for place, label in enumerate(votes.labels)}
    responses = [list(votes.responses(i).values()) for i in judges]
    joint = [[0] * len(cells) for _ in cells]
    width = len(votes.labels)
    for pattern, count in votes.counts.items():
        i, j, k, m = (index[pattern[place]] for place in judges)
        for row in (i, width + j):
            for column in (k, width + m):
                joint[row][column] += count
    return [
        [
            mpq(size * joint[row][column] - responses[a][r] * responses[2 + b][s], size * size)
            for column, (b, s) in enumerate(cells)
        ]
        for row, (a, r) in enumerate(cells)
    ]


def _bound(votes: VoteCounts, judges: tuple[int, int, int, int]) -> RankBound | None:
    labels = len(votes.labels)
    block = matrix(covariance_block(votes, judges))
    left = _directions(block, labels)
    right = _directions(tuple(zip(*block, strict=True)), labels)
    middle = multiply(multiply(left, block), tuple(zip(*right, strict=True)))
    turned = inverse(middle)
    if turned is None:
        return None
    # V = (U C Gᵀ)^{−T} G makes U C Vᵀ the identity, whatever the guesses U and G.
    right = multiply(tuple(zip(*turned, strict=True)), right)
    total = sum(
        (spread(u, labels) * spread(v, labels) for u, v in zip(left, right, strict=True)), mpq(0)
    )
    return RankBound(judges, 1 / total, left, right)


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


def _directions(block: Matrix, how_many: int) -> Matrix:
    """Guess the rows u that keep most of the block: directions multiplied by C·Cᵀ and made orthogonal, rounded."""
    square = multiply(block, tuple(zip(*block, strict=True)))
    size = len(square)
    rows = [[mpq(1 + (3 * a + 5 * b) % 7) * (-1) ** (a * b) for b in range(size)] for a in range(how_many)]
    for _ in range(_SWEEPS):
        rows = [
            [sum((square[i][j] * row[j] for j in range(size)), mpq(0)) for i in range(size)] for row in rows
        ]
        for a, row in enumerate(rows):
            for other in rows[:a]:
                norm = sum((x * x for x in other), mpq(0))
                if norm:
                    share = sum((x * y for x, y in zip(row, other, strict=True)), mpq(0)) / norm
                    row[:] = [x - share * y for x, y in zip(row, other, strict=True)]
            largest = max(abs(x) for x in row)
            if largest:
                row[:] = [mpq(int(x / largest * 2**_BITS), 2**_BITS) for x in row]
    return matrix(rows)
