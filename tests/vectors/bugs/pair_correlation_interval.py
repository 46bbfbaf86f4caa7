"""A second implementation of `pair-correlation-interval`, and the bugs that the vectors must catch in it."""

from fractions import Fraction
from itertools import product

PAIRS = list(product("ab", repeat=2))


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


def in_order(document):
    """The counts with the pair first, and the right answers in the same order."""
    order = [judge - 1 for judge in document["pair"]]
    order += [judge for judge in range(document["judges"]) if judge not in order]
    seen = {}
    patterns = product("ab", repeat=document["judges"])
    for pattern, count in zip(patterns, document["counts"], strict=True):
        seen[tuple(pattern[judge] for judge in order)] = count
    return seen, [document["right"][judge] for judge in order]


def pair_counts(seen):
    return [sum(count for pattern, count in seen.items() if pattern[:2] == w) for w in PAIRS]


def fits(seen, q, rights, e):
    """Whether a key has these right answers, and e questions of a on which the first two are right."""
    first, second, *others = [s for s, _ in rights]
    parts = (e, first - e, second - e, q - first - second + e)
    if any(not 0 <= m <= n for m, n in zip(parts, pair_counts(seen), strict=True)):
        return False
    if not others:
        return True
    least = sum(max(0, m - seen[*w, "b"]) for m, w in zip(parts, PAIRS, strict=True))
    most = sum(min(m, seen[*w, "a"]) for m, w in zip(parts, PAIRS, strict=True))
    return least <= others[0] <= most


def consistent_alone(seen, rights, key):
    """The votes of each judge alone must allow its right answers."""
    for judge, (s, t) in enumerate(rights):
        answered = sum(count for pattern, count in seen.items() if pattern[judge] == "a")
        if s + key[1] - t != answered:
            return False
    return True


def correlation(questions, both, first, second):
    if questions == 0:
        return "no-questions"
    return str(Fraction(questions * both - first * second, questions**2))


def told(e, seen, rights, key):
    (s, t), (s_2, t_2) = rights[:2]
    e_b = pair_counts(seen)[3] - (key[0] - s - s_2 + e)
    return {
        "both_right": [e, e_b],
        "correlations": [correlation(key[0], e, s, s_2), correlation(key[1], e_b, t, t_2)],
    }


def extent(limits, questions):
    """The least and the greatest correlation, over all ways to take so many questions of the four kinds."""
    if questions == 0:
        return "no-questions"
    both, first, second, none = limits
    values = []
    for n in range(min(both, questions) + 1):
        for rest in range(min(none, questions - n) + 1):
            unlike = questions - n - rest
            # The product of the two others is extreme at the ends of its interval, or in its middle.
            low, high = max(0, unlike - second), min(first, unlike)
            if low <= high:
                middle = min(max(unlike // 2, low), high)
                values += [n * rest - k * (unlike - k) for k in (low, middle, high)]
    return [str(Fraction(value, questions**2)) for value in (min(values), max(values))]


def reference(document):
    refused = refusal(document)
    if refused:
        return refused
    seen, rights = in_order(document)
    key = document["key_counts"]
    found = []
    if consistent_alone(seen, rights, key):
        found = [e for e in range(key[0] + 1) if fits(seen, key[0], rights, e)]
    aa, ab, ba, bb = pair_counts(seen)
    return {
        "consistent": bool(found),
        "points": len(found),
        "lowest": told(found[0], seen, rights, key) if found else None,
        "highest": told(found[-1], seen, rights, key) if found else None,
        "range_a": extent((aa, ab, ba, bb), key[0]),
        "range_b": extent((bb, ba, ab, aa), key[1]),
    }


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
