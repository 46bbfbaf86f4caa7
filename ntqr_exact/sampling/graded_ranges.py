"""What some graded questions leave possible, however they were chosen: ranges that some answer key attains.

u_p questions of pattern p are not graded; each may have any true label, whatever the others have. K_l graded questions
have the label l. A judge is judged on the questions that it answered, two judges on those that both answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

from gmpy2 import bincoef, mpq, mpz

from ntqr_exact.exact.json_text import encode_number
from ntqr_exact.exact.show import with_decimal
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.sampling.intervals import Interval
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The least and the greatest value, both attained, and why there may be none.

    `lower` and `upper` are `Undefined` where there is no value at all; `undefined` is the reason for which
    some truths leave the number without a value, or `None` if all of them give it one.
    """

    lower: mpq | Undefined
    upper: mpq | Undefined
    undefined: Undefined | None = None

    def to_document(self) -> dict[str, Any]:
        """Return the range as a JSON document; what has no value is null."""
        ends = [
            None if isinstance(end, Undefined) else encode_number(end) for end in (self.lower, self.upper)
        ]
        reason = None if self.undefined is None else self.undefined.value
        return {"lower": ends[0], "upper": ends[1], "undefined": reason}

    def __str__(self) -> str:
        if isinstance(self.lower, Undefined):
            return f"no value: {self.lower.value}"
        text = f"{with_decimal(self.lower)} to {with_decimal(self.upper)}"
        return text if self.undefined is None else f"{text} (or no value: {self.undefined.value})"


def _no_value(reason: Undefined) -> ValueRange:
    return ValueRange(reason, reason, reason)


@dataclass(frozen=True, slots=True)
class KeyRanges:
    """The ranges of the key counts, R^U answer keys that are left, and Π_p C(u_p + R − 1, R − 1) splits by pattern."""

    key_counts: FrozenMapping[str, Interval]
    keys: int
    splits: int


@dataclass(frozen=True, slots=True)
class JudgeRanges:
    """What is certain of one judge: right answers in all and by label, accuracies, κ with the truth."""

    judge: str
    right: Interval
    right_on: FrozenMapping[str, Interval]
    accuracy_on: FrozenMapping[str, ValueRange]
    kappa: ValueRange


@dataclass(frozen=True, slots=True)
class PairRanges:
    """What is certain of two judges: the lead in right answers, and the covariance of being right."""

    judges: tuple[str, str]
    difference: Interval
    covariance: ValueRange


def differ_on(pattern: Pattern, i: int, j: int) -> bool:
    """Return whether two judges answered differently; a gap is not an answer."""
    return pattern[i] is not None and pattern[j] is not None and pattern[i] != pattern[j]


def key_ranges(graded: LabeledVoteCounts, left: VoteCounts) -> KeyRanges:
    """Return the ranges of the key counts: Q_l from K_l to K_l + U."""
    others = len(left.labels) - 1
    splits = prod((bincoef(count + others, others) for count in left.counts.values()), start=mpz(1))
    ranges = {label: (count, count + left.size) for label, count in graded.key_counts.items()}
    return KeyRanges(FrozenMapping(ranges), len(left.labels) ** left.size, int(splits))


def judge_ranges(graded: LabeledVoteCounts, left: VoteCounts, judge: Judge) -> JudgeRanges:
    """Return the ranges of one judge."""
    open_, rows = left.responses(judge), graded.confusion(judge)
    unknown, total = sum(open_.values()), sum(row[label] for label, row in rows.items())
    boxes = {
        given: {label: (row[given], row[given] + open_[given]) for label, row in rows.items()}
        for given in open_
    }
    answers = {given: open_[given] + sum(row[given] for row in rows.values()) for given in open_}
    accuracies = {
        label: _accuracy(row[label], sum(row.values()), open_[label], unknown - open_[label])
        for label, row in rows.items()
    }
    return JudgeRanges(
        left.judges[left.place(judge)],
        (total, total + unknown),
        FrozenMapping({label: boxes[label][label] for label in rows}),
        FrozenMapping(accuracies),
        kappa_range(boxes, answers),
    )


def _accuracy(right: int, known: int, answered: int, other: int) -> ValueRange:
    """Return the range of the accuracy on l.

    It is least if no ungraded question that the judge answered l has the label l, and all others have: r/(K_l +
    u_{i≠l}). It is greatest the other way round: (r + u_{i=l})/(K_l + u_{i=l}). Without graded questions of the label,
    and none answered otherwise, what has the label is right; and conversely.
    """
    if known + answered + other == 0:
        return _no_value(Undefined.NO_QUESTIONS)
    lower = mpq(right, known + other) if known + other else mpq(1)
    upper = mpq(right + answered, known + answered) if known + answered else mpq(0)
    return ValueRange(lower, upper, None if known else Undefined.NO_QUESTIONS)


def pair_ranges(graded: LabeledVoteCounts, left: VoteCounts, first: Judge, second: Judge) -> PairRanges:
    """Return the ranges of two judges.

    On s questions both are right, on e_i and e_j just one of them: Q²·Cov = Q·s − (s + e_i)(s + e_j). For each s the
    extremes of the product are where the right answers on the differing questions are shared evenly, or not at all.
    """
    i, j = left.place(first), left.place(second)
    open_ = left.common(i, j)
    cells = [
        (pattern, count, label)
        for label, votes in graded.by_label.items()
        for pattern, count in votes.common(i, j).counts.items()
    ]
    both = sum(n for p, n, label in cells if p[0] == p[1] == label)
    only = tuple(sum(n for p, n, label in cells if p[one] == label != p[1 - one]) for one in (0, 1))
    agreed = sum(open_.counts[label, label] for label in left.labels)
    differ, lead = open_.size - agreed, only[0] - only[1]
    # Of the ungraded differing questions e go to the first judge; with two labels the rest go to the second.
    even = min(max((differ - lead) // 2, 0), differ)
    shared = [(only[0] + e, only[1] + differ - e) for e in (0, even, differ)]
    shared += [(only[0], only[1])] if len(left.labels) > 2 else []
    size = open_.size + sum(n for _, n, _ in cells)
    covariance = _no_value(Undefined.NO_QUESTIONS)
    if size:
        values = [size * s - (s + x) * (s + y) for s in range(both, both + agreed + 1) for x, y in shared]
        covariance = ValueRange(mpq(min(values), size**2), mpq(max(values), size**2))
    return PairRanges((left.judges[i], left.judges[j]), (lead - differ, lead + differ), covariance)


def kappa_range(boxes: Mapping[str, Mapping[str, Interval]], answers: Mapping[str, int]) -> ValueRange:
    """Return the range of Cohen's κ over all true labels in boxes.

    `answers[j]` questions were answered j; those of them with the true label l are from low to high, `boxes[j][l]`.
    With W wrong answers and S = Σ_l a_l·q_l, where a_l counts the answers and q_l the true labels, κ = 1 − Q·W/(Q² −
    S). W and S are linear in the numbers in the boxes. Dinkelbach's method finds the extremes of the ratio: for a ratio
    t, minimise W − t(Q² − S), answer by answer, the cheapest labels first; a negative minimum gives a smaller ratio,
    and 0 proves that t is the least. κ has no value iff Q² = S: both use one label only.

    >>> free = {"a": {"a": (0, 3), "b": (0, 3)}, "b": {"a": (0, 1), "b": (0, 1)}}
    >>> kappa_range(free, {"a": 3, "b": 1})
    ValueRange(lower=mpq(-3,5), upper=mpq(1,1), undefined=None)
    """
    size = sum(answers.values())

    def parts(cost: Callable[[str, str], mpq]) -> tuple[int, int]:
        """Return W and Q² − S for the cheapest true labels."""
        wrong, below = 0, size**2
        for given, total in answers.items():
            left = total - sum(low for low, _ in boxes[given].values())
            for label in sorted(boxes[given], key=partial(cost, given)):
                low, high = boxes[given][label]
                more = min(left, high - low)
                left -= more
                wrong += low + more if label != given else 0
                below -= answers[label] * (low + more)
        return wrong, below

    def weighed(ratio: mpq, sign: int, given: str, label: str) -> mpq:
        return sign * ((label != given) + ratio * answers[label])

    def extreme(ratio: mpq, sign: int) -> mpq:
        while True:
            wrong, below = parts(partial(weighed, ratio, sign))
            if sign * (wrong - ratio * below) >= 0:
                return ratio
            ratio = mpq(wrong, below)

    # With one answer only, the ratio is 1/Q or has no value: the truth with the most wrong answers decides.
    wrong, below = parts(lambda given, label: mpq(label == given))
    if not below:
        return _no_value(Undefined.ONE_LABEL)
    may_lack = any(total == size == boxes[given][given][1] for given, total in answers.items())
    low, high = (1 - size * extreme(mpq(wrong, below), sign) for sign in (-1, 1))
    return ValueRange(low, high, Undefined.ONE_LABEL if may_lack else None)
