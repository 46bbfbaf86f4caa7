"""How the scores of the two labels are distributed on both sides of a threshold.

This is the picture of the "loan threshold" to which ORES refers its readers: positives and negatives
stacked by score, a threshold between them, and every sample of one of four kinds.

>>> from ntqr_exact.metrics.ranking import rank
>>> view = loan_threshold(rank([1, 0, 1, 0], ["0.9", "0.6", "0.4", "0.1"]), "1/2", edges=[0, "1/2", 1])
>>> [(part.negatives, part.positives) for part in view.bins], view.confusion
([(mpq(1,1), mpq(1,1)), (mpq(1,1), mpq(1,1))], ConfusionMatrix(tp=1, fp=1, fn=1, tn=1))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.rational import RationalLike
from ntqr_exact.exact.surd import Surd
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.ranking import Ranking, Rule, Score, exact_score


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
    """Return the distribution of the scores by label, and the matrix at a threshold.

    `edges` are those of the bins, in increasing order (ten equal bins from 0 to 1 unless given).
    Raises `BadSamples` for edges that do not increase or do not hold all scores.
    """
    bounds = [mpq(tenth, 10) for tenth in range(11)] if edges is None else list(map(exact_score, edges))
    if len(bounds) < 2 or any(left >= right for left, right in pairwise(bounds)):
        raise BadSamples(bounds, "the edges of bins are at least two, and increase")
    lowest, highest = ranking.threshold(len(ranking) - 1), ranking.threshold(0)
    if lowest < bounds[0] or highest > bounds[-1]:
        raise BadSamples((lowest, highest), f"all scores lie between the edges {bounds[0]} and {bounds[-1]}")
    # What lies in [a, b) is what is at least a without what is at least b; the last bin keeps its end.
    at_least = [ranking.at(edge) for edge in bounds[:-1]]
    bins = [
        Bin(lower, upper, at.fp - after.fp, at.tp - after.tp)
        for (lower, upper), at, after in zip(
            pairwise(bounds), at_least, [*at_least[1:], _nothing(ranking)], strict=True
        )
    ]
    return LoanThreshold(
        tuple(bins), exact_score(threshold), chosen(rule, Rule), ranking.at(threshold, rule=rule)
    )


def _nothing(ranking: Ranking) -> ConfusionMatrix:
    return ranking.confusion(0, rule=Rule.ABOVE)
