"""The package `ntqr` of the paper's author: its axioms are ours, but for one trio polynomial of its own."""

import itertools
import warnings

import pytest

from ntqr_exact.algebra.notation import key_count, key_responses, responses
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.algebra.sympy_border import from_expression
from ntqr_exact.postulates import Space, complete, pair, single, trio
from ntqr_exact.postulates.refutations import Survived, refute

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
    names = {"pa": "prevalence_a", "pb": "prevalence_b", "deltaij": "pair_moment_1_2"}
    for i, number in JUDGES.items():
        for label in "ab":
            names[f"p{i}{label}"] = f"accuracy_{label}_{number}"
            names[f"f{label}{i}"] = f"frequency_{label}_{number}"
    for label in "ab":
        for subset in ("ij", "ik", "jk", "ijk"):
            numbers = "_".join(str(JUDGES[i]) for i in subset)
            names[f"g{subset}{label}"] = f"correlation_{label}_{numbers}"
    for judges in ("ij", "ijk"):
        for pattern in itertools.product("ab", repeat=len(judges)):
            theirs = "f" + "".join(label + i for label, i in zip(pattern, judges, strict=True))
            names[theirs] = "frequency_" + "_".join(
                f"{label}_{JUDGES[i]}" for label, i in zip(pattern, judges, strict=True)
            )
    renamed = {
        getattr(paxioms, theirs): Polynomial.variable(name).to_sympy() for theirs, name in names.items()
    }
    return from_expression(expression.xreplace(renamed))


def test_one_judge():
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
    p, x = Polynomial.variable("prevalence_a"), Polynomial.variable("accuracy_a_2")
    g12, g13 = Polynomial.variable("correlation_a_1_2"), Polynomial.variable("correlation_a_1_3")
    assert right[5].polynomial - theirs == p * x * (g12 - g13)


def test_a_test_of_two_questions_refutes_their_polynomial_of_bab_and_not_ours():
    right = trio()["f(b,a,b)"]
    assert isinstance(refute(right, largest=2), Survived)
    p, x = Polynomial.variable("prevalence_a"), Polynomial.variable("accuracy_a_2")
    g12, g13 = Polynomial.variable("correlation_a_1_2"), Polynomial.variable("correlation_a_1_3")
    defect = right.polynomial - p * x * (g12 - g13)
    wrong = type(right)("theirs", defect, right.space, right.citation)
    assert refute(wrong).test.size == 2


@pytest.mark.parametrize(("labels", "judges"), [("ab", 1), ("ab", 2), ("abc", 1), ("abc", 2), ("abcd", 1)])
def test_their_simplex_and_observable_axioms_in_responses_are_ours(labels, judges):
    names = tuple("ijk"[:judges])
    theirs = Labels(tuple(labels))
    keys, answers = AnswerKeyVariables(theirs).qs, ResponseVariables(theirs, names)
    renamed = {keys[label]: Polynomial.variable(key_count(label)).to_sympy() for label in labels}
    for pattern in itertools.product(labels, repeat=judges):
        given = dict(enumerate(pattern))
        renamed[answers.responses[pattern]] = Polynomial.variable(responses(given)).to_sympy()
        for label in labels:
            renamed[answers.label_responses[label][pattern]] = Polynomial.variable(
                key_responses(label, given)
            ).to_sympy()
    expressions = [*SimplexAxioms(theirs, names).axioms.values(), *ObservableAxioms(theirs, names).axioms]
    polynomials = complete(judges, tuple(labels), spaces=[Space.RESPONSES]).polynomials
    for expression in expressions:
        axiom = from_expression(expression.xreplace(renamed))
        assert axiom in polynomials or -axiom in polynomials
