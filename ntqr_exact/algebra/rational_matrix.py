"""Small matrices of rationals: a thin typed wall around sympy's `DomainMatrix`.

Elements go in and come out as `mpq`, whichever ground types sympy uses inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import reduce
from operator import add
from typing import Any, TypeAlias

from gmpy2 import mpq
from sympy import QQ, Poly, Symbol
from sympy.polys.matrices import DomainMatrix
from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

from ntqr_exact.budget import spend

Matrix: TypeAlias = tuple[tuple[mpq, ...], ...]
"""Rows of rationals."""

_VARIABLE = Symbol("x")


class RootKind(Enum):
    """Where the roots of a polynomial lie, as far as it matters."""

    RATIONAL = "all roots are rational"
    IRRATIONAL = "all roots are real, but not all are rational"
    COMPLEX = "some roots are not real"


def matrix(rows: Iterable[Iterable[int | mpq]]) -> Matrix:
    """Return rows of numbers as a matrix."""
    return tuple(tuple(mpq(entry) for entry in row) for row in rows)


def identity(size: int) -> Matrix:
    """Return the identity matrix."""
    return matrix([[int(i == j) for j in range(size)] for i in range(size)])


def multiply(left: Matrix, right: Matrix) -> Matrix:
    """Return the matrix product.

    >>> multiply(matrix([[1, 2]]), matrix([[3], [4]]))
    ((mpq(11,1),),)
    """
    return _from_domain(_to_domain(left) * _to_domain(right))


def combination(weights: Sequence[int | mpq], matrices: Sequence[Matrix]) -> Matrix:
    """Return the sum of the matrices, each times its weight."""
    terms = (_to_domain_number(mpq(w)) * _to_domain(each) for w, each in zip(weights, matrices, strict=True))
    return _from_domain(reduce(add, terms))


def inverse(square: Matrix) -> Matrix | None:
    """Return the inverse, or `None` for a singular matrix.

    >>> inverse(matrix([[2, 0], [0, 4]]))
    ((mpq(1,2), mpq(0,1)), (mpq(0,1), mpq(1,4)))
    """
    try:
        return _from_domain(_to_domain(square).inv())
    except DMNonInvertibleMatrixError:
        return None


def kernel(square: Matrix) -> Matrix:
    """Return a basis of the vectors that the matrix sends to zero, as rows."""
    return _from_domain(_to_domain(square).nullspace().to_dense())


def characteristic_polynomial(square: Matrix) -> tuple[mpq, ...]:
    """Return the coefficients of det(x − M), the leading one first.

    >>> characteristic_polynomial(matrix([[1, 0], [0, 2]]))
    (mpq(1,1), mpq(-3,1), mpq(2,1))
    """
    return tuple(_to_mpq(coefficient) for coefficient in _to_domain(square).charpoly())


def is_squarefree(polynomial: Sequence[mpq]) -> bool:
    """Whether a polynomial has no root twice, complex ones included."""
    return bool(_to_poly(polynomial).is_sqf)


def rational_roots(polynomial: Sequence[mpq]) -> tuple[mpq, ...]:
    """Return the rational roots, increasing, as often as they occur.

    >>> rational_roots([mpq(1), mpq(-3), mpq(2)])
    (mpq(1,1), mpq(2,1))
    """
    roots = []
    for factor, multiplicity in _to_poly(polynomial).factor_list()[1]:
        if factor.degree() == 1:
            leading, constant = (_to_mpq(c) for c in factor.rep.to_list())
            roots += [-constant / leading] * multiplicity
    return tuple(sorted(roots))


def kind_of_roots(polynomial: Sequence[mpq]) -> RootKind:
    """Tell rational, irrational and complex roots apart; real ones are counted by Sturm's theorem.

    >>> kind_of_roots([mpq(1), mpq(0), mpq(-2)]).name, kind_of_roots([mpq(1), mpq(0), mpq(1)]).name
    ('IRRATIONAL', 'COMPLEX')
    """
    degree = len(polynomial) - 1
    if len(rational_roots(polynomial)) == degree:
        return RootKind.RATIONAL
    simple = _to_poly(polynomial).sqf_part()
    return RootKind.IRRATIONAL if simple.count_roots() == simple.degree() else RootKind.COMPLEX


def _to_poly(polynomial: Sequence[mpq]) -> Any:
    return Poly.from_list([_to_domain_number(c) for c in polynomial], _VARIABLE, domain=QQ)


def _to_domain(entries: Matrix) -> Any:
    size = len(entries)
    spend("matrices of so many labels", 20 + size**3 // 2 + size**4 // 50)
    rows = [[_to_domain_number(entry) for entry in row] for row in entries]
    return DomainMatrix(rows, (len(rows), len(rows[0])), QQ)


def _from_domain(entries: Any) -> Matrix:
    return tuple(tuple(_to_mpq(entry) for entry in row) for row in entries.to_list())


def _to_domain_number(number: mpq) -> Any:
    return QQ(int(number.numerator), int(number.denominator))


def _to_mpq(number: Any) -> mpq:
    return mpq(int(QQ.numer(number)), int(QQ.denom(number)))
