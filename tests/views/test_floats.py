from __future__ import annotations

import math
from fractions import Fraction

import pytest
from gmpy2 import mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadNumber, NotANumber, NotOrdered
from ntqr_exact.exact.enclosure import Enclosure, LogSumKey
from ntqr_exact.exact.surd import Surd
from ntqr_exact.views.floats import all_drawn, drawn


@given(st.fractions())
def test_a_rational_is_drawn_at_the_nearest_float(number: Fraction) -> None:
    assert drawn(mpq(number)) == float(number)


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6), st.integers(2, 10**6))
def test_a_surd_is_drawn_within_a_unit_in_the_last_place(a: int, b: int, d: int) -> None:
    value = Surd(a, b, d)
    place = drawn(value)
    if value.sign() == 0:
        assert place == 0
    else:
        below, above = mpq(math.nextafter(place, -math.inf)), mpq(math.nextafter(place, math.inf))
        assert below < value < above


def test_a_surd_whose_parts_nearly_cancel_keeps_its_digits() -> None:
    tiny, huge = Surd(3, -2, 2) ** 30, Surd(3, 2, 2) ** 30  # their product is 1
    assert math.isclose(drawn(tiny) * drawn(huge), 1, rel_tol=1e-15)


def test_enclosures_logarithms_and_whole_numbers_have_places() -> None:
    assert all_drawn([3, mpz(4), Enclosure("1/2", "3/4")]) == [3.0, 4.0, 0.625]
    assert math.isclose(drawn(LogSumKey(((1, 2),))), math.log(2), rel_tol=1e-15)


def test_value_without_a_place_on_an_axis_is_refused() -> None:
    for value in (Surd(0, 1, -1), LogSumKey((), infinite=True)):
        with pytest.raises(NotOrdered):
            drawn(value)
    for value in (True, 0.5, "1/2", None):
        with pytest.raises(NotANumber):
            drawn(value)  # type: ignore[arg-type]
    with pytest.raises(BadNumber):
        drawn(10**400)
