"""Safety specifications: how good every judge must be on every label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadVotes
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.latex_table import latex_array, latex_cell
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.frozen_mapping import FrozenMapping


@dataclass(frozen=True, slots=True, init=False)
class SafetySpecification:
    """Every judge must satisfy f_l · (right answers on l) > (questions of l) for each label l.

    A factor of 2 asks for better than half on that label; a label without questions asks for nothing.
    `minimum_grade` g asks besides that at least the share g of all answers is right.

    >>> SafetySpecification(2).least_right("a", 10), SafetySpecification({"a": "3/2", "b": 2}).least_right("a", 10)
    (6, 7)
    """

    factor: mpq | Mapping[str, mpq]
    minimum_grade: mpq

    @checked
    def __init__(
        self, factor: RationalLike | Mapping[str, RationalLike] = 2, *, minimum_grade: RationalLike = 0
    ) -> None:
        """Take one factor for all labels, or one for each; a factor is a rational greater than 1."""
        if isinstance(factor, Mapping):
            if not factor:
                raise BadVotes(
                    factor, "a specification has a factor for each label", "or one for all of them"
                )
            object.__setattr__(
                self, "factor", FrozenMapping({label: _factor(value) for label, value in factor.items()})
            )
        else:
            object.__setattr__(self, "factor", _factor(factor))
        grade = rational(minimum_grade)
        if not 0 <= grade <= 1:
            raise BadNumber(minimum_grade, "a minimum grade lies between 0 and 1")
        object.__setattr__(self, "minimum_grade", grade)

    def _repr_latex_(self) -> str:
        """Return the demand for a notebook: factor times right answers exceeds questions."""
        if isinstance(self.factor, Mapping):
            return f"${latex_array(['label', 'factor'], list(self.factor.items()))}$"
        return rf"${latex_cell(self.factor)} \cdot R^\ell_\ell > Q_\ell$"

    def factor_of(self, label: str) -> mpq:
        """Return the factor of a label."""
        if not isinstance(self.factor, Mapping):
            return self.factor
        if label not in self.factor:
            raise BadVotes(
                label, f"the specification has factors for {', '.join(map(repr, self.factor))} only"
            )
        return self.factor[label]

    def check_labels(self, labels: Sequence[str]) -> None:
        """Check that there is a factor for each label of a test and for no other.

        >>> SafetySpecification({"a": 2, "c": 3}).check_labels(["a", "b"])
        Traceback (most recent call last):
        ntqr_exact.errors.BadVotes: 'c': the test has no such label; factors are given for 'a', 'b'
        """
        if not isinstance(self.factor, Mapping):
            return
        for label in self.factor:
            if label not in labels:
                raise BadVotes(
                    label,
                    "the test has no such label",
                    f"factors are given for {', '.join(map(repr, labels))}",
                )
        for label in labels:
            self.factor_of(label)

    def least_right(self, label: str, questions: int) -> int:
        """Return the least number of right answers on `questions` of a label that is safe."""
        return int(questions / self.factor_of(label)) + 1 if questions else 0

    def most_questions(self, label: str, right: int) -> int:
        """Return the largest number of questions of a label for which `right` answers are safe: ⌈f·right⌉ − 1.

        >>> SafetySpecification(2).most_questions("a", 3)
        5
        """
        return max(0, _ceiling(self.factor_of(label) * right) - 1)

    def least_total(self, questions: int) -> int:
        """Return the least number of right answers on the whole test that the minimum grade asks for."""
        return _ceiling(self.minimum_grade * questions)


def _factor(value: RationalLike) -> mpq:
    factor = rational(value)
    if factor <= 1:
        raise BadNumber(value, "a safety factor is greater than 1", "2 asks for better than half")
    return factor


def _ceiling(number: mpq) -> int:
    return int(-(-number.numerator // number.denominator))
