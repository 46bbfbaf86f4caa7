"""`study_votes`: the first screen of a test and its details, computed once, as one value."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.blocks.block import Block, Bullets, Picture, Section
from ntqr_exact.blocks.value import Study, Value
from ntqr_exact.budget import own_budget
from ntqr_exact.choice import chosen
from ntqr_exact.dependence.closest import closest_to_independence
from ntqr_exact.errors import BadChoice, BadVotes, EmptyTest, TooMuchWork
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.evaluators.agreement_solution import solve_agreement
from ntqr_exact.evaluators.dawid_skene import dawid_skene
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.study import grades_study as by
from ntqr_exact.study.answers_study import study_abstentions, study_answers, study_chance
from ntqr_exact.study.dependence_study import study_dependence
from ntqr_exact.study.graded_study import GradedStudy, study_graded
from ntqr_exact.study.logic_study import study_consistent, study_safety
from ntqr_exact.study.screen import BUDGET, Screen, study_screen
from ntqr_exact.varieties.compositions import individual
from ntqr_exact.varieties.consistent import ConsistentSet
from ntqr_exact.varieties.membership import counts_from_rates
from ntqr_exact.votes.abstentions import AbstainingVotes
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

TITLES = {
    "graded": "The graded sample",
    "grades": "Grades",
    "abstentions": "Abstentions",
    "independent": "If the judges erred independently on each label",
    "trios": "Every trio, if its judges erred independently",
    "agreement": "If the error rates of every pair multiplied over the whole test",
    "correlations": "Error correlations",
    "dependence": "How much the errors depend on each other",
    "safety": "Could all judges be safe, whatever the key?",
    "consistent": "What is possible, and what the votes leave",
    "chance": "Agreement beyond chance",
    "answers": "The answers",
}
"""The parts of a study with their titles, in the order in which they are read."""

GRADING = ("graded", "grades", "abstentions", "independent", "trios", "agreement", "correlations")
"""The parts that grade the judges: the details of `ntqr-exact evaluate`."""

_MAX_CLOSEST = 20
"""Judges up to which the closest key is searched."""

_MAX_NEAREST = 5_000
"""Questions up to which error correlations are given at the nearest consistent evaluation."""


@dataclass(frozen=True, slots=True)
class VotesStudy(Study):
    """Votes, their first screen, and the parts that were requested and apply, by name."""

    votes: VoteCounts
    screen: Screen
    parts: Mapping[str, Value]
    left_out: tuple[str, ...] = ()
    """Parts that would take too long, with the reason and the command that computes them."""

    def __getitem__(self, name: str) -> Any:
        return self.parts[name]

    def to_document(self) -> dict[str, Any]:
        """Return the votes, the screen, and each part under its name."""
        parts = {name: part.to_document() for name, part in self.parts.items()}
        left_out = {"left_out": list(self.left_out)} if self.left_out else {}
        return {"votes": self.votes.to_document(), "screen": self.screen.to_document(), **parts, **left_out}

    def sections(self) -> tuple[Section, ...]:
        """Return the screen, the section of each part, and what is left out."""
        sections = [Section("screen", "", tuple(self.screen.blocks()))]
        for name, part in self.parts.items():
            sections.append(Section(name, TITLES[name], (*part.blocks(), *_pictures(part))))
        if self.left_out:
            sections.append(Section("left-out", "Left out", (Bullets(self.left_out),)))
        return tuple(sections)


def _pictures(part: Value) -> tuple[Block, ...]:
    if not isinstance(part, IndependentSolution) or part.quadratic is None:
        return ()
    caption = "The prevalence quadratic, its roots, and the range in which a share can lie"
    return (Picture("quadratic", caption, "plot_prevalence_quadratic", (part,), height=50),)


def study_votes(
    votes: VoteCounts | LabeledVoteCounts | PartialKey | AbstainingVotes,
    key: Evaluation | CountEvaluation | None = None,
    *,
    ties: TiePolicy | str = TiePolicy.FIRST_LABEL,
    level: RationalLike = "0.95",
    factor: RationalLike | Mapping[str, RationalLike] | SafetySpecification = 2,
    parts: Iterable[str] = tuple(TITLES),
    source: str = "FILE",
) -> VotesStudy:
    """Return the first screen and the requested parts of a test: `TITLES` has their names.

    `key` are grades that are known where the votes have no key of their own. `ties` is the policy of the majority,
    `factor` the requirement of safety, `level` the level of intervals from graded questions; `source` is the file
    that printed commands name. Each part has a budget of its own; one that exceeds it is named in `left_out`.

    >>> study = study_votes(VoteCounts({"aaa": 2, "aab": 1, "bbb": 2}), parts=["grades"])
    >>> study["grades"].estimates[0].right_in_all["J3"]
    mpq(4,5)

    Details of votes with abstentions use the questions that all judges answered. Raises `EmptyTest` for a test
    without questions, `BadChoice` for an unknown part.
    """
    names = frozenset(parts)
    for name in sorted(names - set(TITLES)):
        raise BadChoice(name, f"a part of a study must be one of {', '.join(TITLES)}")
    specification = factor if isinstance(factor, SafetySpecification) else SafetySpecification(factor)
    test = _Test(votes, key, chosen(ties, TiePolicy), rational(level), specification)
    results: dict[str, Value] = {}
    left_out: list[str] = []
    for name in TITLES:
        result = _within_budget(test, name, source, left_out) if name in names else None
        if result is not None:
            results[name] = result
    graded = results.get("graded")
    graded = graded if isinstance(graded, GradedStudy) else None
    screen = study_screen(votes, test.rates, level=str(level), source=source, grades=graded)
    return VotesStudy(test.observed, screen, FrozenMapping(results), tuple(left_out))


def _within_budget(test: _Test, name: str, source: str, left_out: list[str]) -> Value | None:
    """Return a part of a study, or note why it is left out and how to compute it."""
    command, reason = "", ""
    with own_budget() as budget:
        try:
            result: Value | None = getattr(test, name)()
        except TooMuchWork as error:
            result, reason = None, error.rule
            command = f"--details --work-limit {100 * (budget.limit or 1)}"
        except BadVotes as error:
            if not test.observed.has_gaps:
                raise
            result, reason, command = None, error.rule, "--details --missing drop"
    if reason:
        left_out.append(f"{TITLES[name]}: {reason}; `ntqr-exact evaluate {source} {command}`")
    return result


class _Test:
    """Votes with what is known of their key; a method for each part returns it, or nothing if it does not apply."""

    def __init__(
        self, votes: Any, key: Any, policy: TiePolicy, level: mpq, specification: SafetySpecification
    ) -> None:
        self.abstaining = votes if isinstance(votes, AbstainingVotes) else None
        answered = votes.answered() if isinstance(votes, AbstainingVotes) else votes
        self.partial = answered if isinstance(answered, PartialKey) else None
        self.own: VoteCounts | LabeledVoteCounts = (
            answered.votes if isinstance(answered, PartialKey) else answered
        )
        self.labeled = self.own if isinstance(self.own, LabeledVoteCounts) else None
        self.observed = self.own if isinstance(self.own, VoteCounts) else self.own.observed()
        if self.observed.size == 0:
            raise EmptyTest(self.observed, "votes must have a question that all judges answered")
        self.rates, self.counts = _known(self.observed, self.labeled, key)
        self.policy, self.level, self.specification = policy, level, specification
        self.count, self.is_binary = len(self.observed.judges), len(self.observed.labels) == 2
        self.majority = majority_vote(self.observed, ties=policy)

    @functools.cached_property
    def solution(self) -> IndependentSolution:
        return solve_independent(self.observed)

    @functools.cached_property
    def best(self) -> Evaluation | None:
        """The independent solution under which the judges are right most often."""
        try:
            return by.best_solution(self.solution) if self.count >= 3 else None
        except (TooMuchWork, BadVotes):
            return None

    def graded(self) -> Value | None:
        return None if self.partial is None else study_graded(self.partial, level=self.level)

    def grades(self) -> Value:
        estimate = dawid_skene(self.observed)
        evaluations: dict[str, tuple[Evaluation, LabeledVoteCounts | None]] = {}
        if self.rates is not None:
            evaluations[by.BY_KEY] = self.rates, self.labeled
        evaluations[by.MAJORITY] = self.majority.evaluation, self.majority.key
        evaluations[by.DAWID_SKENE] = estimate.evaluation, estimate.key
        if self.best is not None:
            evaluations[by.INDEPENDENT] = self.best, None
        elif 3 <= self.count <= _MAX_CLOSEST:
            closest = closest_to_independence(self.observed)
            evaluations[by.CLOSEST] = closest.evaluation, closest.witness
        return by.study_grades(self.observed.judges, evaluations, ties=self.majority.ties)

    def abstentions(self) -> Value | None:
        return None if self.abstaining is None else study_abstentions(self.abstaining, ties=self.policy)

    def independent(self) -> Value | None:
        return self.solution if self.count >= 3 else None

    def trios(self) -> Value | None:
        return by.study_trios(self.observed) if self.count > 3 else None

    def agreement(self) -> Value | None:
        return solve_agreement(self.observed) if self.count == 3 and self.is_binary else None

    def correlations(self) -> Value | None:
        if self.count == 1 or not self.is_binary:
            return None
        reference, name = individual(self.majority.key), "the majority's key"
        if self.counts is not None:
            reference, name = self.counts, "the answer key"
        elif self.count == 3 and self.observed.size <= _MAX_NEAREST and self.best is not None:
            reference = ConsistentSet(self.observed).nearest(self.best).evaluation
            name = "the whole numbers nearest to the independent solution"
        by_key = self.rates if self.labeled is not None else None
        return by.study_correlations(self.observed, reference, name, by_key)

    def dependence(self) -> Value | None:
        budgets = [BUDGET] if self.is_binary else []
        return study_dependence(self.own, budgets=budgets) if self.count > 1 else None

    def chance(self) -> Value | None:
        return study_chance(self.observed) if self.count > 1 else None

    def safety(self) -> Value:
        return study_safety(self.observed, self.specification, self.counts)

    def consistent(self) -> Value:
        return study_consistent(self.observed, None if self.counts is None else self.counts.key_counts)

    def answers(self) -> Value:
        return study_answers(self.own, self.counts)


def _known(
    votes: VoteCounts, labeled: LabeledVoteCounts | None, key: Evaluation | CountEvaluation | None
) -> tuple[Evaluation | None, CountEvaluation | None]:
    """Return the grades by the key in rates, and in counts where the rates are those of whole numbers."""
    if labeled is not None:
        return grade(labeled), None if labeled.has_gaps else individual(labeled)
    if key is None or isinstance(key, CountEvaluation):
        return (None if key is None else key.rates()), key
    return key, counts_from_rates(votes, key)
