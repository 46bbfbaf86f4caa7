"""The package `ntqr` of the paper's author: its axioms are ours, but for one trio polynomial of its own."""

import itertools
import warnings

import pytest

from ntqr_exact.postulates import Space, complete, pair, single, trio
from ntqr_exact.postulates.derivations import refute
from ntqr_exact.postulates.notation import name_of
from ntqr_exact.postulates.polynomial import read_formula

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pytest.importorskip("ntqr", reason="the peer package ntqr is not installed")
    paxioms = pytest.importorskip("ntqr.r2.paxioms")
    from ntqr import Labels
    from ntqr.raxioms import ObservableAxioms, SimplexAxioms
    from ntqr.statistics import AnswerKeyVariables, ResponseVariables

JUDGES = {"i": 1, "j": 2, "k": 3}


def ours(expression):
    """Rename the symbols of `ntqr` in rates to ours."""
    names = {"pa": "Pa", "pb": "Pb", "deltaij": "D12"}
    for i, number in JUDGES.items():
        for label in "ab":
            names[f"p{i}{label}"] = f"{'xy'['ab'.index(label)]}{number}"
            names[f"f{label}{i}"] = f"f{label}{number}"
    for label in "ab":
        for subset in ("ij", "ik", "jk", "ijk"):
            numbers = "".join(str(JUDGES[i]) for i in subset)
            names[f"g{subset}{label}"] = f"G{label}{numbers}"
    for judges in ("ij", "ijk"):
        for pattern in itertools.product("ab", repeat=len(judges)):
            theirs = "f" + "".join(label + i for label, i in zip(pattern, judges, strict=True))
            names[theirs] = "f" + "".join(
                f"{label}{JUDGES[i]}" for label, i in zip(pattern, judges, strict=True)
            )
    renamed = {getattr(paxioms, theirs): read_formula(name).to_sympy() for theirs, name in names.items()}
    return read_formula(str(expression.xreplace(renamed)))


def test_their_axioms_of_one_judge_are_ours():
    axioms = [ours(axiom) for axiom in paxioms.single_binary_classifier_generating_set]
    assert [-axiom for axiom in axioms] == [single()[name].polynomial for name in ("14", "15")]
    assert ours(paxioms.single_binary_classifier_axiom) == single()["16"].polynomial


def test_two_judges_and_the_basis_with_the_right_33e_and_33f():
    axioms = [-ours(axiom) for axiom in paxioms.pair_binary_classifiers_generating_set]
    assert axioms == [pair()[name].polynomial for name in ("26a", "26b", "26c", "26d")]
    basis = [ours(axiom) for axiom in paxioms.pair_binary_classifiers_axioms]
    assert basis == [pair()[name].polynomial for name in ("33c", "33e", "33f")]


def test_seven_of_their_eight_trio_polynomials_are_ours_and_the_one_of_bab_is_wrong():
    """For b, a, b they have P^a_{a_j}·Γ^a_{ij} where P^a_{a_j}·Γ^a_{ik} belongs."""
    axioms = [-ours(axiom) for axiom in paxioms.trio_binary_classifiers_generating_set]
    right = [postulate for postulate in trio().rates if postulate.name.startswith("f(")]
    agree = [postulate.polynomial in axioms for postulate in right]
    assert agree == [True] * 5 + [False] + [True] * 2
    assert right[5].name == "f(b,a,b)"
    theirs = axioms[5]
    p, x = read_formula("Pa"), read_formula("x2")
    g12, g13 = read_formula("Ga12"), read_formula("Ga13")
    assert right[5].polynomial - theirs == p * x * (g12 - g13)


def test_a_test_of_two_questions_refutes_their_polynomial_of_bab_and_not_ours():
    right = trio()["f(b,a,b)"]
    assert refute(right, largest=2) is None
    p, x = read_formula("Pa"), read_formula("x2")
    g12, g13 = read_formula("Ga12"), read_formula("Ga13")
    defect = right.polynomial - p * x * (g12 - g13)
    wrong = type(right)("theirs", defect.text(), right.space, right.citation)
    assert refute(wrong).test.size == 2


@pytest.mark.parametrize(("labels", "judges"), [("ab", 1), ("ab", 2), ("abc", 1), ("abc", 2), ("abcd", 1)])
def test_their_simplex_and_observable_axioms_in_responses_are_ours(labels, judges):
    names = tuple("ijk"[:judges])
    theirs = Labels(tuple(labels))
    keys, answers = AnswerKeyVariables(theirs).qs, ResponseVariables(theirs, names)
    renamed = {keys[label]: read_formula(f"Q{label}").to_sympy() for label in labels}
    for pattern in itertools.product(labels, repeat=judges):
        given = dict(enumerate(pattern))
        renamed[answers.responses[pattern]] = read_formula(name_of("R", given)).to_sympy()
        for label in labels:
            renamed[answers.label_responses[label][pattern]] = read_formula(
                name_of(f"R{label}", given)
            ).to_sympy()
    expressions = [*SimplexAxioms(theirs, names).axioms.values(), *ObservableAxioms(theirs, names).axioms]
    polynomials = [each.polynomial for each in complete(judges, tuple(labels), spaces=[Space.RESPONSES])]
    for expression in expressions:
        axiom = read_formula(str(expression.xreplace(renamed)))
        assert axiom in polynomials or -axiom in polynomials
