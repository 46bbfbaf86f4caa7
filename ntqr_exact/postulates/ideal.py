"""Ideals of polynomials over the rationals, by sympy's Gröbner bases, and what the votes alone say of P_a.

The order is lexicographic, the votes above the answer key: the postulates f − F(parameters) are nearly a basis.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from ntqr_exact.errors import BadVotes
from ntqr_exact.postulates.equations import complete_rates, solution
from ntqr_exact.postulates.notation import rank
from ntqr_exact.postulates.polynomial import Polynomial, element, from_element, ring
from ntqr_exact.postulates.postulate import Postulate, Role
from ntqr_exact.votes.counts import VoteCounts


@dataclass(frozen=True, slots=True, init=False)
class Ideal:
    """All combinations Σ cofactor·generator of the generators.

    >>> x, y = Polynomial.variable("x"), Polynomial.variable("y")
    >>> circle = Ideal([x**2 + y**2 - 1, x - y])
    >>> circle.contains(2 * y**2 - 1), circle.eliminate(["x"]).generators
    (True, (Polynomial({'y^2': '1', '1': '-1/2'}),))

    `variables` are in falling order; those that are not named follow, in the default order.
    """

    generators: tuple[Polynomial, ...]
    variables: tuple[str, ...]

    def __init__(self, generators: Iterable[Polynomial], variables: Iterable[str] = ()) -> None:
        kept = tuple(polynomial for polynomial in generators if polynomial)
        first = tuple(dict.fromkeys(variables))
        others = {name for polynomial in kept for name in polynomial.variables()} - set(first)
        object.__setattr__(self, "generators", kept)
        object.__setattr__(self, "variables", first + tuple(sorted(others, key=rank, reverse=True)))

    def basis(self) -> tuple[Polynomial, ...]:
        """Return the reduced Gröbner basis: equal ideals in the same variables have equal bases."""
        return _basis(self.generators, self.variables)

    def reduce(self, polynomial: Polynomial) -> Polynomial:
        """Return the normal form of a polynomial: 0 iff it lies in the ideal."""
        extra = [name for name in polynomial.variables() if name not in self.variables]
        wider = Ideal(self.generators, (*self.variables, *extra))
        over = ring(wider.variables)
        return from_element(element(over, polynomial).rem([element(over, each) for each in wider.basis()]))

    def contains(self, polynomial: Polynomial) -> bool:
        """Return whether a polynomial is a combination of the generators."""
        return not self.reduce(polynomial)

    def equals(self, other: Ideal) -> bool:
        """Return whether both ideals hold the same polynomials, whatever their generators."""
        return all(map(self.contains, other.generators)) and all(map(other.contains, self.generators))

    def eliminate(self, names: Iterable[str]) -> Ideal:
        """Return the ideal of what remains true without the variables named."""
        gone = tuple(names)
        kept = [name for name in self.variables if name not in gone]
        basis = Ideal(self.generators, (*gone, *kept)).basis()
        return Ideal([each for each in basis if not set(each.variables()) & set(gone)], kept)


@lru_cache(maxsize=256)
def _basis(generators: tuple[Polynomial, ...], names: tuple[str, ...]) -> tuple[Polynomial, ...]:
    from sympy.polys.groebnertools import groebner

    if not generators:
        return ()
    over = ring(names)
    basis = groebner([element(over, each) for each in generators], over)
    return tuple(map(from_element, sorted(basis, key=lambda each: over.order(each.LM), reverse=True)))


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
    known = [each.specialise(votes) for each in complete_rates(3, _two_labels(votes), independent=True)]
    ideal = Ideal(each.polynomial for each in known if each.role is Role.HYPOTHESIS or each.name == "5")
    remaining = ideal.eliminate(name for name in ideal.variables if name != "Pa").basis()
    generator = remaining[0] if remaining else Polynomial()
    by_degree = (Outcome.CONTRADICTION, Outcome.ONE_PREVALENCE, Outcome.TWO_PREVALENCES)
    return PrevalenceElimination(
        by_degree[generator.degree] if generator else Outcome.UNIDENTIFIED, generator
    )


def prevalence_quadratic(votes: VoteCounts) -> Polynomial:
    """Return A·P_a² − A·P_a + Π with the numbers of the votes, eq. 39.

    It lies in the elimination ideal whatever the votes; it generates it if A ≠ 0, Π ≠ 0 and T ≠ 0.

    >>> print(prevalence_quadratic(VoteCounts({"aaa": 1, "bbb": 2})))
    4/81·P_a² − 4/81·P_a + 8/729
    """
    equation: Postulate = solution(_two_labels(votes))["39"]
    return equation.specialise(votes).polynomial


def _two_labels(votes: VoteCounts) -> tuple[str, ...]:
    if len(votes.judges) != 3 or len(votes.labels) != 2:
        raise BadVotes(
            votes, "votes must be of three judges and two labels", "marginal takes three of the judges"
        )
    return votes.labels
