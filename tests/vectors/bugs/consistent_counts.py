"""Witnesses of `consistent-counts` besides the JavaScript runner."""

from itertools import product


def refusal(document):
    counts, key = document["counts"], document["key_counts"]
    if len(counts) != len(document["labels"]) ** document["judges"]:
        return {"error": "bad-votes"}
    if min(counts) < 0:
        return {"error": "bad-number"}
    if min(key) < 0 or sum(key) != sum(counts):
        return {"error": "bad-key-counts"}
    return None


def brute_force(document):
    """Try every answer key, question by question, and collect what it says of the group or of each judge."""
    refused = refusal(document)
    if refused:
        return refused
    labels, judges = document["labels"], document["judges"]
    questions = [
        pattern
        for pattern, count in zip(product(labels, repeat=judges), document["counts"], strict=True)
        for _ in range(count)
    ]
    found = {}
    for key in product(labels, repeat=len(questions)):
        rows = list(zip(key, questions, strict=True))
        seen = (tuple(sorted(rows)),)
        if document["evaluations"] == "individual":
            seen = tuple(
                tuple(sorted((true, given[judge]) for true, given in rows)) for judge in range(judges)
            )
        found[seen] = [key.count(label) for label in labels]
    return {
        "consistent": str(len(found)),
        "consistent_at": str(sum(counts == document["key_counts"] for counts in found.values())),
    }


WITNESSES = {"brute-force": brute_force}
