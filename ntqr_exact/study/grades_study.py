"""The grades of the judges by every evaluator, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Facts, Sentence, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.errors import BadVotes, TooMuchWork
from ntqr_exact.evaluation import Evaluation, Rate, Undefined, defined
from ntqr_exact.evaluators.dawid_skene import dawid_skene
from ntqr_exact.evaluators.grade import share_right
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.majority import TiePolicy, majority_vote
from ntqr_exact.exact.show import value_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_ASSUMED = {
    "by key": "the answer key is right",
    "majority": "most judges are right on every question",
    "Dawid-Skene": "the judges err independently, and the most likely key is the true one",
    "independent": "the judges err independently of each other on the questions of each label",
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """Grades by one evaluator, and what it assumes."""

    name: str
    assumes: str
    evaluation: Evaluation
    right_in_all: Mapping[str, mpq | Surd | None]
    """The share of right answers of each judge among its answers, by Dawid-Skene the expected one; `None` for none."""


@dataclass(frozen=True, slots=True)
class GradesStudy(Value):
    """The estimates, the one by the key first if there is a key."""

    judges: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    ties: int
    """Questions without a majority."""

    def blocks(self) -> Iterator[Block]:
        """Yield all grades in a table, and what each assumes."""
        evaluations = [one.evaluation for one in self.estimates]
        labels = evaluations[0].labels
        rows: list[tuple[Any, ...]] = [
            (f"share of {label}", *(rate_cell(one.prevalence[label]) for one in evaluations))
            for label in labels
        ]
        for index, judge in enumerate(self.judges):
            for label in labels:
                rates = (rate_cell(one.response_rates[index][label][label]) for one in evaluations)
                rows.append((f"judge {judge} right on {label}", *rates))
            rows.append(
                (
                    f"judge {judge} right in all",
                    *(rate_cell(one.right_in_all[judge]) for one in self.estimates),
                )
            )
        header = ("", *(one.name for one in self.estimates))
        yield Table("Shares of the labels, and how often each judge is right", header, tuple(rows))
        yield Facts("Each column assumes that", tuple((one.name, one.assumes) for one in self.estimates))
        if self.ties:
            yield Sentence(f"Questions without a majority: {self.ties}.")


def study_grades(
    votes: VoteCounts, by_key: Evaluation | None = None, labeled: LabeledVoteCounts | None = None
) -> GradesStudy:
    """Return evaluations side by side by their names; `by_key` are the rates of the key `labeled`, if it is known.

    With a key, a judge is graded on the questions that it answered.
    """
    majority, estimate = majority_vote(votes, ties=TiePolicy.FIRST_LABEL), dawid_skene(votes)
    judges, results = range(len(votes.judges)), []

    def add(name: str, evaluation: Evaluation, shares: Iterable[mpq | Surd | None]) -> None:
        of_all = dict(zip(votes.judges, shares, strict=True))
        results.append(Estimate(name, _ASSUMED[name], evaluation, of_all))

    if by_key is not None:
        shares = (
            right_in_all(by_key, judge) if labeled is None else share_right(labeled, judge)
            for judge in judges
        )
        add("by key", by_key, shares)
    add("majority", majority.evaluation, (share_right(majority.key, judge) for judge in judges))
    add("Dawid-Skene", estimate.evaluation, estimate.accuracy)
    if (best := _independent(votes)) is not None:
        add("independent", best, (right_in_all(best, judge) for judge in judges))
    return GradesStudy(votes.judges, tuple(results), majority.ties)


def _independent(votes: VoteCounts) -> Evaluation | None:
    try:
        return best_solution(solve_independent(votes)) if len(votes.judges) >= 3 else None
    except (TooMuchWork, BadVotes):
        return None


def rate_cell(rate: Rate | None) -> Any:
    """Return a rate for a table; one outside of 0 to 1 is marked.

    >>> rate_cell(mpq(1, 2)), rate_cell(mpq(5, 4))
    (mpq(1,2), '5/4 = 1.25, outside 0 to 1')
    """
    if rate is None or isinstance(rate, Undefined) or (isinstance(rate, Surd) and not rate.is_real):
        return rate
    return rate if 0 <= rate <= 1 else f"{value_text(rate)}, outside 0 to 1"


def best_solution(solution: IndependentSolution) -> Evaluation | None:
    """Return of the real solutions the one under which the judges are right most often; `None` if not all are real.

    >>> votes = VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    >>> best_solution(solve_independent(votes)).accuracy[2]
    {'a': mpq(1,1), 'b': mpq(1,1)}
    """
    rates = [[rate for right in one.accuracy for rate in right.values()] for one in solution.solutions]
    if not all(rate.is_real for some in rates for rate in some if isinstance(rate, Surd)):
        return None
    totals = [sum(map(defined, some), mpq(0)) for some in rates]
    return solution.solutions[totals.index(max(totals))] if totals else None


def right_in_all(evaluation: Evaluation, judge: int) -> mpq | Surd:
    """Return the share of all questions on which a judge is right, Σ_l P_l·P^l_{l_i}.

    >>> right_in_all(Evaluation.from_accuracies({"a": "1/4", "b": "3/4"}, [{"a": 1, "b": "1/3"}]), 0)
    mpq(1,2)
    """
    rates = evaluation.response_rates[judge]
    pairs = [(share, rates[label][label]) for label, share in evaluation.prevalence.items()]
    known = [defined(share) * right for share, right in pairs if not isinstance(right, Undefined)]
    return sum(known, mpq(0))
