"""`AbstainingVotes`: votes in which one answer is an abstention, which is never the true label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from ntqr_exact.errors import BadVotes, NotVotes, listed
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


@dataclass(frozen=True, slots=True)
class AbstainingVotes:
    """Votes, with or without an answer key, and the answer by which judges abstain.

    >>> votes = AbstainingVotes(VoteCounts({"aa": 2, "a?": 1, "bb": 1}, ["?", "a", "b"]), "?")
    >>> votes.labels, votes.observed().responses("J2")["?"], votes.answered()
    (('a', 'b'), 1, VoteCounts({'aa': 2, 'bb': 1}, labels=('a', 'b'), judges=('J1', 'J2')))

    `majority_vote`, `dawid_skene`, `study_votes` and the report take it. Other evaluators assume that every answer
    could be true, and refuse it: give them `answered()`. Raises `BadVotes` where the answer is not a label, is a true
    label in the key, or leaves fewer than two labels.
    """

    votes: VoteCounts | LabeledVoteCounts
    abstain: str

    def __post_init__(self) -> None:
        if not isinstance(self.votes, VoteCounts | LabeledVoteCounts):
            raise NotVotes(self.votes, "votes must be VoteCounts or LabeledVoteCounts")
        if not isinstance(self.abstain, str) or self.abstain not in self.votes.labels:
            raise BadVotes(self.abstain, f"the abstention must be among {listed(self.votes.labels)}")
        if len(self.votes.labels) < 3:
            raise BadVotes(self.votes.labels, "there must be two labels other than the abstention")
        if isinstance(self.votes, LabeledVoteCounts) and self.votes.by_label[self.abstain].size:
            raise BadVotes(self.abstain, "an abstention must not be a true label in the key")

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that can be true."""
        return tuple(label for label in self.votes.labels if label != self.abstain)

    @property
    def judges(self) -> tuple[str, ...]:
        """The names of the judges, in order."""
        return self.votes.judges

    @property
    def size(self) -> int:
        """The number of questions, Q."""
        return self.votes.size

    @property
    def counts(self) -> NoReturn:
        """Refused: an evaluator that takes every answer for a possible truth would be silently wrong."""
        rule = "answered() has the questions without abstentions"
        raise NotVotes(self, "votes must have only answers that could be true", rule)

    def observed(self) -> VoteCounts:
        """Return all votes without the key, the abstention a label like any other."""
        return self.votes.observed() if isinstance(self.votes, LabeledVoteCounts) else self.votes

    def answered(self) -> VoteCounts | LabeledVoteCounts:
        """Return the votes on the questions without abstentions, among the labels that can be true."""
        labels = self.labels

        def part(votes: VoteCounts) -> VoteCounts:
            kept = {pattern: count for pattern, count in votes.counts.items() if self.abstain not in pattern}
            return VoteCounts(kept, labels, votes.judges)

        if isinstance(self.votes, VoteCounts):
            return part(self.votes)
        return LabeledVoteCounts({label: part(self.votes.by_label[label]) for label in labels})
