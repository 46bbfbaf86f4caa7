"""Grading by majority vote: the key is the label that most of the judges who answered gave."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ntqr_exact.choice import Choice
from ntqr_exact.errors import BadVotes
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.grade import grade, with_key, without_key
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import AbstainingVotes, LabeledVoteCounts
from ntqr_exact.votes.names import Pattern


class TiePolicy(Choice):
    """What the key says where several labels have the most votes."""

    REFUSE = "refuse"
    FIRST_LABEL = "first-label"
    LAST_LABEL = "last-label"
    FIRST_JUDGE = "first-judge"


@dataclass(frozen=True, slots=True)
class MajorityEvaluation:
    """The key if the crowd is right and, for two labels, the one if it is wrong; `ties` counts the tied questions."""

    key: LabeledVoteCounts
    reversed_key: LabeledVoteCounts | None
    ties: int

    @property
    def evaluation(self) -> Evaluation:
        """The grades of the judges by the key."""
        return grade(self.key)

    @property
    def reversed_evaluation(self) -> Evaluation | None:
        """The grades by the reversed key."""
        return None if self.reversed_key is None else grade(self.reversed_key)


def majority_vote(
    votes: VoteCounts | AbstainingVotes, *, ties: TiePolicy | str = TiePolicy.REFUSE
) -> MajorityEvaluation:
    """Return the grades of the judges under the key that the majority of them gives.

    >>> result = majority_vote(VoteCounts({"aab": 2, "bbb": 1}))
    >>> result.evaluation.prevalence["a"], result.evaluation.accuracy[2]["a"]
    (mpq(2,3), mpq(0,1))

    `ties` names what happens where several labels lead: `REFUSE` raises `BadVotes`. A gap has no vote; an abstention
    has none either, and is not a right answer; where all abstain, all labels tie.
    """
    observed, policy, tied, key_labels = without_key(votes), TiePolicy(ties), 0, []
    for pattern, count in observed.counts.items():
        given = Counter(pattern)
        most = max(given[label] for label in votes.labels)
        leaders = [label for label in votes.labels if given[label] == most]
        tied += count if len(leaders) > 1 else 0
        key_labels.append(_decide(pattern, leaders, policy))
    key = with_key(observed, ({label: 1} for label in key_labels))
    if len(votes.labels) > 2:
        return MajorityEvaluation(key, None, tied)
    first, second = votes.labels
    reversed_key = LabeledVoteCounts({first: key.by_label[second], second: key.by_label[first]})
    return MajorityEvaluation(key, reversed_key, tied)


def _decide(pattern: Pattern, leaders: list[str], policy: TiePolicy) -> str:
    if len(leaders) == 1 or policy is TiePolicy.FIRST_LABEL:
        return leaders[0]
    if policy is TiePolicy.LAST_LABEL:
        return leaders[-1]
    if policy is TiePolicy.FIRST_JUDGE:
        return next((label for label in pattern if label in leaders), leaders[0])
    allowed = ", ".join(repr(other.value) for other in TiePolicy if other is not TiePolicy.REFUSE)
    rule, remedy = "a pattern must have one label with the most votes", f"name a policy for ties: {allowed}"
    raise BadVotes(pattern, rule, remedy)
