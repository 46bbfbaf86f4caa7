"""`closest_to_independence`: the evaluation that is as independent as these votes allow, for every panel."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

from gmpy2 import mpq

from ntqr_exact.dependence.closed_bounds import TetradBound, tetrad_bound
from ntqr_exact.dependence.key_dependence import Dependence, check_panel, dependence_of, total_variation
from ntqr_exact.dependence.panel import named_by_most_right, problem_of
from ntqr_exact.dependence.witness import SHAKES, search_witness
from ntqr_exact.errors import Undecided
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.grade import grade
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_QUICK_TRIES = (100, 1000)
_QUICK_WORK = 200_000
"""Changes of each first key that a quick search tries: fewer, within these limits, where there are more pairs."""

_NAMING = "the labels of the key are so named that most answers are right: other names are as independent"


@dataclass(frozen=True, slots=True)
class ClosestEvaluation:
    """A key whose pairs of judges err as independently as the search could make them, and its evaluation.

    It is a guess: other keys may be as close, and the truth need not be close at all.
    """

    votes: VoteCounts
    witness: LabeledVoteCounts
    is_independent: bool
    bound: TetradBound

    @property
    def evaluation(self) -> Evaluation:
        """Prevalence, rates and pair correlations under the key."""
        return grade(self.witness, order=2)

    @property
    def dependence(self) -> Dependence:
        """The largest pair correlation under the key."""
        return dependence_of(self.witness)

    @property
    def total_variation(self) -> mpq:
        """How far the answers are from independent ones in all."""
        return total_variation(self.witness)

    @property
    def overall(self) -> tuple[mpq, ...]:
        """Each judge's share of right answers on all questions."""
        return tuple(
            mpq(
                sum(self.witness.confusion(judge)[label][label] for label in self.votes.labels),
                self.votes.size,
            )
            for judge in self.votes.judges
        )

    @property
    def ranking(self) -> tuple[str, ...]:
        """The judges, the best first; equals in the order of the votes."""
        places = sorted(range(len(self.votes.judges)), key=lambda i: (-self.overall[i], i))
        return tuple(self.votes.judges[i] for i in places)

    def __str__(self) -> str:
        """Return who is how good under the key."""
        if self.is_independent:
            head = "Under this key the errors are exactly independent."
        else:
            head = f"Under this key no pair has an error correlation beyond {with_decimal(self.dependence.largest)}."
        shares = [
            f"  share of {label}: {with_decimal(mpq(n, self.votes.size))}"
            for label, n in self.witness.key_counts.items()
        ]
        judges = [
            f"  {judge}: {with_decimal(right)} right in all"
            for judge, right in zip(self.votes.judges, self.overall, strict=True)
        ]
        return "\n".join([head, *shares, *judges, f"Note: {_NAMING}."])

    def to_document(self) -> dict[str, Any]:
        """Return the evaluation as a JSON document."""
        return {
            "is_independent": self.is_independent,
            "dependence": self.dependence.largest,
            "proven": self.bound.value,
            "total_variation": self.total_variation,
            "overall": dict(zip(self.votes.judges, self.overall, strict=True)),
            "ranking": list(self.ranking),
            "evaluation": self.evaluation.to_document(),
            "witness": self.witness.to_document(),
            "naming": _NAMING,
        }


@checked
def closest_to_independence(votes: VoteCounts, *, quick: bool = False) -> ClosestEvaluation:
    """Return the evaluation under the key with the smallest pair correlations that was found.

    Where an answer key makes the errors exactly independent, it is that one. `quick` searches for less than a second.

    >>> votes = VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    >>> closest = closest_to_independence(votes)
    >>> closest.is_independent, closest.evaluation.prevalence["a"]
    (True, mpq(4,5))

    Raises `BadVotes` for fewer than two judges, `EmptyTest` for no questions.
    """
    check_panel(votes)
    bound = tetrad_bound(votes)
    if len(votes.judges) > 2 and not bound.value:
        keys = solve_independent(votes).keys
        if keys:
            shares = [[keys[0].by_label[label].counts[p] for label in votes.labels] for p in votes.counts]
            return ClosestEvaluation(votes, named_by_most_right(votes, shares), True, bound)
    problem, most, shakes = problem_of(votes, 0, (2,)), None, SHAKES
    if quick:
        pairs = len(votes.labels) * comb(len(votes.judges), 2) * len(problem.answers) ** 2
        most, shakes = min(max(_QUICK_TRIES[0], _QUICK_WORK // pairs), _QUICK_TRIES[1]), 0
    found = search_witness(problem, shakes=shakes, most=most)
    if found is None:  # the keys of one label are always there
        raise Undecided(votes, "the search found no key at all")
    witness = named_by_most_right(votes, found.shares)
    # Pairs without correlations are independent only if trios and larger groups are.
    independent = found.value == 0 and total_variation(witness) == 0
    return ClosestEvaluation(votes, witness, independent, bound)
