"""`rational` takes what is exact, refuses the rest with a reason, and cannot be flooded."""

import tracemalloc
from decimal import Decimal
from fractions import Fraction

import gmpy2
import mpmath
import numpy as np
import pytest
import sympy
from gmpy2 import mpfr, mpq, mpz
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadNumber, FloatRefused, NotANumber
from ntqr_exact.exact.rational import MAX_DIGITS, rational, rational_from_float, whole_number

EXACT = {
    mpq(-(10**400)): [-(10**400)],
    mpq(-3, 4): [Fraction(-6, 8), "-6/8", Decimal("-0.75"), " -.75\n"],
    mpq(3, 4): [Fraction(np.int64(3), np.int64(4)), "+6/8", "007.5e-1"],
    mpq(5): [5, mpz(5), mpq(5), sympy.Integer(5), np.int8(5), "5.", "+5", "0.5E+1"],
    mpq(1, 3): [sympy.Rational(2, 6), "2/6"],
    mpq(0): ["0/5", "0", "0e5", Decimal("-0")],
    mpq(-1500): [Decimal("-1.5E+3"), "-15e2"],
    mpq(1, 10**5): [Decimal("1E-5"), "1e-00000000005"],
}
FLOATS = [0.1, np.float16(0.1), np.float64(0.1), np.longdouble("0.1"), mpfr("0.1"), sympy.Float("0.1")]
NOT_FINITE = [
    float("nan"),
    float("-inf"),
    np.float32("nan"),
    mpfr("inf"),
    mpmath.mpf("nan"),
    mpmath.mpf("inf"),
]
OTHERS = [True, np.bool_(True), 1j, gmpy2.mpc(1, 2), None, b"1", [1], sympy.sqrt(2), sympy.nan, np.array(1)]
SPANS = [np.timedelta64(5, unit) for unit in ("s", "ns", "Y")]  # integers to numpy
WRONG_TEXTS = """nan inf -Infinity 1.5/2 1/2.5 1_000 0x10 ١٢ --1 +-1 1/-2 1/+2 1/ /2 1//2 1/2/3 e5 1e 1e+ 1e5.
    1e1.5 . + -. .e1 −1 1,5 1e5/2 ½ 1.2.3 seven 1/2e3 \x001 1/0 0/0 -3/000"""
MALFORMED = [
    *WRONG_TEXTS.split(),
    *["", "  ", "1 /2", "1 2", "1/0" + "0" * 1000],
    *[Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity")],
]


@pytest.mark.parametrize(
    ("expected", "value"), [(key, one) for key, values in EXACT.items() for one in values]
)
def test_an_exact_number_of_any_library_is_that_rational(expected, value):
    number = rational(value)
    assert type(number) is mpq
    assert number == expected


@pytest.mark.parametrize(
    ("error", "value"),
    [
        *((FloatRefused, value) for value in [*FLOATS, *NOT_FINITE]),
        *((NotANumber, value) for value in [*OTHERS, *SPANS]),
        *((BadNumber, value) for value in MALFORMED),
    ],
)
def test_anything_else_is_refused(error, value):
    with pytest.raises(error) as caught:
        rational(value)
    assert caught.value.given is value
    assert type(caught.value) is error


@pytest.mark.parametrize(
    "value",
    [
        *["1e999999999", "1e-999999999", "1e" + "9" * 30, "1e-" + "9" * 5000, " " * 1000000 + "1"],
        *[prefix + "7" * 1_000_000 for prefix in ("", "1/", "0.", "1e")],
        *[Decimal("1e999999"), Decimal("1e-999999")],
    ],
)
def test_a_number_too_long_is_refused_before_any_of_it_is_built(value):
    tracemalloc.start()
    try:
        with pytest.raises(BadNumber) as caught:
            rational(value)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(str(caught.value)) < 200
    assert peak < 50_000


@pytest.mark.parametrize(
    ("longest", "too_long"),
    [
        *((sign + "9" * MAX_DIGITS, sign + "9" * (MAX_DIGITS + 1)) for sign in ("", "-", "+", "1/", ".")),
        ("1e99999", "1e100000"),
        ("1e-99999", "1e-100000"),
        ("12.34e99996", "12.34e99997"),
        ("1e" + "0" * 50 + "99999", "1e" + "0" * 50 + "100000"),
        ("1e" + "0" * 5000 + "99999", "1e" + "0" * 5000 + "100000"),
    ],
)
def test_the_longest_number_is_taken_and_one_digit_more_is_refused(longest, too_long):
    assert rational(longest) != 0
    with pytest.raises(BadNumber):
        rational(too_long)


@given(st.fractions(), st.sampled_from(["", " ", "\n"]))
def test_a_fraction_in_text_is_the_fraction(fraction, blank):
    assert rational(f"{blank}{fraction}{blank}") == fraction == rational(fraction)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30))
def test_a_decimal_in_text_means_the_decimal(decimal):
    assert rational(str(decimal)) == Fraction(decimal) == rational(decimal)


@given(st.text(alphabet="0123456789+-./eE _x", max_size=8))
def test_python_reads_every_decimal_text_the_same_way(text):
    try:
        number = rational(text)
    except BadNumber:
        return
    assert number == Fraction(text.strip())


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_converted_by_its_binary_value(value):
    for given_value in (value, np.float64(value), sympy.Float(value), mpmath.mpf(value)):
        number = rational_from_float(given_value)
        assert type(number) is mpq
        assert number == Fraction(value)


@pytest.mark.parametrize(
    ("error", "value"),
    [
        *((BadNumber, value) for value in NOT_FINITE),
        *((NotANumber, value) for value in [1, np.int8(1), Fraction(1, 2), Decimal("0.5"), mpq(1, 2), "0.5"]),
        *((NotANumber, value) for value in [True, None, 1j, sympy.S.Half, [0.5]]),
    ],
)
def test_only_finite_floats_have_a_binary_value(error, value):
    with pytest.raises(error):
        rational_from_float(value)


@pytest.mark.parametrize(("value", "count"), [(0, 0), ("12", 12), ("6/2", 3), ("3.0", 3), (np.uint8(9), 9)])
def test_a_count_is_a_whole_number(value, count):
    assert whole_number(value) == count
    assert type(whole_number(value)) is int


@pytest.mark.parametrize("value", ["1/2", "-1/2", -1])
def test_a_fraction_and_a_negative_number_are_not_counts(value):
    with pytest.raises(BadNumber):
        whole_number(value)
