"""Polynomials and quotients are exact values; sympy is the oracle of their arithmetic, Python of reading formulas."""

import copy
import pickle
import re
from fractions import Fraction

import pytest
import sympy
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.errors import BadDocument, DivisionByZero, FloatRefused
from ntqr_exact.exact.surd import Surd
from ntqr_exact.postulates.polynomial import print_formula, read_document, read_formula

X, Y = read_formula("x"), read_formula("y")
rationals = st.fractions(min_value=-9, max_value=9, max_denominator=9)
monomials = st.sampled_from(["1", "x", "y", "z", "x^2", "x*y", "y^2*z", "x*y*z^3"])
polynomials = st.dictionaries(monomials, rationals, max_size=5).map(read_document)
texts = st.recursive(
    st.sampled_from(["x", "y", "1", "2", "7"]),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner),
        st.builds("(-{})".format, inner),
        st.builds("({}**2)".format, inner),
    ),
    max_leaves=8,
)


@given(polynomials, polynomials)
def test_arithmetic_and_substitution_are_those_of_sympy(p, q):
    x, z = sympy.symbols("x z")
    point = {x: q.to_sympy(), z: sympy.Rational(2, 3)}
    for ours, theirs in (
        (p + q, p.to_sympy() + q.to_sympy()),
        (p - q, p.to_sympy() - q.to_sympy()),
        (p * q, p.to_sympy() * q.to_sympy()),
        (p**3, p.to_sympy() ** 3),
        (3 - p / 2, 3 - p.to_sympy() / 2),
        (p.substitute({"x": q, "z": "2/3"}), p.to_sympy().subs(point, simultaneous=True)),
    ):
        assert sympy.expand(ours.to_sympy() - theirs) == 0


@given(polynomials)
def test_every_form_is_read_back(p):
    assert read_document(p.to_document()) == p == eval(repr(p))
    assert pickle.loads(pickle.dumps(p)) == p == copy.deepcopy(p)


@given(texts, st.integers(2, 50), st.integers(51, 99))
def test_a_formula_has_the_value_that_python_computes_in_fractions(text, x, y):
    point = {"x": mpq(x), "y": mpq(y)}
    try:
        formula = read_formula(text)
        expected = eval(re.sub(r"(?<!\*\*)\d", r"mpq(\g<0>)", text), {}, {**point, "mpq": mpq})
    except ZeroDivisionError:
        return
    assert formula.evaluate(point) == expected


@given(texts)
def test_a_printed_formula_means_what_its_text_means(text):
    try:
        formula = read_formula(text)
    except ZeroDivisionError:
        return
    printed = print_formula(text).replace("·", "*").replace("−", "-").replace("²", "**2")
    assert read_formula(printed) == formula


def test_quotients_are_in_lowest_terms():
    assert read_formula("(x**2 - y**2)/(x - y)") == X + Y
    assert read_formula("(x**2 - y**2)/(x - y)") != X - Y
    assert read_formula("1/x") - read_formula("1/x") == 0
    assert read_formula("x/(1 + x)").substitute({"x": read_formula("1/y")}) == read_formula("1/(y + 1)")
    assert read_formula("s*h", {"s": X + Y, "h": read_formula("1/y")}) == read_formula("(x + y)/y")
    assert read_formula("2*x*y/y**2").text() == "(2*x) / (y)"


def test_a_constant_equals_its_number_and_zeros_vanish():
    zero = X - X
    assert not zero
    assert read_formula("1/2") == Fraction(1, 2)
    assert X not in (1, "x")
    assert ((X * Y).degree, zero.degree, str(zero), sum([X, Y, -X])) == (2, 0, "0", Y)
    assert (X**2 - X - 1).evaluate({"x": Surd("1/2", "1/2", 5)}) == 0
    assert X.substitute({"x": zero}) == 0


def test_a_polynomial_has_a_text_and_a_latex_form():
    p = read_formula("-Pa*x1**2/2 + D12 - other_name + 3")
    assert str(p) == "−1/2·P_a·(P^a_{a_1})² + Δ_{1,2} − other_name + 3"
    assert p.latex() == (
        r"-\frac{1}{2} \hat{P}_{a} \left(\hat{P}^{a}_{a_1}\right)^{2} + \Delta_{1,2} - \mathrm{other\_name} + 3"
    )
    assert read_formula("x/(y + 1)").latex() == r"\frac{x}{y + 1}"


@pytest.mark.parametrize(
    ("attempt", "error"),
    [
        *(
            (lambda bad=bad: read_formula(bad), BadDocument)
            for bad in ("", "x +", "x.y", "f(x)", "x[0]", "0.5*x", "x ** y", "x ** -1", "True", "'a'", "x ** 65",
                        "__import__('os')", "lambda: x", "x == y", "(" * 3000 + "x" + ")" * 3000)
        ),
        (lambda: read_formula("1/0"), DivisionByZero),
        (lambda: read_formula("x/(y - y)"), DivisionByZero),
        (lambda: read_formula("1/x").polynomial(), BadDocument),
        (lambda: X.evaluate({}), BadDocument),
        (lambda: read_formula("1/x").evaluate({"x": mpq(0)}), ZeroDivisionError),
        (lambda: X + 0.5, FloatRefused),
    ],
)  # fmt: skip
def test_bad_input_is_rejected(attempt, error):
    with pytest.raises(error):
        attempt()
