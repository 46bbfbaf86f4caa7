"""Every trio of more than three judges by itself: could it have erred independently?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ntqr_exact.blocks.block import Block, Fold, Picture, Section, Sentence, Table
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution, KeyExistence
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.study.brief import Brief
from ntqr_exact.study.study import Part
from ntqr_exact.votes.counts import VoteCounts


@dataclass(frozen=True, slots=True)
class TriosStudy(Part):
    """The independent solution of each trio; its votes name the judges."""

    solutions: tuple[IndependentSolution, ...]

    @property
    def refuted(self) -> int:
        """How many trios cannot have erred independently."""
        return sum(one.existence is KeyExistence.NONE for one in self.solutions)

    def to_document(self) -> list[dict[str, Any]]:
        """Return for each trio whether an independent key exists, and the alarms, which are null if undecided."""
        return [
            {
                "judges": list(one.votes.judges),
                "independent_key": one.existence.name.lower(),
                "alarms": one.to_document()["alarms"],
                "undecided_at": one.undecided_at,
            }
            for one in self.solutions
        ]

    def brief(self) -> Brief:
        """Return how many trios cannot have erred independently."""
        line = f"Of {len(self.solutions)} trios, {self.refuted} cannot have erred exactly independently."
        return Brief(proven=(line,))

    def section(self) -> Section:
        """Return a row for each trio: the kinds of its alarms, and the first in words."""
        blocks: list[Block] = [
            Sentence("If all judges together erred independently, so did every trio; the converse fails."),
            Table(
                "Every trio by itself, and the alarms that it raises",
                ("judges", "alarms"),
                tuple((", ".join(one.votes.judges), _alarms(one)) for one in self.solutions),
                "trios",
            ),
            Fold(
                "the first alarm of each trio in words",
                (
                    Table(
                        "Why",
                        ("judges", "why"),
                        tuple((", ".join(one.votes.judges), _why(one)) for one in self.solutions),
                        "trios",
                    ),
                ),
            ),
        ]
        telling = max(self.solutions, key=_kinds)
        if len(telling.votes.labels) == 2 and telling.existence is not KeyExistence.UNDECIDED:
            caption = f"The prevalence quadratic of {', '.join(telling.votes.judges)}, the first trio with most alarms"
            blocks.append(Picture("trio", caption, "plot_prevalence_quadratic", (telling,), height=50))
        return Section("trios", "Every trio", tuple(blocks))


def study_trios(
    votes: VoteCounts, effort: int, progress: Callable[[str], None] = lambda _: None
) -> TriosStudy:
    """Return the independent solution of every trio of judges."""
    solutions = []
    for trio in combinations(votes.judges, 3):
        progress(f"trio {', '.join(trio)}")
        solutions.append(solve_independent(votes.marginal(*trio), effort=effort))
    return TriosStudy(tuple(solutions))


def _kinds(solution: IndependentSolution) -> int:
    return len({alarm.kind for alarm in solution.findings})


def _alarms(solution: IndependentSolution) -> Sentence:
    if solution.existence is KeyExistence.UNDECIDED:
        return Sentence("undecided")
    kinds = ", ".join(dict.fromkeys(alarm.kind.title for alarm in solution.alarms))
    return Sentence("", kinds or "none", fires=bool(kinds))


def _why(solution: IndependentSolution) -> Sentence:
    if solution.existence is KeyExistence.UNDECIDED:
        return Sentence(f"the search ended after {solution.undecided_at} steps")
    return Sentence(solution.alarms[0].words if solution.alarms else solution.existence.value)
