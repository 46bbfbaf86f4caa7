"""Grading by an answer key: every rate and every error correlation, exactly."""

from __future__ import annotations

from itertools import combinations, takewhile
from math import comb

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, EmptyTest, NotSupported, NotVotes
from ntqr_exact.evaluation import Evaluation, Rate, Subset
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.rational import whole_number
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_MOST_UNASKED, _MOST_PAIRS, _MOST_IF_ASKED = 4096, 50_000, 10**6
"""The most correlations that are computed if no order is given, of pairs alone then, and if one is given."""


@checked
def grade(labeled: LabeledVoteCounts, *, order: int | None = None) -> Evaluation:
    """Return prevalence, response rates and error correlations of votes with an answer key.

    Correlations are those of all subsets of 2 to `order` judges; by default of as many as have at most 4096
    correlations, which is all of up to ten judges, and of pairs if they have at most 50,000. Γ^l_S is the mean, over
    the questions of label l, of the product over S of (1 if right else 0) − accuracy. A label without questions has
    `Undefined` rates and correlations.

    >>> key = {"a": VoteCounts({"aa": 2, "bb": 2}), "b": VoteCounts({"bb": 4})}
    >>> evaluation = grade(LabeledVoteCounts(key))
    >>> evaluation.prevalence["a"], evaluation.accuracy[0]["a"], evaluation.correlations["a", (0, 1)]
    (mpq(1,2), mpq(1,2), mpq(1,4))

    Cites: Corrada-Emmanuel 2023, eqs. 24 and 25. Raises `EmptyTest` if there are no questions,
    `BadNumber` for an order below 1, `NotSupported` for one with more than a million correlations.
    """
    if not isinstance(labeled, LabeledVoteCounts):
        raise NotVotes(labeled, "grading needs LabeledVoteCounts", "count the decisions with their truth")
    labeled.without_gaps("grading")
    size = labeled.size
    if size == 0:
        raise EmptyTest(labeled, "a test without questions cannot be graded")
    judges = range(len(labeled.judges))
    largest = _default_order(labeled) if order is None else min(whole_number(order), len(judges))
    if largest < 1:
        raise BadNumber(order, "correlations are of 2 judges up to the order", "1 leaves them out")
    if _correlations_to(labeled, largest) > _MOST_IF_ASKED:
        rule = (
            f"{len(judges)} judges have {_correlations_to(labeled, largest)} correlations up to this order, and the "
            f"limit is {_MOST_IF_ASKED}"
        )
        raise NotSupported(order, rule, "give a smaller order")
    return Evaluation(
        {label: mpq(count, size) for label, count in labeled.key_counts.items()},
        [{label: _rates(votes, judge) for label, votes in labeled.by_label.items()} for judge in judges],
        {
            (label, subset): _correlation(votes, label, subset)
            for label, votes in labeled.by_label.items()
            for length in range(2, largest + 1)
            for subset in combinations(judges, length)
        },
    )


def _default_order(labeled: LabeledVoteCounts) -> int:
    if _correlations_to(labeled, 2) > _MOST_PAIRS:
        return 1
    orders = range(3, len(labeled.judges) + 1)
    return max(takewhile(lambda n: _correlations_to(labeled, n) <= _MOST_UNASKED, orders), default=2)


def _correlations_to(labeled: LabeledVoteCounts, order: int) -> int:
    """Return how many correlations there are of 2 judges up to an order."""
    return len(labeled.by_label) * sum(comb(len(labeled.judges), length) for length in range(2, order + 1))


def _rates(votes: VoteCounts, judge: int) -> dict[str, Rate]:
    size = votes.size
    return {
        label: mpq(count, size) if size else Undefined.NO_QUESTIONS
        for label, count in votes.responses(judge).items()
    }


def _correlation(votes: VoteCounts, label: str, subset: Subset) -> Rate:
    return votes.central_moment(subset, label=label) if votes.size else Undefined.NO_QUESTIONS
