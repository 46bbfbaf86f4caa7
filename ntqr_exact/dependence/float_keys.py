"""Guesses in floats: what refutes a box of rates and where to split it, and fractional keys.

Keys err nearly independently, or reach far within a budget: expectation maximisation gives starts, and programs about
the rates of the last key improve them. Nothing here decides: multipliers are weighed exactly by
`tree_checker.Problem.most`, and keys are rounded to whole numbers and measured exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import fsum, prod
from operator import getitem
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.budget import spend
from ntqr_exact.dependence.panel import answer_subsets
from ntqr_exact.dependence.tree_checker import CORNERS, Box, Problem, Rate, RowName, added
from ntqr_exact.linear.guess import FloatProgram, Optimum, least_cost

FloatKey: TypeAlias = list[list[float]]
"""Questions of each pattern with each label: `key[label][p]`."""

ByLabel: TypeAlias = list[list[float]]
"""What a question of each pattern adds if it has the label: `row[label][p]`."""

_PSEUDO = 0.5
_EM_STEPS = 60
_WIDTHS = (0.1, 0.03, 0.01, 0.003, 0.001)
_SEQUENCE = 30
_MOST_CORRELATED = 0.25
OWN_STARTS = 8
"""The answers of so many judges are keys to start from."""

_LARGEST = 10**15
"""Floats count questions one by one up to here; larger tests are counted in units of so many that there are fewer."""

_LARGEST_PROGRAM = 30_000
"""Larger programs about a key are not solved."""

_PRICE = 30
"""Missing a condition by a share of the questions is as bad as so many times that share of dependence."""


@dataclass(frozen=True, slots=True)
class Node:
    """What a solver says of a box: by how much rows must be missed, a point, and multipliers of the rows."""

    violation: float
    key: FloatKey
    multipliers: list[float]


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
        numbers: dict[tuple[int, ...], int] = {}
        self.has = [
            [[numbers.setdefault(s, len(numbers)) for s in combinations(cells, order)] for cells in has]
            for order in (1, 2, 3)[: max(problem.orders)]
        ]
        self.numbered = tuple(numbers)
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
        labels = range(self.labels)
        return [[float(added(condition.get(k, {}), p)) for p, _ in self.problem.counts] for k in labels]

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
            before, after = [0.0] * (size * label), [0.0] * (size * (free - 1 - label))
            for row in block:
                rows.append(before + row + after if label < free else [-c for c in row] * free)
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
        sums = [0.0] * len(self.numbered)
        for by_pattern in self.has:
            for places, x in zip(by_pattern, share, strict=True):
                if x:
                    part = x / size
                    for k in places:
                        sums[k] += part
        mean = dict(zip(self.numbered, sums, strict=True))
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
        return max(
            (max(map(abs, self.moments(share).values()), default=0.0) for share in occupied), default=0.0
        )

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


class FloatKeys:
    """Fractional keys of a problem."""

    def __init__(self, problem: Problem) -> None:
        """Prepare the rows, and those that a key should meet with a question to spare: it is rounded later."""
        self.problem = problem
        self.rows = rows = FloatRows(problem)
        self.counts, self.labels = rows.counts, problem.labels
        spare = 1 / rows.size
        self.side_rows = [[[c - spare for c in part] for part in parts] for parts in rows.conditions]
        for i in problem.better:
            for r in problem.answers:
                mean, given = float(problem.overall[i, r]), rows.given[rows.cells.index((i, r))]
                parts = [[0.0] * len(given) for _ in range(self.labels)]
                parts[r] = [bit - mean for bit in given]
                self.side_rows.append(parts)

    def missed(self, key: FloatKey) -> float:
        """Return by how much, of all questions, a fractional key misses the conditions."""
        return max([0.0, *(-self.gain(parts, key) / self.rows.size for parts in self.side_rows)])

    def meets(self, key: FloatKey) -> bool:
        """Tell whether a fractional key meets the conditions, up to the question to spare."""
        return self.missed(key) <= 1 / self.rows.size + 1e-9

    def near(self) -> list[tuple[FloatKey, float]]:
        """Return fractional keys and their dependence, the best first."""
        size = self.program_size()
        many = max(1, _LARGEST_PROGRAM // size // 2) if size else 1
        starts = sorted(self.starts(), key=lambda key: self.missed(key) + self.rows.dependence(key))
        improved = [self.improved(start) for start in starts[:many]]
        met = [key for key in improved if self.meets(key)] or improved
        return sorted(((key, self.rows.dependence(key)) for key in met), key=lambda item: item[1])

    def starts(self) -> list[FloatKey]:
        """Return fractional keys to start from: expectation maximisation from the majority and from each judge."""
        patterns, labels = [p for p, _ in self.problem.counts], range(self.labels)
        votes = [[p.count(label) for label in labels] for p in patterns]
        tops = [max(split) for split in votes]
        majority = [[float(s[k] == top) for s, top in zip(votes, tops, strict=True)] for k in labels]
        judges = range(min(self.problem.judges, OWN_STARTS) if self.labels == 2 else 1)
        own = [[[float(p[i] == label) for p in patterns] for label in labels] for i in judges]
        guesses = [(majority, _EM_STEPS), *((guess, 8) for guess in own)]
        found = []
        for weights, steps in guesses:
            totals = [fsum(split) for split in zip(*weights, strict=True)]
            parts = (zip(self.counts, part, totals, strict=True) for part in weights)
            soft = [[n * (0.8 * w / total + 0.2 / self.labels) for n, w, total in part] for part in parts]
            found.append(self.expectation_maximisation(soft, steps))
        if self.side_rows:  # a key that meets the conditions, however dependent
            node = self.rows.examine(self.problem.root(), _MOST_CORRELATED)
            found += [] if node is None else [node.key]
        return found

    def expectation_maximisation(self, key: FloatKey, steps: int) -> FloatKey:
        """Return shares of the labels after so many steps of the latent class model."""
        patterns, judges = [p for p, _ in self.problem.counts], range(self.problem.judges)
        for _ in range(steps):
            spend("guesses of the key", self.labels * len(patterns) * (len(judges) + 2) // 6)
            likelihoods = []
            for share in key:
                total = fsum(share)
                sums = [[_PSEUDO] * self.labels for _ in judges]
                for p, x in zip(patterns, share, strict=True):
                    for i in judges:
                        sums[i][p[i]] += x
                rates = [[x / (total + self.labels * _PSEUDO) for x in row] for row in sums]
                likelihoods.append([total * prod(map(getitem, rates, p)) for p in patterns])
            totals = [fsum(split) or 1.0 for split in zip(*likelihoods, strict=True)]
            parts = (zip(self.counts, part, totals, strict=True) for part in likelihoods)
            key = [[n * x / total for n, x, total in part] for part in parts]
        return key

    def improved(self, key: FloatKey, *, goal: ByLabel | None = None, delta: float | None = None) -> FloatKey:
        """Return a key that is locally best: programs about the rates of the last key, in shrinking ranges.

        Best is the least dependence; or, with a goal and a bound delta on dependence, the largest goal, less what the
        bound is missed by.
        """
        best, value, step = key, self._worth(key, goal, delta), 0
        if self.program_size() > _LARGEST_PROGRAM:
            return best
        for _ in range(_SEQUENCE):
            found = self._linear_step(best, _WIDTHS[step], goal, delta)
            worth = None if found is None else self._worth(found, goal, delta)
            if found is not None and worth is not None and worth > value + 1e-9 * (1 + abs(value)):
                small = worth - value < 1e-3 * abs(value)
                best, value = found, worth
                if not small:
                    continue
            step += 1
            if step == len(_WIDTHS):
                break
        return best

    def program_size(self) -> int:
        """Return how large the programs about a key are: correlations times variables."""
        cells = sum(map(len, self.rows.subsets.values()))
        return cells * self.labels * len(self.counts) * (self.labels - 1) ** 2

    def _worth(self, key: FloatKey, goal: ByLabel | None, delta: float | None) -> float:
        dependence = max(self.rows.dependence(key), _PRICE * self.missed(key))
        if goal is None or delta is None:
            return -dependence
        return self.gain(goal, key) / self.rows.size - 100 * max(0.0, dependence - delta)

    def gain(self, goal: ByLabel, key: FloatKey) -> float:
        """Return what a fractional key adds up to."""
        return fsum(
            c * x for part, share in zip(goal, key, strict=True) for c, x in zip(part, share, strict=True)
        )

    def _linear_step(
        self, key: FloatKey, width: float, goal: ByLabel | None, delta: float | None
    ) -> FloatKey | None:
        """Solve the program whose correlations are taken about the rates of a key."""
        bound = delta or 0.0
        by_label: list[list[list[float]]] = [[] for _ in key]
        slopes: list[float] = []
        for share, block in zip(key, by_label, strict=True):
            size = fsum(share)
            if size < 1e-6:
                continue
            rates = self.rows.rates(share)
            for rate, given in zip(rates, self.rows.given, strict=True):
                block += [[width - bit + rate for bit in given], [width + bit - rate for bit in given]]
            slopes += [0.0] * len(block)
            for subset in chain(*self.rows.subsets.values()):
                centres = [rates[c] for c in subset]
                block += [self.rows.products(subset, centres, sign, bound) for sign in (-1.0, 1.0)]
            slopes += [size] * (len(block) - 2 * len(rates))
        slopes += [self.rows.size / _PRICE] * len(self.side_rows)
        options: dict[str, Any] = {"weight": 1.0 if goal is None else 100.0, "t_is_free": False}
        if goal is not None:
            parts = (zip(part, goal[-1], strict=True) for part in goal[:-1])
            options["cost"] = [(b - a) / self.rows.size for part in parts for a, b in part]
        found = least_cost(self.rows.program(by_label, self.side_rows, slopes, **options))
        return None if found is None else self.rows.completed(found)


def _sum_of_products(first: Sequence[float], second: Sequence[float]) -> float:
    return fsum([a * b for a, b in zip(first, second, strict=True)])


def scaled(number: Any) -> float:
    """Return a rational as a float."""
    return float(number)


def exact(number: float) -> mpq:
    """Return a float as a rational, a multiple of 10⁻¹²."""
    return mpq(round(number * 10**12), 10**12)
