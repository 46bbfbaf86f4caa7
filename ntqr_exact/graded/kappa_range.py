"""Cohen's κ of a judge with the truth: its value, and its range when part of the truth is unknown.

With W wrong answers and S = Σ_l a_l·q_l, where a_l counts the judge's answers and q_l the true labels,
κ = 1 − Q·W/(Q² − S). The a_l are known. So W and S are linear in how the ungraded questions that the judge answered j
are split over the true labels, and the extremes of the ratio are attained where all those with one answer have one
true label. Dinkelbach's method finds them: for a ratio t, minimise W − t(Q² − S), answer by answer; a negative minimum
gives a smaller ratio, and 0 proves that t is the least. κ has no value iff Q² = S: both use one label only.
"""

from __future__ import annotations

from collections.abc import Mapping

from gmpy2 import mpq

from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.graded.value_range import ValueRange

Counts = Mapping[str, Mapping[str, int]]
"""How often each answer was given, by true label."""


def kappa_range(graded: Counts, left: Mapping[str, int]) -> ValueRange:
    """Return the range of κ, given the graded answers by true label and how often each ungraded one was given.

    >>> kappa_range({"a": {"a": 0, "b": 0}, "b": {"a": 0, "b": 0}}, {"a": 3, "b": 1})
    ValueRange(lower=mpq(-3,5), upper=mpq(1,1), undefined=None)
    """
    size = sum(sum(row.values()) for row in graded.values()) + sum(left.values())
    answers = {given: left[given] + sum(row[given] for row in graded.values()) for given in left}

    def parts(truth: Mapping[str, str]) -> tuple[int, int]:
        """Return W and Q² − S if all ungraded questions with an answer have one true label."""
        wrong = sum(count for label, row in graded.items() for given, count in row.items() if given != label)
        wrong += sum(count for given, count in left.items() if truth[given] != given)
        key = {label: sum(row.values()) for label, row in graded.items()}
        for given, count in left.items():
            key[truth[given]] += count
        return wrong, size**2 - sum(answers[label] * key[label] for label in key)

    def extreme(ratio: mpq, sign: int) -> mpq:
        while True:
            truth = {
                given: min(left, key=lambda label: sign * ((label != given) + ratio * answers[label]))
                for given in left
            }
            wrong, below = parts(truth)
            if sign * (wrong - ratio * below) >= 0:
                return ratio
            ratio = mpq(wrong, below)

    # κ has no value iff the judge knows one label and the truth may know the same one: the all-equal truths tell.
    starts = [parts(dict.fromkeys(left, label)) for label in left]
    ratios = [mpq(wrong, below) for wrong, below in starts if below]
    reason = Undefined.ONE_LABEL if len(ratios) < len(starts) else None
    if not ratios:
        return ValueRange(Undefined.ONE_LABEL, Undefined.ONE_LABEL, reason)
    return ValueRange(1 - size * extreme(ratios[0], -1), 1 - size * extreme(ratios[0], 1), reason)
