"""Polynomials are canonical values; sympy is the oracle of their arithmetic."""

import copy
import pickle
from fractions import Fraction

import pytest
import sympy
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.algebra.polynomial import Polynomial, sum_of
from ntqr_exact.algebra.sympy_border import from_expression
from ntqr_exact.errors import BadDocument, FloatRefused
from ntqr_exact.exact.surd import Surd

X, Y = Polynomial.variable("x"), Polynomial.variable("y")
rationals = st.fractions(min_value=-9, max_value=9, max_denominator=9)
monomials = st.sampled_from(["1", "x", "y", "z", "x^2", "x*y", "y^2*z", "x*y*z^3"])
polynomials = st.dictionaries(monomials, rationals, max_size=5).map(Polynomial)


@given(polynomials, polynomials)
def test_sums_differences_and_products_are_those_of_sympy(p, q):
    for ours, theirs in (
        (p + q, p.to_sympy() + q.to_sympy()),
        (p - q, p.to_sympy() - q.to_sympy()),
        (p * q, p.to_sympy() * q.to_sympy()),
        (p**3, p.to_sympy() ** 3),
        (3 - p / 2, 3 - p.to_sympy() / 2),
    ):
        assert sympy.expand(ours.to_sympy() - theirs) == 0
        assert from_expression(theirs) == ours


@given(polynomials, polynomials)
def test_substitution_is_that_of_sympy(p, q):
    x, z = sympy.symbols("x z")
    theirs = p.to_sympy().subs({x: q.to_sympy(), z: sympy.Rational(2, 3)}, simultaneous=True)
    assert sympy.expand(p.substitute({"x": q, "z": "2/3"}).to_sympy() - theirs) == 0


@given(polynomials, rationals, rationals, rationals)
def test_the_value_at_a_point_is_that_of_sympy(p, x, y, z):
    point = {"x": mpq(x), "y": mpq(y), "z": mpq(z)}
    theirs = p.to_sympy().subs({name: sympy.Rational(str(value)) for name, value in point.items()})
    assert str(p.evaluate(point)) == str(theirs)


@given(polynomials)
def test_every_form_is_read_back(p):
    assert Polynomial(p.to_document()) == p
    assert eval(repr(p), {"Polynomial": Polynomial}) == p
    assert pickle.loads(pickle.dumps(p)) == p == copy.deepcopy(p)
    assert hash(pickle.loads(pickle.dumps(p))) == hash(p)
    assert from_expression(p.to_sympy()) == p


def test_zero_terms_are_dropped_and_a_constant_equals_its_number():
    assert X - X == 0
    assert not (X - X)
    assert Polynomial({"x": 0}) == Polynomial()
    assert Polynomial({"1": "1/2"}) == Fraction(1, 2)
    assert hash(Polynomial({"1": "1/2"})) == hash(Fraction(1, 2))
    assert X != 1
    assert X != "x"
    assert (X * Y).degree == 2
    assert Polynomial().degree == 0
    assert str(Polynomial()) == "0"
    assert sum_of([X, Y, -X]) == Y


def test_surds_may_be_put_in():
    assert (X**2 - X - 1).evaluate({"x": Surd("1/2", "1/2", 5)}) == 0


@pytest.mark.parametrize("bad", [0.5, 1e300])
def test_floats_are_refused(bad):
    for attempt in (lambda: X + bad, lambda: X * bad, lambda: X / bad, lambda: Polynomial({"x": bad})):
        with pytest.raises(FloatRefused):
            attempt()


@pytest.mark.parametrize(
    "bad", ["", "x*", "2*x", "x^0", "x^-1", "x^", "x*x", "x y", "__import__('os')", "x**2", "x^1.5"]
)
def test_malformed_monomials_are_refused(bad):
    with pytest.raises(BadDocument):
        Polynomial({bad: 1})


def test_a_monomial_given_twice_and_an_incomplete_point_are_refused():
    with pytest.raises(BadDocument, match="twice"):
        Polynomial({"x*y": 1, "y*x": 1})
    with pytest.raises(BadDocument, match="every variable"):
        X.evaluate({})
    with pytest.raises(BadDocument):
        Polynomial.variable("1x")
    with pytest.raises(TypeError):
        X**-1
    with pytest.raises(TypeError):
        X + "y"


def test_text_and_latex():
    p = Polynomial({"prevalence_a*accuracy_a_1^2": "-1/2", "pair_moment_1_2": 1, "other_name": -1, "1": 3})
    assert str(p) == "−1/2·P_a·(P^a_{a_1})² + Δ_{1,2} − other_name + 3"
    assert p.latex() == (
        r"-\frac{1}{2} \hat{P}_{a} \left(\hat{P}^{a}_{a_1}\right)^{2} + \Delta_{1,2} - \mathrm{other\_name} + 3"
    )
    assert p._repr_latex_() == f"${p.latex()}$"


@pytest.mark.parametrize(
    "expression", [sympy.sqrt(2) * sympy.Symbol("x"), 1 / sympy.Symbol("x"), sympy.sin(1)]
)
def test_what_is_no_polynomial_over_the_rationals_does_not_cross_the_border(expression):
    with pytest.raises(BadDocument, match="not a polynomial"):
        from_expression(expression)
