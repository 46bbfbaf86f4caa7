"""A second implementation of `grade` by raw moments, one by listing all questions, and the bugs to be caught."""

from fractions import Fraction
from itertools import combinations, product


def reference(document):
    labels, judges = document["labels"], document["judges"]
    patterns = list(product(labels, repeat=judges))
    by_key = [[int(count) for count in counts] for counts in document["counts_by_key"]]
    if len(by_key) != len(labels) or any(len(counts) != len(patterns) for counts in by_key):
        return {"error": "bad-votes"}
    if any(count < 0 for counts in by_key for count in counts):
        return {"error": "bad-number"}
    size = sum(map(sum, by_key))
    if size == 0:
        return {"error": "empty-test"}
    keyed = list(zip(labels, by_key, strict=True))
    pairs, trios = list(combinations(range(judges), 2)), list(combinations(range(judges), 3))
    return {
        "prevalence": [str(Fraction(sum(counts), size)) for counts in by_key],
        "response_rates": [
            [
                [
                    text(lambda v, judge=judge, given=given: v[judge] == given, patterns, counts)
                    for given in labels
                ]
                for counts in by_key
            ]
            for judge in range(judges)
        ],
        "pair_correlations": [
            [pair((label, patterns, counts), *subset) for subset in pairs] for label, counts in keyed
        ],
        "trio_correlations": [
            [trio((label, patterns, counts), *subset) for subset in trios] for label, counts in keyed
        ],
    }


def share(wanted, patterns, counts):
    seen = sum(count for v, count in zip(patterns, counts, strict=True) if wanted(v))
    return Fraction(seen, sum(counts))


def text(wanted, patterns, counts):
    return str(share(wanted, patterns, counts)) if sum(counts) else "undefined"


def right(label, patterns, counts, *judges):
    """The share of the questions on which all these judges are right."""
    return share(lambda v: all(v[judge] == label for judge in judges), patterns, counts)


def pair(votes, i, j):
    if sum(votes[2]) == 0:
        return "undefined"
    return str(right(*votes, i, j) - right(*votes, i) * right(*votes, j))


def trio(votes, i, j, k):
    if sum(votes[2]) == 0:
        return "undefined"
    one, two, three = (right(*votes, judge) for judge in (i, j, k))
    value = right(*votes, i, j, k) - one * right(*votes, j, k)
    value += 2 * one * two * three - two * right(*votes, i, k) - three * right(*votes, i, j)
    return str(value)


def brute_force(document):
    """Write down all questions, and average over them."""
    labels, judges = document["labels"], range(document["judges"])
    patterns = list(product(labels, repeat=len(judges)))
    questions = {
        label: [v for v, count in zip(patterns, counts, strict=True) for _ in range(count)]
        for label, counts in zip(labels, document["counts_by_key"], strict=True)
    }
    size = sum(map(len, questions.values()))

    def mean(numbers):
        return str(sum(numbers, Fraction(0)) / len(numbers)) if numbers else "undefined"

    def centred(label, judge):
        answers = [int(v[judge] == label) for v in questions[label]]
        return [answer - Fraction(sum(answers), len(answers)) for answer in answers]

    def correlations(label, length):
        found = []
        for subset in combinations(judges, length):
            products = [Fraction(1)] * len(questions[label])
            for judge in subset:
                products = [x * y for x, y in zip(products, centred(label, judge), strict=True)]
            found.append(mean(products))
        return found

    return {
        "prevalence": [str(Fraction(len(questions[label]), size)) for label in labels],
        "response_rates": [
            [
                [mean([Fraction(v[judge] == given) for v in questions[true]]) for given in labels]
                for true in labels
            ]
            for judge in judges
        ],
        "pair_correlations": [correlations(label, 2) for label in labels],
        "trio_correlations": [correlations(label, 3) for label in labels],
    }


WITNESSES = {"brute-force": brute_force}
