"""Probability vectors and their weights, as several second implementations read them."""

from fractions import Fraction


class Samples(Exception):
    pass


def vectors_of(lists):
    vectors = [[Fraction(number) for number in one] for one in lists]
    if not vectors or any(len(p) < 2 or min(p) < 0 or sum(p) != 1 for p in vectors):
        raise Samples
    return vectors


def weights_of(given, size):
    weights = [Fraction(weight) for weight in given] if given is not None else [Fraction(1)] * size
    if len(weights) != size or min(weights) < 0 or sum(weights) == 0:
        raise Samples
    return weights
