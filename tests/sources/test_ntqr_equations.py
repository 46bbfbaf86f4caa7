"""Equations 26, 33, 37 and 41 to 48 of the NTQR paper on tests that are counted through, apart from the ledger."""

from dataclasses import replace

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.postulates import Role, complete, independent, misprints, pair, single, trio
from ntqr_exact.postulates.derivations import Ideal, all_tests
from ntqr_exact.postulates.polynomial import read_formula
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

PAIR, INDEPENDENT = pair(), independent(3)
EIGHT = [str(number) for number in range(41, 49)]


def value(text, test):
    return replace(PAIR["26a"], text=text).residual(test)


def random_tests(judges):
    rows = st.lists(st.tuples(*[st.sampled_from("ab")] * (judges + 1)), min_size=1, max_size=12)

    def build(questions):
        counts = {label: {} for label in "ab"}
        for label, *pattern in questions:
            counts[label][tuple(pattern)] = counts[label].get(tuple(pattern), 0) + 1
        names = [f"J{m}" for m in range(1, judges + 1)]
        return LabeledVoteCounts({t: VoteCounts(counts[t], tuple("ab"), names) for t in "ab"})

    return rows.map(build)


@given(random_tests(2))
def test_eq_26_hold_for_every_test(test):
    assert all(PAIR[name].residual(test) == 0 for name in ("26a", "26b", "26c", "26d"))


def in_patterns(polynomial):
    """Put the definitions of Δ and of single frequencies in their place."""
    definitions = {p.solved_for: p for p in PAIR.rates if p.role is Role.DEFINITION}
    for name in ("D12", "fa1", "fb1", "fa2", "fb2"):
        formula = read_formula(name).polynomial() - definitions[name].polynomial
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
        assert not of_26.contains(in_patterns(misprints()[name].polynomial))


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


def test_eq_37_text_more_than_one_error_correlation_is_consistent():
    """ "Only one error correlation" fails: only P_a·Γ^a + P_b·Γ^b is fixed."""
    seen = {}
    for test in all_tests(2, 4):
        if 0 in test.key_counts.values():
            continue
        individual = tuple(value(name, test) for name in ("Qa", "Raa1", "Rbb1", "Raa2", "Rbb2"))
        correlations = tuple(value(text, test) for text in ("Ga12", "Gb12", "Pa*Ga12 + Pb*Gb12"))
        seen.setdefault((test.observed(), individual), set()).add(correlations)
    assert any(len({(a, b) for a, b, _ in found}) > 1 for found in seen.values())
    assert all(len({fixed for _, _, fixed in found}) == 1 for found in seen.values())


def test_eq_41_to_48_hold_also_where_correlations_cancel_between_the_labels():
    """Theorem 1 has no converse: P_a·Γ^a + P_b·Γ^b = 0 is enough for a pair."""
    key_a, key_b = VoteCounts({"aaa": 1, "bba": 1}), VoteCounts({"aba": 1, "baa": 1})
    test = LabeledVoteCounts({"a": key_a, "b": key_b})
    assert (value("Ga12", test), value("Gb12", test)) == (mpq(1, 4), mpq(-1, 4))
    assert all(INDEPENDENT[name].residual(test) == 0 for name in EIGHT)


def test_eq_41_to_48_hold_where_all_correlations_vanish():
    names = [f"G{label}{subset}" for label in "ab" for subset in ("12", "13", "23", "123")]
    for test in all_tests(3, 2):
        if all(value(name, test) in (0, Undefined.NO_QUESTIONS) for name in names):
            assert all(INDEPENDENT[name].residual(test) == 0 for name in EIGHT)


def test_complete_sets_of_any_size_contain_the_printed_ones():
    assert set(complete(1).names) <= set(single().names)
    assert set(complete(2).names) <= set(PAIR.names)
    assert complete(3) == trio()
