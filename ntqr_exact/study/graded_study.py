"""A few graded questions: the sample, what is known of each judge at a level, what is certain, and what to grade."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Heading, Picture, Sentence, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.dependence.measure import Covariance, dependence_of
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import counted, fixed_text, safe_text, value_text
from ntqr_exact.sampling.designs import check_level
from ntqr_exact.sampling.graded_ranges import JudgeRanges, KeyRanges, PairRanges, differ_on
from ntqr_exact.sampling.partial_key import Drawn, PartialKey
from ntqr_exact.sampling.planning import questions_to_grade

_MAX_PAIRED = 20
"""Judges up to which each pair of them is compared."""

_MAX_COVARIANCES = 50_000
_MAX_PLANNED = 2000
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
    accuracy: mpq | None
    """The share of right answers in the sample."""
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
    """Random grades after which every interval is at most a tenth wide."""
    certain: Certain

    def blocks(self) -> Iterator[Block]:
        """Yield the sample with its intervals, who is better, the covariance seen, and what is certain."""
        key = self.key
        is_complete = self.graded == self.questions
        how = "" if is_complete else f" They were {_HOW[key.drawn]}."
        yield Sentence(f"{self.graded} of {counted(self.questions, 'question')} are graded.{how}")
        rows: list[tuple[str, ...]] = []
        for one in self.intervals:
            sample = f"{one.right} of {one.graded}"
            share = "–" if one.accuracy is None else fixed_text(one.accuracy, 3)
            rows.append((one.judge, sample, share, _shares(one.share), _span(one.central)))
        level = value_text(self.level)
        header = ("judge", "right in the sample", "share", f"accuracy at {level}", "right answers")
        yield Table("Judges in the sample, and on all of their answers", header, tuple(rows), "judges")
        if key.drawn is Drawn.NOT_AT_RANDOM and not is_complete:
            yield Sentence(
                "a sample chosen by hand may be easier than the rest, so only certain ranges are given. "
                "`ntqr-exact choose` draws questions at random.",
                "Not at random",
            )
        elif self.questions:
            columns = {
                f"interval at {level}": {one.judge: one.share for one in self.intervals},
                "share in the sample": {one.judge: one.accuracy for one in self.intervals},
            }
            height = 16 + 3 * len(self.intervals)
            caption = "Right answers of each judge: in the sample, and the interval for all of its answers"
            yield Picture("right", caption, "plot_judge_grades", (columns,), height=height)
        yield from self._pairs()
        if self.covariance is not None:
            yield Sentence(f"Largest error covariance in the sample: that of {self.covariance}.")
        if self.grades_needed is not None:
            yield Sentence(
                f"With {self.grades_needed} random grades every interval is at most {fixed_text(_WIDTH, 2)} wide."
            )
        yield from self._certain()

    def _pairs(self) -> Iterator[Block]:
        for one in self.differences:
            if one.better is not None:
                low, high = sorted(abs(end) for end in one.lead)
                better, worse = one.better
                yield Sentence(
                    f"it has {low} to {high} right answers more.", f"{better} is better than {worse}"
                )
        if self.differences:
            leads = tuple((", ".join(one.judges), one.differ, _span(one.lead)) for one in self.differences)
            header = ("judges", "questions on which they differ", "lead")
            caption = "Lead in right answers of the first judge over the second"
            yield Table(caption, header, leads, "pairs of judges")

    def _certain(self) -> Iterator[Block]:
        certain = self.certain
        yield Heading("Certain, however the questions were chosen")
        on = tuple(f"on {label}" for label in self.key.votes.labels)
        right = tuple(
            (one.judge, _span(one.right), *map(_span, one.right_on.values())) for one in certain.judges
        )
        yield Table(
            "Right answers of each judge, in all and on each label", ("judge", "in all", *on), right, "judges"
        )
        rates = tuple(
            (one.judge, *map(str, one.accuracy_on.values()), str(one.kappa)) for one in certain.judges
        )
        caption = "Accuracy on each label, and Cohen's κ with the truth"
        yield Table(caption, ("judge", *on, "κ"), rates, "judges")
        counts = tuple((label, _span(ends)) for label, ends in certain.keys.key_counts.items())
        yield Table("Questions of each true label", ("label", "questions"), counts, "labels")
        yield Sentence(
            f"Answer keys that are left: {value_text(certain.keys.keys)}; splits of the patterns over the labels: "
            f"{value_text(certain.keys.splits)}."
        )
        if certain.pairs:
            pairs = tuple(
                (", ".join(one.judges), _span(one.difference), str(one.covariance)) for one in certain.pairs
            )
            header = ("judges", "lead of the first", "covariance")
            yield Table(
                "Lead in right answers, and covariance of being right", header, pairs, "pairs of judges"
            )


def study_graded(key: PartialKey, *, level: RationalLike = "0.95") -> GradedStudy:
    """Return what a partial key shows: the sample, intervals at a level, leads, and certain ranges.

    >>> from ntqr_exact import VoteCounts
    >>> votes = VoteCounts({"aa": 60, "ab": 15, "bb": 25})
    >>> key = PartialKey(votes, {"a": {"aa": 11, "ab": 2}, "b": {"ab": 1, "bb": 6}}, drawn="at_random")
    >>> study_graded(key).intervals[0].share
    (mpq(39,50), mpq(99,100))
    """
    share, names = check_level(level), key.votes.judges
    judges = range(len(names))
    pairs = list(combinations(judges, 2)) if len(names) <= _MAX_PAIRED else []
    # All questions are a sample without chance, however they were chosen.
    at_random = key.size > 0 and (key.drawn is not Drawn.NOT_AT_RANDOM or key.graded_size == key.size)
    differences = tuple(
        GradedPair((names[i], names[j]), _differing(key, i, j), key.difference(i, j, share))
        for i, j in (pairs if at_random else ())
    )
    plans = key.drawn is Drawn.AT_RANDOM and key.graded_size > 0 and key.size <= _MAX_PLANNED
    needed = questions_to_grade(key.size, width=int(_WIDTH * key.size), level=share) if plans else 0
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
        needed if needed > key.graded_size else None,
        Certain(
            key.key_ranges(),
            tuple(key.ranges(judge) for judge in judges),
            tuple(key.pair_ranges(i, j) for i, j in pairs),
        ),
    )


def _judge(key: PartialKey, judge: int, level: mpq, *, at_random: bool) -> GradedJudge:
    confusion = key.graded.confusion(judge)
    right = sum(confusion[label][label] for label in confusion)
    graded = sum(sum(row.values()) for row in confusion.values())
    answered = key.votes.answered(judge)
    ends = key.right_answers(judge, level) if at_random else None
    shares = (mpq(ends[0], answered), mpq(ends[1], answered)) if ends and answered else None
    accuracy = mpq(right, graded) if graded else None
    return GradedJudge(key.votes.judges[judge], graded, right, accuracy, answered, ends, shares)


def _differing(key: PartialKey, i: int, j: int) -> int:
    return sum(count for pattern, count in key.votes.counts.items() if differ_on(pattern, i, j))


def _span(ends: tuple[int, int] | None) -> str:
    return "–" if ends is None else f"{value_text(ends[0])} to {value_text(ends[1])}"


def _shares(ends: tuple[mpq, mpq] | None) -> str:
    return "–" if ends is None else f"{safe_text(ends[0], 3, up=False)} to {safe_text(ends[1], 3, up=True)}"
