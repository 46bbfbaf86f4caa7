"""Guesses in floats about dependence: rows of a box as arrays, what refutes them, and keys that come near.

Nothing here decides: multipliers are weighed exactly by `tree_checker.Problem.most`, keys are rounded to whole
numbers and measured exactly. Two labels are solved by `float_simplex`, more by HiGHS (scipy, an extra).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import combinations, product
from typing import Any

from ntqr_exact.dependence.float_simplex import Optimum, least_cost
from ntqr_exact.dependence.tree_checker import CORNERS, Box, Cuts, Problem
from ntqr_exact.errors import NotSupported

_PSEUDO = 0.5
_EM_STEPS = 60
_WIDTHS = (0.1, 0.03, 0.01, 0.003, 0.001)
_SEQUENCE = 30
_LARGEST = 0.25
_LARGEST_PROGRAM = 30_000
_PRICE = 30
"""Missing a condition by a share of the questions is as bad as so many times that share of dependence."""


@dataclass(frozen=True, slots=True)
class Node:
    """What a solver says of a box: by how much rows must be missed, a point, and multipliers of the rows."""

    violation: float
    key: Any
    multipliers: Any


_LARGEST = 10**300


class FloatRows:
    """The rows of a problem as float arrays, in the order of `Problem.row_names`."""

    def __init__(self, problem: Problem) -> None:
        """Prepare what does not depend on the box."""
        import numpy as np

        self.np = np
        self.problem = problem
        self.labels = problem.labels
        if sum(n for _, n in problem.counts) > _LARGEST:
            raise NotSupported(
                len(problem.counts), "the counts are too large for the floats that guess", "scale them"
            )
        self.counts = np.array([n for _, n in problem.counts], dtype=np.float64)
        self.cells = list(product(range(problem.judges), problem.answers))
        self.seen = np.array(
            [[p[i] == r for p, _ in problem.counts] for i, r in self.cells], dtype=np.float64
        )
        place = {cell: k for k, cell in enumerate(self.cells)}
        self.subsets: dict[int, Any] = {
            order: np.array(
                [
                    [place[i, r] for i, r in zip(who, what, strict=True)]
                    for who in combinations(range(problem.judges), order)
                    for what in product(problem.answers, repeat=order)
                ],
                dtype=np.intp,
            ).reshape(-1, order)
            for order in (2, 3)
            if order == 2 or order in problem.orders
        }
        self.subsets.setdefault(3, np.zeros((0, 3), dtype=np.intp))
        pairs = self.subsets[2]
        self.pair_seen = self.seen[pairs[:, 0]] * self.seen[pairs[:, 1]]
        self.overall = np.array([float(problem.overall[cell]) for cell in self.cells])
        self.condition_rows = [
            [
                sum(
                    (
                        float(weight)
                        * np.array([float(all(p[i] == r for i, r in key)) for p, _ in problem.counts])
                        for key, weight in condition.get(label, {}).items()
                    ),
                    np.zeros(len(self.counts)),
                )
                for label in range(self.labels)
            ]
            for condition in problem.conditions
        ]

        zero = np.zeros(len(self.counts))
        # A question to spare: a key that is rounded to whole numbers should still meet the conditions.
        spare = 1 / problem.size
        self.side_rows = [[part - spare for part in parts] for parts in self.condition_rows] + [
            [
                self.seen[self.cells.index((i, r))] - float(problem.overall[i, r]) if k == r else zero
                for k in range(self.labels)
            ]
            for i in problem.better
            for r in problem.answers
        ]

    # -- programs ----------------------------------------------------------------------------------------

    def ends(self, box: Box, label: int) -> Any:
        """Return the ranges of the rates on a label, low and high."""
        return self.np.array([[float(end) for end in box[label, i, r]] for i, r in self.cells]).T

    def _pairs_about(self, u: Any, v: Any) -> Any:
        """Return (p_i − u)(p_j − v) for all pairs, a row each."""
        pairs = self.subsets[2]
        first, second = self.seen[pairs[:, 0]], self.seen[pairs[:, 1]]
        return self.pair_seen - u[:, None] * second - v[:, None] * first + (u * v)[:, None]

    def label_rows(self, box: Box, label: int, delta: float) -> Any:
        """Return the rows of a label: what each question adds."""
        np, problem = self.np, self.problem
        low, high = self.ends(box, label)
        limits = np.stack([self.seen - low[:, None], high[:, None] - self.seen], axis=1)
        parts = [limits.reshape(-1, len(self.counts))]
        if 2 in problem.orders:
            pairs, ends = self.subsets[2], (low, high)
            corners = [
                delta + (1 if a == b else -1) * self._pairs_about(ends[a][pairs[:, 0]], ends[b][pairs[:, 1]])
                for a, b in CORNERS.values()
            ]
            parts.append(np.stack(corners, axis=1).reshape(-1, len(self.counts)))
        if 3 in problem.orders and len(self.subsets[3]):
            trios = self.subsets[3]
            middle, half = (low + high) / 2, ((high - low) / 2)[trios]
            moved = np.prod(self.seen[trios] - middle[trios][:, :, None], axis=1)
            pair = delta if 2 in problem.orders else _PSEUDO / 2
            slack = (delta + pair * half.sum(axis=1) + half.prod(axis=1))[:, None]
            parts.append(np.stack([slack + moved, slack - moved], axis=1).reshape(-1, len(self.counts)))
        return np.concatenate(parts)

    def matrix(self, rows: Sequence[Any], together: Sequence[Sequence[Any]]) -> tuple[Any, Any]:
        """Return A and b of the rows A·x + b ≥ 0, where the last label takes what the others leave."""
        np = self.np
        blocks, constants = [], []
        for label, block in enumerate(rows):
            zero = np.zeros_like(block)
            if label < self.labels - 1:
                blocks.append(np.hstack([block if k == label else zero for k in range(self.labels - 1)]))
                constants.append(np.zeros(len(block)))
            else:
                blocks.append(np.hstack([-block] * (self.labels - 1)))
                constants.append(block @ self.counts)
        for parts in together:
            blocks.append(np.hstack([part - parts[-1] for part in parts[:-1]])[None, :])
            constants.append(np.array([parts[-1] @ self.counts]))
        return np.vstack(blocks), np.concatenate(constants)

    def solve(
        self,
        matrix: Any,
        constant: Any,
        *,
        cost: Any,
        slopes: Any,
        weight: float,
        t_is_free: bool,
        cuts: Cuts,
    ) -> Optimum | None:
        """Return the least cost·x + weight·t with A·x + slopes·t + b ≥ 0; nothing if there is no answer.

        Two labels have one variable for each pattern, between 0 and its questions: our own simplex. More have shares
        that add up: HiGHS.
        """
        np = self.np
        if self.labels == 2:
            low, room = np.zeros(len(self.counts)), self.counts.copy()
            for (place, _), (least, most) in cuts.items():
                low[place], room[place] = least, most - least
            found = least_cost(
                np,
                matrix,
                constant + matrix @ low,
                room,
                cost=cost,
                slopes=slopes,
                weight=weight,
                t_is_free=t_is_free,
            )
            return None if found is None else Optimum(found.point + low, found.value, found.multipliers)
        if not has_solver(self.labels):
            return None
        from scipy.optimize import linprog

        shares = np.hstack([np.eye(len(self.counts))] * (self.labels - 1))
        shares = np.hstack([-shares, np.zeros((len(self.counts), 1))])
        limits = [(0, n) for n in np.tile(self.counts, self.labels - 1)] + [(None if t_is_free else 0, None)]
        answer = linprog(
            np.append(cost, weight),
            A_ub=-np.vstack([np.hstack([matrix, slopes[:, None]]), shares]),
            b_ub=np.concatenate([constant, self.counts]),
            bounds=limits,
            method="highs-ds",
        )
        if answer.status != 0:
            return None
        return Optimum(answer.x[:-1], float(answer.fun), -answer.ineqlin.marginals[: len(constant)])

    def examine(self, box: Box, cuts: Cuts, delta: float) -> Node | None:
        """Return the least t such that all rows are at least −t somewhere: above 0 they contradict each other."""
        np = self.np
        rows = [self.label_rows(box, label, delta) for label in range(self.labels)]
        matrix, constant = self.matrix(rows, self.condition_rows)
        found = self.solve(
            matrix,
            constant,
            cost=np.zeros(matrix.shape[1]),
            slopes=np.ones(len(matrix)),
            weight=1.0,
            t_is_free=True,
            cuts=cuts,
        )
        return None if found is None else Node(found.value, self.complete(found.point), found.multipliers)

    def complete(self, x: Any) -> Any:
        """Return x_{p,l} for all labels, an array for each label."""
        parts = list(x.reshape(self.labels - 1, -1))
        return [*parts, self.counts - sum(parts)]

    # -- measures ----------------------------------------------------------------------------------------

    def rates(self, share: Any) -> Any:
        """Return the rates on a label with so many questions of each pattern."""
        return self.seen @ share / share.sum()

    def moments(self, share: Any) -> tuple[Any, Any]:
        """Return Γ of all pairs and trios on a label, as far as they count."""
        np, size = self.np, share.sum()
        rates = self.rates(share)
        moved = self.seen - rates[:, None]
        pairs, trios = self.subsets[2], self.subsets[3]
        pair = (moved[pairs[:, 0]] * moved[pairs[:, 1]]) @ share / size
        if 3 not in self.problem.orders or not len(trios):
            return pair, np.zeros(0)
        return pair, np.prod(moved[trios], axis=1) @ share / size

    def dependence(self, key: Sequence[Any]) -> float:
        """Return the largest |Γ| of a fractional key."""
        largest = 0.0
        for share in key:
            if share.sum() > 1e-9:
                pair, trio = self.moments(share)
                if 2 in self.problem.orders and len(pair):
                    largest = max(largest, float(abs(pair).max()))
                if len(trio):
                    largest = max(largest, float(abs(trio).max()))
        return largest

    def missed(self, key: Sequence[Any]) -> float:
        """Return by how much, of all questions, a fractional key misses the conditions."""
        sums = [
            sum(float(part @ share) for part, share in zip(parts, key, strict=True))
            for parts in self.side_rows
        ]
        return max(0.0, *(-value / self.problem.size for value in sums)) if sums else 0.0

    def meets(self, key: Sequence[Any]) -> bool:
        """Tell whether a fractional key meets the conditions, up to the question to spare."""
        return self.missed(key) <= 1 / self.problem.size + 1e-9

    def widest(self, box: Box, key: Sequence[Any], delta: float) -> tuple[tuple[int, int, int], float] | None:
        """Return the rate to split and where: the one whose range lets the point pass for less dependent than it is."""
        best: tuple[float, int, int, float] | None = None
        for label, share in enumerate(key):
            if share.sum() < 1e-9:
                continue
            low, high = self.ends(box, label)
            rates = self.rates(share)
            pair, trio = self.moments(share)
            for order, values in ((2, pair), (3, trio)):
                if order not in self.problem.orders or not len(values):
                    continue
                cells = self.subsets[order]
                score = (abs(values) - delta)[:, None] * (high - low)[cells]
                score = self.np.where(abs(values)[:, None] > delta, score, -1.0)
                k, side = divmod(int(score.argmax()), order)
                if best is None or score[k, side] > best[0]:
                    cell = int(cells[k, side])
                    best = (float(score[k, side]), label, cell, float(rates[cell]))
        if best is None or best[0] <= 0:
            return self._widest_range(box)
        _, label, cell, at = best
        return (label, *self.cells[cell]), at

    def _widest_range(self, box: Box) -> tuple[tuple[int, int, int], float] | None:
        rate = max(box, key=lambda name: (box[name][1] - box[name][0], name))
        low, high = map(float, box[rate])
        return (rate, (low + high) / 2) if high - low > 1e-6 else None

    # -- keys that come near --------------------------------------------------------------------------------

    def starts(self) -> list[Any]:
        """Return fractional keys to start from: expectation maximisation from the majority and from each judge."""
        np = self.np
        patterns = np.array([p for p, _ in self.problem.counts])
        votes = np.stack([(patterns == label).sum(axis=1) for label in range(self.labels)]).astype(float)
        majority = votes == votes.max(axis=0)
        guesses = [(majority / majority.sum(axis=0), _EM_STEPS)]
        for i in range(self.problem.judges if self.labels == 2 else 1):
            own = np.stack([(patterns[:, i] == label) for label in range(self.labels)]).astype(float)
            guesses.append((own, 8))
        softened = [(0.8 * share + 0.2 / self.labels, steps) for share, steps in guesses]
        found = [self.expectation_maximisation(share * self.counts, steps) for share, steps in softened]
        if self.side_rows:  # a key that meets the conditions, however dependent
            node = self.examine(self.problem.root(), {}, _LARGEST)
            found += [] if node is None else [node.key]
        return found

    def expectation_maximisation(self, key: Any, steps: int) -> Any:
        """Return shares of the labels after so many steps of the latent class model."""
        np = self.np
        patterns = np.array([p for p, _ in self.problem.counts])
        judges = range(self.problem.judges)
        given = [[(patterns[:, i] == r).astype(float) for r in range(self.labels)] for i in judges]
        for _ in range(steps):
            likelihood = []
            for share in key:
                total = share.sum()
                log = np.full(len(self.counts), np.log(max(total, 1e-9)))
                for i in judges:
                    rates = [
                        (share @ given[i][r] + _PSEUDO) / (total + self.labels * _PSEUDO)
                        for r in range(self.labels)
                    ]
                    log += sum(given[i][r] * np.log(rates[r]) for r in range(self.labels))
                likelihood.append(log)
            logs = np.stack(likelihood)
            weights = np.exp(logs - logs.max(axis=0))
            key = self.counts * weights / weights.sum(axis=0)
        return key

    def improved(self, key: Sequence[Any], *, goal: Any = None, delta: float | None = None) -> list[Any]:
        """Return a key that is locally best: programs about the rates of the last key, in shrinking ranges.

        Best is the least dependence; or, with a goal (weights of questions, by label) and a bound delta on
        dependence, the largest goal, less what the bound is missed by.
        """
        np = self.np
        best, value = list(key), self._worth(key, goal, delta)
        if self.program_size() > _LARGEST_PROGRAM:
            return best
        step = 0
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
        return [np.maximum(share, 0) for share in best]

    def program_size(self) -> int:
        """Return how large the programs about a key are: correlations times variables."""
        cells = sum(len(self.subsets[order]) for order in self.problem.orders) * self.labels
        return int(cells * len(self.counts) * (self.labels - 1) ** 2)

    def affordable(self) -> int:
        """Return how many starts are worth improving."""
        return max(1, _LARGEST_PROGRAM // self.program_size() // 2) if self.program_size() else 1

    def goal(self, weights: Sequence[tuple[int, Any, float]]) -> list[Any]:
        """Return what a question adds, an array for each label: weights of (label, None or (judge, answer), weight)."""
        np = self.np
        patterns = np.array([p for p, _ in self.problem.counts])
        found = [np.zeros(len(self.counts)) for _ in range(self.labels)]
        for label, cell, weight in weights:
            found[label] = found[label] + weight * (
                1.0 if cell is None else (patterns[:, cell[0]] == cell[1])
            )
        return found

    def _worth(self, key: Sequence[Any], goal: Any, delta: float | None) -> float:
        dependence = max(self.dependence(key), _PRICE * self.missed(key))
        if goal is None or delta is None:
            return -dependence
        gain = sum(float(part @ share) for part, share in zip(goal, key, strict=True)) / self.problem.size
        return gain - 100 * max(0.0, dependence - delta)

    def _linear_step(
        self, key: Sequence[Any], width: float, goal: Any, delta: float | None
    ) -> list[Any] | None:
        """Solve the program whose correlations are taken about the rates of a key."""
        np = self.np
        rows, slopes = [], []
        for share in key:
            size = share.sum()
            if size < 1e-6:
                rows.append(np.zeros((0, len(self.counts))))
                continue
            moved = self.seen - self.rates(share)[:, None]
            products = [moved[self.subsets[order]].prod(axis=1) for order in self.problem.orders]
            about = np.concatenate([part.reshape(-1, len(self.counts)) for part in products])
            bound = 0.0 if delta is None else delta
            rows.append(np.concatenate([width - moved, width + moved, bound - about, bound + about]))
            slopes += [0.0] * (2 * len(moved)) + [size] * (2 * len(about))
        matrix, constant = self.matrix(rows, self.side_rows)
        slopes += [self.problem.size / _PRICE] * len(self.side_rows)
        cost = np.zeros(matrix.shape[1])
        if goal is not None:
            cost = -np.hstack([part - goal[-1] for part in goal[:-1]]) / self.problem.size
        found = self.solve(
            matrix,
            constant,
            cost=cost,
            slopes=np.array(slopes),
            weight=1.0 if goal is None else 100.0,
            t_is_free=False,
            cuts={},
        )
        return None if found is None else self.complete(found.point)


def has_arrays() -> bool:
    """Tell whether numpy is installed, without which nothing is guessed here."""
    return find_spec("numpy") is not None


def has_solver(labels: int) -> bool:
    """Tell whether programs can be solved: with three labels or more they take scipy."""
    return has_arrays() and (labels == 2 or find_spec("scipy") is not None)


def scaled(number: Any) -> float:
    """Return a rational as a float."""
    return float(number)


def nearest_fraction(number: Any, grid: int) -> Any:
    """Return the multiple of 1/grid that is nearest to a float."""
    from gmpy2 import mpq

    return mpq(round(float(number) * grid), grid)


def exact_part(number: float) -> Any:
    """Return a float as a rational, a little less: what a proof may aim at."""
    return nearest_fraction(number * (1 - 1e-6), 10**12)
