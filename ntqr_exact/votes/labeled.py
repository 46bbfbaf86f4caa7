"""`LabeledVoteCounts`: votes with an answer key; `AbstainingVotes`: votes in which one answer is never the truth."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from ntqr_exact.errors import BadDocument, BadVotes, NotVotes, listed
from ntqr_exact.exact.show import counted
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import JsonText, Judge, VoteCounts, flat_judges


@dataclass(frozen=True, slots=True, init=False, repr=False)
class LabeledVoteCounts(JsonText):
    """The votes on the questions of each true label.

    >>> key_a, key_b = VoteCounts({"aa": 2, "ab": 1}), VoteCounts({"bb": 3})
    >>> graded = LabeledVoteCounts({"a": key_a, "b": key_b})
    >>> graded.observed() == key_a + key_b, graded.key_counts
    (True, {'a': 3, 'b': 3})

    All votes share their labels and judges; a true label that is not given has no questions.
    """

    by_label: Mapping[str, VoteCounts]

    def __init__(self, by_label: Mapping[str, VoteCounts]) -> None:
        if not isinstance(by_label, Mapping) or not by_label:
            raise BadVotes(by_label, "by_label must map each true label to the votes on its questions")
        first = next(iter(by_label.values()))
        for label, votes in by_label.items():
            if not isinstance(votes, VoteCounts) or not isinstance(first, VoteCounts):
                raise BadVotes(votes, "the votes of a true label must be VoteCounts")
            if label not in first.labels:
                raise BadVotes(label, f"a true label must be one of {listed(first.labels)}")
            if (votes.labels, votes.judges) != (first.labels, first.judges):
                raise BadVotes(label, "the votes of every true label must have the same labels and judges")
        empty = VoteCounts({}, first.labels, first.judges)
        complete = {label: by_label.get(label, empty) for label in first.labels}
        object.__setattr__(self, "by_label", FrozenMapping(complete))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in order."""
        return tuple(self.by_label)

    @property
    def judges(self) -> tuple[str, ...]:
        """The names of the judges, in order."""
        return next(iter(self.by_label.values())).judges

    @property
    def size(self) -> int:
        """The number of questions, Q."""
        return sum(self.key_counts.values())

    @property
    def key_counts(self) -> dict[str, int]:
        """How many questions have each true label: Q_a, Q_b, …"""
        return {label: votes.size for label, votes in self.by_label.items()}

    @property
    def has_gaps(self) -> bool:
        """Whether some judge did not answer some question."""
        return any(votes.has_gaps for votes in self.by_label.values())

    def common(self, *judges: Judge | Iterable[Judge]) -> LabeledVoteCounts:
        """Return the labeled votes of some of the judges, or of all, on the questions that all of them answered."""
        return self._each(VoteCounts.common, judges)

    def marginal(self, *judges: Judge | Iterable[Judge]) -> LabeledVoteCounts:
        """Return the labeled votes of some of the judges, in the order given."""
        return self._each(VoteCounts.marginal, judges)

    def observed(self) -> VoteCounts:
        """Return the votes without the answer key."""
        return functools.reduce(operator.add, self.by_label.values())

    def confusion(self, judge: Judge) -> dict[str, dict[str, int]]:
        """Return for each true label how often a judge gave each label, R^a_{a_i}, R^a_{b_i}, …"""
        return {label: votes.responses(judge) for label, votes in self.by_label.items()}

    def relabeled(self, new_name: Mapping[str, str], labels: tuple[str, ...]) -> LabeledVoteCounts:
        """Return the votes with each label replaced by its new name, in the key as in the answers."""
        parts = {label: VoteCounts({}, labels, self.judges) for label in labels}
        for label, votes in self.by_label.items():
            parts[new_name.get(label, label)] += votes.relabeled(new_name, labels)
        return LabeledVoteCounts(parts)

    def __add__(self, other: object) -> LabeledVoteCounts:
        if not isinstance(other, LabeledVoteCounts):
            return NotImplemented
        merged = map(operator.add, self.by_label.values(), other.by_label.values())
        return LabeledVoteCounts(dict(zip(self.labels, merged, strict=False)))

    def __repr__(self) -> str:
        return f"LabeledVoteCounts({self.by_label!r})"

    def __str__(self) -> str:
        return "\n\n".join(
            f"true label {label}: {counted(votes.size, 'question')}" + (f"\n{votes}" if votes.size else "")
            for label, votes in self.by_label.items()
        )

    def to_document(self) -> dict[str, Any]:
        """Return the labeled votes as a JSON document."""
        parts = {label: votes.to_document()["counts"] for label, votes in self.by_label.items()}
        return {"labels": list(self.labels), "judges": list(self.judges), "counts_by_label": parts}

    @classmethod
    def from_document(cls, document: object) -> LabeledVoteCounts:
        """Return the labeled votes that `to_document` wrote; raises `BadDocument`."""
        match document:
            case {"counts_by_label": dict(parts), **names} if parts:
                given = {label: {**names, "counts": part} for label, part in parts.items()}
                return cls({label: VoteCounts.from_document(part) for label, part in given.items()})
        rule = "labeled votes must be an object with only the keys labels, judges and counts_by_label"
        raise BadDocument(document, rule)

    def _each(self, change: Callable[..., VoteCounts], judges: tuple[Any, ...]) -> LabeledVoteCounts:
        wanted = flat_judges(judges)
        return LabeledVoteCounts({label: change(votes, *wanted) for label, votes in self.by_label.items()})


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


_Votes = TypeVar("_Votes", VoteCounts, LabeledVoteCounts, VoteCounts | LabeledVoteCounts)


def from_level_on(votes: _Votes, at_least: str) -> _Votes:
    """Return votes with two labels, `below L` and `L or above`, in place of ratings, in the key as in the answers.

    The levels are the labels in their order, lowest first; a gap stays one. Raises `BadVotes` for other levels, and
    for the lowest.

    >>> from_level_on(VoteCounts({"13": 2, "23": 1}, ["1", "2", "3"]), "3")
    VoteCounts({('below 3', '3 or above'): 3}, labels=('below 3', '3 or above'), judges=('J1', 'J2'))
    """
    if not isinstance(votes, VoteCounts | LabeledVoteCounts):
        raise NotVotes(votes, "votes must be VoteCounts or LabeledVoteCounts")
    levels = votes.labels
    if at_least not in levels[1:]:
        raise BadVotes(at_least, f"a view must begin at one of the levels {listed(levels[1:])}")
    names, first = (f"below {at_least}", f"{at_least} or above"), levels.index(at_least)
    return votes.relabeled({level: names[index >= first] for index, level in enumerate(levels)}, names)
