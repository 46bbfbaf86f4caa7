"""Critical values: how many standard deviations an interval reaches to each side.

Either a rational z, such as the 49/25 = 1.96 of the textbooks, or the true normal quantile of a level, which is
known by certified enclosures only. Both answer the one question that a decision needs: is f² > z²V?
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import gmpy2
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.enclosure import MAX_PRECISION, Enclosure, decide_sign
from ntqr_exact.exact.normal import enclose_normal_cdf, enclose_normal_quantile
from ntqr_exact.exact.rational import RationalLike, rational


@dataclass(frozen=True, slots=True)
class RationalCritical:
    """A critical value z > 0 that is given as a number.

    >>> RationalCritical("1.96").compare_square(4, 1)
    1
    """

    z: mpq

    def __init__(self, z: RationalLike) -> None:
        """Take a positive number."""
        object.__setattr__(self, "z", rational(z))
        if self.z <= 0:
            raise BadNumber(z, "a critical value is greater than 0")

    def compare_square(self, square: RationalLike, variance: RationalLike) -> int:
        """Return the sign of f² − z²V, exactly."""
        return gmpy2.sign(rational(square) - self.z**2 * rational(variance))

    def enclose(self, precision: int) -> Enclosure:  # noqa: ARG002
        """Return z itself, as an enclosure of no width."""
        return Enclosure(self.z, self.z)

    def level(self) -> str:
        """Return the two-sided level 2Φ(z) − 1 that goes with z, as a certified decimal.

        >>> RationalCritical("1.96").level()
        '0.950004'
        """
        return (2 * enclose_normal_cdf(self.z) - 1).decimal(6)

    def __str__(self) -> str:
        """Return the value in words."""
        return f"z = {self.z} (a level of {self.level()})"


@dataclass(frozen=True, slots=True)
class NormalCritical:
    """The critical value z with Φ(z) = (1 + level)/2: the middle `level` of a normal distribution.

    >>> NormalCritical("0.95").enclose(64).decimal(12)
    '1.959963984540'
    """

    of_level: mpq
    budget: int

    def __init__(self, level: RationalLike, *, budget: int = MAX_PRECISION) -> None:
        """Take a level between 0 and 1, and the bits of precision at which to give up."""
        object.__setattr__(self, "of_level", rational(level))
        object.__setattr__(self, "budget", budget)
        if not 0 < self.of_level < 1:
            raise BadNumber(level, "a level lies strictly between 0 and 1", "write 0.95 for 95 %")

    def compare_square(self, square: RationalLike, variance: RationalLike) -> int:
        """Return the sign of f² − z²V, certified; raises `Undecided` at the budget, never guesses.

        V = 0 is settled without z. If z² should ever equal f²/V, no precision would tell, and this raises.
        """
        left, right = rational(square), rational(variance)
        if right == 0:
            return gmpy2.sign(left)
        return decide_sign(
            lambda bits: left - squared_quantile(self.of_level, bits) * right, budget=self.budget
        )

    def enclose(self, precision: int) -> Enclosure:
        """Enclose z with a relative width of at most 2^(2−precision)."""
        return enclose_normal_quantile((1 + self.of_level) / 2, precision)

    def __str__(self) -> str:
        """Return the value in words."""
        return f"z ≈ {self.enclose(64).decimal(9)}, the true quantile for the level {self.of_level}"


@dataclass(frozen=True, slots=True)
class PoweredCritical:
    """The critical value z and the quantile of a power together, z + z_power: what a plan has to reach."""

    critical: RationalCritical | NormalCritical
    power: mpq

    def compare_square(self, square: RationalLike, variance: RationalLike) -> int:
        """Return the sign of f² − (z + z_power)²V, certified."""
        left, right = rational(square), rational(variance)
        if right == 0:
            return gmpy2.sign(left)
        return decide_sign(lambda bits: left - self.enclose(bits) * self.enclose(bits) * right)

    def enclose(self, precision: int) -> Enclosure:
        """Enclose z + z_power."""
        return self.critical.enclose(precision) + enclose_normal_quantile(self.power, precision)


@lru_cache(maxsize=64)
def squared_quantile(level: mpq, precision: int) -> Enclosure:
    """Enclose z² for the z that leaves (1 − level)/2 of a normal distribution on either side."""
    z = enclose_normal_quantile((1 + level) / 2, precision)
    return z * z
