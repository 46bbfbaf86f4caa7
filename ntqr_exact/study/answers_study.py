"""What was answered: patterns, answers of each judge, agreement of all and of pairs, beyond chance or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Sentence, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.errors import BadChoice, BadNumber, BadVotes
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.exact.show import counted, value_text
from ntqr_exact.metrics.formulas import MetricValue
from ntqr_exact.sampling.chance_agreement import Coefficient, Weights, agreement, relabeled
from ntqr_exact.votes.abstentions import AbstainingVotes
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.ordinal import two_labels

_MAX_GROUPS = 5_000
"""Statistics of more pairs or trios of judges are left out."""

_BY_ORDER = (Weights.ORDINAL, Weights.LINEAR, Weights.QUADRATIC)
_OF_PAIRS = (Coefficient.COHEN, Coefficient.SCOTT)
_NAMES = {
    Coefficient.PERCENT_POOLED: "percent agreement, all pairs of answers pooled",
    Coefficient.PERCENT_BY_QUESTION: "percent agreement, mean over questions",
    Coefficient.COHEN: "Cohen's κ",
    Coefficient.SCOTT: "Scott's π",
    Coefficient.FLEISS: "Fleiss' κ",
    Coefficient.KRIPPENDORFF: "Krippendorff's α",
    Coefficient.GWET: "Gwet's AC1 (AC2 with weights)",
    Coefficient.BRENNAN_PREDIGER: "Brennan and Prediger's coefficient",
}


@dataclass(frozen=True, slots=True)
class GroupValue:
    """A statistic of a group of judges."""

    judges: tuple[str, ...]
    value: mpq


@dataclass(frozen=True, slots=True)
class AnswersStudy(Value):
    """The votes with their statistics; moments are those of answering the second of two labels."""

    votes: VoteCounts | LabeledVoteCounts
    size: int
    responses: Mapping[str, Mapping[str, int]]
    agreement_of_all: mpq | None
    agreements: tuple[GroupValue, ...]
    pair_moments: tuple[GroupValue, ...]
    trio_moments: tuple[GroupValue, ...]
    confusion: Mapping[str, Mapping[str, Mapping[str, int]]] | None
    """How often each judge gave each label to the questions of each true label."""
    left_out: tuple[str, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield the patterns, the answers of each judge, and the statistics of pairs and trios."""
        votes = self.votes
        size = f"{counted(self.size, 'question')}, {counted(len(votes.judges), 'judge')}"
        yield Sentence(f"{size} ({', '.join(votes.judges)}), labels {', '.join(votes.labels)}.")
        if not self.size:
            return
        yield self._patterns()
        rows = tuple((judge, *counts.values()) for judge, counts in self.responses.items())
        yield Table("How often each judge gave each label", ("judge", *votes.labels), rows, "judges")
        if self.agreement_of_all is not None:
            share = value_text(self.agreement_of_all)
            yield Sentence(f"Share of questions on which all judges agree: {share}.")
        for caption, name, groups in (
            ("Share of questions on which a pair agrees", "agreement", self.agreements),
            ("Pair moments Δ_ij = f_bb − f_b·f_b", "Δ", self.pair_moments),
            ("Trio moments T", "T", self.trio_moments),
        ):
            if groups:
                cells = tuple((", ".join(one.judges), one.value) for one in groups)
                yield Table(caption, ("judges", name), cells, "groups of judges")
        yield from map(Sentence, self.left_out)
        if self.confusion is not None:
            yield Table(
                "Answers of each judge by true label",
                ("judge", "true label", *(f"answered {label}" for label in votes.labels)),
                tuple(
                    (judge, true, *row.values())
                    for judge, counts in self.confusion.items()
                    for true, row in counts.items()
                ),
            )

    def _patterns(self) -> Table:
        labeled = isinstance(self.votes, LabeledVoteCounts)
        observed = self.votes.observed() if isinstance(self.votes, LabeledVoteCounts) else self.votes
        by_label = self.votes.by_label if isinstance(self.votes, LabeledVoteCounts) else {}
        rows = tuple(
            (
                ", ".join(label or "-" for label in pattern),
                count,
                *(part.counts[pattern] for part in by_label.values()),
            )
            for pattern, count in observed.counts.items()
        )
        true = tuple(f"true {label}" for label in by_label) if labeled else ()
        caption = "How often each pattern of answers was seen (judges in the order above)"
        return Table(caption, ("pattern", "count", *true), rows, "patterns")


def study_answers(votes: VoteCounts | LabeledVoteCounts, key: CountEvaluation | None = None) -> AnswersStudy:
    """Return what was voted; `key` are grades in counts where the votes have no key of their own."""
    observed = votes.observed() if isinstance(votes, LabeledVoteCounts) else votes
    judges, left_out = observed.judges, []

    def each(size: int, name: str, statistic: Callable[..., mpq]) -> tuple[GroupValue, ...]:
        groups = comb(len(judges), size)
        if groups > _MAX_GROUPS:
            left_out.append(f"The {name} of {groups} groups of {size} judges are left out.")
        if not observed.size or groups > _MAX_GROUPS:
            return ()
        chosen = combinations(range(len(judges)), size)
        return tuple(GroupValue(tuple(judges[i] for i in group), statistic(*group)) for group in chosen)

    confusion: Any = None if key is None else dict(zip(judges, key.confusion, strict=True))
    if isinstance(votes, LabeledVoteCounts):
        confusion = {judge: votes.confusion(index) for index, judge in enumerate(judges)}
    is_binary = len(observed.labels) == 2
    return AnswersStudy(
        votes,
        observed.size,
        {judge: observed.responses(index) for index, judge in enumerate(judges)},
        observed.agreement() if observed.size and len(judges) > 1 else None,
        each(2, "agreements", observed.agreement),
        each(2, "moments", observed.pair_moment) if is_binary else (),
        each(3, "moments", observed.trio_moment) if is_binary else (),
        confusion,
        tuple(left_out),
    )


@dataclass(frozen=True, slots=True)
class AbstentionsStudy(Value):
    """How often each judge abstained and was right, by the key if there is one, else by the majority."""

    votes: AbstainingVotes
    questions: int
    answered_by_all: int
    by: str
    judges: Mapping[str, Mapping[str, Any]]

    def blocks(self) -> Iterator[Block]:
        """Yield how the evaluators treat it, and a row for each judge."""
        rest = counted(self.questions - self.answered_by_all, "question")
        yield Sentence(
            f"{self.votes.abstain!r} is an abstention: an answer that is never the true label. The majority is that of "
            f"the other answers, on all {counted(self.questions, 'question')}. All other parts use the "
            f"{counted(self.answered_by_all, 'question')} that all judges answered, and leave out {rest}."
        )
        header = ("judge", "abstained", "right", "wrong", "right where it answered")
        rows = tuple((judge, *counts.values()) for judge, counts in self.judges.items())
        yield Table(f"Answers of each judge by {self.by}, on all questions", header, rows, "judges")


def study_abstentions(votes: AbstainingVotes, *, ties: TiePolicy | str) -> AbstentionsStudy:
    """Return how often each judge abstained, and how often it was right where it answered."""
    by, key = "the majority of the answers", majority_vote(votes, ties=ties).key
    if isinstance(votes.votes, LabeledVoteCounts):
        by, key = "the answer key", votes.votes
    judges = {}
    for index, judge in enumerate(votes.judges):
        confusion, abstained = key.confusion(index), votes.abstentions(index)
        right, answered = sum(confusion[label][label] for label in votes.labels), votes.size - abstained
        judges[judge] = {
            "abstained": abstained,
            "right": right,
            "wrong": answered - right,
            "right_where_it_answered": mpq(right, answered) if answered else None,
        }
    return AbstentionsStudy(votes, votes.size, votes.answered().size, by, judges)


@dataclass(frozen=True, slots=True)
class ChanceValue:
    """A coefficient of agreement of some judges."""

    coefficient: Coefficient
    weights: Weights
    judges: tuple[str, ...]
    value: MetricValue


@dataclass(frozen=True, slots=True)
class View:
    """Ratings as two labels, below a level and from it on: shares of the latter, and agreement."""

    at_least: str
    shares: Mapping[str, mpq | None]
    percent_agreement: MetricValue
    krippendorff: MetricValue


@dataclass(frozen=True, slots=True)
class ChanceStudy(Value):
    """Agreement beyond chance, and for ratings the view from each level on."""

    labels: tuple[str, ...]
    coefficients: tuple[ChanceValue, ...]
    views: tuple[View, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield the coefficients of all judges and of each pair, then the views."""
        yield Sentence(f"Declared labels: {', '.join(self.labels)}.")
        of_all = tuple(
            (_NAMES[one.coefficient], one.weights.value, one.value)
            for one in self.coefficients
            if one.coefficient not in _OF_PAIRS
        )
        of_pairs = tuple(
            (_NAMES[one.coefficient], ", ".join(one.judges), one.weights.value, one.value)
            for one in self.coefficients
            if one.coefficient in _OF_PAIRS
        )
        if of_all:
            yield Table("All judges", ("coefficient", "weights", "value"), of_all, "coefficients")
        if of_pairs:
            header = ("coefficient", "judges", "weights", "value")
            yield Table("Pairs of judges", header, of_pairs, "coefficients")
        if self.views:
            yield Table(
                "Each level as two labels, below it and from it on: shares from it on, and agreement",
                ("from", *self.views[0].shares, "pairs that agree", "Krippendorff's α"),
                tuple(
                    (one.at_least, *one.shares.values(), one.percent_agreement, one.krippendorff)
                    for one in self.views
                ),
                "levels",
            )
            yield Sentence(
                "Only agreement uses the order of the levels; every other command compares labels by name. For them, "
                "choose the level that matters: --ordinal with --at-least LEVEL."
            )


def study_chance(
    votes: VoteCounts,
    *,
    coefficients: tuple[Coefficient, ...] = tuple(Coefficient),
    weights: tuple[Weights, ...] = (Weights.NOMINAL,),
) -> ChanceStudy:
    """Return the coefficients that are defined for these answers and weights, of all judges or of each pair."""
    values = []
    for kind in coefficients:
        groups = combinations(votes.judges, 2) if kind in _OF_PAIRS else iter([votes.judges])
        for judges in groups:
            part = votes.marginal(*judges) if kind in _OF_PAIRS else votes
            for weighting in weights:
                try:
                    value = agreement(part, kind, weights=weighting)
                except (BadChoice, BadNumber, BadVotes):
                    continue  # the coefficient does not apply to these answers
                values.append(ChanceValue(kind, weighting, judges, value))
    return ChanceStudy(votes.labels, tuple(values))


def study_ratings(
    votes: VoteCounts,
    *,
    coefficients: tuple[Coefficient, ...] = tuple(Coefficient),
    weights: tuple[Weights, ...] = (),
) -> ChanceStudy:
    """Return agreement weighted by the order of the labels, lowest first, and the view from each level on.

    >>> votes = VoteCounts({"12": 1, "33": 1}, labels=["1", "2", "3"])
    >>> [str(view.percent_agreement) for view in study_ratings(votes).views]
    ['1/2', '1']
    """
    of_all = study_chance(votes, coefficients=coefficients, weights=weights or _BY_ORDER)
    views = tuple(_view(votes, level) for level in votes.labels[1:])
    return ChanceStudy(votes.labels, of_all.coefficients, views)


def _view(votes: VoteCounts, at_least: str) -> View:
    names, seen_as = two_labels(votes.labels, at_least)
    seen = relabeled(votes, seen_as, names)
    shares: dict[str, mpq | None] = {}
    for index, judge in enumerate(votes.judges):
        below, above = seen.responses(index).values()
        shares[judge] = mpq(above, below + above) if below + above else None
    percent, alpha = agreement(seen, Coefficient.PERCENT_POOLED), agreement(seen, Coefficient.KRIPPENDORFF)
    return View(at_least, shares, percent, alpha)
