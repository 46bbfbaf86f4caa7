"""`take_census`: every vote of three judges between two labels on a test of Q questions, classified exactly.

A vote is a composition of Q into eight counts, of the patterns aaa, aab, …, bbb. Its class follows from the whole
numbers D_ij = Q²Δ_ij, Q³T and Q⁶A (see `evaluators.independent`); a chunk of the census fixes the first two counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from math import isqrt

from ntqr_exact.blocks.block import Block, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import check_work
from ntqr_exact.errors import BadNumber
from ntqr_exact.evaluators.independent.closed_form_trio import whole_moments
from ntqr_exact.evaluators.independent.independent_solution import IndependenceClass
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.sweep import sweep
from ntqr_exact.varieties.compositions import compositions, count_compositions

PATTERNS = 8


@dataclass(frozen=True, slots=True)
class Census(Value):
    """How many votes of a test there are of each class; the classes exclude each other."""

    questions: int
    classes: Mapping[IndependenceClass, int]

    @property
    def total(self) -> int:
        """All votes, C(Q + 7, 7)."""
        return sum(self.classes.values())

    @property
    def with_key(self) -> int:
        """The votes for which an independent answer key exists."""
        return self.classes[IndependenceClass.INDEPENDENT] + self.classes[IndependenceClass.UNIDENTIFIED]

    def blocks(self) -> Iterator[Block]:
        """Yield the table."""
        rows = [(kind.title, votes) for kind, votes in self.classes.items()]
        totals = (("total", self.total), ("an independent key exists", self.with_key))
        caption = f"All votes of 3 judges between 2 labels on {self.questions} questions"
        yield Table(caption, ("class", "votes"), (*rows, *totals))

    def to_document(self) -> dict[str, object]:
        """Return the census as a JSON document."""
        classes = {kind.name.lower(): votes for kind, votes in self.classes.items()}
        totals = {"votes": self.total, "classes": classes, "with_key": self.with_key}
        return {"questions": self.questions, **totals}


def take_census(
    questions: RationalLike,
    *,
    executor: Executor | None = None,
    progress: Callable[[int], object] | None = None,
) -> Census:
    """Return the census of all votes of three judges between two labels on this number of questions.

    `executor` is any `concurrent.futures.Executor`; without one the work is done here.
    `progress` is called with the number of votes of each finished chunk.

    >>> census = take_census(5)
    >>> census.total, census.classes[IndependenceClass.INDEPENDENT]
    (792, 304)

    Raises `BadNumber` for no questions, `TooMuchWork` beyond the work limit.
    """
    size = whole_number(questions)
    if size < 1:
        raise BadNumber(questions, "questions must be >= 1")
    check_work(f"a census of {size} questions", 8 * count_compositions(size, PATTERNS))
    totals: Counter[int] = Counter()
    for tally in sweep(_tally, compositions(size, 3), executor=executor):
        totals.update(tally)
        if progress is not None:
            progress(tally.total())
    return Census(size, FrozenMapping({kind: totals[kind] for kind in IndependenceClass}))


def _tally(start: tuple[int, ...]) -> Counter[int]:
    """Return how many votes there are of each class, by number, with these counts of aaa, of aab and of all others."""
    *known, left = start
    return Counter(int(classify((*known, *counts))) for counts in compositions(left, PATTERNS - 2))


def classify(counts: Sequence[int]) -> IndependenceClass:
    """Return the class of the votes with these counts of aaa, aab, aba, abb, baa, bab, bba, bbb, on a question or more.

    >>> classify((0, 1, 1, 0, 1, 0, 0, 3)).title
    'irrational'
    """
    whole = whole_moments(counts)
    size, trio, square, moments = whole.size, whole.trio, whole.discriminant, [*whole.pair.values()]
    if vanishing := moments.count(0):
        is_family = vanishing > 1 and trio == 0
        return IndependenceClass.UNIDENTIFIED if is_family else IndependenceClass.CONTRADICTORY
    if square <= 0:
        return IndependenceClass.IMAGINARY if square else IndependenceClass.CONTRADICTORY
    root = isqrt(square)
    if root * root != square:
        return IndependenceClass.IRRATIONAL
    # With s = √(Q⁶A): 2s·P_a = s + T, and 2QD_jk·x_i = 2D_jk·R_ai + s − T. The counts of label a decide: what they
    # leave of the votes are those of label b, and rates and shares are in range exactly if none of both is negative.
    divisor, of_a = 2 * root, [size * (root + trio)]
    for given_b, moment in zip(whole.second, reversed(moments), strict=True):
        scale = 2 * size * moment
        right = 2 * moment * (size - given_b) + root - trio
        of_a = [n * rate for n in of_a for rate in (right, scale - right)]
        divisor *= scale
    if not all(min(0, c * divisor) <= n <= max(0, c * divisor) for n, c in zip(of_a, counts, strict=True)):
        return IndependenceClass.OUT_OF_RANGE
    is_whole = all(n % divisor == 0 for n in of_a)
    return IndependenceClass.INDEPENDENT if is_whole else IndependenceClass.NOT_WHOLE
