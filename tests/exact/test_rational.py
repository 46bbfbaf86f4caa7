"""The number door takes what is exact, refuses the rest with a reason, and cannot be flooded."""

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
from ntqr_exact.exact.rational import MAX_DIGITS, is_number, rational, rational_from_float, whole_number

TOO_LONG = "a number has at most 100000 digits written out"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7, mpq(7)),
        (-(10**400), mpq(-(10**400))),
        (Fraction(-6, 8), mpq(-3, 4)),
        (Fraction(np.int64(3), np.int64(4)), mpq(3, 4)),
        (mpz(5), mpq(5)),
        (mpq(5, 3), mpq(5, 3)),
        (sympy.Integer(-4), mpq(-4)),
        (sympy.Rational(2, 6), mpq(1, 3)),
        (sympy.S.Half, mpq(1, 2)),
        (Decimal("0.10"), mpq(1, 10)),
        (Decimal("-1.5E+3"), mpq(-1500)),
        (Decimal("1E-7"), mpq(1, 10**7)),
        (Decimal("-0"), mpq(0)),
        ("-3/8", mpq(-3, 8)),
        ("+6/8", mpq(3, 4)),
        ("007/014", mpq(1, 2)),
        ("0/5", mpq(0)),
        ("0.375", mpq(3, 8)),
        ("-0.375", mpq(-3, 8)),
        ("1.92e-7", mpq(192, 10**9)),
        ("1.25E+1", mpq(25, 2)),
        ("1.25e1", mpq(25, 2)),
        ("12e1", mpq(120)),
        ("1.5e1", mpq(15)),
        ("-.5", mpq(-1, 2)),
        (".5", mpq(1, 2)),
        ("5.", mpq(5)),
        ("5.e-1", mpq(1, 2)),
        ("+7", mpq(7)),
        ("0", mpq(0)),
        ("0e5", mpq(0)),
        ("  -3/8\t\n", mpq(-3, 8)),
        ("1e-00000000005", mpq(1, 10**5)),
    ],
)
def test_an_exact_number_of_any_library_comes_in_as_the_rational_it_is(value, expected):
    number = rational(value)
    assert type(number) is mpq
    assert number == expected


FLOATS = [
    0.1,
    np.float16(0.1),
    np.float32(0.1),
    np.float64(0.1),
    np.longdouble("0.1"),
    mpfr("0.1"),
    sympy.Float("0.1"),
    mpmath.mpf("0.1"),
]


@pytest.mark.parametrize("value", FLOATS)
def test_a_float_of_any_library_is_refused_and_both_ways_out_are_named(value):
    with pytest.raises(FloatRefused) as caught:
        rational(value)
    assert caught.value.given is value
    assert str(caught.value) == (
        f'{value!r}: a float is not exact; write "{value}" for the decimal, '
        "or call rational_from_float for its binary value"
    )


@pytest.mark.parametrize("value", [float("nan"), float("-inf"), np.float32("nan"), mpfr("inf")])
def test_a_float_that_is_no_number_is_refused_without_advice(value):
    with pytest.raises(FloatRefused) as caught:
        rational(value)
    assert str(caught.value) == f"{value!r}: a float is not exact"


@pytest.mark.parametrize("value", [True, False])
def test_a_truth_value_is_no_number(value):
    with pytest.raises(NotANumber):
        rational(value)


@pytest.mark.parametrize("unit", ["s", "ns", "Y"])
def test_a_time_span_is_no_number_although_numpy_counts_it_among_the_integers(unit):
    with pytest.raises(NotANumber):
        rational(np.timedelta64(5, unit))


@pytest.mark.parametrize(
    "value",
    [
        1j,
        np.complex64(1),
        gmpy2.mpc(1, 2),
        np.bool_(True),
        None,
        b"1",
        [1],
        sympy.sqrt(2),
        sympy.I,
        sympy.nan,
        np.array(1),
        object,
    ],
)
def test_any_other_type_is_refused_by_its_name(value):
    with pytest.raises(NotANumber) as caught:
        rational(value)
    assert not isinstance(caught.value, FloatRefused)
    assert caught.value.given is value
    assert caught.value.remedy == "give an int, a fraction or a text"


@pytest.mark.parametrize("text", ["NaN", "sNaN", "Infinity", "-Infinity"])
def test_a_decimal_that_is_not_finite_is_refused(text):
    with pytest.raises(BadNumber):
        rational(Decimal(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "nan",
        "inf",
        "-Infinity",
        "1.5/2",
        "1/2.5",
        "1_000",
        "0x10",
        "١٢",
        "٣/٤",
        "--1",
        "+-1",
        "1/-2",
        "1/+2",
        "1/",
        "/2",
        "1//2",
        "1/2/3",
        "e5",
        "1e",
        "1e+",
        "1e5.",
        "1e1.5",
        ".",
        "+",
        "-.",
        ".e1",
        "−1",
        "1 /2",
        "1 2",
        "1,5",
        "1e5/2",
        "½",
        "1.2.3",
        "seven",
        "1/2e3",
        "\x001",
    ],
)
def test_a_malformed_text_is_refused_and_good_ones_are_shown(text):
    with pytest.raises(BadNumber) as caught:
        rational(text)
    assert caught.value.given == text
    assert caught.value.remedy == 'write it like "7", "-3/8", "0.375" or "1.92e-7"'


@pytest.mark.parametrize("text", ["1/0", "0/0", "-3/000", "1/0" + "0" * 1000])
def test_a_zero_denominator_is_refused(text):
    with pytest.raises(BadNumber) as caught:
        rational(text)
    assert (caught.value.given, caught.value.rule) == (text, "the denominator must not be zero")


MILLION = "7" * 1_000_000


@pytest.mark.parametrize(
    "value",
    [
        "1e999999999",
        "1e-999999999",
        "1e" + "9" * 30,
        "1e-" + "9" * 5000,
        MILLION,
        "1/" + MILLION,
        "0." + MILLION,
        "1e" + MILLION,
        Decimal("1e999999"),
        Decimal("1e-999999"),
        " " * 1000000 + "1",
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
    assert len(str(caught.value)) < 150
    assert peak < 50_000


@pytest.mark.parametrize(
    ("longest", "too_long"),
    [
        ("9" * MAX_DIGITS, "9" * (MAX_DIGITS + 1)),
        ("-" + "9" * MAX_DIGITS, "-" + "9" * (MAX_DIGITS + 1)),
        ("+" + "9" * MAX_DIGITS, "+" + "9" * (MAX_DIGITS + 1)),
        ("1/" + "9" * MAX_DIGITS, "1/" + "9" * (MAX_DIGITS + 1)),
        (
            "-" + "9" * MAX_DIGITS + "/" + "7" * MAX_DIGITS,
            "-" + "9" * MAX_DIGITS + "/" + "7" * MAX_DIGITS + " ",
        ),
        ("1e99999", "1e100000"),
        ("1e-99999", "1e-100000"),
        ("12.34e99996", "12.34e99997"),
        ("." + "1" * MAX_DIGITS, "." + "1" * (MAX_DIGITS + 1)),
        ("1e" + "0" * 50 + "99999", "1e" + "0" * 50 + "100000"),
        ("1e5", "1e1000000000000000"),
    ],
)
def test_the_longest_number_is_taken_and_one_digit_more_is_refused(longest, too_long):
    assert rational(longest) != 0
    with pytest.raises(BadNumber, match=TOO_LONG):
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


# -- the door for floats ----------------------------------------------------------------------------


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_comes_in_by_its_binary_value(value):
    number = rational_from_float(value)
    assert type(number) is mpq
    assert number == Fraction(value)


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        float("-inf"),
        np.float32("nan"),
        np.float16("inf"),
        np.longdouble("inf"),
        mpfr("nan"),
        mpfr("-inf"),
        mpmath.mpf("nan"),
        mpmath.mpf("inf"),
    ],
)
def test_a_float_that_is_not_finite_is_refused(value):
    with pytest.raises(BadNumber) as caught:
        rational_from_float(value)
    assert caught.value.given is value
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    "value",
    [
        1,
        True,
        np.int8(1),
        np.bool_(True),
        Fraction(1, 2),
        Decimal("0.5"),
        mpz(1),
        mpq(1, 2),
        "0.5",
        1j,
        None,
        sympy.Integer(1),
        sympy.S.Half,
        [0.5],
    ],
)
def test_the_door_for_floats_takes_nothing_else_and_names_the_other_door(value):
    with pytest.raises(NotANumber) as caught:
        rational_from_float(value)
    assert caught.value.given is value
    assert caught.value.remedy == "call rational for an exact number"


def test_floats_of_sympy_and_mpmath_are_taken_by_their_binary_value():
    assert rational_from_float(sympy.Float("-0.375")) == mpq(-3, 8)
    assert rational_from_float(mpmath.mpf(5)) == 5
    assert rational_from_float(mpmath.mpf(0)) == 0
    assert rational_from_float(sympy.Float("0.1", 15)) == rational_from_float(0.1)


# -- counts and kinds -------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "count"), [(0, 0), ("12", 12), ("6/2", 3), ("3.0", 3), (np.uint8(9), 9)])
def test_a_count_is_a_whole_number(value, count):
    assert whole_number(value) == count
    assert type(whole_number(value)) is int


@pytest.mark.parametrize(
    ("value"),
    [
        ("1/2"),
        ("-1/2"),
        (-1),
    ],
)
def test_a_fraction_and_a_negative_number_are_no_counts(value):
    with pytest.raises(BadNumber) as caught:
        whole_number(value)
    assert caught.value.given == value


@pytest.mark.parametrize(
    "value", [1, True, 0.5, 1j, Decimal(1), Fraction(1), mpz(1), mpq(1), mpfr(1), np.int8(1)]
)
def test_a_number_of_any_library_is_a_number(value):
    assert is_number(value) is True
