"""Grades of the judges: by every evaluator side by side, and what a few graded questions show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from gmpy2 import mpq

from ntqr_exact.blocks.block import Abridged, Block, Facts, Heading, Sentence, Table, range_text
from ntqr_exact.blocks.value import Value
from ntqr_exact.dependence.measure import Covariance, dependence_of
from ntqr_exact.evaluation import Evaluation, Rate, Undefined, defined
from ntqr_exact.evaluators.dawid_skene import DawidSkene
from ntqr_exact.evaluators.grade import share_right
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.majority import MajorityEvaluation
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import counted, fixed_text, short_decimal, value_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.sampling import graded_ranges
from ntqr_exact.sampling.designs import check_level
from ntqr_exact.sampling.partial_key import Drawn, PartialKey
from ntqr_exact.sampling.planning import questions_to_grade
from ntqr_exact.votes.labeled import LabeledVoteCounts

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
_ASSUMED = {
    "by key": "the answer key is right",
    "majority": "most judges are right on every question",
    "Dawid-Skene": "the judges err independently; a label of a question counts as it is probable",
    "independent": "the judges err independently of each other on the questions of each label",
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """Grades by one evaluator, and what it assumes."""

    name: str
    assumes: str
    evaluation: Evaluation
    right_in_all: Mapping[str, mpq | Surd | None]
    """The share of right answers of each judge among its answers, by Dawid-Skene the expected one; `None` for none."""


@dataclass(frozen=True, slots=True)
class GradesStudy(Value):
    """The estimates, the one by the key first if there is a key."""

    judges: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    ties: int
    """Questions without a majority."""

    def blocks(self) -> Iterator[Block]:
        """Yield all grades in a table, and what each assumes."""
        evaluations = [one.evaluation for one in self.estimates]
        labels = evaluations[0].labels
        rows: list[tuple[Any, ...]] = [
            (f"share of {label}", *(rate_cell(one.prevalence[label]) for one in evaluations))
            for label in labels
        ]
        for index, judge in enumerate(self.judges):
            for label in labels:
                rates = (rate_cell(one.response_rates[index][label][label]) for one in evaluations)
                rows.append((f"{judge}: on {label}", *rates))
            rows.append((f"{judge}: in all", *(rate_cell(one.right_in_all[judge]) for one in self.estimates)))
        header = ("", *(one.name for one in self.estimates))
        yield Table("Shares of the labels, and how often each judge is right", header, tuple(rows))
        yield Facts("Each column assumes that", tuple((one.name, one.assumes) for one in self.estimates))
        if self.ties:
            yield Sentence(f"Questions without a majority: {self.ties}.")


def study_grades(
    majority: MajorityEvaluation,
    dawid_skene: DawidSkene,
    independent: IndependentSolution | None = None,
    by_key: Evaluation | None = None,
    labeled: LabeledVoteCounts | None = None,
) -> GradesStudy:
    """Return evaluations side by side by their names; `by_key` are the rates of the key `labeled`, if it is known.

    With a key, a judge is graded on the questions that it answered.
    """
    evaluations: dict[str, tuple[Evaluation | None, LabeledVoteCounts | None]] = {
        "by key": (by_key, labeled),
        "majority": (majority.evaluation, majority.key),
        "Dawid-Skene": (dawid_skene.evaluation, dawid_skene.expected),
        "independent": (None if independent is None else best_solution(independent), None),
    }
    judges = majority.key.judges
    estimates = []
    for name, (one, key) in evaluations.items():
        if one is not None:
            shares = (
                right_in_all(one, i) if key is None else share_right(key, i) for i in range(len(judges))
            )
            estimates.append(Estimate(name, _ASSUMED[name], one, dict(zip(judges, shares, strict=True))))
    return GradesStudy(judges, tuple(estimates), majority.ties)


def rate_cell(rate: Rate | None) -> Any:
    """Return a rate for a table: outside of 0 to 1 it is marked, and a denominator of five digits is folded away.

    >>> rate_cell(mpq(1, 2)), rate_cell(mpq(5, 4))
    (mpq(1,2), '5/4 = 1.25, outside 0 to 1')
    """
    if isinstance(rate, Undefined):
        return Abridged("undefined", value_text(rate))
    if rate is None or (isinstance(rate, Surd) and not rate.is_real):
        return rate
    if not 0 <= rate <= 1:
        return f"{value_text(rate)}, outside 0 to 1"
    is_long = isinstance(rate, mpq) and rate.denominator > 9999
    return Abridged(short_decimal(rate), value_text(rate)) if is_long else rate


def best_solution(solution: IndependentSolution) -> Evaluation | None:
    """Return of the real solutions the one under which the judges are right most often; `None` if not all are real.

    >>> from ntqr_exact import VoteCounts, solve_independent
    >>> votes = VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    >>> best_solution(solve_independent(votes)).accuracy[2]
    {'a': mpq(1,1), 'b': mpq(1,1)}
    """
    rates = [[rate for right in one.accuracy for rate in right.values()] for one in solution.solutions]
    if not all(rate.is_real for some in rates for rate in some if isinstance(rate, Surd)):
        return None
    totals = [sum(map(defined, some), mpq(0)) for some in rates]
    return solution.solutions[totals.index(max(totals))] if totals else None


def right_in_all(evaluation: Evaluation, judge: int) -> mpq | Surd:
    """Return the share of all questions on which a judge is right, Σ_l P_l·P^l_{l_i}.

    >>> right_in_all(Evaluation.from_accuracies({"a": "1/4", "b": "3/4"}, [{"a": 1, "b": "1/3"}]), 0)
    mpq(1,2)
    """
    rates = evaluation.response_rates[judge]
    pairs = [(share, rates[label][label]) for label, share in evaluation.prevalence.items()]
    known = [defined(share) * right for share, right in pairs if not isinstance(right, Undefined)]
    return sum(known, mpq(0))


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

    keys: graded_ranges.KeyRanges
    judges: tuple[graded_ranges.JudgeRanges, ...]
    pairs: tuple[graded_ranges.PairRanges, ...]


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
            triples = ((one.judges, one.difference, one.covariance) for one in certain.pairs)
            pairs = tuple((", ".join(both), _span(lead), _values(value)) for both, lead, value in triples)
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
    differences = []
    for i, j in pairs if at_random else ():
        differ = sum(n for one, n in key.votes.counts.items() if graded_ranges.differ_on(one, i, j))
        differences.append(GradedPair((names[i], names[j]), differ, key.difference(i, j, share)))
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
        tuple(differences),
        dependence_of(key.graded).greatest if measured else None,
        questions_to_grade(key.size, width=int(_WIDTH * key.size), level=share) if plans else None,
        Certain(
            graded_ranges.key_ranges(key.graded, left),
            tuple(graded_ranges.judge_ranges(key.graded, left, judge) for judge in judges),
            tuple(graded_ranges.pair_ranges(key.graded, left, i, j) for i, j in pairs),
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


def _span(ends: tuple[int, int]) -> str:
    return f"{value_text(ends[0])} to {value_text(ends[1])}"


def _values(values: graded_ranges.ValueRange) -> str:
    low, high = values.lower, values.upper
    return "undefined" if isinstance(low, Undefined) else range_text((low, high))
