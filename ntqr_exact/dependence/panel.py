"""Between votes and problems: places for names, keys for shares, certificates for proofs.

Exchanging the labels of a key changes no correlation, so that somebody has to name them. They are so named that most
answers are right. In a key so named no other naming has more right answers, which is linear in the key: a proof may use
it, and loses no key but under other names.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any, cast

from gmpy2 import mpq

from ntqr_exact.budget import check_work
from ntqr_exact.dependence import moment_ranges, tree_checker
from ntqr_exact.dependence.tree_checker import FORMAT, Problem, Terms, checksum
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.linear.assignment import best_assignment
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts


@dataclass(frozen=True, slots=True)
class Condition:
    """A sum that must not be negative: weights of each question of a label, or of each answer of a judge on it.

    `weights` holds (label, judge, answer, weight) by name; judge and answer are `None` for every question of the label.
    """

    words: str
    weights: tuple[tuple[str, str | None, str | None, mpq], ...]

    def terms(self, votes: VoteCounts) -> Mapping[int, Terms]:
        """Return the weights by places."""
        found: dict[int, Terms] = {place: {} for place in range(len(votes.labels))}
        for label, judge, answer, weight in self.weights:
            key = (
                () if judge is None or answer is None else ((votes.place(judge), votes.labels.index(answer)),)
            )
            terms = found[votes.labels.index(label)]
            terms[key] = terms.get(key, mpq(0)) + weight
        return found

    def to_document(self) -> dict[str, Any]:
        """Return the condition as it stands in a certificate."""
        rows = [[label, judge, answer, str(weight)] for label, judge, answer, weight in self.weights]
        return {"words": self.words, "weights": rows}


def problem_of(
    votes: VoteCounts,
    delta: RationalLike,
    orders: Sequence[int],
    conditions: Iterable[Condition] = (),
    better: Sequence[int] = (),
) -> Problem:
    """Return the question whether a key has no correlation above delta and meets the conditions."""
    places = {label: place for place, label in enumerate(votes.labels)}
    counts = [(tuple(places[answer] for answer in p), n) for p, n in votes.counts.items()]
    groups = sum(comb(len(votes.judges), order) * (len(votes.labels) - 1) ** order for order in orders)
    check_work(
        "the correlations of so many judges and labels", groups * (len(counts) // 8 + 6 * len(votes.labels))
    )
    terms = [condition.terms(votes) for condition in conditions]
    return Problem(counts, len(votes.labels), rational(delta), orders, terms, better)


def answer_subsets(
    problem: Problem, orders: Iterable[int]
) -> tuple[list[tuple[int, int]], dict[int, list[tuple[int, ...]]]]:
    """Return the answers (judge, answer) that count, and for each order the groups of them by their places there."""
    cells = list(product(range(problem.judges), problem.answers))
    place = {cell: k for k, cell in enumerate(cells)}
    return cells, {
        order: [
            tuple(place[cell] for cell in zip(who, what, strict=True))
            for who in combinations(range(problem.judges), order)
            for what in product(problem.answers, repeat=order)
        ]
        for order in orders
    }


def key_of(votes: VoteCounts, shares: Sequence[Sequence[int]]) -> LabeledVoteCounts:
    """Return the key that gives `shares[p][l]` questions of each pattern each label."""
    parts = {}
    for place, label in enumerate(votes.labels):
        counts = {p: split[place] for p, split in zip(votes.counts, shares, strict=True) if split[place]}
        parts[label] = VoteCounts(counts, votes.labels, votes.judges)
    return LabeledVoteCounts(parts)


def certificate(
    votes: VoteCounts, problem: Problem, conditions: Iterable[Condition], proof: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the document that `check_dependence_certificate` reads."""
    return sealed(
        {
            "format": FORMAT,
            "votes": votes_part(votes),
            "orders": list(problem.orders),
            "correlation": str(problem.delta),
            "conditions": [condition.to_document() for condition in conditions],
            "better_than_chance": [votes.judges[i] for i in problem.better],
            "proof": proof,
        }
    )


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    """Return a certificate with its checksum."""
    return {**document, "checksum": checksum(document)}


def votes_part(votes: VoteCounts) -> dict[str, Any]:
    """Return votes as lists of answers with their counts, in the order of the places."""
    return {
        "labels": list(votes.labels),
        "judges": list(votes.judges),
        "counts": [[list(p), n] for p, n in votes.counts.items()],
    }


def anchor(votes: VoteCounts) -> int:
    """Return the judge whose answers move most with the others', the largest Σ|Δ|: it names the labels of keys."""
    label = votes.labels[0]
    places = range(len(votes.judges))
    sizes = [sum(abs(votes.pair_moment(i, j, label=label)) for j in places if j != i) for i in places]
    return sizes.index(max(sizes))


def better_judges(votes: VoteCounts, wanted: bool | Judge | Iterable[Judge]) -> tuple[int, ...]:
    """Return the places of the judges taken to be no worse than chance; with three labels or more nobody is."""
    if isinstance(wanted, bool):
        return (anchor(votes),) if wanted and len(votes.labels) == 2 else ()
    try:
        judges = [wanted] if isinstance(wanted, str) else list(cast("Iterable[Judge]", wanted))
    except TypeError:  # a place
        judges = [cast(Judge, wanted)]
    return tuple(map(votes.place, judges))


def named_by_most_right(votes: VoteCounts, shares: Sequence[Sequence[int]]) -> LabeledVoteCounts:
    """Return the key with its labels so exchanged that most answers are right: names do not change correlations.

    >>> key = named_by_most_right(VoteCounts({"aa": 2, "bb": 1}), [[0, 2], [1, 0]])
    >>> key.key_counts
    {'a': 2, 'b': 1}
    """
    return key_of(votes, named_shares(votes, shares))


def named_shares(votes: VoteCounts, shares: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the questions of each pattern with each label after that exchange."""
    labels = range(len(votes.labels))
    places = {label: place for place, label in enumerate(votes.labels)}
    # right[l][t]: answers that are right if what is now called l is really t.
    right = [[0] * len(labels) for _ in labels]
    for p, split in zip(votes.counts, shares, strict=True):
        for answer in p:
            for label in labels:
                right[label][places[answer]] += split[label]
    order = best_assignment(right)
    return [[split[order.index(place)] for place in labels] for split in shares]


def naming_conditions(votes: VoteCounts) -> tuple[Condition, ...]:
    """Return conditions of being named by the most right answers: exchanges of two labels, or three, have no more.

    >>> for condition in naming_conditions(VoteCounts({"aa": 2, "bb": 1})):
    ...     print(condition.words)
    at least as many answers are right as if a were named b, b named a
    """
    circles = (
        (a, b, c) for trio in combinations(votes.labels, 3) for a, b, c in (trio, (trio[0], *trio[:0:-1]))
    )
    exchanges = (*combinations(votes.labels, 2), *circles)
    return tuple(
        _condition(votes, dict(zip(names, (*names[1:], names[0]), strict=True))) for names in exchanges
    )


def _condition(votes: VoteCounts, names: dict[str, str]) -> Condition:
    told = ", ".join(f"{old} {'' if k else 'were '}named {new}" for k, (old, new) in enumerate(names.items()))
    weights = tuple(
        (label, judge, answer, weight)
        for label, other in names.items()
        for judge in votes.judges
        for answer, weight in ((label, mpq(1)), (other, mpq(-1)))
    )
    return Condition(f"at least as many answers are right as if {told}", weights)


_FUTURE = "from __future__ import annotations\n"


def checker_source() -> str:
    """Return a program without imports of this library: `python checker.py FILE...` tells what certificates prove.

    >>> "ntqr_exact" in checker_source()
    False
    """
    title, trees = inspect.getsource(tree_checker).split(_FUTURE)
    _, moments = inspect.getsource(moment_ranges).split(_FUTURE)
    imports, bodies = set(), []
    for text in (moments, trees):
        lines = text.splitlines()
        last = max(k for k, line in enumerate(lines) if line.startswith(("import ", "from ")))
        imports |= {line for line in lines[: last + 1] if line and "ntqr_exact" not in line}
        bodies.append("\n".join(lines[last + 1 :]).strip())
    return "\n\n".join(
        [title + _FUTURE.strip(), "\n".join(sorted(imports)), "\n" + "\n\n\n".join(bodies) + "\n"]
    )
