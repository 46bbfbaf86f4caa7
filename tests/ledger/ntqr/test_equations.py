"""The equations and sentences of the first source, against counting by hand and against changed print."""

import itertools
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.ledger.finding import Verdict
from ntqr_exact.ledger.ntqr import (
    agreement,
    counting,
    generating_set,
    independent_evaluator,
    joint_errors,
    opening,
    pair_postulates,
    pair_sentences,
    possible_evaluations,
    single_judge,
    trio,
)
from ntqr_exact.ledger.ntqr.counting import (
    definition,
    first_disagreement,
    in_counts,
    small_tests,
    value_in,
    values_in,
)
from ntqr_exact.ledger.ntqr.identities import Hypothesis, Repair, identity, in_parameters, proportional
from ntqr_exact.ledger.ntqr.small_votes import moments, votes_of_size, without_solution
from ntqr_exact.ledger.ntqr.symbols import read, written
from ntqr_exact.postulates.postulate import Postulate, Space
from ntqr_exact.postulates.refutations import Survived, refute

MODULES = (
    opening,
    possible_evaluations,
    single_judge,
    agreement,
    joint_errors,
    pair_postulates,
    pair_sentences,
    trio,
    independent_evaluator,
    generating_set,
)
CLAIMS = {claim.id: claim for module in MODULES for claim in module.CLAIMS}
INDEX = [
    line
    for line in (Path(__file__).parent / "index_equations.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
EQUATIONS = [
    claim
    for claim in CLAIMS.values()
    if (claim.printed and claim.check in (identity, definition))
    or getattr(claim.check, "func", None) is identity
]


def holds_on_small_tests(printed: str, largest: int) -> bool:
    """Put the numbers of every test with up to so many questions into an equation."""
    claim = Postulate("printed", read(printed).numerator, Space.RATES, Citation("ntqr", "eq. 1"))
    return isinstance(refute(claim, largest=largest), Survived)


@pytest.mark.parametrize("pattern", INDEX)
def test_every_item_of_the_source_has_a_claim(pattern):
    assert any(fnmatchcase(name, pattern) for name in CLAIMS)


def test_every_claim_is_in_the_index():
    assert [name for name in CLAIMS if not any(fnmatchcase(name, pattern) for pattern in INDEX)] == []


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("eq-10", Verdict.WRONG),
        ("eq-16/responses", Verdict.MISPRINT),
        ("eq-20", Verdict.MISPRINT),
        ("eq-22", Verdict.HOLDS),
        ("eq-23", Verdict.MISPRINT),
        ("eq-28", Verdict.MISPRINT),
        ("eq-30", Verdict.MISPRINT),
        ("eq-33d", Verdict.HOLDS),
        ("eq-33e", Verdict.MISPRINT),
        ("eq-33f", Verdict.MISPRINT),
        ("eq-36", Verdict.DEPENDS),
        ("eq-40", Verdict.MISPRINT),
        ("eq-42", Verdict.MISPRINT),
        ("algorithm-1", Verdict.MISPRINT),
        ("fig-1/symbols", Verdict.MISPRINT),
        ("sec-1-2/scores", Verdict.MISPRINT),
        ("sec-3/datasets", Verdict.WRONG),
        ("sec-4-2/double-negation", Verdict.MISPRINT),
        ("sec-4-3/only-one-correlation", Verdict.WRONG),
        ("sec-4-3/only-interesting-case", Verdict.WRONG),
        ("sec-5/appendix-correlations", Verdict.WRONG),
        ("sec-5-1/appendix-section", Verdict.MISPRINT),
        ("sec-5-1/root-proves-correlation", Verdict.HOLDS),
    ],
)
def test_known_deviations_are_found_and_have_a_right_form(name, verdict):
    finding = CLAIMS[f"ntqr/{name}"].find()
    assert finding.verdict is verdict
    assert bool(finding.right) is (verdict is not Verdict.HOLDS)


@pytest.mark.parametrize(
    "claim", [each for each in EQUATIONS if "root" not in each.printed], ids=lambda claim: claim.id
)
def test_an_equation_that_holds_has_no_small_counterexample_and_one_that_fails_has_one(claim):
    finding = claim.find()
    hypothesis = getattr(claim.check, "keywords", {}).get("hypothesis", Hypothesis.NONE)
    if hypothesis is Hypothesis.NONE:
        assert holds_on_small_tests(claim.printed, 3) is (finding.verdict is Verdict.HOLDS)


@pytest.mark.parametrize("name", ["eq-20", "eq-28", "eq-30", "eq-33e", "eq-33f"])
def test_the_right_form_of_a_misprint_survives_all_small_tests(name):
    claim = CLAIMS[f"ntqr/{name}"]
    repaired = claim.check.keywords["repair"].apply(claim.printed)
    assert holds_on_small_tests(repaired, 4)
    assert claim.find().right == written(repaired)


def disturbed(printed: str) -> list[str]:
    changed = []
    for place, character in enumerate(printed):
        if character.isdecimal():
            changed.append(printed[:place] + str((int(character) + 1) % 10) + printed[place + 1 :])
        elif character in "+-":
            changed.append(printed[:place] + ("-" if character == "+" else "+") + printed[place + 1 :])
    return changed


@pytest.mark.parametrize(
    "claim", [each for each in CLAIMS.values() if each.printed], ids=lambda claim: claim.id
)
def test_every_third_change_of_a_digit_or_sign_changes_the_finding(claim):
    finding = claim.find()
    for printed in disturbed(claim.printed)[::3]:
        try:
            changed = claim.check(printed)
        except (NtqrExactError, ValueError):
            continue
        assert changed != finding, printed


@pytest.mark.parametrize("name", ["26a", "26b", "26c", "26d", "33a", "33c", "33d"])
def test_a_sign_changed_in_a_right_postulate_is_refuted_with_a_test(name):
    claim = CLAIMS[f"ntqr/eq-{name}"]
    for printed in (claim.printed.replace("Gb12", "(-Gb12)"), claim.printed.replace("Pb", "(-Pb)")):
        if printed != claim.printed:
            finding = claim.check(printed)
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
        assert definition(text).verdict is Verdict.HOLDS
        assert in_counts(read(text)).is_zero()
    assert definition("Raa1 = Raa1a2").verdict is Verdict.MISPRINT


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


@pytest.mark.parametrize(
    ("name", "right", "arose"),
    [
        ("eq-16/responses", "R^a_{a_1} − R^b_{b_1} = R_{a_1} − Q_b", "factors P_a and P_b"),
        ("eq-20", "a_{1,2} = 1 − e_1 − e_2 + 2·e_{1,2}", "2 stands where 1"),
        ("eq-23", "c² = (2·a_{1,2} − 1)·(2·a_{1,3} − 1)·(2·a_{2,3} − 1)", "1 − a stands"),
        ("eq-28", "e_1 = 1 − P_a·P^a_{a_1} − P_b·P^b_{b_1}", "b_j"),
        ("eq-33e", "(P^b_{b_1} − f_{b_1})·(Γ^a_{1,2} − Δ_{1,2})", "interchanged"),
        ("eq-33f", "(P^b_{b_2} − f_{b_2})·(Γ^a_{1,2} − Δ_{1,2})", "interchanged"),
        ("eq-40", "(1 ± T/√A)/2", "one of two branches"),
    ],
)
def test_the_right_form_is_given_and_how_the_printed_one_arose(name, right, arose):
    finding = CLAIMS[f"ntqr/{name}"].find()
    assert right in finding.right
    assert arose in finding.arose


def test_eq_40_is_right_exactly_if_an_odd_number_of_judges_is_worse_than_chance():
    assert "only if d_1·d_2·d_3 < 0," in CLAIMS["ntqr/eq-40"].find().evidence[1]
    turned = CLAIMS["ntqr/eq-40"].printed.replace("(1 - (", "(1 + (", 1)
    assert "only if d_1·d_2·d_3 > 0," in CLAIMS["ntqr/eq-40"].check(turned).evidence[1]


def test_a_formula_with_an_unknown_name_or_two_equality_signs_is_refused():
    for text in ("Pa*z9", "Pa = Pb = 1", "fa4"):
        with pytest.raises(BadDocument):
            read(text)
    with pytest.raises(BadDocument):
        identity("Pa = Pa")


def test_a_repair_counts_only_if_the_repaired_equation_is_proven():
    useless = Repair("nonsense", {"2 - e1": "3 - e1"})
    finding = identity("a12 = 2 - e1 - e2 + 2*e12", name="20", repair=useless)
    assert not finding.arose
    assert finding.right != written("a12 = 3 - e1 - e2 + 2*e12")


def test_polynomials_are_proportional_only_by_a_number():
    assert proportional(read("2*x1 - 2").polynomial(), read("1 - x1").polynomial())
    assert not proportional(read("x1*y1 - y1").polynomial(), read("1 - x1").polynomial())


def test_possible_evaluations_are_those_of_listed_tests():
    for size in range(1, 5):
        tests = [test for test in small_tests(1, size) if test.size == size]
        assert len(tests) == (size + 1) * (size + 2) * (size + 3) // 6


def test_the_quarter_of_a_million_is_counted_as_products_of_responses():
    readings = CLAIMS["ntqr/sec-3/quarter-million"].find().readings
    by_name = {each.name: each for each in readings}
    assert by_name["the most that can be"].verdict is Verdict.HOLDS
    assert str(501 * 501) in by_name["the most that can be"].evidence[0]
    assert by_name["any responses"].verdict is Verdict.WRONG


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
    first, second = pair_sentences._twins()
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
    assert "key a: aaa×2; key b: bbb×1" in CLAIMS["ntqr/eq-40"].find().evidence[0]


def test_undefined_rates_are_passed_over_and_not_taken_for_zero():
    claim = Postulate("x", read("x1").polynomial(), Space.RATES, Citation("ntqr", "eq. 2"))
    empty = next(test for test in small_tests(1) if test.key_counts["a"] == 0)
    assert isinstance(claim.residual(empty), Undefined)
    assert definition("x1 = Raa1/Qa").verdict is Verdict.HOLDS
