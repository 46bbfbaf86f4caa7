"""The search for proofs that no key is that independent: boxes of rates are split until each is refuted.

A solver in floats proposes multipliers for a box, `tree_checker.Problem.most` weighs them exactly. Where it
proposes a point instead, the box is cut: at the rate that lets the point pass for less dependent than it is; or, if the
point is a fractional key as independent as asked, at a pattern with a fraction of a question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gmpy2 import mpq

from ntqr_exact.dependence.float_rows import FloatRows, nearest_fraction, scaled
from ntqr_exact.dependence.tree_checker import Box, Cuts, Problem, Rate, RowName

_BITS = (14, 24, 40)
"""Multipliers are rounded to so many bits: the fewest that prove the leaf."""

_GRID = 4096
"""Boxes are cut at multiples of 1/_GRID and at overall rates."""


@dataclass(slots=True)
class Part:
    """A part of the proof that grows: a box with cuts, and what became of it."""

    box: Box
    cuts: Cuts
    weights: list[tuple[RowName, int]] | None = None
    split: dict[str, Any] = field(default_factory=dict)
    parts: tuple[Part, Part] | None = None

    def document(self) -> dict[str, Any]:
        """Return the finished part as it stands in a certificate."""
        if self.parts is None:
            return {"weights": [[_listed(name), str(weight)] for name, weight in self.weights or []]}
        return {**self.split, "below": self.parts[0].document(), "above": self.parts[1].document()}

    def copy(self) -> Part:
        """Return a part that grows on its own."""
        parts = None if self.parts is None else (self.parts[0].copy(), self.parts[1].copy())
        return Part(self.box, self.cuts, self.weights, self.split, parts)

    def leaves(self) -> Iterator[Part]:
        """Iterate over the parts that are not split."""
        if self.parts is None:
            yield self
        else:
            for part in self.parts:
                yield from part.leaves()


@dataclass(slots=True)
class Search:
    """What came out: the tree, whether it is complete, and the points found on the way."""

    root: Part
    open_parts: list[Part]
    nodes: int

    @property
    def is_complete(self) -> bool:
        """Whether every part is refuted."""
        return not self.open_parts


def refute(
    problem: Problem,
    *,
    nodes: int,
    on_point: Callable[[Sequence[Any]], bool] | None = None,
    start: Part | None = None,
) -> Search:
    """Split the box of all rates until it is refuted, or until so many parts have been looked at.

    `start` is the tree of an easier problem, of which all leaves that still hold are kept. `on_point` is shown every
    fractional key, an array for each label, that is as independent as asked; if it returns true the search ends.
    """
    floats = FloatRows(problem)
    delta = scaled(problem.delta)
    root = start or Part(problem.root(), {})
    waiting = [
        part
        for part in root.leaves()
        if part.weights is None or not problem.most(part.box, part.cuts, part.weights) < 0
    ]
    looked_at = 0
    while waiting and looked_at < nodes:
        part = waiting.pop()
        part.weights = None
        looked_at += 1
        if problem.is_empty(part.cuts):
            part.weights = []
            continue
        node = floats.examine(part.box, part.cuts, delta)
        if node is None:
            waiting.append(part)
            break
        if node.violation > 0:
            part.weights = proven_weights(problem, part, node.multipliers)
            if part.weights is not None:
                continue
        is_near = floats.dependence(node.key) <= delta and floats.meets(node.key)
        if is_near and on_point is not None and on_point(node.key):
            waiting.append(part)
            break
        if not (is_near and _cut_share(problem, part, node.key)) and not _cut_rate(
            problem, part, floats.widest(part.box, node.key, delta)
        ):
            waiting.append(part)
            break
        waiting += part.parts or ()
    return Search(root, waiting, looked_at)


def pave(problem: Problem, *, nodes: int) -> Search:
    """Split evenly and refute what can be refuted; what stays open covers all keys as independent as asked."""
    floats = FloatRows(problem)
    delta = scaled(problem.delta)
    root = Part(problem.root(), {})
    waiting, looked_at, kept = [root], 0, []
    while waiting and looked_at < nodes:
        part = waiting.pop(0)
        looked_at += 1
        node = floats.examine(part.box, part.cuts, delta)
        if node is not None and node.violation > 0:
            part.weights = proven_weights(problem, part, node.multipliers)
            if part.weights is not None:
                continue
        if node is None or not _cut_rate(problem, part, floats.widest(part.box, node.key, delta)):
            kept.append(part)
            continue
        waiting += part.parts or ()
    return Search(root, kept + waiting, looked_at)


def proven_weights(problem: Problem, part: Part, multipliers: Any) -> list[tuple[RowName, int]] | None:
    """Return rounded multipliers that refute a part, weighed exactly; `None` if they do not."""
    names = problem.row_names()
    largest = max(multipliers, default=0)
    if not largest > 0:
        return None
    for bits in _BITS:
        weights = [
            (name, whole)
            for name, number in zip(names, multipliers, strict=True)
            if (whole := int(number / largest * (1 << bits))) > 0
        ]
        if problem.most(part.box, part.cuts, weights) < 0:
            return weights
    return None


def _cut_rate(problem: Problem, part: Part, wanted: tuple[Rate, Any] | None) -> bool:
    """Split a rate near the place wanted, first at its overall rate; tell whether that was possible."""
    if wanted is None:
        return False
    rate, about = wanted
    low, high = part.box[rate]
    mean = problem.overall[rate[1:]]
    if low < mean < high:
        at = mean
    else:
        margin = (high - low) / 5
        at = min(max(nearest_fraction(about, _GRID), low + margin), high - margin)
        at = mpq(int(at * _GRID), _GRID)
        if not low < at < high:
            at = (low + high) / 2
    boxes = problem.halves(part.box, rate, at)
    part.split = {"rate": list(rate), "at": str(at)}
    part.parts = (Part(boxes[0], part.cuts), Part(boxes[1], part.cuts))
    return bool(low < at < high)


def _cut_share(problem: Problem, part: Part, key: Sequence[Any]) -> bool:
    """Split at the pattern whose share of the first label is farthest from whole; tell whether there is one."""
    if problem.labels > 2:
        return False
    shares = [nearest_fraction(number, _GRID) for number in key[0]]
    apart = [abs(share - int(share + mpq(1, 2))) for share in shares]
    place = apart.index(max(apart))
    if apart[place] <= mpq(1, 1000):
        return False
    at = int(shares[place])
    both = problem.cut(part.cuts, place, 0, at)
    part.split = {"share": [place, 0], "at": at}
    part.parts = (Part(part.box, both[0]), Part(part.box, both[1]))
    return True


def _listed(name: RowName) -> list[Any]:
    return [list(part) if isinstance(part, tuple) else part for part in name]
