"""Witnesses: keys in whole numbers that are as independent as the search could make them.

Floats propose fractional keys; these are rounded, improved question by question, shaken and improved again. What
counts is measured exactly. Nobody says that there is no better key: that is what proofs are for.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import islice

from gmpy2 import mpq

from ntqr_exact.dependence.float_keys import OWN_STARTS, FloatKeys
from ntqr_exact.dependence.float_rows import FloatKey
from ntqr_exact.dependence.tree_checker import Problem
from ntqr_exact.dependence.whole_key import WholeKey, rounded_keys

_NONE = mpq(0)
_STARTS = 2
_ROUNDINGS = 64
_KEPT = 3
SHAKES = 24
_SHAKEN = 15
"""A shaken key is worth a small part of the effort."""


@dataclass(frozen=True, slots=True)
class Found:
    """A key in shares[p][l], its dependence, and the dependence of the fractional key that it was rounded from."""

    shares: tuple[tuple[int, ...], ...]
    value: mpq
    fractional: float


def search_witness(
    problem: Problem, *, shakes: int = SHAKES, enough: mpq = _NONE, most: int | None = None
) -> Found | None:
    """Return the least dependent key found that meets the conditions of a problem; `None` if none was found.

    The search ends at a key whose dependence is `enough`; `most` changes of each first key are tried.
    """
    floats = FloatKeys(problem)
    unit = floats.rows.unit
    if unit > 1:  # a question more or less does not show
        shakes, most = 0, 0
    fractional = floats.near()
    starts = [shares for key, _ in fractional[:_STARTS] for shares in _best_roundings(problem, key, unit)]
    starts += [_one_label(problem, label) for label in range(problem.labels)]
    if problem.labels == 2 or problem.judges < 4:
        starts += [_own_answers(problem, i) for i in range(min(problem.judges, OWN_STARTS))]
    best: _Candidate | None = None
    for shares in starts:
        if best is None or best.value > enough:
            best = _better(best, WholeKey(problem, shares), most, enough)
    if best is None:
        return None
    rng = random.Random(len(problem.counts))
    for _ in range(shakes):
        if best.value <= enough:
            break
        key = WholeKey(problem, best.shares)
        for _ in range(rng.randint(2, 6)):
            key.apply([rng.choice(key.single_changes())])
        best = _better(best, key, key.effort() // _SHAKEN, enough) or best
    return Found(tuple(map(tuple, best.shares)), best.value, fractional[0][1])


def _best_roundings(problem: Problem, key: FloatKey, unit: int) -> list[list[list[int]]]:
    """Return the best whole keys near a fractional one, which counts in units."""
    wholes = [WholeKey(problem, shares) for shares in islice(rounded_keys(problem, key, unit), _ROUNDINGS)]
    wholes.sort(key=lambda whole: (not whole.meets(), whole.largest()))
    return [whole.shares for whole in wholes[:_KEPT]]


@dataclass(frozen=True, slots=True)
class _Candidate:
    value: mpq
    shares: list[list[int]]


def _better(best: _Candidate | None, key: WholeKey, most: int | None, enough: mpq) -> _Candidate | None:
    """Return the better of a candidate and of a key that is improved; a key that misses the conditions is none."""
    if not key.meets():
        return best
    value = key.improve(most=most, enough=enough)
    return _Candidate(value, key.shares) if best is None or value < best.value else best


def _one_label(problem: Problem, label: int) -> list[list[int]]:
    return [[n if place == label else 0 for place in range(problem.labels)] for _, n in problem.counts]


def _own_answers(problem: Problem, judge: int) -> list[list[int]]:
    """Return the key that a judge's own answers are: nobody is correlated with it."""
    return [[n if place == p[judge] else 0 for place in range(problem.labels)] for p, n in problem.counts]
