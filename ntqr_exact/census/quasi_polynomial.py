"""Quasi-polynomials: a polynomial in Q for each residue of Q by a period, found from values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber


@dataclass(frozen=True, slots=True)
class QuasiPolynomial:
    """`parts[Q mod period]` are the coefficients of 1, Q, Q², …, from `start` on.

    >>> halves = QuasiPolynomial(((mpq(0), mpq(1, 2)), (mpq(-1, 2), mpq(1, 2))), 0)
    >>> [int(halves(q)) for q in range(6)]
    [0, 0, 1, 1, 2, 2]
    >>> print(halves)
    Q/2 (Q even), Q/2 - 1/2 (Q odd)
    """

    parts: tuple[tuple[mpq, ...], ...]
    start: int

    @property
    def period(self) -> int:
        """After how many Q the polynomials repeat."""
        return len(self.parts)

    @property
    def degree(self) -> int:
        """The largest power of Q that occurs."""
        return max(power for part in self.parts for power, c in enumerate(part) if c or not power)

    def __call__(self, questions: int) -> mpq:
        """Return the value at a number of questions, at least `start`."""
        if questions < self.start:
            raise BadNumber(questions, f"the formula begins at {self.start}")
        value = mpq(0)
        for coefficient in reversed(self.parts[questions % self.period]):
            value = value * questions + coefficient
        return value

    def leading(self, degree: int) -> tuple[mpq, ...]:
        """Return the coefficients of a power of Q, one for each residue."""
        return tuple(part[degree] if degree < len(part) else mpq(0) for part in self.parts)

    def __str__(self) -> str:
        """Return the polynomials in words and signs."""
        names = {1: [""], 2: [" (Q even)", " (Q odd)"]}.get(
            self.period, [f" (Q = {rest} mod {self.period})" for rest in range(self.period)]
        )
        return ", ".join(
            f"{_polynomial_text(part)}{name}" for part, name in zip(self.parts, names, strict=True)
        )


def interpolated(
    values: Mapping[int, int], *, degree: int, period: int, start: int
) -> QuasiPolynomial | None:
    """Return the quasi-polynomial of this degree and period with all the values from `start` on, or `None`.

    Each residue needs degree + 1 values; what is beyond them is a check.

    >>> print(interpolated({q: q * (q + 1) // 2 for q in range(6)}, degree=2, period=1, start=0))
    Q^2/2 + Q/2
    """
    parts = []
    for rest in range(period):
        places = sorted(q for q in values if q >= start and q % period == rest)
        if len(places) <= degree:
            raise BadNumber(len(places), f"a polynomial of degree {degree} needs {degree + 1} values")
        part = _newton([(q, values[q]) for q in places[: degree + 1]])
        found = QuasiPolynomial((part,), start)
        if any(found(q) != values[q] for q in places):
            return None
        parts.append(part)
    return QuasiPolynomial(tuple(parts), start)


def simplified(formula: QuasiPolynomial) -> QuasiPolynomial:
    """Return the same function with its least period."""
    for period in range(1, formula.period):
        if formula.period % period == 0:
            parts = formula.parts[:period]
            if formula.parts == parts * (formula.period // period):
                return QuasiPolynomial(parts, formula.start)
    return formula


def _newton(points: Sequence[tuple[int, int]]) -> tuple[mpq, ...]:
    """Return the coefficients of the polynomial through the points, by divided differences."""
    places = [mpq(x) for x, _ in points]
    table = [mpq(y) for _, y in points]
    for order in range(1, len(points)):
        for k in range(len(points) - 1, order - 1, -1):
            table[k] = (table[k] - table[k - 1]) / (places[k] - places[k - order])
    coefficients = [mpq(0)] * len(points)
    for place, difference in zip(reversed(places), reversed(table), strict=True):
        # c(Q)·(Q − place) + difference
        shifted = [mpq(0), *coefficients[:-1]]
        coefficients = [s - place * c for s, c in zip(shifted, coefficients, strict=True)]
        coefficients[0] += difference
    return tuple(coefficients)


def _polynomial_text(part: Sequence[mpq]) -> str:
    text = ""
    for power in range(len(part) - 1, -1, -1):
        c = part[power]
        if not c:
            continue
        sign = ("-" if c < 0 else "") if not text else (" - " if c < 0 else " + ")
        size = abs(c)
        name = {0: "", 1: "Q"}.get(power, f"Q^{power}")
        top = str(size.numerator) if size.numerator != 1 or not name else ""
        below = f"/{size.denominator}" if size.denominator != 1 else ""
        text += f"{sign}{top}{name}{below}"
    return text or "0"
