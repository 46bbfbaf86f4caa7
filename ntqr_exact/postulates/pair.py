"""`pair()`: two judges between two labels, eqs. 18, 26, 33 to 35 and 37."""

from __future__ import annotations

from collections.abc import Sequence

from ntqr_exact.algebra.notation import Quantity, Variable, correlation, frequency, of_judges, prevalence
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes
from ntqr_exact.postulates.complete import complete
from ntqr_exact.postulates.construction import observed_definition, polynomial, two_labels
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Role, Space, Status
from ntqr_exact.postulates.single import excess, individual_postulate


def pair(labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return the complete postulates of two judges, the moment Δ, and the basis of the paper.

    The basis disentangles the judges: 33a to 33c hold no correlation; 33d, which is also 37, fixes
    P_a·Γ^a + P_b·Γ^b given both individual evaluations. In 33e and 33f the paper has Γ^a and Γ^b
    interchanged; see `misprints`.
    """
    names = two_labels(labels)
    return complete(2, names) + PostulateSet([moment_definition(0, 1, names), _eq_35(names)]) + basis(names)


def basis(labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return eqs. 33a to 33f, and 37, which is 33d again."""
    first, second = names = two_labels(labels)
    x, y = (excess(first, 0), excess(first, 1)), (excess(second, 0), excess(second, 1))
    share = {label: polynomial(prevalence(label)) for label in names}
    rest = {label: unexplained(label) for label in names}
    eq_33d = x[0] * y[1] + share[first] * rest[first] + share[second] * rest[second]

    def eq_33ef(judge: int) -> Polynomial:
        return x[0] * y[1] * (x[judge] + y[judge]) + y[judge] * rest[first] + x[judge] * rest[second]

    forms = {
        "33a": individual_postulate(0, names),
        "33b": individual_postulate(1, names),
        "33c": x[0] * y[1] - y[0] * x[1],
        "33d": eq_33d,
        "33e": eq_33ef(0),
        "33f": eq_33ef(1),
        "37": eq_33d,
    }
    return PostulateSet(
        Postulate(
            name,
            form,
            Space.RATES,
            Citation("ntqr", f"eq. {name}"),
            Status.CORRECTED if name in ("33e", "33f") else Status.PRINTED,
        )
        for name, form in forms.items()
    )


def unexplained(label: str) -> Polynomial:
    """Return Γ^l_{1,2} − Δ_{1,2}."""
    return polynomial(correlation(label, (0, 1))) - polynomial(of_judges(Quantity.PAIR_MOMENT, 0, 1))


def moment_definition(first: int, second: int, labels: Sequence[str]) -> Postulate:
    """Return Δ_{i,j} = f_{b_i,b_j} − f_{b_i}·f_{b_j}, eq. 34."""
    name = "34" if (first, second) == (0, 1) else f"34({first + 1},{second + 1})"
    return definition(name, of_judges(Quantity.PAIR_MOMENT, first, second), labels, "eq. 34")


def definition(
    name: str, variable: Variable, labels: Sequence[str], place: str, status: Status = Status.PRINTED
) -> Postulate:
    """Return the definition of a quantity of the votes as a postulate."""
    formula = observed_definition(variable, labels)
    if formula is None:
        raise BadVotes(variable.symbol, "this quantity has no definition in frequencies for two labels")
    return Postulate(
        name,
        polynomial(variable) - formula,
        Space.RATES,
        Citation("ntqr", place),
        status,
        Role.DEFINITION,
        variable.name,
    )


def _eq_35(labels: Sequence[str]) -> Postulate:
    first = labels[0]
    moment = of_judges(Quantity.PAIR_MOMENT, 0, 1)
    both = polynomial(frequency({0: first, 1: first}))
    product = polynomial(frequency({0: first})) * polynomial(frequency({1: first}))
    return Postulate("35", polynomial(moment) - (both - product), Space.RATES, Citation("ntqr", "eq. 35"))
