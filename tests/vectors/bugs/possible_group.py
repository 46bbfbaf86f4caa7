"""Witnesses of `possible-group` besides the JavaScript runner."""

from itertools import product


def refusal(document):
    labels, key, questions = document["labels"], document["key_counts"], document["questions"]
    if questions < 0:
        return {"error": "bad-number"}
    if document["judges"] < 1 or len(labels) < 2 or len(set(labels)) < len(labels) or "" in labels:
        return {"error": "bad-votes"}
    if min(key) < 0 or sum(key) != questions:
        return {"error": "bad-key-counts"}
    return None


def brute_force(document):
    """Every question gets a true label and an answer of each judge: collect what comes about."""
    refused = refusal(document)
    if refused:
        return refused
    labels, judges = document["labels"], document["judges"]
    cells = list(product(labels, repeat=judges + 1))
    groups = {tuple(sorted(test)) for test in product(cells, repeat=document["questions"])}
    individual = {
        tuple(tuple(sorted((cell[0], cell[1 + judge]) for cell in test)) for judge in range(judges))
        for test in groups
    }

    def has_key(test):
        return [sum(cell[0] == label for cell in test) for label in labels] == document["key_counts"]

    return {
        "possible": str(len(groups)),
        "possible_at": str(sum(map(has_key, groups))),
        "individual": str(len(individual)),
    }


WITNESSES = {"brute-force": brute_force}
