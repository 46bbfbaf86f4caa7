"""A few graded questions: the sample, what is known of each judge at a level, what is certain, and what to grade."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Heading, Sentence, Table, range_text
from ntqr_exact.blocks.value import Value
from ntqr_exact.dependence.measure import Covariance, dependence_of
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import counted, fixed_text, value_text
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.sampling.designs import check_level
from ntqr_exact.sampling.graded_ranges import (
    JudgeRanges,
    KeyRanges,
    PairRanges,
    ValueRange,
    differ_on,
    judge_ranges,
    key_ranges,
    pair_ranges,
)
from ntqr_exact.sampling.partial_key import Drawn, PartialKey
from ntqr_exact.sampling.planning import questions_to_grade

_MAX_PAIRED = 20
"""Judges up to which each pair of them is compared."""

_MAX_COVARIANCES = 50_000
_MAX_PLANNED = 10_000
"""Questions up to which the number of grades for narrow intervals is found."""

_WIDTH = mpq(1, 10)
_HOW = {
    Drawn.AT_RANDOM: "drawn at random among all",
    Drawn.BY_STRATA: "drawn at random in each stratum of answer patterns",
    Drawn.NOT_AT_RANDOM: "not drawn at random",
}


@dataclass(frozen=True, slots=True)
class GradedJudge:
    """Right answers of a judge in the sample, and the interval for all of its answers, as counts and as shares."""

    judge: str
    graded: int
    right: int
    answered: int
    central: tuple[int, int] | None
    share: tuple[mpq, mpq] | None


@dataclass(frozen=True, slots=True)
class GradedPair:
    """The interval of the lead in right answers of the first judge over the second."""

    judges: tuple[str, str]
    differ: int
    """The number of questions on which they differ."""
    lead: tuple[int, int]

    @property
    def better(self) -> tuple[str, str] | None:
        """The better and the worse judge, if the interval decides it."""
        first, second = self.judges
        return self.judges if self.lead[0] > 0 else (second, first) if self.lead[1] < 0 else None


@dataclass(frozen=True, slots=True)
class Certain:
    """What holds however the graded questions were chosen."""

    keys: KeyRanges
    judges: tuple[JudgeRanges, ...]
    pairs: tuple[PairRanges, ...]


@dataclass(frozen=True, slots=True)
class GradedStudy(Value):
    """A partial key: the sample, intervals where it was drawn at random, and certain ranges."""

    key: PartialKey
    questions: int
    graded: int
    level: mpq
    intervals: tuple[GradedJudge, ...]
    differences: tuple[GradedPair, ...]
    covariance: Covariance | None
    """The largest covariance of two judges in the sample."""
    grades_needed: int | None
    """Random grades after which every interval is at most a tenth wide, if it was found."""
    certain: Certain

    @property
    def is_complete(self) -> bool:
        """Whether every question is graded: then nothing is left to chance."""
        return self.graded == self.questions

    def sample(self) -> str:
        """Return what was graded, and the largest covariance that the sample shows."""
        how = "" if self.is_complete else f", {_HOW[self.key.drawn]}"
        text = f"{self.graded} of {counted(self.questions, 'question')} are graded{how}."
        if self.covariance is not None:
            text += f" Largest error covariance: that of {self.covariance}."
        return text

    def plan(self) -> str:
        """Return how many grades make every interval narrow, or why it is not known."""
        narrow = f"every interval is at most {fixed_text(_WIDTH, 2)} wide"
        if self.is_complete:
            return "none: every question is graded."
        if self.key.drawn is not Drawn.AT_RANDOM:
            return "unknown, because these were not drawn at random among all; `ntqr-exact choose` draws so."
        if self.grades_needed is None:
            return f"not computed for more than {_MAX_PLANNED} questions; `--require` plans for one claim."
        if self.grades_needed <= self.graded:
            return f"none needed: {narrow}."
        return f"with {self.grades_needed - self.graded} more random ones {narrow}."

    def blocks(self) -> Iterator[Block]:
        """Yield the sample, the leads, and what is certain."""
        yield Sentence(self.sample())
        if self.key.drawn is Drawn.NOT_AT_RANDOM and not self.is_complete:
            text = "a sample chosen by hand may be easier than the rest, so only certain ranges are given."
            yield Sentence(text, "Not at random")
        if self.differences:
            leads = tuple((", ".join(one.judges), one.differ, _span(one.lead)) for one in self.differences)
            header = ("judges", "questions on which they differ", "lead")
            caption = f"Lead in right answers of the first judge over the second, at the level {value_text(self.level)}"
            yield Table(caption, header, leads, "pairs of judges")
        yield from self._certain()

    def _certain(self) -> Iterator[Block]:
        certain = self.certain
        yield Heading("Certain, however the questions were chosen")
        on = tuple(f"on {label}" for label in self.key.votes.labels)
        right = tuple(
            (one.judge, _span(one.right), *map(_values, one.accuracy_on.values()), _values(one.kappa))
            for one in certain.judges
        )
        caption = "Right answers of each judge, accuracy on each label, and Cohen's κ with the truth"
        yield Table(caption, ("judge", "right", *on, "κ"), right, "judges")
        counts = tuple((label, _span(ends)) for label, ends in certain.keys.key_counts.items())
        yield Table("Questions of each true label", ("label", "questions"), counts, "labels")
        if certain.pairs:
            pairs = tuple(
                (", ".join(one.judges), _span(one.difference), _values(one.covariance))
                for one in certain.pairs
            )
            caption = "Lead in right answers, and covariance of being right"
            yield Table(caption, ("judges", "lead of the first", "covariance"), pairs, "pairs of judges")


def study_graded(key: PartialKey, *, level: RationalLike = "0.95") -> GradedStudy:
    """Return what a partial key shows: the sample, intervals at a level, leads, and certain ranges.

    >>> from ntqr_exact import VoteCounts
    >>> votes = VoteCounts({"aa": 60, "ab": 15, "bb": 25})
    >>> key = PartialKey(votes, {"a": {"aa": 11, "ab": 2}, "b": {"ab": 1, "bb": 6}}, drawn="at_random")
    >>> study_graded(key).intervals[0].share
    (mpq(39,50), mpq(99,100))
    """
    share, names, left = check_level(level), key.votes.judges, key.ungraded()
    judges = range(len(names))
    pairs = list(combinations(judges, 2)) if len(names) <= _MAX_PAIRED else []
    # All questions are a sample without chance, however they were chosen.
    at_random = key.size > 0 and (key.drawn is not Drawn.NOT_AT_RANDOM or key.graded_size == key.size)
    differences = tuple(
        GradedPair((names[i], names[j]), _differing(key, i, j), key.difference(i, j, share))
        for i, j in (pairs if at_random else ())
    )
    plans = key.drawn is Drawn.AT_RANDOM and 0 < key.size <= _MAX_PLANNED
    # The covariances of a pair on a label are those of all pairs of answers.
    number = math.comb(len(names), 2) * len(key.votes.labels) ** 3
    measured = key.graded_size and 0 < number <= _MAX_COVARIANCES
    return GradedStudy(
        key,
        key.size,
        key.graded_size,
        share,
        tuple(_judge(key, judge, share, at_random=at_random) for judge in judges),
        differences,
        dependence_of(key.graded).greatest if measured else None,
        questions_to_grade(key.size, width=int(_WIDTH * key.size), level=share) if plans else None,
        Certain(
            key_ranges(key.graded, left),
            tuple(judge_ranges(key.graded, left, judge) for judge in judges),
            tuple(pair_ranges(key.graded, left, i, j) for i, j in pairs),
        ),
    )


def _judge(key: PartialKey, judge: int, level: mpq, *, at_random: bool) -> GradedJudge:
    confusion = key.graded.confusion(judge)
    right = sum(confusion[label][label] for label in confusion)
    graded = sum(sum(row.values()) for row in confusion.values())
    answered = key.votes.answered(judge)
    ends = key.right_answers(judge, level) if at_random else None
    shares = (mpq(ends[0], answered), mpq(ends[1], answered)) if ends and answered else None
    return GradedJudge(key.votes.judges[judge], graded, right, answered, ends, shares)


def _differing(key: PartialKey, i: int, j: int) -> int:
    return sum(count for pattern, count in key.votes.counts.items() if differ_on(pattern, i, j))


def _span(ends: tuple[int, int]) -> str:
    return f"{value_text(ends[0])} to {value_text(ends[1])}"


def _values(values: ValueRange) -> str:
    low, high = values.lower, values.upper
    return "undefined" if isinstance(low, Undefined) else range_text((low, high))
