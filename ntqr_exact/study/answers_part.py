"""What was answered: the patterns, how often each judge gave each label or none, agreements and moments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Heading, Sentence, Table
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.evaluators.majority import MajorityEvaluation, TiePolicy, majority_vote
from ntqr_exact.exact.show import counted, value_text
from ntqr_exact.study.study import Brief, Part
from ntqr_exact.varieties.compositions import individual
from ntqr_exact.votes.abstentions import AbstainingVotes
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Named = tuple[tuple[tuple[str, ...], mpq], ...]
"""A number for each of some groups of judges."""

_MOST_GROUPS = 5_000
"""Pairs, or trios, of judges above which their statistics are left out: nobody reads this many."""

_WRITTEN_OUT = 200
"""Judges up to which the number of possible patterns is written out."""

_COUNTS = ("abstained", "right", "wrong", "right_where_it_answered")


@dataclass(frozen=True, slots=True)
class AnswersStudy(Part):
    """The votes with their statistics; moments are those of answering the second of two labels."""

    anchor: ClassVar[str] = "answers"
    title: ClassVar[str] = "The answers"

    votes: VoteCounts
    labeled: LabeledVoteCounts | None
    key: CountEvaluation | None
    agreement_of_all: mpq | None
    agreements: Named
    pair_moments: Named
    trio_moments: Named
    left_out: tuple[str, ...] = ()
    """What there would be too much of, and how much."""

    def to_document(self) -> dict[str, Any]:
        """Return votes, responses, and each statistic of pairs and trios that there is."""
        votes = self.votes
        document: dict[str, Any] = {
            "votes": (self.labeled or votes).to_document(),
            "size": votes.size,
            "responses": {judge: votes.responses(place) for place, judge in enumerate(votes.judges)},
        }
        if not votes.size:
            return document
        document["response_rates"] = {
            judge: {label: mpq(count, votes.size) for label, count in responses.items()}
            for judge, responses in document["responses"].items()
        }
        document["patterns"] = [
            {"pattern": list(pattern), "count": count, "share": votes.frequency(pattern)}
            for pattern, count in votes.counts.items()
        ]
        document["patterns_not_seen"] = self._possible - len(votes.counts)
        document["agreement_of_all"] = self.agreement_of_all
        for name in ("agreements", "pair_moments", "trio_moments"):
            if rows := getattr(self, name):
                document[name] = [{"judges": list(judges), "value": value} for judges, value in rows]
        if self.left_out:
            document["left_out"] = list(self.left_out)
        if self.key is not None:
            document["key_counts"] = dict(self.key.key_counts)
            document["confusion"] = {
                judge: {true: dict(row) for true, row in counts.items()}
                for judge, counts in zip(votes.judges, self.key.confusion, strict=True)
            }
        return document

    def brief(self) -> Brief:
        """Return by how much pairs of judges can differ, and which judges answered alike."""
        if not self.agreements:
            return Brief()
        size = self.votes.size
        apart = [(", ".join(pair), size - int(size * rate)) for pair, rate in self.agreements]
        names, most = max(apart, key=lambda pair: pair[1])
        lines = [
            f"No two judges differ on more than {counted(most, 'question')} ({names}); their numbers of right answers "
            "differ by at most as many."
        ]
        lines += [f"{names} answered alike on every question." for names, questions in apart if not questions]
        unknown = (
            "Which of two judges is better, from the votes alone: where they differ, either may be right. It takes a "
            "key, a few graded questions, or an assumption."
        )
        return Brief(proven=tuple(lines), unknown=(unknown,))

    @property
    def _possible(self) -> int:
        return int(len(self.votes.labels) ** len(self.votes.judges))

    def blocks(self) -> Iterator[Block]:
        """Yield the patterns, the answers of each judge, and the statistics of pairs and trios."""
        votes = self.votes
        size = f"{counted(votes.size, 'question')}, {counted(len(votes.judges), 'judge')}"
        told = f"{size} ({', '.join(votes.judges)}), labels {', '.join(votes.labels)}."
        if not votes.size:
            yield Sentence(f"{told} There is nothing to show.")
            return
        yield Sentence(told)
        yield self._patterns()
        given = ((judge, votes.responses(place).values()) for place, judge in enumerate(votes.judges))
        yield Table(
            "How often each judge gave each label",
            ("judge", *votes.labels, *(f"share of {label}" for label in votes.labels)),
            tuple((judge, *counts, *(mpq(count, votes.size) for count in counts)) for judge, counts in given),
        )
        if self.agreement_of_all is not None:
            shown = value_text(self.agreement_of_all)
            yield Sentence(f"Share of questions on which all judges agree: {shown}.")
        for caption, name, rows in (
            ("Share of questions on which a pair agrees", "agreement", self.agreements),
            ("Pair moments Δ_ij = f_bb − f_b·f_b", "Δ", self.pair_moments),
            ("Trio moments T", "T", self.trio_moments),
        ):
            if rows:
                cells = tuple((", ".join(judges), value) for judges, value in rows)
                yield Table(caption, ("judges", name), cells, "groups of judges")
        for line in self.left_out:
            yield Sentence(line)
        if self.key is not None:
            yield from self._key(self.key)

    def _patterns(self) -> Table:
        labeled = self.labeled
        true = () if labeled is None else tuple(f"true {label}" for label in self.votes.labels)
        by_label = () if labeled is None else tuple(labeled.by_label.values())
        rows = tuple(
            (
                ", ".join(label or "-" for label in pattern),
                count,
                self.votes.frequency(pattern),
                *(part.counts[pattern] for part in by_label),
            )
            for pattern, count in self.votes.counts.items()
        )
        kinds, judges, seen = len(self.votes.labels), len(self.votes.judges), len(self.votes.counts)
        number = f"{kinds}^{judges} − {seen}" if judges > _WRITTEN_OUT else f"{self._possible - seen}"
        unseen = f"; {number} possible patterns were not" if number != "0" else ""
        caption = f"How often each pattern of answers was seen (judges in the order above{unseen})"
        return Table(caption, ("pattern", "count", "share", *true), rows, "patterns")

    def _key(self, key: CountEvaluation) -> Iterator[Block]:
        yield Heading("The answer key")
        told = ", ".join(f"{label} {count}" for label, count in key.key_counts.items())
        yield Sentence(f"Questions of each true label: {told}.")
        yield Table(
            "Answers of each judge by true label",
            ("judge", "true label", *(f"answered {label}" for label in self.votes.labels)),
            tuple(
                (judge, true, *row.values())
                for judge, counts in zip(self.votes.judges, key.confusion, strict=True)
                for true, row in counts.items()
            ),
        )


def study_answers(votes: VoteCounts | LabeledVoteCounts, key: CountEvaluation | None = None) -> AnswersStudy:
    """Return what was voted; `key` are grades in counts where the votes have no key of their own."""
    labeled = votes if isinstance(votes, LabeledVoteCounts) else None
    observed = votes.observed() if isinstance(votes, LabeledVoteCounts) else votes

    judges, left_out = observed.judges, []

    def each(size: int, name: str, statistic: Callable[..., mpq]) -> Named:
        if not observed.size:
            return ()
        if comb(len(judges), size) > _MOST_GROUPS:
            left_out.append(f"The {name} of {comb(len(judges), size)} groups of {size} judges are left out.")
            return ()
        groups = combinations(range(len(judges)), size)
        return tuple((tuple(judges[place] for place in group), statistic(*group)) for group in groups)

    binary = len(observed.labels) == 2
    return AnswersStudy(
        observed,
        labeled,
        individual(labeled) if labeled is not None and labeled.size else key,
        observed.agreement() if observed.size and len(judges) > 1 else None,
        each(2, "agreements", observed.agreement),
        each(2, "moments", observed.pair_moment) if binary else (),
        each(3, "moments", observed.trio_moment) if binary else (),
        tuple(left_out),
    )


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
