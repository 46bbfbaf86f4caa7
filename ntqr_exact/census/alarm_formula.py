"""How many votes raise the logical alarm, as a formula in the number of questions.

The number of alarms among the C(Q + R^N − 1, R^N − 1) votes of Q questions is a quasi-polynomial in Q. Where the votes
without an alarm are a union of polyhedra, given here, `polyhedron.growth` bounds its period, degree and beginning; so
many values determine it, and the formula is proven. Elsewhere a formula that fits is confirmed on sizes that were held
out, and no more is said.

Judges by themselves, with a whole factor f: on label l there is room for f·min_i R_li − 1 questions, or for none if
some R_li = 0. All fits in exactly if for some set J of labels every R_li ≥ 1 and Σ_J (f·R_{i_l l} − 1) ≥ Q for all
choices of a judge i_l for each label: a polyhedron for each J.

Pairs between two labels, jointly, with the factor 2: a question that both called a may be moved to a, where both are
right on it. So only those called ab and ba are to be shared out. With d = (ab on a) − (ba on a) both are safe on a if
|d| < n_aa, and on b if |n_ab − n_ba − d| < n_bb; such a d exists exactly if n_aa, n_bb ≥ 1 and
|n_ab − n_ba| ≤ n_aa + n_bb − 2. Otherwise all questions are of one label, on which both are right more than half.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from math import factorial
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.misalignment import find_misalignment
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.census.polyhedron import Growth, Polyhedron, growth
from ntqr_exact.census.quasi_polynomial import QuasiPolynomial, interpolated, simplified
from ntqr_exact.errors import BadNumber, NotSupported, Undecided
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.varieties.compositions import compositions, count_compositions
from ntqr_exact.votes.counts import VoteCounts

_PERIODS = (1, 2, 3, 4, 6, 8, 12)
"""Periods that are tried where none is proven."""

_MOST_VOTES = 60_000
"""So many votes are looked at for a formula."""

_HELD_OUT = 4


@dataclass(frozen=True, slots=True)
class AlarmCase:
    """Which alarm is counted: of so many judges, labels and judges looked at together, with a factor for all labels."""

    judges: int
    labels: int
    group_size: int
    factor: mpq

    @property
    def patterns(self) -> list[tuple[int, ...]]:
        """The patterns of answers, R^N of them, in order."""
        return list(product(range(self.labels), repeat=self.judges))


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
    union = safe_polyhedra(case)
    return _conjectured(case) if union is None else _proven(case, union)


def count_alarms(case: AlarmCase, questions: int) -> int:
    """Return how many votes of so many questions raise the alarm, by looking at each of them, up to symmetry.

    >>> count_alarms(AlarmCase(2, 2, 2, mpq(2)), 2)
    7
    """
    union = safe_polyhedra(case)
    if union is not None and case.judges == case.labels == 2:
        return _counted_pairs(case, union, questions)
    total = 0
    for counts in compositions(questions, len(case.patterns)):
        orbit = {tuple(counts[place] for place in order) for order in _symmetries(case)}
        if counts == min(orbit) and _is_alarm(case, counts):
            total += len(orbit)
    return total


# -- proofs ------------------------------------------------------------------------------------------


def safe_polyhedra(case: AlarmCase) -> list[Polyhedron] | None:
    """Return polyhedra whose union are the votes without an alarm; `None` where none are known."""
    if case.group_size == 1 and case.factor.denominator == 1:
        return list(_single(case))
    if case == AlarmCase(2, 2, 2, mpq(2)):
        return _pairs()
    return None


def _single(case: AlarmCase) -> Iterator[Polyhedron]:
    patterns, factor = case.patterns, int(case.factor)
    judges = range(case.judges)
    for size in range(1, case.labels + 1):
        for chosen in combinations(range(case.labels), size):
            room = [
                (tuple(int(p[judge] == label) for p in patterns), 1) for label in chosen for judge in judges
            ] + [
                (
                    tuple(
                        sum(factor * (p[i] == label) for label, i in zip(chosen, who, strict=True)) - 1
                        for p in patterns
                    ),
                    size,
                )
                for who in product(judges, repeat=size)
            ]
            yield Polyhedron(len(patterns), tuple(dict.fromkeys(room)))


def _pairs() -> list[Polyhedron]:
    """Return the polyhedra of (n_aa, n_ab, n_ba, n_bb): all of a, all of b, and both labels."""
    on_a = (((1, 1, -1, -1), 1), ((1, -1, 1, -1), 1))
    on_b = (((-1, -1, 1, 1), 1), ((-1, 1, -1, 1), 1))
    both = (((1, 0, 0, 0), 1), ((0, 0, 0, 1), 1), ((1, -1, 1, 1), 2), ((1, 1, -1, 1), 2))
    return [Polyhedron(4, rows) for rows in (on_a, on_b, both)]


def _proven(case: AlarmCase, union: Sequence[Polyhedron]) -> AlarmFormula:
    bounds = growth(union)
    first = bounds.start
    needed = (bounds.degree + 1) * bounds.period
    last = first + needed + _HELD_OUT - 1
    if case.judges != 2 or case.labels != 2:
        raise NotSupported(
            count_compositions(last, len(case.patterns)),
            f"a proof needs the alarms of all votes of up to {last} questions",
            "formulas are found for pairs between two labels",
        )
    values = {q: count_alarms(case, q) for q in range(1, last + 1)}
    found = interpolated(values, degree=bounds.degree, period=bounds.period, start=first)
    if found is None:
        raise Undecided(case, "values that should lie on a quasi-polynomial do not")
    formula = simplified(found)
    start = first
    while start > 1 and QuasiPolynomial(formula.parts, 0)(start - 1) == values[start - 1]:
        start -= 1  # the formula may hold earlier than is proven in general
    return AlarmFormula(case, QuasiPolynomial(formula.parts, start), bounds, last)


def _counted_pairs(case: AlarmCase, union: Sequence[Polyhedron], questions: int) -> int:
    """Count by answers: if judges are looked at by themselves, votes with the same answers have one verdict."""
    if case.group_size == 2:
        return sum(all(counts not in part for part in union) for counts in compositions(questions, 4))
    total = 0
    for first in range(questions + 1):
        for second in range(questions + 1):
            both = max(0, first + second - questions)
            counts = (both, first - both, second - both, questions - first - second + both)
            if all(counts not in part for part in union):
                total += min(first, second) - both + 1
    return total


# -- conjectures -------------------------------------------------------------------------------------


def _conjectured(case: AlarmCase) -> AlarmFormula:
    degree = len(case.patterns) - 1
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
        for period in _PERIODS:
            start = questions - (degree + 1) * period - max(_HELD_OUT, period)
            if start < 1:
                break
            found = interpolated(values, degree=degree, period=period, start=start)
            if found is not None:
                while start > 1 and QuasiPolynomial(found.parts, 0)(start - 1) == values[start - 1]:
                    start -= 1
                return AlarmFormula(case, QuasiPolynomial(found.parts, start), None, questions - 1)


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
