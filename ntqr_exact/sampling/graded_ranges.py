"""What some graded questions leave possible, however they were chosen; and an interval for strata of random questions.

Every range is attained by some answer key: u_p questions of pattern p are not graded, and each may have any true label.
K_l graded questions have the label l. A judge is judged on the questions that it answered, two on those that both did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import gcd, isqrt, prod
from typing import Any, NamedTuple, TypeAlias

from gmpy2 import bincoef, mpq, mpz

from ntqr_exact.exact.show import with_decimal
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.sampling.designs import Hypergeometric, independent_share
from ntqr_exact.sampling.intervals import Interval, interval
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern

Outcome: TypeAlias = "Callable[[Pattern, str], bool]"
"""Whether a question with this pattern and this true label counts."""


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The least and the greatest value, both attained, and why there may be none.

    `lower` and `upper` are `Undefined` where no key gives a value; `undefined` is the reason for which
    some truths leave the number without a value, or `None` if all of them give it one.
    """

    lower: mpq | Undefined
    upper: mpq | Undefined
    undefined: Undefined | None = None

    def to_document(self) -> dict[str, Any]:
        """Return the range as a JSON document; what has no value is null."""
        reason = None if self.undefined is None else self.undefined.value
        return {"lower": self.lower, "upper": self.upper, "undefined": reason}

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


def right_where(judge: int, other: int | None = None) -> tuple[Outcome, Callable[[Pattern], bool]]:
    """Return whether a judge is right, and whether it answered, or if there is another one, answered otherwise."""
    within = (lambda p: p[judge] is not None) if other is None else (lambda p: differ_on(p, judge, other))
    return lambda p, label: p[judge] == label, within


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
    open_, known = left.common(i, j), who_is_right(graded, i, j)
    both, only = known[True, True], (known[True, False], known[False, True])
    agreed = sum(open_.counts[label, label] for label in left.labels)
    differ, lead = open_.size - agreed, only[0] - only[1]
    # Of the ungraded differing questions e go to the first judge; with two labels the rest go to the second.
    even = min(max((differ - lead) // 2, 0), differ)
    shared = [(only[0] + e, only[1] + differ - e) for e in (0, even, differ)]
    shared += [(only[0], only[1])] if len(left.labels) > 2 else []
    size = open_.size + known.total()
    covariance = _no_value(Undefined.NO_QUESTIONS)
    if size:
        values = [size * s - (s + x) * (s + y) for s in range(both, both + agreed + 1) for x, y in shared]
        covariance = ValueRange(mpq(min(values), size**2), mpq(max(values), size**2))
    return PairRanges((left.judges[i], left.judges[j]), (lead - differ, lead + differ), covariance)


def who_is_right(graded: LabeledVoteCounts, first: Judge, second: Judge) -> Counter[tuple[bool, bool]]:
    """Return how often each of two judges, both or none is right where both answered."""
    result = Counter[tuple[bool, bool]]()
    for label, votes in graded.common(first, second).by_label.items():
        for (i, j), count in votes.counts.items():
            result[i == label, j == label] += count
    return result


def kappa_range(boxes: Mapping[str, Mapping[str, Interval]], answers: Mapping[str, int]) -> ValueRange:
    """Return the range of Cohen's κ over all true labels in boxes.

    `answers[j]` questions were answered j; those of them with the true label l are from low to high, `boxes[j][l]`.
    With W wrong answers and S = Σ_l a_l·q_l, where a_l counts the answers and q_l the true labels, κ = 1 − Q·W/(Q² −
    S). W and S are linear in the numbers in the boxes. Dinkelbach's method finds the extremes of the ratio: for a ratio
    t, minimise W − t(Q² − S), answer by answer, the cheapest labels first; a negative minimum gives a smaller ratio,
    and 0 proves that t is the least. κ has no value iff Q² = S: both use one label only.
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


# -- right answers of all strata together, each with a random sample of its own ---------------------------
#
# Berger and Boos (1994): a first box holds the right answers of every stratum at the level 1 − α/10. A total g is kept
# iff under the worst split of g within the box both tail probabilities of the observed sum Σ w_s X_s, with w_s near
# Q_s/m_s, exceed (α − α/10)/2. The greatest P(Σ w_s X_s ≤ τ) over all splits G_1 + … + G_S = g is bounded by
#
#     V_s(g, τ) = max over G of Σ_x P_G(x)·V_{s−1}(g − G, τ − w_s·x),   V_0(0, τ) = 1 for τ ≥ 0,
#
# because a maximum that may depend on x is at least the one that may not.

_FIRST_STAGE = mpq(1, 10)
_LONGEST_ROW = 400
"""The weighted sum takes about this many values at most: finer weights cost time and gain little."""

_MOST_WORK = 6_000_000
"""Totals times box times values of the sum; above it, neighbouring truths share one bound: valid, a little wider."""

_BITS, _SLOT = 26, 64
"""Probabilities are whole numbers over 2²⁶, rounded up, in places of 64 bits."""
_ONE = 1 << _BITS


class GradedStratum(NamedTuple):
    """Some questions of one kind: of `design.size` of them `design.graded` are graded, and `right` of these right."""

    design: Hypergeometric
    right: int


Boxed: TypeAlias = "tuple[Hypergeometric, int, int, int]"
"""A stratum, the weight of a right answer in it, and the first box: the least and the greatest number of right ones."""


def strata_interval(strata: Sequence[GradedStratum], level: mpq) -> Interval:
    """Return the least and the greatest number of right answers in all strata, at a level."""
    known = sum(right for design, right in strata if design.graded == design.size)
    # A long row of values last: the work grows with the totals that have been reached so far.
    open_ = [s for s in strata if s.design.graded < s.design.size]
    ordered = sorted(open_, key=lambda s: (s.design.size, s.design.graded, s.right))
    if len(ordered) < 2:
        ends = [_central(stratum, level) for stratum in ordered]
        return known + sum(low for low, _ in ends), known + sum(high for _, high in ends)
    lost = 1 - level
    share = independent_share(1 - lost * _FIRST_STAGE, len(ordered))
    tail = lost * (1 - _FIRST_STAGE) / 2
    highest = _greatest_total(ordered, share, tail)
    wrong = [GradedStratum(design, design.graded - right) for design, right in ordered]
    size = sum(design.size for design, _ in ordered)
    return known + size - _greatest_total(wrong, share, tail), known + highest


def _central(stratum: GradedStratum, level: mpq) -> Interval:
    return interval(*stratum, "central", level) or (0, stratum.design.size)


def _greatest_total(strata: Sequence[GradedStratum], share: mpq, tail: mpq) -> int:
    boxes = [_central(stratum, share) for stratum in strata]
    # Whole weights near a multiple of Q_s/m_s, small enough for a short row.
    questions = sum(design.size for design, _ in strata if design.graded)
    scale = min(mpq(1), mpq(_LONGEST_ROW, max(1, questions)))
    weights = [
        max(1, int(scale * design.size / design.graded + mpq(1, 2))) if design.graded else 0
        for design, _ in strata
    ]
    weights = [weight // max(1, gcd(*weights)) for weight in weights]
    seen = sum(weight * right for weight, (_, right) in zip(weights, strata, strict=True))
    boxed = [(s.design, weight, *box) for s, weight, box in zip(strata, weights, boxes, strict=True)]
    step = 1 + isqrt(sum(high - low for low, high in boxes) ** 2 * (seen + 1) // _MOST_WORK)
    kept = (total for total, chance in worst_tail(boxed, seen, step=step).items() if chance > tail)
    return min(max(kept), sum(high for _, high in boxes))


def worst_tail(strata: Sequence[Boxed], reach: int, *, step: int = 1) -> dict[int, mpq]:
    """Return for each total g an upper bound of the greatest probability that Σ w_s X_s ≤ reach.

    With a `step` above 1 the G of a stratum are taken in groups of that many, each with the chances of its least
    member: fewer right answers make every lower tail greater. The total is that of their greatest members.
    V_s(g, ·) is one long integer with a place for each τ: the sum over x, for all τ at once, is one product.
    """
    everything = (mpz(1) << (_SLOT * (reach + 1))) - 1
    ones = everything // ((1 << _SLOT) - 1)
    top, kept_bits = ones << (_SLOT - 1), ones * ((1 << (_SLOT - _BITS)) - 1)

    def greater(left: mpz, right: mpz) -> mpz:
        """Return the greater value at each place: with the top bit set, it survives left − right iff left ≥ right."""
        survives = ((left | top) - right) & top
        return right ^ ((left ^ right) & (survives - (survives >> (_SLOT - 1))))

    table = {0: ones * _ONE}
    for design, weight, low, high in strata:
        following: dict[int, mpz] = {}
        for truth in range(low, high + 1, step):
            factor = mpz(0)
            for x in range(design.fewest(truth), design.most(truth) + 1):
                if weight * x <= reach:
                    factor += -(-design.at(truth, x) * _ONE // design.samples()) << (_SLOT * weight * x)
            for before, values in table.items():
                total, product = before + truth + step - 1, values * factor & everything
                following[total] = greater(following[total], product) if total in following else product
        # Each value over 2²⁶, rounded up; what slides in from the place above is masked off.
        table = {g: ((values + ones * (_ONE - 1)) >> _BITS) & kept_bits for g, values in following.items()}
    return {g: min(mpq(1), mpq(values >> (_SLOT * reach), _ONE)) for g, values in sorted(table.items())}
