"""From the shares of labels in a sample to those in a population."""

from __future__ import annotations

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadSamples
from ntqr_exact.exact.rational import RationalLike, rational


def probability(value: RationalLike) -> mpq:
    """Return a number between 0 and 1; raises `BadNumber` for any other.

    >>> probability("0.034")
    mpq(17,500)
    """
    number = rational(value)
    if not 0 <= number <= 1:
        raise BadNumber(value, "a rate lies between 0 and 1")
    return number


def population_factors(positives: mpq, negatives: mpq, rate: RationalLike) -> tuple[mpq, mpq]:
    """Return ρ/r and (1−ρ)/(1−r), by which positives and negatives count as in the population.

    >>> population_factors(mpq(1), mpq(3), "1/2")
    (mpq(2,1), mpq(2,3))

    Raises `BadSamples` where a label that the population has does not occur in the sample.
    """
    share = probability(rate)
    total = positives + negatives
    return (_factor(share, positives, total, "positive"), _factor(1 - share, negatives, total, "negative"))


def _factor(share: mpq, weight: mpq, total: mpq, name: str) -> mpq:
    if weight != 0:
        return share * total / weight
    if share != 0 or total == 0:
        raise BadSamples(
            weight,
            f"no sample is labeled {name}, so none can stand for those of the population",
            "give a sample with both labels",
        )
    return mpq(1)
