"""Ranges of numbers that may have no value: what some graded questions leave possible, and ten metrics in boxes.

**Certain**, however the questions were chosen: u_p questions of pattern p are not graded; each may have any true
label, whatever the others have. K_l graded questions have the label l. Every range is attained by some answer key. A
judge is judged on the questions that it answered, two judges on those that both answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any, TypeAlias

from gmpy2 import bincoef, mpq, mpz

from ntqr_exact.exact.json_text import encode_number
from ntqr_exact.exact.show import with_decimal
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.multiclass import balanced_accuracy, cohen_kappa, matthews
from ntqr_exact.sampling.intervals import Interval
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern

Value: TypeAlias = "mpq | Surd | Undefined"


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The least and the greatest value, both attained, and why there may be none.

    `lower` and `upper` are `Undefined` where there is no value at all; `undefined` is the reason for which
    some truths leave the number without a value, or `None` if all of them give it one.
    """

    lower: Value
    upper: Value
    undefined: Undefined | None = None

    def to_document(self) -> dict[str, Any]:
        """Return the range as a JSON document; what has no value is null."""
        ends = (
            None if isinstance(end, Undefined) else encode_number(end) for end in (self.lower, self.upper)
        )
        reason = None if self.undefined is None else self.undefined.value
        return dict(zip(("lower", "upper", "undefined"), (*ends, reason), strict=True))

    def __str__(self) -> str:
        if isinstance(self.lower, Undefined):
            return f"no value: {self.lower.value}"
        text = f"{with_decimal(self.lower)} to {with_decimal(self.upper)}"
        return text if self.undefined is None else f"{text} (or no value: {self.undefined.value})"


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
    known = graded.key_counts.items()
    ranges = FrozenMapping({label: (count, count + left.size) for label, count in known})
    return KeyRanges(ranges, len(left.labels) ** left.size, int(splits))


def judge_ranges(graded: LabeledVoteCounts, left: VoteCounts, judge: Judge) -> JudgeRanges:
    """Return the ranges of one judge.

    The accuracy on l is least if no ungraded question that the judge answered l has the label l, and all others
    have: r/(K_l + u_{i≠l}). It is greatest the other way round: (r + u_{i=l})/(K_l + u_{i=l}).
    """
    open_, rows = left.responses(judge), graded.confusion(judge)
    unknown, total = sum(open_.values()), sum(row[label] for label, row in rows.items())
    boxes = {
        given: {label: (row[given], row[given] + open_[given]) for label, row in rows.items()}
        for given in open_
    }
    answers = {given: open_[given] + sum(row[given] for row in rows.values()) for given in open_}
    return JudgeRanges(
        left.judges[left.place(judge)],
        (total, total + unknown),
        FrozenMapping({label: boxes[label][label] for label in rows}),
        FrozenMapping(
            {
                label: _accuracy(row[label], sum(row.values()), open_[label], unknown - open_[label])
                for label, row in rows.items()
            }
        ),
        kappa_range(boxes, answers),
    )


def _accuracy(right: int, known: int, answered: int, other: int) -> ValueRange:
    missing = Undefined.NO_QUESTIONS
    if known + answered + other == 0:
        return ValueRange(missing, missing, missing)
    # Without graded questions of the label, and none answered otherwise, what has the label is right; and conversely.
    lower = mpq(right, known + other) if known + other else mpq(1)
    upper = mpq(right + answered, known + answered) if known + answered else mpq(0)
    return ValueRange(lower, upper, None if known else missing)


def pair_ranges(graded: LabeledVoteCounts, left: VoteCounts, first: Judge, second: Judge) -> PairRanges:
    """Return the ranges of two judges.

    On s questions both are right, on e_i and e_j just one of them: Q²·Cov = Q·s − (s + e_i)(s + e_j). For each s the
    extremes of the product are where the right answers on the differing questions are shared evenly, or not at all.
    """
    i, j = left.place(first), left.place(second)
    known = {label: votes.common(i, j) for label, votes in graded.by_label.items()}
    open_ = left.common(i, j)

    def right(judge: int, other: int) -> int:
        """Return the graded questions on which one judge is right and the other is not."""
        cells = ((p, n, label) for label, votes in known.items() for p, n in votes.counts.items())
        return sum(n for p, n, label in cells if p[judge] == label != p[other])

    both = sum(votes.counts[label, label] for label, votes in known.items())
    agreed = sum(open_.counts[label, label] for label in left.labels)
    differ, only = open_.size - agreed, (right(0, 1), right(1, 0))
    lead = only[0] - only[1]
    size = open_.size + sum(votes.size for votes in known.values())
    # Of the ungraded differing questions e go to the first judge; with two labels the rest go to the second.
    even = min(max((differ - lead) // 2, 0), differ)
    shared = [(only[0] + e, only[1] + differ - e) for e in (0, even, differ)]
    shared += [only] if len(left.labels) > 2 else []
    values = [size * s - (s + x) * (s + y) for s in range(both, both + agreed + 1) for x, y in shared]
    missing = Undefined.NO_QUESTIONS
    covariance = ValueRange(missing, missing, missing)
    if size:
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
        return ValueRange(Undefined.ONE_LABEL, Undefined.ONE_LABEL, Undefined.ONE_LABEL)
    may_lack = any(total == size == boxes[given][given][1] for given, total in answers.items())
    low, high = (1 - size * extreme(mpq(wrong, below), sign) for sign in (-1, 1))
    return ValueRange(low, high, Undefined.ONE_LABEL if may_lack else None)


def rising_range(value: Callable[[int, int], Value], first: Interval, second: Interval) -> ValueRange:
    """Return the range of a value that rises in x and falls in y, for x and y in their own intervals.

    The extremes are at two corners. Where a corner has no value, its two neighbours are taken; a value that is
    missing there, too, is missing everywhere.
    """
    (x_low, x_high), (y_low, y_high) = first, second

    def near(x: int, y: int, towards: int) -> list[Value]:
        places = [(x, y), (x + towards, y), (x, y - towards)]
        values = [value(i, j) for i, j in places if x_low <= i <= x_high and y_low <= j <= y_high]
        return values if isinstance(values[0], Undefined) else values[:1]

    found = near(x_low, y_high, 1), near(x_high, y_low, -1)
    lows, highs = ([number for number in values if not isinstance(number, Undefined)] for values in found)
    corners = [value(x, y) for x in first for y in second]
    missing = next((one for one in (*corners, *found[0], *found[1]) if isinstance(one, Undefined)), None)
    if not lows or not highs:
        reason = next(one for values in found for one in values if isinstance(one, Undefined))
        return ValueRange(reason, reason, reason)
    return ValueRange(min(lows), max(highs), missing)


def ten_metrics(votes: VoteCounts, judge: Judge, boxes: tuple[Interval, Interval]) -> dict[str, ValueRange]:
    """Return the ranges of ten metrics between two labels, for x and y in boxes.

    The judge answered a to A questions, x of which have the true label a, and b to B questions, y of which have a.
    All ten metrics rise in x and fall in y (or do not change), so that their extremes are at two corners.
    """
    first, second = votes.responses(judge).values()

    def at(metric: Callable[[ConfusionMatrix], Value]) -> Callable[[int, int], Value]:
        return lambda x, y: metric(ConfusionMatrix(tp=x, fp=first - x, fn=y, tn=second - y))

    return {name: rising_range(at(metric), *boxes) for name, metric in metrics_of(*votes.labels).items()}


def metrics_of(first: str, second: str) -> dict[str, Callable[[ConfusionMatrix], Value]]:
    """Return the ten metrics by name; `first` is the positive label of the matrix."""
    return {
        "right answers": lambda matrix: matrix.tp + matrix.tn,
        f"accuracy on {first}": lambda matrix: matrix.recall,
        f"accuracy on {second}": lambda matrix: matrix.negated_recall,
        f"precision on {first}": lambda matrix: matrix.precision,
        f"precision on {second}": lambda matrix: matrix.negated_precision,
        f"F1 on {first}": lambda matrix: matrix.f1,
        f"F1 on {second}": lambda matrix: matrix.negated_f1,
        "balanced accuracy": _both_accuracies,
        "kappa": cohen_kappa,
        "MCC": _matthews,
    }


def _both_accuracies(matrix: ConfusionMatrix) -> Value:
    """Return the mean of the accuracies on both labels, which has no value where one of them has no question."""
    for accuracy in (matrix.recall, matrix.negated_recall):
        if isinstance(accuracy, Undefined):
            return accuracy
    return balanced_accuracy(matrix)


def _matthews(matrix: ConfusionMatrix) -> Value:
    value = matthews(matrix)
    return value.rational if isinstance(value, Surd) and value.is_rational else value
