"""Theorem 1: the proofs hold, and forged ones do not."""

import subprocess
import sys
from dataclasses import replace

import pytest
from gmpy2 import mpq

from ntqr_exact.confidence.binary import binary_proof, positive_on_half
from ntqr_exact.confidence.scores import HALF_JEFFREYS, SCORES, SIX, ScoreFunction
from ntqr_exact.errors import NotSupported


@pytest.mark.parametrize("score", [*SIX, HALF_JEFFREYS], ids=str)
def test_each_score_has_a_proof_for_two_labels_that_holds(score):
    assert binary_proof(score).problems() == []


def test_forged_proofs_have_problems():
    entropy, l2 = binary_proof("entropy"), binary_proof("l2")
    assert "g differs from the score at a = 1/2" in replace(entropy, score=SCORES["max"]).problems()
    assert replace(l2, fractions=((lambda a: 3 * a - 1, lambda _: 1),)).problems() == [
        "the parts do not sum to the derivative"
    ]
    upside_down = replace(
        entropy, positive_logarithms=((lambda _: -1, lambda a: 1 - a, lambda a: a),)
    ).problems()
    assert any("is not shown to be positive" in problem for problem in upside_down)
    assert "the parts do not sum to the derivative" not in upside_down
    assert "no part is positive" in replace(entropy, positive_logarithms=()).problems()
    with pytest.raises(NotSupported):
        binary_proof(ScoreFunction("own", lambda _: mpq(0)))


@pytest.mark.parametrize(
    ("polynomial", "positive"),
    [
        (lambda a: 2 * a - 1, True),
        (lambda _: 0, False),
        (lambda a: 1 - a, True),
        (lambda a: 3 * a - 2, False),
        (lambda a: a - a * a, True),
        (lambda a: 1 - 2 * a, False),
    ],
)
def test_positivity_on_the_half_interval_is_decided(polynomial, positive):
    assert positive_on_half(polynomial) is positive


def test_neither_sympy_nor_numpy_is_loaded_before_it_is_needed():
    code = (
        "import sys; import ntqr_exact.confidence.binary, ntqr_exact.confidence.atc as m; "
        "m.atc([['1/2', '1/2']], [[1, 0]], error=0, score='entropy'); "
        "print([name for name in ('sympy', 'numpy', 'scipy') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
