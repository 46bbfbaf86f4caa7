"""`single()`: one judge between two labels, eqs. 1 to 16."""

from __future__ import annotations

from collections.abc import Sequence

from ntqr_exact.algebra.notation import accuracy, frequency, key_count, key_responses, prevalence, responses
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.citation import Citation
from ntqr_exact.postulates.complete import complete
from ntqr_exact.postulates.construction import polynomial, two_labels
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Space, Status


def single(labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return the complete postulates of one judge, and the one postulate that they amount to.

    >>> print(single().responses["16R"])
    16R: Q_b + R^a_{a_1} − R^b_{b_1} − R_{a_1} = 0
    """
    first, second = two_labels(labels)
    in_rates = Postulate(
        "16", individual_postulate(0, (first, second)), Space.RATES, Citation("ntqr", "eq. 16")
    )
    right = {label: polynomial(key_responses(label, {0: label})) for label in (first, second)}
    in_responses = Postulate(
        "16R",
        right[first] - right[second] - polynomial(responses({0: first})) + polynomial(key_count(second)),
        Space.RESPONSES,
        Citation("ntqr", "eq. 16, second line"),
        Status.CORRECTED,
    )
    return complete(1, (first, second)) + PostulateSet([in_responses, in_rates])


def excess(label: str, judge: int) -> Polynomial:
    """Return u_i = P^a_{a_i} − f_{a_i}: how far the accuracy exceeds the share of such answers."""
    return polynomial(accuracy(label, judge)) - polynomial(frequency({judge: label}))


def individual_postulate(judge: int, labels: Sequence[str]) -> Polynomial:
    """Return P_a(P^a_{a_i} − f_{a_i}) − P_b(P^b_{b_i} − f_{b_i}), eqs. 16, 33a and 33b."""
    first, second = labels
    return polynomial(prevalence(first)) * excess(first, judge) - polynomial(prevalence(second)) * excess(
        second, judge
    )
