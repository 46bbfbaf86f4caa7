"""What a partial key leaves possible, and ten metrics at a level: ranges of numbers that may have no value.

**Certain**, however the questions were chosen: u_p questions of pattern p are not graded; each may have any true
label, whatever the others have. K_l graded questions have the label l. Every range is attained by some answer key. A
judge is judged on the questions that it answered, two judges on those that both answered.

**Ten metrics** between two labels: the judge answered a to A questions, x of which have the true label a, and b to B
questions, y of which have a. Right answers, both accuracies, both precisions, both F1, balanced accuracy, κ and MCC
all rise in x and fall in y (or do not change). The graded questions among the A and among the B are independent random
samples of them. So two intervals at the level √(1−α) hold together at 1−α, and all ten metrics have their extremes at
two corners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import factorial, prod
from typing import Any, TypeAlias

from gmpy2 import bincoef, mpq, mpz

from ntqr_exact.errors import BadChoice, BadKeyCounts, NotSupported
from ntqr_exact.exact.json_text import encode_number
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.exact.show import with_decimal
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.label_metrics import balanced_accuracy, cohen_kappa, matthews
from ntqr_exact.sampling.designs import independent_share
from ntqr_exact.sampling.graded_votes import GradedVotes, Shape
from ntqr_exact.sampling.sample_intervals import Interval
from ntqr_exact.votes.counts import Judge
from ntqr_exact.votes.names import Pattern

Number: TypeAlias = "mpq | Surd"
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
        reason = None if self.undefined is None else self.undefined.value
        return {"lower": _encode(self.lower), "upper": _encode(self.upper), "undefined": reason}

    def __str__(self) -> str:
        if isinstance(self.lower, Undefined) or isinstance(self.upper, Undefined):
            return f"no value: {self.lower.value if isinstance(self.lower, Undefined) else ''}"
        text = f"{with_decimal(self.lower)} to {with_decimal(self.upper)}"
        return text if self.undefined is None else f"{text} (or no value: {self.undefined.value})"


def rising_range(
    value: Callable[[int, int], Value], first: tuple[int, int], second: tuple[int, int]
) -> ValueRange:
    """Return the range of a value that rises in x and falls in y, for x and y in their own intervals.

    The extremes are at two corners. Where a corner has no value, its two neighbours are asked; a value that is
    missing elsewhere, too, is missing everywhere.
    """
    (x_low, x_high), (y_low, y_high) = first, second
    lowest = _at(value, (x_low, y_high), [(x_low + 1, y_high), (x_low, y_high - 1)], first, second)
    highest = _at(value, (x_high, y_low), [(x_high - 1, y_low), (x_high, y_low + 1)], first, second)
    corners = [value(x, y) for x in first for y in second]
    reason = next((corner for corner in corners if isinstance(corner, Undefined)), None)
    numbers = [number for number in lowest if not isinstance(number, Undefined)]
    highs = [number for number in highest if not isinstance(number, Undefined)]
    if not numbers or not highs:
        missing = next(number for number in (*lowest, *highest) if isinstance(number, Undefined))
        return ValueRange(missing, missing, missing)
    return ValueRange(min(numbers), max(highs), reason)


def _at(
    value: Callable[[int, int], Value],
    corner: tuple[int, int],
    neighbours: list[tuple[int, int]],
    first: tuple[int, int],
    second: tuple[int, int],
) -> list[Value]:
    at_corner = value(*corner)
    if not isinstance(at_corner, Undefined):
        return [at_corner]
    inside = [(x, y) for x, y in neighbours if first[0] <= x <= first[1] and second[0] <= y <= second[1]]
    return [at_corner, *(value(x, y) for x, y in inside)]


def _encode(value: Value) -> object:
    return None if isinstance(value, Undefined) else encode_number(value)


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


def differ_on(pattern: Pattern, i: int, j: int) -> bool:
    """Tell whether two judges answered differently; a gap is no answer."""
    return pattern[i] is not None and pattern[j] is not None and pattern[i] != pattern[j]


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
    left, graded = key.ungraded().responses(place), key.graded.confusion(place)
    unknown = sum(left.values())
    known = {label: votes.answered(place) for label, votes in key.graded.by_label.items()}
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
        kappa_range(
            {
                given: {label: (row[given], row[given] + left[given]) for label, row in graded.items()}
                for given in left
            },
            key.votes.responses(place),
        ),
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
    left = {p: n for p, n in key.ungraded().counts.items() if p[i] is not None and p[j] is not None}
    agreed = sum(count for pattern, count in left.items() if pattern[i] == pattern[j])
    differ = sum(left.values()) - agreed
    both = key.count(lambda p, label: p[i] == p[j] == label)
    only_i = key.count(lambda p, label: p[i] == label and differ_on(p, i, j))
    only_j = key.count(lambda p, label: p[j] == label and differ_on(p, i, j))
    lead = only_i - only_j
    names = (key.votes.judges[i], key.votes.judges[j])
    free = len(key.votes.labels) > 2
    size = key.votes.common(i, j).size
    covariance = _covariance(size, (both, both + agreed), (only_i, only_j), differ, free=free)
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

    # With one answer only, the ratio is 1/Q or has no value: the truth with the most wrong answers tells.
    wrong, below = parts(lambda given, label: mpq(label == given))
    if not below:
        return ValueRange(Undefined.ONE_LABEL, Undefined.ONE_LABEL, Undefined.ONE_LABEL)
    alone = next((given for given, total in answers.items() if total == size), None)
    may_lack = alone is not None and boxes[alone][alone][1] == size
    start = mpq(wrong, below)
    ends = 1 - size * extreme(start, -1), 1 - size * extreme(start, 1)
    return ValueRange(*ends, Undefined.ONE_LABEL if may_lack else None)


def kappa_interval(key: GradedVotes, judge: Judge, level: mpq) -> ValueRange:
    """Return an interval for Cohen's κ between a judge and the truth, at a level, for any number of labels.

    The graded questions with one answer are a random sample of those, independently of the other answers. Within an
    answer the level is divided over its true labels, or with two of them one number tells both.
    """
    place, labels = key.votes.place(judge), key.votes.labels
    answers = key.votes.responses(place)
    share = independent_share(level, len(labels))
    at = share if len(labels) == 2 else 1 - (1 - share) / len(labels)

    def box(given: str, label: str) -> Interval:
        return key.interval(lambda _, truth: truth == label, lambda p: p[place] == given, level=at)

    boxes = {given: {label: box(given, label) for label in labels} for given in labels}
    graded, left = key.graded.confusion(place), key.ungraded().responses(place)
    for given, row in boxes.items():
        if not sum(low for low, _ in row.values()) <= answers[given] <= sum(high for _, high in row.values()):
            row.update(
                {label: (graded[label][given], graded[label][given] + left[given]) for label in labels}
            )
    return kappa_range(boxes, answers)


@dataclass(frozen=True, slots=True)
class TenMetrics:
    """Intervals for ten metrics of one judge, which hold together at a level.

    `boxes` are those of x and y, the true labels a among the judge's answers a and among its answers b.
    """

    judge: str
    level: mpq
    boxes: tuple[Interval, Interval]
    intervals: tuple[tuple[str, ValueRange], ...]

    def __getitem__(self, name: str) -> ValueRange:
        for known, interval in self.intervals:
            if known == name:
                return interval
        raise BadChoice(name, f"a metric here is one of {', '.join(known for known, _ in self.intervals)}")

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.intervals)

    def to_document(self) -> dict[str, Any]:
        """Return the intervals as a JSON document."""
        return {
            "judge": self.judge,
            "level": str(self.level),
            "boxes": [list(box) for box in self.boxes],
            "intervals": {name: interval.to_document() for name, interval in self.intervals},
        }


def ten_metrics(key: GradedVotes, judge: Judge, level: mpq, shape: Shape) -> TenMetrics:
    """Return the intervals of the ten metrics; raises `NotSupported` for more than two labels."""
    labels = key.votes.labels
    if len(labels) != 2:
        raise NotSupported(labels, "the ten metrics are those of two labels")
    place = key.votes.place(judge)
    share = independent_share(level, 2)

    def box(answer: str) -> Interval:
        return key.interval(
            lambda _, truth: truth == labels[0], lambda p: p[place] == answer, level=share, shape=shape
        )

    boxes = box(labels[0]), box(labels[1])
    answers = key.votes.responses(place)

    def at(metric: Callable[[ConfusionMatrix], Value]) -> Callable[[int, int], Value]:
        first, second = (answers[label] for label in labels)
        return lambda x, y: metric(ConfusionMatrix(tp=x, fp=first - x, fn=y, tn=second - y))

    metrics = metrics_of(*labels).items()
    intervals = tuple((name, rising_range(at(metric), *boxes)) for name, metric in metrics)
    return TenMetrics(key.votes.judges[place], level, boxes, intervals)


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
