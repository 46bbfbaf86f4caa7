"""What could be true of the judges: possible before the votes are seen, consistent with them after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Facts, Picture, Sentence, Table
from ntqr_exact.errors import NotSupported
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.json_text import as_document
from ntqr_exact.exact.show import shown, value_text
from ntqr_exact.study.study import Brief, Part
from ntqr_exact.varieties.compositions import check_key_counts
from ntqr_exact.varieties.consistent import ConsistentSet, right_answers
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.votes.counts import VoteCounts

MOST_DRAWN = 20_000
"""Questions up to which evaluations are drawn key by key, and those of pairs are counted in a report."""

_MOST_JUDGES = 6

_TITLES = {
    "possible": "possible before the votes are seen",
    "consistent": "consistent with the votes",
    "possible_at_key": "possible with {}",
    "consistent_at_key": "consistent with {}",
}
_SHORT = {"possible": "possible", "consistent": "consistent", "consistent_at_key": "with {}"}


_MAX_PAIRED = 40
"""Judges up to which each pair of them is counted."""


@dataclass(frozen=True, slots=True)
class EvaluationCounts:
    """How many evaluations of some judges there are; those at key counts are `None` without key counts."""

    judges: tuple[str, ...]
    possible: int
    consistent: int
    possible_at_key: int | None = None
    consistent_at_key: int | None = None

    def counts(self) -> list[tuple[str, int]]:
        """Return the counts that there are, with their names."""
        named = [(name, getattr(self, name)) for name in _TITLES]
        return [(name, count) for name, count in named if count is not None]


@dataclass(frozen=True, slots=True)
class RightAnswers:
    """How often a judge can be right on the questions of a label, or on all of them (`label` is `None`)."""

    judge: str
    label: str | None
    questions: int
    least: int
    most: int
    accuracy: tuple[mpq, mpq] | None
    """The ends as shares; `None` if there are no questions."""


@dataclass(frozen=True, slots=True)
class ConsistentStudy(Part):
    """Numbers of evaluations of the group, of each judge and of pairs, and how often each judge can be right."""

    anchor: ClassVar[str] = "consistent"
    title: ClassVar[str] = "What is possible, and what the votes leave"

    votes: VoteCounts
    at: tuple[tuple[str, int], ...] | None
    group: EvaluationCounts
    single: tuple[EvaluationCounts, ...]
    pairs: tuple[EvaluationCounts, ...] | None
    right_answers: tuple[RightAnswers, ...]
    star: CountEvaluation | None = None
    """Grades that are drawn as a star: those by the key."""
    left_out: str = ""
    """Why evaluations consistent with the key counts are not counted, if they are not."""

    def to_document(self) -> dict[str, Any]:
        """Return all counts and ranges."""
        votes = self.votes
        found = {
            "questions": votes.size,
            "labels": votes.labels,
            "judges": votes.judges,
            "group": self.group,
            "single": self.single,
            "key_counts": None if self.at is None else dict(self.at),
            "pairs": self.pairs,
            "left_out": self.left_out or None,
            "right_answers": self.right_answers,
        }
        return {name: as_document(part) for name, part in found.items() if part is not None}

    def brief(self) -> Brief:
        """Return how much the votes leave open."""
        left = value_text(self.group.consistent)
        return Brief(proven=(f"The votes leave {left} consistent evaluations of the group.",))

    def blocks(self) -> Iterator[Block]:
        """Yield the counts, the ranges, and pictures of both."""
        yield Sentence(
            "Nothing is assumed of the judges here. An evaluation is possible if some votes could go with it, and "
            "consistent if these votes do. What is the same in all consistent evaluations is proven."
        )
        key = "" if self.at is None else ", ".join(f"{shown(count)} of {label}" for label, count in self.at)
        yield Facts(
            "Evaluations of the whole group: how the questions of each pattern split over the true labels",
            tuple((_TITLES[name].format(key), count) for name, count in self.group.counts()),
        )
        if self.left_out:
            yield Sentence(f"Left out: how many are consistent with {key} ({self.left_out}).")
        yield _counts("Grades of each judge alone: key counts and confusions", self.single, key)
        if self.pairs:
            yield _counts("Grades of each pair of judges: key counts and confusions", self.pairs, key)
        rows: list[tuple[Any, ...]] = []
        for one in self.right_answers:
            share = one.accuracy or ("undefined", "undefined")
            rows.append((one.judge, one.label or "all labels", one.questions, one.least, one.most, *share))
        caption = f"How often each judge can be right{f', with {key}' if key else ''}"
        header = ("judge", "on", "questions", "least", "most", "share, from", "to")
        yield Table(caption, header, tuple(rows))
        yield from self._pictures()

    def _pictures(self) -> Iterator[Block]:
        votes = self.votes
        if len(votes.labels) != 2:
            return
        if len(votes.judges) > _MOST_JUDGES:
            votes = votes.marginal(*range(_MOST_JUDGES))
            yield Sentence(f"A picture shows the first {len(votes.judges)} judges.")
        star = self.star if len(votes.judges) == len(self.votes.judges) else None
        if votes.size <= MOST_DRAWN:
            caption = (
                "Evaluations of each judge at each number of questions of the first label: possible before its votes, "
                "and consistent after"
            )
            yield Picture("counts", caption, "plot_evaluation_counts", (votes,))
        true = {"evaluation": star}
        if self.at is not None and all(count for _, count in self.at):
            caption = "Consistent evaluations at the key counts: right answers on the two labels"
            yield Picture("lines", caption, "plot_consistent_lines", (votes, dict(self.at)), true, 46)


def study_consistent(
    votes: VoteCounts,
    at: CountEvaluation | Mapping[str, Any] | None = None,
    *,
    pairs_up_to: int | None = None,
) -> ConsistentStudy:
    """Return how many evaluations there are and how often each judge can be right, also at key counts or grades `at`.

    Pairs are counted for two labels, and up to a number of questions if one is given.
    """
    key, star = None, at if isinstance(at, CountEvaluation) else None
    counts: Mapping[str, Any] | None = at.key_counts if isinstance(at, CountEvaluation) else at
    if counts is not None:
        key = dict(zip(votes.labels, check_key_counts(counts, votes.labels, votes.size), strict=True))
    possible = PossibleSet(questions=votes.size, judges=len(votes.judges), labels=votes.labels)
    whole = ConsistentSet(votes)
    counted, left_out = key, ""  # the key counts at which evaluations are counted, if that is not too long
    try:
        at_key = None if key is None else whole.count_at(key)
        single = tuple(_individual(votes, (judge,), key) for judge in votes.judges)
    except NotSupported as error:
        at_key, counted, left_out = None, None, str(error)
        single = tuple(_individual(votes, (judge,), None) for judge in votes.judges)
    possible_at_key = None if key is None else possible.count_at(key)
    group = EvaluationCounts(votes.judges, possible.count(), whole.count(), possible_at_key, at_key)
    pairs = combinations(votes.judges, 2)
    with_pairs = len(votes.labels) == 2 and len(votes.judges) <= _MAX_PAIRED and not votes.has_gaps
    with_pairs = with_pairs and (pairs_up_to is None or votes.size <= pairs_up_to)
    return ConsistentStudy(
        votes,
        None if key is None else tuple(key.items()),
        group,
        single,
        tuple(_individual(votes, pair, counted) for pair in pairs) if with_pairs else None,
        tuple(one for judge in votes.judges for one in _right_answers(votes, judge, key)),
        star,
        left_out,
    )


def _individual(votes: VoteCounts, judges: tuple[str, ...], key: dict[str, int] | None) -> EvaluationCounts:
    own = votes.marginal(*judges)
    projection = ConsistentSet(own).projection()
    possible = PossibleSet(questions=own.size, judges=len(judges), labels=votes.labels)
    at_key = None if key is None or votes.has_gaps else projection.count_at(key)
    return EvaluationCounts(judges, possible.individual_count(), projection.count(), consistent_at_key=at_key)


def _right_answers(votes: VoteCounts, judge: str, key: dict[str, int] | None) -> Iterator[RightAnswers]:
    """Yield how often a judge can be right: on all questions, and at key counts on each label."""
    alone = votes.marginal(judge)
    among = (
        votes if votes.has_gaps else alone
    )  # the key counts include questions that the judge did not answer
    for label, questions in ((None, alone.size), *(key or {}).items()):
        found = ConsistentSet(among).range_of(right_answers(among, judge, label), at=key)
        least, most = found.minimum, found.maximum
        shares = (
            (least / questions, most / questions) if questions and (among is alone or not label) else None
        )
        yield RightAnswers(judge, label, questions, int(least), int(most), shares)


def _counts(caption: str, counts: tuple[EvaluationCounts, ...], key: str) -> Table:
    header = ("judges", *(_SHORT[name].format(key) for name, _ in counts[0].counts()))
    rows = tuple((", ".join(one.judges), *(count for _, count in one.counts())) for one in counts)
    return Table(caption, header, rows, "groups of judges")
