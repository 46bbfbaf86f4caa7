"""How much dependence of errors the votes prove, and what follows if there is only so much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Block, Bullets, Facts, Fold, Heading, Picture, Sentence, Table
from ntqr_exact.dependence.breakdown import BreakdownPoint, breakdown_point
from ntqr_exact.dependence.coq_dependence import dependence_to_coq
from ntqr_exact.dependence.key_dependence import LIMITS, dependence_of, least_step, sampling_budget
from ntqr_exact.dependence.least import LeastDependence, least_dependence
from ntqr_exact.dependence.quick_ranges import QuickRanges, quick_ranges
from ntqr_exact.dependence.ranges import (
    EvaluationWithin,
    RangeEnd,
    RangeProof,
    WithinBudget,
    evaluate_within,
    nested,
)
from ntqr_exact.evaluation import defined
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.exact.json_text import as_document
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import short_decimal, value_text
from ntqr_exact.study.study import Brief, Column, Part
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_LEVEL = "0.05"
_FUNNEL = tuple(mpq(part, 4) for part in (5, 8, 16))
"""Budgets of the funnel, in parts of what the closest key attains; more than that, its least is taken."""

_LEAST_BUDGET = mpq(1, 200)
_QUICK = mpq(1, 5)


@dataclass(frozen=True, slots=True)
class DependenceStudy(Part):
    """Least dependence, ranges under budgets, breakdown points, and what chance would show.

    `key_dependence` is that of the answer key, if there is one. `up_to_whole_numbers` says that fractional keys are
    independent: only whole numbers stand in the way; `no_independent_key`, that it is proven that they do.
    """

    anchor: ClassVar[str] = "dependence"
    title: ClassVar[str] = "How much the errors depend on each other"

    least: LeastDependence
    sampling: mpq
    within: tuple[EvaluationWithin, ...]
    breakdowns: tuple[BreakdownPoint, ...]
    funnel: tuple[EvaluationWithin, ...]
    key: LabeledVoteCounts | None
    up_to_whole_numbers: bool
    quick: tuple[QuickRanges, ...] = ()
    no_independent_key: bool = False

    @property
    def step(self) -> mpq | None:
        """1/(Q − 1)³ where fractional keys are independent and no whole one is, which some correlation reaches."""
        least = self.least
        is_proven = self.no_independent_key or (least.is_exact and least.attained > 0)
        return least_step(least.votes) if self.up_to_whole_numbers and is_proven else None

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
            "quick": as_document(self.quick),
            "breakdown_points": [point.to_document() | {"words": str(point)} for point in self.breakdowns],
            "funnel": as_document(self.funnel),
            "key": self.key_dependence,
            "independent_up_to_whole_numbers": self.up_to_whole_numbers,
            "least_step": self.step,
        }

    def certificates(self) -> list[Any]:
        """Return the certificates of all that is proven: the least dependence, each end of a range, each claim."""
        ranges = (one for within in self.within for one in within.certificates)
        found = [self.least.certificate, *ranges, *(point.certificate for point in self.breakdowns)]
        return [one for place, one in enumerate(found) if one is not None and one not in found[:place]]

    def to_coq(self) -> str:
        """Return a file of Coq with a theorem for each certificate that has one."""
        return dependence_to_coq([self.least.certificate_with_theorem, *self.certificates()[1:]])

    def brief(self) -> Brief:
        """Return the proven least dependence, the ranges under the budget, and the limits."""
        columns = tuple(
            Column(
                f"within {short_decimal(found.correlation)}",
                f"no error correlation exceeds {value_text(found.correlation)}",
                found.overall,
                by_label=tuple(
                    (label, tuple(accuracy[label] for accuracy in found.accuracy))
                    for label in found.votes.labels
                ),
            )
            for found in self.within or self.funnel[::2]
            if found.existence is not WithinBudget.NONE
        )
        proven = [self._least_words(), *(Sentence(str(point)) for point in self.breakdowns)]
        ask = ("Say how dependent the errors may be: `ntqr-exact dependence VOTES --budget`.",)
        return Brief(columns, tuple(proven), (LIMITS[1],), () if self.within else ask)

    def _least_words(self) -> Sentence:
        least = self.least
        attained = value_text(least.attained)
        if not least.attained:
            told = "a key without any pair correlation explains these votes."
            return Sentence(told, "COULD BE INDEPENDENT", fires=False)
        if self.up_to_whole_numbers:
            told = "fractional keys without correlations explain these votes; "
            if self.step is not None:
                told += (
                    f"with whole questions some correlation is at least 1/(Q−1)³ = {value_text(self.step)}; "
                )
            told += f"{'the least of all keys has' if least.is_exact else 'a key has at most'} {attained}."
            return Sentence(told, "INDEPENDENT UP TO WHOLE NUMBERS", fires=False)
        if least.proven:
            told = f"whatever the key, some pair has an error correlation of at least {value_text(least.proven)}; "
            told += "a key has just that." if least.is_exact else f"there is a key with at most {attained}."
            return Sentence(told, "DEPENDENT", fires=True)
        told = f"no dependence is proven; a key has at most {attained}."
        return Sentence(told, "NOTHING PROVEN", fires=False)

    def blocks(self) -> Iterator[Block]:
        """Yield what is proven first, then ranges and claims, then what cannot be known."""
        least = self.least
        yield self._least_words()
        greatest = least.dependence.greatest
        if greatest is not None:
            pair = greatest.words(least.votes.judges)
            yield Sentence(f"There the greatest pair correlation is that of {pair}.")
        yield Facts(
            "Budgets side by side",
            (
                ("proven: no key has less", least.proven),
                ("attained by the closest key", least.attained),
                ("chance: independent judges exceed this with a probability of at most 1/20", self.sampling),
                ("keys with one label only", least.one_label),
                *((("the answer key", self.key_dependence),) if self.key is not None else ()),
                ("total variation of the closest key", least.total_variation),
            ),
        )
        if least.closed_form.bounds:
            lines = tuple(f"{bound.kind}: {bound}" for bound in least.closed_form.bounds)
            yield Fold("the proof in one line each", (Bullets(lines),))
        for found in self.within:
            yield from _range_blocks(found)
        for one in self.quick:
            yield from _quick_blocks(one)
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
        yield Bullets(LIMITS)


def _range_blocks(found: EvaluationWithin) -> Iterator[Block]:
    budget = value_text(found.correlation)
    yield Heading(f"If no error correlation exceeds {budget}")
    if found.existence is WithinBudget.NONE:
        told = f"no key has correlations of at most {budget}; a certificate proves it."
        yield Sentence(told, "IMPOSSIBLE", fires=True)
        return
    if found.better:
        yield Sentence(
            f"The labels are named so that {', '.join(found.better)} is no worse than chance; the mirror image of "
            "every key, its labels exchanged, is as independent."
        )
    if found.naming:
        yield Sentence(
            "The labels of every key are named so that most answers are right; other names are as independent."
        )
    ends = list(zip(found.ends[::2], found.ends[1::2], strict=True))
    unbounded = ", ".join(str(low.goal) for low, high in ends if _is_open(low, high))
    if unbounded:
        told = f"{unbounded}: boxes of rates were not bounded within the effort, any value may be true."
        yield Sentence(told, "NOT BOUNDED")
    rows = tuple((str(low.goal), low.proven, low.attained, high.attained, high.proven) for low, high in ends)
    header = ("", "proven: at least", "attained: from", "attained: to", "proven: at most")
    yield Table("Ranges over all keys within the budget", header, rows)


def _is_open(low: RangeEnd, high: RangeEnd) -> bool:
    """Tell whether a range is that of any share, though keys do not attain all of it."""
    return low.proof is high.proof is RangeProof.LIMIT and not (low.attained == 0 and high.attained == 1)


def _quick_blocks(found: QuickRanges) -> Iterator[Block]:
    budget = value_text(found.correlation)
    yield Heading(f"If no error correlation exceeds {budget}, quickly")
    if found.is_empty:
        yield Sentence(f"no key has correlations of at most {budget}.", "IMPOSSIBLE", fires=True)
        return
    rows = [(f"the share of {label}", *ends) for label, ends in found.prevalence.items()]
    for judge, rates, right in zip(found.votes.judges, found.accuracy, found.overall, strict=True):
        rows += [(f"the accuracy of {judge} on {label}", *ends) for label, ends in rates.items()]
        rows.append((f"the accuracy of {judge}", *right))
    yield Table("Ranges over all keys within the budget", ("", "at least", "at most"), tuple(rows))


def study_dependence(
    votes: VoteCounts | LabeledVoteCounts,
    *,
    budgets: Iterable[RationalLike] = (),
    claims: Sequence[str] = (),
    funnel: bool = False,
    quick: bool = False,
    effort: RationalLike = 1,
) -> DependenceStudy:
    """Return how much dependence votes prove, ranges under budgets, and breakdown points of claims.

    `funnel` adds ranges at growing budgets, for a picture; `quick` asks for quick ranges alone; `effort` multiplies the
    work of the proofs.
    """
    key = votes if isinstance(votes, LabeledVoteCounts) else None
    observed = votes.observed() if isinstance(votes, LabeledVoteCounts) else votes
    least = least_dependence(observed, effort=effort)
    asked = () if quick else nested([evaluate_within(observed, budget) for budget in budgets])
    at_once = tuple(quick_ranges(observed, budget) for budget in budgets) if quick else ()
    drawn: tuple[EvaluationWithin, ...] = ()
    if funnel and len(observed.labels) == 2:
        drawn = _funnel(observed, max(least.attained, _LEAST_BUDGET))
        if not any(found.existence is WithinBudget.EXISTS for found in drawn):
            # Ranges limit the correlations of trios, too, and those of the closest key may be far greater.
            drawn = _funnel(observed, dependence_of(least.witness, drawn[0].orders).largest)
    points = tuple(breakdown_point(observed, claim) for claim in claims)
    trio = len(observed.judges) == 3 and len(observed.labels) == 2
    solution = solve_independent(observed) if trio else None
    return DependenceStudy(
        least,
        sampling_budget(least.witness, level=_LEVEL),
        asked,
        points,
        drawn,
        key,
        solution is not None and _is_in_range(solution),
        at_once,
        solution is not None and solution.existence is Answer.NO,
    )


def _funnel(votes: VoteCounts, unit: mpq) -> tuple[EvaluationWithin, ...]:
    return nested([evaluate_within(votes, _short(part * unit), effort=_QUICK) for part in _FUNNEL])


def _short(budget: mpq) -> mpq:
    return mpq(ceil(budget * 10**4), 10**4)


def _is_in_range(solution: IndependentSolution) -> bool:
    """Tell whether an independent solution has all rates between 0 and 1, whole or not."""
    rates = ([one.prevalence, *one.accuracy] for one in solution.solutions)
    return any(all(_is_share(rate) for by_label in one for rate in by_label.values()) for one in rates)


def _is_share(rate: Any) -> bool:
    number = defined(rate)
    return (not isinstance(number, Surd) or number.is_real) and bool(0 <= number <= 1)
