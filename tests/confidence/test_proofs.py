"""Theorem 1: the proofs hold, and forged ones do not."""

import subprocess
import sys
from dataclasses import replace

import pytest
from gmpy2 import mpq

from ntqr_exact.confidence.binary import PositiveLog, RationalFunction, binary_proof, positive_on_half
from ntqr_exact.confidence.scores import HALF_JEFFREYS, SCORES, SIX, ScoreFunction
from ntqr_exact.errors import NotSupported


@pytest.mark.parametrize("name", SIX)
def test_each_score_has_a_proof_for_two_labels_that_holds(name):
    proof = binary_proof(name)
    assert proof.problems() == []
    assert proof.holds()
    assert proof.score is SCORES[name]
    assert str(proof.citation).startswith("Maaz et al. 2023, theorem 1")


def test_the_derivatives_are_told():
    assert binary_proof("l2").derivative_text() == "-2 + 4·a"
    assert binary_proof("entropy").derivative_text() == "1·log((a)/(1 - a))"
    assert binary_proof(HALF_JEFFREYS).derivative_text() == (
        "(-1/4 + 1/2·a)/(a - a^2) + 1/2·log((a)/(1 - a))"
    )


def test_forged_proofs_are_seen_through():
    entropy, l2 = binary_proof("entropy"), binary_proof("l2")
    assert "g differs from the score at a = 1/2" in replace(entropy, score=SCORES["max"]).problems()
    wrong = replace(l2, positive_fractions=(RationalFunction((mpq(-1), mpq(3)), (mpq(1),)),))
    assert "the parts do not sum to the derivative" in wrong.problems()
    upside_down = PositiveLog(mpq(-1), (mpq(1), mpq(-1)), (mpq(0), mpq(1)))
    problems = replace(entropy, positive_logarithms=(upside_down,)).problems()
    assert any("is not shown to be positive" in problem for problem in problems)
    assert "the parts do not sum to the derivative" not in problems
    assert "no part is positive" in replace(entropy, positive_logarithms=()).problems()
    with pytest.raises(NotSupported):
        binary_proof(ScoreFunction("own", lambda _: mpq(0)))


@pytest.mark.parametrize(
    ("polynomial", "positive"),
    [((-1, 2), True), ((0,), False), ((1, -1), True), ((-2, 3), False), ((0, 1, -1), True), ((1, -2), False)],
)
def test_positivity_on_the_half_interval(polynomial, positive):
    assert positive_on_half([mpq(coefficient) for coefficient in polynomial]) is positive


def test_neither_sympy_nor_numpy_is_loaded_before_it_is_needed():
    code = (
        "import sys; import ntqr_exact.confidence.binary, ntqr_exact.confidence.atc as m; "
        "m.atc([['1/2', '1/2']], [[1, 0]], error=0, score='entropy'); "
        "print([name for name in ('sympy', 'numpy', 'scipy') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
