"""The corrected share: no division, exact coverage, and the published interval beside it."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from gmpy2 import mpq

from ntqr_exact import corrected_share
from ntqr_exact.errors import BadNumber, TooMuchWork
from ntqr_exact.sampling.corrected_share import coverage_of_share, published_holds
from ntqr_exact.sampling.share_intervals import at_most, binomial_interval


def test_binomial_tails_and_ends_are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for trials, right in ((20, 15), (5, 0), (5, 5), (7, 3)):
        tail = sum(Fraction(comb(trials, x) * 3**x * 7 ** (trials - x), 10**trials) for x in range(right + 1))
        assert Fraction(int(at_most(10, trials, 3, right)), 10**trials) == tail
        low, high = binomial_interval(10**6, trials, right, mpq(19, 20))
        ends = stats.binomtest(right, trials).proportion_ci(method="exact")
        assert 0 <= low / 10**6 - ends.low < 2e-6
        assert 0 <= ends.high - high / 10**6 < 2e-6


def test_a_share_whose_tail_is_exactly_half_of_the_rest_belongs_to_the_interval() -> None:
    assert binomial_interval(4, 1, 0, mpq(1, 2)) == (0, 3)


@pytest.mark.parametrize(
    ("called", "sensitivity", "specificity"),
    [
        ((60, 200), (45, 50), (48, 50)),
        ((3, 9), (2, 5), (2, 5)),
        ((90, 100), (0, 40), (40, 40)),
        ((0, 50), (9, 9), (1, 9)),
    ],
)
def test_a_share_is_kept_iff_some_rates_fit_it(
    called: tuple[int, int], sensitivity: tuple[int, int], specificity: tuple[int, int]
) -> None:
    found = corrected_share(called, sensitivity=sensitivity, specificity=specificity)
    for step in range(101):
        theta = mpq(step, 100)
        q1, q0, p = found.sensitivity, found.specificity, found.called_positive
        least = min(theta * a + (1 - theta) * (1 - b) for a in q1 for b in q0)
        greatest = max(theta * a + (1 - theta) * (1 - b) for a in q1 for b in q0)
        fits = least <= p[1] and greatest >= p[0]
        assert fits == (found.lower is not None and found.lower <= theta <= found.upper)


def test_an_empty_and_a_whole_answer_are_answers() -> None:
    assert corrected_share((90, 100), sensitivity=(0, 40), specificity=(40, 40)).is_empty
    assert corrected_share((5, 10), sensitivity=(1, 2), specificity=(1, 2)).is_whole
    assert corrected_share((0, 0), sensitivity=(0, 0), specificity=(0, 0)).is_whole
    empty = corrected_share((90, 100), sensitivity=(0, 40), specificity=(40, 40)).to_document()
    assert empty["lower"] is None


RATES = {"share": "1/100", "sensitivity": "11/20", "specificity": "11/20"}


def test_the_published_interval_covers_far_less_than_it_says() -> None:
    published = coverage_of_share("published", size=200, positives=5, negatives=5, **RATES)
    assert round(published, 3) == mpq("0.708")


@pytest.mark.parametrize("share", ["0", "1/100", "1/2", "1"])
@pytest.mark.parametrize(
    ("sensitivity", "specificity"), [("11/20", "11/20"), ("9/10", "4/5"), ("1/5", "1/4")]
)
def test_the_rectangle_covers_every_share(share: str, sensitivity: str, specificity: str) -> None:
    rates = {"share": share, "sensitivity": sensitivity, "specificity": specificity}
    assert coverage_of_share("rectangle", size=12, positives=4, negatives=6, **rates) >= mpq(19, 20)


def test_the_published_interval_in_floats_says_the_same() -> None:
    z = 1.959963984540054
    for k, k1, k0 in ((3, 4, 5), (10, 3, 4), (0, 5, 5), (20, 5, 3), (7, 2, 1)):
        n, m1, m0 = 20 + z * z, 7, 7
        p, q1, q0 = (k + z * z / 2) / n, (k1 + 1) / m1, (k0 + 1) / m0
        slope = q0 + q1 - 1
        guess = (p + q0 - 1) / slope
        shift = 2 * z * z * (guess * q1 * (1 - q1) / m1 - (1 - guess) * q0 * (1 - q0) / m0)
        spread = p * (1 - p) / n + (1 - guess) ** 2 * q0 * (1 - q0) / m0 + guess**2 * q1 * (1 - q1) / m1
        low, high = guess + shift - z * spread**0.5 / slope, guess + shift + z * spread**0.5 / slope
        for step in range(0, 101, 5):
            held = published_holds(mpq(step, 100), (k, 20), (k1, 5), (k0, 5), mpq(19, 20))
            assert held == (low <= step / 100 <= high)


def test_what_is_no_count_or_rate_is_refused() -> None:
    with pytest.raises(BadNumber, match="how many of how many"):
        corrected_share((11, 10), sensitivity=(1, 2), specificity=(1, 2))
    with pytest.raises(BadNumber, match="between 0 and 1"):
        coverage_of_share(
            "rectangle", size=1, positives=1, negatives=1, share=2, sensitivity=1, specificity=1
        )


@pytest.mark.parametrize("hits", [(10**5, 2 * 10**5), (10**30, 10**31)])
def test_an_interval_of_too_many_trials_is_refused_before_it_begins(hits):
    with pytest.raises(TooMuchWork, match="an interval of so many trials"):
        corrected_share(hits, sensitivity=(8, 10), specificity=(9, 10))
