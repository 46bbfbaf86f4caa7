"""Short certificates: one inequality that a checker evaluates, or whole numbers that it tries again.

Fractional keys are often less dependent than any key of whole questions, so that inequalities between rates prove too
little. Trying every number of questions and of answers (`moment_ranges.WholeSums`) costs little for two labels, since
products of ranges leave few of them. For three judges the numbers decide whether there is a key, and the least
dependence is found exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gmpy2 import mpq

from ntqr_exact.dependence.closed_bounds import TetradBound
from ntqr_exact.dependence.moment_ranges import WholeSums
from ntqr_exact.dependence.panel import sealed, votes_part
from ntqr_exact.dependence.tree_checker import MOMENTS, Problem
from ntqr_exact.dependence.witness import Found, WholeKey
from ntqr_exact.votes.counts import VoteCounts

_STEPS = 100_000
_FEW_QUESTIONS = 100
_HALVINGS = 7
_LAST_STEPS = 300_000
_LAST = mpq(81, 100)
ENOUGH = mpq(4, 5)
"""A proof of this part of what is attained is enough."""

_LITTLE = mpq(1, 10**9)


def moments_certificate(votes: VoteCounts, closed: TetradBound, orders: Sequence[int]) -> dict[str, Any]:
    """Return the certificate of the best bound of a closed form; if there is none, or trios alone count, of zero."""
    if not closed.bounds or 2 not in orders:
        return _short_certificate(votes, orders, "nothing", (), mpq(0))
    best = closed.bounds[0]
    matrices = zip(("left", "right"), best.matrices or (), strict=False)
    sides = {side: [[str(entry) for entry in row] for row in rows] for side, rows in matrices}
    return _short_certificate(votes, orders, best.kind, best.judges, best.value, **sides)


def whole_certificate(votes: VoteCounts, value: mpq, orders: Sequence[int]) -> dict[str, Any]:
    """Return the certificate that no key falls below a value: whoever checks it tries the numbers again."""
    return _short_certificate(votes, orders, "whole numbers", votes.judges, value)


def _short_certificate(
    votes: VoteCounts, orders: Sequence[int], kind: str, judges: Sequence[str], value: mpq, **more: Any
) -> dict[str, Any]:
    return sealed(
        {
            "format": MOMENTS,
            "votes": votes_part(votes),
            "orders": list(orders),
            "kind": kind,
            "judges": list(judges),
            "correlation": str(value),
            **more,
        }
    )


def prove_in_whole_numbers(problem: Problem, found: Found, known: mpq, effort: mpq) -> tuple[mpq, Found]:
    """Return what no key falls below, at least what is known, and the best key, which for three judges is the least.

    >>> from ntqr_exact.dependence.panel import problem_of
    >>> problem = problem_of(VoteCounts({"aab": 1, "aba": 1, "baa": 1, "abb": 1}), 0, (2,))
    >>> worst = Found(((1, 0),) * 4, mpq(3, 16), 1.0)
    >>> prove_in_whole_numbers(problem, worst, mpq(0), mpq(1))[0]
    mpq(1,9)
    """
    left = int(effort * _STEPS)
    if problem.judges == 3:
        best, left = _least_of_trio(problem, found, left)
        if left:
            return best.value, best
        found = best
    low, left = _halved(problem, known, found.value, left)
    if low < ENOUGH * found.value:  # once more, with more steps, for just enough
        low, _ = _tried(problem, low, short(_LAST * found.value), int(effort * _LAST_STEPS))
    return low, found


def _halved(problem: Problem, low: mpq, high: mpq, left: int) -> tuple[mpq, int]:
    """Return what is proven by halving the distance again and again, and the steps left."""
    target = high if problem.size <= _FEW_QUESTIONS else short((low + high) / 2)
    for _ in range(_HALVINGS):
        low, left = _tried(problem, low, target, left)
        high = high if low == target else target
        target = short((low + high) / 2)
        if not low < target < high or high - low < high / 100:
            break
    return low, left


def _tried(problem: Problem, low: mpq, target: mpq, steps: int) -> tuple[mpq, int]:
    """Return the target, if it is proven in so many steps, else what was before; and the steps left."""
    sums = WholeSums(problem.counts, target, problem.orders, steps)
    try:
        is_proven = next(sums.found(), None) is None
    except TimeoutError:
        is_proven = False
    return max(low, target) if is_proven else low, max(1, steps - sums.steps)


def _least_of_trio(problem: Problem, found: Found, steps: int) -> tuple[Found, int]:
    """Return the least dependent key of three judges and the steps left; none are if the search was given up."""
    best = found
    sums = WholeSums(problem.counts, found.value, problem.orders, steps)
    try:
        for m, answers in sums.found():
            while first := sums.trio_shares(m, answers, (0, 1, 2)) if m else dict(problem.counts):
                shares = [[first[p], n - first[p]] for p, n in problem.counts]
                sums.delta = WholeKey(problem, shares).largest()
                best = Found(tuple(map(tuple, shares)), sums.delta, found.fractional)
                if not m or not sums.delta:
                    break
            if not sums.delta:
                break
    except TimeoutError:
        return best, 0
    return best, max(1, steps - sums.steps)


def excluded(votes: VoteCounts, problem: Problem, effort: mpq) -> dict[str, Any] | None:
    """Return the certificate that every key is more dependent than the problem asks; `None` if that was not proven."""
    more = problem.delta * (1 + _LITTLE) + _LITTLE
    proven, _ = _tried(problem, mpq(0), more, int(effort * _STEPS))
    return whole_certificate(votes, more, problem.orders) if proven else None


def short(value: mpq) -> mpq:
    """Return a number of six digits, rounded down: proofs are to be read.

    >>> short(mpq(1, 7))
    mpq(142857,1000000)
    """
    unit = mpq(1)
    while value and value / unit < 10**5:
        unit /= 10
    return unit * int(value / unit)
