"""`study_votes`: everything that the votes of a test say about the judges, computed once, as one value."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, TypeVar

from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.blocks.block import Block, Bullets, Heading, Picture, Section, Sentence, Table
from ntqr_exact.choice import chosen
from ntqr_exact.dependence.closest import ClosestEvaluation, closest_to_independence
from ntqr_exact.errors import BadChoice, BadVotes, EmptyTest, TooMuchWork
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.evaluators.majority import MajorityEvaluation, TiePolicy, majority_vote
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import counted
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.study.answers_part import AbstentionsStudy, AnswersStudy, study_abstentions, study_answers
from ntqr_exact.study.chance_part import ChanceStudy, study_chance
from ntqr_exact.study.consistent_part import MOST_DRAWN, ConsistentStudy, study_consistent
from ntqr_exact.study.correlations_part import (
    CorrelationsStudy,
    NearestStudy,
    study_correlations,
    study_nearest,
)
from ntqr_exact.study.dependence_part import DependenceStudy, study_dependence
from ntqr_exact.study.graded_part import GradedStudy, study_graded
from ntqr_exact.study.grades_part import GradesStudy, best_solution, study_grades
from ntqr_exact.study.independent_part import (
    AgreementStudy,
    IndependentStudy,
    TriosStudy,
    study_agreement,
    study_independent,
    study_trios,
)
from ntqr_exact.study.safety_part import SafetyStudy, study_safety
from ntqr_exact.study.study import Brief, Part, Study
from ntqr_exact.varieties.compositions import individual
from ntqr_exact.varieties.membership import counts_from_rates
from ntqr_exact.votes.abstentions import AbstainingVotes
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

GRADING = ("grades", "graded", "independent", "nearest", "agreement", "trios")
"""The parts that grade the judges: what `ntqr-exact evaluate` shows."""

PARTS = ("answers", "dependence", "chance", *GRADING, "safety", "consistent", "correlations")
"""The names of all parts; their order on a page is that of the fields of `VotesStudy`."""

_LARGEST_SEARCH = 5_000
"""Questions up to which the reference of correlations is the nearest consistent evaluation."""

_MOST_PANELS = 20
"""The grades on so many labels are drawn one beside the other; more are a wall of pictures that takes seconds."""

_Progress = Callable[[str], None]
_Made = TypeVar("_Made")
_Part = TypeVar("_Part", bound=Part)


@dataclass(frozen=True, slots=True)
class Summary(Part):
    """What all parts of a study add to its first page; `key_counts` are those of the answer key, if it is known."""

    anchor: ClassVar[str] = "summary"
    title: ClassVar[str] = "In short"

    votes: VoteCounts
    key_counts: Mapping[str, int] | None
    told: Brief
    graded: int | None = None
    """How many questions have a key, where only some have one."""

    def to_document(self) -> dict[str, Any]:
        """Return the columns with the order of the judges in each, and the lists."""
        judges = self.votes.judges
        return {
            "questions": self.votes.size,
            "graded": self.graded,
            "key_counts": None if self.key_counts is None else dict(self.key_counts),
            "columns": [one.to_document(judges) for one in self.told.columns],
            "proven": [str(line) for line in self.told.proven],
            "unknown": list(self.told.unknown),
            "next_steps": list(self.told.next_steps),
        }

    def blocks(self) -> Iterator[Block]:
        """Yield how good each judge is, who is better, what is proven, what cannot be known, and what to do next."""
        votes, told = self.votes, self.told
        key = "There is no answer key."
        if self.key_counts is not None:
            counts = ", ".join(f"{count} of {label}" for label, count in self.key_counts.items())
            key = f"The answer key is known: {counts}."
        elif self.graded is not None:
            key = f"The answer key of {self.graded} of them is known."
        yield Sentence(
            f"{counted(votes.size, 'question')}, {counted(len(votes.judges), 'judge')}, "
            f"labels {', '.join(votes.labels)}. {key}"
        )
        if told.columns:
            yield Heading("How good is each judge?")
            told_by = "a point is known, a bar is a range"
            drawn, topics = told.columns, "in all and on each label"
            if len(votes.labels) > _MOST_PANELS:
                drawn, topics = tuple(replace(one, by_label=()) for one in drawn), "in all"
            caption = f"Share of right answers of each judge, {topics}: {told_by}"
            options = {"judges": votes.judges}
            yield Picture("judges", caption, "plot_judge_grades", (drawn,), options, ground="figure")
            header = ("judge", *(one.name for one in told.columns))
            rows = tuple(zip(votes.judges, *(one.cells() for one in told.columns), strict=True))
            yield Table("Share of right answers in all", header, rows, "judges")
            assumed = (
                (one.name, one.assumes, f"; {one.caution}" if one.caution else "") for one in told.columns
            )
            yield Bullets(tuple(f"{name} assumes that {what}{caution}." for name, what, caution in assumed))
            if len(votes.judges) > 1:
                yield Heading("Who is better than whom?")
                yield Bullets(tuple(f"{one.name}: {one.order(votes.judges)}" for one in told.columns))
        for title, lines in (
            ("What the votes prove", told.proven),
            ("What they cannot tell", told.unknown),
            ("What to do next", told.next_steps),
        ):
            if lines:
                yield Heading(title)
                yield Bullets(lines)


@dataclass(frozen=True, slots=True)
class VotesStudy(Study):
    """A test and all that was found out about it; a part that was not asked for, or does not apply, is `None`.

    The parts stand in the order in which they are read.
    """

    votes: VoteCounts
    labeled: LabeledVoteCounts | None
    key: Evaluation | None
    key_counts: CountEvaluation | None
    majority: MajorityEvaluation
    abstentions: AbstentionsStudy | None = None
    answers: AnswersStudy | None = None
    dependence: DependenceStudy | None = None
    chance: ChanceStudy | None = None
    grades: GradesStudy | None = None
    graded: GradedStudy | None = None
    independent: IndependentStudy | None = None
    nearest: NearestStudy | None = None
    agreement: AgreementStudy | None = None
    trios: TriosStudy | None = None
    safety: SafetyStudy | None = None
    consistent: ConsistentStudy | None = None
    correlations: CorrelationsStudy | None = None
    left_out: tuple[str, ...] = ()
    """What was asked for and would take too long, with its size and how to have it all the same."""

    @property
    def summary(self) -> Summary:
        """The first page: what all parts tell in short."""
        known = self.labeled or self.key_counts
        counts = None if known is None else known.key_counts
        graded = None if self.graded is None else self.graded.key.graded_size
        told = sum((one.brief() for one in self.parts().values()), Brief())
        # What is one number comes before what is a range.
        columns = tuple(sorted(told.columns, key=lambda one: not one.is_exact))
        return Summary(self.votes, counts, replace(told, columns=columns), graded)

    def parts(self) -> dict[str, Part]:
        """Return the parts that there are, by their names."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: part for name, part in named.items() if isinstance(part, Part)}

    def to_document(self) -> dict[str, Any]:
        """Return votes, key and majority, and each part under its name."""
        document: dict[str, Any] = {"votes": self.votes.to_document()}
        if self.key is not None:
            document["key"] = self.key.to_document()
        majority = self.majority
        document["majority"] = {"evaluation": majority.evaluation.to_document(), "ties": majority.ties}
        if majority.reversed_evaluation is not None:
            document["majority"]["reversed"] = majority.reversed_evaluation.to_document()
        document |= {name: part.to_document() for name, part in self.parts().items()}
        if self.left_out:
            document["left_out"] = list(self.left_out)
        return document | {"summary": self.summary.to_document()}

    def sections(self) -> tuple[Section, ...]:
        """Return the first page, the section of each part, and what is left out."""
        left_out = [Section("left-out", "Left out", (Bullets(self.left_out),))] if self.left_out else []
        return (self.summary.section(), *(part.section() for part in self.parts().values()), *left_out)


def study_votes(
    votes: VoteCounts | LabeledVoteCounts | PartialKey | AbstainingVotes,
    key: Evaluation | CountEvaluation | None = None,
    *,
    ties: TiePolicy | str = TiePolicy.FIRST_LABEL,
    level: RationalLike = "0.95",
    factor: RationalLike | Mapping[str, RationalLike] | SafetySpecification = 2,
    budgets: Iterable[RationalLike] = (),
    funnel: bool = False,
    parts: Iterable[str] = PARTS,
    progress: _Progress = lambda _: None,
) -> VotesStudy:
    """Return everything about a test: grades by every evaluator, alarms with proofs, what could be true.

    `key` are grades that are known where the votes have no key of their own. `ties` says what the majority decides
    where several labels lead, `factor` what safe judges must
    satisfy, `level` the confidence level of intervals from graded questions, `budgets` what error correlations
    ranges may assume (`funnel` adds growing ones). `parts` names what is studied; `progress` is told what comes next.

    >>> found = study_votes(VoteCounts({"aaa": 2, "aab": 1, "bbb": 2}))
    >>> found.grades.estimates[0].name, found.majority.ties
    ('majority', 0)

    Of votes with abstentions all parts look at the questions that everybody answered, and one part tells of the
    abstentions. Raises `EmptyTest` for a test without questions.
    """
    asked = _parts(parts)
    abstaining = votes if isinstance(votes, AbstainingVotes) else None
    votes = votes.answered() if isinstance(votes, AbstainingVotes) else votes
    partial = votes if isinstance(votes, PartialKey) else None
    votes = votes.votes if isinstance(votes, PartialKey) else votes
    labeled = votes if isinstance(votes, LabeledVoteCounts) else None
    observed = votes.observed() if isinstance(votes, LabeledVoteCounts) else votes
    if observed.size == 0:
        rule = "a test without questions cannot be graded"
        raise EmptyTest(observed, rule if abstaining is None else "no question was answered by all")
    judges = len(observed.judges)
    is_trio = judges == 3 and len(observed.labels) == 2
    specification = factor if isinstance(factor, SafetySpecification) else SafetySpecification(factor)
    policy = chosen(ties, TiePolicy)
    rates, counts = _known(observed, labeled, key)
    progress("grades")
    majority = majority_vote(observed, ties=policy)
    left_out: list[str] = []

    def unless_too_much(name: str, make: Callable[[], _Made]) -> _Made | None:
        try:
            return make()
        except TooMuchWork as error:
            left_out.append(f"{name}: {error}")
        except BadVotes as error:
            if not observed.has_gaps:
                raise
            left_out.append(
                f"{name}: {error.rule}"
            )  # this part has no rule for gaps, or too few common questions
        return None

    solve = functools.partial(solve_independent, observed)
    solution = unless_too_much("independent errors", solve) if judges >= 3 else None
    best = best_solution(solution)

    def when(name: str, make: Callable[[], _Part]) -> _Part | None:
        if name not in asked:
            return None
        progress(name)
        return unless_too_much(name, make)

    def dependence() -> DependenceStudy:
        return study_dependence(votes, budgets=budgets if len(observed.labels) == 2 else (), funnel=funnel)

    def closest() -> ClosestEvaluation | None:
        """Return the best guess of three judges or more: of two, either could be the key."""
        if judges < 3 or (best is not None and "dependence" in asked):
            return None
        return closest_to_independence(observed)

    def grades() -> GradesStudy:
        nearest_key = unless_too_much("the closest key", closest)
        found = study_grades(labeled or observed, rates, majority, solution, policy, nearest_key)
        # The part of dependence says more.
        return replace(found, dependence=None) if "dependence" in asked else found

    def correlations() -> CorrelationsStudy:
        reference = _reference(observed, counts, nearest, majority)
        return study_correlations(observed, rates if labeled is not None else None, *reference)

    in_part: dict[str, Any] = {"level": level, "in_full": "answers" in asked}
    nearest = when("nearest", lambda: study_nearest(observed, best)) if best is not None and is_trio else None
    found = VotesStudy(
        votes=observed,
        labeled=labeled,
        key=rates,
        key_counts=counts,
        majority=majority,
        abstentions=study_abstentions(abstaining, ties=policy) if abstaining is not None else None,
        answers=when("answers", lambda: study_answers(votes, counts)),
        dependence=when("dependence", dependence) if judges > 1 else None,
        chance=when("chance", lambda: study_chance(observed)) if judges > 1 else None,
        graded=when("graded", lambda: study_graded(partial, **in_part)) if partial is not None else None,
        grades=when("grades", grades),
        independent=when("independent", lambda: study_independent(solution, rates, majority))
        if solution is not None
        else None,
        nearest=nearest,
        agreement=when("agreement", lambda: study_agreement(observed, best)) if is_trio else None,
        trios=when("trios", lambda: study_trios(observed, progress)) if judges > 3 else None,
        safety=when("safety", lambda: study_safety(observed, specification, counts)),
        consistent=when("consistent", lambda: study_consistent(observed, counts, pairs_up_to=MOST_DRAWN)),
        correlations=when("correlations", correlations) if judges > 1 else None,
    )
    return replace(found, left_out=tuple(left_out))


def _known(
    votes: VoteCounts, labeled: LabeledVoteCounts | None, key: Evaluation | CountEvaluation | None
) -> tuple[Evaluation | None, CountEvaluation | None]:
    """Return the grades by the key in rates, and in counts where the rates are those of whole numbers."""
    if labeled is not None:
        return grade(labeled), None if labeled.has_gaps else individual(labeled)
    if key is None or isinstance(key, CountEvaluation):
        return (None if key is None else key.rates()), key
    return key, counts_from_rates(votes, key)


def _reference(
    votes: VoteCounts, key: CountEvaluation | None, nearest: NearestStudy | None, majority: MajorityEvaluation
) -> tuple[CountEvaluation, str]:
    """Return whole-number grades that the votes allow, at which correlations are told, and their name."""
    if key is not None:
        return key, "the answer key"
    if nearest is not None and votes.size <= _LARGEST_SEARCH:
        return nearest.evaluation, "the whole numbers nearest to the independent solution"
    return individual(majority.key), "the majority's key"


def _parts(names: Iterable[str]) -> frozenset[str]:
    asked = frozenset(names)
    for name in sorted(asked - frozenset(PARTS)):
        raise BadChoice(name, f"the parts of a study are {', '.join(PARTS)}")
    return asked
