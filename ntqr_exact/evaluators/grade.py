"""Grading by an answer key: every rate and every error correlation, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations, takewhile
from math import comb

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, EmptyTest, NotSupported, NotVotes
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.exact.rational import whole_number
from ntqr_exact.varieties.compositions import individual
from ntqr_exact.varieties.consistent import error_correlation
from ntqr_exact.votes.counts import VoteCounts, trusted_votes
from ntqr_exact.votes.labeled import AbstainingVotes, LabeledVoteCounts
from ntqr_exact.votes.names import Pattern

_MAX_BY_DEFAULT, _MAX_PAIR_STEPS, _MAX_IF_REQUESTED = 4096, 10**6, 10**6
"""The most correlations if no order is given, the most steps for pairs alone, and the most correlations of an order."""


def grade(labeled: LabeledVoteCounts, *, order: int | None = None) -> Evaluation:
    """Return prevalence, response rates and error correlations of votes with an answer key.

    Each judge is graded on the questions that it answered, and Γ^l_S, the mean over questions of label l of the product
    over the judges S of (1 if right else 0) − accuracy, on those that all of S answered. What has no questions is
    `Undefined`. Correlations are those of 2 to `order` judges; by default of as many as have at most 4096 in all, and
    of pairs if that takes at most a million steps.

    >>> key = {"a": VoteCounts({"aa": 2, "bb": 2}), "b": VoteCounts({"bb": 4})}
    >>> evaluation = grade(LabeledVoteCounts(key))
    >>> evaluation.prevalence["a"], evaluation.accuracy[0]["a"], evaluation.correlations["a", (0, 1)]
    (mpq(1,2), mpq(1,2), mpq(1,4))

    Cites: Corrada-Emmanuel 2023, eqs. 24 and 25. Raises `EmptyTest` for a test without questions,
    `BadNumber` for an order below 1, `NotSupported` for one with more than a million correlations.
    """
    if not isinstance(labeled, LabeledVoteCounts):
        raise NotVotes(labeled, "labeled must be LabeledVoteCounts", "count the decisions with their truth")
    judges = range(len(labeled.judges))
    largest = _default_order(labeled) if order is None else min(whole_number(order), len(judges))
    if largest < 1:
        raise BadNumber(order, "order must be >= 1", "1 leaves the correlations out")
    if (number := _correlations(labeled, largest)) > _MAX_IF_REQUESTED:
        rule = f"order must give at most {_MAX_IF_REQUESTED} correlations, not the {number} of {len(judges)} judges"
        raise NotSupported(order, rule, "give a smaller order")
    correlations = {
        (label, subset): error_correlation(labeled, label, *subset)
        for label in labeled.by_label
        for length in range(2, largest + 1)
        for subset in combinations(judges, length)
    }
    return individual(labeled).rates(correlations)


def _default_order(labeled: LabeledVoteCounts) -> int:
    count, patterns = len(labeled.judges), sum(len(votes.counts) for votes in labeled.by_label.values())
    if comb(count, 2) * patterns > _MAX_PAIR_STEPS:
        return 1
    few = takewhile(lambda n: _correlations(labeled, n) <= _MAX_BY_DEFAULT, range(3, count + 1))
    return max(few, default=2)


def _correlations(labeled: LabeledVoteCounts, order: int) -> int:
    """Return how many correlations there are of 2 judges up to an order."""
    return len(labeled.by_label) * sum(comb(len(labeled.judges), length) for length in range(2, order + 1))


def share_right(key: LabeledVoteCounts, judge: int) -> mpq | None:
    """Return the share of right answers of a judge among the questions that it answered; `None` for no answer."""
    confusion = key.confusion(judge)
    answered = sum(sum(row.values()) for row in confusion.values())
    return mpq(sum(confusion[label][label] for label in confusion), answered) if answered else None


def with_key(votes: VoteCounts, shares: Iterable[Mapping[str, int]]) -> LabeledVoteCounts:
    """Return the votes with their true labels: for each pattern, how many times its count each label has."""
    parts: dict[str, dict[Pattern, int]] = {label: {} for label in votes.labels}
    for (pattern, count), share in zip(votes.counts.items(), shares, strict=True):
        for label, times in share.items():
            parts[label][pattern] = count * times
    each = {label: trusted_votes(part, votes.labels, votes.judges) for label, part in parts.items()}
    return LabeledVoteCounts(each)


def without_key(votes: VoteCounts | AbstainingVotes) -> VoteCounts:
    """Return votes to which an evaluator gives a key: an abstention is an answer like any other."""
    observed = votes.observed() if isinstance(votes, AbstainingVotes) else votes
    if not isinstance(observed, VoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts", "labeled votes have observed()")
    if observed.size == 0:
        raise EmptyTest(votes, "votes must have at least one question")
    return observed
