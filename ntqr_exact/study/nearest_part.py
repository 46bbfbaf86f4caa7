"""The whole numbers nearest to the independent solution that the votes allow, with the correlations they leave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Table
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.study.study import Part, as_document
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import pair_correlation_ends
from ntqr_exact.votes.counts import VoteCounts


@dataclass(frozen=True, slots=True)
class CorrelationRange:
    """What the error correlation of a pair on a label can be, over this many consistent points."""

    judges: tuple[str, str]
    label: str
    least: mpq
    greatest: mpq
    points: int


@dataclass(frozen=True, slots=True)
class NearestStudy(Part):
    """The nearest consistent counts, and the ranges of the correlations that go with them."""

    anchor: ClassVar[str] = "nearest"
    title: ClassVar[str] = "Nearest whole numbers to the independent solution that the votes allow"

    judges: tuple[str, ...]
    evaluation: CountEvaluation
    correlations: tuple[CorrelationRange, ...]

    def to_document(self) -> dict[str, Any]:
        """Return counts and correlations."""
        return {
            "key_counts": dict(self.evaluation.key_counts),
            "right": dict(zip(self.judges, self.evaluation.correct, strict=True)),
            "correlations": as_document(self.correlations),
        }

    def blocks(self) -> Iterator[Block]:
        """Yield right answers of each judge, and a row for each pair and label."""
        found = self.evaluation
        key = ", ".join(f"{count} of {label}" for label, count in found.key_counts.items())
        yield Table(
            f"Right answers, if the key has {key}",
            ("judge", *(f"on {label}" for label in found.labels)),
            tuple((judge, *row.values()) for judge, row in zip(self.judges, found.correct, strict=True)),
        )
        yield Table(
            "Error correlations that pairs of judges can have with it",
            ("", "from", "to"),
            tuple(
                (f"{', '.join(one.judges)} on {one.label}", one.least, one.greatest)
                for one in self.correlations
            ),
        )


def study_nearest(votes: VoteCounts, target: Evaluation) -> NearestStudy:
    """Return the consistent counts of three judges between two labels that are nearest to an evaluation."""
    found = ConsistentSet(votes).nearest(target).evaluation
    ranges = (pair_ranges(votes, found, i, j) for i, j in combinations(range(len(votes.judges)), 2))
    return NearestStudy(votes.judges, found, tuple(one for pair in ranges for one in pair))


def pair_ranges(votes: VoteCounts, grades: CountEvaluation, i: int, j: int) -> list[CorrelationRange]:
    """Return what Γ of a pair can be with these grades, on each label that has questions; none if inconsistent."""
    count, ends = pair_correlation_ends(votes, grades, i, j)
    names = votes.judges[i], votes.judges[j]
    found = []
    for place, label in enumerate(votes.labels):
        values = [value for end in ends if isinstance(value := end.correlations[place], mpq)]
        if values:
            found.append(CorrelationRange(names, label, min(values), max(values), count))
    return found
