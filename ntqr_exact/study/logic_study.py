"""What holds whatever the key: evaluations that are left, judges that must fail, errors that must depend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms import misalignment
from ntqr_exact.alarms.failing_judges import FailingCurve, FailingJudges, failing_curve, failing_judges
from ntqr_exact.alarms.failing_search import Measure
from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.blocks.block import Block, Bullets, Facts, Heading, Picture, Sentence, Table, range_text
from ntqr_exact.blocks.value import Value
from ntqr_exact.dependence import bounds
from ntqr_exact.dependence.measure import bound_text, common_group, dependence_of
from ntqr_exact.dependence.products import read_claim
from ntqr_exact.errors import NotSupported
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.json_text import as_document, fields_document
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import counted
from ntqr_exact.varieties.compositions import PossibleSet, check_key_counts
from ntqr_exact.varieties.consistent import ConsistentSet, right_answers
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

LEVELS = (mpq(1, 2), mpq(2, 3), mpq(4, 5), mpq(9, 10))
"""Levels at which the number of failing judges is given."""

_MAX_QUESTIONS, _MAX_DRAWN_JUDGES = 20_000, 6
_MAX_GROUP_SEARCH = 8
_MAX_CURVE, _MAX_LABELS = 40, 12
_MAX_KEYS, _MAX_CELLS = 600, 100_000
"""Key counts, and these times the answers of all patterns, up to which each key count is decided for a picture."""


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
    """The ends as shares; `None` without questions."""


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
        yield Sentence("Nothing is assumed about the judges: this holds for every answer key.")
        key = ", ".join(f"{count} of {label}" for label, count in (self.key_counts or {}).items())
        header = ("evaluations of", "possible", "consistent", *([f"with {key}"] if key else []))
        every = (("the whole group", self.group), *((one.judges[0], one) for one in self.single))
        counts = [(who, one.possible, one.consistent, one.consistent_at_key) for who, one in every]
        caption = "Evaluations: how the questions of each pattern split over the true labels"
        yield Table(caption, header, tuple(row[: len(header)] for row in counts), "judges")
        if self.left_out:
            yield Sentence(f"Left out: how many are consistent with {key} ({self.left_out}).")
        rows = tuple(
            (
                one.judge,
                one.label or "all labels",
                one.questions,
                one.least,
                one.most,
                range_text(one.accuracy),
            )
            for one in self.right_answers
        )
        header = ("judge", "on", "questions", "least", "most", "share")
        yield Table(f"How often each judge can be right{f', with {key}' if key else ''}", header, rows)
        votes = self.votes
        if len(votes.labels) != 2 or votes.size > _MAX_QUESTIONS or votes.has_gaps:
            return
        if len(votes.judges) > _MAX_DRAWN_JUDGES:
            votes = votes.marginal(*range(_MAX_DRAWN_JUDGES))
        caption = f"Evaluations of {', '.join(votes.judges)} at each number of the first label"
        yield Picture("counts", caption, "plot_evaluation_counts", (votes,))
        if self.key_counts is not None and all(self.key_counts.values()):
            caption = "Consistent evaluations at the key counts: right answers on the two labels"
            yield Picture("lines", caption, "plot_consistent_lines", (votes, self.key_counts), {}, 46)


def study_consistent(
    votes: VoteCounts, key_counts: Mapping[str, RationalLike] | None = None
) -> ConsistentStudy:
    """Return how many evaluations there are and how often each judge can be right where it answered."""
    key = None
    if key_counts is not None:
        key = dict(zip(votes.labels, check_key_counts(key_counts, votes.labels, votes.size), strict=True))
    possible = PossibleSet(questions=votes.size, judges=len(votes.judges), labels=votes.labels).count()
    whole = ConsistentSet(votes)
    at_key, counted_at, left_out = None, key, None
    try:
        at_key = None if key is None else whole.count_at(key)
    except NotSupported as error:
        counted_at, left_out = None, str(error)
    return ConsistentStudy(
        votes,
        votes.size,
        key,
        EvaluationCounts(votes.judges, possible, whole.count(), at_key),
        tuple(_individual(votes, judge, counted_at) for judge in votes.judges),
        tuple(one for judge in votes.judges for one in _right_answers(votes, judge, key)),
        left_out,
    )


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
    alone: misalignment.Misalignment | None
    together: misalignment.Misalignment
    smallest: misalignment.ImpossibleGroups | None = None
    curve: FailingCurve | None = None
    truth: CountEvaluation | None = None

    @property
    def fires(self) -> bool:
        """Whether an alarm fires: judges must fail at one of the levels, or not all could be safe."""
        return self.together.is_misaligned or any(one.proven for one in self.failing)

    @property
    def staircase(self) -> Picture | None:
        """The picture of the number of failing judges at each level."""
        if self.curve is None:
            return None
        caption, options = "How many judges must fail at each level, whatever the key", {"truth": self.truth}
        return Picture("failing", caption, "plot_failing_judges", (self.curve,), options, 36)

    def to_document(self) -> dict[str, Any]:
        """Return the verdicts with their certificates."""
        summary = {"fires": self.fires, "safe_key": self.together.safe_key}
        return summary | fields_document(self, "failing") | {"failing": failing_document(self.failing)}

    def blocks(self) -> Iterator[Block]:
        """Yield the failing judges, what is required, each verdict, and pictures."""
        if self.failing:  # three levels that say most: from the lowest one on at which judges must fail
            levels = self.failing[:3] if self.failing[0].proven else self.failing[-3:]
            yield Bullets(tuple(one.sentence() for one in levels))
        if self.staircase is not None:
            yield self.staircase
        yield Sentence(_requirement(self.specification))
        yield Bullets(tuple(self._verdicts()))
        votes, kinds = self.together.votes, len(self.together.votes.labels)
        keys, answers = comb(votes.size + kinds - 1, kinds - 1), len(votes.counts) * len(votes.judges)
        if kinds in (2, 3) and not votes.has_gaps and keys <= _MAX_KEYS and keys * answers <= _MAX_CELLS:
            regions = tuple(misalignment.SafeRegion(votes, self.specification, size) for size in (1, "all"))
            key = None if self.truth is None else dict(self.truth.key_counts)
            caption, height = "Key counts at which all judges could be safe", 30 if kinds == 2 else 50
            yield Picture("safe", caption, "plot_safe_keys", (regions,), {"true_key": key}, height)

    def _verdicts(self) -> Iterator[Sentence]:
        if self.alone is not None:
            line = self.alone.sentence()
            yield Sentence(line.text, f"each judge alone: {line.verdict}", fires=line.fires)
        line = self.together.sentence()
        named = self.smallest if self.smallest is not None and self.smallest.groups else self.together
        yield Sentence(named.sentence().text, f"all judges together: {line.verdict}", fires=line.fires)


def study_safety(
    votes: VoteCounts,
    specification: SafetySpecification,
    truth: CountEvaluation | None = None,
    *,
    failing: tuple[FailingJudges, ...] | None = None,
    measure: Measure = "every_label",
) -> SafetyStudy:
    """Return how many judges must fail at some levels, and whether all, and without gaps each alone, could be safe.

    `truth` is drawn; `failing` are the judges that must fail, if they are counted already. `measure` is that of
    `failing_judges`.
    """
    together = misalignment.find_misalignment(votes, specification)
    alone = None if votes.has_gaps else misalignment.find_misalignment(votes, specification, group_size=1)
    few = len(votes.judges) <= _MAX_GROUP_SEARCH
    if failing is None:
        failing = tuple(failing_judges(votes, level, measure=measure) for level in LEVELS)
    labels = len(votes.labels)
    limit = _MAX_CURVE if labels == 2 else _MAX_GROUP_SEARCH if labels <= _MAX_LABELS else 1
    return SafetyStudy(
        specification,
        failing,
        alone,
        together,
        misalignment.impossible_groups(votes, specification) if together.is_misaligned and few else None,
        failing_curve(votes, measure=measure) if 1 < len(votes.judges) <= limit else None,
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


@dataclass(frozen=True, slots=True)
class DependenceStudy(Value):
    """The least dependence under any key, that of the answer key, ranges under budgets, and claims."""

    least: bounds.LeastDependence
    by_key: mpq | None
    within: tuple[bounds.EvaluationWithin, ...]
    breakdown_points: tuple[bounds.BreakdownPoint, ...] = ()
    note: str | None = None
    """Which questions and judges this is about, if not all."""

    def certificates(self) -> list[Any]:
        """Return the certificates of all that is proven: the least dependence, the ranges, the claims."""
        results: tuple[Any, ...] = (self.least, *self.within, *self.breakdown_points)
        return [result.certificate for result in results if result.certificate is not None]

    def blocks(self) -> Iterator[Block]:
        """Yield what is proven first, then ranges and claims, then the limits."""
        if self.note is not None:
            yield Sentence(self.note)
        yield from self.least.blocks()
        if self.by_key is not None:
            yield Facts("Largest error covariance", (("by the answer key", self.by_key),))
        if self.least.closed_form.value:
            yield Sentence(self.least.closed_form.text, "The proof in one line")
        for result in self.within:
            yield Heading(f"If no error covariance exceeds {bound_text(result.correlation)}")
            yield from result.blocks()
        if self.breakdown_points:
            yield Heading("When claims break down")
            yield Bullets(tuple(map(self._point_text, self.breakdown_points)))
        text = "true errors are often far more dependent than the closest key; shared errors are invisible."
        yield Sentence(text, "Limits")

    def _point_text(self, point: bounds.BreakdownPoint) -> str:
        text = " ".join(sentence.text for sentence in point.blocks())
        others = f" This is about the {_answered(point.votes)}."
        return text + ("" if point.votes == self.least.votes else others)


def study_dependence(
    votes: VoteCounts | LabeledVoteCounts, *, budgets: Iterable[RationalLike] = (), claims: Sequence[str] = ()
) -> DependenceStudy:
    """Return how much dependence votes prove, ranges under budgets, and breakdown points of claims.

    If no question was answered by all judges, all this is about a group of judges with common questions.
    """
    observed = votes.observed() if isinstance(votes, LabeledVoteCounts) else votes
    group, note, points = common_group(observed), None, []
    for claim in claims:
        sides = read_claim(claim, observed).judges
        among = group if {*sides} <= {*group.judges} else common_group(observed, sides)
        points.append(bounds.breakdown_point(among, claim))
    if group.judges != observed.judges:
        note = f"No question was answered by all {len(observed.judges)} judges. This is about the "
        note += f"{_answered(group)}; --judges chooses others."
    elif group.size < observed.size:
        note = f"This is about the {group.size} of {observed.size} questions that all judges answered."
    return DependenceStudy(
        bounds.least_dependence(group),
        dependence_of(votes.common(*group.judges)).largest if isinstance(votes, LabeledVoteCounts) else None,
        tuple(bounds.evaluate_within(group, budget) for budget in budgets),
        tuple(points),
        note,
    )


def _answered(votes: VoteCounts) -> str:
    names = f"{', '.join(votes.judges[:-1])} and {votes.judges[-1]}"
    return f"{counted(votes.size, 'question')} that {names} answered"
