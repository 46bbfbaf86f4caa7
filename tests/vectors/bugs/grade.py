"""Witnesses of `grade` besides the JavaScript runner."""

from fractions import Fraction
from itertools import combinations, product


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
