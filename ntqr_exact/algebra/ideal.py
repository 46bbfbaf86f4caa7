"""Ideals of polynomials over the rationals: reduced Gröbner bases, membership, elimination, dimension.

The default order is lexicographic with the quantities of the votes above those of the answer key. Every
postulate f − F(parameters) then leads with its own f, so that the postulates are nearly a basis already.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ntqr_exact.algebra.monomial import rank
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.algebra.sympy_border import leading_monomial, reduced_basis, remainder
from ntqr_exact.errors import BadDocument

ORDERS = ("lex", "grevlex")


@dataclass(frozen=True, slots=True, init=False)
class Ideal:
    """All combinations Σ cofactor·generator of the generators.

    >>> x, y = Polynomial.variable("x"), Polynomial.variable("y")
    >>> circle = Ideal([x**2 + y**2 - 1, x - y])
    >>> circle.contains(2 * y**2 - 1), circle.dimension(), circle.eliminate(["x"]).generators
    (True, 0, (Polynomial({'y^2': '1', '1': '-1/2'}),))

    `variables` are in falling order; those that are not named follow, in the default order.
    """

    generators: tuple[Polynomial, ...]
    variables: tuple[str, ...]

    def __init__(self, generators: Iterable[Polynomial], variables: Iterable[str] = ()) -> None:
        """Drop zeros and complete the list of variables."""
        kept = tuple(polynomial for polynomial in generators if polynomial)
        first = tuple(dict.fromkeys(variables))
        found = {name for polynomial in kept for name in polynomial.variables()} - set(first)
        object.__setattr__(self, "generators", kept)
        object.__setattr__(self, "variables", first + tuple(sorted(found, key=rank, reverse=True)))

    def basis(self, order: str = "lex") -> tuple[Polynomial, ...]:
        """Return the reduced Gröbner basis, computed once: equal ideals have equal bases."""
        if order not in ORDERS:
            raise BadDocument(order, f"an order of monomials is one of {', '.join(ORDERS)}")
        return _basis(self.generators, self.variables, order)

    def reduce(self, polynomial: Polynomial, order: str = "lex") -> Polynomial:
        """Return the normal form of a polynomial: 0 iff it lies in the ideal."""
        wider = self._over(polynomial)
        return remainder(polynomial, wider.basis(order), wider.variables, order)

    def contains(self, polynomial: Polynomial) -> bool:
        """Tell whether a polynomial is a combination of the generators."""
        return not self.reduce(polynomial)

    def includes(self, other: Ideal) -> bool:
        """Tell whether every polynomial of the other ideal lies in this one."""
        return all(self.contains(polynomial) for polynomial in other.generators)

    def equals(self, other: Ideal) -> bool:
        """Tell whether both ideals hold the same polynomials, whatever their generators."""
        return self.includes(other) and other.includes(self)

    def eliminate(self, names: Iterable[str]) -> Ideal:
        """Return the ideal of what remains true without the variables named."""
        gone = tuple(names)
        ordered = Ideal(self.generators, (*gone, *(name for name in self.variables if name not in gone)))
        free = [polynomial for polynomial in ordered.basis() if not set(polynomial.variables()) & set(gone)]
        return Ideal(free, [name for name in self.variables if name not in gone])

    def dimension(self) -> int:
        """Return the dimension of the set of common zeros; −1 if there are none.

        It is the largest number of variables such that no leading monomial of a basis is made of these
        alone (Cox, Little and O'Shea, Ideals, Varieties, and Algorithms, chapter 9 §3).
        """
        leading = [
            frozenset(
                name
                for name, power in zip(
                    self.variables, leading_monomial(polynomial, self.variables, "grevlex"), strict=True
                )
                if power
            )
            for polynomial in self.basis("grevlex")
        ]
        if frozenset() in leading:
            return -1  # the basis is 1
        return len(self.variables) - _fewest_that_meet(leading)

    def _over(self, polynomial: Polynomial) -> Ideal:
        """Return this ideal in a ring that has the variables of the polynomial too."""
        extra = [name for name in polynomial.variables() if name not in self.variables]
        return Ideal(self.generators, (*self.variables, *extra)) if extra else self


@lru_cache(maxsize=256)
def _basis(
    generators: tuple[Polynomial, ...], variables: tuple[str, ...], order: str
) -> tuple[Polynomial, ...]:
    return reduced_basis(generators, variables, order)


def _fewest_that_meet(sets: list[frozenset[str]]) -> int:
    """Return the least number of names such that each of the sets, none of them empty, has one of them."""
    if not sets:
        return 0
    smallest = min(sets, key=len)  # one of its names must be taken; few names, few branches
    return 1 + min(_fewest_that_meet([other for other in sets if name not in other]) for name in smallest)
