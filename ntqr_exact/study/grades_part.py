"""The grades of the judges, every way there is, side by side, and how far each is from the key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Block, Sentence, Table
from ntqr_exact.dependence.closest import ClosestEvaluation
from ntqr_exact.dependence.measure import bound_text
from ntqr_exact.dependence.tetrads import tetrad_bound
from ntqr_exact.evaluation import Evaluation, Rate, Undefined, defined
from ntqr_exact.evaluators.grade import squared_distance
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.majority import MajorityEvaluation, TiePolicy
from ntqr_exact.exact.show import value_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.study.study import Brief, Column, Part, Shares
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

BY_KEY, MAJORITY, INDEPENDENT, CLOSEST = "by key", "majority", "independent", "closest"

FEWEST = 3
"""Independent errors are solved for this many judges or more."""

_ASSUMED = {
    BY_KEY: "the answer key is right",
    MAJORITY: "most judges are right on every question",
    INDEPENDENT: "the judges err independently of each other on the questions of each label",
    CLOSEST: "the errors of pairs are as little correlated as the search for a key could make them",
}

_REFUTED = "on this test they do not exactly, which the votes prove"


@dataclass(frozen=True, slots=True)
class Estimate:
    """One way to grade: what it assumes, what it says, and its distance from the key if that is known."""

    name: str
    assumes: str
    evaluation: Evaluation
    distance: mpq | Surd | None
    caution: str = ""
    right: tuple[mpq | Surd | None, ...] = ()
    """The share of right answers of each judge among its answers; None where it gave none."""


@dataclass(frozen=True, slots=True)
class GradesStudy(Part):
    """The estimates, the one by the key first if there is a key; `ties` questions were decided by `policy`."""

    anchor: ClassVar[str] = "grades"
    title: ClassVar[str] = "Grades"

    judges: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    ties: int
    policy: TiePolicy
    dependence: ClosestEvaluation | None = None
    """The key whose errors are least correlated of those found, for three judges or more."""

    @property
    def closest(self) -> tuple[str, ...]:
        """The names of the estimates at the least distance from the key; none without a key."""
        told = [(one.distance, one.name) for one in self.estimates if one.distance is not None]
        least = min((distance for distance, _ in told), default=None)
        return tuple(name for distance, name in told if distance == least)

    def to_document(self) -> dict[str, Any]:
        """Return assumptions, shares of right answers in all, and distances; rates stand with each evaluation."""
        document: dict[str, Any] = {
            "estimates": [self._estimate_document(one) for one in self.estimates],
            "closest_to_key": list(self.closest),
            "ties": self.ties,
            "tie_policy": self.policy.value,
        }
        if (least := self.dependence) is not None:
            proven = _proven(least.votes)
            document["least_dependence"] = {"proven": proven, "attained": least.dependence.largest}
        return document

    def _estimate_document(self, one: Estimate) -> dict[str, Any]:
        right = dict(zip(self.judges, one.right, strict=True))
        document = {name: getattr(one, name) for name in ("name", "assumes", "caution")}
        document |= {"right_in_all": right, "squared_distance_from_key": one.distance}
        return document | ({"evaluation": one.evaluation.to_document()} if one.name == CLOSEST else {})

    def brief(self) -> Brief:
        """Return a column for each estimate, and what the majority cannot tell."""
        columns = tuple(map(self._column, self.estimates))
        if self.estimates[0].name == BY_KEY:
            return Brief(columns, self._least())
        unknown = (
            "Whether most judges are right: copies of one judge always agree, which looks like knowledge."
        )
        grade = "Grade some of the questions on which the judges differ, and name the column of the key by --truth."
        return Brief(columns, self._least(), (unknown,), (grade,))

    def _column(self, one: Estimate) -> Column:
        right = tuple((mpq(0), mpq(1)) if share is None else (share, share) for share in one.right)
        by_label = tuple((label, _on(one.evaluation, label)) for label in one.evaluation.labels)
        return Column(one.name, one.assumes, right, one.caution, by_label)

    def blocks(self) -> Iterator[Block]:
        """Yield the table of all grades, and which of them is closest to the key."""
        evaluations = [one.evaluation for one in self.estimates]
        labels = evaluations[0].labels
        rows: list[tuple[Any, ...]] = [
            (f"share of {label}", *(one.prevalence[label] for one in evaluations)) for label in labels
        ]
        for place, judge in enumerate(self.judges):
            for label in labels:
                rates = (one.response_rates[place][label][label] for one in evaluations)
                rows.append((f"judge {judge} right on {label}", *rates))
            rows.append((f"judge {judge} right in all", *(one.right[place] for one in self.estimates)))
        header = ("", *(one.name for one in self.estimates))
        yield Table("Shares of the labels, and how often each judge is right", header, tuple(rows))
        if len(self.judges) < FEWEST:
            here = f"here: {len(self.judges)}"
            yield Sentence(f"Independent errors are solved for three judges or more; {here}.")
        if self.ties:
            policy = self.policy.value
            yield Sentence(f"Questions without a majority: {self.ties}, decided by the policy {policy}.")
        if self.closest:
            yield Sentence(self._closest())

    def _least(self) -> tuple[Sentence, ...]:
        """Return between which numbers the least dependence of all keys lies."""
        if self.dependence is None:
            return ()
        proven = _proven(self.dependence.votes)
        some = (
            f"under every answer key some two judges have at least {bound_text(proven)}"
            if proven
            else "none is proven"
        )
        attained = bound_text(self.dependence.dependence.largest, is_upper=True)
        return (
            Sentence(
                f"{some}. Some answer key, not necessarily the true one, has at most {attained}.",
                "Error covariances",
            ),
        )

    def _closest(self) -> str:
        others = [one for one in self.estimates if one.distance is not None]
        told = ", ".join(f"{one.name} {value_text(one.distance, longest=0)}" for one in others)
        measure = f"sum of squared differences from the key: {told}"
        if len(others) == 1:
            return f"{measure[0].upper()}{measure[1:]}."
        if len(self.closest) == len(others):
            return f"All estimates are equally close to the key ({measure})."
        return f"Closest to the key: {', '.join(self.closest)} ({measure})."


def study_grades(  # noqa: PLR0917
    votes: VoteCounts | LabeledVoteCounts,
    key: Evaluation | None,
    majority: MajorityEvaluation,
    solution: IndependentSolution | None,
    policy: TiePolicy,
    closest: ClosestEvaluation | None = None,
) -> GradesStudy:
    """Return all estimates side by side, each with its distance from the key if there is one.

    Where the label of each pattern is known, a judge is graded on the questions that it answered.
    """
    best = best_solution(solution)
    named = {
        BY_KEY: key,
        MAJORITY: majority.evaluation,
        INDEPENDENT: best,
        CLOSEST: closest.evaluation if closest is not None and best is None else None,
    }
    keys = {
        BY_KEY: votes if isinstance(votes, LabeledVoteCounts) else None,
        MAJORITY: majority.key,
        CLOSEST: closest.witness if closest is not None else None,
    }
    refuted = solution is not None and solution.existence is Answer.NO
    estimates = tuple(
        Estimate(
            name,
            _ASSUMED[name],
            one,
            None if key is None or name == BY_KEY else squared_distance(one, key),
            _REFUTED if refuted and name == INDEPENDENT else "",
            _shares_right(keys.get(name), one),
        )
        for name, one in named.items()
        if one is not None
    )
    return GradesStudy(votes.judges, estimates, majority.ties, policy, closest)


def best_solution(solution: IndependentSolution | None) -> Evaluation | None:
    """Return of the real solutions the one under which the judges are right most often; `None` if not all are real.

    >>> from ntqr_exact import solve_independent
    >>> votes = VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    >>> best_solution(solve_independent(votes)).accuracy[2]
    {'a': mpq(1,1), 'b': mpq(1,1)}
    """
    if solution is None or not all(map(_is_real, solution.solutions)):
        return None
    return max(solution.solutions, key=lambda one: _total(_accuracies(one)), default=None)


def right_in_all(evaluation: Evaluation, judge: int) -> mpq | Surd:
    """Return the share of all questions on which a judge is right, Σ_l P_l·P^l_{l_i}.

    >>> right_in_all(Evaluation.from_accuracies({"a": "1/4", "b": "3/4"}, [{"a": 1, "b": "1/3"}]), 0)
    mpq(1,2)
    """
    rates = evaluation.response_rates[judge]
    pairs = [(share, rates[label][label]) for label, share in evaluation.prevalence.items()]
    return _total([defined(share) * right for share, right in pairs if not isinstance(right, Undefined)])


def share_right(key: LabeledVoteCounts, judge: int) -> mpq | None:
    """Return the share of right answers of a judge among its answers; `None` for no answers."""
    confusion = key.confusion(judge)
    answered = sum(sum(row.values()) for row in confusion.values())
    return mpq(sum(confusion[label][label] for label in confusion), answered) if answered else None


def _shares_right(key: LabeledVoteCounts | None, evaluation: Evaluation) -> tuple[mpq | Surd | None, ...]:
    judges = range(len(evaluation.response_rates))
    if key is not None:
        return tuple(share_right(key, judge) for judge in judges)
    return tuple(right_in_all(evaluation, judge) for judge in judges)


def _on(evaluation: Evaluation, label: str) -> Shares:
    """Return the accuracy of each judge on a label, as a range of one number."""
    rates = [accuracy[label] for accuracy in evaluation.accuracy]
    return tuple(None if isinstance(rate, Undefined) else (rate, rate) for rate in rates)


def _is_real(evaluation: Evaluation) -> bool:
    return all(not isinstance(rate, Surd) or rate.is_real for rate in _accuracies(evaluation))


def _accuracies(evaluation: Evaluation) -> list[Rate]:
    return [rate for right in evaluation.accuracy for rate in right.values()]


def _total(rates: list[Rate] | list[mpq | Surd]) -> mpq | Surd:
    return sum(map(defined, rates), mpq(0))


def _proven(votes: VoteCounts) -> mpq:
    """Return the least dependence that is proven; nothing is if no question was answered by all judges."""
    return tetrad_bound(votes).value if votes.common().size else mpq(0)
