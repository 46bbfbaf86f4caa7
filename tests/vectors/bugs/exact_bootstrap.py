"""Witnesses of `exact-bootstrap` besides the JavaScript runner."""

from fractions import Fraction
from itertools import product

SUMS = {
    "recall": ((1, 0, 0, 0), (1, 0, 1, 0)),
    "precision": ((1, 0, 0, 0), (1, 1, 0, 0)),
    "f1": ((2, 0, 0, 0), (2, 1, 1, 0)),
    "fpr": ((0, 1, 0, 0), (0, 1, 0, 1)),
    "accuracy": ((1, 0, 0, 1), (1, 1, 1, 1)),
    "error_rate": ((0, 1, 1, 0), (1, 1, 1, 1)),
    "match_rate": ((1, 1, 0, 0), (1, 1, 1, 1)),
    "filter_rate": ((0, 0, 1, 1), (1, 1, 1, 1)),
}


def items_of(document):
    """For each stratum the items one by one, each as what it adds to the upper and the lower sum."""
    name = document["metric"]
    upper, lower = SUMS[name.removeprefix("!")]
    if name.startswith("!"):
        upper, lower = upper[::-1], lower[::-1]
    strata = []
    for *counts, weight in document["strata"]:
        heft = Fraction(weight)
        strata.append(
            [(u * heft, v * heft) for u, v, c in zip(upper, lower, counts, strict=True) for _ in range(c)]
        )
    return strata if document["stratified"] else [[item for stratum in strata for item in stratum]]


def every_resample(groups):
    """The same, all resamples written down."""
    ways = {}
    for resample in product(*(group for group in groups for _ in group)):
        key = (sum(u for u, _ in resample), sum(v for _, v in resample))
        ways[key] = ways.get(key, 0) + 1
    return ways


def refusal(document):
    if document["metric"].removeprefix("!") not in SUMS:
        return "bad-query"
    try:
        level = Fraction(document["level"])
        counts = [Fraction(count) for stratum in document["strata"] for count in stratum[:4]]
    except ValueError:
        return "bad-number"
    if not 0 < level < 1 or min(counts) < 0 or any(count.denominator > 1 for count in counts):
        return "bad-number"
    weights = [Fraction(stratum[4]) for stratum in document["strata"]]
    if min(weights) < 0 or max(weights) == 0 or sum(counts) == 0:
        return "bad-samples"
    return None


def quantile(values, level, definition):
    """Of pairs of a value and its share in ascending order."""
    cumulated, lower = Fraction(0), None
    for value, share in values:
        cumulated += share
        if lower is None and cumulated >= level:
            lower = value
            if definition == "lower":
                return lower
        if cumulated > level:
            return (lower + value) / 2
    return lower


def with_policy(values, undefined, policy):
    """The values that the quantiles are taken of, with shares that sum to 1."""
    if policy in ("0", "1"):
        return sorted([*values, (Fraction(policy), undefined)])
    return [(value, share / (1 - undefined)) for value, share in values]


def answered(document, resamples):
    wrong = refusal(document)
    if wrong:
        return {"error": wrong}
    groups = items_of(document)
    above, below = (sum(item[part] for group in groups for item in group) for part in (0, 1))
    if below == 0:
        return {"error": "undefined-metric"}
    ways = resamples(groups)
    total = sum(ways.values())
    shares, undefined = {}, Fraction(0)
    for (upper, lower), count in ways.items():
        if lower == 0:
            undefined += Fraction(count, total)
        else:
            shares[upper / lower] = shares.get(upper / lower, 0) + Fraction(count, total)
    if undefined and document["undefined"] == "error":
        return {"error": "undefined-metric"}
    values = sorted(shares.items())
    tail = (1 - Fraction(document["level"])) / 2
    law = with_policy(values, undefined, document["undefined"])
    low, high = (quantile(law, level, document["quantiles"]) for level in (tail, 1 - tail))
    estimate = above / below
    return {
        "estimate": str(estimate),
        "outcomes": [[str(value), str(share)] for value, share in values],
        "undefined_probability": str(undefined),
        "mean": str(sum(value * share for value, share in values) / (1 - undefined)),
        "percentile": [str(low), str(high)],
        "basic": [str(2 * estimate - high), str(2 * estimate - low)],
    }


def brute_force(document):
    return answered(document, every_resample)


WITNESSES = {"brute-force": brute_force}
