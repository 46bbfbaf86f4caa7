"""Every trio of more than three judges by itself: could it have erred independently?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, ClassVar

from ntqr_exact.blocks.block import Block, Fold, Picture, Sentence, Table
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution, KeyExistence
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.study.brief import Brief
from ntqr_exact.study.study import Part
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.work import spend


@dataclass(frozen=True, slots=True)
class TriosStudy(Part):
    """The independent solution of each trio; its votes name the judges."""

    anchor: ClassVar[str] = "trios"
    title: ClassVar[str] = "Every trio"

    solutions: tuple[IndependentSolution, ...]

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
        refuted = sum(one.existence is KeyExistence.NONE for one in self.solutions)
        line = f"Of {len(self.solutions)} trios, {refuted} cannot have erred exactly independently."
        return Brief(proven=(line,))

    def blocks(self) -> Iterator[Block]:
        """Yield the kinds of alarms of each trio, the first of them in words, and a picture of the worst trio."""
        yield Sentence("If all judges together erred independently, so did every trio; the converse fails.")
        named = [(", ".join(one.votes.judges), *_alarms(one)) for one in self.solutions]
        kinds = tuple((names, kinds) for names, kinds, _ in named)
        yield Table(
            "Every trio by itself, and the alarms that it raises", ("judges", "alarms"), kinds, "trios"
        )
        why = tuple((names, why) for names, _, why in named)
        yield Fold("the first alarm of each trio in words", (Table("Why", ("judges", "why"), why, "trios"),))
        telling = max(self.solutions, key=lambda one: len({alarm.kind for alarm in one.findings}))
        if len(telling.votes.labels) == 2 and telling.existence is not KeyExistence.UNDECIDED:
            caption = f"The prevalence quadratic of {', '.join(telling.votes.judges)}, the first trio with most alarms"
            yield Picture("trio", caption, "plot_prevalence_quadratic", (telling,), height=50)


def study_trios(
    votes: VoteCounts, effort: int, progress: Callable[[str], None] = lambda _: None
) -> TriosStudy:
    """Return the independent solution of every trio of judges."""
    spend("the trios of so many judges", 400 * comb(len(votes.judges), 3))
    solutions = []
    for trio in combinations(votes.judges, 3):
        progress(f"trio {', '.join(trio)}")
        solutions.append(solve_independent(votes.marginal(*trio), effort=effort))
    return TriosStudy(tuple(solutions))


def _alarms(solution: IndependentSolution) -> tuple[Sentence, Sentence]:
    """Return the kinds of alarms of a trio, and the first alarm in words."""
    if solution.existence is KeyExistence.UNDECIDED:
        return Sentence("undecided"), Sentence(f"the search ended after {solution.undecided_at} steps")
    kinds = ", ".join(dict.fromkeys(alarm.kind.title for alarm in solution.alarms))
    words = solution.alarms[0].words if solution.alarms else solution.existence.value
    return Sentence("", kinds or "none", fires=bool(kinds)), Sentence(words)
