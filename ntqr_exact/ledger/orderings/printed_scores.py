"""Score functions as they are printed: a text such as `sqrt sum (p - 1/k)**2` is read and evaluated exactly.

Forms are `max F`, `sum F`, `sqrt sum F`, `sum abs F`, `sum C log A` and `minus sum C log A`, where F, C and A are
formulas in the component p and the number of labels k.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, read_formula
from ntqr_exact.confidence.keys import LogSumKey
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import ScoreFunction
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.logsum import log_sum_sign
from ntqr_exact.exact.rational import rational

_DECIMAL = re.compile(r"\d+\.\d+")
Terms = list[tuple[mpq, mpq]]


def exact_formula(text: str) -> Formula:
    """Return a formula in which decimals stand for their exact values."""
    return read_formula(_DECIMAL.sub(lambda match: f"({rational(match[0])})", text))


def at(formula: Formula, **values: mpq | int) -> mpq:
    """Return the value of a formula at rational values of its variables."""
    return rational(str(formula.evaluate({name: mpq(value) for name, value in values.items()})))


@dataclass(frozen=True, slots=True)
class PrintedScore:
    """A score read from a text: a rational key (without its root), or a sum of logarithms."""

    text: str
    root: bool
    rational_key: Callable[[ProbabilityVector], mpq] | None
    log_terms: Callable[[ProbabilityVector], Terms] | None

    def compare(self, left: ProbabilityVector, right: ProbabilityVector) -> int:
        """Return the sign of s(left) − s(right)."""
        if self.rational_key is not None:
            one, other = self.rational_key(left), self.rational_key(right)
            return (one > other) - (one < other)
        return log_sum_sign([*self._terms(left), *((-c, m) for c, m in self._terms(right))])

    def is_at(self, vector: ProbabilityVector, score: ScoreFunction) -> bool:
        """Tell whether a score of the library has the same value at a vector (squared, if both are roots)."""
        key = score.key(vector)
        if isinstance(key, LogSumKey):
            theirs = [(mpq(-c, key.divisor), mpq(m)) for c, m in key.terms]
            return self.log_terms is not None and log_sum_sign([*self._terms(vector), *theirs]) == 0
        return self.rational_key is not None and self.rational_key(vector) == key

    def _terms(self, vector: ProbabilityVector) -> Terms:
        if self.log_terms is None:
            raise BadDocument(self.text, "this score has no logarithms")
        return self.log_terms(vector)


def read_score(text: str) -> PrintedScore:
    """Return the score of a text; raise `BadDocument` for another form.

    >>> read_score("sum p log p").compare(ProbabilityVector((1, 1), 2), ProbabilityVector((1, 0), 1))
    -1
    """
    match = re.fullmatch(r"(minus )?(sqrt )?(max|sum)( abs)? (.+)", text.strip())
    if match is None:
        raise BadDocument(text, "a score is printed as max, sum or sqrt sum of a formula in p and k")
    minus, root, how, absolute, body = match.groups()
    if " log " in body:
        coefficient, argument = (exact_formula(part) for part in body.split(" log "))
        sign = -1 if minus else 1

        def terms(vector: ProbabilityVector) -> Terms:
            k = vector.labels
            return [
                (sign * at(coefficient, p=p, k=k), at(argument, p=p, k=k))
                for p in vector
                if at(coefficient, p=p, k=k) != 0
            ]

        return PrintedScore(text, False, None, terms)
    if minus:
        raise BadDocument(text, "minus goes with a sum of logarithms here")
    formula = exact_formula(body)

    def key(vector: ProbabilityVector) -> mpq:
        values: Iterable[mpq] = [at(formula, p=p, k=vector.labels) for p in vector]
        if absolute:
            values = [abs(value) for value in values]
        return max(values) if how == "max" else sum(values, mpq(0))

    return PrintedScore(text, root is not None, key, None)
