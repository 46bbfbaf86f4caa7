"""Small votes and all their keys, by definition and in Fractions: what everything about dependence is held against."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from ntqr_exact.votes.counts import VoteCounts
from tests.alarms.all_keys import compositions

Share = dict[tuple[str, ...], int]


def random_votes(rng: random.Random, judges: int, labels: str = "ab", most: int = 8) -> VoteCounts:
    """Draw votes; some are degenerate: few patterns, or judges that copy each other or never change."""
    patterns = list(product(labels, repeat=judges))
    kind = rng.randrange(4)
    if kind == 0:
        patterns = rng.sample(patterns, min(len(patterns), rng.randint(1, 3)))
    if kind == 1:
        patterns = [p for p in patterns if p[0] == p[-1]]
    counts: Share = {}
    for _ in range(rng.randint(1, most)):
        p = rng.choice(patterns)
        counts[p] = counts.get(p, 0) + 1
    return VoteCounts(counts, labels=tuple(labels), judges=[f"J{i + 1}" for i in range(judges)])


def all_keys(votes: VoteCounts) -> Iterator[dict[str, Share]]:
    """Iterate over the keys: for each true label the counts of the patterns."""
    patterns = list(votes.counts)
    labels = votes.labels
    for choice in product(*(list(compositions(votes.counts[p], len(labels))) for p in patterns)):
        yield {
            label: {p: split[k] for p, split in zip(patterns, choice, strict=True) if split[k]}
            for k, label in enumerate(labels)
        }


def dependence(key: dict[str, Share], judges: int, orders: tuple[int, ...] = (2,)) -> Fraction:
    """The largest |Γ|, from moments times m^(order + 1); with two answers all choices of them have the same size."""
    largest = Fraction(0)
    for share in key.values():
        m = sum(share.values())
        answers = sorted({r for p in share for r in p})
        answers = answers[:1] if len(answers) == 2 else answers
        for order in orders if len(share) > 1 else ():
            for subset in combinations(range(judges), order):
                for chosen in product(answers, repeat=order):
                    cells = list(zip(subset, chosen, strict=True))
                    rates = [sum(n for p, n in share.items() if p[i] == r) for i, r in cells]
                    moment = 0
                    for p, n in share.items():
                        term = n
                        for (i, r), rate in zip(cells, rates, strict=True):
                            term *= (m if p[i] == r else 0) - rate
                        moment += term
                    largest = max(largest, Fraction(abs(moment), m ** (order + 1)))
    return largest


def prevalence(key: dict[str, Share], label: str) -> Fraction:
    return Fraction(sum(key[label].values()), sum(sum(share.values()) for share in key.values()))


def accuracy(key: dict[str, Share], judge: int, label: str) -> Fraction | None:
    m = sum(key[label].values())
    return Fraction(sum(n for p, n in key[label].items() if p[judge] == label), m) if m else None
