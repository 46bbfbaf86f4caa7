"""Formulas for the number of alarms: the polyhedra against all keys, their bounds against counting."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import pytest
from gmpy2 import mpq

from ntqr_exact import SafetySpecification, VoteCounts, find_misalignment
from ntqr_exact.census.alarm_formula import (
    QuasiPolynomial,
    alarm_formula,
    count_alarms,
    interpolated,
    simplified,
)
from ntqr_exact.census.safe_votes import AlarmCase, Polyhedron, generators, growth, safe_polyhedra
from ntqr_exact.errors import BadNumber, NotSupported, TooMuchWork
from tests.alarms.all_keys import compositions, safe_counts


def raises_the_alarm(case: AlarmCase, counts) -> bool:
    labels = tuple("abc"[: case.labels])
    votes = VoteCounts(
        {tuple(labels[i] for i in p): n for p, n in zip(case.patterns, counts, strict=True)}, labels
    )
    groups = list(combinations(range(case.judges), case.group_size))
    return not safe_counts(votes, SafetySpecification(case.factor), groups)


@pytest.mark.parametrize(
    ("case", "most"),
    [
        (AlarmCase(2, 2, 2, mpq(2)), 6),
        (AlarmCase(2, 2, 2, mpq(3)), 6),
        (AlarmCase(2, 2, 2, mpq(5)), 6),
        (AlarmCase(2, 2, 2, mpq(3, 2)), 8),
        (AlarmCase(2, 2, 1, mpq(2)), 6),
        (AlarmCase(2, 2, 1, mpq(3)), 6),
        (AlarmCase(2, 2, 1, mpq(3, 2)), 6),
        (AlarmCase(2, 2, 1, mpq(7, 5)), 5),
        (AlarmCase(2, 3, 1, mpq(2)), 3),
        (AlarmCase(3, 2, 1, mpq(2)), 3),
    ],
)
def test_the_polyhedra_hold_the_votes_for_which_some_key_is_safe(case: AlarmCase, most: int) -> None:
    fired = set()
    for size in range(1, most + 1):
        for counts in compositions(size, len(case.patterns)):
            alarm = raises_the_alarm(case, counts)
            union = safe_polyhedra(case, [n % case.modulus for n in counts])
            assert all(counts not in part for part in union) == alarm, counts
            fired.add(alarm)
    assert fired == {True, False}


@pytest.mark.parametrize(
    "case",
    [
        AlarmCase(1, 2, 1, mpq(2)),
        AlarmCase(2, 2, 1, mpq(2)),
        AlarmCase(2, 2, 2, mpq(3, 2)),
        AlarmCase(2, 2, 2, mpq(4, 3)),
        AlarmCase(3, 2, 1, mpq(2)),
        AlarmCase(3, 2, 1, mpq(3, 2)),
    ],
)
def test_alarms_are_counted_as_all_keys_say(case: AlarmCase) -> None:
    for size in (1, 2, 5) if case.judges < 3 else (1, 4):
        expected = sum(raises_the_alarm(case, counts) for counts in compositions(size, len(case.patterns)))
        assert count_alarms(case, size) == expected


def test_the_formula_of_pairs_is_the_one_that_is_known() -> None:
    joint = alarm_formula(judges=2, group_size=2)
    assert str(joint) == (
        "Q^3/24 + Q^2/2 + 11Q/6 + 1 (Q even), Q^3/24 + 5Q^2/8 + 23Q/24 + 3/8 (Q odd); in the limit 1/4 of all votes "
        "(proven for Q ≥ 1)"
    )
    single = alarm_formula(judges=2, group_size=1)
    assert (single.limit, single.formula.period, single.is_proven) == (Fraction(1, 8), 4, True)
    assert single.formula(60) == count_alarms(single.case, 60)  # far beyond the values it was made from


@pytest.mark.parametrize(
    ("size", "factor", "period", "limit"),
    [(2, 3, 3, "2/27"), (2, 4, 4, "1/32"), (2, "3/2", 3, "5/9"), (1, 5, 10, "1/125"), (1, "3/2", 6, "8/27")],
)
def test_formulas_of_pairs_are_proven_for_whole_factors_and_for_three_halves(
    size, factor, period, limit
) -> None:
    found = alarm_formula(judges=2, group_size=size, factor=factor)
    assert (found.is_proven, found.formula.period, found.limit) == (True, period, Fraction(limit))
    beyond = found.confirmed_to + 5
    if size == 2:  # each vote by itself, where polyhedra took part before
        expected = sum(
            find_misalignment(
                VoteCounts(dict(zip(["aa", "ab", "ba", "bb"], counts, strict=True))),
                SafetySpecification(factor),
                group_size=2,
            ).is_misaligned
            for counts in compositions(11, 4)
        )
        assert found.formula(11) == expected
    else:
        assert found.formula(beyond) == count_alarms(found.case, beyond)


@pytest.mark.slow
def test_the_formula_of_three_judges_by_themselves_is_proven() -> None:
    found = alarm_formula(judges=3, group_size=1)
    assert (found.is_proven, found.formula.period, found.limit) == (True, 12, Fraction(11, 128))
    assert found.formula(114) == count_alarms(found.case, 114)


@pytest.mark.slow
def test_without_polyhedra_a_formula_is_not_called_proven() -> None:
    found = alarm_formula(judges=2, group_size=2, factor="4/3")
    assert not found.is_proven
    assert found.limit == Fraction(23, 32)
    assert "not proven: it holds for Q = 7 to 30" in str(found)
    assert found.formula(22) == count_alarms(found.case, 22)  # values up to 20 lie on another formula as well


def test_what_would_take_too_long_and_what_makes_no_sense_are_refused() -> None:
    with pytest.raises(NotSupported, match="a proof needs the alarms of all votes of hundreds of questions"):
        alarm_formula(judges=3, labels=3, group_size=1)
    with pytest.raises(NotSupported, match="a look at all 3108104 votes of up to 20 questions"):
        alarm_formula(judges=3, group_size=3)
    with pytest.raises(NotSupported, match="the answers of 3 judges are too many"):
        count_alarms(AlarmCase(3, 2, 1, mpq(2)), 1000)
    for wrong in (
        {"judges": 2, "factor": 1},
        {"judges": 0},
        {"judges": 2, "group_size": 3},
        {"judges": 2, "labels": 1},
    ):
        with pytest.raises(BadNumber, match="an alarm has groups of its judges"):
            alarm_formula(**wrong)


def test_points_of_one_class_of_residues_repeat_with_multiples_of_the_rays() -> None:
    """Of the points (n, n) with n even, one has 0, 4, 8, … questions."""
    line = Polyhedron(2, (((1, -1), 0), ((-1, 1), 0)))
    assert [growth([line], modulus).period for modulus in (1, 2)] == [2, 4]


def drawn(generator: random.Random) -> Polyhedron:
    size = generator.randrange(2, 4)
    rows = tuple(
        (tuple(generator.randrange(-2, 3) for _ in range(size)), generator.randrange(-3, 4))
        for _ in range(generator.randrange(1, 4))
    )
    return Polyhedron(size, rows)


def test_the_number_of_points_grows_as_the_bounds_say() -> None:
    generator = random.Random(4)
    periods = set()
    for _ in range(60):
        union = [drawn(generator)]
        if union[0].coordinates == 2:
            union.append(Polyhedron(2, drawn_like(generator, 2)))
        bounds = growth(union)
        last = bounds.start + (bounds.degree + 2) * bounds.period
        if last > 70:
            continue
        values = {
            q: sum(any(p in part for part in union) for p in compositions(q, union[0].coordinates))
            for q in range(last + 1)
        }
        found = interpolated(values, degree=bounds.degree, period=bounds.period, start=bounds.start)
        assert found is not None, union
        periods.add(simplified(found).period)
    assert len(periods) > 2


def drawn_like(generator: random.Random, size: int):
    return tuple(
        (tuple(generator.randrange(-2, 3) for _ in range(size)), generator.randrange(-2, 3)) for _ in range(2)
    )


def test_generators_lie_on_the_polyhedron_and_span_its_points() -> None:
    """In the plane: a vertex or ray is on two borders, and every point on two borders that is inside is found."""
    generator = random.Random(8)
    for _ in range(80):
        part = Polyhedron(2, drawn_like(generator, 2))
        borders = [((1, 0), 0), ((0, 1), 0), *part.inequalities]
        expected = set()
        for ((a, b), e), ((c, d), f) in combinations(borders, 2):
            det = a * d - b * c
            if det:
                x, y = Fraction(e * d - b * f, det), Fraction(a * f - e * c, det)
                if x >= 0 and y >= 0 and (x, y) in part:
                    expected.add((x, y))
        found = {(Fraction(x, h), Fraction(y, h)) for x, y, h in generators(part) if h}
        assert found == expected


def test_a_quasi_polynomial_needs_enough_values_and_begins_somewhere() -> None:
    with pytest.raises(BadNumber, match="needs 3 values"):
        interpolated({0: 1, 1: 2}, degree=2, period=1, start=0)
    assert interpolated({q: 2**q for q in range(9)}, degree=3, period=1, start=0) is None
    line = QuasiPolynomial(((mpq(1), mpq(2)), (mpq(1), mpq(2))), 3)
    assert simplified(line).period == 1
    assert line.degree == 1
    with pytest.raises(BadNumber, match="begins at 3"):
        line(2)


@pytest.mark.parametrize(
    ("case", "questions"),
    [
        (AlarmCase(3, 2, 3, mpq(2)), 10**20),
        (AlarmCase(2, 2, 2, mpq(2)), 10**20),
        (AlarmCase(99, 3, 99, mpq(2)), 1),
        (AlarmCase(1, 99, 1, mpq(2)), 2),
        (AlarmCase(1, 2, 1, mpq(2)), 9 * 10**6),
        (AlarmCase(2, 2, 1, mpq(2)), 2000),
    ],
)
def test_too_many_votes_are_refused_before_the_first_is_looked_at(case, questions):
    with pytest.raises(TooMuchWork):
        count_alarms(case, questions)


@pytest.mark.parametrize("judges", [1, 2, 3])
def test_a_factor_with_too_many_classes_of_votes_is_refused(judges):
    with pytest.raises(TooMuchWork):
        alarm_formula(judges=judges, group_size=1, factor="1000001/1000000")


@pytest.mark.parametrize(
    "case", [AlarmCase(3, 2, 1, mpq(2)), AlarmCase(2, 2, 2, mpq(2)), AlarmCase(3, 2, 3, mpq(2))]
)
def test_a_test_without_a_question_is_refused(case):
    for questions in (0, -1):
        with pytest.raises(BadNumber):
            count_alarms(case, questions)
