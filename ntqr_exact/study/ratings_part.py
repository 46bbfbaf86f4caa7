"""Ratings: agreement that counts near misses in part, and what each level says as a view with two labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Sentence, Table
from ntqr_exact.graded.answer_table import AnswerTable
from ntqr_exact.graded.chance_agreement import Coefficient, Weights, agreement
from ntqr_exact.metrics.undefined import MetricValue, Undefined
from ntqr_exact.study.chance_part import ChanceStudy, study_chance
from ntqr_exact.study.study import Part
from ntqr_exact.votes.ordinal import two_labels

_BY_ORDER = (Weights.ORDINAL, Weights.LINEAR, Weights.QUADRATIC)


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
        yield from self.chance.section().blocks
        yield Table(
            "Each level as two labels, below it and from it on: shares from it on, and agreement",
            ("from", *self.judges, "pairs that agree", "Krippendorff's α"),
            tuple(
                (
                    view.at_least,
                    *("no answer" if share is None else share for share in view.shares),
                    *(
                        f"no value: {v.value}" if isinstance(v, Undefined) else v
                        for v in (view.percent, view.alpha)
                    ),
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
    table: AnswerTable,
    *,
    coefficients: tuple[Coefficient, ...] = tuple(Coefficient),
    weights: tuple[Weights, ...] = (),
) -> RatingsStudy:
    """Return agreement weighted by the order of the labels, lowest first, and the view from each level on.

    >>> table = AnswerTable([("1", "2"), ("3", "3")], labels=["1", "2", "3"])
    >>> [str(view.percent) for view in study_ratings(table).views]
    ['1/2', '1']
    """
    chance = study_chance(table, coefficients=coefficients, weights=weights or _BY_ORDER)
    return RatingsStudy(table.judges, chance, tuple(_view(table, level) for level in table.labels[1:]))


def _view(table: AnswerTable, at_least: str) -> View:
    names, seen_as = two_labels(table.labels, at_least)
    seen = table.relabeled(seen_as, names)
    shares = []
    for place in range(len(table.judges)):
        given = [(answers[place], count) for answers, count in seen.rows if answers[place] is not None]
        total = sum(count for _, count in given)
        above = sum(count for answer, count in given if answer == names[1])
        shares.append(mpq(above, total) if total else None)
    percent, alpha = (
        agreement(seen, kind) for kind in (Coefficient.PERCENT_POOLED, Coefficient.KRIPPENDORFF)
    )
    return View(at_least, tuple(shares), percent, alpha)


def _number(value: MetricValue) -> mpq | None:
    return None if isinstance(value, Undefined) else value
