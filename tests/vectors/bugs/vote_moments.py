"""A second implementation of `vote-moments`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from itertools import product


def reference(document):
    counts = []
    for count in document["counts"]:
        if isinstance(count, str) and not count.isdigit():
            return {"error": "bad-number"}
        counts.append(int(count))
    if len(counts) != 8:
        return {"error": "bad-votes"}
    if min(counts) < 0:
        return {"error": "bad-number"}
    questions = sum(counts)
    if questions == 0:
        return {"error": "empty-test"}
    patterns = list(product("ab", repeat=3))
    share = {v: Fraction(count, questions) for v, count in zip(patterns, counts, strict=True)}
    rate = [sum(f for v, f in share.items() if v[i] == "b") for i in range(3)]
    delta = {}
    for i, j in ((0, 1), (0, 2), (1, 2)):
        both = sum(f for v, f in share.items() if v[i] == v[j] == "b")
        delta[i, j] = both - rate[i] * rate[j]
    # The third central moment from its definition, not from the expansion in the file.
    trio = Fraction(0)
    for v, f in share.items():
        term = f
        for i in range(3):
            term *= (1 if v[i] == "b" else 0) - rate[i]
        trio += term
    pairs = [delta[0, 1], delta[0, 2], delta[1, 2]]
    product_of_pairs = pairs[0] * pairs[1] * pairs[2]
    return {
        "frequencies": [str(share[v]) for v in patterns],
        "rates": [str(f) for f in rate],
        "pair_moments": [str(d) for d in pairs],
        "trio_moment": str(trio),
        "pair_product": str(product_of_pairs),
        "discriminant": str(trio**2 + 4 * product_of_pairs),
    }
