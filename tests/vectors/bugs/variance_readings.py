"""Witnesses of `variance-readings` besides the JavaScript runner."""

from fractions import Fraction
from itertools import combinations, product

from tests.vectors.bugs.shared.metric_model import metric_of, whole


def inputs(document):
    rates, variances, positive = zip(*metric_of(document["metric"]), strict=True)
    counts = [whole(count) for count in document["counts"]]
    if len(counts) != len(rates) or sum(counts) == 1:
        raise ValueError
    return rates, variances, positive, counts


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
