"""Proof trees: boxes of variables are split until multipliers close every part.

A `Split` of a variable at a number leaves "below", where it is at most that, and "above", where it is at least that (or
that + 1, for whole numbers). A `Leaf` holds numbers that refute its box; what they mean is the problem's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational

Box: TypeAlias = Mapping[str, tuple[mpq, mpq]]
"""The range of every variable, by name."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """What refutes a box: rationals in the order of the problem's inequalities, or a form of the problem's own."""

    multipliers: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Two parts of a box: the variable at most `at`, and beyond it."""

    variable: str
    at: mpq
    below: Tree
    above: Tree


Tree: TypeAlias = "Leaf | Split"


def halves(box: Box, variable: str, at: mpq, gap: int = 0) -> tuple[dict[str, tuple[mpq, mpq]], ...]:
    """Return the parts of a box below and above; for whole numbers the gap is 1.

    >>> halves({"q": (mpq(0), mpq(9))}, "q", mpq(4), 1)
    ({'q': (mpq(0,1), mpq(4,1))}, {'q': (mpq(5,1), mpq(9,1))})
    """
    low, high = box[variable]
    return {**box, variable: (low, min(at, high))}, {**box, variable: (max(low, at + gap), high)}


def proves(tree: Tree, box: Box, refuted: Callable[[Box, tuple[Any, ...]], bool], *, gap: int = 0) -> bool:
    """Tell whether the leaves refute the whole box; `refuted(box, multipliers)` decides about one of them.

    >>> proves(Split("q", mpq(4), Leaf(()), Leaf(())), {"q": (mpq(0), mpq(9))}, lambda box, _: box["q"][1] > 0)
    True
    """
    if isinstance(tree, Leaf):
        return refuted(box, tree.multipliers)
    if tree.variable not in box:
        return False
    below, above = halves(box, tree.variable, tree.at, gap)
    return proves(tree.below, below, refuted, gap=gap) and proves(tree.above, above, refuted, gap=gap)


def leaves(tree: Tree) -> Iterator[Leaf]:
    """Iterate over the leaves, from below to above."""
    if isinstance(tree, Leaf):
        yield tree
    else:
        yield from leaves(tree.below)
        yield from leaves(tree.above)


def _texts(multipliers: tuple[Any, ...]) -> Any:
    return [str(number) for number in multipliers]


def tree_document(tree: Tree, leaf: Callable[[tuple[Any, ...]], Any] = _texts) -> dict[str, Any]:
    """Return a tree as a JSON document; numbers are texts, and `leaf` writes what a leaf holds.

    >>> tree_document(Split("q", mpq(4), Leaf((mpq(1),)), Leaf((mpq(1, 2),))))
    {'split': 'q', 'at': '4', 'below': {'leaf': ['1']}, 'above': {'leaf': ['1/2']}}
    """
    if isinstance(tree, Leaf):
        return {"leaf": leaf(tree.multipliers)}
    below, above = tree_document(tree.below, leaf), tree_document(tree.above, leaf)
    return {"split": tree.variable, "at": str(tree.at), "below": below, "above": above}


def tree_from_document(document: object) -> Tree:
    """Return the tree that `tree_document` wrote."""
    match document:
        case {"leaf": list(numbers), **rest} if not rest:
            return Leaf(tuple(map(rational, numbers)))
        case {"split": str(variable), "at": str(at), "below": below, "above": above, **rest} if not rest:
            return Split(variable, rational(at), tree_from_document(below), tree_from_document(above))
    raise BadDocument(document, "a proof is a leaf with numbers, or a split with two parts")
