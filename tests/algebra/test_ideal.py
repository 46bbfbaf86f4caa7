"""Ideals: reduced bases, membership, elimination and dimension on cases known by hand."""

import pytest

from ntqr_exact.algebra.ideal import Ideal
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.errors import BadDocument

X, Y, Z, T = (Polynomial.variable(name) for name in "xyzt")


def test_the_reduced_basis_does_not_depend_on_the_generators():
    one, other = Ideal([X**2 - Y, X * Y - 1], "xy"), Ideal([X * Y - 1, X**2 - Y, X**3 - X * Y], "xy")
    assert one.basis() == other.basis() == (X - Y**2, Y**3 - 1)
    assert one.equals(other)


def test_a_basis_is_computed_once():
    ideal = Ideal([X**2 - Y, X * Y - 1])
    assert ideal.basis() is Ideal([X**2 - Y, X * Y - 1]).basis()


def test_membership():
    twisted_cubic = Ideal([Y - X**2, Z - X**3])
    assert twisted_cubic.contains(X * Z - Y**2)
    assert not twisted_cubic.contains(X * Z - Y)
    assert twisted_cubic.contains(Polynomial())
    assert not twisted_cubic.contains(T)
    assert twisted_cubic.contains(T * (Y - X**2))
    assert twisted_cubic.reduce(T) == T


def test_inclusion_is_not_equality():
    small, large = Ideal([X**2]), Ideal([X])
    assert large.includes(small)
    assert not small.includes(large)
    assert not small.equals(large)


def test_elimination_of_a_parameter():
    curve = Ideal([X - T**2, Y - T**3])
    assert curve.eliminate(["t"]).equals(Ideal([X**3 - Y**2]))
    assert curve.eliminate(["t"]).variables == ("y", "x")


@pytest.mark.parametrize(
    ("generators", "dimension"),
    [
        ([X - X], 0),
        ([X], 0),
        ([X * Y], 1),
        ([X * Z, Y * Z], 2),
        ([X**2 + Y**2 - 1], 1),
        ([X, Y - 1], 0),
        ([X, X - 1], -1),
        ([Y - X**2, Z - X**3], 1),
    ],
)
def test_dimension(generators, dimension):
    assert Ideal(generators).dimension() == dimension


def test_variables_that_do_not_occur_count_for_the_dimension():
    assert Ideal([X], "xyz").dimension() == 2
    assert Ideal([], "xy").dimension() == 2


def test_an_unknown_order_is_refused():
    with pytest.raises(BadDocument, match="lex, grevlex"):
        Ideal([X]).basis("degree")


def test_fractions_cross_the_border_to_sympy_and_back():
    half = Polynomial({"x": 1, "1": "-7/2"})
    assert Ideal([2 * X - 7]).basis() == (half,)
    assert Ideal([2 * X - 7]).reduce(Y / 3 + X / 5) == Y / 3 + Polynomial({"1": "7/10"})
