"""Formulas are read from texts into exact quotients, and nothing else is read."""

import re

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.algebra.formula import Formula, as_formula, constant, read_formula
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.errors import BadDocument, DivisionByZero

X, Y = Polynomial.variable("x"), Polynomial.variable("y")

texts = st.recursive(
    st.sampled_from(["x", "y", "1", "2", "7"]),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner),
        st.builds("(-{})".format, inner),
        st.builds("({}**2)".format, inner),
    ),
    max_leaves=8,
)


@given(texts, st.integers(2, 50), st.integers(51, 99))
def test_a_formula_has_the_value_that_python_computes_in_fractions(text, x, y):
    try:
        formula = read_formula(text)
        expected = eval(
            re.sub(r"(?<!\*\*)\d", r"mpq(\g<0>)", text), {}, {"x": mpq(x), "y": mpq(y), "mpq": mpq}
        )
    except ZeroDivisionError:
        return
    try:
        assert formula.evaluate({"x": mpq(x), "y": mpq(y)}) == expected
    except DivisionByZero:  # a part that cancels in the value may still vanish in the denominator
        assert formula.denominator.evaluate({"x": mpq(x), "y": mpq(y)}) == 0


def test_precedence_and_signs_are_those_of_arithmetic():
    assert read_formula("1 - x - y").polynomial() == 1 - X - Y
    assert read_formula("-x**2").polynomial() == -(X**2)
    assert read_formula("x/2/3*y").polynomial() == X * Y / 6


def test_equality_is_that_of_functions_and_needs_no_cancelling():
    assert read_formula("(x**2 - y**2)/(x - y)").equals(read_formula("x + y"))
    assert not read_formula("(x**2 - y**2)/(x - y)").equals(read_formula("x - y"))
    assert (read_formula("1/x") - read_formula("1/x")).is_zero()


def test_symbols_stand_for_polynomials_and_for_formulas():
    symbols = {"s": X + Y, "h": read_formula("1/y")}
    assert read_formula("s*h", symbols).equals(read_formula("(x + y)/y"))


def test_substitution_puts_formulas_in_place_of_variables():
    assert read_formula("x/(1 + x)").substitute({"x": read_formula("1/y")}).equals(read_formula("1/(y + 1)"))
    assert read_formula("x*y").substitute({"x": 3}).equals(read_formula("3*y"))


def test_a_quotient_is_no_polynomial():
    with pytest.raises(BadDocument, match="no variable in a denominator"):
        read_formula("1/x").polynomial()


@pytest.mark.parametrize(
    "text",
    ["", "x +", "x.y", "f(x)", "x[0]", "0.5*x", "1e3", "x ** y", "x ** -1", "x % 2", "True", "'a'", "x if y else 1",
     "__import__('os')", "x ** 65", "lambda: x", "x == y", "x" * 5000, "(" * 3000 + "x" + ")" * 3000],
)  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(BadDocument):
        read_formula(text)


@pytest.mark.parametrize("text", ["1/0", "x/(y - y)"])
def test_dividing_by_nothing_but_zero_is_refused(text):
    with pytest.raises(DivisionByZero):
        read_formula(text)


def test_a_formula_is_shown_in_words_and_latex():
    formula = read_formula("x/(y + 1)")
    assert str(formula) == "(x) / (y + 1)"
    assert formula.latex() == r"\frac{x}{y + 1}"
    assert formula.variables() == ("x", "y")
    assert as_formula(2) == constant(2) == Formula(Polynomial.constant(4), Polynomial.constant(2))
