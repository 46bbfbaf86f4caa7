"""Guesses in floats: the one place where a solver in floats proposes, and exact arithmetic decides what it is worth.

HiGHS (in scipy, an extra) is asked where it is installed, else the simplex of `simplex` on floats. Their multipliers
are rounded to rationals: by weak duality any of them is sound, and `upper_bound` tells exactly what they prove. A
solver's own word, "infeasible" or "optimal", is never taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import Undecided
from ntqr_exact.exact.rational import rational_from_float
from ntqr_exact.linear.program import (
    KeyProgram,
    Table,
    check_table,
    largest_coefficient,
    refutes,
    upper_bound,
)
from ntqr_exact.linear.simplex import solve

_TOLERANCE = mpq(1, 10**9)
_BITS = (6, 12, 24, 40)
"""Multipliers are rounded to so many bits, the fewest that prove something: proofs are to be read."""

_MOST_PIVOTS = 5000


@dataclass(frozen=True, slots=True)
class Guess:
    """What a solver in floats proposes: `key[p][l]` if it found one, and multipliers, rounded, of every row."""

    key: tuple[tuple[mpq, ...], ...]
    multipliers: tuple[mpq, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """A proven bound of an objective with its multipliers, and a key in floats that should come near it.

    `refuted` says that the multipliers prove that there is no key at all; the bound then means nothing.
    """

    bound: mpq
    multipliers: tuple[mpq, ...]
    key: tuple[tuple[mpq, ...], ...]
    refuted: bool = False


def refutation(program: KeyProgram) -> tuple[mpq, ...] | None:
    """Return multipliers that refute the program, proven exactly; `None` says that none were guessed.

    >>> from ntqr_exact.linear.program import Row
    >>> refutation(KeyProgram((1, 2), 2, (Row(((1, 0), (0, 1)), 4),)))
    (mpq(1,1),)
    """
    return _proven(program, _least_missing(program).multipliers)


def bounded(program: KeyProgram, objective: Table) -> Bound:
    """Return a proven upper bound of an objective over the program; negate the objective for a lower one.

    >>> from ntqr_exact.linear.program import Row
    >>> bounded(KeyProgram((3,), 2, (Row(((-2, 0),), -3),)), ((1, 0),)).bound
    mpq(3,2)
    """
    check_table(program, objective)
    guess = _greatest(program, objective)
    if guess is not None:
        multipliers = _rounded(guess.multipliers, _BITS[-1])
        return Bound(upper_bound(program, multipliers, objective), multipliers, guess.key)
    proof = refutation(program)
    if proof is not None:
        return Bound(mpq(0), proof, (), refuted=True)
    nothing = (mpq(0),) * len(program.rows)
    return Bound(upper_bound(program, nothing, objective), nothing, ())


def _proven(program: KeyProgram, multipliers: Sequence[mpq]) -> tuple[mpq, ...] | None:
    if not any(multipliers):
        return None
    return next((found for bits in _BITS if refutes(program, found := _rounded(multipliers, bits))), None)


def _rounded(multipliers: Sequence[mpq], bits: int) -> tuple[mpq, ...]:
    """Round to multiples of 2^−bits of a power of two near the largest."""
    largest = max(multipliers, default=mpq(0))
    if not largest:
        return tuple(mpq(0) for _ in multipliers)
    power = int(largest.numerator).bit_length() - int(largest.denominator).bit_length() - bits
    unit = mpq(2) ** power
    return tuple(unit * int(number / unit + mpq(1, 2)) for number in multipliers)


def _exactly(numbers: Any) -> tuple[mpq, ...]:
    return tuple(max(mpq(0), rational_from_float(number)) for number in numbers)


def _float(number: Any) -> Any:
    """Leave exact numbers: what comes of this is a guess."""
    return float(number)


# -- who is asked ------------------------------------------------------------------------------------


@cache
def _solver() -> Any:
    """Return scipy's `linprog`, or `None` where there is none."""
    try:
        from scipy.optimize import linprog
    except ImportError:
        return None
    return linprog


def _least_missing(program: KeyProgram) -> Guess:
    """Return multipliers and the key of the least sum of what rows are missing, each in units of its coefficients."""
    linprog = _solver()
    if linprog is None:
        return _by_simplex(program, None) or Guess((), (mpq(0),) * len(program.rows))
    return _by_linprog(program, None, elastic=True) or Guess((), (mpq(0),) * len(program.rows))


def _greatest(program: KeyProgram, objective: Table) -> Guess | None:
    if _solver() is None:
        return _by_simplex(program, objective)
    return _by_linprog(program, objective, elastic=False)


def _by_simplex(program: KeyProgram, objective: Table | None) -> Guess | None:
    try:
        found = solve(
            program, objective, number=_float, tolerance=_float(_TOLERANCE), most_pivots=_MOST_PIVOTS
        )
    except Undecided:
        return None
    if objective is not None and not found.is_feasible:
        return None
    return Guess(tuple(_exactly(split) for split in found.key), _exactly(found.multipliers))


def _by_linprog(program: KeyProgram, objective: Table | None, *, elastic: bool) -> Guess | None:
    """Ask HiGHS; `elastic` lets every row miss something and minimises the sum of it."""
    import numpy as np
    from scipy.sparse import csr_matrix, hstack, identity, kron

    size, patterns, rows = len(program.counts) * program.labels, len(program.counts), len(program.rows)
    scales = [largest_coefficient(row) for row in program.rows]
    scaled = [
        [_float(c / scale) for part in row.coefficients for c in part]
        for row, scale in zip(program.rows, scales, strict=True)
    ]
    matrix = np.array(scaled).reshape(rows, size)
    least = np.array([_float(row.least / scale) for row, scale in zip(program.rows, scales, strict=True)])
    sums = kron(identity(patterns), np.ones((1, program.labels)), format="csr")
    cost = np.zeros(size)
    upper: Any = csr_matrix(-matrix)
    if objective is not None:
        cost = -np.array([_float(c) for part in objective for c in part])
    if elastic:
        cost = np.concatenate([np.zeros(size), np.ones(rows)])
        upper = hstack([upper, -identity(rows)], format="csr")
        sums = hstack([sums, csr_matrix((patterns, rows))], format="csr")
    found = _solver()(
        cost,
        A_ub=upper,
        b_ub=-least,
        A_eq=sums,
        b_eq=np.array([_float(n) for n in program.counts]),
        method="highs",
    )
    if found.status != 0:
        return None
    multipliers = tuple(
        number / s for number, s in zip(_exactly(-found.ineqlin.marginals), scales, strict=True)
    )
    values = _exactly(found.x[:size])
    key = tuple(values[place : place + program.labels] for place in range(0, size, program.labels))
    return Guess(key, multipliers)
