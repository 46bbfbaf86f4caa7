"""The votes for which all judges could be safe, as whole points of polyhedra.

Votes n_p are told apart by their residues to a modulus; those of one class without an alarm are the whole points of a
union of polyhedra. Below, the factor is f = s/t and a judge is right on label l more often than Q_l/f.

**Judges by themselves.** On label l there is room for ⌈f·min_i R_li⌉ − 1 questions, or for none if some R_li = 0. All
fits in exactly if for some set J of labels every R_li ≥ 1 and Σ_J (⌈f·R_{i_l l}⌉ − 1) ≥ Q for all choices of a judge
i_l for each label. To the modulus t, t·⌈f·R⌉ is s·R and a constant.

**Pairs between two labels, jointly.** Either all questions are of one label, and both judges are right on more than
Q/f of them; or both labels have questions. Then those called aa may be moved to a and those called bb to b: this adds a
right answer of both where it adds a question. With g = f − 1, u of the A = n_ab questions on a, v of the B = n_ba, and
w = B − v, both are safe if v < g(n_aa + u), u < g(n_aa + v), A − u < g(n_bb + w) and w < g(n_bb + A − u). Each pair of
a lower and an upper bound of u gives a condition on v; as u is whole, nothing is lost.

*g = 1*: what is left is n_aa, n_bb ≥ 1 and A + 2 ≤ n_aa + n_bb + B, and the same with A and B exchanged.

*g = 2, 3, …*: v lies between max(0, 1 − n_aa, B + 1 − g(n_bb + A)) and min(B, B + n_bb − 1, g(n_aa + A) − 1), and
A + 2 ≤ g(n_aa + n_bb + B), ⌈(v+1)/g⌉ + ⌈(w+1)/g⌉ ≤ n_aa + n_bb + A. Some such v has the least sum that there is,
max(2, ⌈(B+2)/g⌉): an end at which v + 1 or w + 1 is a multiple of g, if the last bound of a side is the tighter one;
else v = g − 1, if it is inside; else the upper end, where both terms are 1. So a polyhedron is left.

*g = 1/2*: v lies between max(0, B + 1 − n_bb, B − ⌊(n_bb+A−1)/2⌋) and min(B, n_aa − 1, ⌊(n_aa+A−1)/2⌋), and
2B + 2 ≤ n_aa + n_bb + A, A ≤ ⌊(n_aa+v−1)/2⌋ + ⌊(n_bb+w−1)/2⌋. The last sum is the half of n_aa + n_bb + B − 2, rounded
down, but one less if both terms are halves of odd numbers. This matters only if 2A has the greatest value, the two
bounds with halves are then not the tightest, and at the others the numbers are even: v = 0 = B is left, with n_aa and
n_bb even. The same holds with A and B exchanged, where the two bounds with halves meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import gcd, lcm
from operator import mul

from gmpy2 import mpq


@dataclass(frozen=True, slots=True)
class AlarmCase:
    """Which alarm is counted: the numbers of judges, labels and judges in a group, and the factor."""

    judges: int
    labels: int
    group_size: int
    factor: mpq

    @property
    def patterns(self) -> list[tuple[int, ...]]:
        """The patterns of answers, R^N of them, in order."""
        return list(product(range(self.labels), repeat=self.judges))

    @property
    def modulus(self) -> int | None:
        """By which modulus votes are put into classes whose safe ones are unions of polyhedra; `None` if unknown."""
        denominator = int(self.factor.denominator)
        pair = self.judges == self.labels == self.group_size == 2 and (
            denominator == 1 or self.factor == mpq(3, 2)
        )
        return denominator if self.group_size == 1 or pair else None


def safe_polyhedra(case: AlarmCase, residues: Sequence[int]) -> list[Polyhedron]:
    """Return polyhedra that together hold those votes of a class of residues that raise no alarm.

    >>> from ntqr_exact.census.safe_votes import growth
    >>> growth(safe_polyhedra(AlarmCase(2, 2, 2, mpq(2)), (0, 0, 0, 0)))
    Growth(period=2, degree=3, start=3)
    """
    if case.group_size == 1:
        return list(_alone(case, residues))
    return list(_pairs(case.factor, residues))


def _alone(case: AlarmCase, residues: Sequence[int]) -> Iterator[Polyhedron]:
    patterns, judges = case.patterns, range(case.judges)
    top, below = int(case.factor.numerator), int(case.factor.denominator)

    def given(judge: int, label: int) -> tuple[int, ...]:
        return tuple(int(pattern[judge] == label) for pattern in patterns)

    # t·⌈s·R/t⌉ = s·R + rounding
    rounding = {
        (i, label): -top * sum(r for r, x in zip(residues, given(i, label), strict=True) if x) % below
        for i in judges
        for label in range(case.labels)
    }
    for size in range(1, case.labels + 1):
        for chosen in combinations(range(case.labels), size):
            rows: list[Inequality] = [(given(judge, label), 1) for label in chosen for judge in judges]
            for who in product(judges, repeat=size):
                places = list(zip(who, chosen, strict=True))
                sums = [sum(column) for column in zip(*(given(*place) for place in places), strict=True)]
                least = below * size - sum(rounding[place] for place in places)
                rows.append((tuple(top * x - below for x in sums), least))
            yield Polyhedron(len(patterns), tuple(dict.fromkeys(rows)))


def _pairs(factor: mpq, residues: Sequence[int]) -> Iterator[Polyhedron]:
    """Iterate over the polyhedra of (n_aa, n_ab, n_ba, n_bb): all of a, all of b, and both labels."""
    s, t = int(factor.numerator), int(factor.denominator)
    for first, second, neither in ("1100", "1010", "0001"), ("0011", "0101", "1000"):
        rows = [(tuple(s * int(x) - t for x in given), 1) for given in (first, second)]
        yield Polyhedron(4, (*rows, (tuple(-int(x) for x in neither), 0)))
    g, h = (s - t, 1) if t == 1 else (1, 2)
    both: list[Inequality] = [((g, g, -h, g), 2), ((g, -h, g, g), 2)]
    if g == 1:
        both += [((1, 0, 0, 0), 1), ((0, 0, 0, 1), 1)]
    else:
        both += [(tuple(map(int, ones)), 1) for ones in ("1100", "1010", "0101", "0011")]
        both += [((1, 1, 0, 1), 2), ((1, 0, 1, 1), 2)]
    if t == 1 or residues[0] or residues[3]:
        yield Polyhedron(4, tuple(both))
        return
    for some in (
        [((0, 1, 0, 0), 1), ((0, 0, 1, 0), 1)],
        [((0, 0, -1, 0), 0), ((1, -2, 0, 1), 4)],
        [((0, -1, 0, 0), 0), ((1, 0, -2, 1), 4)],
    ):
        yield Polyhedron(4, (*both, *some))


Inequality = tuple[tuple[int, ...], int]
"""(a, b): Σ a·n ≥ b."""


@dataclass(frozen=True, slots=True)
class Polyhedron:
    """The n ≥ 0 of this many coordinates that satisfy all inequalities."""

    coordinates: int
    inequalities: tuple[Inequality, ...]

    def __contains__(self, point: object) -> bool:
        """Whether a point satisfies all inequalities."""
        return isinstance(point, tuple) and all(
            sum(map(mul, row, point)) >= least for row, least in self.inequalities
        )

    def __and__(self, other: Polyhedron) -> Polyhedron:
        """Return the intersection."""
        return Polyhedron(self.coordinates, tuple({*self.inequalities, *other.inequalities}))


@dataclass(frozen=True, slots=True)
class Growth:
    """A number of points is a quasi-polynomial from `start` on, of at most a degree, of a period that divides one."""

    period: int
    degree: int
    start: int


def growth(union: Sequence[Polyhedron], modulus: int = 1) -> Growth:
    """Return what is known of the number of points with Σ n = Q and some residues to a modulus in a union.

    >>> growth([Polyhedron(2, (((2, -1), 0),))])  # the rays (1, 0) and (1, 2)
    Growth(period=3, degree=1, start=1)
    """
    period, start = modulus, 0
    for number in range(1, len(union) + 1):
        for some in combinations(union, number):
            common = some[0]
            for other in some[1:]:
                common &= other
            for *point, height in generators(common):
                if height == 0:
                    period = lcm(period, modulus * sum(point))
                else:
                    start = max(start, sum(point) // height + 1)
    return Growth(period, union[0].coordinates - 1, start)


def generators(polyhedron: Polyhedron) -> list[tuple[int, ...]]:
    """Return the vertices (v·h, h) and the rays (r, 0) of a polyhedron, each in lowest whole numbers.

    By double description (Motzkin and others, 1953): begin with the rays of n ≥ 0 and h ≥ 0, and cut with one
    inequality after the other. A new ray lies between two neighbours on both sides: no third ray satisfies with
    equality all the inequalities that both of them do.

    >>> sorted(generators(Polyhedron(1, (((2,), 3),))))
    [(1, 0), (3, 2)]
    """
    size = polyhedron.coordinates + 1
    unit = [tuple(int(i == j) for j in range(size)) for i in range(size)]
    rays: list[tuple[tuple[int, ...], frozenset[int]]] = [
        (ray, frozenset(range(size)) - {i}) for i, ray in enumerate(unit)
    ]
    for number, (row, least) in enumerate(sorted(polyhedron.inequalities), size):
        cut = (*row, -least)
        sides = [(ray, zeros, sum(a * x for a, x in zip(cut, ray, strict=True))) for ray, zeros in rays]
        kept = [(ray, zeros | {number} if value == 0 else zeros) for ray, zeros, value in sides if value >= 0]
        for up, up_zeros, above in sides:
            for down, down_zeros, below in sides:
                if above <= 0 or below >= 0:
                    continue
                common = up_zeros & down_zeros
                others = sum(1 for _, zeros in rays if common <= zeros)
                if others == 2:
                    mixed = [above * d - below * u for u, d in zip(up, down, strict=True)]
                    divisor = gcd(*mixed)
                    kept.append((tuple(x // divisor for x in mixed), common | {number}))
        rays = kept
    return [ray for ray, _ in rays]
