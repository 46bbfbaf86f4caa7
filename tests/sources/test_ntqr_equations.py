"""Every equation 1 to 48 of Corrada-Emmanuel 2023, typed in as printed, proven or refuted.

The printed form is written with sympy symbols and compared with the postulate that the library builds from
its general construction; definitions are counted by brute force; what is wrong is refuted by a test.
"""

import itertools
from math import comb

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from sympy import Symbol, sympify

from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.postulates import (
    Role,
    Space,
    Status,
    agreement,
    agreement_solution,
    complete,
    independent,
    misprints,
    pair,
    single,
    solution,
    trio,
)
from ntqr_exact.postulates.derivations import derive
from ntqr_exact.postulates.ideal import Ideal
from ntqr_exact.postulates.polynomial import read_formula
from ntqr_exact.postulates.refutations import Refutation, all_tests, refute, refute_misprint
from ntqr_exact.postulates.values import residual
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

SINGLE = single()
PAIR = pair()
TRIO = trio()
AGREEMENT_SOLUTION = agreement_solution()
AGREEMENT = agreement()
SOLUTION = solution()
MISPRINTS = misprints()
INDEPENDENT = independent(3)


def from_expression(expression):
    return read_formula(str(expression)).polynomial()


# -- the paper's letters ----------------------------------------------------------------------------

Q, Qa, Qb = Symbol("Q"), Symbol("Qa"), Symbol("Qb")
Pa, Pb = Symbol("Pa"), Symbol("Pb")
xi, xj, xk = (Symbol(f"x{m}") for m in (1, 2, 3))
yi, yj, yk = (Symbol(f"y{m}") for m in (1, 2, 3))
fai, faj = Symbol("fa1"), Symbol("fa2")
fbi, fbj = Symbol("fb1"), Symbol("fb2")
Ga, Gb = Symbol("Ga12"), Symbol("Gb12")
D = Symbol("D12")
Ra, Rb = Symbol("Ra1"), Symbol("Rb1")
RaOfA, RbOfA = Symbol("Raa1"), Symbol("Rab1")
RaOfB, RbOfB = Symbol("Rba1"), Symbol("Rbb1")
aij, ei, ej, eij = (Symbol(name) for name in ("a12", "e1", "e2", "e12"))


def f(pattern):
    return Symbol("f" + "".join(f"{label}{m}" for m, label in enumerate(pattern, start=1)))


def same(postulate, left, right=0):
    """Whether a postulate is the printed equation left = right, up to sign."""
    printed = from_expression(sympify(left) - right)
    return postulate.polynomial in (printed, -printed)


def random_tests(judges, labels="ab"):
    rows = st.lists(st.tuples(*[st.sampled_from(labels)] * (judges + 1)), min_size=1, max_size=12)
    names = [f"J{m}" for m in range(1, judges + 1)]

    def build(questions):
        counts = {label: {} for label in labels}
        for label, *pattern in questions:
            counts[label][tuple(pattern)] = counts[label].get(tuple(pattern), 0) + 1
        return LabeledVoteCounts({t: VoteCounts(counts[t], tuple(labels), names) for t in labels})

    return rows.map(build)


def value(expression, test):
    return residual(from_expression(expression), test, None)


# -- one judge: 1 to 17 -----------------------------------------------------------------------------


@given(random_tests(1))
def test_eq_1_and_4_the_questions_of_both_labels_are_all_questions(test):
    assert same(SINGLE["1"], Qa + Qb, Q)
    assert SINGLE["1"].residual(test) == 0 == sum(test.key_counts.values()) - test.size


@given(random_tests(1))
def test_eq_2_and_3_define_the_prevalences(test):
    assert value(Q * Pa - Qa, test) == value(Q * Pb - Qb, test) == 0


@given(random_tests(1))
def test_eq_5_the_prevalences_sum_to_one(test):
    assert same(SINGLE["5"], Pa + Pb, 1)
    assert SINGLE["5"].residual(test) == 0


@given(random_tests(1))
def test_eq_6_and_7_right_answers_are_at_most_the_questions_of_their_label(test):
    assert 0 <= value(RaOfA, test) <= value(Qa, test)
    assert 0 <= value(RbOfB, test) <= value(Qb, test)
    # Proof: Q_a − R^a_a = R^a_b is itself a count.
    assert same(SINGLE["Q(a)"], Qa - RaOfA, RbOfA)


@pytest.mark.parametrize("size", range(1, 7))
def test_eq_8_evaluations_are_triples_and_there_are_as_many_as_the_text_says(size):
    triples = {tuple(value(letter, test) for letter in (Qa, RaOfA, RbOfB)) for test in all_tests(1, size)}
    assert len(triples) == mpq((size + 1) * (size + 2) * (size + 3), 6) == comb(size + 3, 3)


@given(random_tests(1))
def test_eq_9_the_grade_is_the_number_of_right_answers(test):
    right = sum(
        count
        for label, votes in test.by_label.items()
        for pattern, count in votes.counts.items()
        if pattern == (label,)
    )
    assert value(Symbol("g1"), test) == right
    assert value(Symbol("g1") - RaOfA - RbOfB, test) == 0


def test_eq_10_the_difference_is_read_off_the_votes_only_once_the_key_counts_are_known():
    differences = {}
    for test in all_tests(1, 4):
        differences.setdefault((test.observed(), test.key_counts["a"]), set()).add(value(RaOfA - RbOfB, test))
    assert all(len(found) == 1 for found in differences.values())
    votes = VoteCounts({"a": 2, "b": 2})
    assert {min(found) for (seen, _), found in differences.items() if seen == votes} == {-2, -1, 0, 1, 2}


@given(random_tests(1))
def test_eq_11_and_12_answers_are_answers_on_either_label(test):
    assert same(SINGLE["11"], Ra, RaOfA + RaOfB)
    assert same(SINGLE["12"], Rb, RbOfA + RbOfB)
    assert SINGLE["11"].residual(test) == SINGLE["12"].residual(test) == 0


def test_eq_13_is_complete_and_follows():
    assert same(SINGLE["13"], Ra + Rb, Q)
    assert derive("13").problems() == []


@given(random_tests(1))
def test_eq_14_and_15_are_the_same_in_rates(test):
    assert same(SINGLE["14"], fai, Pa * xi + Pb * (1 - yi))
    assert same(SINGLE["15"], fbi, Pa * (1 - xi) + Pb * yi)
    assert SINGLE["14"].residual(test) == SINGLE["15"].residual(test) == 0


def test_eq_16_first_line_is_proven():
    assert same(SINGLE["16"], Pa * (xi - fai), Pb * (yi - fbi))
    assert derive("16").problems() == []


def test_eq_16_first_line_is_the_one_postulate_that_14_and_15_amount_to():
    """<5, 14, 15> = <5, f_a + f_b − 1, 16>."""
    known = SINGLE.rates
    both = Ideal([known[name].polynomial for name in ("5", "14", "15")])
    assert both.equals(Ideal([known[name].polynomial for name in ("5", "13P", "16")]))


def test_eq_16_second_line_is_refuted_and_corrected():
    """R^a_a − R^b_b = R_a − R_b fails; the right side is R_a − Q_b = Q_a − R_b."""
    assert same(MISPRINTS["16R"], RaOfA - RbOfB, Ra - Rb)
    assert refute_misprint("16R").test.size == 1
    assert same(SINGLE["16R"], RaOfA - RbOfB, Ra - Qb)
    assert derive("16R").problems() == []
    other = from_expression(RaOfA - RbOfB - Qa + Rb)
    assert Ideal(each.polynomial for each in SINGLE.responses).contains(other)


def test_eq_17_counts_the_evaluations_of_1000_questions():
    assert mpq(1001 * 1002 * 1003, 6) == 167668501 == comb(1003, 3)


# -- two judges: 18 to 37 ---------------------------------------------------------------------------


def test_eq_18_the_frequencies_of_two_judges_sum_to_one():
    assert same(PAIR["18"], f("aa") + f("ab") + f("ba") + f("bb"), 1)
    assert derive("18").problems() == []


@given(random_tests(2))
def test_eq_19_defines_the_agreement(test):
    assert same(AGREEMENT["19"], aij, f("aa") + f("bb"))
    agreed = sum(n for p, n in test.observed().counts.items() if p[0] == p[1])
    assert value(aij, test) == mpq(agreed, test.size)
    assert AGREEMENT["19"].residual(test) == 0


def test_eq_20_is_refuted():
    assert same(MISPRINTS["20"], aij, 2 - ei - ej + 2 * eij)
    for test in all_tests(2, 2):
        assert MISPRINTS["20"].residual(test) == -1
    assert isinstance(refute_misprint("20"), Refutation)


def test_eq_21_and_31_are_a_hypothesis_that_error_independence_does_not_imply():
    hypothesis = AGREEMENT_SOLUTION["21"]
    assert same(hypothesis, eij, ei * ej)
    assert hypothesis.role is Role.HYPOTHESIS
    per_label = [postulate for postulate in independent(2) if postulate.role is Role.HYPOTHESIS]
    assert isinstance(refute(hypothesis, per_label), Refutation)


def test_eq_22_solves_the_hypothesis_with_the_right_c():
    """e_i = (c ± (1 − 2a_jk)) / ±2(1 − 2a_jk): both signs are c = ±(1 − 2a_jk)(2e_i − 1)."""
    c, ajk = Symbol("c"), Symbol("a23")
    assert same(AGREEMENT_SOLUTION["22"], 2 * (1 - 2 * ajk) * ei, c + (1 - 2 * ajk))
    assert derive("22").problems() == []


def test_eq_23_is_refuted_and_corrected():
    """c² is the product of 2a − 1, not of 1 − a."""
    c = Symbol("c")
    a12, a13, a23 = (Symbol(f"a{pair}") for pair in ("12", "13", "23"))
    assert same(MISPRINTS["23"], c**2, (1 - a12) * (1 - a13) * (1 - a23))
    assert isinstance(refute_misprint("23"), Refutation)
    assert same(AGREEMENT_SOLUTION["23"], c**2, (2 * a12 - 1) * (2 * a13 - 1) * (2 * a23 - 1))
    assert derive("23").problems() == []


@given(random_tests(2))
def test_eq_24_and_25_define_the_pair_correlations(test):
    """By counting: Γ = R_{a_i,a_j}/Q_a − (R_{a_i}/Q_a)(R_{a_j}/Q_a), which is the mean product of deviations."""
    for label in "ab":
        votes, size = test.by_label[label], test.key_counts[label]
        seen = value(Symbol(f"G{label}12"), test)
        if not size:
            assert seen is Undefined.NO_QUESTIONS
            continue
        both = votes.counts[label * 2]
        alone = [votes.responses(judge)[label] for judge in (0, 1)]
        assert seen == mpq(both, size) - mpq(alone[0], size) * mpq(alone[1], size)


def test_eq_26_are_the_complete_postulates_of_two_judges():
    printed = {
        "26a": (f("aa"), Pa * (xi * xj + Ga) + Pb * ((1 - yi) * (1 - yj) + Gb)),
        "26b": (f("ab"), Pa * (xi * (1 - xj) - Ga) + Pb * ((1 - yi) * yj - Gb)),
        "26c": (f("ba"), Pa * ((1 - xi) * xj - Ga) + Pb * (yi * (1 - yj) - Gb)),
        "26d": (f("bb"), Pa * ((1 - xi) * (1 - xj) + Ga) + Pb * (yi * yj + Gb)),
    }
    for name, (left, right) in printed.items():
        assert same(PAIR[name], left, right)


@given(random_tests(2))
def test_eq_26_hold_for_every_test(test):
    assert all(PAIR[name].residual(test) == 0 for name in ("26a", "26b", "26c", "26d"))


@given(random_tests(2))
def test_eq_27_is_proven(test):
    assert same(AGREEMENT["27"], aij, 1 - ei - ej + 2 * eij)
    assert derive("27").problems() == []
    assert AGREEMENT["27"].residual(test) == 0


def test_eq_28_has_b_j_for_b_i_and_is_refuted_as_printed():
    assert same(MISPRINTS["28"], ei, 1 - Pa * xi - Pb * yj)
    assert isinstance(refute_misprint("28"), Refutation)
    assert same(AGREEMENT["28"], ei, 1 - Pa * xi - Pb * yi)
    assert derive("28").problems() == []


@given(random_tests(1))
def test_eq_29_is_the_error_rate(test):
    assert same(AGREEMENT["29"], ei, Pa * (1 - xi) + Pb * (1 - yi))
    assert AGREEMENT["29"].residual(test) == 0
    wrong = test.size - value(Symbol("g1"), test)
    assert value(ei, test) == wrong / test.size


def test_eq_30_is_refuted_without_the_correlations_and_proven_with_them():
    printed = Pa * (1 - xi) * (1 - xj) + Pb * (1 - yi) * (1 - yj)
    assert same(MISPRINTS["30"], eij, printed)
    assert refute_misprint("30").residual == mpq(1, 4)
    assert same(AGREEMENT["30"], eij, printed + Pa * Ga + Pb * Gb)
    assert AGREEMENT["30"].status is Status.CORRECTED
    assert derive("30").problems() == []


def test_eq_32_the_sides_differ_in_general_by_the_exact_defect():
    printed = Pa * (1 - xi) * (1 - xj) + Pb * (1 - yi) * (1 - yj)
    product = (Pa * (1 - xi) + Pb * (1 - yi)) * (Pa * (1 - xj) + Pb * (1 - yj))
    gap = from_expression((printed - product).subs(Pb, 1 - Pa))
    assert gap == from_expression((Pa * Pb * (xi - yi) * (xj - yj)).subs(Pb, 1 - Pa))
    assert gap != 0
    assert derive("32").problems() == []


PRINTED_33 = {
    "33a": Pa * (xi - fai) - Pb * (yi - fbi),
    "33b": Pa * (xj - faj) - Pb * (yj - fbj),
    "33c": (xi - fai) * (yj - fbj) - (yi - fbi) * (xj - faj),
    "33d": (xi - fai) * (yj - fbj) + Pa * (Ga - D) + Pb * (Gb - D),
    "33e": (xi - fai) * (yj - fbj) * ((xi - fai) + (yi - fbi))
    + (xi - fai) * (Ga - D)
    + (yi - fbi) * (Gb - D),
    "33f": (xi - fai) * (yj - fbj) * ((xj - faj) + (yj - fbj))
    + (xj - faj) * (Ga - D)
    + (yj - fbj) * (Gb - D),
}


@pytest.mark.parametrize("name", ["33a", "33b", "33c", "33d"])
def test_eq_33a_to_33d_are_proven(name):
    assert same(PAIR[name], PRINTED_33[name])
    assert derive(name).problems() == []


@pytest.mark.parametrize("name", ["33e", "33f"])
def test_eq_33e_and_33f_are_refuted_as_printed_and_proven_with_the_correlations_interchanged(name):
    assert same(MISPRINTS[name], PRINTED_33[name])
    refutation = refute_misprint(name)
    assert refutation.residual == mpq(1, 24)
    interchanged = PRINTED_33[name].subs({Ga: Gb, Gb: Ga}, simultaneous=True)
    assert same(PAIR[name], interchanged)
    assert derive(name).problems() == []
    assert PAIR[name].residual(refutation.test) == 0


def in_patterns(polynomial):
    """Put the definitions of Δ and of single frequencies in their place."""
    definitions = {p.solved_for: p for p in PAIR.rates if p.role is Role.DEFINITION}
    for name in ("D12", "fa1", "fb1", "fa2", "fb2"):
        variable = Symbol(name)
        formula = from_expression(variable) - definitions[name].polynomial
        polynomial = polynomial.substitute({name: formula})
    return polynomial


def test_eq_33a_33b_and_33d_alone_generate_the_ideal_of_26():
    known = PAIR.rates
    shared = [known["5"].polynomial, known["18"].polynomial]
    of_26 = Ideal([*shared, *(known[name].polynomial for name in ("26a", "26b", "26c", "26d"))])
    of_33 = Ideal([*shared, *(in_patterns(known[name].polynomial) for name in ("33a", "33b", "33d"))])
    assert of_26.equals(of_33)
    for name in ("33e", "33f"):
        assert of_26.contains(in_patterns(known[name].polynomial))
        assert not of_26.contains(in_patterns(MISPRINTS[name].polynomial))


@pytest.mark.parametrize("name", ["33e", "33f"])
def test_eq_33_text_33d_cannot_be_replaced_by_33e_or_33f(name):
    """ "Two from the first three equations, and one from the last three" is true of 33d only."""
    known = PAIR.rates
    shared = [known["5"].polynomial, known["18"].polynomial]
    chosen = Ideal([*shared, *(in_patterns(known[other].polynomial) for other in ("33a", "33b", name))])
    point = {  # judges without information: d_1 = d_2 = 0, so that 33e and 33f hold whatever Γ is
        "Pa": "1/2", "Pb": "1/2",
        **{f"{letter}{judge}": "1/2" for letter in "xy" for judge in (1, 2)},
        **{f"f{i}1{j}2": "1/4" for i in "ab" for j in "ab"},
        "Ga12": 1, "Gb12": 1,
    }  # fmt: skip
    assert all(generator.substitute(point) == 0 for generator in chosen.generators)
    assert in_patterns(known["33d"].polynomial).substitute(point) == 1


def test_eq_34_and_35_are_the_same():
    assert same(PAIR["34"], D, f("bb") - fbi * fbj)
    assert same(PAIR["35"], D, f("aa") - fai * faj)
    assert derive("35").problems() == []


def test_eq_36_with_three_labels_the_moments_may_all_differ_and_may_all_agree():
    votes = VoteCounts({"aa": 3, "bb": 2, "cc": 1, "ab": 1}, ("a", "b", "c"))
    moments = {label: votes.pair_moment(0, 1, label=label) for label in "abc"}
    assert len(set(moments.values())) == 3
    alike = VoteCounts({"aa": 1, "bb": 1, "cc": 1}, ("a", "b", "c"))
    assert len({alike.pair_moment(0, 1, label=label) for label in "abc"}) == 1


def test_eq_37_is_33d():
    assert same(PAIR["37"], PRINTED_33["33d"])
    assert derive("37").problems() == []


def test_eq_37_text_more_than_one_error_correlation_is_consistent():
    """ "Only one error correlation" fails: only P_a·Γ^a + P_b·Γ^b is fixed."""
    seen = {}
    for test in all_tests(2, 4):
        if 0 in test.key_counts.values():
            continue
        individual = tuple(value(v, test) for v in (Qa, RaOfA, RbOfB, Symbol("Raa2"), Symbol("Rbb2")))
        correlations = (value(Ga, test), value(Gb, test), value(Pa * Ga + Pb * Gb, test))
        seen.setdefault((test.observed(), individual), set()).add(correlations)
    assert any(len({(a, b) for a, b, _ in found}) > 1 for found in seen.values())
    assert all(len({fixed for _, _, fixed in found}) == 1 for found in seen.values())


# -- three judges: 38 to 48 -------------------------------------------------------------------------


def test_eq_38_the_frequencies_of_three_judges_sum_to_one():
    assert same(TRIO["38"], sum(f(p) for p in itertools.product("ab", repeat=3)), 1)
    assert derive("38").problems() == []


def test_eq_38_text_the_eight_postulates_are_quartic_and_have_eight_correlations():
    eight = [p for p in TRIO.rates if p.name.startswith("f(")]
    assert len(eight) == 8
    assert {p.polynomial.degree for p in eight} == {4}
    correlations = {n for p in eight for n in p.polynomial.variables() if n.startswith("G")}
    assert len(correlations) == 8
    parameters = {n for p in INDEPENDENT for n in p.polynomial.variables() if n[0] in "Pxy"}
    assert len(parameters) - 1 == 7  # P_b = 1 − P_a


def test_eq_39_is_the_quadratic_of_elimination():
    t, d12, d13, d23 = (Symbol(n) for n in ("T", "D12", "D13", "D23"))
    a = t**2 + 4 * d12 * d13 * d23
    assert same(SOLUTION["39"], a * Pa**2 - a * Pa + d12 * d13 * d23)
    assert derive("39").problems() == []


def test_eq_40_gives_the_prevalence_on_one_branch_only():
    """P_a = (1 − T/√A)/2 iff d_1·d_2·d_3 < 0; with s of the sign of d_1·d_2·d_3, P_a = (1 + T/s)/2."""
    root, t, s = Symbol("root"), Symbol("T"), Symbol("s")
    assert same(MISPRINTS["40"], 2 * Pa * root, root - t)
    assert isinstance(refute_misprint("40"), Refutation)
    assert same(SOLUTION["40"], 2 * Pa * s, s + t)
    assert derive("40").problems() == derive("s^2").problems() == []
    holds, postulates = set(), [p for p in INDEPENDENT if p.role is Role.HYPOTHESIS]
    for test in all_tests(3, 3):
        if all(p.residual(test) == 0 for p in postulates):
            sign = value(s, test)
            if not isinstance(sign, Undefined) and sign != 0:
                holds.add((sign < 0, MISPRINTS["40"].residual(test) == 0))
    assert (False, False) in holds
    assert (True, False) not in holds


def test_eq_40_bracket_is_the_third_central_moment():
    votes = VoteCounts(
        dict(
            zip(
                ["aaa", "aab", "aba", "abb", "baa", "bab", "bba", "bbb"],
                [181, 90, 86, 115, 86, 109, 100, 233],
                strict=True,
            )
        )
    )
    b = [votes.response_rate(judge, "b") for judge in range(3)]
    d12, d13, d23 = votes.pair_moment(0, 1), votes.pair_moment(0, 2), votes.pair_moment(1, 2)
    bracket = votes.frequency("bbb") - (b[0] * b[1] * b[2] + b[0] * d23 + b[1] * d13 + b[2] * d12)
    assert bracket == votes.trio_moment(0, 1, 2)
    assert Surd.sqrt(bracket**2 + 4 * d12 * d13 * d23) == Surd.sqrt("657031321/1000000000000")


PRINTED_41_TO_48 = {
    # 42 is printed with P^b_{b_1}β for P^b_{b_i}; perhaps by extraction
    "41": (f("aaa"), Pa * xi * xj * xk + (1 - Pa) * (1 - yi) * (1 - yj) * (1 - yk)),
    "42": (f("aab"), Pa * xi * xj * (1 - xk) + (1 - Pa) * (1 - yi) * (1 - yj) * yk),
    "43": (f("aba"), Pa * xi * (1 - xj) * xk + (1 - Pa) * (1 - yi) * yj * (1 - yk)),
    "44": (f("baa"), Pa * (1 - xi) * xj * xk + (1 - Pa) * yi * (1 - yj) * (1 - yk)),
    "45": (f("bba"), Pa * (1 - xi) * (1 - xj) * xk + (1 - Pa) * yi * yj * (1 - yk)),
    "46": (f("bab"), Pa * (1 - xi) * xj * (1 - xk) + (1 - Pa) * yi * (1 - yj) * yk),
    "47": (f("abb"), Pa * xi * (1 - xj) * (1 - xk) + (1 - Pa) * (1 - yi) * yj * yk),
    "48": (f("bbb"), Pa * (1 - xi) * (1 - xj) * (1 - xk) + (1 - Pa) * yi * yj * yk),
}


@pytest.mark.parametrize("name", PRINTED_41_TO_48)
def test_eq_41_to_48_are_the_independent_postulates(name):
    left, right = PRINTED_41_TO_48[name]
    printed = from_expression(left - right)
    assert INDEPENDENT[name].polynomial.substitute({"Pb": from_expression(1 - Pa)}) == printed


def test_eq_41_to_48_hold_also_where_correlations_cancel_between_the_labels():
    """Theorem 1 has no converse: P_a·Γ^a + P_b·Γ^b = 0 is enough for a pair."""
    key_a, key_b = VoteCounts({"aaa": 1, "bba": 1}), VoteCounts({"aba": 1, "baa": 1})
    test = LabeledVoteCounts({"a": key_a, "b": key_b})
    assert (value(Ga, test), value(Gb, test)) == (mpq(1, 4), mpq(-1, 4))
    assert all(INDEPENDENT[name].residual(test) == 0 for name in PRINTED_41_TO_48)


def test_eq_41_to_48_hold_where_all_correlations_vanish():
    for test in all_tests(3, 2):
        correlations = [
            value(Symbol(f"G{label}{subset}"), test) for label in "ab" for subset in ("12", "13", "23", "123")
        ]
        if all(c in (0, Undefined.NO_QUESTIONS) for c in correlations):
            assert all(INDEPENDENT[name].residual(test) == 0 for name in PRINTED_41_TO_48)


def test_complete_sets_of_any_size_contain_the_printed_ones():
    assert set(complete(1).names) <= set(SINGLE.names)
    assert set(complete(2).names) <= set(PAIR.names)
    assert complete(3) == TRIO
    assert all(p.space in Space for p in TRIO)
