"""Clopper and Pearson's interval on a grid: the shares k/n whose binomial tails are both at least α/2.

P(X ≤ r) with p = k/n is a whole number over nᵐ and falls in k, so that the last kept k is found by halving.
"""

from __future__ import annotations

from gmpy2 import divexact, mpq, mpz


def binomial_interval(grid: int, trials: int, right: int, level: mpq) -> tuple[int, int]:
    """Return the least and the greatest k for which k/grid lies in Clopper and Pearson's interval.

    >>> binomial_interval(100, 20, 15, mpq(19, 20))
    (51, 91)
    """
    share = (1 - level) / 2
    return grid - _last_kept(grid, trials, trials - right, share), _last_kept(grid, trials, right, share)


def _last_kept(grid: int, trials: int, right: int, share: mpq) -> int:
    needed = share * mpz(grid) ** trials
    kept, dropped = 0, grid + 1
    while dropped - kept > 1:
        middle = (kept + dropped) // 2
        if at_most(grid, trials, middle, right) >= needed:
            kept = middle
        else:
            dropped = middle
    return kept


def at_most(grid: int, trials: int, hits: int, right: int) -> mpz:
    """Return gridᵐ·P(X ≤ r) for m trials that succeed with the probability hits/grid.

    >>> int(at_most(10, 3, 1, 0))
    729
    """
    if right >= trials or hits == 0:
        return mpz(grid) ** trials
    if hits == grid:
        return mpz(0)
    if 2 * right >= trials:  # the other tail is shorter
        return mpz(grid) ** trials - at_most(grid, trials, grid - hits, trials - right - 1)
    term = total = mpz(grid - hits) ** trials
    for x in range(1, right + 1):
        term = divexact(term * ((trials - x + 1) * hits), x * (grid - hits))
        total += term
    return total
