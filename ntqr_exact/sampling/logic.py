"""What a partial key leaves possible, however its questions were chosen: ranges that are certain and attained.

u_p questions of pattern p are not graded; each may have any true label, whatever the others have. K_l graded
questions have the label l. Every range below is attained by some answer key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import factorial, prod
from typing import Any

from gmpy2 import bincoef, mpq, mpz

from ntqr_exact.errors import BadKeyCounts
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.sampling.graded_votes import GradedVotes
from ntqr_exact.sampling.intervals import Interval
from ntqr_exact.sampling.value_range import ValueRange
from ntqr_exact.votes.counts import Judge


@dataclass(frozen=True, slots=True)
class KeyRanges:
    """The ranges of the key counts, and how many answer keys and splits by pattern are left.

    `keys` is R^U; `splits` is the product over patterns of C(u_p + R − 1, R − 1).
    """

    key_counts: tuple[tuple[str, Interval], ...]
    graded: tuple[int, ...]
    keys: int
    splits: int

    def keys_with(self, key_counts: Mapping[str, RationalLike]) -> int:
        """Return how many answer keys have these key counts: U! / Π (Q_l − K_l)!, or 0.

        >>> ranges = KeyRanges((("a", (1, 4)), ("b", (0, 3))), (1, 0), 8, 4)
        >>> ranges.keys_with({"a": 2, "b": 2}), ranges.keys_with({"a": 0, "b": 4})
        (3, 0)
        """
        if set(key_counts) != {label for label, _ in self.key_counts}:
            raise BadKeyCounts(dict(key_counts), "give a count for each label")
        open_counts = [
            whole_number(key_counts[label]) - known
            for (label, _), known in zip(self.key_counts, self.graded, strict=True)
        ]
        (_, (low, high)), *_ = self.key_counts
        if sum(open_counts) != high - low:
            raise BadKeyCounts(dict(key_counts), "key counts add up to the number of questions")
        if min(open_counts) < 0:
            return 0
        return factorial(high - low) // prod(map(factorial, open_counts))

    def to_document(self) -> dict[str, Any]:
        """Return the ranges as a JSON document."""
        return {
            "key_counts": {label: list(ends) for label, ends in self.key_counts},
            "keys": self.keys,
            "splits": self.splits,
        }


@dataclass(frozen=True, slots=True)
class JudgeRanges:
    """What is certain of one judge: right answers in all and by label, accuracies, κ with the truth."""

    judge: str
    right: Interval
    right_on: tuple[tuple[str, Interval], ...]
    accuracy_on: tuple[tuple[str, ValueRange], ...]
    kappa: ValueRange

    def to_document(self) -> dict[str, Any]:
        """Return the ranges as a JSON document."""
        return {
            "judge": self.judge,
            "right": list(self.right),
            "right_on": {label: list(ends) for label, ends in self.right_on},
            "accuracy_on": {label: ends.to_document() for label, ends in self.accuracy_on},
            "kappa": self.kappa.to_document(),
        }


@dataclass(frozen=True, slots=True)
class PairRanges:
    """What is certain of two judges: the lead in right answers, and the covariance of being right."""

    judges: tuple[str, str]
    difference: Interval
    covariance: ValueRange

    def to_document(self) -> dict[str, Any]:
        """Return the ranges as a JSON document."""
        return {
            "judges": list(self.judges),
            "difference": list(self.difference),
            "covariance": self.covariance.to_document(),
        }


def key_ranges(key: GradedVotes) -> KeyRanges:
    """Return the ranges of the key counts: Q_l from K_l to K_l + U."""
    left, labels = key.ungraded(), key.votes.labels
    known = key.graded.key_counts
    return KeyRanges(
        tuple((label, (known[label], known[label] + left.size)) for label in labels),
        tuple(known.values()),
        len(labels) ** left.size,
        int(
            prod((bincoef(u + len(labels) - 1, len(labels) - 1) for u in left.counts.values()), start=mpz(1))
        ),
    )


def judge_ranges(key: GradedVotes, judge: Judge) -> JudgeRanges:
    """Return the ranges of one judge.

    The accuracy on l is least if no ungraded question that the judge answered l has the label l, and all others
    have: r/(K_l + u_{i≠l}). It is greatest the other way round: (r + u_{i=l})/(K_l + u_{i=l}).
    """
    place = key.votes.place(judge)
    left = key.ungraded().responses(place)
    unknown = sum(left.values())
    known = key.graded.key_counts
    right = {label: votes.responses(place)[label] for label, votes in key.graded.by_label.items()}
    total = sum(right.values())
    return JudgeRanges(
        key.votes.judges[place],
        (total, total + unknown),
        tuple((label, (right[label], right[label] + left[label])) for label in right),
        tuple(
            (label, _accuracy(right[label], known[label], left[label], unknown - left[label]))
            for label in right
        ),
        _kappa_range(key.graded.confusion(place), left),
    )


def _accuracy(right: int, known: int, answered: int, other: int) -> ValueRange:
    missing = Undefined.NO_QUESTIONS
    if known + answered + other == 0:
        return ValueRange(missing, missing, missing)
    # Without graded questions of the label, and none answered otherwise, what has the label is right; and conversely.
    lower = mpq(right, known + other) if known + other else mpq(1)
    upper = mpq(right + answered, known + answered) if known + answered else mpq(0)
    return ValueRange(lower, upper, None if known else missing)


def pair_ranges(key: GradedVotes, first: Judge, second: Judge) -> PairRanges:
    """Return the ranges of two judges.

    On `a` questions they agree, and are both right on s of them; on `d` they differ, and each is right on some.
    Then Q²·Cov = Q·s − (s + d_i)(s + d_j). For each s the extremes of the product are where the right answers
    on the differing questions are shared evenly, or not at all.
    """
    i, j = key.votes.place(first), key.votes.place(second)
    left = key.ungraded().counts
    agreed = sum(count for pattern, count in left.items() if pattern[i] == pattern[j])
    differ = sum(left.values()) - agreed
    both = key.count(lambda p, label: p[i] == p[j] == label)
    only_i = key.count(lambda p, label: p[i] == label != p[j])
    only_j = key.count(lambda p, label: p[j] == label != p[i])
    lead = only_i - only_j
    names = (key.votes.judges[i], key.votes.judges[j])
    free = len(key.votes.labels) > 2
    covariance = _covariance(key.size, (both, both + agreed), (only_i, only_j), differ, free=free)
    return PairRanges(names, (lead - differ, lead + differ), covariance)


def _covariance(size: int, both: Interval, only: tuple[int, int], differ: int, *, free: bool) -> ValueRange:
    if size == 0:
        return ValueRange(Undefined.NO_QUESTIONS, Undefined.NO_QUESTIONS, Undefined.NO_QUESTIONS)
    # Of the ungraded differing questions e go to the first judge; with two labels the rest go to the second.
    even = min(max((differ + only[1] - only[0]) // 2, 0), differ)
    shared = [(only[0] + e, only[1] + differ - e) for e in (0, even, differ)]
    if free:
        shared.append(only)
    values = [size * s - (s + x) * (s + y) for s in range(both[0], both[1] + 1) for x, y in shared]
    return ValueRange(mpq(min(values), size**2), mpq(max(values), size**2))


def _kappa_range(graded: Mapping[str, Mapping[str, int]], left: Mapping[str, int]) -> ValueRange:
    """Return the range of Cohen's κ, given the graded answers by true label and how often each ungraded one was given.

    With W wrong answers and S = Σ_l a_l·q_l, where a_l counts the judge's answers and q_l the true labels, κ = 1 −
    Q·W/(Q² − S). The a_l are known. So W and S are linear in how the ungraded questions that the judge answered j are
    split over the true labels, and the extremes of the ratio are attained where all those with one answer have one
    true label. Dinkelbach's method finds them: for a ratio t, minimise W − t(Q² − S), answer by answer; a negative
    minimum gives a smaller ratio, and 0 proves that t is the least. κ has no value iff Q² = S: both use one label
    only.

    >>> _kappa_range({"a": {"a": 0, "b": 0}, "b": {"a": 0, "b": 0}}, {"a": 3, "b": 1})
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
