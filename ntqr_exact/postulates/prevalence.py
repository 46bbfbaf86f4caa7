"""The prevalence of three independent judges by elimination: what the votes alone say of P_a."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ntqr_exact.algebra.ideal import Ideal
from ntqr_exact.algebra.notation import prevalence
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.errors import BadVotes
from ntqr_exact.postulates.complete import independent
from ntqr_exact.postulates.equations import solution
from ntqr_exact.postulates.postulate import Role
from ntqr_exact.votes.counts import VoteCounts


class Outcome(Enum):
    """What is left of the postulates 41 to 48 when everything but P_a is eliminated."""

    TWO_PREVALENCES = "a quadratic: two prevalences, P and 1 − P, over the complex numbers"
    ONE_PREVALENCE = "P_a = 1/2: both solutions have the same prevalence, since T = 0"
    CONTRADICTION = "1 = 0: no three independent judges have these votes"
    UNIDENTIFIED = "nothing: a family of solutions, with prevalences as one likes"


@dataclass(frozen=True, slots=True)
class PrevalenceElimination:
    """The generator of the elimination ideal in P_a, leading coefficient 1, and what it means."""

    outcome: Outcome
    polynomial: Polynomial


def eliminate_prevalence(votes: VoteCounts) -> PrevalenceElimination:
    """Return what follows for P_a from the independent postulates with these votes.

    >>> votes = VoteCounts({"aaa": 1, "bbb": 2})
    >>> print(eliminate_prevalence(votes).polynomial)
    P_a² − P_a + 2/9

    Raises `BadVotes` unless three judges chose between two labels.
    """
    _check(votes)
    postulates = independent(3, votes.labels)
    numbers = [
        postulate.specialise(votes).polynomial
        for postulate in postulates
        if postulate.role is Role.HYPOTHESIS or postulate.name == "5"
    ]
    wanted = prevalence(votes.labels[0]).name
    ideal = Ideal(numbers)
    remaining = ideal.eliminate(name for name in ideal.variables if name != wanted).basis()
    generator = remaining[0] if remaining else Polynomial()
    if not generator:
        outcome = Outcome.UNIDENTIFIED
    elif generator.is_constant:
        outcome = Outcome.CONTRADICTION
    else:
        outcome = Outcome.ONE_PREVALENCE if generator.degree == 1 else Outcome.TWO_PREVALENCES
    return PrevalenceElimination(outcome, generator)


def prevalence_quadratic(votes: VoteCounts) -> Polynomial:
    """Return A·P_a² − A·P_a + Π with the numbers of the votes, eq. 39.

    It lies in the elimination ideal whatever the votes; it generates it if A ≠ 0, Π ≠ 0 and T ≠ 0.

    >>> print(prevalence_quadratic(VoteCounts({"aaa": 1, "bbb": 2})))
    4/81·P_a² − 4/81·P_a + 8/729
    """
    _check(votes)
    return solution(votes.labels)["39"].specialise(votes).polynomial


def _check(votes: VoteCounts) -> None:
    if len(votes.judges) != 3 or len(votes.labels) != 2:
        rule = f"the quadratic is for three judges and two labels, not {len(votes.judges)} and {len(votes.labels)}"
        raise BadVotes(votes, rule, "marginal takes three of the judges")
