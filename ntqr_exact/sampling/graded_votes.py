"""The data of a partial key: votes, graded questions, how they were chosen, and the interval of any count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self

from ntqr_exact.budget import spend
from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadDocument, BadVotes, NotAtRandom, NotSupported, NotVotes
from ntqr_exact.exact.json_text import read_json, write_json
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.sampling.designs import Hypergeometric, check_level
from ntqr_exact.sampling.sample_intervals import Interval, blaker_interval, central_interval
from ntqr_exact.sampling.strata import GradedStratum, strata_interval
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern, check_pattern, join_pattern, split_pattern


class Drawn(Enum):
    """How the graded questions were chosen among all."""

    AT_RANDOM = "at_random"
    BY_STRATA = "by_strata"
    NOT_AT_RANDOM = "not_at_random"


Strata = tuple[tuple[Pattern, ...], ...]


def check_strata(votes: VoteCounts, drawn: Drawn, strata: Iterable[Iterable[object]] | None) -> Strata:
    """Return the strata: groups of answer patterns that hold each pattern seen exactly once.

    Those of one random sample are a single one; drawn by strata, each pattern is one unless given.

    >>> check_strata(VoteCounts({"aa": 2, "ab": 1}), Drawn.BY_STRATA, None)
    ((('a', 'a'),), (('a', 'b'),))
    """
    seen = tuple(votes.counts)
    if drawn is not Drawn.BY_STRATA:
        if strata is not None:
            raise BadVotes(strata, "only questions drawn by strata have strata", "say drawn='by_strata'")
        return (seen,) if seen else ()
    if strata is None:
        return tuple((pattern,) for pattern in seen)
    place = {pattern: index for index, pattern in enumerate(seen)}
    groups = []
    for group in strata:
        if isinstance(group, str):
            raise BadVotes(group, "a stratum must be a list of patterns")
        patterns = {check_pattern(pattern, votes.labels) for pattern in group}
        groups.append(tuple(sorted((p for p in patterns if p in place), key=place.__getitem__)))
    held = [pattern for group in groups for pattern in group]
    if sorted(held, key=place.__getitem__) != list(seen):
        raise BadVotes(strata, "strata must hold every pattern that was seen exactly once")
    return tuple(sorted((group for group in groups if group), key=lambda group: place[group[0]]))


Outcome = Callable[[Pattern, str], bool]
"""Whether a question with this pattern and this true label counts."""


class Shape(Enum):
    """Which interval is made from one random sample."""

    CENTRAL = "central"
    BLAKER = "blaker"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class GradedVotes:
    """Votes on all questions, those of the graded ones by true label, and how these were chosen."""

    votes: VoteCounts
    graded: LabeledVoteCounts
    drawn: Drawn
    strata: Strata

    def __init__(
        self,
        votes: VoteCounts,
        graded: LabeledVoteCounts | Mapping[str, VoteCounts | Mapping[Any, RationalLike]],
        *,
        drawn: Drawn | str,
        strata: Iterable[Iterable[object]] | None = None,
    ) -> None:
        if not isinstance(votes, VoteCounts):
            raise NotVotes(votes, "a partial key needs the VoteCounts of all questions")
        key = _labeled(graded, votes)
        seen = key.observed()
        for pattern, count in seen.counts.items():
            if count > votes.counts[pattern]:
                rule = f"{count} questions of this pattern are graded, and {votes.counts[pattern]} were seen"
                raise BadVotes(pattern, rule)
        kind = chosen(drawn, Drawn)
        values = {"votes": votes, "graded": key, "drawn": kind, "strata": check_strata(votes, kind, strata)}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    # -- parts ------------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of all questions, Q."""
        return self.votes.size

    @property
    def graded_size(self) -> int:
        """The number of graded questions, m."""
        return self.graded.size

    def ungraded(self) -> VoteCounts:
        """Return the votes on the questions that are not graded, u_p."""
        seen = self.graded.observed().counts
        left = {pattern: count - seen[pattern] for pattern, count in self.votes.counts.items()}
        return VoteCounts(left, self.votes.labels, self.votes.judges)

    def count(self, outcome: Outcome) -> int:
        """Return the number of graded questions that count."""
        return sum(
            number
            for label, votes in self.graded.by_label.items()
            for pattern, number in votes.counts.items()
            if outcome(pattern, label)
        )

    def interval(
        self,
        outcome: Outcome,
        within: Callable[[Pattern], bool] = lambda _: True,
        *,
        level: RationalLike = "0.95",
        shape: Shape | str = Shape.CENTRAL,
    ) -> Interval:
        """Return an interval for the number of questions that count, among those whose pattern is `within`.

        Given how many of them are graded, those are a random sample of them, in every stratum.
        """
        share, kind = check_level(level), chosen(shape, Shape)
        if self.drawn is Drawn.NOT_AT_RANDOM and self.graded_size < self.size:
            rule = "an interval needs questions drawn at random"
            raise NotAtRandom(self.drawn.value, rule, "ranges holds whatever was graded")
        cells = self.cells(outcome, within)
        if kind is Shape.CENTRAL and len(cells) != 1:
            return strata_interval(cells, share)
        if len(cells) > 1:
            raise NotSupported(kind.value, "strata have the central interval only")
        if not cells:
            return 0, 0
        make = central_interval if kind is Shape.CENTRAL else blaker_interval
        return make(cells[0].design, cells[0].right, share)

    def cells(self, outcome: Outcome, within: Callable[[Pattern], bool]) -> list[GradedStratum]:
        """Return the graded questions of each stratum, and those that count, among the patterns `within`."""
        cells = []
        width = len(self.votes.judges)
        spend("the intervals of so many judges", 50 + len(self.votes.counts) * (2 + width // 50))
        for stratum in self.strata:
            patterns = {pattern: self.votes.counts[pattern] for pattern in stratum if within(pattern)}
            graded = right = 0
            for label, votes in self.graded.by_label.items():
                for pattern, number in votes.counts.items():
                    if pattern in patterns:
                        graded += number
                        right += number if outcome(pattern, label) else 0
            if patterns:
                cells.append(GradedStratum(Hypergeometric(sum(patterns.values()), graded), right))
        return cells

    # -- forms ------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        strata = f", strata={self.strata!r}" if self.drawn is Drawn.BY_STRATA else ""
        return f"{type(self).__name__}({self.votes!r}, {self.graded!r}, drawn={self.drawn.value!r}{strata})"

    def to_document(self) -> dict[str, Any]:
        """Return the partial key as a JSON document."""
        document = self.votes.to_document()
        document["graded"] = self.graded.to_document()["counts_by_label"]
        document["drawn"] = self.drawn.value
        if self.drawn is Drawn.BY_STRATA:
            document["strata"] = [[join_pattern(pattern) for pattern in group] for group in self.strata]
        return document

    def to_json(self) -> str:
        """Return the partial key as JSON, the same bytes every time."""
        return write_json(self.to_document())

    @classmethod
    def from_document(cls, document: object) -> Self:
        """Return the partial key that `to_document` wrote."""
        match document:
            case {"graded": dict(parts), "drawn": drawn, **rest}:
                groups = rest.pop("strata", None)
                votes = VoteCounts.from_document(rest)
                graded = {
                    label: VoteCounts.from_document({**rest, "counts": part}) for label, part in parts.items()
                }
                return cls(votes, graded, drawn=drawn, strata=_patterns(groups))
        rule = "a partial key has labels, judges, counts, graded and drawn, may have strata, and no others"
        raise BadDocument(document, rule)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the partial key that `to_json` wrote."""
        return cls.from_document(read_json(text))


def _patterns(groups: object) -> list[list[Pattern]] | None:
    if groups is None:
        return None
    if not isinstance(groups, list) or not all(isinstance(group, list) for group in groups):
        raise BadDocument(groups, "strata are lists of patterns")
    return [[split_pattern(str(pattern)) for pattern in group] for group in groups]


def _labeled(graded: object, votes: VoteCounts) -> LabeledVoteCounts:
    if isinstance(graded, LabeledVoteCounts):
        key = graded
    elif isinstance(graded, Mapping):
        empty = VoteCounts({}, votes.labels, votes.judges)
        parts = {
            label: part if isinstance(part, VoteCounts) else VoteCounts(part, votes.labels, votes.judges)
            for label, part in graded.items()
        }
        key = LabeledVoteCounts(parts or {votes.labels[0]: empty})
    else:
        raise NotVotes(graded, "the graded questions map each true label to counts by pattern")
    if (key.labels, key.judges) != (votes.labels, votes.judges):
        raise BadVotes(key, "the graded questions have the labels and judges of the votes, in order")
    return key
