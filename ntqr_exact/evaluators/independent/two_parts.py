"""Is a table of counts the sum of two product tables in whole numbers? Decided in closed form.

Say it is, with shares P and 1 − P and rates p_i, q_i of judge i on the two parts. The covariances of the answers
k of judge i and l of judge j are

    C_ij[k, l] = P(1 − P)(q_i[k] − p_i[k])(q_j[l] − p_j[l]),

so that C_ij is 0 exactly if one of the two judges has the same rates on both parts. Let T be the judges with
some C_ij ≠ 0. If the table is no product itself, T has two judges at least, and every judge outside T has the same
rates on both parts: the table is (that of T) times the rates of the others.

- Three judges or more in T: merging all answers of each but one leaves a trio of two answers whose moments do not
  vanish. Its closed form has two mirror images as its only solutions, and the C_ij give all other rates.
- Two judges in T: with L the common denominator of the products of the others' rates, a part has whole counts
  exactly if its table of T is divisible by L. What remains is to write a matrix of whole numbers as the sum of two
  of rank one: with two rows or two columns, these themselves are the parts; else see `rank_two_parts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import gcd, lcm, prod

import gmpy2
from gmpy2 import mpq

from ntqr_exact.evaluators.independent.product_tables import (
    Place,
    Table,
    WorkBudget,
    difference,
    is_product,
    margins,
    product_table,
)
from ntqr_exact.evaluators.independent.whole_moments import moments_of

Covariance = dict[tuple[int, int], int]
"""Q²C_ij by the answers of the two judges."""


def two_parts(table: Table, work: WorkBudget) -> tuple[Table, Table] | None:
    """Return two product tables that add up to a table (the second is empty if one is enough), or `None`.

    >>> two_parts({(0, 0, 0): 2, (1, 1, 1): 1}, WorkBudget(100))
    ({(1, 1, 1): 1}, {(0, 0, 0): 2})
    """
    if is_product(table):
        return table, {}
    given = margins(table)
    size = sum(table.values())
    covariances = {
        pair: covariance
        for pair in combinations(range(len(given)), 2)
        if any((covariance := _covariance(table, given, size, pair)).values())
    }
    telling = sorted({judge for pair in covariances for judge in pair})
    # All of T differ on the parts, so that none of their covariances vanishes.
    if len(telling) < 2 or len(covariances) != len(telling) * (len(telling) - 1) // 2:
        return None
    if len(telling) == 2:
        return _two_tell(table, given, size, (telling[0], telling[1]), work)
    return _three_tell(table, given, size, telling, covariances)


def _covariance(table: Table, given: list[dict[int, int]], size: int, pair: tuple[int, int]) -> Covariance:
    i, j = pair
    found = {(k, m): -a * b for k, a in given[i].items() for m, b in given[j].items()}
    for pattern, count in table.items():
        found[pattern[i], pattern[j]] += size * count
    return found


# -- three judges or more tell the parts apart -------------------------------------------------------


def _three_tell(
    table: Table,
    given: list[dict[int, int]],
    size: int,
    telling: list[int],
    covariances: dict[tuple[int, int], Covariance],
) -> tuple[Table, Table] | None:
    i, j, k = telling[:3]
    # C_ij is a product: an answer with a covariance that is not 0 has rates that differ, with any other judge.
    answer_i, answer_j = next(answers for answers, value in covariances[i, j].items() if value)
    answer_k = next(
        (m for (first, m), value in covariances[i, k].items() if first == answer_i and value), None
    )
    if answer_k is None or not covariances[j, k][answer_j, answer_k]:
        return None
    chosen = {i: answer_i, j: answer_j, k: answer_k}
    merged: dict[tuple[bool, ...], int] = {}
    for pattern, count in table.items():
        answers = (pattern[i] == answer_i, pattern[j] == answer_j, pattern[k] == answer_k)
        merged[answers] = merged.get(answers, 0) + count
    whole = moments_of(merged)
    if whole.discriminant <= 0 or not gmpy2.is_square(whole.discriminant):
        return None
    root = int(gmpy2.isqrt(whole.discriminant))
    # With s = √A: P = (1 + T/s)/2, and judge i gives its answer on the parts with rates that differ by s/Δ_jk.
    questions, rest = divmod(size * (root + whole.trio), 2 * root)
    if rest or not 0 < questions < size:
        return None
    moments = {i: whole.pair[1, 2], j: whole.pair[0, 2], k: whole.pair[0, 1]}
    by_judge: list[dict[int, int]] = []
    for judge, answers_given in enumerate(given):
        if judge not in telling:
            # The same rates on both parts.
            counts = {answer: mpq(times * questions, size) for answer, times in answers_given.items()}
        else:
            other = i if judge != i else j
            # With d = s/Δ for the other judge's answer, Q·P·(rate − rate on the part) is Q·C/d.
            scale = mpq(moments[other], root)
            counts = {
                answer: mpq(times * questions, size)
                - scale * _between(covariances, (judge, answer), (other, chosen[other]))
                for answer, times in answers_given.items()
            }
        if any(count.denominator != 1 or count < 0 for count in counts.values()):
            return None
        by_judge.append({answer: int(count) for answer, count in counts.items()})
    part = product_table(questions, by_judge)
    left = None if part is None else difference(table, part)
    return (part, left) if part is not None and left is not None and is_product(left) else None


def _between(
    covariances: dict[tuple[int, int], Covariance], left: tuple[int, int], right: tuple[int, int]
) -> int:
    (i, k), (j, m) = sorted((left, right))
    return covariances[i, j][k, m]


# -- two judges tell the parts apart -----------------------------------------------------------------


def _two_tell(
    table: Table, given: list[dict[int, int]], size: int, pair: tuple[int, int], work: WorkBudget
) -> tuple[Table, Table] | None:
    i, j = pair
    others = [judge for judge in range(len(given)) if judge not in pair]
    joint: dict[tuple[int, int], int] = {}
    shares: dict[Place, mpq] = {}
    for pattern, count in table.items():
        joint[pattern[i], pattern[j]] = joint.get((pattern[i], pattern[j]), 0) + count
        rest = tuple(pattern[judge] for judge in others)
        if rest not in shares:
            shares[rest] = prod(
                (mpq(given[judge][answer], size) for judge, answer in zip(others, rest, strict=True)),
                start=mpq(1),
            )
    # Both sides add up to Q: what was not seen needs no look.
    for pattern, count in table.items():
        rest = tuple(pattern[judge] for judge in others)
        if joint[pattern[i], pattern[j]] * shares[rest] != count:
            return None
    step = lcm(*(int(share.denominator) for share in shares.values()))
    answers_i, answers_j = sorted(given[i]), sorted(given[j])
    first = rank_two_parts([[joint.get((k, m), 0) // step for m in answers_j] for k in answers_i], work)
    if first is None:
        return None
    part: Table = {}
    for pattern in table:
        entry = first[answers_i.index(pattern[i])][answers_j.index(pattern[j])]
        if entry:
            part[pattern] = int(step * entry * shares[tuple(pattern[judge] for judge in others)])
    left = difference(table, part)
    return None if left is None else (part, left)


def rank_two_parts(rows: list[list[int]], work: WorkBudget) -> list[list[int]] | None:
    """Return one of two matrices of rank one, in whole numbers from 0, that add up to a matrix, or `None`.

    Say M = u vᵀ + w zᵀ of rank 2, with u and w of greatest common divisor 1 (a common factor goes into v or z). All
    columns lie in the plane of u and w, between them. Sorted by direction, the first column is no multiple
    of w, so that u is at most this column, and the last is no multiple of u. So u is a point of the plane
    below the first column, the last column less a multiple of u is a multiple of w, and the rest is linear.

    >>> rank_two_parts([[1, 1, 0], [0, 1, 1], [1, 2, 1]], WorkBudget(100))
    [[1, 1, 0], [0, 0, 0], [1, 1, 0]]
    """
    if len(rows) == 2:
        return [rows[0], [0] * len(rows[0])]
    columns = list(zip(*rows, strict=True))
    if len(columns) == 2:
        return [[row[0], 0] for row in rows]
    plane = _plane(columns)
    if plane is None:
        return None
    low, high = plane.low, plane.high
    # All entries are at least 0, so that directions in the plane are ordered by the slope of two coordinates.
    first = min(columns, key=lambda column: mpq(column[high], column[low] + column[high]))
    last = max(columns, key=lambda column: mpq(column[high], column[low] + column[high]))
    for start in plane.points_below(first, work):
        for end in _ends(last, start):
            work.spend()
            times = []
            for column in columns:
                split = _coordinates(column, start, end, (low, high))
                if split is None:
                    break
                times.append(split[0])
            else:
                return [[entry * factor for factor in times] for entry in start]
    return None


@dataclass(frozen=True, slots=True)
class _Plane:
    """The plane of the columns: a point x of it is (x_low·left + x_high·right)/determinant."""

    low: int
    high: int
    determinant: int
    left: tuple[int, ...]
    right: tuple[int, ...]

    def point(self, x: int, y: int) -> tuple[int, ...] | None:
        """Return the point with these coordinates, if it is in whole numbers."""
        scaled = [x * a + y * b for a, b in zip(self.left, self.right, strict=True)]
        if any(entry % self.determinant for entry in scaled):
            return None
        return tuple(entry // self.determinant for entry in scaled)

    def points_below(self, column: tuple[int, ...], work: WorkBudget) -> Iterator[tuple[int, ...]]:
        """Yield the points in whole numbers of greatest common divisor 1, from 0 to the first column.

        On the side of the first column, a point other than 0 has a low coordinate of 1 at least.
        """
        for x in range(column[self.low], 0, -1):
            for y in range(column[self.high], -1, -1):
                work.spend()
                point = self.point(x, y)
                if (
                    point is not None
                    and gcd(*point) == 1
                    and all(0 <= entry <= most for entry, most in zip(point, column, strict=True))
                ):
                    yield point


def _plane(columns: list[tuple[int, ...]]) -> _Plane | None:
    """Return the plane of the columns by two coordinates that fix a point of it, or `None` if there is none."""
    low, high, s, t = next(
        (low, high, s, t)
        for s, t in combinations(columns, 2)
        for low, high in combinations(range(len(s)), 2)
        if s[low] * t[high] != s[high] * t[low]
    )
    plane = _Plane(
        low,
        high,
        s[low] * t[high] - s[high] * t[low],
        tuple(t[high] * x - s[high] * y for x, y in zip(s, t, strict=True)),
        tuple(s[low] * y - t[low] * x for x, y in zip(s, t, strict=True)),
    )
    return plane if all(plane.point(column[low], column[high]) == column for column in columns) else None


def _ends(column: tuple[int, ...], start: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the directions, of greatest common divisor 1, of a column less any multiple of the start."""
    most = min(entry // x for entry, x in zip(column, start, strict=True) if x)
    for times in range(most + 1):
        rest = [entry - times * x for entry, x in zip(column, start, strict=True)]
        divisor = gcd(*rest)
        if divisor:
            yield tuple(entry // divisor for entry in rest)


def _coordinates(
    column: tuple[int, ...], start: tuple[int, ...], end: tuple[int, ...], places: tuple[int, int]
) -> tuple[int, int] | None:
    """Return how often start and end make up a column of their plane, if that is so in whole numbers from 0."""
    low, high = places
    determinant = start[low] * end[high] - start[high] * end[low]
    if determinant == 0:
        return None
    first, rest = divmod(column[low] * end[high] - column[high] * end[low], determinant)
    second, more = divmod(start[low] * column[high] - start[high] * column[low], determinant)
    return None if rest or more or first < 0 or second < 0 else (first, second)
