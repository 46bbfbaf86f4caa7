"""What follows if the judges err independently on each label: solutions, alarms, and keys if there are any."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Box, Bullets, Facts, Fold, Picture, Sentence, Table
from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution, KeyExistence
from ntqr_exact.evaluators.majority import MajorityEvaluation
from ntqr_exact.study.alarm_blocks import alarm_blocks
from ntqr_exact.study.brief import Brief
from ntqr_exact.study.grades_part import best_solution
from ntqr_exact.study.study import Part
from ntqr_exact.votes.labeled import LabeledVoteCounts


@dataclass(frozen=True, slots=True)
class IndependentStudy(Part):
    """The solution; `marks` are shares of the first label by other estimates, to compare in the picture."""

    anchor: ClassVar[str] = "independent"
    title: ClassVar[str] = "If the judges erred independently on each label"

    solution: IndependentSolution
    marks: tuple[tuple[str, mpq], ...] = ()

    @property
    def best(self) -> Evaluation | None:
        """The solution under which the judges are right most often, if all are real."""
        return best_solution(self.solution)

    def to_document(self) -> dict[str, Any]:
        """Return the solution as it stands, and which of its evaluations is shown beside other grades."""
        best = self.best
        shown = None if best is None else self.solution.solutions.index(best) + 1
        return {**self.solution.to_document(), "shown_solution": shown}

    def brief(self) -> Brief:
        """Return whether some answer key makes the errors independent, and what neither answer says."""
        solution = self.solution
        if solution.existence is KeyExistence.UNDECIDED:
            line = Sentence(f"{solution.existence.value}.", "Independent errors: UNDECIDED")
            return Brief(proven=(line,), next_steps=("Search on with a larger --effort.",))
        if solution.existence is KeyExistence.NONE:
            told = f"{solution.existence.value} exactly; {solution.alarms[0]}."
            return Brief(
                proven=(Sentence(told, "Independent errors: ALARM", fires=True),),
                unknown=(
                    "How far from independent the errors are: an alarm of independence does not say, nor which "
                    "judge is at fault. Judges who err independently by nature rarely do so to the last question.",
                ),
            )
        return Brief(
            proven=(Sentence(f"{solution.existence.value}.", "Independent errors: no alarm", fires=False),),
            unknown=(
                "Whether that key is the true one: correlated judges may fit an independent key by chance.",
            ),
        )

    def blocks(self) -> Iterator[Block]:
        """Yield what decides, the first solution in full, the alarms, and the answer keys folded."""
        solution, labels = self.solution, self.solution.votes.labels
        yield Sentence(f"{solution.identification.value.capitalize()}.")
        if solution.quadratic is not None:
            yield Sentence(
                f"The share P of a label solves A·P² − A·P + Π = 0, here {solution.quadratic}, where A = T² + 4Π and Π "
                "is the product of the three pair moments Δ."
            )
        mirrored = len(labels) == 2
        for place, one in enumerate(solution.solutions, start=1):
            facts = Facts(f"Solution {place}", tuple(self._rates(one)))
            yield Fold(f"solution {place}", (facts,)) if mirrored and place > 1 else facts
        if mirrored and solution.solutions:
            a, b = labels
            yield Sentence(
                f"Solution 2 exchanges the true labels: right on {a} is what wrong on {b} is in solution 1."
            )
        if self.best is not None and self.best != solution.solutions[0]:
            yield Sentence("The grades show solution 2, under which the judges are right more often.")
        yield from self._verdict()
        if solution.notes:
            yield Bullets(tuple(f"Note: {note}" for note in solution.notes))
        for place, key in enumerate(solution.keys, start=1):
            yield Fold(f"such an answer key, {place} of {len(solution.keys)}", (_key_table(key),))
        if solution.quadratic is not None:
            yield Picture(
                "quadratic",
                "The prevalence quadratic, its roots, and the range in which a share can lie",
                "plot_prevalence_quadratic",
                (solution,),
                {"marks": dict(self.marks)},
                height=50,
            )

    def _rates(self, one: Evaluation) -> Iterator[tuple[str, Any]]:
        yield from ((f"share of {label}", share) for label, share in one.prevalence.items())
        for judge, right in zip(self.solution.votes.judges, one.accuracy, strict=True):
            yield from ((f"judge {judge} right on {label}", rate) for label, rate in right.items())

    def _verdict(self) -> Iterator[Block]:
        solution = self.solution
        if solution.existence is KeyExistence.UNDECIDED:
            told = (
                f"{solution.existence.value}; the search ended after {solution.undecided_at} steps (effort)."
            )
            known = Bullets(tuple(f"Known: {finding}" for finding in solution.findings))
            yield Box((Sentence(told, "UNDECIDED"), known))
            return
        yield from alarm_blocks(solution.alarms, f"{solution.existence.value}.")


def study_independent(
    solution: IndependentSolution, key: Evaluation | None, majority: MajorityEvaluation
) -> IndependentStudy:
    """Return a solution with the shares of the first label by the key and by the majority beside it."""
    first = solution.votes.labels[0]
    named = {"by key": key, "majority": majority.evaluation}
    shares = {name: one.prevalence[first] for name, one in named.items() if one is not None}
    return IndependentStudy(solution, tuple((name, rational_rate(one)) for name, one in shares.items()))


def _key_table(key: LabeledVoteCounts) -> Table:
    """Return how the questions of each pattern split over the true labels."""
    rows = tuple(
        (", ".join(pattern), *(key.by_label[label].counts[pattern] for label in key.labels))
        for pattern in key.observed().counts
    )
    header = ("pattern", *(f"true {label}" for label in key.labels))
    return Table("Questions of each pattern, by true label", header, rows, "patterns")
