"""`study_votes`: the first screen of a test and its details, computed once, as one value."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from ntqr_exact.alarms.specification import SafetySpecification
from ntqr_exact.blocks.block import Block, Bullets, Picture, Section, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import accounted
from ntqr_exact.dependence.measure import dependence_of
from ntqr_exact.errors import BadChoice, BadVotes, EmptyTest, TooMuchWork
from ntqr_exact.evaluation import CountEvaluation, Evaluation
from ntqr_exact.evaluators.agreement_solution import solve_agreement
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.show import counted
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.study.grades_study import study_grades
from ntqr_exact.study.logic_study import DependenceStudy, SafetyStudy, study_safety
from ntqr_exact.study.screen import PARTS, Screen, study_screen, taken_apart
from ntqr_exact.varieties.compositions import individual
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

TITLES = {
    "safety": "Could all judges be safe, whatever the key?",
    "graded": "The graded sample",
    "grades": "Grades",
    "independent": "If the judges erred independently on each label",
    "agreement": "If the error rates of every pair multiplied over the whole test",
    "dependence": "How much the errors depend on each other",
}
"""The parts of a study with their titles, in the order in which they are read."""

_MAX_JUDGES, _MAX_TRIOS = 12, 3
"""Of a panel with gaps, trios of these judges are compared, and those with the most common questions solved."""


@dataclass(frozen=True, slots=True)
class VotesStudy(Value):
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
        values: dict[str, Any] = {"votes": self.votes, "screen": self.screen, **self.parts}
        left_out = {"left_out": list(self.left_out)} if self.left_out else {}
        return {name: value.to_document() for name, value in values.items()} | left_out

    def sections(self) -> tuple[Section, ...]:
        """Return the screen, the section of each part, and what is left out."""
        sections = [Section("screen", "", tuple(self.screen.blocks()))]
        for name, part in self.parts.items():
            sections.append(Section(name, TITLES[name], (*part.blocks(), *_pictures(part))))
        if self.left_out:
            sections.append(Section("left-out", "Left out", (Bullets(self.left_out),)))
        return tuple(sections)


@dataclass(frozen=True, slots=True)
class TrioSolutions(Value):
    """The solutions of some trios of a panel with gaps, each on the questions that all three answered."""

    trios: tuple[IndependentSolution, ...]

    def blocks(self) -> Iterator[Block]:
        """Yield each trio with the number of its questions, and its solution."""
        if not self.trios:
            yield Sentence("No three of the judges with the most answers answered a common question.")
        for one in self.trios:
            names = ", ".join(one.votes.judges)
            yield Sentence(f"{names}: {counted(one.votes.size, 'question')} that all three answered.")
            yield from one.blocks()


def _pictures(part: Value) -> tuple[Block, ...]:
    if not isinstance(part, IndependentSolution) or part.quadratic is None:
        return ()
    caption = "The prevalence quadratic, its roots, and the range in which a share can lie"
    return (Picture("quadratic", caption, "plot_prevalence_quadratic", (part,), height=50),)


def _dependence(screen: Screen, labeled: LabeledVoteCounts | None) -> DependenceStudy | None:
    if screen.least is None:
        return None
    by_key = None if labeled is None else dependence_of(labeled).largest
    return DependenceStudy(screen.least, by_key, () if screen.within is None else (screen.within,))


def _independent(votes: VoteCounts) -> Value | None:
    """Return the solution of all judges; with gaps those of trios, chosen among the judges with the most answers."""
    judges = range(len(votes.judges))
    if len(judges) < 3:
        return None
    if len(judges) == 3 or not votes.has_gaps:
        return solve_independent(votes)
    most = sorted(sorted(judges, key=lambda judge: -votes.answered(judge))[:_MAX_JUDGES])
    sizes = {trio: votes.common(trio).size for trio in combinations(most, 3)}
    trios = sorted(filter(sizes.__getitem__, sizes), key=lambda trio: -sizes[trio])[:_MAX_TRIOS]
    return TrioSolutions(tuple(solve_independent(votes.marginal(trio)) for trio in trios))


def study_votes(
    votes: VoteCounts | LabeledVoteCounts | PartialKey,
    key: Evaluation | CountEvaluation | None = None,
    *,
    level: RationalLike = "0.95",
    parts: Iterable[str] = tuple(TITLES),
    source: str = "FILE",
    progress: Callable[[str], None] = lambda _: None,
) -> VotesStudy:
    """Return the first screen and the requested parts of a test, gaps as each allows: `TITLES` has their names.

    `key` are grades that are known where the votes have no key of their own. `level` is the level of intervals from
    graded questions; `source` is the file that printed commands name; `progress` takes the name of each step. Each
    part has a budget of its own; one that exceeds it is named in `left_out`.

    >>> study = study_votes(VoteCounts({"aaa": 2, "aab": 1, "bbb": 2}), parts=["grades"])
    >>> study["grades"].estimates[0].right_in_all["J3"]
    mpq(4,5)

    Raises `EmptyTest` for a test without questions, `BadChoice` for an unknown part.
    """
    names = frozenset(parts)
    for name in sorted(names - set(TITLES)):
        raise BadChoice(name, f"a part of a study must be one of {', '.join(TITLES)}")
    observed, labeled = taken_apart(votes)
    if observed.size == 0:
        raise EmptyTest(observed, "votes must have a question")
    rates, counts = (key.rates(), key) if isinstance(key, CountEvaluation) else (key, None)
    if labeled is not None:
        rates, counts = grade(labeled), None if labeled.has_gaps else individual(labeled)
    screen = study_screen(votes, rates, level=str(level), source=source, progress=progress)
    count, is_binary = len(observed.judges), len(observed.labels) == 2
    independent = functools.cache(lambda: _independent(observed))

    def solved() -> IndependentSolution | None:
        with suppress(TooMuchWork, BadVotes):
            if isinstance(solution := independent(), IndependentSolution):
                return solution
        return None

    compute: dict[str, Callable[[], Value | None]] = {
        "safety": lambda: study_safety(observed, SafetySpecification(), counts, failing=screen.failing),
        "graded": lambda: screen.grades,
        "grades": lambda: study_grades(screen.majority, screen.dawid_skene, solved(), rates, labeled),
        "independent": independent,
        "agreement": lambda: solve_agreement(observed) if count == 3 and is_binary else None,
        "dependence": lambda: _dependence(screen, labeled),
    }
    results: dict[str, Value] = {}
    left_out: list[str] = []
    for name, title in TITLES.items():
        if name not in names:
            continue
        progress(title)
        with accounted(PARTS) as budget:
            try:
                result = compute[name]()
            except TooMuchWork as error:
                reason, option = error.rule, f"--work-limit {100 * (budget.limit or 1)}"
            except BadVotes as error:
                if not observed.has_gaps:
                    raise
                reason, option = error.rule, "--missing drop"
            else:
                results |= {} if result is None else {name: result}
                continue
        left_out.append(f"{title}: {reason}; `ntqr-exact evaluate {source} --details {option}`")
    if isinstance(safety := results.get("safety"), SafetyStudy):
        screen = replace(screen, staircase=safety.staircase)
    return VotesStudy(observed, screen, FrozenMapping(results), tuple(left_out))
