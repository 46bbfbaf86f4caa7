"""Equations 26, 33, 37 and 41 to 48 of the NTQR paper, read a second time and apart from the ledger.

The printed form is written with sympy symbols and compared with the postulate that the library builds from
its general construction; definitions are counted by brute force; what is wrong is refuted by a test.
"""

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from sympy import Symbol, sympify

from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.postulates import (
    Role,
    Space,
    complete,
    independent,
    misprints,
    pair,
    single,
    trio,
)
from ntqr_exact.postulates.derivations import all_tests, derive, refute_misprint
from ntqr_exact.postulates.ideal import Ideal
from ntqr_exact.postulates.polynomial import read_formula
from ntqr_exact.postulates.postulate import residual
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

SINGLE = single()
PAIR = pair()
TRIO = trio()
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
RaOfA, RbOfA = Symbol("Raa1"), Symbol("Rab1")
RaOfB, RbOfB = Symbol("Rba1"), Symbol("Rbb1")


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


# -- two judges: 18 to 37 ---------------------------------------------------------------------------


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
