"""What follows if the error rates of every pair multiply over the whole test, and where that differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Facts, Fold, Sentence
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.agreement_solution import AgreementSolution, solve_agreement
from ntqr_exact.exact.surd import Surd
from ntqr_exact.study.alarm_blocks import alarm_blocks
from ntqr_exact.study.study import Part
from ntqr_exact.votes.counts import VoteCounts


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
            rates = Facts(f"Error rates, branch {place}", tuple(_named(judges, errors)))
            yield rates if place == 1 else Fold("branch 2: 1 minus each of these", (rates,))
        yield from alarm_blocks(
            self.solution.alarms, "the error rates are shares of the questions of this test."
        )
        if self.solution.note:
            yield Sentence(self.solution.note)
        if any(value for _, value in self.defects):
            rows = tuple((", ".join(pair), value) for pair, value in self.defects)
            yield Facts("If errors are independent on each label, as above, e_ij − e_i·e_j is", rows)
        elif self.defects:
            yield Sentence(
                "At the rates of the independent solution above both hypotheses agree: e_ij = e_i·e_j for every pair."
            )


def _named(judges: tuple[str, ...], errors: tuple[mpq | Surd, ...]) -> Iterator[tuple[str, mpq | Surd]]:
    for judge, error in zip(judges, errors, strict=True):
        yield f"error rate of judge {judge}", error


def study_agreement(votes: VoteCounts, independent: Evaluation | None) -> AgreementStudy:
    """Return the agreement solution of three judges between two labels, compared with the independent rates."""
    solution = solve_agreement(votes)
    found = {} if independent is None else solution.defects(independent)
    defects = tuple(((votes.judges[i], votes.judges[j]), value) for (i, j), value in found.items())
    return AgreementStudy(solution, defects)
