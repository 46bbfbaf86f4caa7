"""Safety specifications: how good every judge must be on every label, and what that asks of each judge alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadVotes
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import VoteCounts

Factors: TypeAlias = "RationalLike | Mapping[str, RationalLike]"


@dataclass(frozen=True, slots=True, init=False)
class SafetySpecification:
    """Every judge must satisfy f·(right answers on l) > (questions of l that it answered) for each label l.

    A factor of 2 asks for better than half on that label; a label without questions asks for nothing. The factor is one
    number, or one for each label; `by_judge` has other factors of some judges. `minimum_grade` g asks also that at
    least the share g of all its answers is right.

    >>> SafetySpecification({"a": "3/2", "b": 2}, by_judge={"gpt": 3}).factor_of("a", "gpt")
    mpq(3,1)

    Raises `BadNumber` for a factor that is not > 1 and a grade that is not from 0 to 1.
    """

    factor: mpq | Mapping[str, mpq]
    minimum_grade: mpq
    by_judge: Mapping[str, mpq | Mapping[str, mpq]]

    def __init__(
        self,
        factor: Factors = 2,
        *,
        minimum_grade: RationalLike = 0,
        by_judge: Mapping[str, Factors] | None = None,
    ) -> None:
        object.__setattr__(self, "factor", _factors(factor))
        object.__setattr__(self, "minimum_grade", rational(minimum_grade))
        if not 0 <= self.minimum_grade <= 1:
            raise BadNumber(minimum_grade, "minimum_grade must be from 0 to 1")
        others = {judge: _factors(factor) for judge, factor in (by_judge or {}).items()}
        object.__setattr__(self, "by_judge", FrozenMapping(others))

    def factor_of(self, label: str, judge: str | None = None) -> mpq:
        """Return the factor of a label, for a judge if one is named."""
        factor = self.by_judge.get(judge or "", self.factor)
        return factor[label] if isinstance(factor, Mapping) else factor

    def check_names(self, labels: Sequence[str], judges: Sequence[str]) -> None:
        """Check that the factors are for the labels of a test, and check the names of the judges."""
        if not {*self.by_judge} <= {*judges}:
            raise BadVotes([*self.by_judge], f"by_judge must name judges of the test: {', '.join(judges)}")
        for factor in (self.factor, *self.by_judge.values()):
            if isinstance(factor, Mapping) and {*factor} != {*labels}:
                raise BadVotes(dict(factor), f"factors must be those of the labels: {', '.join(labels)}")

    def least_total(self, questions: int) -> int:
        """Return the least number of right answers on the whole test that the minimum grade asks for."""
        return _ceiling(self.minimum_grade * questions)


def most_questions(votes: VoteCounts, specification: SafetySpecification) -> dict[str, int]:
    """Return the most questions of each label at which each judge alone could be safe: min_i ⌈f·R_{l_i}⌉ − 1, or 0."""
    given = {judge: votes.responses(judge) for judge in votes.judges}
    return {
        label: max(0, min(_ceiling(specification.factor_of(label, j) * given[j][label]) for j in given) - 1)
        for label in votes.labels
    }


def _factors(value: Factors) -> mpq | FrozenMapping[str, mpq]:
    if isinstance(value, Mapping):
        return FrozenMapping({label: _factor(one) for label, one in value.items()})
    return _factor(value)


def _factor(value: RationalLike) -> mpq:
    factor = rational(value)
    if factor <= 1:
        raise BadNumber(value, "a safety factor must be > 1", "2 asks for better than half")
    return factor


def _ceiling(number: mpq) -> int:
    return int(-(-number.numerator // number.denominator))
