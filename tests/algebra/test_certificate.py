"""Certificates prove by expansion; what cannot be proven is not certified."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.algebra.certificate import Certificate, NotProven, Rewrite, certify
from ntqr_exact.algebra.checker import problems
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.errors import BadDocument

X, Y, F, G = (Polynomial.variable(name) for name in "xyfg")
RULES = [
    Rewrite("g", G - F * X + 1, ("g",)),
    Rewrite("f", 2 * F - X**2 + Y, ("f",)),
    Rewrite("y", Y - 1 + X, ("y",)),
]
rationals = st.fractions(min_value=-5, max_value=5, max_denominator=5)
polynomials = st.dictionaries(
    st.sampled_from(["1", "x", "f", "g", "f^2", "f*g", "x*g^2", "y*f"]), rationals, max_size=4
).map(Polynomial)


@given(polynomials, polynomials, polynomials)
def test_every_combination_of_triangular_generators_is_certified(p, q, r):
    target = p * RULES[0].polynomial + q * RULES[1].polynomial + r * RULES[2].polynomial
    certificate = certify(target, RULES)
    assert certificate.holds()
    assert problems(certificate.to_document()) == []
    assert Certificate.from_json(certificate.to_json()) == certificate
    assert pickle.loads(pickle.dumps(certificate)) == certificate


@given(polynomials)
def test_what_is_not_a_combination_is_not_certified(p):
    rest = p.substitute({"g": F * X - 1}).substitute({"f": (X**2 - Y) / 2}).substitute({"y": 1 - X})
    if rest:
        with pytest.raises(NotProven, match="remains"):
            certify(p, RULES)
    else:
        assert certify(p, RULES).holds()


def test_rules_that_go_round_in_circles_are_refused():
    with pytest.raises(BadDocument, match="brings back"):
        certify(X, [Rewrite("f", F - G, ("f",)), Rewrite("g", G - F, ("g",))])
    with pytest.raises(BadDocument, match="brings back"):
        certify(X, [Rewrite("f", F - F**2, ("f",))])
    with pytest.raises(BadDocument, match="no term"):
        certify(X, [Rewrite("f", G, ("f",))])


def test_a_product_may_be_replaced():
    assert certify(X * Y * F - F * G, [Rewrite("xy", X * Y - G, ("x", "y"))]).cofactors == (F,)


def test_a_certificate_with_a_wrong_cofactor_does_not_hold():
    certificate = Certificate(X**2 - 1, ("one",), (X - 1,), (X,))
    assert not certificate.holds()
    assert problems(certificate.to_document()) == ["the combination is not the target"]


@pytest.mark.parametrize(
    "document", [{}, [], "x", {"format": "ntqr-exact certificate 1", "target": {}, "terms": [{}]}]
)
def test_other_documents_are_refused(document):
    with pytest.raises(BadDocument):
        Certificate.from_document(document)
