"""The agreement equations, eqs. 19 to 32: how often two judges agree, and how often they err together."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ntqr_exact.algebra.notation import Quantity, accuracy, correlation, of_judges, prevalence
from ntqr_exact.algebra.polynomial import Polynomial, sum_of
from ntqr_exact.citation import Citation
from ntqr_exact.postulates.construction import definition_of, polynomial, product_of, two_labels
from ntqr_exact.postulates.pair import definition
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Role, Space, Status

PAIRS_OF_A_TRIO = ((0, 1), (0, 2), (1, 2))


def agreement(labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return what holds of the agreement a and the errors e of judges 1 and 2, independent or not.

    19 defines a_{1,2} and 29 defines e_i; 28 is 29 by the other label's name, 27 relates them, 30 gives
    e_{1,2} (with the correlations that the paper leaves out), and 32 is the exact defect of the product
    rule: e_{1,2} − e_1·e_2 = P_a·Γ^a + P_b·Γ^b + P_a·P_b(x_1−y_1)(x_2−y_2).
    """
    names = two_labels(labels)
    first, second = names
    together = polynomial(of_judges(Quantity.JOINT_ERROR, 0, 1))
    share = {label: polynomial(prevalence(label)) for label in names}
    gap = [polynomial(accuracy(first, judge)) - polynomial(accuracy(second, judge)) for judge in (0, 1)]
    correlated = sum_of(share[label] * polynomial(correlation(label, (0, 1))) for label in names)
    defect = correlated + share[first] * share[second] * gap[0] * gap[1]
    right = [sum_of(share[label] * polynomial(accuracy(label, judge)) for label in names) for judge in (0, 1)]
    return PostulateSet(
        [
            _agreement_definition(0, 1, names),
            _error_definition(0, names),
            _error_definition(1, names),
            _postulate("28", error(0) - (1 - right[0]), "eq. 28", Status.CORRECTED),
            _postulate("28(2)", error(1) - (1 - right[1]), "eq. 28", Status.CORRECTED),
            _agreement_equation(0, 1),
            _postulate(
                "30",
                together - key_definition(Quantity.JOINT_ERROR, names, 0, 1),
                "eq. 30",
                Status.CORRECTED,
                solved_for=of_judges(Quantity.JOINT_ERROR, 0, 1).name,
            ),
            _postulate("32", together - error(0) * error(1) - defect, "eq. 32", Status.DERIVED),
        ]
    )


def agreement_solution() -> PostulateSet:
    """Return the hypothesis e_ij = e_i·e_j for three judges, and the solution that follows from it.

    With it 2a_ij − 1 = (1−2e_i)(1−2e_j), so that c = (1−2e_1)(1−2e_2)(1−2e_3) has
    c² = Π(2a_ij − 1), where the paper's eq. 23 has Π(1 − a_ij), and eq. 22 is c = (2e_i − 1)(1 − 2a_jk).
    """
    product = polynomial(of_judges(Quantity.ERROR_PRODUCT))
    squares = product_of([2 * agree(i, j) - 1 for i, j in PAIRS_OF_A_TRIO])
    found = [
        _postulate(
            _named("21", pair, (0, 1)),
            polynomial(of_judges(Quantity.JOINT_ERROR, *pair)) - error(pair[0]) * error(pair[1]),
            "eqs. 21 and 31",
            role=Role.HYPOTHESIS,
            solved_for=of_judges(Quantity.JOINT_ERROR, *pair).name,
        )
        for pair in PAIRS_OF_A_TRIO
    ]
    found += [_agreement_equation(*pair) for pair in PAIRS_OF_A_TRIO]
    found.append(
        _postulate(
            "c defined",
            product - key_definition(Quantity.ERROR_PRODUCT, ("a", "b")),
            "eqs. 22 and 23",
            Status.DERIVED,
            role=Role.DEFINITION,
            solved_for=of_judges(Quantity.ERROR_PRODUCT).name,
        )
    )
    for judge in range(3):
        others = [other for other in range(3) if other != judge]
        claim = product - (2 * error(judge) - 1) * (1 - 2 * agree(*others))
        found.append(_postulate(_named("22", (judge,), (0,)), claim, "eq. 22", role=Role.HYPOTHESIS))
    found.append(_postulate("23", product**2 - squares, "eq. 23", Status.CORRECTED, role=Role.HYPOTHESIS))
    return PostulateSet(found)


def _agreement_definition(first: int, second: int, labels: Sequence[str]) -> Postulate:
    """Return a_{i,j} = f_{a_i,a_j} + f_{b_i,b_j}, eq. 19."""
    name = _named("19", (first, second), (0, 1))
    return definition(name, of_judges(Quantity.AGREEMENT, first, second), labels, "eq. 19")


def _error_definition(judge: int, labels: Sequence[str]) -> Postulate:
    """Return e_i = P_a(1 − P^a_{a_i}) + P_b(1 − P^b_{b_i}), eq. 29."""
    return _postulate(
        _named("29", (judge,), (0,)),
        error(judge) - key_definition(Quantity.ERROR, labels, judge),
        "eq. 29",
        role=Role.DEFINITION,
        solved_for=of_judges(Quantity.ERROR, judge).name,
    )


def _agreement_equation(first: int, second: int) -> Postulate:
    """Return a_{i,j} = 1 − e_i − e_j + 2e_{i,j}, eq. 27."""
    together = polynomial(of_judges(Quantity.JOINT_ERROR, first, second))
    return _postulate(
        _named("27", (first, second), (0, 1)),
        agree(first, second) - (1 - error(first) - error(second) + 2 * together),
        "eq. 27",
        solved_for=of_judges(Quantity.AGREEMENT, first, second).name,
    )


def error(judge: int) -> Polynomial:
    """Return e_i."""
    return polynomial(of_judges(Quantity.ERROR, judge))


def agree(first: int, second: int) -> Polynomial:
    """Return a_{i,j}."""
    return polynomial(of_judges(Quantity.AGREEMENT, *sorted((first, second))))


def key_definition(kind: Quantity, labels: Sequence[str], *judges: int) -> Polynomial:
    """Return what a quantity of the answer key is defined to be."""
    formula = definition_of(of_judges(kind, *judges), labels)
    return formula if formula is not None else Polynomial()


def pairs(judges: int) -> list[tuple[int, int]]:
    """Return the pairs of judges, in order."""
    return list(itertools.combinations(range(judges), 2))


def _named(number: str, judges: tuple[int, ...], usual: tuple[int, ...]) -> str:
    return number if judges == usual else f"{number}({','.join(str(judge + 1) for judge in judges)})"


def _postulate(
    name: str,
    form: Polynomial,
    place: str,
    status: Status = Status.PRINTED,
    *,
    role: Role = Role.POSTULATE,
    solved_for: str = "",
) -> Postulate:
    return Postulate(name, form, Space.RATES, Citation("ntqr", place), status, role, solved_for)
