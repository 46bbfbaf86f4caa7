"""A second implementation of `variance-readings`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from itertools import combinations, product

from tests.vectors.bugs.shared.metric_model import metric_of, whole


def inputs(document):
    rates, variances, positive = zip(*metric_of(document["metric"]), strict=True)
    counts = [whole(count) for count in document["counts"]]
    if len(counts) != len(rates) or sum(counts) == 1:
        raise ValueError
    return rates, variances, positive, counts


def answer(document):
    rates, variances, positive, counts = inputs(document)
    n = sum(counts)
    if n == 0:
        return {"error": "empty-test"}
    # All in whole outputs: sums of squares less the square of the sum.
    seen = sum(c for c, said in zip(counts, positive, strict=True) if said)
    total = sum(c * r for c, r in zip(counts, rates, strict=True))
    squares = sum(c * r * r for c, r in zip(counts, rates, strict=True))
    between = (n * squares - total**2) / (n * n * (n - 1))
    within = (total - squares) / n**2
    of_rates = sum((Fraction(c, n) ** 2 * v for c, v in zip(counts, variances, strict=True)), Fraction(0))
    return {
        "deterministic": str(Fraction(seen * (n - seen), n * n * (n - 1))),
        "printed": str(total * (n - total) / (n * n * (n - 1))),
        "real-share": str(between + within),
        "estimator": str(between),
        "given-labels": str(within),
        "estimated-rates": str(between + of_rates),
    }


def reference(document):
    try:
        return answer(document)
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}


def mean_variance(values):
    """The unbiased variance of a mean, from all pairs of values."""
    n = len(values)
    return sum((Fraction(a - b) ** 2 for a, b in combinations(values, 2)), Fraction(0)) / (n * n * (n - 1))


def share_variance(chances):
    """The variance of the share of successes, over every way in which they may come out."""
    mean = square = Fraction(0)
    for outcome in product((0, 1), repeat=len(chances)):
        weight = Fraction(1)
        for chance, success in zip(chances, outcome, strict=True):
            weight *= chance if success else 1 - chance
        share = Fraction(sum(outcome), len(chances))
        mean += weight * share
        square += weight * share**2
    return square - mean**2


def brute_force(document):
    """Output by output, and for the labels every way in which they may be right or wrong."""
    try:
        rates, variances, positive, counts = inputs(document)
    except (ValueError, ZeroDivisionError):
        return {"error": "bad-number"}
    places = [place for place, count in enumerate(counts) for _ in range(count)]
    if not places:
        return {"error": "empty-test"}
    n = len(places)
    chances = [rates[place] for place in places]
    between, within = mean_variance(chances), share_variance(chances)
    # An error of a rate moves the mean by as much as the share of its class.
    moved = [Fraction(places.count(place), n) for place in range(len(rates))]
    of_rates = sum((share * share * variances[place] for place, share in enumerate(moved)), Fraction(0))
    real = sum(chances) / n
    return {
        "deterministic": str(mean_variance([int(positive[place]) for place in places])),
        "printed": str((real - real * real) / (n - 1)),
        "real-share": str(within + between),
        "estimator": str(between),
        "given-labels": str(within),
        "estimated-rates": str(of_rates + between),
    }


WITNESSES = {"brute-force": brute_force}
