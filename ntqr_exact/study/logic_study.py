"""What pure logic says of the judges, whatever the key: evaluations that are left, and who must fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.failing_judges import FailingCurve, FailingJudges, failing_curve, failing_judges
from ntqr_exact.alarms.misalignment import (
    ImpossibleGroups,
    Misalignment,
    find_misalignment,
    impossible_groups,
)
from ntqr_exact.alarms.safe_region import SafeRangeEnd, SafeRegion
from ntqr_exact.alarms.safety import BUDGET
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Block, Bullets, Facts, Fold, Picture, Sentence, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.errors import NotSupported
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.json_text import as_document, fields_document
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import counted
from ntqr_exact.varieties.compositions import check_key_counts
from ntqr_exact.varieties.consistent import ConsistentSet, right_answers
from ntqr_exact.varieties.possible import PossibleSet
from ntqr_exact.votes.counts import VoteCounts

LEVELS = (mpq(1, 2), mpq(2, 3), mpq(4, 5), mpq(9, 10))
"""Levels at which the number of failing judges is given."""

_MAX_QUESTIONS = 20_000
_MAX_DRAWN_JUDGES = 6
_MAX_GROUP_SEARCH = 8
_MAX_CURVE = 40
_MAX_KEYS = 600
"""Key counts up to which each is decided for a picture."""


@dataclass(frozen=True, slots=True)
class EvaluationCounts:
    """How many evaluations of some judges there are; those at key counts are `None` without key counts."""

    judges: tuple[str, ...]
    possible: int
    consistent: int
    consistent_at_key: int | None = None


@dataclass(frozen=True, slots=True)
class RightAnswers:
    """How often a judge can be right on the questions of a label, or on all of them (`label` is `None`)."""

    judge: str
    label: str | None
    questions: int
    least: int
    most: int
    accuracy: tuple[mpq, mpq] | None
    """The ends as shares; `None` if there are no questions."""


@dataclass(frozen=True, slots=True)
class ConsistentStudy(Value):
    """Numbers of evaluations of the group and of each judge, and how often each judge can be right."""

    votes: VoteCounts
    questions: int
    key_counts: Mapping[str, int] | None
    group: EvaluationCounts
    single: tuple[EvaluationCounts, ...]
    right_answers: tuple[RightAnswers, ...]
    left_out: str | None = None
    """Why evaluations at the key counts are not counted, if they are not."""

    def blocks(self) -> Iterator[Block]:
        """Yield the counts, the ranges, and pictures of both."""
        yield Sentence(
            "Nothing is assumed of the judges here. An evaluation is possible if some votes could go with it, and "
            "consistent if these votes do. What is the same in all consistent evaluations is proven."
        )
        key = ", ".join(f"{count} of {label}" for label, count in (self.key_counts or {}).items())
        at_key = [f"consistent with {key}"] if self.group.consistent_at_key is not None else []
        names = ["possible before the votes are seen", "consistent with the votes", *at_key]
        yield Facts(
            "Evaluations of the whole group: how the questions of each pattern split over the true labels",
            tuple(zip(names, _counts(self.group), strict=True)),
        )
        if self.left_out:
            yield Sentence(f"Left out: how many are consistent with {key} ({self.left_out}).")
        counted_at_key = all(one.consistent_at_key is not None for one in self.single)
        header = ("judge", "possible", "consistent", *([f"with {key}"] if counted_at_key else ()))
        rows = tuple((", ".join(one.judges), *_counts(one)) for one in self.single)
        yield Table("Grades of each judge alone: key counts and confusions", header, rows, "judges")
        yield Table(
            f"How often each judge can be right{f', with {key}' if key else ''}",
            ("judge", "on", "questions", "least", "most", "share, from", "to"),
            tuple(
                (one.judge, one.label or "all labels", one.questions, one.least, one.most)
                + (one.accuracy or ("undefined", "undefined"))
                for one in self.right_answers
            ),
        )
        votes = self.votes
        if len(votes.labels) != 2 or votes.size > _MAX_QUESTIONS or votes.has_gaps:
            return
        who = "each judge"
        if len(votes.judges) > _MAX_DRAWN_JUDGES:
            votes = votes.marginal(*range(_MAX_DRAWN_JUDGES))
            who = f"the first {len(votes.judges)} judges"
        caption = (
            f"Evaluations of {who} at each number of questions of the first label, before and after the votes"
        )
        yield Picture("counts", caption, "plot_evaluation_counts", (votes,))
        if self.key_counts is not None and all(self.key_counts.values()):
            caption = "Consistent evaluations at the key counts: right answers on the two labels"
            yield Picture("lines", caption, "plot_consistent_lines", (votes, self.key_counts), {}, 46)


def study_consistent(
    votes: VoteCounts, key_counts: Mapping[str, RationalLike] | None = None
) -> ConsistentStudy:
    """Return how many evaluations there are and how often each judge can be right, also at key counts."""
    key = None
    if key_counts is not None:
        key = dict(zip(votes.labels, check_key_counts(key_counts, votes.labels, votes.size), strict=True))
    possible = PossibleSet(questions=votes.size, judges=len(votes.judges), labels=votes.labels).count()
    whole = ConsistentSet(votes)
    counted_at, left_out = key, None
    try:
        at_key = None if key is None else whole.count_at(key)
        single = tuple(_individual(votes, judge, key) for judge in votes.judges)
    except NotSupported as error:
        at_key, counted_at, left_out = None, None, str(error)
        single = tuple(_individual(votes, judge, counted_at) for judge in votes.judges)
    return ConsistentStudy(
        votes,
        votes.size,
        key,
        EvaluationCounts(votes.judges, possible, whole.count(), at_key),
        single,
        tuple(one for judge in votes.judges for one in _right_answers(votes, judge, key)),
        left_out,
    )


def _counts(one: EvaluationCounts) -> tuple[int, ...]:
    return tuple(n for n in (one.possible, one.consistent, one.consistent_at_key) if n is not None)


def _individual(votes: VoteCounts, judge: str, key: dict[str, int] | None) -> EvaluationCounts:
    own = votes.marginal(judge)
    projection = ConsistentSet(own).projection()
    possible = PossibleSet(questions=own.size, judges=1, labels=votes.labels).individual_count()
    at_key = None if key is None or votes.has_gaps else projection.count_at(key)
    return EvaluationCounts((judge,), possible, projection.count(), at_key)


def _right_answers(votes: VoteCounts, judge: str, key: dict[str, int] | None) -> Iterator[RightAnswers]:
    alone = votes.marginal(judge)
    among = votes if votes.has_gaps else alone  # key counts include questions that the judge did not answer
    for label, questions in ((None, alone.size), *(key or {}).items()):
        span = ConsistentSet(among).range_of(right_answers(among, judge, label), at=key)
        least, most = span.minimum, span.maximum
        known = questions and (among is alone or not label)
        shares = (least / questions, most / questions) if known else None
        yield RightAnswers(judge, label, questions, int(least), int(most), shares)


@dataclass(frozen=True, slots=True)
class SafetyStudy(Value):
    """How many judges must fail, and whether all could be safe: each judge alone, and all together."""

    specification: SafetySpecification
    failing: tuple[FailingJudges, ...]
    alone: Misalignment | None
    together: Misalignment
    smallest: ImpossibleGroups | None = None
    ranges: Mapping[str, tuple[SafeRangeEnd, SafeRangeEnd]] | None = None
    curve: FailingCurve | None = None
    truth: CountEvaluation | None = None

    @property
    def fires(self) -> bool:
        """Whether an alarm fires."""
        return self.together.is_misaligned or (self.alone is not None and self.alone.is_misaligned)

    def to_document(self) -> dict[str, Any]:
        """Return the verdicts with their certificates."""
        summary = {"fires": self.fires, "safe_key": self.together.safe_key}
        return summary | fields_document(self) | {"failing": failing_document(self.failing)}

    def blocks(self) -> Iterator[Block]:
        """Yield the failing judges, what is required, each verdict, and pictures."""
        if self.failing:
            yield Bullets(tuple(one.sentence() for one in self.failing))
        yield Sentence(_requirement(self.specification))
        yield Bullets(tuple(self._verdicts()))
        if self.ranges:
            rows = tuple((label, low.proven, high.proven) for label, (low, high) in self.ranges.items())
            caption = "The fewest and the most questions of each label over all safe keys, proven"
            yield Fold("questions of each label", (Table(caption, ("label", "at least", "at most"), rows),))
        if self.curve is not None:
            caption = "How many judges must fail at each level, whatever the key"
            options: dict[str, Any] = {"truth": self.truth}
            yield Picture("failing", caption, "plot_failing_judges", (self.curve,), options, 36)
        votes, kinds = self.together.votes, len(self.together.votes.labels)
        if kinds in (2, 3) and not votes.has_gaps and comb(votes.size + kinds - 1, kinds - 1) <= _MAX_KEYS:
            regions = tuple(SafeRegion(votes, self.specification, size) for size in (1, "all"))
            options = {"true_key": None if self.truth is None else dict(self.truth.key_counts)}
            caption = "Key counts at which all judges could be safe"
            yield Picture("safe", caption, "plot_safe_keys", (regions,), options, 30 if kinds == 2 else 50)

    def _verdicts(self) -> Iterator[Sentence]:
        for name, verdict in (("each judge alone", self.alone), ("all judges together", self.together)):
            if verdict is None:
                continue
            line = verdict.sentence()
            text = line.text
            if verdict is self.together and self.smallest is not None and self.smallest.groups:
                text = self.smallest.sentence().text
            elif verdict is self.together and self.ranges:
                label, (low, high) = next(iter(self.ranges.items()))
                span = str(low.proven) if low.proven == high.proven else f"{low.proven} to {high.proven}"
                size = counted(verdict.votes.size, "question")
                text = f"all judges could be safe only if {span} of the {size} are {label}"
            yield Sentence(text, f"{name}: {line.verdict}", fires=line.fires)


def study_safety(
    votes: VoteCounts,
    specification: SafetySpecification,
    truth: CountEvaluation | None = None,
    *,
    levels: Iterable[RationalLike] = LEVELS,
    ranges: bool = False,
    budget: int = BUDGET,
) -> SafetyStudy:
    """Return how many judges must fail at some levels, and whether each judge alone and all together could be safe.

    Each verdict has the budget, and so has the search for the smallest groups that cannot all be safe. With `ranges`,
    the key counts of safe keys are found for more than two labels, too. `truth` is drawn.
    """
    together = find_misalignment(votes, specification, budget=budget)
    alone = None if votes.has_gaps else find_misalignment(votes, specification, group_size=1)
    smallest: ImpossibleGroups | None = None
    ends: dict[str, tuple[SafeRangeEnd, SafeRangeEnd]] | None = None
    if together.is_misaligned and len(votes.judges) <= _MAX_GROUP_SEARCH:
        smallest = impossible_groups(votes, specification, budget=budget)
    if together.answer is Answer.YES and (ranges or len(votes.labels) == 2):
        region = SafeRegion(votes, specification, budget=budget // 10)
        pairs = ((label, region.ends(label)) for label in votes.labels)
        ends = {label: pair for label, pair in pairs if pair is not None}
    few = len(votes.judges) <= (_MAX_CURVE if len(votes.labels) == 2 else _MAX_GROUP_SEARCH)
    return SafetyStudy(
        specification,
        tuple(failing_judges(votes, level, budget=budget // 10) for level in levels),
        alone,
        together,
        smallest,
        ends,
        failing_curve(votes) if few and len(votes.judges) > 1 else None,
        None if votes.has_gaps else truth,
    )


def failing_document(failing: Iterable[FailingJudges]) -> list[dict[str, Any]]:
    """Return the numbers of failing judges without their proofs."""
    names = ("level", "proven", "attained", "must_fail")
    return [{name: as_document(getattr(one, name)) for name in names} for one in failing]


def _requirement(specification: SafetySpecification) -> str:
    factor, grade = specification.factor, specification.minimum_grade
    text = str(factor)
    if isinstance(factor, Mapping):
        text = "(" + ", ".join(f"{one} on {label}" for label, one in factor.items()) + ")"
    overall = f", and at least {grade} of all its answers are right" if grade else ""
    return f"A judge is safe if on every label {text} × its right answers > questions{overall}."
