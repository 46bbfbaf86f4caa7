"""`independent(n)`: judges whose errors are independent on every label, eqs. 41 to 48 and beyond."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ntqr_exact.algebra.notation import frequency, response_rate
from ntqr_exact.algebra.polynomial import sum_of
from ntqr_exact.citation import Citation
from ntqr_exact.postulates.complete import (
    MOST_JUDGES_IN_RATES,
    check_size,
    frequencies_sum_to_one,
    marginal_definition,
    pattern_name,
    prevalences_sum_to_one,
)
from ntqr_exact.postulates.construction import answers, expected_frequency, polynomial
from ntqr_exact.postulates.postulate import Postulate, PostulateSet, Role, Space, Status

_PRINTED = {3: ("41", "42", "43", "47", "44", "46", "45", "48")}
"""In the order of the patterns aaa, aab, aba, abb, baa, bab, bba, bbb, which is not the paper's."""


def independent(judges: int, labels: Sequence[str] = ("a", "b")) -> PostulateSet:
    """Return f_v = Σ_l P_l Π_m P^l_{v_m}: the complete postulates without the correlations.

    They are a hypothesis, not postulates: a test satisfies them if all its error correlations are 0, and
    otherwise only where these cancel between the labels, as in P_a·Γ^a + P_b·Γ^b = 0. With three or more
    labels the response rates are variables, with the postulates that they sum to 1.

    >>> print(independent(1).rates[1])
    f(a): −P_a·P^a_{a_1} + P_b·P^b_{b_1} − P_b + f_{a_1} = 0
    """
    count, names = check_size(judges, labels, most_judges=MOST_JUDGES_IN_RATES)
    found = [prevalences_sum_to_one(names)]
    for place, pattern in enumerate(itertools.product(names, repeat=count)):
        seen = frequency(answers(pattern))
        printed = _PRINTED if len(names) == 2 else {}
        name = pattern_name("f", pattern, printed, place)
        found.append(
            Postulate(
                name,
                polynomial(seen) - expected_frequency(answers(pattern), names, independent=True),
                Space.RATES,
                Citation("ntqr", f"eq. {name}" if count in printed else "appendix 7.1, eqs. 41 to 48"),
                Status.PRINTED if count in printed else Status.DERIVED,
                Role.HYPOTHESIS,
                seen.name,
            )
        )
    found.append(frequencies_sum_to_one(count, names))
    if count > 1:
        found += [
            marginal_definition({judge: label}, count, names) for judge in range(count) for label in names
        ]
    if len(names) > 2:
        found += [_rates_sum_to_one(label, judge, names) for judge in range(count) for label in names]
    return PostulateSet(found)


def _rates_sum_to_one(label: str, judge: int, labels: Sequence[str]) -> Postulate:
    return Postulate(
        f"P^{label}_{judge + 1}",
        sum_of(polynomial(response_rate(label, given, judge)) for given in labels) - 1,
        Space.RATES,
        Citation("ntqr", "section 3, the excluded middle"),
        Status.DERIVED,
        solved_for=response_rate(label, labels[-1], judge).name,
    )
