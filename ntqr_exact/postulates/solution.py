"""The solution for three independent judges, eqs. 39 and 40, as polynomials without any division.

Δ_ij = P_a·P_b·d_i·d_j and T = P_a·P_b(P_a − P_b)d_1·d_2·d_3, where d_i = x_i + y_i − 1. With
s = P_a·P_b·d_1·d_2·d_3 all that is wanted is linear in s, and s² = A = T² + 4·Δ_12·Δ_13·Δ_23:

    s(2P_a − 1) = T,   Δ_jk·d_i = s,   2Δ_jk(x_i − f_{a_i}) = s − T,   2Δ_jk(y_i − f_{b_i}) = s + T.

The sign of s is that of d_1·d_2·d_3, which the votes do not tell: the two roots of A are the two solutions.
"""

from __future__ import annotations

from collections.abc import Sequence

from ntqr_exact.algebra.notation import Quantity, of_judges, prevalence
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.citation import Citation
from ntqr_exact.postulates.agreement import PAIRS_OF_A_TRIO, key_definition
from ntqr_exact.postulates.construction import polynomial, product_of, two_labels
from ntqr_exact.postulates.pair import definition, moment_definition
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Role, Space, Status
from ntqr_exact.postulates.single import excess

OTHERS = {0: (1, 2), 1: (0, 2), 2: (0, 1)}
"""The two other judges of a trio."""


def solution(labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return definitions of Δ, T, d and s, the moments of independent judges, eq. 39 and all closed forms.

    >>> print(solution()["40"])
    40: 2·P_a·s − s − T = 0
    """
    names = two_labels(labels)
    return PostulateSet([*definitions(names), *_moments(names), *_closed_forms(names)])


def definitions(labels: Sequence[str]) -> list[Postulate]:
    """Return T, the three Δ, the three d and s, each after those that it is defined by."""
    root = of_judges(Quantity.SIGNED_ROOT)
    return [
        *(moment_definition(*pair, labels) for pair in PAIRS_OF_A_TRIO),
        definition(
            "T defined",
            of_judges(Quantity.TRIO_MOMENT, 0, 1, 2),
            labels,
            "eq. 40, the bracket",
            Status.DERIVED,
        ),
        *(
            _form(
                f"d_{judge + 1} defined",
                informedness(judge) - key_definition(Quantity.INFORMEDNESS, labels, judge),
                role=Role.DEFINITION,
                solved_for=of_judges(Quantity.INFORMEDNESS, judge).name,
            )
            for judge in range(3)
        ),
        _form(
            "s defined",
            polynomial(root) - key_definition(Quantity.SIGNED_ROOT, labels),
            role=Role.DEFINITION,
            solved_for=root.name,
        ),
    ]


def informedness(judge: int) -> Polynomial:
    """Return d_i."""
    return polynomial(of_judges(Quantity.INFORMEDNESS, judge))


def moment(first: int, second: int) -> Polynomial:
    """Return Δ_ij."""
    return polynomial(of_judges(Quantity.PAIR_MOMENT, first, second))


def discriminant() -> Polynomial:
    """Return A = T² + 4·Δ_12·Δ_13·Δ_23."""
    return polynomial(of_judges(Quantity.TRIO_MOMENT, 0, 1, 2)) ** 2 + 4 * moment_product()


def moment_product() -> Polynomial:
    """Return Π = Δ_12·Δ_13·Δ_23."""
    return product_of([moment(*pair) for pair in PAIRS_OF_A_TRIO])


def _moments(labels: Sequence[str]) -> list[Postulate]:
    """Return the two moments of a mixture of two kinds of questions, in the parameters."""
    first, second = (polynomial(prevalence(label)) for label in labels)
    trio_moment = of_judges(Quantity.TRIO_MOMENT, 0, 1, 2)
    found = [
        _form(
            f"Delta_{i + 1}{j + 1}",
            moment(i, j) - first * second * informedness(i) * informedness(j),
            solved_for=of_judges(Quantity.PAIR_MOMENT, i, j).name,
        )
        for i, j in PAIRS_OF_A_TRIO
    ]
    product = product_of([informedness(judge) for judge in range(3)])
    third = first * second * (first - second) * product
    return [*found, _form("T", polynomial(trio_moment) - third, solved_for=trio_moment.name)]


def _closed_forms(labels: Sequence[str]) -> list[Postulate]:
    first, second = labels
    share, root = polynomial(prevalence(first)), polynomial(of_judges(Quantity.SIGNED_ROOT))
    trio_moment = polynomial(of_judges(Quantity.TRIO_MOMENT, 0, 1, 2))
    quadratic = discriminant() * (share**2 - share) + moment_product()
    found = [
        _form("39", quadratic, "eq. 39"),
        _form("s^2", root**2 - discriminant(), "eq. 40"),
        _form("40", root * (2 * share - 1) - trio_moment, "eq. 40", Status.CORRECTED),
    ]
    for judge, others in OTHERS.items():
        twice = 2 * moment(*others)
        found += [
            _form(f"d_{judge + 1}", moment(*others) * informedness(judge) - root),
            _form(f"x_{judge + 1}", twice * excess(first, judge) - (root - trio_moment)),
            _form(f"y_{judge + 1}", twice * excess(second, judge) - (root + trio_moment)),
        ]
    return found


def _form(
    name: str,
    form: Polynomial,
    place: str = "section 5",
    status: Status = Status.DERIVED,
    *,
    role: Role = Role.HYPOTHESIS,
    solved_for: str = "",
) -> Postulate:
    return Postulate(name, form, Space.RATES, Citation("ntqr", place), status, role, solved_for)
