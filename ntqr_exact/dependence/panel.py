"""Between votes and problems: places for names, keys for shares, certificates for proofs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any

from gmpy2 import mpq

from ntqr_exact.dependence.tree_checker import FORMAT, Problem, Terms, checksum
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.votes.counts import Judge, VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.work import check_work


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
    patterns = list(votes.counts)
    return LabeledVoteCounts(
        {
            label: VoteCounts(
                {p: split[place] for p, split in zip(patterns, shares, strict=True) if split[place]},
                votes.labels,
                votes.judges,
            )
            for place, label in enumerate(votes.labels)
        }
    )


def certificate(
    votes: VoteCounts,
    problem: Problem,
    conditions: Iterable[Condition],
    proof: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the document that `check_dependence_certificate` reads."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "votes": votes_part(votes),
        "orders": list(problem.orders),
        "correlation": str(problem.delta),
        "conditions": [condition.to_document() for condition in conditions],
        "better_than_chance": [votes.judges[i] for i in problem.better],
        "proof": proof,
    }
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
    if isinstance(wanted, int | str):
        return (votes.place(wanted),)
    return tuple(votes.place(judge) for judge in wanted)
