"""How many votes raise the logical alarm, as a formula in the number of questions.

The number of alarms among the C(Q + R^N − 1, R^N − 1) votes of Q questions is a quasi-polynomial in Q. Where the votes
without an alarm are a union of polyhedra (`safe_votes`), `growth` bounds its period, degree and beginning;
enough values determine it, and the formula is proven. Elsewhere a formula that fits is confirmed on sizes that were
held out, and no more is said.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from math import factorial, lcm
from typing import Any

from gmpy2 import mpq, mpz

from ntqr_exact.alarms.misalignment import find_misalignment
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.budget import check_work
from ntqr_exact.census.safe_votes import AlarmCase, Growth, growth, safe_polyhedra
from ntqr_exact.errors import BadNumber, NotSupported, Undecided
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.varieties.compositions import compositions, count_compositions
from ntqr_exact.votes.counts import VoteCounts

_PERIODS = (1, 2, 3, 4, 6)
"""Periods that are tried where none is proven, times the numerator of the factor: fewer questions look too regular."""

_MOST_VOTES = 150_000
"""So many votes are looked at for a formula."""

_MOST_CELLS = 2 * 10**7
"""So many numbers are kept to count votes by the answers of the judges."""

_HELD_OUT = 4


@dataclass(frozen=True, slots=True)
class AlarmFormula:
    """A formula for the number of alarms, what proves it, and on how many values it was confirmed.

    `bounds` are what is proven about every such formula; without them the formula is a conjecture.
    """

    case: AlarmCase
    formula: QuasiPolynomial
    bounds: Growth | None
    confirmed_to: int

    @property
    def is_proven(self) -> bool:
        """Whether the formula holds for all Q from its start on."""
        return self.bounds is not None

    @property
    def limit(self) -> mpq | None:
        """The share of all votes that raise the alarm as Q grows; `None` if it depends on the residue of Q."""
        degree = self.case.labels**self.case.judges - 1
        shares = {coefficient * factorial(degree) for coefficient in self.formula.leading(degree)}
        return shares.pop() if len(shares) == 1 else None

    def __str__(self) -> str:
        """Return the formula, its limit and how it is known."""
        known = (
            f"proven for Q ≥ {self.formula.start}"
            if self.bounds is not None
            else f"not proven: it holds for Q = {self.formula.start} to {self.confirmed_to}"
        )
        share = f"; in the limit {self.limit} of all votes" if self.limit is not None else ""
        return f"{self.formula}{share} ({known})"

    def to_document(self) -> dict[str, Any]:
        """Return the formula as a JSON document: coefficients of 1, Q, Q², … for each residue of Q."""
        return {
            "judges": self.case.judges,
            "labels": self.case.labels,
            "group_size": self.case.group_size,
            "factor": self.case.factor,
            "period": self.formula.period,
            "start": self.formula.start,
            "coefficients": [list(part) for part in self.formula.parts],
            "limit": self.limit,
            "proven": self.is_proven,
            "confirmed_to": self.confirmed_to,
        }

    def to_json(self) -> str:
        """Return the formula as JSON, the same bytes every time."""
        return write_json(self.to_document())


def alarm_case(
    *, judges: int, labels: int = 2, group_size: int | None = None, factor: RationalLike = 2
) -> AlarmCase:
    """Return the case of an alarm; raises `BadNumber` for one that does not exist."""
    case = AlarmCase(judges, labels, judges if group_size is None else group_size, rational(factor))
    if case.judges < 1 or case.labels < 2 or not 1 <= case.group_size <= case.judges or case.factor <= 1:
        raise BadNumber(
            (judges, labels, group_size, factor),
            "an alarm has groups of its judges, two labels or more, and a factor above 1",
        )
    return case


def alarm_formula(
    *, judges: int, labels: int = 2, group_size: int | None = None, factor: RationalLike = 2
) -> AlarmFormula:
    """Return a formula for the number of votes that raise the alarm, proven where that is possible.

    >>> print(alarm_formula(judges=2, group_size=2).formula)
    Q^3/24 + Q^2/2 + 11Q/6 + 1 (Q even), Q^3/24 + 5Q^2/8 + 23Q/24 + 3/8 (Q odd)

    Raises `NotSupported` where too many votes would have to be looked at.
    """
    case = alarm_case(judges=judges, labels=labels, group_size=group_size, factor=factor)
    return _conjectured(case) if case.modulus is None else _proven(case, case.modulus)


def count_alarms(case: AlarmCase, questions: int) -> int:
    """Return how many votes of this many questions raise the alarm, by looking at each of them, up to symmetry.

    >>> count_alarms(AlarmCase(2, 2, 2, mpq(2)), 2)
    7

    Raises `TooMuchWork` where they are too many, and `BadNumber` where there is no question.
    """
    if questions < 1:
        raise BadNumber(questions, "a test has at least one question")
    if case.group_size == 1 and case.labels == 2:
        return _counted_alone(case, range(questions, questions + 1))[questions]
    boxes = len(case.patterns)
    votes = count_compositions(questions, boxes) if min(questions, boxes) < _MOST_CELLS >> 10 else 1 << 65
    if case.modulus is not None and case.judges == case.labels == 2:
        check_work("the votes of so many questions", 10 * votes)
        return _counted_pairs(case, questions)
    orders = factorial(min(case.judges, 30)) * factorial(min(case.labels, 30))
    check_work("the votes of so many questions", orders * boxes + votes * (30 + orders * boxes // 8))
    total = 0
    for counts in compositions(questions, len(case.patterns)):
        orbit = {tuple(counts[place] for place in order) for order in _symmetries(case)}
        if counts == min(orbit) and _is_alarm(case, counts):
            total += len(orbit)
    return total


# -- proofs ------------------------------------------------------------------------------------------


def _proven(case: AlarmCase, modulus: int) -> AlarmFormula:
    if case.labels != 2 or case.judges > 3:
        raise NotSupported(
            (case.judges, case.labels),
            "a proof needs the alarms of all votes of hundreds of questions",
            "formulas are found for up to three judges between two labels",
        )
    bounds = _bounds(case, modulus)
    first = bounds.start
    last = first + (bounds.degree + 1) * bounds.period + _HELD_OUT - 1
    if case.group_size == 1:
        values = _counted_alone(case, range(1, last + 1))
    else:
        values = {q: count_alarms(case, q) for q in range(1, last + 1)}
    found = interpolated(values, degree=bounds.degree, period=bounds.period, start=first)
    if found is None:
        raise Undecided(case, "values that should lie on a quasi-polynomial do not")
    return AlarmFormula(case, _from_the_first(simplified(found), values), bounds, last)


def _bounds(case: AlarmCase, modulus: int) -> Growth:
    """Return what is known of the number of alarms from the polyhedra of every class of residues."""
    boxes = len(case.patterns)
    check_work("the classes of votes for so fine a factor", 40 * boxes**3 * modulus**boxes)
    classes = product(range(modulus), repeat=boxes)
    unions = {tuple(safe_polyhedra(case, residues)) for residues in classes}
    found = [growth(union, modulus) for union in unions]
    return Growth(lcm(*(part.period for part in found)), found[0].degree, max(part.start for part in found))


def _from_the_first(formula: QuasiPolynomial, values: Mapping[int, int]) -> QuasiPolynomial:
    """Return the formula from the first number of questions on: it may hold earlier than is proven in general."""
    start = formula.start
    while start > 1 and QuasiPolynomial(formula.parts, 0)(start - 1) == values[start - 1]:
        start -= 1
    return QuasiPolynomial(formula.parts, start)


def _counted_pairs(case: AlarmCase, questions: int) -> int:
    """Count the pairs that lie in none of the polyhedra."""
    modulus = case.modulus or 1
    unions = {residues: safe_polyhedra(case, residues) for residues in product(range(modulus), repeat=4)}
    return sum(
        all(counts not in part for part in unions[tuple(n % modulus for n in counts)])
        for counts in compositions(questions, 4)
    )


def _counted_alone(case: AlarmCase, sizes: range) -> dict[int, int]:
    """Count by answers: if judges are looked at by themselves, votes with the same answers have one verdict.

    How many votes have the answers R_1, R_2, … b is a coefficient of Π_p 1/(1 − z·t^p) over the patterns p. One number
    holds the coefficients of z^Q, side by side; a factor adds to it the number for Q − 1 moved by its pattern. With the
    answers of all judges but one, those of the last with which all could be safe are an interval.
    """
    side, patterns = sizes[-1] + 1, case.patterns
    if side**case.judges * len(patterns) > _MOST_CELLS or count_compositions(side, len(patterns)) >> 64:
        raise NotSupported(sizes[-1], f"the answers of {case.judges} judges are too many to go through")
    check_work("the votes of so many questions", side ** (case.judges + 1) * len(patterns) // 250)
    moves = [64 * sum(b * side**place for place, b in enumerate(pattern)) for pattern in patterns]
    room = [SafetySpecification(case.factor).most_questions("a", n) for n in range(side)]
    tables, found = [mpz(1)] * len(moves), {}
    for size in range(1, side):
        votes = mpz(0)
        for place, move in enumerate(moves):
            votes = tables[place] = votes + (tables[place] << move)
        if size not in sizes:
            continue
        cells = memoryview(int(votes).to_bytes(8 * side**case.judges, "little")).cast("Q")
        found[size] = count_compositions(size, len(patterns))
        for others in product(range(size + 1), repeat=case.judges - 1):
            least, most = min(others, default=size), max(others, default=0)
            low = bisect_left(room, size - room[size - most], 0, least + 1)
            high = size - bisect_left(room, size - room[least], 0, size - most + 1)
            if low <= least or high >= most:
                start = sum(n * side**place for place, n in enumerate(others, 1))
                found[size] -= sum(cells[start + low : start + high + 1])
    return found


# -- conjectures -------------------------------------------------------------------------------------


def _conjectured(case: AlarmCase) -> AlarmFormula:
    degree = len(case.patterns) - 1
    least = min(_PERIODS) * int(case.factor.numerator)
    sizes = (degree + 1) * least + max(_HELD_OUT, 2 * least)
    votes = count_compositions(sizes, degree + 2) - 1
    if votes > _MOST_VOTES:
        raise NotSupported(
            (case.judges, case.labels),
            f"a formula needs a look at all {votes} votes of up to {sizes} questions, more than {_MOST_VOTES}",
            "formulas are found for pairs, and for judges one by one",
        )
    values: dict[int, int] = {}
    seen, questions = 0, 1
    while True:
        seen += count_compositions(questions, degree + 1)
        if seen > _MOST_VOTES:
            raise NotSupported(
                seen, f"no formula was found in the {len(values)} sizes of a test that were looked at"
            )
        values[questions] = count_alarms(case, questions)
        questions += 1
        for period in (times * int(case.factor.numerator) for times in _PERIODS):
            start = questions - (degree + 1) * period - max(_HELD_OUT, 2 * period)
            if start < 1:
                break
            found = interpolated(values, degree=degree, period=period, start=start)
            if found is not None:
                return AlarmFormula(case, _from_the_first(found, values), None, questions - 1)


def _is_alarm(case: AlarmCase, counts: Sequence[int]) -> bool:
    labels = tuple(map(str, range(case.labels)))
    votes = VoteCounts(
        {tuple(labels[i] for i in pattern): n for pattern, n in zip(case.patterns, counts, strict=True)},
        labels,
    )
    found = find_misalignment(votes, SafetySpecification(case.factor), group_size=case.group_size)
    if found.safe_key is None and not found.is_misaligned:
        raise Undecided(votes, "whether these votes raise the alarm was not found out")
    return found.is_misaligned


@cache
def _symmetries(case: AlarmCase) -> tuple[tuple[int, ...], ...]:
    """The orders of the patterns under permuted judges and labels, which change no verdict."""
    place = {pattern: number for number, pattern in enumerate(case.patterns)}
    return tuple(
        {
            tuple(place[tuple(names[pattern[judge]] for judge in order)] for pattern in case.patterns)
            for order in permutations(range(case.judges))
            for names in permutations(range(case.labels))
        }
    )


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
