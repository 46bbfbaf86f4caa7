"""How much dependence of errors the votes prove, and what follows if there is only so much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import ceil
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Block, Bullets, Facts, Fold, Heading, Picture, Sentence
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
from ntqr_exact.dependence.tetrads import NO_BOUND
from ntqr_exact.exact.enclosure import enclose_log, enclose_sqrt
from ntqr_exact.exact.json_text import as_document
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.show import short_decimal
from ntqr_exact.study.study import Brief, Column, Part
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_LEVEL = "0.05"
_FUNNEL = tuple(mpq(part, 4) for part in (5, 8, 16))
_MIN_BUDGET = mpq(1, 200)
"""Budgets of the funnel, as multiples of what the closest key attains, or of this if it is larger."""


_LIMITS = (
    "The dependence of the closest key is not the true dependence: the truth is often many times more dependent, and "
    "ranges at that budget often exclude it.",
    "Dependence that all judges share is invisible in votes: copies of one judge look perfect.",
    "Three judges prove little dependence; four or more prove more.",
)
"""What every reader of a bound on dependence has to know."""


@dataclass(frozen=True, slots=True)
class DependenceStudy(Part):
    """Least dependence, ranges under budgets, breakdown points, and what chance would show; `key` is the answer key."""

    anchor: ClassVar[str] = "dependence"
    title: ClassVar[str] = "How much the errors depend on each other"

    least: LeastDependence
    sampling: mpq
    within: tuple[EvaluationWithin, ...]
    breakdowns: tuple[BreakdownPoint, ...]
    funnel: tuple[EvaluationWithin, ...]
    key: LabeledVoteCounts | None

    @property
    def key_dependence(self) -> mpq | None:
        """The dependence of the answer key."""
        return None if self.key is None else dependence_of(self.key, (2, 3)).largest

    def to_document(self) -> dict[str, Any]:
        """Return all numbers; certificates are documents of their own."""
        return {
            "least": self.least.to_document(),
            "sampling_budget": {"level": rational(_LEVEL), "value": self.sampling},
            "within": as_document(self.within),
            "breakdown_points": [point.to_document() | {"words": str(point)} for point in self.breakdowns],
            "funnel": as_document(self.funnel),
            "key": self.key_dependence,
        }

    def certificates(self) -> list[Any]:
        """Return the certificates of all that is proven: the least dependence, the ranges, the claims."""
        results: tuple[Any, ...] = (self.least, *self.within, *self.breakdowns)
        return [result.certificate for result in results if result.certificate is not None]

    def brief(self) -> Brief:
        """Return the proven least dependence, the ranges under the budget, and the limits."""
        columns = tuple(
            Column(
                f"within {short_decimal(result.correlation)}",
                f"no error covariance exceeds {bound_text(result.correlation)}"
                + (f", and {', '.join(result.assumed)} no worse than chance" if result.assumed else ""),
                result.overall,
                by_label=tuple(
                    (label, tuple(accuracy[label] for accuracy in result.accuracy.values()))
                    for label in result.votes.labels
                ),
            )
            for result in self.within or self.funnel[::2]
            if result.existence is not Answer.NO
        )
        proven = (self._least_sentence(), *(Sentence(str(point)) for point in self.breakdowns))
        ask = ("Say how dependent the errors may be: `ntqr-exact dependence VOTES --budget`.",)
        return Brief(columns, proven, (_LIMITS[1],), () if self.within else ask)

    def _least_sentence(self) -> Sentence:
        least, attained = self.least, bound_text(self.least.attained, is_upper=True)
        if len(least.votes.labels) > 2:
            return Sentence(f"{NO_BOUND} Some answer key has covariances of at most {attained}.")
        if not least.attained:
            return Sentence(
                "some answer key has no pair covariance at all.", "COULD BE INDEPENDENT", fires=False
            )
        some = f"Some answer key has covariances of at most {attained}."
        if not least.proven:
            return Sentence(f"no dependence is proven. {some}", "NOTHING PROVEN", fires=False)
        proven = f"under every answer key two judges have an error covariance of at least {bound_text(least.proven)}. "
        return Sentence(proven + some, "DEPENDENT", fires=True)

    def blocks(self) -> Iterator[Block]:
        """Yield what is proven first, then ranges and claims, then the limits."""
        least = self.least
        yield self._least_sentence()
        if (greatest := least.dependence.greatest) is not None:
            yield Sentence(f"The greatest covariance of that key is that of {greatest}.")
        rows = [
            ("proven: no key has less", bound_cell(least.proven)),
            ("attained by the closest key", bound_cell(least.attained, is_upper=True)),
            ("chance: independent judges exceed this with a probability of at most 1/20", self.sampling),
        ]
        if self.key_dependence is not None:
            rows.append(("the answer key", self.key_dependence))
        yield Facts("Largest error covariances", tuple(rows))
        if least.closed_form.bounds:
            yield Fold("the proof in one line each", (Bullets(tuple(map(str, least.closed_form.bounds))),))
        for result in self.within:
            yield Heading(f"If no error covariance exceeds {bound_text(result.correlation)}")
            yield from result.blocks()
        if self.breakdowns:
            yield Heading("When claims break down")
            yield Bullets(tuple(str(point) for point in self.breakdowns))
        if self.funnel:
            caption = "Ranges of the shares and of the judges' right answers against the budget of dependence"
            options = {"proven": least.proven, "key": self.key}
            yield Picture(
                "funnel", caption, "plot_dependence_funnel", (self.funnel,), options, ground="figure"
            )
        yield Heading("Limits")
        yield Bullets(_LIMITS)


def study_dependence(
    votes: VoteCounts | LabeledVoteCounts,
    *,
    budgets: Iterable[RationalLike] = (),
    claims: Sequence[str] = (),
    funnel: bool = False,
) -> DependenceStudy:
    """Return how much dependence votes prove, ranges under budgets, and breakdown points of claims.

    `funnel` adds ranges at growing budgets, for a picture.
    """
    key = votes if isinstance(votes, LabeledVoteCounts) else None
    observed = votes.observed() if isinstance(votes, LabeledVoteCounts) else votes
    least = least_dependence(observed)
    drawn: tuple[EvaluationWithin, ...] = ()
    if funnel and len(observed.labels) == 2:
        unit = max(dependence_of(least.witness, (2, 3)).largest, _MIN_BUDGET)
        steps = (mpq(ceil(part * unit * 10**4), 10**4) for part in _FUNNEL)
        drawn = tuple(evaluate_within(observed, budget) for budget in steps)
    return DependenceStudy(
        least,
        _chance_bound(least.witness),
        tuple(evaluate_within(observed, budget) for budget in budgets),
        tuple(breakdown_point(observed, claim) for claim in claims),
        drawn,
        key,
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
