"""Witnesses of `pair-correlation-interval` besides the JavaScript runner."""

from fractions import Fraction
from itertools import product


def refusal(document):
    counts, key = document["counts"], document["key_counts"]
    if len(counts) != 2 ** document["judges"]:
        return {"error": "bad-votes"}
    if min([*counts, *key, *(n for right in document["right"] for n in right)]) < 0:
        return {"error": "bad-number"}
    if any(s > key[0] or t > key[1] for s, t in document["right"]):
        return {"error": "bad-votes"}
    if sum(key) != sum(counts):
        return {"error": "bad-key-counts"}
    return None


def brute_force(document):
    """Try every answer key, question by question."""
    refused = refusal(document)
    if refused:
        return refused
    patterns = product("ab", repeat=document["judges"])
    questions = [v for v, count in zip(patterns, document["counts"], strict=True) for _ in range(count)]
    i, j = (judge - 1 for judge in document["pair"])
    found, values = {}, {"a": [], "b": []}
    for key in product("ab", repeat=len(questions)):
        if key.count("a") != document["key_counts"][0]:
            continue
        rows = list(zip(key, questions, strict=True))
        gamma, both = {}, {}
        for label in "ab":
            hits = [(v[i] == label, v[j] == label) for true, v in rows if true == label]
            both[label] = sum(x and y for x, y in hits)
            gamma[label] = "no-questions"
            if hits:
                mean_i, mean_j = (Fraction(sum(hit[m] for hit in hits), len(hits)) for m in (0, 1))
                gamma[label] = sum((x - mean_i) * (y - mean_j) for x, y in hits) / len(hits)
                values[label].append(gamma[label])
        right = [
            [sum(true == v[m] == label for true, v in rows) for label in "ab"]
            for m in range(document["judges"])
        ]
        if right == document["right"]:
            found[both["a"]] = {
                "both_right": [both["a"], both["b"]],
                "correlations": [str(gamma["a"]), str(gamma["b"])],
            }
    ranges = {
        label: [str(min(seen)), str(max(seen))] if seen else "no-questions" for label, seen in values.items()
    }
    return {
        "consistent": bool(found),
        "points": len(found),
        "lowest": found[min(found)] if found else None,
        "highest": found[max(found)] if found else None,
        "range_a": ranges["a"],
        "range_b": ranges["b"],
    }


WITNESSES = {"brute-force": brute_force}
