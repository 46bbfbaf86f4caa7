"""What does not hold as printed is refuted by a small test; what holds survives the same search."""

import pickle

import pytest
from gmpy2 import mpq

from ntqr_exact.postulates import (
    Role,
    agreement,
    agreement_solution,
    independent,
    misprints,
    pair,
    single,
    solution,
    trio,
)
from ntqr_exact.postulates.derivations import Refutation, all_tests, refute, refute_misprint


@pytest.mark.parametrize(
    ("name", "size", "residual"),
    [
        ("16R", 1, 1),
        ("20", 1, -1),
        ("23", 1, 1),
        ("28", 1, 1),
        ("30", 2, mpq(1, 4)),
        ("33e", 3, mpq(1, 24)),
        ("33f", 3, mpq(1, 24)),
        ("40", 3, mpq(-4, 27)),
    ],
)
def test_a_misprint_is_refuted_by_the_smallest_test(name, size, residual):
    refutation = refute_misprint(name)
    assert isinstance(refutation, Refutation)
    assert refutation.test.size == size
    assert refutation.residual == residual == misprints()[name].residual(refutation.test)
    assert f"is {refutation.residual}, not 0" in str(refutation)
    assert pickle.loads(pickle.dumps(refutation)) == refutation


def test_a_test_that_refutes_is_a_point_of_the_complete_variety():
    for name in misprints().names:
        test = refute_misprint(name).test
        known = {1: single(), 2: pair(), 3: trio()}[len(test.judges)]
        right = [p for p in known if p.name not in ("33c", "33e", "33f")]
        assert all(postulate.residual(test) == 0 for postulate in right)


def test_the_right_forms_survive_all_small_tests():
    for postulate in (*single(), *pair(), *agreement()):
        assert refute(postulate, largest=3) is None
    for postulate in (*trio().rates, *solution()):
        hypotheses = independent(3) if postulate.role is Role.HYPOTHESIS else ()
        assert refute(postulate, hypotheses, largest=2) is None
    hypotheses = [postulate for postulate in agreement_solution() if postulate.name.startswith("21")]
    for name in ("22", "22(2)", "22(3)", "23"):
        assert refute(agreement_solution()[name], hypotheses, largest=2) is None


def test_the_product_rule_fails_for_judges_that_err_independently_on_each_label():
    """Eq. 21 is a hypothesis on the whole test, and not what error independence means."""
    refutation = refute(agreement_solution()["21"], [p for p in independent(2) if p.role is Role.HYPOTHESIS])
    assert isinstance(refutation, Refutation)


def test_all_tests_of_a_size_are_different():
    found = list(all_tests(2, 2))
    assert len(found) == len(set(found)) == 36
