"""Error correlations of pairs of judges: by the key, their whole range, and with given or the nearest whole grades."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Heading, Picture, Sentence, Table
from ntqr_exact.errors import EmptyTest
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Rate
from ntqr_exact.exact.json_text import as_document
from ntqr_exact.study.study import Part
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.correlations import pair_correlation_ends
from ntqr_exact.votes.counts import VoteCounts

_MOST_PICTURES = 3
_LARGEST_GROUP = 3
"""Judges of a group whose correlation by the key is shown; the document of the key has all."""

_MOST_QUESTIONS = 20_000
"""Questions of a label up to which ranges are looked for, which takes a step for each."""


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
        return {**_grades(self.judges, self.evaluation), "correlations": as_document(self.correlations)}

    def blocks(self) -> Iterator[Block]:
        """Yield right answers of each judge, and a row for each pair and label."""
        found = self.evaluation
        key = ", ".join(f"{count} of {label}" for label, count in found.key_counts.items())
        yield Table(
            f"Right answers, if the key has {key}",
            ("judge", *(f"on {label}" for label in found.labels)),
            tuple((judge, *row.values()) for judge, row in zip(self.judges, found.correct, strict=True)),
        )
        ranges = self.correlations
        rows = tuple((f"{', '.join(one.judges)} on {one.label}", one.least, one.greatest) for one in ranges)
        yield Table("Error correlations that pairs of judges can have with it", ("", "from", "to"), rows)


def study_nearest(votes: VoteCounts, target: Evaluation) -> NearestStudy:
    """Return the consistent counts of three judges between two labels that are nearest to an evaluation."""
    found = ConsistentSet(votes).nearest(target).evaluation
    ranges = (pair_ranges(votes, found, i, j) for i, j in combinations(range(len(votes.judges)), 2))
    return NearestStudy(votes.judges, found, tuple(one for pair in ranges for one in pair))


def _grades(judges: tuple[str, ...], counts: CountEvaluation) -> dict[str, Any]:
    return {"key_counts": dict(counts.key_counts), "right": dict(zip(judges, counts.correct, strict=True))}


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


@dataclass(frozen=True, slots=True)
class KeyCorrelation:
    """The correlation of a group of judges on a label, by the answer key."""

    judges: tuple[str, ...]
    label: str
    value: Rate


@dataclass(frozen=True, slots=True)
class WholeRange:
    """What Γ of a pair on a label can be at key counts, whatever else is true; `why_not` says why it is not told."""

    judges: tuple[str, str]
    label: str
    least: mpq | None = None
    greatest: mpq | None = None
    why_not: str | None = None


@dataclass(frozen=True, slots=True)
class PairInterval:
    """The ranges of a pair with fixed grades, by label, and P_a·Γ^a + P_b·Γ^b, which is the same in all."""

    votes: VoteCounts
    grades: CountEvaluation
    ranges: tuple[CorrelationRange, ...]
    fixed: mpq


@dataclass(frozen=True, slots=True)
class CorrelationsStudy(Part):
    """Correlations by the key; ranges and intervals at `reference`, whole-number grades that the votes allow."""

    anchor: ClassVar[str] = "correlations"
    title: ClassVar[str] = "Error correlations"

    judges: tuple[str, ...]
    by_key: tuple[KeyCorrelation, ...]
    reference: CountEvaluation
    reference_name: str
    ranges: tuple[WholeRange, ...]
    intervals: tuple[PairInterval, ...]

    def to_document(self) -> dict[str, Any]:
        """Return correlations, ranges and intervals."""
        return {
            "by_key": as_document(self.by_key),
            "reference": {"name": self.reference_name, **_grades(self.judges, self.reference)},
            "ranges": as_document(self.ranges),
            "with_reference_grades": [
                {"fixed": one.fixed, "ranges": as_document(one.ranges)} for one in self.intervals
            ],
        }

    def blocks(self) -> Iterator[Block]:
        """Yield a table of each kind, and pictures of the first pairs."""
        yield Sentence(
            "The error correlation Γ of two judges on a label is the mean, over its questions, of the product of (1 if "
            "right else 0) − accuracy: 0 if they err independently there, at most 1/4 in size."
        )
        if self.by_key:
            rows = tuple((", ".join(one.judges), one.label, one.value) for one in self.by_key)
            yield Table("Correlations by the answer key", ("judges", "label", "Γ"), rows, "correlations")
        told = ", ".join(f"{count} of {label}" for label, count in self.reference.key_counts.items())
        yield Table(
            f"What Γ can be at the key counts of {self.reference_name} ({told}), whatever the grades",
            ("judges", "label", "from", "to"),
            tuple(
                (", ".join(one.judges), one.label, one.why_not or one.least, one.why_not or one.greatest)
                for one in self.ranges
            ),
            "pairs and labels",
        )
        if self.intervals:
            yield from self._intervals()

    def _intervals(self) -> Iterator[Block]:
        yield Heading(f"With the grades of {self.reference_name}")
        graded = zip(self.judges, self.reference.correct, strict=True)
        right = ((f"judge {judge} right", *counts.values()) for judge, counts in graded)
        yield Table(
            f"The grades of {self.reference_name}, in counts",
            ("", *self.reference.labels),
            (("questions", *self.reference.key_counts.values()), *right),
        )
        alone = "" if len(self.judges) <= 3 else " Each pair is looked at by itself."
        yield Sentence(
            "Votes and grades do not fix the correlations: only P_a·Γ^a + P_b·Γ^b is the same in all consistent "
            f"evaluations.{alone}"
        )
        rows = tuple(
            (
                ", ".join(pair.ranges[0].judges),
                pair.ranges[0].points,
                *(end for one in pair.ranges for end in (one.least, one.greatest)),
                pair.fixed,
            )
            for pair in self.intervals
        )
        ends = (end for label in self.reference.labels for end in (f"Γ on {label}, from", "to"))
        header = ("judges", "points", *ends, "P_a·Γ^a + P_b·Γ^b, always")
        yield Table("Consistent pairs of correlations", header, rows, "pairs")
        for place, pair in enumerate(self.intervals[:_MOST_PICTURES], start=1):
            one = pair.ranges[0]
            caption = (
                f"All consistent error correlations of judges {' and '.join(one.judges)} with these grades: "
                f"{one.points} points on a line"
            )
            data = (pair.votes, pair.grades, *one.judges)
            yield Picture(f"correlations-{place}", caption, "plot_pair_correlations", data)


def study_correlations(
    votes: VoteCounts, by_key: Evaluation | None, reference: CountEvaluation, reference_name: str
) -> CorrelationsStudy:
    """Return the correlations of all pairs; `by_key` are the grades by an answer key of the votes' own."""
    known = {} if by_key is None else by_key.correlations
    return CorrelationsStudy(
        votes.judges,
        tuple(
            KeyCorrelation(tuple(votes.judges[place] for place in subset), label, value)
            for (label, subset), value in known.items()
            if len(subset) <= _LARGEST_GROUP
        ),
        reference,
        reference_name,
        tuple(_ranges(votes, dict(reference.key_counts))),
        tuple(_pair_intervals(votes, reference)),
    )


def _ranges(votes: VoteCounts, key: dict[str, int]) -> Iterator[WholeRange]:
    consistent = ConsistentSet(votes)
    for pair in combinations(votes.judges, 2):
        for label, asked in key.items():
            if asked > _MOST_QUESTIONS:
                yield WholeRange(pair, label, why_not="not looked for")
                continue
            try:
                yield WholeRange(pair, label, *consistent.correlation_range(label, *pair, at=key))
            except EmptyTest as error:
                yield WholeRange(pair, label, why_not=error.rule)


def _pair_intervals(votes: VoteCounts, grades: CountEvaluation) -> Iterator[PairInterval]:
    if len(votes.labels) != 2 or not all(grades.key_counts.values()):
        return
    for i, j in combinations(range(len(votes.judges)), 2):
        among, own, places = votes, grades, (i, j)
        if len(votes.judges) > 3:
            among, places = votes.marginal(i, j), (0, 1)
            own = CountEvaluation(grades.key_counts, [grades.confusion[i], grades.confusion[j]])
        ranges = pair_ranges(among, own, *places)
        if ranges:
            a, b = (mpq(count, votes.size) for count in grades.key_counts.values())
            # Γ^a is least where Γ^b is greatest.
            fixed = a * ranges[0].least + b * ranges[1].greatest
            yield PairInterval(among, own, tuple(ranges), fixed)
