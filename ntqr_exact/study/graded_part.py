"""A few graded questions: what is certain of each judge, what is known at a level, and what to grade next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Heading, Picture, Sentence, Table
from ntqr_exact.exact.json_text import as_document
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import counted, value_text
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.sampling.designs import check_level
from ntqr_exact.sampling.graded_ranges import (
    JudgeRanges,
    KeyRanges,
    PairRanges,
    ValueRange,
    differ_on,
)
from ntqr_exact.sampling.intervals import SAMPLE_METHODS, Interval, IntervalMethod, coverage_of
from ntqr_exact.sampling.partial_key import Drawn, PartialKey
from ntqr_exact.study.study import Brief, Column, Part

_MOST_JUDGES = 100
"""Judges up to which each pair of them is compared."""

_LARGEST_COVERAGE = 2000
"""Questions up to which the coverages of all methods are computed: about a second."""

_HOW = {
    Drawn.AT_RANDOM: "drawn at random among all",
    Drawn.BY_STRATA: "drawn at random in each stratum of answer patterns",
    Drawn.NOT_AT_RANDOM: "not drawn at random",
}


class JudgeIntervals(NamedTuple):
    """Intervals of one judge's right answers; those that the drawing does not allow are `None`."""

    judge: str
    central: Interval
    blaker: Interval | None
    while_grading: Interval | None
    metrics: dict[str, ValueRange] | None


@dataclass(frozen=True, slots=True)
class GradedStudy(Part):
    """A partial key with all ranges, and all intervals where the graded questions were drawn at random."""

    anchor: ClassVar[str] = "graded"
    title: ClassVar[str] = "What the graded questions tell"

    key: PartialKey
    level: mpq
    keys: KeyRanges
    ranges: tuple[JudgeRanges, ...]
    pairs: tuple[PairRanges, ...]
    intervals: tuple[JudgeIntervals, ...]
    differences: tuple[tuple[tuple[str, str], int, Interval], ...]
    """Two judges, the questions on which they differ, and the interval of the first one's lead."""
    coverages: tuple[tuple[IntervalMethod, mpq], ...]

    def to_document(self) -> dict[str, Any]:
        """Return the partial key, what is certain, and what is known at the level."""
        size, differ = self.key.size, ("judges", "questions", "interval")
        return {
            "key": self.key.to_document(),
            "questions": size,
            "graded": self.key.graded_size,
            "ungraded": size - self.key.graded_size,
            "level": self.level,
            "certain": {
                **as_document(self.keys),
                "judges": as_document(self.ranges),
                "pairs": as_document(self.pairs),
            },
            "intervals": [
                {
                    **as_document(one._asdict()),
                    "share": list(_shares(one.central, max(1, self.key.votes.answered(one.judge)))),
                }
                for one in self.intervals
            ],
            "differences": [dict(zip(differ, one, strict=True)) for one in self.differences],
            "least_coverage": {method.value: least for method, least in self.coverages},
        }

    def brief(self) -> Brief:
        """Return the shares of right answers, and who is shown to be better."""
        told = f"{self.key.graded_size} of {self.key.size} graded"
        certain = tuple(_shares(one.right, max(1, self.key.votes.answered(one.judge))) for one in self.ranges)
        columns = [Column(f"certain, {told}", "the graded questions are graded rightly", certain)]
        if self.intervals:
            known = tuple(
                _shares(one.central, max(1, self.key.votes.answered(one.judge))) for one in self.intervals
            )
            at_level = f"(each interval at the level {self.level})"
            assumed = f"the graded questions were {_HOW[self.key.drawn]} {at_level}"
            columns.append(Column(f"interval, {told}", assumed, known))
        leads = [
            f"By the graded questions, at the level {self.level}: {better} is better than {worse}, by {low} to {high} "
            "right answers."
            for better, worse, low, high in self._leads()
        ]
        steps = []
        if not leads and self.differences:
            (first, second), differ, _ = min(self.differences, key=lambda one: one[1])
            steps.append(
                f"To tell {first} and {second} apart, grade questions on which they differ ({differ}): "
                "`ntqr-exact choose --between` draws them."
            )
        if not self.intervals:
            steps.append("Draw questions to grade at random: only then there are intervals.")
        return Brief(columns=tuple(columns), proven=tuple(leads), next_steps=tuple(steps))

    def _leads(self) -> Iterator[tuple[str, str, int, int]]:
        for (first, second), _, (low, high) in self.differences:
            if low > 0:
                yield first, second, low, high
            elif high < 0:
                yield second, first, -high, -low

    def blocks(self) -> Iterator[Block]:
        """Yield the answer to: I have graded some questions, what do I know?"""
        key = self.key
        rest = key.size - key.graded_size
        yield Sentence(
            f"{key.graded_size} of {counted(key.size, 'question')} are graded, {rest} are not. They were "
            f"{_HOW[key.drawn]}."
        )
        if self.intervals:
            yield from self._known()
        else:
            yield Sentence(
                "Who chose what to grade may have chosen what is easy: only what is certain can be said, and no "
                "interval. Questions drawn by `ntqr-exact choose` have intervals.",
                "Not at random",
            )
        yield Heading("What is certain, however they were chosen")
        on = tuple(f"on {label}" for label in key.votes.labels)
        right = ((one.judge, _span(one.right), *map(_span, one.right_on.values())) for one in self.ranges)
        caption = "Right answers of each judge, in all and on each label"
        yield Table(caption, ("judge", "in all", *on), tuple(right), "judges")
        rates = (
            (one.judge, *map(_range, one.accuracy_on.values()), _range(one.kappa)) for one in self.ranges
        )
        caption = "Accuracy on each label, and Cohen's κ with the truth"
        yield Table(caption, ("judge", *on, "κ"), tuple(rates), "judges")
        counts = tuple((label, _span(ends)) for label, ends in self.keys.key_counts.items())
        yield Table("Questions of each true label", ("label", "questions"), counts, "labels")
        yield Sentence(
            f"Answer keys that are left: {value_text(self.keys.keys)}; splits of the patterns over the labels: "
            f"{value_text(self.keys.splits)}."
        )
        if self.pairs:
            pairs = (
                (", ".join(one.judges), _span(one.difference), _range(one.covariance)) for one in self.pairs
            )
            header = ("judges", "lead of the first", "covariance")
            caption = "Lead in right answers, and covariance of being right"
            yield Table(caption, header, tuple(pairs), "pairs of judges")

    def _known(self) -> Iterator[Block]:
        alone = self.key.drawn is Drawn.AT_RANDOM
        yield Heading(f"What is known at the level {value_text(self.level)}")
        rows = []
        for one in self.intervals:
            spans = (one.central, one.blaker, one.while_grading) if alone else (one.central,)
            share = " to ".join(
                map(value_text, _shares(one.central, max(1, self.key.votes.answered(one.judge))))
            )
            rows.append((one.judge, *map(_span, spans), share))
        more = ("Blaker's, shorter", "at every look while grading") if alone else ()
        header = ("judge", "central", *more, "share")
        yield Table("Right answers of each judge among all questions", header, tuple(rows), "judges")
        caption = "Right answers of each judge: graded, interval, and what is certain"
        at = {"level": str(self.level)}
        yield Picture("right", caption, "plot_graded_judges", (self.key,), at, 36)
        for better, worse, low, high in self._leads():
            yield Sentence(f"it has {low} to {high} right answers more.", f"{better} is better than {worse}")
        if self.differences:
            leads = tuple((", ".join(pair), differ, _span(ends)) for pair, differ, ends in self.differences)
            header = ("judges", "questions on which they differ", "lead")
            caption = "Lead in right answers of the first judge over the second"
            yield Table(caption, header, leads, "pairs of judges")
        told = [(one.judge, one.metrics) for one in self.intervals if one.metrics is not None]
        if told:
            metrics = tuple((name, *(_range(one[name]) for _, one in told)) for name in told[0][1])
            caption = "Ten metrics, whose intervals hold together for each judge"
            yield Table(caption, ("metric", *(judge for judge, _ in told)), metrics, "metrics")
        if self.coverages:
            least = tuple((method.value.replace("_", " "), share) for method, share in self.coverages)
            caption = "Least coverage over all truths, for as many questions and grades"
            yield Table(caption, ("method", "exact least coverage"), least, "methods")
            caption = "Exact coverage for every truth: the central interval and those of the textbooks"
            yield Picture("coverage", caption, "plot_coverage", (self.key.size, self.key.graded_size), at)


def study_graded(key: PartialKey, *, level: RationalLike = "0.95", in_full: bool = True) -> GradedStudy:
    """Return what a partial key tells; if not in full, without ten metrics and the coverages of other methods."""
    share, names = check_level(level), key.votes.judges
    places = range(len(names))
    pairs = list(combinations(places, 2)) if len(names) <= _MOST_JUDGES else []
    drawn = key.drawn is not Drawn.NOT_AT_RANDOM and key.size > 0
    alone = key.drawn is Drawn.AT_RANDOM
    told = in_full and len(key.votes.labels) == 2
    intervals = tuple(
        JudgeIntervals(
            names[place],
            key.right_answers(place, share),
            key.right_answers(place, share, IntervalMethod.BLAKER) if alone else None,
            key.right_answers(place, share, IntervalMethod.ANYTIME) if alone else None,
            key.metrics(place, share) if told else None,
        )
        for place in (places if drawn else ())
    )
    differences = tuple(
        ((names[i], names[j]), _differing(key, i, j), key.difference(i, j, share))
        for i, j in (pairs if drawn else ())
    )
    compared = in_full and alone and key.graded_size > 0 and key.size <= _LARGEST_COVERAGE
    return GradedStudy(
        key,
        share,
        key.key_ranges(),
        tuple(key.ranges(place) for place in places),
        tuple(key.pair_ranges(i, j) for i, j in pairs),
        intervals,
        differences,
        tuple(
            (method, min(coverage_of(method, size=key.size, graded=key.graded_size, level=share)))
            for method in (SAMPLE_METHODS if compared else ())
        ),
    )


def _shares(ends: Interval, size: int) -> tuple[mpq, mpq]:
    return mpq(ends[0], size), mpq(ends[1], size)


def _differing(key: PartialKey, i: int, j: int) -> int:
    return sum(count for pattern, count in key.votes.counts.items() if differ_on(pattern, i, j))


def _span(ends: Interval | None) -> str:
    return "–" if ends is None else f"{value_text(ends[0])} to {value_text(ends[1])}"


def _range(ends: ValueRange) -> str:
    if isinstance(ends.lower, Undefined):
        return f"no value: {ends.lower.value}"
    text = f"{value_text(ends.lower)} to {value_text(ends.upper)}"
    return text if ends.undefined is None else f"{text}; no value if {ends.undefined.value}"
