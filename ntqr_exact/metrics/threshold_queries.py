"""Questions about thresholds, such as `maximum recall @ precision >= 0.9`, answered exactly.

>>> from ntqr_exact.metrics.ranking import rank
>>> ranking = rank([1, 1, 0, 1], ["0.9", "0.8", "0.7", "0.2"])
>>> answer = ask(ranking, "maximum recall @ precision >= 0.9")
>>> answer.threshold, answer.value, answer.confusion.precision
(mpq(4,5), mpq(2,3), mpq(1,1))
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadQuery, BadSamples
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import Metric, metric
from ntqr_exact.metrics.ranking import Ranking, Rule, Score, exact_score

_NAME = r"(!?\s*[a-z][a-z_0-9./]*)"
_SHAPE = re.compile(rf"(maximum|minimum)\s+{_NAME}\s*@\s*{_NAME}\s*(>=|<=|>|<|=)\s*(\S+)")
_RELATIONS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq}


@dataclass(frozen=True, slots=True)
class Query:
    """The best value of one metric where another one keeps to a bound.

    >>> print(Query.parse("minimum  match_rate @ !recall >= 9/10"))
    minimum match_rate @ !recall >= 9/10
    """

    goal: str
    target: Metric
    condition: Metric
    relation: str
    bound: mpq

    @classmethod
    def parse(cls, text: str) -> Query:
        """Return the query that a text states; raises `BadQuery` for any other text."""
        match = _SHAPE.fullmatch(text.strip().lower())
        if match is None:
            rule = "a query must be maximum or minimum METRIC @ METRIC >=, <=, >, < or = NUMBER"
            raise BadQuery(text, rule, "for example 'maximum recall @ precision >= 0.9'")
        goal, target, condition, relation, bound = match.groups()
        try:
            number = rational(bound)
        except BadNumber as error:
            raise BadQuery(text, "the bound of a query must be a number", error.remedy) from None
        if not 0 <= number <= 1:
            raise BadQuery(text, f"the bound of a metric must be from 0 to 1, not {bound}")
        first, second = (metric("".join(name.split())) for name in (target, condition))
        return cls(goal, first, second, relation, number)

    def __str__(self) -> str:
        return f"{self.goal} {self.target.name} @ {self.condition.name} {self.relation} {self.bound}"


@dataclass(frozen=True, slots=True)
class ThresholdAnswer:
    """The threshold at which a query is answered, the best value, and the matrix there."""

    query: Query
    threshold: Score
    value: mpq
    confusion: ConfusionMatrix


@dataclass(frozen=True, slots=True)
class NoThreshold:
    """A query that no threshold answers."""

    query: Query
    reason: str


def ask(ranking: Ranking, query: Query | str, *, rule: Rule = Rule.AT_LEAST) -> ThresholdAnswer | NoThreshold:
    """Return the threshold that answers a query, among the distinct scores.

    Where several thresholds give the same best value, a maximum takes the largest of them and a minimum
    the smallest. A threshold at which one of the two metrics is undefined does not count.

    Raises `BadQuery` for a text that is not a query.
    """
    rule = Rule(rule)
    asked = Query.parse(query) if isinstance(query, str) else query
    holds, bound = _RELATIONS[asked.relation], asked.bound
    best: tuple[int, int, int] | None = None
    for place, value, below, condition, under in _states(ranking, asked, rule):
        if not below or not under or not holds(condition * bound.denominator, bound.numerator * under):
            continue
        # Places run down the thresholds: the first of equals is the largest, the last the smallest.
        rise = 1 if best is None else value * best[2] - best[1] * below
        if best is None or (rise > 0 if asked.goal == "maximum" else rise <= 0):
            best = place, value, below
    if best is None:
        reason = f"{asked.condition.name} {asked.relation} {bound} at none of the thresholds"
        return NoThreshold(asked, reason)
    place, value, below = best
    matrix = ranking.confusion(place, rule=rule)
    return ThresholdAnswer(asked, ranking.threshold(place), mpq(value, below), matrix)


def _states(ranking: Ranking, query: Query, rule: Rule) -> Any:
    """Return an iterator over place and both metrics as whole numerators and denominators."""
    columns = [*map(list, (*ranking.ratios(query.target), *ranking.ratios(query.condition)))]
    if rule is Rule.ABOVE:
        # The matrix above a score is that at the next higher one; above the highest nothing is positive.
        empty = Ranking([None], [0], [0], ranking.positives, ranking.negatives, ranking.unit)
        first = (*empty.ratios(query.target), *empty.ratios(query.condition))
        columns = [[*start, *column[:-1]] for start, column in zip(first, columns, strict=True)]
    return zip(range(len(ranking)), *columns, strict=True)


@dataclass(frozen=True, slots=True)
class Bin:
    """The weight of each label with a score from `lower` up to `upper`, which only the last bin holds."""

    lower: Score
    upper: Score
    negatives: mpq
    positives: mpq


@dataclass(frozen=True, slots=True)
class LoanThreshold:
    """The bins from the lowest up, the threshold, and what it makes of the samples."""

    bins: tuple[Bin, ...]
    threshold: Score
    rule: Rule
    confusion: ConfusionMatrix


def loan_threshold(
    ranking: Ranking,
    threshold: RationalLike | Surd,
    *,
    edges: Iterable[RationalLike | Surd] | None = None,
    rule: Rule = Rule.AT_LEAST,
) -> LoanThreshold:
    """Return the distribution of the scores by label, and the matrix at a threshold; ORES refers to its picture.

    >>> from ntqr_exact.metrics.ranking import rank
    >>> view = loan_threshold(rank([1, 0, 1, 0], ["0.9", "0.6", "0.4", "0.1"]), "1/2", edges=[0, "1/2", 1])
    >>> [(part.negatives, part.positives) for part in view.bins], view.confusion
    ([(mpq(1,1), mpq(1,1)), (mpq(1,1), mpq(1,1))], ConfusionMatrix(tp=1, fp=1, fn=1, tn=1))

    `edges` are those of the bins, in increasing order (ten equal bins from 0 to 1 unless given).
    Raises `BadSamples` for edges that do not increase or do not hold all scores.
    """
    bounds = [mpq(tenth, 10) for tenth in range(11)] if edges is None else list(map(exact_score, edges))
    if len(bounds) < 2 or any(left >= right for left, right in pairwise(bounds)):
        raise BadSamples(bounds, "edges must be two or more increasing numbers")
    lowest, highest = ranking.threshold(len(ranking) - 1), ranking.threshold(0)
    if lowest < bounds[0] or highest > bounds[-1]:
        raise BadSamples((lowest, highest), f"all scores must lie between {bounds[0]} and {bounds[-1]}")
    # What lies in [a, b) is what is at least a without what is at least b; the last bin keeps its end.
    at_least = [*map(ranking.at, bounds[:-1]), ranking.confusion(-1)]
    bins = tuple(
        Bin(lower, upper, at.fp - after.fp, at.tp - after.tp)
        for (lower, upper), (at, after) in zip(pairwise(bounds), pairwise(at_least), strict=True)
    )
    rule = Rule(rule)
    return LoanThreshold(bins, exact_score(threshold), rule, ranking.at(threshold, rule=rule))
