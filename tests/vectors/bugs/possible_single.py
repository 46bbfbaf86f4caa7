"""A second implementation of `possible-single`, and the bugs that the vectors must catch in it."""

from itertools import product
from math import comb, prod


def splits(total, boxes):
    if boxes == 1:
        return [(total,)]
    return [(first, *rest) for first in range(total + 1) for rest in splits(total - first, boxes - 1)]


def tables(rows, left):
    """How many tables have these row sums and column sums, row by row."""
    ways = {tuple(left): 1}
    for row in rows[:-1]:  # the last row is what the columns leave
        following = {}
        for columns, count in ways.items():
            for split in splits(row, len(columns)):
                rest = tuple(c - k for c, k in zip(columns, split, strict=True))
                if min(rest) >= 0:
                    following[rest] = following.get(rest, 0) + count
        ways = following
    return sum(ways.values())


def pairs(answers, key):
    return min(key[0], answers[0]) - max(0, key[0] - answers[1]) + 1


def float_comb(n, k):  # for the bug of the same name
    return int(float(comb(n, k)))


def reference(document):
    answers, key = document["responses"], document["key_counts"]
    labels, questions = len(document["labels"]), sum(answers)
    if min(answers) < 0:
        return {"error": "bad-number"}
    if min(key) < 0 or sum(key) != questions:
        return {"error": "bad-key-counts"}
    at = pairs(answers, key) if labels == 2 else tables(answers, key)
    return {
        "possible": str(comb(questions + labels**2 - 1, labels**2 - 1)),
        "possible_at": str(prod(comb(count + labels - 1, labels - 1) for count in key)),
        "consistent": str(prod(comb(count + labels - 1, labels - 1) for count in answers)),
        "consistent_at": str(at),
    }


def brute_force(document):
    """Every question gets a true label and an answer: collect the tables that come about."""
    labels, questions = document["labels"], sum(document["responses"])
    if min(document["key_counts"]) < 0 or sum(document["key_counts"]) != questions:
        return {"error": "bad-key-counts"}
    cells = list(product(labels, repeat=2))
    found = {tuple(sorted(table)) for table in product(cells, repeat=questions)}

    def key(table):
        return [sum(truth == label for truth, _ in table) for label in labels] == document["key_counts"]

    def answers(table):
        return [sum(given == label for _, given in table) for label in labels] == document["responses"]

    return {
        "possible": str(len(found)),
        "possible_at": str(sum(map(key, found))),
        "consistent": str(sum(map(answers, found))),
        "consistent_at": str(sum(key(table) and answers(table) for table in found)),
    }


WITNESSES = {"brute-force": brute_force}
