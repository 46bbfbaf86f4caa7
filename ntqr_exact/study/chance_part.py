"""How much the judges agree beyond chance: every coefficient made for the answers; of ratings, by their order, too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Sentence, Table
from ntqr_exact.errors import BadChoice, BadNumber, BadVotes
from ntqr_exact.metrics.formulas import MetricValue, Undefined
from ntqr_exact.sampling.chance_agreement import Coefficient, Weights, agreement, relabeled
from ntqr_exact.study.study import Part
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.ordinal import two_labels

_BY_ORDER = (Weights.ORDINAL, Weights.LINEAR, Weights.QUADRATIC)
_OF_PAIRS = (Coefficient.COHEN, Coefficient.SCOTT)

_NAMES = {
    Coefficient.PERCENT_POOLED: "percent agreement, all pairs of answers pooled",
    Coefficient.PERCENT_BY_QUESTION: "percent agreement, mean over questions",
    Coefficient.COHEN: "Cohen's κ",
    Coefficient.SCOTT: "Scott's π",
    Coefficient.FLEISS: "Fleiss' κ",
    Coefficient.KRIPPENDORFF: "Krippendorff's α",
    Coefficient.GWET: "Gwet's AC1 (AC2 with weights)",
    Coefficient.BRENNAN_PREDIGER: "Brennan and Prediger's coefficient",
}


@dataclass(frozen=True, slots=True)
class ChanceStudy(Part):
    """Each coefficient with its judges, weights and value; one that is 0/0 has no value, and says why."""

    anchor: ClassVar[str] = "chance"
    title: ClassVar[str] = "Agreement beyond chance"

    labels: tuple[str, ...]
    values: tuple[tuple[Coefficient, Weights, tuple[str, ...], MetricValue], ...]

    def to_document(self) -> dict[str, Any]:
        """Return the coefficients as a JSON document."""
        return {
            "labels": list(self.labels),
            "coefficients": [
                {
                    "coefficient": kind.value,
                    "weights": weights.value,
                    "judges": list(judges),
                    "value": _number(value),
                    "undefined": value.value if isinstance(value, Undefined) else None,
                }
                for kind, weights, judges, value in self.values
            ],
        }

    def blocks(self) -> Iterator[Block]:
        """Yield the coefficients of all judges, and of each pair."""
        yield Sentence(f"Declared labels: {', '.join(self.labels)}.")
        for caption, of_pairs in (("All judges", False), ("Pairs of judges", True)):
            told = [one for one in self.values if (one[0] in _OF_PAIRS) == of_pairs]
            rows: list[tuple[Any, ...]] = [("coefficient", "judges", "weights", "value")]
            rows += [(_NAMES[kind], ", ".join(who), by.value, _cell(value)) for kind, by, who, value in told]
            header, *cells = rows if of_pairs else [(row[0], *row[2:]) for row in rows]
            if cells:
                yield Table(caption, header, tuple(cells), "coefficients")


def study_chance(
    votes: VoteCounts,
    *,
    coefficients: tuple[Coefficient, ...] = tuple(Coefficient),
    weights: tuple[Weights, ...] = (Weights.NOMINAL,),
) -> ChanceStudy:
    """Return the coefficients that are made for these answers and weights, of all judges or of each pair."""
    found = []
    for kind in coefficients:
        groups = combinations(votes.judges, 2) if kind in _OF_PAIRS else iter([votes.judges])
        for judges in groups:
            part = votes.marginal(*judges) if kind in _OF_PAIRS else votes
            for weighting in weights:
                try:
                    value = agreement(part, kind, weights=weighting)
                except (BadChoice, BadNumber, BadVotes):
                    continue  # not made for these answers
                found.append((kind, weighting, judges, value))
    return ChanceStudy(votes.labels, tuple(found))


@dataclass(frozen=True, slots=True)
class View:
    """Ratings seen as below a level and from it on: how often each judge goes so far, and how they agree."""

    at_least: str
    shares: tuple[mpq | None, ...]
    percent: MetricValue
    alpha: MetricValue


@dataclass(frozen=True, slots=True)
class RatingsStudy(Part):
    """Coefficients with weights by the order of the levels, and the view from each level on."""

    anchor: ClassVar[str] = "ratings"
    title: ClassVar[str] = "Ratings"

    judges: tuple[str, ...]
    chance: ChanceStudy
    views: tuple[View, ...]

    def to_document(self) -> dict[str, Any]:
        """Return coefficients and views as a JSON document."""
        return self.chance.to_document() | {
            "views": [
                {
                    "at_least": view.at_least,
                    "shares": dict(zip(self.judges, view.shares, strict=True)),
                    "percent_agreement": _number(view.percent),
                    "krippendorff": _number(view.alpha),
                }
                for view in self.views
            ]
        }

    def blocks(self) -> Iterator[Block]:
        """Yield the coefficients, the views, and what needs labels without an order."""
        yield from self.chance.blocks()
        yield Table(
            "Each level as two labels, below it and from it on: shares from it on, and agreement",
            ("from", *self.judges, "pairs that agree", "Krippendorff's α"),
            tuple(
                (
                    view.at_least,
                    *("no answer" if share is None else share for share in view.shares),
                    _cell(view.percent),
                    _cell(view.alpha),
                )
                for view in self.views
            ),
            "levels",
        )
        yield Sentence(
            "Only agreement uses the order. Grading by a key, by majority or by independent errors, the sets of what "
            "could be true, alarms and bounds on dependence compare labels by name: a near miss is as wrong as any "
            "other. For them, choose the level that matters: --ordinal with --at-least LEVEL."
        )


def study_ratings(
    votes: VoteCounts,
    *,
    coefficients: tuple[Coefficient, ...] = tuple(Coefficient),
    weights: tuple[Weights, ...] = (),
) -> RatingsStudy:
    """Return agreement weighted by the order of the labels, lowest first, and the view from each level on.

    >>> votes = VoteCounts({"12": 1, "33": 1}, labels=["1", "2", "3"])
    >>> [str(view.percent) for view in study_ratings(votes).views]
    ['1/2', '1']
    """
    chance = study_chance(votes, coefficients=coefficients, weights=weights or _BY_ORDER)
    return RatingsStudy(votes.judges, chance, tuple(_view(votes, level) for level in votes.labels[1:]))


def _view(votes: VoteCounts, at_least: str) -> View:
    names, seen_as = two_labels(votes.labels, at_least)
    seen = relabeled(votes, seen_as, names)
    shares = []
    for judge in range(len(votes.judges)):
        below, above = seen.responses(judge).values()
        shares.append(mpq(above, below + above) if below + above else None)
    percent, alpha = agreement(seen, Coefficient.PERCENT_POOLED), agreement(seen, Coefficient.KRIPPENDORFF)
    return View(at_least, tuple(shares), percent, alpha)


def _cell(value: MetricValue) -> mpq | str:
    return f"no value: {value.value}" if isinstance(value, Undefined) else value


def _number(value: MetricValue) -> mpq | None:
    return None if isinstance(value, Undefined) else value
