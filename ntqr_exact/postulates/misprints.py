"""The equations that do not hold as printed, in the form in which they are printed.

They are data for the ledger and for tests: `refutations` finds a test that each of them fails on. The right
form has the same name in `single`, `pair`, `agreement`, `agreement_solution` or `solution`.
"""

from __future__ import annotations

from ntqr_exact.algebra.notation import Quantity, accuracy, key_responses, of_judges, prevalence, responses
from ntqr_exact.algebra.polynomial import Polynomial, sum_of
from ntqr_exact.citation import Citation
from ntqr_exact.postulates.agreement import PAIRS_OF_A_TRIO, agree, error
from ntqr_exact.postulates.construction import joint_rate, polynomial, product_of
from ntqr_exact.postulates.pair import unexplained
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Role, Space
from ntqr_exact.postulates.single import excess


def misprints() -> PostulateSet:
    """Return the wrong forms: 16 in responses, 20, 23, 28, 30, 33e, 33f and 40.

    >>> print(misprints()["16R"])
    16R: R^a_{a_1} − R^b_{b_1} − R_{a_1} + R_{b_1} = 0
    """
    share = {label: polynomial(prevalence(label)) for label in "ab"}
    together = polynomial(of_judges(Quantity.JOINT_ERROR, 0, 1))
    right = {label: polynomial(key_responses(label, {0: label})) for label in "ab"}
    said = {label: polynomial(responses({0: label})) for label in "ab"}
    product = polynomial(of_judges(Quantity.ERROR_PRODUCT))
    both_wrong = sum_of(
        share[label] * joint_rate(label, dict.fromkeys((0, 1), other), independent=True)
        for label, other in ("ab", "ba")
    )
    x, y = accuracy("a", 0), accuracy("b", 1)
    root, trio_moment = of_judges(Quantity.DISCRIMINANT_ROOT), of_judges(Quantity.TRIO_MOMENT, 0, 1, 2)
    return PostulateSet(
        [
            _printed("16R", right["a"] - right["b"] - said["a"] + said["b"], "eq. 16, second line"),
            _printed("20", agree(0, 1) - (2 - error(0) - error(1) + 2 * together), "eq. 20"),
            _printed(
                "23",
                product**2 - product_of([1 - agree(i, j) for i, j in PAIRS_OF_A_TRIO]),
                "eq. 23",
                Role.HYPOTHESIS,
            ),
            _printed(
                "28",
                error(0) - (1 - share["a"] * polynomial(x) - share["b"] * polynomial(y)),
                "eq. 28, with b_j for b_i",
            ),
            _printed("30", together - both_wrong, "eq. 30, without Γ"),
            _printed("33e", _basis_with_interchanged_correlations(0), "eq. 33e"),
            _printed("33f", _basis_with_interchanged_correlations(1), "eq. 33f"),
            _printed(
                "40",
                polynomial(root) * (1 - 2 * share["a"]) - polynomial(trio_moment),
                "eq. 40, the branch",
                Role.HYPOTHESIS,
            ),
        ]
    )


def _basis_with_interchanged_correlations(judge: int) -> Polynomial:
    u, v = excess("a", judge), excess("b", judge)
    return excess("a", 0) * excess("b", 1) * (u + v) + u * unexplained("a") + v * unexplained("b")


def _printed(name: str, form: Polynomial, place: str, role: Role = Role.POSTULATE) -> Postulate:
    space = Space.RESPONSES if name == "16R" else Space.RATES
    return Postulate(name, form, space, Citation("ntqr", place), role=role)
