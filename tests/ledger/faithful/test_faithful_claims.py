"""What the claims of Goyal, Hu and Gupta 2023 compute, against brute force; and that other prints are judged anew."""

import itertools
from fractions import Fraction
from math import comb

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.faithful.model import LEANING, conditionally_independent, lines_of_19, own_labels
from ntqr_exact.ledger.faithful.samples import mean, paired_moments, share_moments, variance_of
from ntqr_exact.ledger.judgement import DEVIATIONS, Verdict
from ntqr_exact.ledger.registry import claim
from ntqr_exact.postulates.polynomial import read_formula

RIGHT = claim("faithful/eq-13").right
RATE, PRECISION, OMISSION = Fraction(2, 5), Fraction(3, 4), Fraction(1, 7)


def at(formula, **values):
    return formula.evaluate({name: mpq(value) for name, value in values.items()})


# -- moments ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("name", ["s", "ss", "f", "ff", "fs"])
def test_a_moment_of_a_share_is_its_mean_over_all_samples(size, name):
    total = Fraction(0)
    for sample in itertools.product((0, 1), repeat=size):
        ones = sum(sample)
        value = {"s": Fraction(ones, size), "f": Fraction(sample[0])}
        term = RATE**ones * (1 - RATE) ** (size - ones)
        for letter in name:
            term *= value[letter]
        total += term
    assert at(share_moments()[name], p=RATE, N=size) == total


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("name", ["b", "c", "t", "cc", "tt", "ct"])
def test_a_moment_of_paired_shares_is_its_mean_over_all_samples(size, name):
    law = {(0, 0): Fraction(5, 12), (0, 1): Fraction(1, 12), (1, 0): Fraction(2, 12), (1, 1): Fraction(4, 12)}
    total = Fraction(0)
    for sample in itertools.product(law, repeat=size):
        value = {
            "b": Fraction(sum(c * t for c, t in sample), size),
            "c": Fraction(sum(c for c, _ in sample), size),
            "t": Fraction(sum(t for _, t in sample), size),
        }
        term = Fraction(1)
        for pair in sample:
            term *= law[pair]
        for letter in name:
            term *= value[letter]
        total += term
    found = at(paired_moments()[name], p11=Fraction(4, 12), pC=Fraction(6, 12), pT=Fraction(5, 12), N=size)
    assert found == total


def test_the_mean_of_a_quotient_and_of_an_unknown_product_is_refused():
    for text in ("1/s", "s**3"):
        with pytest.raises(BadDocument):
            mean(read_formula(text), share_moments())


def test_a_variance_is_that_of_the_moments():
    assert variance_of(read_formula("s"), share_moments()).equals(read_formula("p*(1 - p)/N"))


# -- eq. 13 -------------------------------------------------------------------------------------------------------


def expected(text, size):
    formula = read_formula(text)
    return sum(
        comb(size, k)
        * RATE**k
        * (1 - RATE) ** (size - k)
        * Fraction(at(formula, s=Fraction(k, size), pi=PRECISION, phi=OMISSION, N=size))
        for k in range(size + 1)
    )


@pytest.mark.parametrize("size", [2, 3, 6])
def test_the_estimator_given_as_right_is_unbiased_and_the_printed_one_is_not(size):
    real = PRECISION * RATE + OMISSION * (1 - RATE)
    true = real * (1 - real) / size
    assert expected(RIGHT, size) == true
    left = RATE * PRECISION * (1 - PRECISION) + (1 - RATE) * OMISSION * (1 - OMISSION)
    printed = "(phi + (pi - phi)*s)*(1 - phi - (pi - phi)*s)/(N - 1)"
    assert expected(printed, size) - true == left / (size * (size - 1))


# -- eq. 19 -------------------------------------------------------------------------------------------------------


def test_the_counterexample_obeys_the_stated_assumption_and_breaks_the_last_line_only():
    lines = lines_of_19(LEANING)
    assert conditionally_independent(LEANING)
    assert {lines[name] for name in ("left", "a", "b", "c")} == {mpq(1, 2)}
    assert lines["d"] == mpq(1, 4)
    assert sum(LEANING.values()) == 1
    assert not own_labels(LEANING)


def test_no_law_of_one_outcome_breaks_the_last_line():
    for outcome in itertools.product((0, 1), repeat=4):
        lines = lines_of_19({outcome: mpq(1)})
        assert lines["d"] == lines["left"]


def test_with_real_labels_drawn_by_their_own_observed_ones_all_lines_agree():
    law = {}
    observed = {(0, 0): mpq(5, 12), (0, 1): mpq(1, 12), (1, 0): mpq(2, 12), (1, 1): mpq(4, 12)}
    rate = {0: mpq(1, 7), 1: mpq(3, 4)}
    for (x, y), weight in observed.items():
        for c, t in itertools.product((0, 1), repeat=2):
            chance = (rate[x] if c else 1 - rate[x]) * (rate[y] if t else 1 - rate[y])
            law[c, t, x, y] = weight * chance
    assert len(set(lines_of_19(law).values())) == 1
    assert own_labels(law)
    law[1, 1, 0, 0] += mpq(1, 100)
    law[0, 0, 0, 0] -= mpq(1, 100)
    assert not conditionally_independent(law)


# -- other prints are judged anew -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "printed"),
    [
        ("eq-1", ["0", "N"]),
        ("eq-5", {"factor": "1/(N*N)", "first": "1", "last": "|C|", "term": "(f - s)**2"}),
        ("eq-8", ["f_d - z*s", "f_d - z*s"]),
        ("eq-8/critical", {"level": "0.95", "z": "1.64"}),
        ("eq-8/variance", "VC - VT"),
        ("eq-9", "pi"),
        ("eq-10b", "pi*p + phi*p"),
        ("eq-12b", "pR*(1 - pR)/(N - 1)"),
        ("sec-2-2/plug-in-biased", "pR*(1 - pR)/(N - 1)"),
        ("eq-14/perfect", "pR*(1 - pR)/N"),
        ("eq-16d", "(N1 - 2*N1*p + N1*p**2)/(N*(N - 1))"),
        ("eq-17", "r0*p0 + r1*p1 + r2*p1"),
        ("eq-18a", "cov"),
        ("eq-18c", {"term": "x*P", "less": "pC*pT"}),
        ("eq-19c", "any law"),
        ("sec-3-1/bold-size", "23,700"),
        ("sec-3-1/precision", "0.8997"),
        ("sec-3-1-1/effect", "gpt2 - neo"),
        ("table-1/bold/mean-gpt2", "0.00457"),
        ("table-1/real-toxicity-prompts/mean-gpt2", "0.09125"),
        ("table-1/real-toxicity-prompts/ci-m-upper", "0.00432"),
        ("table-2/exp1/ci-d-upper", "-0.00126"),
        ("table-2/exp5/var-d-c", "1.84e-9"),
    ],
)
def test_what_is_broken_on_purpose_no_longer_stands(key, printed):
    own = claim(f"faithful/{key}")
    assert own.find().verdict in (Verdict.HOLDS, Verdict.POSSIBLE)
    assert own.printing(printed).find().verdict in DEVIATIONS


def test_a_broken_equation_20_is_wrong_in_both_readings():
    broken = (
        claim("faithful/eq-20").printing({"factor": "1/N", "term": "rC*rT*P", "less": "1/N*pRC*pRT"}).find()
    )
    assert broken.verdict is Verdict.WRONG


def test_exp5_arose_by_a_point_one_place_off_and_the_sign_by_the_variance_of_a_sum():
    assert "one place off" in claim("faithful/table-2/exp5/ci-m-upper").find().arose
    assert "sum" in claim("faithful/sec-a-3/variance").find().arose
