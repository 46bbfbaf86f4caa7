"""A second implementation of `key-dependence` by raw moments, and the bugs that the vectors must catch in it."""

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
    if judges < 2:
        return {"error": "bad-votes"}
    total = sum(map(sum, by_key))
    if total == 0:
        return {"error": "empty-test"}
    found = {2: Fraction(0), 3: Fraction(0)}
    variation = Fraction(0)
    for counts in by_key:
        size = sum(counts)
        if size == 0:
            continue

        def share(cells, counts=counts, size=size):
            seen = (n for v, n in zip(patterns, counts, strict=True) if all(v[i] == r for i, r in cells))
            return Fraction(sum(seen), size)

        for order in (2, 3):
            for who in combinations(range(judges), order):
                for what in product(labels, repeat=order):
                    found[order] = max(found[order], abs(moment(share, tuple(zip(who, what, strict=True)))))
        apart = Fraction(0)
        for v, n in zip(patterns, counts, strict=True):
            independent = Fraction(1)
            for cell in enumerate(v):
                independent *= share([cell])
            apart += abs(Fraction(n, size) - independent)
        variation += Fraction(size, total) * apart / 2
    return {
        "pairs": str(found[2]),
        "trios": str(found[3]),
        "largest": str(max(found.values())),
        "one_label": sum(1 for counts in by_key if sum(counts)) == 1,
        "total_variation": str(variation),
    }


def moment(share, cells):
    """The central moment from the shares: E xyz − Σ E xy·E z + 2·E x·E y·E z."""
    if len(cells) == 2:
        return share(cells) - share(cells[:1]) * share(cells[1:])
    x, y, z = (share([cell]) for cell in cells)
    mixed = share(cells[:2]) * z + share(cells[1:]) * x + share(cells[::2]) * y
    return share(cells) - mixed + 2 * x * y * z
