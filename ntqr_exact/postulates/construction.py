"""The general construction from which every postulate is made, and the definitions beside it.

On the questions of true label l, let r_m be the accuracy of judge m if it voted l, else 1 minus it, and
s_m = +1 or −1 accordingly. Then the share of a pattern v among all questions is

    f_v = Σ_l P_l Σ_S Π_{m∉S} r_m Π_{m∈S} s_m Γ^l_S,

where S runs over the empty set (Γ = 1) and all sets of two or more judges. It is the expansion of the
mean of Π_m (r_m + s_m·z_m), where z_m = (1 if judge m is right else 0) − accuracy has mean 0.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

from ntqr_exact.algebra.notation import (
    Quantity,
    Variable,
    accuracy,
    correlation,
    frequency,
    of_judges,
    prevalence,
    response_rate,
)
from ntqr_exact.algebra.polynomial import Polynomial, sum_of
from ntqr_exact.errors import BadVotes
from ntqr_exact.votes.names import Pattern, check_labels


def polynomial(variable: Variable) -> Polynomial:
    """Return a variable as a polynomial."""
    return Polynomial.variable(variable)


def _product_of(polynomials: Iterator[Polynomial] | Sequence[Polynomial]) -> Polynomial:
    """Return the product; that of none is 1."""
    return math.prod(polynomials, start=Polynomial.constant(1))


def two_labels(labels: Sequence[str]) -> tuple[str, str]:
    """Return the labels if they are two."""
    checked = check_labels(labels)
    if len(checked) != 2:
        rule = "with correlations, postulates in rates are for two labels"
        raise BadVotes(checked, rule, "those in responses, and independent ones, are for any number")
    return (checked[0], checked[1])


def answers(pattern: Pattern) -> dict[int, str]:
    """Return the answers of judges 0, 1, … in a pattern."""
    return dict(enumerate(pattern))


def _joint_rate(label: str, given: Mapping[int, str], *, independent: bool = False) -> Polynomial:
    """Return the share of the questions of a label, one of two, that the judges answer as given.

    >>> print(_joint_rate("a", {0: "a", 1: "b"}))
    −P^a_{a_1}·P^a_{a_2} + P^a_{a_1} − Γ^a_{1,2}
    """
    right = {judge: polynomial(accuracy(label, judge)) for judge in given}
    rates = {judge: right[judge] if answer == label else 1 - right[judge] for judge, answer in given.items()}

    def part(subset: tuple[int, ...]) -> Polynomial:
        """Return Π_{m∉S} r_m Π_{m∈S} s_m Γ_S of one set S of judges."""
        wrong = sum(given[judge] != label for judge in subset)
        factors = [rates[judge] for judge in given if judge not in subset]
        sign = -1 if wrong % 2 else 1
        return sign * _product_of([*([polynomial(correlation(label, subset))] if subset else []), *factors])

    sizes = [0] if independent else [0, *range(2, len(given) + 1)]
    return sum_of(part(subset) for size in sizes for subset in itertools.combinations(given, size))


def expected_frequency(
    given: Mapping[int, str], labels: Sequence[str], *, independent: bool = False
) -> Polynomial:
    """Return F_v = Σ_l P_l · (joint rate of v on l): what the frequency of the answers must be.

    With two labels a wrong answer is the other label. With more, only independent judges are meant, and
    each response rate is a variable.
    """
    if len(labels) != 2 and not independent:
        two_labels(labels)
    return sum_of(
        polynomial(prevalence(label))
        * (
            _joint_rate(label, given, independent=independent)
            if len(labels) == 2
            else _product_of(
                [polynomial(response_rate(label, answer, judge)) for judge, answer in given.items()]
            )
        )
        for label in labels
    )


def extensions(given: Mapping[int, str], judges: int, labels: Sequence[str]) -> Iterator[Pattern]:
    """Iterate over the patterns of all judges that agree with the answers given."""
    choices = [(given[judge],) if judge in given else tuple(labels) for judge in range(judges)]
    return itertools.product(*choices)


def definition_of(variable: Variable, labels: Sequence[str]) -> Polynomial | None:
    """Return what a quantity is defined to be, for two labels: in more basic ones of the key, or in frequencies.

    Δ_ij is eq. 34, T the bracket of eq. 40, a_ij eq. 19; the label b is the second one.

    >>> from ntqr_exact.algebra.notation import Quantity, of_judges
    >>> print(definition_of(of_judges(Quantity.INFORMEDNESS, 0), ("a", "b")))
    P^a_{a_1} + P^b_{b_1} − 1
    """
    if len(labels) != 2:
        return None
    judges = variable.judges

    def share(*some: int) -> Polynomial:
        return polynomial(frequency(dict.fromkeys(some, labels[-1])))

    def of(kind: Quantity, *some: int) -> Polynomial:
        return polynomial(of_judges(kind, *some))

    shares = [polynomial(prevalence(label)) for label in labels]
    found = None
    match variable.kind:
        case Quantity.INFORMEDNESS:
            found = sum_of(polynomial(accuracy(label, judges[0])) for label in labels) - 1
        case Quantity.ERROR | Quantity.JOINT_ERROR:
            wrong = zip(shares, labels, reversed(labels), strict=True)
            found = sum_of(p * _joint_rate(label, dict.fromkeys(judges, other)) for p, label, other in wrong)
        case Quantity.SIGNED_ROOT:
            found = _product_of([*shares, *(of(Quantity.INFORMEDNESS, judge) for judge in range(3))])
        case Quantity.ERROR_PRODUCT:
            found = _product_of([1 - 2 * of(Quantity.ERROR, judge) for judge in range(3)])
        case Quantity.PAIR_MOMENT:
            found = share(*judges) - _product_of([share(judge) for judge in judges])
        case Quantity.TRIO_MOMENT:
            mixed = [
                share(one) * of(Quantity.PAIR_MOMENT, *(other for other in judges if other != one))
                for one in judges
            ]
            found = share(*judges) - _product_of([share(judge) for judge in judges]) - sum_of(mixed)
        case Quantity.AGREEMENT:
            found = sum_of(polynomial(frequency(dict.fromkeys(judges, label))) for label in labels)
    return found
