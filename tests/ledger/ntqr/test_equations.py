"""The equations of the first source, against counting by hand and against changed print."""

import itertools

import pytest
from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.ledger.judgement import Verdict
from ntqr_exact.ledger.ntqr import counting
from ntqr_exact.ledger.ntqr import pairs as pair_checks
from ntqr_exact.ledger.ntqr.counting import (
    definition,
    first_disagreement,
    in_counts,
    moments,
    small_tests,
    value_in,
    values_in,
    votes_of_size,
    without_solution,
)
from ntqr_exact.ledger.ntqr.identities import Printed, identity, in_latex, in_parameters, proportional, read
from ntqr_exact.ledger.registry import claim, claims_of
from ntqr_exact.postulates.postulate import Postulate, Space
from ntqr_exact.postulates.refutations import Survived, refute

EQUATIONS = [
    each
    for each in claims_of("ntqr").values()
    if each.check in ("identities.identity", "counting.definition") and "hypothesis" not in each.parameters
]


def holds_on_small_tests(printed: str, largest: int) -> bool:
    """Put the numbers of every test with up to so many questions into an equation."""
    postulate = Postulate("printed", read(printed).numerator.text(), Space.RATES, Citation("ntqr", "eq. 1"))
    return isinstance(refute(postulate, largest=largest), Survived)


@pytest.mark.parametrize("each", EQUATIONS, ids=lambda each: each.id)
def test_an_equation_that_holds_has_no_small_counterexample_and_one_that_fails_has_one(each):
    finding = each.find()
    assert holds_on_small_tests(each.printed, 3) is (finding.verdict is Verdict.HOLDS)
    if each.right:
        assert holds_on_small_tests(each.right, 4)


@pytest.mark.parametrize("name", ["26a", "26b", "26c", "26d", "33a", "33c", "33d"])
def test_a_sign_changed_in_a_right_postulate_is_refuted_with_a_test(name):
    each = claim(f"ntqr/eq-{name}")
    for printed in (each.printed.replace("Gb12", "(-Gb12)"), each.printed.replace("Pb", "(-Pb)")):
        if printed != each.printed:
            finding = each.printing(printed).find()
            assert finding.verdict is Verdict.MISPRINT
            assert "smallest test" in finding.evidence[0]


def test_the_parameters_decide_as_counting_does():
    """An oracle for the proof by parameters: equations made at random from a few parts."""
    parts = ["x1*Pa", "y1*Pb", "fa1", "fb1", "Pb", "e1"]
    for chosen in itertools.product((-1, 0, 1), repeat=len(parts)):
        text = " + ".join(f"({sign})*{part}" for sign, part in zip(chosen, parts, strict=True) if sign)
        if text and read(text).numerator:
            assert (not in_parameters(read(text).polynomial())) is holds_on_small_tests(text, 2), text


def test_counts_of_a_general_pair_are_those_of_every_small_test():
    claims = [
        "Rab1 = Qa - Raa1",
        "Ra1b2 = Raa1b2 + Rba1b2",
        "e12 = (Rab1b2 + Rba1a2)/Q",
        "Raa1 = Raa1a2 + Raa1b2",
    ]
    for text in claims:
        assert definition(Printed(text)).verdict is Verdict.HOLDS
        assert in_counts(read(text)) == 0
    assert definition(Printed("Raa1 = Raa1a2")).verdict is Verdict.MISPRINT


def test_every_quantity_of_a_pair_in_counts_has_the_value_that_is_counted():
    images = counting._images()
    compared = set()
    for test, (name, image) in itertools.product(small_tests(2, 2), images.items()):
        value, parts = value_in(test, name), values_in(test, image.variables())
        if value is not None and parts is not None and image.denominator.evaluate(parts) != 0:
            assert image.evaluate(parts) == value, (name, test)
            compared.add(name)
    assert compared == set(images)


def test_moments_of_small_votes_are_those_of_the_evaluator():
    for votes in votes_of_size(4):
        known = solve_independent(votes).moments
        assert moments(votes) == (known.trio, known.pair_product, known.discriminant)


def test_eq_40_is_right_exactly_if_an_odd_number_of_judges_is_worse_than_chance():
    each = claim("ntqr/eq-40")
    assert "only if d_1·d_2·d_3 < 0," in each.find().evidence[1]
    turned = {**each.printed, "value": each.printed["value"].replace("(1 - (", "(1 + (", 1)}
    assert "only if d_1·d_2·d_3 > 0," in each.printing(turned).find().evidence[1]
    assert each.printing(each.right).find().verdict is Verdict.HOLDS


def test_a_formula_with_an_unknown_name_or_two_equality_signs_is_refused():
    for text in ("Pa*z9", "Pa = Pb = 1", "fa4"):
        with pytest.raises(BadDocument):
            read(text)
    with pytest.raises(BadDocument):
        identity(Printed("Pa = Pa"))


def test_polynomials_are_proportional_only_by_a_number():
    assert proportional(read("2*x1 - 2").polynomial(), read("1 - x1").polynomial())
    assert not proportional(read("x1*y1 - y1").polynomial(), read("1 - x1").polynomial())


def test_possible_evaluations_are_those_of_listed_tests():
    for size in range(1, 5):
        tests = [test for test in small_tests(1, size) if test.size == size]
        assert len(tests) == (size + 1) * (size + 2) * (size + 3) // 6


def test_correlations_are_open_first_at_four_questions():
    grades = ("Qa", "Raa1", "Raa2", "Rbb1", "Rbb2")
    assert first_disagreement("Ga12", 2, given=grades, largest=3) is None
    assert first_disagreement("Ga12", 2, given=grades, largest=4) is not None


def test_three_judges_with_the_same_pairs_differ_first_at_four_questions():
    def pairs(votes):
        return tuple(votes.marginal(i, j) for i, j in itertools.combinations(range(3), 2))

    for size in (1, 2, 3):
        seen = [pairs(votes) for votes in votes_of_size(size)]
        assert len(set(seen)) == len(seen)
    first, second = pair_checks._twins()
    assert first.size == 4
    assert first != second


def test_the_smallest_votes_without_a_solution_have_no_quadratic():
    votes = without_solution()
    third = votes.trio_moment(0, 1, 2)
    product = votes.pair_moment(0, 1) * votes.pair_moment(0, 2) * votes.pair_moment(1, 2)
    assert third**2 + 4 * product == 0
    assert product != 0


def test_eq_40_gives_the_other_label_on_good_judges():
    """Two a questions answered aaa, one b question answered bbb, by hand: T = 2/27 and √A = 2/9."""
    share = mpq(1, 3)
    third = share - (share**3 + 3 * share * (share - share**2))
    root = mpq(2, 9)
    assert third == mpq(2, 27)
    assert root**2 == third**2 + 4 * (share - share**2) ** 3
    assert (1 - third / root) / 2 == mpq(1, 3)  # the true P_a is 2/3
    assert "key a: aaa×2; key b: bbb×1" in claim("ntqr/eq-40").find().evidence[0]


def test_undefined_rates_are_passed_over_and_not_taken_for_zero():
    rate = Postulate("x", "x1", Space.RATES, Citation("ntqr", "eq. 2"))
    empty = next(test for test in small_tests(1) if test.key_counts["a"] == 0)
    assert isinstance(rate.residual(empty), Undefined)
    assert definition(Printed("x1 = Raa1/Qa")).verdict is Verdict.HOLDS


def test_formulas_are_shown_with_the_indices_of_the_source():
    assert in_latex("a12 = 2 - e1") == "a_{i,j} = 2 - e_{i}"
    assert claim("ntqr/eq-28").latex(claim("ntqr/eq-28").right).count("b_i") == 1
