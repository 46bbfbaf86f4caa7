"""A second implementation of `consistent-counts`, and the bugs that the vectors must catch in it."""

from itertools import product


def splits(total, boxes):
    if boxes == 1:
        return [(total,)]
    return [(first, *rest) for first in range(total + 1) for rest in splits(total - first, boxes - 1)]


def refusal(document):
    counts, key = document["counts"], document["key_counts"]
    if len(counts) != len(document["labels"]) ** document["judges"]:
        return {"error": "bad-votes"}
    if min(counts) < 0:
        return {"error": "bad-number"}
    if min(key) < 0 or sum(key) != sum(counts):
        return {"error": "bad-key-counts"}
    return None


def windows(counts):
    """The same for two labels: the coefficients of a product of 1 + x + … + x^count."""
    row = [1]
    for count in counts:
        row = [sum(row[max(0, n - count) : n + 1]) for n in range(len(row) + count)]
    return {(q,): number for q, number in enumerate(row)}


def groups(counts, labels):
    """The number of group evaluations for each key counts but the last, pattern by pattern."""
    if labels == 2:
        return windows(counts)
    ways = {(0,) * (labels - 1): 1}
    for count in counts:
        following = {}
        for split in splits(count, labels):
            for key, number in ways.items():
                total = tuple(k + part for k, part in zip(key, split[:-1], strict=True))
                following[total] = following.get(total, 0) + number
        ways = following
    return ways


def pair(counts):
    """The number of individual evaluations of two judges for each Q_a, each tried by its bounds."""
    aa, ab, ba, bb = counts
    first, second = aa + ab, aa + ba
    found = {}
    size = sum(counts)
    for q in range(size + 1):
        total = 0
        for s in range(max(0, q - (size - first)), min(q, first) + 1):
            low = max(0, q - (size - second), q - bb - s, s - ab)
            high = min(q, second, q + aa - s, s + ba)
            total += max(0, high - low + 1)
        found[(q,)] = total
    return found


def individuals(document):
    """The number of different sums for each key counts but the last, the sums of patterns kept in a set."""
    labels, judges = document["labels"], document["judges"]
    if len(labels) == 2 and judges == 2 and sum(document["counts"]) > 100:
        return pair(document["counts"])
    cells = list(product(labels[:-1], range(judges), labels[:-1]))
    reached = {((0,) * (len(labels) - 1), (0,) * len(cells))}
    for pattern, count in zip(product(labels, repeat=judges), document["counts"], strict=True):
        following = set()
        for split in splits(count, len(labels)):
            of_label = dict(zip(labels, split, strict=True))
            step = [of_label[true] if pattern[judge] == given else 0 for true, judge, given in cells]
            for key, sums in reached:
                new_key = tuple(k + part for k, part in zip(key, split[:-1], strict=True))
                following.add((new_key, tuple(a + b for a, b in zip(sums, step, strict=True))))
        reached = following
    found = {}
    for key, _ in reached:
        found[key] = found.get(key, 0) + 1
    return found


def reference(document):
    refused = refusal(document)
    if refused:
        return refused
    # For one judge a group is an individual; the sums of a thousand questions would be too many.
    alone = document["evaluations"] == "group" or document["judges"] == 1
    found = groups(document["counts"], len(document["labels"])) if alone else individuals(document)
    at = tuple(document["key_counts"][:-1])
    return {"consistent": str(sum(found.values())), "consistent_at": str(found.get(at, 0))}


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
