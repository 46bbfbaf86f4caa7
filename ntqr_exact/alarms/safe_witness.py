"""Witnesses: answers by true label, at given key counts, with which judges are as right as they can be."""

from __future__ import annotations

from collections.abc import Mapping

from ntqr_exact.alarms.joint_safety import choose_safely, least_right_answers
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern


def most_right(votes: VoteCounts, key: Mapping[str, int]) -> CountEvaluation:
    """Return the evaluation in which every judge is right as often as its answers allow, min(Q_l, R_l) on each l.

    Fill the diagonal of its confusion, and what is left over fits beside it: so no label is at the cost of another.

    >>> most_right(VoteCounts({"a": 3, "b": 1}), {"a": 2, "b": 2}).correct
    ({'a': 2, 'b': 1},)
    """
    confusion = []
    for judge in range(len(votes.judges)):
        given = votes.responses(judge)
        table = {
            true: {label: min(key[true], given[true]) if label == true else 0 for label in votes.labels}
            for true in votes.labels
        }
        left_over = {label: given[label] - table[label][label] for label in votes.labels}
        for true in votes.labels:
            missing = key[true] - table[true][true]
            for label in votes.labels:
                moved = min(missing, left_over[label])
                table[true][label] += moved
                left_over[label] -= moved
                missing -= moved
        confusion.append(table)
    return CountEvaluation(key, confusion)


def safe_choice(
    votes: VoteCounts, specification: SafetySpecification, questions: int
) -> dict[Pattern, int] | None:
    """Return how many questions of each pattern are of the first label so that up to three judges are safe.

    `None` says that there is no such choice; for two labels.
    """
    least = [
        least_right_answers(votes, judge, questions, specification) for judge in range(len(votes.judges))
    ]
    return choose_safely(votes, questions, least)


def group_witness(
    votes: VoteCounts, specification: SafetySpecification, questions: int
) -> LabeledVoteCounts | None:
    """Return joint answers by true label in which up to three judges are safe, or `None`; for two labels.

    >>> group_witness(VoteCounts({"aa": 1, "bb": 1}), SafetySpecification(2), 1).key_counts
    {'a': 1, 'b': 1}
    """
    a, b = votes.labels
    chosen = safe_choice(votes, specification, questions)
    if chosen is None:
        return None
    rest = {pattern: count - chosen.get(pattern, 0) for pattern, count in votes.counts.items()}
    return LabeledVoteCounts(
        {a: VoteCounts(chosen, votes.labels, votes.judges), b: VoteCounts(rest, votes.labels, votes.judges)}
    )
