"""Abstentions: how often each judge abstained, what it is worth where it answered, and who looks at which questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Sentence, Table
from ntqr_exact.evaluators.majority import MajorityEvaluation, TiePolicy, majority_vote
from ntqr_exact.exact.counted import counted
from ntqr_exact.study.brief import Brief
from ntqr_exact.study.study import Part
from ntqr_exact.votes.abstentions import AbstainingVotes
from ntqr_exact.votes.labeled import LabeledVoteCounts

_COUNTS = ("abstained", "right", "wrong", "right_where_it_answered")


@dataclass(frozen=True, slots=True)
class AbstentionsStudy(Part):
    """All votes with the abstention, and the majority of the answers that are none.

    Every other part of a study looks at the questions that all judges answered.
    """

    anchor: ClassVar[str] = "abstentions"
    title: ClassVar[str] = "Abstentions"

    told: AbstainingVotes
    majority: MajorityEvaluation
    answered_size: int

    @property
    def left_out(self) -> int:
        """The number of questions on which somebody abstained."""
        return self.told.size - self.answered_size

    def key(self) -> tuple[str, LabeledVoteCounts]:
        """Return the key that right answers are counted by, and its name: the one given, or the majority's."""
        if isinstance(self.told.votes, LabeledVoteCounts):
            return "the answer key", self.told.votes
        return "the majority of the answers", self.majority.key

    def _rows(self) -> Iterator[tuple[str, int, int, int, mpq | None]]:
        _, key = self.key()
        for place, judge in enumerate(self.told.judges):
            confusion = key.confusion(place)
            right = sum(confusion[label][label] for label in self.told.labels)
            answered = self.told.size - self.told.abstentions(place)
            share = mpq(right, answered) if answered else None
            yield judge, self.told.abstentions(place), right, answered - right, share

    def to_document(self) -> dict[str, Any]:
        """Return the numbers as a JSON document."""
        return {
            **self.told.to_document(),
            "questions": self.told.size,
            "answered_by_all": self.answered_size,
            "left_out": self.left_out,
            "by": self.key()[0],
            "ties": self.majority.ties,
            "judges": {judge: dict(zip(_COUNTS, counts, strict=True)) for judge, *counts in self._rows()},
        }

    def blocks(self) -> Iterator[Block]:
        """Yield how the evaluators treat it, and a row for each judge."""
        yield Sentence(
            f"{self.told.abstain!r} is an abstention: an answer that is never the true label. The majority is that of "
            f"the other answers, on all {counted(self.told.size, 'question')}. All other evaluators, sets, alarms and "
            f"bounds look at the {counted(self.answered_size, 'question')} that all judges answered, and leave out the "
            f"{counted(self.left_out, 'question')} on which somebody abstained."
        )
        yield Table(
            f"Answers of each judge by {self.key()[0]}, on all questions",
            ("judge", *(name.replace("_", " ") for name in _COUNTS)),
            tuple((*row[:-1], "it never answered" if row[-1] is None else row[-1]) for row in self._rows()),
            "judges",
        )

    def brief(self) -> Brief:
        """Return what the first page says of the questions left out."""
        left = f"On {self.left_out} of {counted(self.told.size, 'question')} somebody abstained"
        return Brief(unknown=(f"{left}: what is said of the judges is said of the others.",))


def study_abstentions(told: AbstainingVotes, *, ties: TiePolicy | str) -> AbstentionsStudy:
    """Return what there is to say about abstentions."""
    return AbstentionsStudy(told, majority_vote(told, ties=ties), told.answered().size)
