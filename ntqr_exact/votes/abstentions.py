"""`AbstainingVotes`: votes in which one answer is an abstention, which is never the true label."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from ntqr_exact.errors import BadVotes, NotVotes
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_Votes = TypeVar("_Votes", VoteCounts, LabeledVoteCounts, VoteCounts | LabeledVoteCounts)


@dataclass(frozen=True, slots=True)
class AbstainingVotes:
    """Votes, with or without an answer key, and the answer by which judges abstain.

    >>> told = AbstainingVotes(VoteCounts({"aa": 2, "a?": 1, "bb": 1}, ["?", "a", "b"]), "?")
    >>> told.labels, told.abstentions("J2"), told.answered()
    (('a', 'b'), 1, VoteCounts({'aa': 2, 'bb': 1}, labels=('a', 'b'), judges=('J1', 'J2')))

    `majority_vote`, `study_votes` and the report take it. All other evaluators assume that every answer could be
    true, and refuse it: give them `answered()`, the questions on which nobody abstained. Raises `BadVotes` where the
    answer is no label, is a true label in the key, or leaves fewer than two labels.
    """

    votes: VoteCounts | LabeledVoteCounts
    abstain: str

    def __post_init__(self) -> None:
        if not isinstance(self.votes, VoteCounts | LabeledVoteCounts):
            raise NotVotes(self.votes, "votes with abstentions are made of VoteCounts or LabeledVoteCounts")
        if not isinstance(self.abstain, str) or self.abstain not in self.votes.labels:
            rule = f"the abstention is one of the labels {', '.join(map(repr, self.votes.labels))}"
            raise BadVotes(self.abstain, rule)
        if len(self.votes.labels) < 3:
            rule = "beside the abstention there are at least two labels"
            raise BadVotes(self.votes.labels, rule, "name them")
        if isinstance(self.votes, LabeledVoteCounts) and self.votes.by_label[self.abstain].size:
            raise BadVotes(self.abstain, "an abstention is never the true label, and here the key has it")

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
        """Not to be had: an evaluator that takes every answer for a possible truth would be silently wrong."""
        rule = "answered() has the questions on which nobody abstained"
        raise NotVotes(self, "this needs votes in which every answer could be true", rule)

    def observed(self) -> VoteCounts:
        """Return all votes without the key, the abstention a label like any other."""
        return self.votes.observed() if isinstance(self.votes, LabeledVoteCounts) else self.votes

    def abstentions(self, judge: Judge) -> int:
        """Return how often a judge abstained."""
        return self.observed().responses(judge)[self.abstain]

    def marginal(self, *judges: Judge | Iterable[Judge]) -> AbstainingVotes:
        """Return the votes of some of the judges, in the order given."""
        return AbstainingVotes(self.votes.marginal(*judges), self.abstain)

    def answered(self) -> VoteCounts | LabeledVoteCounts:
        """Return the votes on the questions on which nobody abstained, among the labels that can be true."""
        return answered(self.votes, self.abstain)

    def to_document(self) -> dict[str, Any]:
        """Return the votes and the abstention as a JSON document."""
        return {"votes": self.votes.to_document(), "abstain": self.abstain}


def answered(votes: _Votes, abstain: str) -> _Votes:
    """Return the votes on the questions on which nobody abstained, without the label of the abstention."""
    if isinstance(votes, LabeledVoteCounts):
        kept = {label: part for label, part in votes.by_label.items() if label != abstain}
        return LabeledVoteCounts({label: answered(part, abstain) for label, part in kept.items()})
    counts = {pattern: count for pattern, count in votes.counts.items() if abstain not in pattern}
    return VoteCounts(counts, [label for label in votes.labels if label != abstain], votes.judges)
