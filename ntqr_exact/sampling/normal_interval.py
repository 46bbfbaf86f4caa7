"""Normal confidence intervals f ± z√V, and the decision whether 0 lies in them, without any square root.

A critical value z is a rational, such as the 49/25 = 1.96 of the textbooks, or the true normal quantile of a level,
which is known by certified enclosures only. Both answer the one question that a decision needs: is f² > z²V?
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TypeAlias

import gmpy2
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, NotASurd, Undecided
from ntqr_exact.exact.enclosure import (
    MAX_PRECISION,
    Enclosure,
    decide_sign,
    enclose_normal_cdf,
    enclose_normal_quantile,
    enclose_sqrt,
)
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.sampling.designs import check_level


@dataclass(frozen=True, slots=True)
class RationalCritical:
    """A critical value z > 0 that is given as a number.

    >>> RationalCritical("1.96").compare_square(4, 1)
    1
    """

    z: mpq

    def __init__(self, z: RationalLike) -> None:
        object.__setattr__(self, "z", rational(z))
        if self.z <= 0:
            raise BadNumber(z, "critical must be > 0")

    def compare_square(self, square: RationalLike, variance: RationalLike) -> int:
        """Return the sign of f² − z²V, exactly."""
        return gmpy2.sign(rational(square) - self.z**2 * rational(variance))

    def enclose(self, precision: int) -> Enclosure:  # noqa: ARG002
        """Return z, as an enclosure of no width."""
        return Enclosure(self.z, self.z)

    def __str__(self) -> str:
        return f"z = {self.z} (a level of {(2 * enclose_normal_cdf(self.z) - 1).decimal(6)})"


@dataclass(frozen=True, slots=True)
class NormalCritical:
    """The critical value z with Φ(z) = (1 + level)/2: the middle `level` of a normal distribution.

    >>> NormalCritical("0.95").enclose(64).decimal(12)
    '1.959963984540'
    """

    of_level: mpq

    def __init__(self, level: RationalLike) -> None:
        object.__setattr__(self, "of_level", check_level(level))

    def compare_square(self, square: RationalLike, variance: RationalLike) -> int:
        """Return the sign of f² − z²V, certified; if z² should ever equal f²/V, it raises `Undecided`."""
        left, right = rational(square), rational(variance)
        if right == 0:
            return gmpy2.sign(left)
        return decide_sign(lambda bits: left - _squared_quantile(self.of_level, bits) * right)

    def enclose(self, precision: int) -> Enclosure:
        """Enclose z with a relative width of at most 2^(2−precision)."""
        return enclose_normal_quantile((1 + self.of_level) / 2, precision)

    def __str__(self) -> str:
        return f"z ≈ {self.enclose(64).decimal(9)}, the true quantile for the level {self.of_level}"


@lru_cache(maxsize=64)
def _squared_quantile(level: mpq, precision: int) -> Enclosure:
    z = enclose_normal_quantile((1 + level) / 2, precision)
    return z * z


CriticalValue: TypeAlias = "RationalCritical | NormalCritical"


class Ends(Enum):
    """Whether the ends belong to the interval; it matters only where one of them is exactly 0."""

    OPEN = "open"
    CLOSED = "closed"


class Decision(Enum):
    """What an interval for the difference treatment − control says."""

    LOWER = "the treatment is lower"
    HIGHER = "the treatment is higher"
    NOT_SHOWN = "no difference is shown"


@dataclass(frozen=True, slots=True)
class NormalInterval:
    """The interval from f − z√V to f + z√V around a difference f with variance V.

    >>> interval = NormalInterval(mpq(-1, 2), mpq(1, 50), RationalCritical(2))
    >>> interval.lower, interval.upper.decimal(4), interval.decision().value
    (Surd('-1/2', '-1/5', 2), '-0.2172', 'the treatment is lower')

    Goyal, Hu and Gupta 2023, eq. 8 and 14, print it with open ends; the default here is closed.
    """

    centre: mpq
    variance: mpq
    critical: CriticalValue
    ends: Ends = Ends.CLOSED

    def __post_init__(self) -> None:
        if self.variance < 0:
            raise BadNumber(self.variance, "variance must be >= 0")

    @property
    def lower(self) -> Surd:
        """The lower end f − z√V as an exact surd, where z is rational."""
        return self.centre - self._reach()

    @property
    def upper(self) -> Surd:
        """The upper end f + z√V as an exact surd, where z is rational."""
        return self.centre + self._reach()

    def decision(self) -> Decision:
        """Return which side of 0 the interval lies on.

        With closed ends 0 is outside iff f² > z²V, with open ends iff f² ≥ z²V. A difference of exactly 0 is
        never shown to differ from 0, also where V = 0 makes the open interval empty.
        """
        if self.centre == 0:
            return Decision.NOT_SHOWN
        sign = self.critical.compare_square(self.centre**2, self.variance)
        if sign < 0 or (sign == 0 and self.ends is Ends.CLOSED):
            return Decision.NOT_SHOWN
        return Decision.HIGHER if self.centre > 0 else Decision.LOWER

    def enclose(self, precision: int = 64) -> tuple[Enclosure, Enclosure]:
        """Enclose both ends, for any kind of critical value."""
        reach = self.critical.enclose(precision) * enclose_sqrt(self.variance, precision)
        return self.centre - reach, self.centre + reach

    def decimals(self, places: int = 6) -> tuple[str, str]:
        """Return both ends as correctly rounded decimals.

        >>> NormalInterval(mpq(0), mpq(1), NormalCritical("0.95")).decimals(10)
        ('-1.9599639845', '1.9599639845')
        """
        if isinstance(self.critical, RationalCritical):
            return self.lower.decimal(places), self.upper.decimal(places)
        return decimals_of_ends(self.enclose, places)

    def __str__(self) -> str:
        left, right = "()" if self.ends is Ends.OPEN else "[]"
        return f"{left}{', '.join(self.decimals())}{right}"

    def _reach(self) -> Surd:
        if not isinstance(self.critical, RationalCritical):
            rule = "the ends are surds only for a rational critical value"
            raise NotASurd(self.critical, rule, "use enclose or decimals")
        return self.critical.z * Surd.sqrt(self.variance)


def decimals_of_ends(ends: Callable[[int], tuple[Enclosure, Enclosure]], places: int) -> tuple[str, str]:
    """Return two ends as correctly rounded decimals, with as many bits as that takes."""
    precision = 16 + 4 * places
    while True:
        try:
            lower, upper = ends(precision)
            return lower.decimal(places), upper.decimal(places)
        except Undecided:
            precision *= 2
            if precision > MAX_PRECISION:
                raise
