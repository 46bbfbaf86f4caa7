"""The prevalence quadratic is what elimination gives, and degenerate votes are told apart."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ntqr_exact.algebra.ideal import Ideal
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.errors import BadVotes
from ntqr_exact.postulates.prevalence import Outcome, eliminate_prevalence, prevalence_quadratic
from ntqr_exact.votes.counts import VoteCounts

PATTERNS = ["aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb"]
P = Polynomial.variable("prevalence_a")


def votes_of(*counts):
    return VoteCounts(dict(zip(PATTERNS, counts, strict=True)))


def moments(votes):
    product = votes.pair_moment(0, 1) * votes.pair_moment(0, 2) * votes.pair_moment(1, 2)
    trio = votes.trio_moment(0, 1, 2)
    return product, trio, trio**2 + 4 * product


@settings(max_examples=25)
@given(st.lists(st.integers(0, 9), min_size=8, max_size=8).filter(any))
def test_elimination_gives_the_quadratic_up_to_a_unit(counts):
    votes = votes_of(*counts)
    product, trio, discriminant = moments(votes)
    quadratic = prevalence_quadratic(votes)
    assert quadratic == discriminant * P**2 - discriminant * P + product
    found = eliminate_prevalence(votes)
    assert Ideal([found.polynomial]).contains(quadratic)
    zeros = sum(votes.pair_moment(i, j) == 0 for i, j in ((0, 1), (0, 2), (1, 2)))
    if product and discriminant and trio:
        assert found.outcome is Outcome.TWO_PREVALENCES
        assert found.polynomial * discriminant == quadratic
    elif product and discriminant:
        assert found.outcome is Outcome.ONE_PREVALENCE
        assert found.polynomial == P - Polynomial({"1": "1/2"})
        assert found.polynomial**2 * discriminant == quadratic
    elif zeros >= 2 and not trio:
        assert found.outcome is Outcome.UNIDENTIFIED
    else:
        assert found.outcome is Outcome.CONTRADICTION


@pytest.mark.parametrize(
    ("counts", "outcome"),
    [
        ((181, 90, 86, 115, 86, 109, 100, 233), Outcome.TWO_PREVALENCES),
        ((3, 1, 1, 0, 0, 1, 1, 3), Outcome.ONE_PREVALENCE),
        ((0, 1, 1, 1, 1, 1, 1, 0), Outcome.ONE_PREVALENCE),
        ((0, 1, 1, 0, 1, 0, 0, 0), Outcome.CONTRADICTION),
        ((1, 1, 1, 1, 1, 1, 1, 1), Outcome.UNIDENTIFIED),
        ((1, 0, 0, 0, 0, 0, 0, 0), Outcome.UNIDENTIFIED),
        ((1, 0, 0, 1, 0, 1, 1, 0), Outcome.CONTRADICTION),
    ],
)
def test_each_outcome(counts, outcome):
    assert eliminate_prevalence(votes_of(*counts)).outcome is outcome


def test_two_norm_as_published():
    assert str(prevalence_quadratic(votes_of(181, 90, 86, 115, 86, 109, 100, 233))) == (
        "657031321/1000000000000·P_a² − 657031321/1000000000000·P_a + 148213280061/976562500000000"
    )


def test_other_labels_and_other_votes():
    votes = votes_of(1, 0, 0, 0, 0, 0, 0, 2).with_labels(["yes", "no"])
    assert eliminate_prevalence(votes).polynomial.variables() == ("prevalence_yes",)
    for bad in (VoteCounts({"ab": 1}), VoteCounts({"abc": 1}, ("a", "b", "c"))):
        for function in (eliminate_prevalence, prevalence_quadratic):
            with pytest.raises(BadVotes, match="three judges and two labels"):
                function(bad)
