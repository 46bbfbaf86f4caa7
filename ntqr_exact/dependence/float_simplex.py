"""A small simplex method on arrays for programs whose variables lie between 0 and a number: guesses in floats.

The program asks for the least c·x + C·t with A·x + d·t + b ≥ 0 and 0 ≤ x ≤ n. Its dual has a row for each x and one
for t, however many rows A has, and a point to start from:

    least b·λ + n·u  with  Aᵀλ − u + s = c,  d·λ = C (or ≤ C, if t ≥ 0),  λ, u, s ≥ 0.

A tableau of the columns λ, s and the slack of the last row is kept; the column of u is that of s, negated. At the end x
is read off the prices of s. Nothing is believed that comes out of here: multipliers λ are weighed exactly elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_TOLERANCE = 1e-9
_PATIENCE = 60
_MOST_PIVOTS = 3000
_NEVER = 1e30
_SHADE = 1e-7
_GOLDEN = 0.6180339887


@dataclass(frozen=True, slots=True)
class Optimum:
    """The point x, what t costs it, and the multipliers λ of the rows."""

    point: Any
    value: float
    multipliers: Any


def least_cost(
    np: Any, matrix: Any, constant: Any, room: Any, *, cost: Any, slopes: Any, weight: float, t_is_free: bool
) -> Optimum | None:
    """Return the optimum, or nothing if the method lost its way."""
    rows, size = matrix.shape
    # Without costs all rows of the dual would be tied: costs so small that they do not matter tell them apart.
    cost = cost + _SHADE * (1 + (np.arange(size) * _GOLDEN) % 1)
    table = np.zeros((size + 1, rows + size + 2))
    table[:size, :rows] = matrix.T
    table[size, :rows] = slopes
    table[:size, rows : rows + size] = np.eye(size)
    table[:size, -1] = cost
    table[size, -2:] = 1.0, weight
    reduced = np.concatenate([constant, np.zeros(size + 1)])
    # A basic column: a row's λ (k), s (rows + p), the slack of the last row (rows + size), or u (−1 − p).
    basis = [rows + p for p in range(size)] + [rows + size]
    if t_is_free:
        first = int(np.argmin(constant / np.where(slopes > 0, slopes, 1e-12)))
        _pivot(np, table, reduced, size, column=table[:, first].copy(), price=float(reduced[first]))
        basis[size] = first
        reduced[-1] = _NEVER
    for p in np.nonzero(table[:size, -1] < 0)[0]:  # u takes the place of s
        # Its price is n_p: the reduced costs fall by n_p times the row.
        table[p] = -table[p]
        reduced -= room[p] * table[p, :-1]
        basis[p] = -1 - int(p)
    stuck = 0
    for _ in range(_MOST_PIVOTS):
        of_u = room - reduced[rows:-1]
        worst, kind = float(reduced.min()), 0
        if float(of_u.min()) < worst:
            worst, kind = float(of_u.min()), 1
        if worst >= -_TOLERANCE * 10:
            break
        if stuck > _PATIENCE:
            candidates = np.nonzero(reduced < -_TOLERANCE * 10)[0]
            kind = 0 if len(candidates) else 1
            entering = (
                int(candidates[0]) if len(candidates) else int(np.nonzero(of_u < -_TOLERANCE * 10)[0][0])
            )
        else:
            entering = int(reduced.argmin()) if kind == 0 else int(of_u.argmin())
        column = table[:, entering].copy() if kind == 0 else -table[:, rows + entering]
        price = float(reduced[entering]) if kind == 0 else float(of_u[entering])
        falls = column > _TOLERANCE
        if not falls.any():
            return None
        ratios = np.where(falls, table[:, -1] / np.where(falls, column, 1.0), np.inf)
        leaving = int(ratios.argmin())
        stuck = stuck + 1 if ratios[leaving] <= _TOLERANCE else 0
        _pivot(np, table, reduced, leaving, column=column, price=price)
        basis[leaving] = entering if kind == 0 else -1 - entering
    else:
        return None
    multipliers = np.zeros(rows)
    for place, name in enumerate(basis):
        if 0 <= name < rows:
            multipliers[name] = max(0.0, float(table[place, -1]))
    point = np.clip(reduced[rows:-1], 0, room)
    bound = constant @ multipliers + room @ np.maximum(0, matrix.T @ multipliers - cost)
    return Optimum(point, -float(bound), multipliers)


def _pivot(np: Any, table: Any, reduced: Any, leaving: int, *, column: Any, price: float) -> None:
    """Bring a column into the basis at a row."""
    row = table[leaving] / column[leaving]
    table -= np.outer(column, row)
    table[leaving] = row
    reduced -= price * row[:-1]
