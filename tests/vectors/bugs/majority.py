"""A second implementation of `majority`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from itertools import combinations, product

POLICIES = ("refuse", "first-label", "last-label", "first-judge")


def reference(document):
    labels, judges, ties = document["labels"], document["judges"], document["ties"]
    patterns = list(product(labels, repeat=judges))
    counts = [int(count) for count in document["counts"]]
    if len(counts) != len(patterns) or ties not in POLICIES:
        return {"error": "bad-votes"}
    if min(counts) < 0:
        return {"error": "bad-number"}
    if sum(counts) == 0:
        return {"error": "empty-test"}
    seen = [(v, count) for v, count in zip(patterns, counts, strict=True) if count > 0]
    tied = sum(count for v, count in seen if len(leaders(v, labels)) > 1)
    if tied and ties == "refuse":
        return {"error": "bad-votes"}
    rows = [(decided(v, labels, ties), v, count) for v, count in seen]
    opposite = None
    if len(labels) == 2:
        other = {labels[0]: labels[1], labels[1]: labels[0]}
        opposite = graded([(other[true], v, count) for true, v, count in rows], labels, judges)
    return {
        "tied_questions": str(tied),
        "key_counts": [str(size(rows, label)) for label in labels],
        "if_right": graded(rows, labels, judges),
        "if_wrong": opposite,
    }


def leaders(v, labels):
    """The labels with the most votes, in the order of the labels."""
    return [label for label in labels if all(v.count(label) >= v.count(other) for other in labels)]


def decided(v, labels, ties):
    best = leaders(v, labels)
    if ties == "first-judge":
        return min(best, key=v.index)
    return best[-1] if ties == "last-label" else best[0]


def size(rows, label):
    return sum(count for true, _, count in rows if true == label)


def right(rows, label, *judges):
    """The share of the questions of a label on which all these judges are right, or None."""
    if size(rows, label) == 0:
        return None
    both = sum(c for true, v, c in rows if true == label and all(v[judge] == label for judge in judges))
    return Fraction(both, size(rows, label))


def graded(rows, labels, judges):
    total = sum(count for _, _, count in rows)
    return {
        "prevalence": [str(Fraction(size(rows, label), total)) for label in labels],
        "accuracies": [[text(right(rows, label, judge)) for label in labels] for judge in range(judges)],
        "pair_correlations": [
            [correlation(rows, label, i, j) for i, j in combinations(range(judges), 2)] for label in labels
        ],
    }


def correlation(rows, label, i, j):
    both = right(rows, label, i, j)
    if both is None:
        return "undefined"
    return str(both - right(rows, label, i) * right(rows, label, j))


def text(rate):
    return "undefined" if rate is None else str(rate)
