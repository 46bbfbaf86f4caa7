"""Guesses in floats about boxes of rates: the rows of a box, what refutes them, and where to split it.

Nothing here decides: multipliers are weighed exactly by `tree_checker.Problem.most`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.dependence.panel import answer_subsets
from ntqr_exact.dependence.tree_checker import CORNERS, Box, Problem, Rate, RowName
from ntqr_exact.linear.guess import FloatProgram, Optimum, least_cost

FloatKey: TypeAlias = list[list[float]]
"""Questions of each pattern with each label: `key[label][p]`."""

ByLabel: TypeAlias = list[list[float]]
"""What a question of each pattern adds if it has the label: `row[label][p]`."""


@dataclass(frozen=True, slots=True)
class Node:
    """What a solver says of a box: by how much rows must be missed, a point, and multipliers of the rows."""

    violation: float
    key: FloatKey
    multipliers: list[float]


_LARGEST = 10**15
"""Floats count questions one by one up to here; larger tests are counted in units of so many that there are fewer."""


class FloatRows:
    """The rows of a problem in floats, in the order of `names`."""

    def __init__(self, problem: Problem) -> None:
        """Prepare what does not depend on the box."""
        self.problem, self.labels = problem, problem.labels
        patterns = [p for p, _ in problem.counts]
        self.unit = max(1, problem.size // _LARGEST)
        self.counts = [scaled(mpq(n, self.unit)) for _, n in problem.counts]
        self.size = scaled(mpq(problem.size, self.unit))
        self.cells, self.subsets = answer_subsets(problem, problem.orders)
        self.given = [[int(p[i] == r) for p in patterns] for i, r in self.cells]
        place = {cell: k for k, cell in enumerate(self.cells)}
        self.codes: dict[tuple[int, ...], list[int]] = {}
        # The answers that count of each pattern, and the pairs and trios of them.
        has = [[place[cell] for cell in enumerate(p) if cell in place] for p in patterns]
        self.has = [
            [list(combinations(cells, order)) for cells in has] for order in (1, 2, 3)[: max(problem.orders)]
        ]
        self.conditions = [self._condition(condition) for condition in problem.conditions]
        self.names = self._names()

    def _names(self) -> list[RowName]:
        found: list[RowName] = []
        for label in range(self.labels):
            for i, r in self.cells:
                found += [("low", label, i, r), ("high", label, i, r)]
            for order, subsets in self.subsets.items():
                kinds = list(CORNERS) if order == 2 else ["+", "-"]
                for subset in subsets:
                    who, what = zip(*(self.cells[c] for c in subset), strict=True)
                    found += [("pair" if order == 2 else "trio", label, who, what, kind) for kind in kinds]
        return found + [("condition", k) for k in range(len(self.conditions))]

    def _condition(self, condition: Any) -> ByLabel:
        return [
            [
                float(
                    sum(
                        weight
                        for key, weight in condition.get(label, {}).items()
                        if all(p[i] == r for i, r in key)
                    )
                )
                for p, _ in self.problem.counts
            ]
            for label in range(self.labels)
        ]

    # -- programs ----------------------------------------------------------------------------------------

    def products(
        self, subset: tuple[int, ...], centres: Sequence[float], sign: float, constant: float
    ) -> list[float]:
        """Return sign·Π (p_i − centre) + constant for all patterns."""
        values = []
        for code in range(1 << len(subset)):
            value = sign
            for k, centre in enumerate(centres):
                value *= (code >> k & 1) - centre
            values.append(value + constant)
        if subset not in self.codes:  # which of the answers a pattern has, as bits
            given = zip(*(self.given[c] for c in subset), strict=True)
            self.codes[subset] = [sum(bit << k for k, bit in enumerate(bits)) for bits in given]
        return [values[code] for code in self.codes[subset]]

    def label_rows(self, box: Box, label: int, delta: float) -> list[list[float]]:
        """Return the rows of a label: what each question adds."""
        ends = [tuple(map(float, box[label, i, r])) for i, r in self.cells]
        rows = []
        for (low, high), given in zip(ends, self.given, strict=True):
            rows += [[bit - low for bit in given], [high - bit for bit in given]]
        for order, subsets in self.subsets.items():
            for subset in subsets:
                if order == 2:
                    for a, b in CORNERS.values():
                        centres = [ends[subset[0]][a], ends[subset[1]][b]]
                        rows.append(self.products(subset, centres, 1.0 if a == b else -1.0, delta))
                    continue
                middles = [(ends[c][0] + ends[c][1]) / 2 for c in subset]
                h = [(ends[c][1] - ends[c][0]) / 2 for c in subset]
                slack = delta + (delta if 2 in self.subsets else 0.25) * fsum(h) + h[0] * h[1] * h[2]
                rows += [self.products(subset, middles, sign, slack) for sign in (1.0, -1.0)]
        return rows

    def program(
        self,
        by_label: Sequence[list[list[float]]],
        together: Sequence[ByLabel],
        slopes: list[float],
        **options: Any,
    ) -> FloatProgram:
        """Return the program of rows of each label, and of all; the last label takes what the others leave."""
        size, free = len(self.counts), self.labels - 1
        rows, constants = [], []
        for label, block in enumerate(by_label):
            for row in block:
                rows.append(
                    [0.0] * (size * label) + row + [0.0] * (size * (free - 1 - label))
                    if label < free
                    else [-c for c in row] * free
                )
                constants.append(0.0 if label < free else _sum_of_products(row, self.counts))
        for parts in together:
            rows.append([a - b for part in parts[:-1] for a, b in zip(part, parts[-1], strict=True)])
            constants.append(_sum_of_products(parts[-1], self.counts))
        if free > 1:  # the labels of a pattern do not take more than there is
            for p, n in enumerate(self.counts):
                rows.append([-1.0 if k % size == p else 0.0 for k in range(size * free)])
                constants.append(n)
            slopes = slopes + [0.0] * size
        options.setdefault("cost", [0.0] * (size * free))
        return FloatProgram(rows, constants, slopes, self.counts * free, **options)

    def completed(self, found: Optimum) -> FloatKey:
        """Return the questions of all labels at the point found."""
        size = len(self.counts)
        parts = [found.point[start : start + size] for start in range(0, len(found.point), size)]
        return [*parts, [max(0.0, n - fsum(split)) for n, *split in zip(self.counts, *parts, strict=True)]]

    def examine(self, box: Box, delta: float) -> Node | None:
        """Return the least t such that all rows are at least −t somewhere: above 0 they contradict each other."""
        rows = [self.label_rows(box, label, delta) for label in range(self.labels)]
        slopes = [1.0] * len(self.names)
        found = least_cost(self.program(rows, self.conditions, slopes, weight=1.0, t_is_free=True))
        if found is None:
            return None
        return Node(found.value, self.completed(found), found.multipliers[: len(self.names)])

    # -- measures ----------------------------------------------------------------------------------------

    def rates(self, share: Sequence[float]) -> list[float]:
        """Return the rates on a label with so many questions of each pattern."""
        size = fsum(share)
        return [_sum_of_products(given, share) / size for given in self.given]

    def moments(self, share: Sequence[float]) -> dict[tuple[int, ...], float]:
        """Return Γ of all pairs and trios that count on a label."""
        size = fsum(share)
        mean: dict[tuple[int, ...], float] = {}
        for by_pattern in self.has:
            for subsets, x in zip(by_pattern, share, strict=True):
                if x:
                    for subset in subsets:
                        mean[subset] = mean.get(subset, 0.0) + x / size
        one = [mean.get((cell,), 0.0) for cell in range(len(self.cells))]
        found: dict[tuple[int, ...], float] = {}
        for a, b in self.subsets.get(2, ()):
            found[a, b] = mean.get((a, b), 0.0) - one[a] * one[b]
        for trio in self.subsets.get(3, ()):
            a, b, c = trio
            mixed = fsum(mean.get((x, y), 0.0) * one[z] for x, y, z in ((a, b, c), (a, c, b), (b, c, a)))
            found[trio] = mean.get(trio, 0.0) - mixed + 2 * one[a] * one[b] * one[c]
        return found

    def dependence(self, key: FloatKey) -> float:
        """Return the largest |Γ| of a fractional key."""
        occupied = [share for share in key if fsum(share) > 1e-9]
        return max((abs(value) for share in occupied for value in self.moments(share).values()), default=0.0)

    def widest(self, box: Box, key: FloatKey, delta: float) -> tuple[Rate, Any] | None:
        """Return the rate to split and where: the one whose range lets the point pass for less dependent than it is."""
        best: tuple[float, Rate, float] | None = None
        for label, share in enumerate(key):
            if fsum(share) < 1e-9:
                continue
            rates = self.rates(share)
            for subset, value in self.moments(share).items():
                for cell in subset:
                    rate = (label, *self.cells[cell])
                    score = (abs(value) - delta) * float(box[rate][1] - box[rate][0])
                    if score > 0 and (best is None or score > best[0]):
                        best = (score, rate, rates[cell])
        if best is not None:
            return best[1], exact(best[2])
        rate = max(box, key=lambda name: (box[name][1] - box[name][0], name))
        low, high = box[rate]
        return (rate, (low + high) / 2) if high - low > 1e-6 else None


def _sum_of_products(first: Sequence[float], second: Sequence[float]) -> float:
    return fsum([a * b for a, b in zip(first, second, strict=True)])


def scaled(number: Any) -> float:
    """Return a rational as a float."""
    return float(number)


def exact(number: float, grid: int = 10**12) -> mpq:
    """Return a float as a rational, a multiple of 1/grid."""
    return mpq(round(number * grid), grid)
