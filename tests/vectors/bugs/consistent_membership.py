"""Witnesses of `consistent-membership` besides the JavaScript runner."""

from itertools import combinations, product


def patterns(document):
    return list(product("ab", repeat=document["judges"]))


def refusal(document):
    counts, key = document["counts"], document["key_counts"]
    if len(counts) != 2 ** document["judges"]:
        return {"error": "bad-votes"}
    numbers = [*counts, *key, *(n for right in document["right"] for n in right)]
    if min(numbers) < 0:
        return {"error": "bad-number"}
    if any(s > key[0] or t > key[1] for s, t in document["right"]):
        return {"error": "bad-votes"}
    return None


def brute_force(document):
    """Try every key: which single judges, pairs and trios have these right answers under some key?"""
    refused = refusal(document)
    if refused:
        return refused
    q, q_b = document["key_counts"]
    if q + q_b != sum(document["counts"]):
        return {"consistent": False, "broken": "key-counts"}
    reached = {size: set() for size in (1, 2, 3)}
    wanted = [tuple(right) for right in document["right"]]
    for key in product(*(range(count + 1) for count in document["counts"])):
        if sum(key) != q:
            continue
        rows = list(zip(patterns(document), key, document["counts"], strict=True))
        graded = [
            (sum(k for v, k, _ in rows if v[i] == "a"), sum(c - k for v, k, c in rows if v[i] == "b"))
            for i in range(document["judges"])
        ]
        for size, found in reached.items():
            for judges in combinations(range(document["judges"]), size):
                if all(graded[i] == wanted[i] for i in judges):
                    found.add(judges)
    for size, word in ((1, "single"), (2, "pair"), (3, "trio")):
        if len(reached[size]) < len(list(combinations(range(document["judges"]), size))):
            fractions = word == "trio" and in_halves(document, q, wanted)
            return {"consistent": False, "broken": "whole" if fractions else word}
    return {"consistent": True, "broken": "none"}


def in_halves(document, q, wanted):
    """Whether a key in half questions has the right answers: sums that can be reached, pattern by pattern."""
    reached = {(0, 0, 0, 0)}
    for pattern, count in zip(patterns(document), document["counts"], strict=True):
        steps = [(h, *(h if answer == "a" else 0 for answer in pattern)) for h in range(2 * count + 1)]
        reached = {tuple(a + b for a, b in zip(old, step, strict=True)) for old in reached for step in steps}
    return (2 * q, *(2 * s for s, _ in wanted)) in reached


WITNESSES = {"brute-force": brute_force}
