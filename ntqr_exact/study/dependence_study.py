"""How much dependence of errors the votes prove, ranges under budgets of it, and when claims break down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import ceil
from typing import Any

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Bullets, Facts, Fold, Heading, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.dependence.bounds import (
    BreakdownPoint,
    EvaluationWithin,
    LeastDependence,
    bound_cell,
    breakdown_point,
    evaluate_within,
    least_dependence,
)
from ntqr_exact.dependence.measure import bound_text, dependence_of
from ntqr_exact.exact.enclosure import enclose_log, enclose_sqrt
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_LEVEL = "0.05"
_LIMITS = (
    "The dependence of the closest key is not the true dependence: the truth is often many times more dependent, and "
    "ranges at that budget often exclude it.",
    "Dependence that all judges share is invisible in votes: copies of one judge look perfect.",
    "Three judges prove little dependence; four or more prove more.",
)


@dataclass(frozen=True, slots=True)
class DependenceStudy(Value):
    """Least dependence, the dependence that chance alone would show, that of the key, ranges, and claims."""

    least: LeastDependence
    by_chance: mpq
    """Independent judges exceed this covariance with a probability of at most 1/20."""
    by_key: mpq | None
    within: tuple[EvaluationWithin, ...]
    breakdown_points: tuple[BreakdownPoint, ...]

    def certificates(self) -> list[Any]:
        """Return the certificates of all that is proven: the least dependence, the ranges, the claims."""
        results: tuple[Any, ...] = (self.least, *self.within, *self.breakdown_points)
        return [result.certificate for result in results if result.certificate is not None]

    def blocks(self) -> Iterator[Block]:
        """Yield what is proven first, then ranges and claims, then the limits."""
        least = self.least
        yield from least.blocks()
        rows = [
            ("proven: no key has less", bound_cell(least.proven)),
            ("attained by the closest key", bound_cell(least.attained, is_upper=True)),
            ("chance: independent judges exceed this with a probability of at most 1/20", self.by_chance),
        ]
        if self.by_key is not None:
            rows.append(("the answer key", self.by_key))
        yield Facts("Largest error covariances", tuple(rows))
        if least.closed_form.value:
            yield Fold("the proof in one line", (Sentence(least.closed_form.text),))
        for result in self.within:
            yield Heading(f"If no error covariance exceeds {bound_text(result.correlation)}")
            yield from result.blocks()
        if self.breakdown_points:
            yield Heading("When claims break down")
            yield Bullets(tuple(str(point) for point in self.breakdown_points))
        yield Heading("Limits")
        yield Bullets(_LIMITS)


def study_dependence(
    votes: VoteCounts | LabeledVoteCounts,
    *,
    budgets: Iterable[RationalLike] = (),
    claims: Sequence[str] = (),
) -> DependenceStudy:
    """Return how much dependence votes prove, ranges under budgets, and breakdown points of claims."""
    key = votes if isinstance(votes, LabeledVoteCounts) else None
    observed = votes.observed() if isinstance(votes, LabeledVoteCounts) else votes
    least = least_dependence(observed)
    return DependenceStudy(
        least,
        _chance_bound(least.witness),
        None if key is None else dependence_of(key).largest,
        tuple(evaluate_within(observed, budget) for budget in budgets),
        tuple(breakdown_point(observed, claim) for claim in claims),
    )


def _chance_bound(key: LabeledVoteCounts) -> mpq:
    """Return the covariance of two or three judges that independent judges exceed with a probability of at most 0.05.

    Given the answers of one judge, Γ_ij = (1/m)·Σ (a_k − ā)·b_k has mean 0 over the other's independent answers b_k,
    and Σ (a_k − ā)² ≤ m/4: by Hoeffding's inequality |Γ_ij| exceeds t with probability at most 2·exp(−8·m·t²), and
    the same holds for a trio. Over all K covariances, m the smallest number of questions of one, none exceeds
    √(log(2K/level)/(8m)).

    >>> _chance_bound(LabeledVoteCounts({"a": VoteCounts({"aa": 50, "bb": 50})}))
    mpq(33953,500000)
    """
    answers, sizes = len(key.labels) if len(key.labels) > 2 else 1, []
    for votes, order in product(key.by_label.values(), (2, 3)):
        for judges in combinations(key.judges, order):
            size = votes.common(*judges).size if votes.has_gaps else votes.size
            sizes += [size] * answers**order if size else []
    bound = enclose_sqrt(enclose_log(2 * len(sizes) / rational(_LEVEL)) / (8 * min(sizes))).upper
    return mpq(ceil(bound * 10**6), 10**6)
