"""Levels of confidence: checked, and shared out among several statements."""

from __future__ import annotations

import gmpy2
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import RationalLike, rational

_FINENESS = 10**9


def check_level(level: RationalLike) -> mpq:
    """Return a level strictly between 0 and 1.

    >>> check_level("0.95")
    mpq(19,20)
    """
    number = rational(level)
    if not 0 < number < 1:
        raise BadNumber(level, "a level lies strictly between 0 and 1", "write 0.95 for 95 %")
    return number


def independent_share(level: mpq, parts: int) -> mpq:
    """Return the least level on a fine grid whose power `parts` reaches `level`.

    Independent statements at this level hold together at `level`: it is √(1−α), or just above, for two.

    >>> independent_share(mpq(19, 20), 2)
    mpq(1949358869,2000000000)
    """
    grid = _FINENESS * level.denominator
    needed = -(-level.numerator * grid**parts // level.denominator)
    root, exact = gmpy2.iroot(needed, parts)
    return mpq(root if exact else root + 1, grid)


def divided_share(level: mpq, parts: int) -> mpq:
    """Return the level 1 − (1 − level)/parts, at which any statements hold together at `level`."""
    return 1 - (1 - level) / parts
