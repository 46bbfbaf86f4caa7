"""Ideals of polynomials over the rationals, by sympy's Gröbner bases, and what the votes alone say of P_a.

The order is lexicographic, the votes above the answer key: the postulates f − F(parameters) are nearly a basis.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from ntqr_exact.errors import BadVotes
from ntqr_exact.postulates.equations import independent, solution
from ntqr_exact.postulates.notation import rank
from ntqr_exact.postulates.polynomial import Polynomial, read_formula, ring
from ntqr_exact.postulates.postulate import Role
from ntqr_exact.votes.counts import VoteCounts


@dataclass(frozen=True, eq=False)
class Ideal:
    """All combinations Σ cofactor·generator of the generators.

    >>> circle = Ideal([read_formula("x**2 + y**2 - 1"), read_formula("x - y")])
    >>> circle.contains(read_formula("2*y**2 - 1")), circle.eliminate(["x"]).generators
    (True, [read_formula('y**2 - 1/2')])

    Variables are in falling order, `first` before all others.
    """

    generators: Collection[Polynomial]
    first: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables in falling order."""
        others = {name for each in self.generators for name in each.variables()} - set(self.first)
        return self.first + tuple(sorted(others, key=rank, reverse=True))

    @cached_property
    def _basis(self) -> list[Any]:
        from sympy.polys.groebnertools import groebner

        over = ring(self.variables)
        elements = [each.top.set_ring(over) for each in self.generators if each]
        return sorted(groebner(elements, over), key=lambda each: over.order(each.LM), reverse=True)

    def basis(self) -> list[Polynomial]:
        """Return the reduced Gröbner basis: equal ideals in the same variables have equal bases."""
        return [Polynomial(each, each.ring.one) for each in self._basis]

    def contains(self, polynomial: Polynomial) -> bool:
        """Return whether a polynomial is a combination of the generators: it reduces to 0."""
        names = self.variables
        over = ring(names + tuple(name for name in polynomial.variables() if name not in names))
        return not polynomial.top.set_ring(over).rem([each.set_ring(over) for each in self._basis])

    def equals(self, other: Ideal) -> bool:
        """Return whether both ideals hold the same polynomials, whatever their generators."""
        return all(map(self.contains, other.generators)) and all(map(other.contains, self.generators))

    def eliminate(self, names: Iterable[str]) -> Ideal:
        """Return the ideal of what remains true without the variables named."""
        gone = tuple(names)
        basis = Ideal(self.generators, gone).basis()
        return Ideal([each for each in basis if not set(each.variables()) & set(gone)])


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
    """Return what follows for P_a from the independent postulates of three judges and two labels with these votes.

    >>> print(eliminate_prevalence(VoteCounts({"aaa": 1, "bbb": 2})).polynomial)
    P_a² − P_a + 2/9
    """
    known = independent(3, _two_labels(votes)).specialise(votes)
    ideal = Ideal([each.polynomial for each in known if each.role is Role.HYPOTHESIS or each.name == "5"])
    remaining = ideal.eliminate(name for name in ideal.variables if name != "Pa").basis()
    if not remaining:
        return PrevalenceElimination(Outcome.UNIDENTIFIED, read_formula("0"))
    by_degree = (Outcome.CONTRADICTION, Outcome.ONE_PREVALENCE, Outcome.TWO_PREVALENCES)
    return PrevalenceElimination(by_degree[remaining[0].degree], remaining[0])


def prevalence_quadratic(votes: VoteCounts) -> Polynomial:
    """Return A·P_a² − A·P_a + Π with the numbers of the votes, eq. 39.

    It lies in the elimination ideal whatever the votes; it generates it if A ≠ 0, Π ≠ 0 and T ≠ 0.

    >>> print(prevalence_quadratic(VoteCounts({"aaa": 1, "bbb": 2})))
    4/81·P_a² − 4/81·P_a + 8/729
    """
    polynomial: Polynomial = solution(_two_labels(votes))["39"].specialise(votes).polynomial
    return polynomial


def _two_labels(votes: VoteCounts) -> tuple[str, ...]:
    if len(votes.judges) != 3 or len(votes.labels) != 2:
        rule = "votes must be of three judges and two labels"
        raise BadVotes(votes, rule, "marginal takes three of the judges")
    return votes.labels
