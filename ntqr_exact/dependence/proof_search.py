"""The search for proofs that no key is that independent: boxes of rates are split until each is refuted.

A solver in floats proposes multipliers for a box, `tree_checker.Problem.most` weighs them exactly. Where it proposes a
point instead, the box is cut at the rate that lets the point pass for less dependent than it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gmpy2 import mpq

from ntqr_exact.dependence.float_keys import FloatRows, scaled
from ntqr_exact.dependence.tree_checker import Box, Problem, Rate, RowName

_BITS = (14, 24, 40)
"""Multipliers are rounded to so many bits: the fewest that prove the leaf."""

_GRID = 4096
"""Boxes are cut at multiples of 1/_GRID and at overall rates."""


@dataclass(slots=True)
class Branch:
    """A branch of the proof that grows: a box, and what became of it."""

    box: Box
    weights: list[tuple[RowName, int]] | None = None
    split: dict[str, Any] = field(default_factory=dict)
    halves: tuple[Branch, Branch] | None = None

    def document(self) -> dict[str, Any]:
        """Return the finished branch as it stands in a certificate."""
        if self.halves is None:
            return {"weights": [[_listed(name), str(weight)] for name, weight in self.weights or []]}
        return {**self.split, "below": self.halves[0].document(), "above": self.halves[1].document()}

    def copy(self) -> Branch:
        """Return a branch that grows on its own."""
        halves = None if self.halves is None else (self.halves[0].copy(), self.halves[1].copy())
        return Branch(self.box, self.weights, self.split, halves)

    def leaves(self) -> Iterator[Branch]:
        """Iterate over the branches that are not split."""
        if self.halves is None:
            yield self
        else:
            for half in self.halves:
                yield from half.leaves()


@dataclass(slots=True)
class Search:
    """What came out: the tree, the leaves that are not refuted, and how many were looked at."""

    root: Branch
    open_leaves: list[Branch]
    nodes: int

    @property
    def is_complete(self) -> bool:
        """Whether every leaf is refuted."""
        return not self.open_leaves


def refute(problem: Problem, *, nodes: int, start: Branch | None = None, evenly: bool = False) -> Search:
    """Split the box of all rates until it is refuted, or until so many leaves have been looked at.

    `start` is the tree of an easier problem, of which all leaves that still hold are kept. A search that goes deep
    ends at the first leaf that it cannot refute; one that goes `evenly` leaves a cover of all keys that are as
    independent as asked.
    """
    floats = FloatRows(problem)
    delta = scaled(problem.delta)
    root = start or Branch(problem.root())
    waiting = [
        leaf for leaf in root.leaves() if leaf.weights is None or not problem.most(leaf.box, leaf.weights) < 0
    ]
    looked_at, kept = 0, []
    while waiting and looked_at < nodes:
        leaf = waiting.pop(0 if evenly else -1)
        looked_at += 1
        leaf.weights = None
        node = floats.examine(leaf.box, delta)
        if node is not None and node.violation > 0:
            leaf.weights = _proven_weights(problem, leaf, floats.names, node.multipliers)
            if leaf.weights is not None:
                continue
        if node is None or not _cut(problem, leaf, floats.widest(leaf.box, node.key, delta)):
            kept.append(leaf)
            if not evenly:
                break
        waiting += leaf.halves or ()
    return Search(root, kept + waiting, looked_at)


def _proven_weights(
    problem: Problem, leaf: Branch, names: Sequence[RowName], multipliers: Sequence[Any]
) -> list[tuple[RowName, int]] | None:
    """Return rounded multipliers that refute a leaf, weighed exactly; `None` if they do not."""
    largest = max(multipliers, default=0)
    if not largest > 0:
        return None
    for bits in _BITS:
        weights = [
            (name, whole)
            for name, number in zip(names, multipliers, strict=True)
            if (whole := int(number / largest * (1 << bits))) > 0
        ]
        if problem.most(leaf.box, weights) < 0:
            return weights
    return None


def _cut(problem: Problem, leaf: Branch, wanted: tuple[Rate, mpq] | None) -> bool:
    """Split a rate near the place wanted, first at its overall rate; tell whether that was possible."""
    if wanted is None:
        return False
    rate, about = wanted
    low, high = leaf.box[rate]
    mean = problem.overall[rate[1:]]
    if low < mean < high:
        at = mean
    else:
        margin = (high - low) / 5
        at = mpq(int(min(max(about, low + margin), high - margin) * _GRID), _GRID)
        if not low < at < high:
            at = (low + high) / 2
    if not low < at < high:
        return False
    below, above = problem.halves(leaf.box, rate, at)
    leaf.split = {"rate": list(rate), "at": str(at)}
    leaf.halves = (Branch(below), Branch(above))
    return True


def _listed(name: RowName) -> list[Any]:
    return [list(part) if isinstance(part, tuple) else part for part in name]
