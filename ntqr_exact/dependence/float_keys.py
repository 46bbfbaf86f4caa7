"""Guesses in floats of keys: fractional keys that err nearly independently, or that reach far within a budget.

Expectation maximisation gives starts; programs about the rates of the last key improve them. Nothing here decides:
keys are rounded to whole numbers and measured exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import fsum, prod

from ntqr_exact.dependence.float_rows import ByLabel, FloatKey, FloatRows
from ntqr_exact.dependence.tree_checker import Problem
from ntqr_exact.linear.guess import least_cost
from ntqr_exact.work import spend

_PSEUDO = 0.5
_EM_STEPS = 60
_WIDTHS = (0.1, 0.03, 0.01, 0.003, 0.001)
_SEQUENCE = 30
_LARGEST = 0.25
OWN_STARTS = 8
"""The answers of so many judges are keys to start from."""

_LARGEST_PROGRAM = 30_000
"""Larger programs about a key are not solved."""

_PRICE = 30
"""Missing a condition by a share of the questions is as bad as so many times that share of dependence."""


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
                zero = [0.0] * len(given)
                self.side_rows.append(
                    [[bit - mean for bit in given] if k == r else zero for k in range(self.labels)]
                )

    def missed(self, key: FloatKey) -> float:
        """Return by how much, of all questions, a fractional key misses the conditions."""
        sums = [
            fsum(
                c * x
                for part, share in zip(parts, key, strict=True)
                for c, x in zip(part, share, strict=True)
            )
            for parts in self.side_rows
        ]
        return max(0.0, *(-value / self.rows.size for value in sums)) if sums else 0.0

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
        guesses = [
            ([[float(s[k] == top) for s, top in zip(votes, tops, strict=True)] for k in labels], _EM_STEPS)
        ]
        guesses += [
            ([[float(p[i] == label) for p in patterns] for label in labels], 8)
            for i in range(min(self.problem.judges, OWN_STARTS) if self.labels == 2 else 1)
        ]
        found = []
        for weights, steps in guesses:
            totals = [fsum(split) for split in zip(*weights, strict=True)]
            soft = [
                [
                    n * (0.8 * w / total + 0.2 / self.labels)
                    for n, w, total in zip(self.counts, part, totals, strict=True)
                ]
                for part in weights
            ]
            found.append(self.expectation_maximisation(soft, steps))
        if self.side_rows:  # a key that meets the conditions, however dependent
            node = self.rows.examine(self.problem.root(), _LARGEST)
            found += [] if node is None else [node.key]
        return found

    def expectation_maximisation(self, key: FloatKey, steps: int) -> FloatKey:
        """Return shares of the labels after so many steps of the latent class model."""
        patterns, labels = [p for p, _ in self.problem.counts], range(self.labels)
        judges = range(self.problem.judges)
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
                likelihoods.append(
                    [total * prod([row[r] for row, r in zip(rates, p, strict=True)]) for p in patterns]
                )
            totals = [fsum(split) or 1.0 for split in zip(*likelihoods, strict=True)]
            key = [
                [n * x / total for n, x, total in zip(self.counts, likelihoods[label], totals, strict=True)]
                for label in labels
            ]
        return key

    def improved(self, key: FloatKey, *, goal: ByLabel | None = None, delta: float | None = None) -> FloatKey:
        """Return a key that is locally best: programs about the rates of the last key, in shrinking ranges.

        Best is the least dependence; or, with a goal and a bound delta on dependence, the largest goal, less what the
        bound is missed by.
        """
        best, value, step = key, self._worth(key, goal, delta), 0
        size = self.program_size()
        if size > _LARGEST_PROGRAM:
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
        by_label: list[list[list[float]]] = []
        slopes: list[float] = []
        for share in key:
            size = fsum(share)
            block: list[list[float]] = []
            by_label.append(block)
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
        cost: dict[str, list[float]] = {}
        if goal is not None:
            last = goal[-1]
            cost["cost"] = [
                (b - a) / self.rows.size for part in goal[:-1] for a, b in zip(part, last, strict=True)
            ]
        found = least_cost(
            self.rows.program(
                by_label,
                self.side_rows,
                slopes,
                weight=1.0 if goal is None else 100.0,
                t_is_free=False,
                **cost,
            )
        )
        return None if found is None else self.rows.completed(found)

    def goal(self, weights: Sequence[tuple[int, tuple[int, int] | None, float]]) -> ByLabel:
        """Return what a question adds, by label: weights of (label, None or (judge, answer), weight)."""
        found = [[0.0] * len(self.counts) for _ in range(self.labels)]
        for label, cell, weight in weights:
            for place, (p, _) in enumerate(self.problem.counts):
                if cell is None or p[cell[0]] == cell[1]:
                    found[label][place] += weight
        return found
