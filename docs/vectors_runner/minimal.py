"""Answers the family possible-single: ntqr-exact vectors run possible-single -- python3 minimal.py"""

import json
import sys
from math import comb, prod


def tables(rows, columns):
    """How many tables of whole numbers have these sums of rows and columns."""
    if not rows:
        return 1
    ways = 0

    def spread(left, taken):
        nonlocal ways
        room = columns[len(taken)]
        if len(taken) == len(columns) - 1:
            if left <= room:
                rest = [column - part for column, part in zip(columns, [*taken, left], strict=True)]
                ways += tables(rows[1:], rest)
            return
        for part in range(min(left, room) + 1):
            spread(left - part, [*taken, part])

    spread(rows[0], [])
    return ways


def answer(labels, responses, key_counts):
    """The output for an input of possible-single."""
    if min(responses) < 0:
        return {"error": "bad-number"}
    if min(key_counts) < 0 or sum(key_counts) != sum(responses):
        return {"error": "bad-key-counts"}
    r, q = len(labels), sum(responses)
    if r == 2:
        at = min(key_counts[0], responses[0]) - max(0, key_counts[0] - responses[1]) + 1
    else:
        at = tables(responses, key_counts)
    return {
        "possible": str(comb(q + r * r - 1, r * r - 1)),
        "possible_at": str(prod(comb(count + r - 1, r - 1) for count in key_counts)),
        "consistent": str(prod(comb(count + r - 1, r - 1) for count in responses)),
        "consistent_at": str(at),
    }


for line in sys.stdin:
    question = json.loads(line)
    if question["family"] == "possible-single":
        reply = {"id": question["id"], "output": answer(**question["input"])}
    else:
        reply = {"id": question["id"], "skip": True}
    print(json.dumps(reply), flush=True)
