"""What follows if the judges err independently: all on each label, every trio, or pairs over the whole test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.alarms.alarm import Alarm, AlarmKind
from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Block, Box, Bullets, Facts, Fold, Picture, Sentence, Table
from ntqr_exact.budget import spend
from ntqr_exact.evaluation import Evaluation, rational_rate
from ntqr_exact.evaluators.agreement_solution import AgreementSolution, solve_agreement
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.evaluators.majority import MajorityEvaluation
from ntqr_exact.exact.surd import Surd
from ntqr_exact.study.grades_part import best_solution
from ntqr_exact.study.study import Brief, Part
from ntqr_exact.votes.counts import VoteCounts
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
        if solution.existence is Answer.UNDECIDED:
            line = Sentence(f"{solution.existence_text}.", "Independent errors: UNDECIDED")
            return Brief(proven=(line,))
        if solution.existence is Answer.NO:
            told = f"{solution.existence_text} exactly; {solution.alarms[0]}."
            unknown = (
                "How far from independent the errors are: an alarm of independence does not say, nor which "
                "judge is at fault. Judges who err independently by nature rarely do so to the last question."
            )
            line = Sentence(told, "Independent errors: ALARM", fires=True)
            return Brief(proven=(line,), unknown=(unknown,))
        unknown = "Whether that key is the true one: correlated judges may fit an independent key by chance."
        line = Sentence(f"{solution.existence_text}.", "Independent errors: no alarm", fires=False)
        return Brief(proven=(line,), unknown=(unknown,))

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
            told = f"right on {labels[0]} is what wrong on {labels[1]} is in solution 1"
            yield Sentence(f"Solution 2 exchanges the true labels: {told}.")
        if self.best is not None and self.best != solution.solutions[0]:
            yield Sentence("The grades show solution 2, under which the judges are right more often.")
        yield from self._verdict()
        if solution.notes:
            yield Bullets(tuple(f"Note: {note}" for note in solution.notes))
        for place, key in enumerate(solution.keys, start=1):
            yield Fold(f"such an answer key, {place} of {len(solution.keys)}", (_key_table(key),))
        if solution.quadratic is not None:
            caption = "The prevalence quadratic, its roots, and the range in which a share can lie"
            options = {"marks": dict(self.marks)}
            yield Picture("quadratic", caption, "plot_prevalence_quadratic", (solution,), options, 50)

    def _rates(self, one: Evaluation) -> Iterator[tuple[str, Any]]:
        yield from ((f"share of {label}", share) for label, share in one.prevalence.items())
        for judge, right in zip(self.solution.votes.judges, one.accuracy, strict=True):
            yield from ((f"judge {judge} right on {label}", rate) for label, rate in right.items())

    def _verdict(self) -> Iterator[Block]:
        solution = self.solution
        if solution.existence is Answer.UNDECIDED:
            yield Box((Sentence(f"{solution.existence_text}.", "UNDECIDED"),))
            return
        yield from _alarm_blocks(solution.alarms, f"{solution.existence_text}.")


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


@dataclass(frozen=True, slots=True)
class AgreementStudy(Part):
    """The solution, and e_ij − e_i·e_j of each pair at the rates of the independent solution, if that is real."""

    anchor: ClassVar[str] = "agreement"
    title: ClassVar[str] = "If the error rates of every pair multiplied over the whole test"

    solution: AgreementSolution
    defects: tuple[tuple[tuple[str, str], mpq | Surd], ...]

    def to_document(self) -> dict[str, Any]:
        """Return the solution and the defects."""
        defects = [{"judges": list(pair), "value": value} for pair, value in self.defects]
        return {**self.solution.to_document(), "defects": defects}

    def blocks(self) -> Iterator[Block]:
        """Yield the error rates, the alarms, and where this hypothesis and independence on each label differ."""
        yield Sentence(
            "From the agreements alone: 2a_ij − 1 = (1 − 2e_i)(1 − 2e_j) for every pair. This is another hypothesis "
            "than independence on each label: there e_ij − e_i·e_j is P_a·P_b·(x_i − y_i)(x_j − y_j)."
        )
        judges = self.solution.votes.judges
        for place, errors in enumerate(self.solution.branches, start=1):
            named = tuple(
                (f"error rate of judge {judge}", e) for judge, e in zip(judges, errors, strict=True)
            )
            rates = Facts(f"Error rates, branch {place}", named)
            yield rates if place == 1 else Fold("branch 2: 1 minus each of these", (rates,))
        calm = "the error rates are shares of the questions of this test."
        yield from _alarm_blocks(self.solution.alarms, calm)
        if self.solution.note:
            yield Sentence(self.solution.note)
        if any(value for _, value in self.defects):
            rows = tuple((", ".join(pair), value) for pair, value in self.defects)
            yield Facts("If errors are independent on each label, as above, e_ij − e_i·e_j is", rows)
        elif self.defects:
            yield Sentence(
                "At the rates of the independent solution above both hypotheses agree: e_ij = e_i·e_j for every pair."
            )


def study_agreement(votes: VoteCounts, independent: Evaluation | None) -> AgreementStudy:
    """Return the agreement solution of three judges between two labels, compared with the independent rates."""
    solution = solve_agreement(votes)
    found = {} if independent is None else solution.defects(independent)
    defects = tuple(((votes.judges[i], votes.judges[j]), value) for (i, j), value in found.items())
    return AgreementStudy(solution, defects)


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
                "independent_key": one.existence.value,
                "alarms": one.to_document()["alarms"],
            }
            for one in self.solutions
        ]

    def brief(self) -> Brief:
        """Return how many trios cannot have erred independently."""
        refuted = sum(one.existence is Answer.NO for one in self.solutions)
        line = f"Of {len(self.solutions)} trios, {refuted} cannot have erred exactly independently."
        return Brief(proven=(line,))

    def blocks(self) -> Iterator[Block]:
        """Yield the kinds of alarms of each trio, the first of them in words, and a picture of the worst trio."""
        yield Sentence("If all judges together erred independently, so did every trio; the converse fails.")
        named = [(", ".join(one.votes.judges), *_alarms(one)) for one in self.solutions]
        kinds = tuple((names, kinds) for names, kinds, _ in named)
        caption = "Every trio by itself, and the alarms that it raises"
        yield Table(caption, ("judges", "alarms"), kinds, "trios")
        why = tuple((names, why) for names, _, why in named)
        yield Fold("the first alarm of each trio in words", (Table("Why", ("judges", "why"), why, "trios"),))
        telling = max(self.solutions, key=lambda one: len({alarm.kind for alarm in one.alarms}))
        if len(telling.votes.labels) == 2 and telling.existence is not Answer.UNDECIDED:
            caption = f"The prevalence quadratic of {', '.join(telling.votes.judges)}, the first trio with most alarms"
            yield Picture("trio", caption, "plot_prevalence_quadratic", (telling,), height=50)


def study_trios(votes: VoteCounts, progress: Callable[[str], None] = lambda _: None) -> TriosStudy:
    """Return the independent solution of every trio of judges."""
    spend("the trios of so many judges", 400 * comb(len(votes.judges), 3))
    solutions = []
    for trio in combinations(votes.judges, 3):
        progress(f"trio {', '.join(trio)}")
        solutions.append(solve_independent(votes.marginal(*trio)))
    return TriosStudy(tuple(solutions))


def _alarms(solution: IndependentSolution) -> tuple[Sentence, Sentence]:
    """Return the kinds of alarms of a trio, and the first alarm in words."""
    if solution.existence is Answer.UNDECIDED:
        return Sentence("undecided"), Sentence(solution.existence_text)
    kinds = ", ".join(dict.fromkeys(alarm.kind.title for alarm in solution.alarms))
    words = solution.alarms[0].words if solution.alarms else solution.existence_text
    return Sentence("", kinds or "none", fires=bool(kinds)), Sentence(words)


def _alarm_blocks(alarms: Iterable[Alarm], otherwise: str) -> Iterator[Block]:
    """Yield a box for each kind of alarm, or one calm box that says `otherwise`.

    >>> [box.blocks[0].text for box in _alarm_blocks([], "an answer key exists.")]
    ['an answer key exists.']
    """
    by_kind: dict[AlarmKind, list[Alarm]] = {}
    for alarm in alarms:
        by_kind.setdefault(alarm.kind, []).append(alarm)
    if not by_kind:
        yield Box((Sentence(otherwise, "No alarm", fires=False),), fires=False)
    for kind, (first, *others) in by_kind.items():
        more = f"; and {len(others)} more" if others else ""
        proof: list[Block] = [Sentence(f"{kind.value[0].upper()}{kind.value[1:]}.")]
        if first.proof:
            numbers = tuple((name.replace("_", " "), value) for name, value in first.proof.items())
            proof.append(Facts("The numbers of the proof", numbers))
        if others:
            proof.append(Bullets(tuple(alarm.words for alarm in others)))
        shown = Sentence(f"{first.words}{more}", f"ALARM, {kind.title}", fires=True)
        yield Box((shown, Fold("what it proves, with its numbers", tuple(proof))), fires=True)
