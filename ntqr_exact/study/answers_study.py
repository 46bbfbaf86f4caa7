"""What was answered: patterns, answers of each judge, agreement of all and of pairs, beyond chance or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Sentence, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import spend
from ntqr_exact.errors import BadChoice, BadNumber, BadVotes
from ntqr_exact.exact.show import counted, value_text
from ntqr_exact.metrics.formulas import MetricValue
from ntqr_exact.sampling.chance_agreement import Coefficient, Weights, agreement
from ntqr_exact.votes.counts import VoteCounts, trusted_votes
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern

_MAX_GROUPS = 5_000
"""Statistics of more pairs or trios of judges are left out."""

_STATISTICS = {
    "agreements": "Share of questions on which a pair agrees",
    "pair_moments": "Pair moments Δ_ij = f_bb − f_b·f_b",
    "trio_moments": "Trio moments T",
}
_BY_ORDER = (Weights.ORDINAL, Weights.LINEAR, Weights.QUADRATIC)
_OF_PAIRS = (Coefficient.COHEN, Coefficient.SCOTT)


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
    statistics: Mapping[str, tuple[GroupValue, ...]]
    left_out: tuple[str, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield the patterns, the answers of each judge, and the statistics of pairs and trios."""
        votes = self.votes
        size = f"{counted(self.size, 'question')}, {counted(len(votes.judges), 'judge')}"
        yield Sentence(f"{size} ({', '.join(votes.judges)}), labels {', '.join(votes.labels)}.")
        if not self.size:
            return
        by_label = votes.by_label if isinstance(votes, LabeledVoteCounts) else {}
        patterns = tuple(
            (", ".join(label or "-" for label in each), n, *(part.counts[each] for part in by_label.values()))
            for each, n in _observed(votes).counts.items()
        )
        caption = "How often each pattern of answers was seen (judges in the order above)"
        header = ("pattern", "count", *(f"true {label}" for label in by_label))
        yield Table(caption, header, patterns, "patterns")
        rows = tuple((judge, *counts.values()) for judge, counts in self.responses.items())
        yield Table("How often each judge gave each label", ("judge", *votes.labels), rows, "judges")
        if self.agreement_of_all is not None:
            share = value_text(self.agreement_of_all)
            yield Sentence(f"Share of questions on which all judges agree: {share}.")
        for name, groups in self.statistics.items():
            cells = tuple((", ".join(one.judges), one.value) for one in groups)
            yield Table(_STATISTICS[name], ("judges", "value"), cells, "groups of judges")
        yield from map(Sentence, self.left_out)


def _observed(votes: VoteCounts | LabeledVoteCounts) -> VoteCounts:
    return votes.observed() if isinstance(votes, LabeledVoteCounts) else votes


def study_answers(votes: VoteCounts | LabeledVoteCounts) -> AnswersStudy:
    """Return what was voted, with the agreements and moments of pairs and trios."""
    observed, left_out = _observed(votes), []
    judges = observed.judges
    kinds: list[tuple[str, int, Callable[..., mpq]]] = [("agreements", 2, observed.agreement)]
    if len(observed.labels) == 2:
        kinds += [("pair_moments", 2, observed.pair_moment), ("trio_moments", 3, observed.trio_moment)]
    statistics: dict[str, list[GroupValue]] = {}
    for name, size, statistic in kinds if observed.size else ():
        if (groups := comb(len(judges), size)) > _MAX_GROUPS:
            left_out.append(f"{_STATISTICS[name]}: left out for {groups} groups of {size} judges.")
            continue
        for group in combinations(judges, size):
            if not observed.has_gaps or observed.common(group).size:  # else they have no common question
                statistics.setdefault(name, []).append(GroupValue(group, statistic(*group)))
    return AnswersStudy(
        votes,
        observed.size,
        {judge: observed.responses(index) for index, judge in enumerate(judges)},
        observed.agreement() if observed.common().size and len(judges) > 1 else None,
        {name: tuple(values) for name, values in statistics.items()},
        tuple(left_out),
    )


@dataclass(frozen=True, slots=True)
class ChanceValue:
    """A coefficient of agreement of some judges."""

    coefficient: Coefficient
    weights: Weights
    judges: tuple[str, ...]
    value: MetricValue


@dataclass(frozen=True, slots=True)
class ChanceStudy(Value):
    """Agreement beyond chance, of all judges and of pairs."""

    labels: tuple[str, ...]
    coefficients: tuple[ChanceValue, ...]
    left_out: tuple[str, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield the coefficients of all judges and of each pair."""
        yield Sentence(f"Declared labels: {', '.join(self.labels)}.")
        rows = []
        for one in self.coefficients:
            judges = ", ".join(one.judges) if one.coefficient in _OF_PAIRS else "all"
            rows.append((one.coefficient, judges, one.weights.value, one.value))
        yield Table("Agreement", ("coefficient", "judges", "weights", "value"), tuple(rows), "coefficients")
        yield from map(Sentence, self.left_out)


def study_chance(votes: VoteCounts, *, is_ordinal: bool = False) -> ChanceStudy:
    """Return the coefficients that are defined for these answers, of all judges or of each pair.

    Ratings, lowest first, have weights for near misses. Of many pairs, those with most common questions count.

    >>> votes = VoteCounts({"12": 1, "33": 1}, labels=["1", "2", "3"])
    >>> sorted({one.weights.value for one in study_chance(votes, is_ordinal=True).coefficients})
    ['linear', 'ordinal', 'quadratic']
    """
    values, pairs, number = [], _pairs(votes), comb(len(votes.judges), 2)
    for kind in Coefficient:
        for part in pairs if kind in _OF_PAIRS else [votes]:
            for weights in _BY_ORDER if is_ordinal else (Weights.NOMINAL,):
                try:
                    value = agreement(part, kind, weights=weights)
                except (BadChoice, BadNumber, BadVotes):
                    continue  # the coefficient does not apply to these answers
                values.append(ChanceValue(kind, weights, part.judges, value))
    text = f"Of {number} pairs of judges, the {len(pairs)} with the most common questions are measured."
    return ChanceStudy(votes.labels, tuple(values), (text,) if len(pairs) < number else ())


def _pairs(votes: VoteCounts) -> list[VoteCounts]:
    """Return the votes of each pair of judges on the questions that both answered, of many pairs the largest."""
    tables: dict[tuple[int, int], dict[Pattern, int]] = {}
    for pattern, count in votes.counts.items():
        given = [(judge, label) for judge, label in enumerate(pattern) if label is not None]
        spend("agreement of pairs of judges", len(given) ** 2 // 10)
        for (i, a), (j, b) in combinations(given, 2):
            table = tables.setdefault((i, j), {})
            table[a, b] = table.get((a, b), 0) + count
    names = votes.judges
    every: Iterable[tuple[int, int]] = combinations(range(len(names)), 2)
    if comb(len(names), 2) > _MAX_GROUPS:
        every = sorted(sorted(tables, key=lambda pair: -sum(tables[pair].values()))[:_MAX_GROUPS])
    return [trusted_votes(tables.get((i, j), {}), votes.labels, (names[i], names[j])) for i, j in every]
