"""The algebra gives the same results whichever library sympy takes its rationals from."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
from sympy.polys.domains import QQ
print(type(QQ(1, 2)).__module__.split(".")[0])
from ntqr_exact.algebra.ideal import Ideal
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.algebra.sympy_border import from_expression
from ntqr_exact.postulates import pair, single
from ntqr_exact.postulates.prevalence import eliminate_prevalence
from ntqr_exact.votes.counts import VoteCounts
counts = dict(zip("aaa aab aba abb baa bab bba bbb".split(), [181, 90, 86, 115, 86, 109, 100, 233]))
print(eliminate_prevalence(VoteCounts(counts)).polynomial.to_document())
known = pair().rates
ideal = Ideal([known[name].polynomial for name in ("5", "26a", "26b", "26c", "26d")])
print([p.to_document() for p in ideal.basis()], ideal.dimension())
half = Polynomial({"x": "1/2", "1": "-7/3"})
print(from_expression(half.to_sympy()) == half, ideal.reduce(half / 3) == half / 3)
print(Ideal(single().rates.polynomials).contains(single()["16"].polynomial))
"""


def results(ground_types):
    environment = {**os.environ, "SYMPY_GROUND_TYPES": ground_types}
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, env=environment
    )
    first, *rest = run.stdout.splitlines()
    return first, rest


def test_gmpy_and_flint_agree():
    pytest.importorskip("flint", reason="python-flint is not installed")
    (gmpy, by_gmpy), (flint, by_flint) = results("gmpy"), results("flint")
    assert (gmpy, flint) == ("gmpy2", "flint")
    assert by_gmpy == by_flint
    assert by_gmpy[-2:] == ["True True", "True"]
