"""How much the judges agree beyond chance: every coefficient that is made for the answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ntqr_exact.blocks.block import Block, Section, Sentence, Table
from ntqr_exact.errors import BadChoice, BadNumber, BadVotes
from ntqr_exact.graded.answer_table import AnswerTable
from ntqr_exact.graded.chance_agreement import Coefficient, Weights, agreement
from ntqr_exact.metrics.undefined import MetricValue, Undefined
from ntqr_exact.study.study import Part
from ntqr_exact.votes.counts import VoteCounts

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
class ChanceStudy(Part):
    """Each coefficient with its judges, weights and value; one that is 0/0 has no value, and says why."""

    labels: tuple[str, ...]
    values: tuple[tuple[Coefficient, Weights, tuple[str, ...], MetricValue], ...]

    def to_document(self) -> dict[str, Any]:
        """Return the coefficients as a JSON document."""
        return {
            "labels": list(self.labels),
            "coefficients": [
                {
                    "coefficient": kind.value,
                    "weights": weights.value,
                    "judges": list(judges),
                    "value": None if isinstance(value, Undefined) else value,
                    "undefined": value.value if isinstance(value, Undefined) else None,
                }
                for kind, weights, judges, value in self.values
            ],
        }

    def section(self) -> Section:
        """Return the coefficients of all judges, and of each pair."""
        return Section("chance", "Agreement beyond chance", tuple(self._blocks()))

    def _blocks(self) -> Iterator[Block]:
        yield Sentence(f"Declared labels: {', '.join(self.labels)}.")
        for caption, of_pairs in (("All judges", False), ("Pairs of judges", True)):
            rows = tuple(
                (
                    _NAMES[kind],
                    *((", ".join(judges),) if of_pairs else ()),
                    weights.value,
                    f"no value: {value.value}" if isinstance(value, Undefined) else value,
                )
                for kind, weights, judges, value in self.values
                if (kind in _OF_PAIRS) == of_pairs
            )
            if rows:
                header = ("coefficient", *(("judges",) if of_pairs else ()), "weights", "value")
                yield Table(caption, header, rows, "coefficients")


def study_chance(
    votes: VoteCounts | AnswerTable,
    *,
    coefficients: tuple[Coefficient, ...] = tuple(Coefficient),
    weights: tuple[Weights, ...] = (Weights.NOMINAL,),
) -> ChanceStudy:
    """Return the coefficients that are made for these answers and weights, of all judges or of each pair."""
    table = AnswerTable.from_votes(votes) if isinstance(votes, VoteCounts) else votes
    found = []
    for kind in coefficients:
        groups = combinations(table.judges, 2) if kind in _OF_PAIRS else iter([table.judges])
        for judges in groups:
            part = table.marginal(*judges) if kind in _OF_PAIRS else table
            for weighting in weights:
                try:
                    value = agreement(part, kind, weights=weighting)
                except (BadChoice, BadNumber, BadVotes):
                    continue  # not made for these answers
                found.append((kind, weighting, judges, value))
    return ChanceStudy(table.labels, tuple(found))
