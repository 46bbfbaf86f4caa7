"""The dependence of a key: its largest error correlation, exactly.

Given a key, Γ^l_{ij}(r, s) = P(r, s | l) − P(r | l)·P(s | l) is how much more often judges i and j answer r and s
together on the questions of label l than their rates alone would make them; for three judges it is the third central
moment of the three answers. With two labels all choices of answers have the same size, and the one of right answers,
the Γ of the paper, stands for all. A label without questions has no correlations.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadChoice, BadNumber, BadVotes, EmptyTest, NotVotes
from ntqr_exact.exact.enclosure import enclose_log, enclose_sqrt
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Places: TypeAlias = tuple[int, ...]
Answers: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Correlation:
    """Γ of some judges, by their places, on the questions of a label, for the answers named."""

    label: str
    judges: Places
    answers: Answers
    value: mpq

    def words(self, names: Sequence[str]) -> str:
        """Return who errs together on what, and how much."""
        who = " and ".join([", ".join(names[i] for i in self.judges[:-1]), names[self.judges[-1]]])
        return f"{who} on {self.label}, answers {', '.join(self.answers)}: {with_decimal(self.value)}"

    def to_document(self) -> dict[str, Any]:
        """Return the correlation as a JSON document."""
        places, answers = list(self.judges), list(self.answers)
        return {"label": self.label, "judges": places, "answers": answers, "value": self.value}


@dataclass(frozen=True, slots=True)
class Dependence:
    """How dependent the errors are under a key: `largest` = max |Γ| over the orders named, and where.

    `greatest` is the correlation of that size that comes first, `None` if all are zero or there is none.
    """

    orders: tuple[int, ...]
    largest: mpq
    greatest: Correlation | None
    has_one_label: bool


def check_orders(orders: Iterable[int]) -> tuple[int, ...]:
    """Return the orders of correlations that count: pairs (2), trios (3), or both."""
    found = set(orders)
    if not found or not found <= {2, 3}:
        raise BadChoice(orders, "dependence is measured on pairs (2), trios (3) or both")
    return tuple(sorted(map(int, found)))  # also whole numbers of numpy's, which JSON cannot hold


def check_panel(votes: VoteCounts) -> VoteCounts:
    """Return votes that have a dependence: of two judges or more, with questions, and two labels or more."""
    if not isinstance(votes, VoteCounts):
        raise NotVotes(votes, "dependence is asked of VoteCounts", "labeled votes have observed()")
    votes.without_gaps("dependence")
    if len(votes.judges) < 2:
        raise BadVotes(votes.judges, "dependence is between two judges or more")
    if len(votes.labels) < 2:
        raise BadVotes(votes.labels, "dependence needs two labels or more: with one, no answer can be wrong")
    if votes.size == 0:
        raise EmptyTest(votes, "a test without questions shows no dependence")
    return votes


def correlations(key: LabeledVoteCounts, orders: Iterable[int] = (2,)) -> Iterator[Correlation]:
    """Iterate over the correlations of a key: labels with questions, orders, judges, answers, in this order.

    >>> key = LabeledVoteCounts({"a": VoteCounts({"aa": 2, "bb": 2}), "b": VoteCounts({"bb": 4})})
    >>> [correlation.value for correlation in correlations(key)]
    [mpq(1,4), mpq(0,1)]
    """
    places = range(len(key.judges))
    for label, votes in key.by_label.items():
        if votes.size == 0:
            continue
        for order in check_orders(orders):
            for judges in combinations(places, order):
                for answers in _answer_choices(key.labels, label, order):
                    yield Correlation(label, judges, answers, central_moment(votes, judges, answers))


def _answer_choices(labels: Sequence[str], label: str, order: int) -> Iterator[Answers]:
    """Iterate over the answers whose correlations count: all, or with two labels the right ones alone."""
    yield from product(labels, repeat=order) if len(labels) > 2 else [(label,) * order]


def central_moment(votes: VoteCounts, judges: Places, answers: Answers) -> mpq:
    """Return the mean of Π (1 if the judge gave its answer else 0, minus the rate of that answer)."""
    size = votes.size
    rates = [votes.responses(i)[r] for i, r in zip(judges, answers, strict=True)]
    total = 0
    for pattern, count in votes.counts.items():
        term = count
        for i, r, rate in zip(judges, answers, rates, strict=True):
            term *= (size if pattern[i] == r else 0) - rate
        total += term
    return mpq(total, size ** (len(judges) + 1))


def dependence_of(key: LabeledVoteCounts, orders: Iterable[int] = (2,)) -> Dependence:
    """Return the largest |Γ| of a key, and where it is.

    >>> key = LabeledVoteCounts({"a": VoteCounts({"aa": 2, "bb": 2}), "b": VoteCounts({"bb": 4})})
    >>> dependence_of(key).largest
    mpq(1,4)
    """
    found = check_orders(orders)
    check_panel(key.observed())
    largest, greatest = mpq(0), None
    for correlation in correlations(key, found):
        if abs(correlation.value) > largest:
            largest, greatest = abs(correlation.value), correlation
    occupied = sum(1 for count in key.key_counts.values() if count)
    return Dependence(found, largest, greatest, has_one_label=occupied == 1)


def total_variation(key: LabeledVoteCounts) -> mpq:
    """Return Σ_l P_l · ½·Σ_p |P(p | l) − Π_i P(p_i | l)|: how far the answers are from independent ones.

    Patterns that nobody saw count with the share that independence would give them. With many judges and few
    questions this measures how thinly the questions are spread more than any dependence.

    >>> total_variation(LabeledVoteCounts({"a": VoteCounts({"aa": 1, "bb": 1})}))
    mpq(1,2)
    """
    total = mpq(0)
    for votes in key.by_label.values():
        size = votes.size
        if size == 0:
            continue
        rates = [votes.responses(i) for i in range(len(votes.judges))]
        apart, seen = mpq(0), mpq(0)
        for pattern, count in votes.counts.items():
            independent = mpq(1)
            for i, answer in enumerate(pattern):
                independent *= mpq(rates[i][answer], size)
            apart += abs(mpq(count, size) - independent)
            seen += independent
        total += mpq(size, key.size) * (apart + 1 - seen) / 2
    return total


def phi(votes: VoteCounts, correlation: Correlation) -> Surd | None:
    """Return Pearson's φ of a pair's correlation, for display; `None` where an answer never or always occurs.

    >>> votes = VoteCounts({"aa": 2, "bb": 2})
    >>> phi(votes, next(correlations(LabeledVoteCounts({"a": votes}))))
    Surd(1)
    """
    variance = mpq(1)
    for i, r in zip(correlation.judges, correlation.answers, strict=True):
        rate = votes.response_rate(i, r)
        variance *= rate * (1 - rate)
    return Surd.sqrt(variance) * (correlation.value / variance) if variance else None


def one_label_dependence(votes: VoteCounts, orders: Iterable[int] = (2,)) -> mpq:
    """Return the dependence of a key that gives all questions one label: the size of the votes' own moments.

    >>> one_label_dependence(VoteCounts({"aa": 1, "bb": 1}))
    mpq(1,4)
    """
    check_panel(votes)
    return dependence_of(LabeledVoteCounts({votes.labels[0]: votes}), orders).largest


_PLACES = 10**6

LIMITS = (
    "What the closest key attains is not the true dependence: the truth is often many times more dependent, and "
    "ranges at that budget often exclude it.",
    "Dependence that all judges share is invisible to votes: copies of one judge look perfect.",
    "Three judges prove little dependence, four and more prove more. Answers like a coin, whose covariances are within "
    "the budget, widen ranges.",
    "The mirror image of every key, its labels exchanged, is as independent: somebody must be no worse than chance.",
)
"""What has to be said beside every number of least dependence."""


def least_step(votes: VoteCounts) -> mpq:
    """Return 1/(Q − 1)³: a key of two labels that is not exactly independent has a correlation at least so large.

    Γ of a pair on m questions is a whole number of 1/m², that of a trio of 1/m³, and m is at most Q − 1.

    >>> least_step(VoteCounts({"aaa": 2, "bbb": 1}))
    mpq(1,8)
    """
    return mpq(1, max(1, votes.size - 1) ** 3)


def sampling_budget(
    key: LabeledVoteCounts, *, orders: Iterable[int] = (2, 3), level: RationalLike = "0.05"
) -> mpq:
    """Return what independent judges exceed on the questions of a key with a probability of at most `level`.

    On m questions of a label, judges who err independently still have correlations by chance. Given the answers of one
    of them, Γ_ij = (1/m)·Σ (a_k − ā)·b_k has mean 0 over the other's independent answers b_k, and Σ (a_k − ā)² ≤ m/4:
    by Hoeffding's inequality |Γ_ij| exceeds t with probability at most 2·exp(−8·m·t²). For a trio the same holds with
    the product of the first two deviations in place of a_k − ā. Added up over the K correlations of the labels with
    questions, m those of the smallest, none exceeds √(log(2K/level)/(8m)): a bound, rounded up to six places, not a
    quantile.

    >>> sampling_budget(LabeledVoteCounts({"a": VoteCounts({"aa": 50, "bb": 50})}), orders=(2,))
    mpq(33953,500000)
    """
    chance = rational(level)
    if not 0 < chance < 1:
        raise BadNumber(level, "a level lies strictly between 0 and 1")
    sizes = [count for count in key.key_counts.values() if count]
    judges, answers = len(key.judges), len(key.labels) if len(key.labels) > 2 else 1
    many = sum(math.comb(judges, order) * answers**order for order in check_orders(orders)) * len(sizes)
    bound = enclose_sqrt(enclose_log(2 * many / chance) / (8 * min(sizes))).upper
    return mpq(math.ceil(bound * _PLACES), _PLACES)
