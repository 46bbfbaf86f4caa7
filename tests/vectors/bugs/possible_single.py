"""Witnesses of `possible-single` besides the JavaScript runner."""

from itertools import product


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
