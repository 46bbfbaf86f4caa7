"""Normal confidence intervals f ± z√V, and the decision whether 0 lies in them, without any square root."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, NotASurd, Undecided
from ntqr_exact.exact.enclosure import MAX_PRECISION, Enclosure, enclose_sqrt
from ntqr_exact.exact.surd import Surd
from ntqr_exact.significance.critical import NormalCritical, PoweredCritical, RationalCritical

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
    critical: CriticalValue | PoweredCritical
    ends: Ends = Ends.CLOSED

    def __post_init__(self) -> None:
        """Refuse a negative variance."""
        if self.variance < 0:
            raise BadNumber(self.variance, "a variance must not be negative")

    @property
    def lower(self) -> Surd:
        """The lower end f − z√V as an exact surd, where z is rational."""
        return self.centre - self._reach()

    @property
    def upper(self) -> Surd:
        """The upper end f + z√V as an exact surd, where z is rational."""
        return self.centre + self._reach()

    def decision(self) -> Decision:
        """Return which side of 0 the interval lies on, from the sign of f² − z²V.

        With closed ends 0 is outside iff f² > z²V, with open ends iff f² ≥ z²V. A difference of exactly 0 is
        never shown to differ from 0, also where V = 0 makes the open interval empty. Raises `Undecided` where
        the true quantile would have to be known to more bits than its budget.
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
        precision = 64
        while True:
            lower, upper = self.enclose(precision)
            try:
                return lower.decimal(places), upper.decimal(places)
            except Undecided:
                precision *= 2
                if precision > MAX_PRECISION:
                    raise

    def __str__(self) -> str:
        """Return the interval in decimals, with brackets that show whether the ends belong to it."""
        left, right = "()" if self.ends is Ends.OPEN else "[]"
        return f"{left}{', '.join(self.decimals())}{right}"

    def _repr_latex_(self) -> str:
        rational = isinstance(self.critical, RationalCritical)
        ends = (self.lower.latex(), self.upper.latex()) if rational else self.decimals()
        left, right = "()" if self.ends is Ends.OPEN else "[]"
        return rf"$\left{left}{ends[0]}, {ends[1]}\right{right}$"

    def _reach(self) -> Surd:
        if not isinstance(self.critical, RationalCritical):
            raise NotASurd(
                self.critical, "a true normal quantile makes the ends no surds", "use enclose or decimals"
            )
        return self.critical.z * Surd.sqrt(self.variance)
