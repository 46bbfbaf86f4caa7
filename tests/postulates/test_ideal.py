"""Ideals on cases known by hand; what elimination says of the prevalence; both ground types of sympy."""

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ntqr_exact.errors import BadVotes
from ntqr_exact.postulates import solution
from ntqr_exact.postulates.derivations import Ideal, eliminate_prevalence
from ntqr_exact.postulates.polynomial import read_formula
from ntqr_exact.votes.counts import VoteCounts

X, Y, Z, T, P = map(read_formula, ("x", "y", "z", "t", "Pa"))
PATTERNS = ["aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb"]


def votes_of(*counts):
    return VoteCounts(dict(zip(PATTERNS, counts, strict=True)))


def test_reduced_bases_do_not_depend_on_the_generators():
    one, other = (
        Ideal([X**2 - Y, X * Y - 1], ("x", "y")),
        Ideal([X * Y - 1, X**2 - Y, X**3 - X * Y], ("x", "y")),
    )
    assert one.basis() == other.basis() == [X - Y**2, Y**3 - 1]
    assert one.equals(other)


def test_membership_inclusion_and_elimination():
    cubic = Ideal([Y - X**2, Z - X**3])
    inside, outside = [X * Z - Y**2, read_formula("0"), T * (Y - X**2)], [X * Z - Y, T]
    assert all(map(cubic.contains, inside))
    assert not any(map(cubic.contains, outside))
    assert not Ideal([X**2]).equals(Ideal([X]))
    curve = Ideal([X - T**2, Y - T**3]).eliminate(["t"])
    assert curve.equals(Ideal([X**3 - Y**2]))
    assert curve.variables == ("y", "x")


@settings(max_examples=25)
@given(st.lists(st.integers(0, 9), min_size=8, max_size=8).filter(any))
def test_elimination_gives_the_quadratic_up_to_a_unit(counts):
    votes = votes_of(*counts)
    pairs = [votes.pair_moment(i, j) for i, j in ((0, 1), (0, 2), (1, 2))]
    product, trio = pairs[0] * pairs[1] * pairs[2], votes.trio_moment(0, 1, 2)
    discriminant = trio**2 + 4 * product
    quadratic = solution()["39"].specialise(votes).polynomial
    assert quadratic == discriminant * P**2 - discriminant * P + product
    result = eliminate_prevalence(votes)
    assert Ideal([result]).contains(quadratic)
    if product and discriminant and trio:
        assert result * discriminant == quadratic
    elif product and discriminant:
        assert result**2 * discriminant == quadratic
    elif pairs.count(0) >= 2 and not trio:
        assert result == 0
    else:
        assert result == 1


@pytest.mark.parametrize(
    ("counts", "polynomial"),
    [
        ((181, 90, 86, 115, 86, 109, 100, 233), None),
        ((3, 1, 1, 0, 0, 1, 1, 3), "Pa - 1/2"),
        ((0, 1, 1, 0, 1, 0, 0, 0), "1"),
        ((1, 1, 1, 1, 1, 1, 1, 1), "0"),
    ],
)
def test_elimination_leaves_a_quadratic_or_less(counts, polynomial):
    result = eliminate_prevalence(votes_of(*counts))
    assert result.degree == 2 if polynomial is None else result == read_formula(polynomial)
    renamed = votes_of(*counts).relabeled({"a": "yes", "b": "no"}, ["yes", "no"])
    assert eliminate_prevalence(renamed) == result


@pytest.mark.parametrize("votes", [VoteCounts({"ab": 1}), VoteCounts({"abc": 1}, ("a", "b", "c"))])
def test_other_votes_are_rejected(votes):
    with pytest.raises(BadVotes):
        eliminate_prevalence(votes)


SCRIPT = """
from sympy.polys.domains import QQ
print(type(QQ(1, 2)).__module__.split(".")[0])
from ntqr_exact.postulates import pair
from ntqr_exact.postulates.derivations import derive
from ntqr_exact.postulates import solution
from ntqr_exact.postulates.derivations import Ideal, eliminate_prevalence
from ntqr_exact.postulates.polynomial import read_formula
from ntqr_exact.votes.counts import VoteCounts
counts = dict(zip("aaa aab aba abb baa bab bba bbb".split(), [181, 90, 86, 115, 86, 109, 100, 233]))
print(eliminate_prevalence(VoteCounts(counts)).to_document())
ideal = Ideal([pair()[name].polynomial for name in ("5", "26a", "26b", "26c", "26d")])
half = read_formula("x/2 - 7/3")
print([p.to_document() for p in ideal.basis()], ideal.contains(half), half.to_sympy())
print(derive("35").to_document(), derive("40").to_document(), derive("40").problems())
"""


def test_gmpy_and_flint_agree():
    pytest.importorskip("flint", reason="python-flint is not installed")
    runs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "SYMPY_GROUND_TYPES": types},
        ).stdout.split("\n", 1)
        for types in ("gmpy", "flint")
    ]
    assert [run[0] for run in runs] == ["gmpy2", "flint"]
    assert runs[0][1] == runs[1][1]
