"""A second implementation of `partial-key-ranges`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from itertools import product


def splits(count, labels):
    if labels == 1:
        return [(count,)]
    return [(first, *rest) for first in range(count + 1) for rest in splits(count - first, labels - 1)]


def span(values):
    numbers = [value for value in values if value is not None]
    return [min(numbers), max(numbers)]


def spread(values):
    numbers = [value for value in values if value is not None]
    ends = [str(min(numbers)), str(max(numbers))] if numbers else [None, None]
    return {"lower": ends[0], "upper": ends[1], "may_lack": len(numbers) < len(values)}


def ratio(above, below):
    return Fraction(above, below) if below else None


def reference(document):
    labels, judges = document["labels"], document["judges"]
    counts, graded = document["counts"], document["graded"]
    patterns = list(product(range(len(labels)), repeat=judges))
    if len(counts) != len(patterns):
        return {"error": "bad-votes"}
    if min(counts) < 0 or min(map(min, graded)) < 0:
        return {"error": "bad-number"}
    left = [count - sum(part[v] for part in graded) for v, count in enumerate(counts)]
    if min(left) < 0:
        return {"error": "bad-votes"}
    every = range(len(labels))
    # Every table of questions by pattern and label that a key can make.
    tables = [
        [[graded[k][v] + split[k] for k in every] for v, split in enumerate(choice)]
        for choice in product(*(splits(rest, len(labels)) for rest in left))
    ]
    size = sum(counts)
    of = [[sum(row[k] for row in table) for k in every] for table in tables]
    on = [
        [
            [sum(row[k] for v, row in zip(patterns, table, strict=True) if v[j] == k) for k in every]
            for j in range(judges)
        ]
        for table in tables
    ]
    right = [[sum(one) for one in each] for each in on]
    given = [
        [sum(c for v, c in zip(patterns, counts, strict=True) if v[j] == k) for k in every]
        for j in range(judges)
    ]
    chance = [[sum(given[j][k] * key[k] for k in every) for j in range(judges)] for key in of]
    both = [
        sum(row[v[0]] for v, row in zip(patterns, table, strict=True) if v[0] == v[1]) for table in tables
    ]
    return {
        "key_counts": [span([key[k] for key in of]) for k in every],
        "keys": str(len(labels) ** sum(left)),
        "splits": str(len(tables)),
        "right": [span([each[j] for each in right]) for j in range(judges)],
        "right_on": [[span([each[j][k] for each in on]) for k in every] for j in range(judges)],
        "accuracy_on": [
            [spread([ratio(each[j][k], key[k]) for each, key in zip(on, of, strict=True)]) for k in every]
            for j in range(judges)
        ],
        "kappa": [
            spread([ratio(size * r[j] - s[j], size**2 - s[j]) for r, s in zip(right, chance, strict=True)])
            for j in range(judges)
        ],
        "difference": span([each[0] - each[1] for each in right]),
        "covariance": spread(
            [ratio(size * b - each[0] * each[1], size**2) for b, each in zip(both, right, strict=True)]
        ),
    }
