"""Small votes and all their keys, by definition and in Fractions: the oracle for everything about dependence."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from ntqr_exact.votes.counts import VoteCounts
from tests.compositions import compositions

Share = dict[tuple[str, ...], int]
Key = dict[str, Share]


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


def all_keys(votes: VoteCounts) -> Iterator[Key]:
    """Iterate over the keys: for each true label the counts of the patterns."""
    patterns, labels = list(votes.counts), votes.labels
    for choice in product(*(list(compositions(votes.counts[p], len(labels))) for p in patterns)):
        yield {
            label: {p: split[k] for p, split in zip(patterns, choice, strict=True) if split[k]}
            for k, label in enumerate(labels)
        }


def dependence(key: Key, judges: int, orders: tuple[int, ...] = (2,)) -> Fraction:
    """The largest |Γ|: mean products of deviations, on the questions that all of the judges concerned answered."""
    largest = Fraction(0)
    for share in key.values():
        names = sorted({r for p in share for r in p if r is not None})
        for order in orders:
            for subset in combinations(range(judges), order):
                common = {p: n for p, n in share.items() if all(p[i] is not None for i in subset)}
                m = sum(common.values())
                for chosen in product(names, repeat=order) if m else ():
                    total = Fraction(0)
                    cells = list(zip(subset, chosen, strict=True))
                    rates = [Fraction(sum(n for p, n in common.items() if p[i] == r), m) for i, r in cells]
                    for p, n in common.items():
                        term = Fraction(n, m)
                        for (i, r), rate in zip(cells, rates, strict=True):
                            term *= (p[i] == r) - rate
                        total += term
                    largest = max(largest, abs(total))
    return largest


def value(key: Key, label: str | None, judge: int | None) -> Fraction | None:
    """The share of a label, or the accuracy of a judge on it or on all questions; `None` for no questions."""
    labels = list(key) if label is None else [label]
    questions = sum(sum(key[name].values()) for name in labels)
    if judge is None:
        return Fraction(questions, sum(sum(share.values()) for share in key.values()))
    right = sum(n for name in labels for p, n in key[name].items() if p[judge] == name)
    return Fraction(right, questions) if questions else None


def is_no_worse_than_chance(key: Key, judge: int) -> bool:
    """Whether a judge gives the first label at least as often on its own questions as on the others."""
    first = next(iter(key))
    rates = [
        Fraction(sum(n for p, n in share.items() if p[judge] == first), sum(share.values()))
        for share in key.values()
        if share
    ]
    return len(rates) < 2 or rates[0] >= rates[1]
