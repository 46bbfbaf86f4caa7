"""`study_scores`: a classifier's scores against the answer key: confusion, areas, thresholds, as one value."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.blocks.block import Abridged, Block, Cell, Facts, Picture, Sentence, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.columns.inputs import BINARY, Classes
from ntqr_exact.errors import BadSamples, Undecided
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.json_text import as_document, exact_json
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.show import counted
from ntqr_exact.exact.surd import Surd
from ntqr_exact.metrics import areas as under
from ntqr_exact.metrics import threshold_queries as thresholds
from ntqr_exact.metrics.areas import DIGITS, Anchor, Area
from ntqr_exact.metrics.bootstrap import AREAS, BootstrapInterval, bootstrap_area
from ntqr_exact.metrics.formulas import REPORTED
from ntqr_exact.metrics.ranking import Ranking, Score, curve_of, rank
from ntqr_exact.metrics.score_file import ScoredSamples
from ntqr_exact.metrics.weights import Strata

_ANCHORS = {"none": Anchor.NONE, "first": Anchor.FIRST_PRECISION, "one": Anchor.ONE}
"""Where the curve of precision begins at recall 0, by short names."""

_MOST_FOR_FRACTIONS = 1000
"""Thresholds up to which an area under precision is one fraction."""


@dataclass(frozen=True, slots=True)
class ScoreStudy(Value):
    """Ranked scores, what a threshold makes of them, areas under the curves, and answers to queries.

    `ranking` is at the population's rate of positives, if that is known.
    """

    ranking: Ranking
    population_rate: mpq | None
    classes: Classes
    samples: int | None
    strata: Strata | None
    view: thresholds.LoanThreshold
    areas: tuple[tuple[str, Area], ...]
    answers: tuple[thresholds.ThresholdAnswer | thresholds.NoThreshold, ...]
    intervals: tuple[tuple[str, BootstrapInterval], ...] = ()

    def to_document(self) -> dict[str, Any]:
        """Return everything, as exact JSON holds it."""
        view, ranking, strata = self.view, self.ranking, self.strata
        return {
            "threshold": view.threshold,
            "rule": view.rule.value,
            "classes": list(self.classes),
            "samples": self.samples,
            "scores": len(ranking),
            "weights": self._weights(),
            "strata": None if strata is None else {**as_document(strata), "weights": dict(strata.weights)},
            "population_rate": self.population_rate,
            "rates": view.confusion.rates,
            "cells": {name: getattr(view.confusion, name) for name in ("tp", "fp", "fn", "tn")},
            "at_threshold": {name: exact_json(view.confusion[name]) for name in REPORTED},
            **{name: _area_document(area) for name, area in self.areas},
            "digits": DIGITS,
            "intervals": {area: as_document(interval) for area, interval in self.intervals},
            "queries": [_answer_document(answer) for answer in self.answers],
            "distribution": as_document(view.bins),
        }

    def blocks(self) -> Iterator[Block]:
        """Yield the main numbers, the confusion at the threshold, areas, queries and thresholds."""
        (negative, positive), view = self.classes, self.view
        matrix = view.confusion
        samples = "" if self.samples is None else f"{counted(self.samples, 'sample')} at "
        scores = counted(len(self.ranking), "different score")
        yield Sentence(f"{samples}{scores}; positive is {positive!r}, negative {negative!r}.")
        strata = self.strata.weights if self.strata else {}
        weights = self._weights() | {f"stratum {name!r}": weight for name, weight in strata.items()}
        facts: dict[str, Cell] = {f"weight of {name}": weight for name, weight in weights.items()}
        facts |= {name: matrix[name] for name in ("precision", "recall", "f1", "accuracy")}
        facts |= {name: _area(area) for name, area in self.areas}
        yield Facts("The main numbers", tuple(facts.items()))
        cells = (("predicted positive", matrix.tp, matrix.fp), ("predicted negative", matrix.fn, matrix.tn))
        caption = f"Predicted positive if score {view.rule.value} {view.threshold}"
        yield Table(caption, ("", f"actual {positive}", f"actual {negative}"), cells)
        metrics = tuple((name, matrix[name]) for name in REPORTED)
        yield Table("Metrics; ! is the metric of the negative label", ("metric", "value"), metrics, "metrics")
        if self.intervals:
            ends = tuple((area, one.lower, one.upper) for area, one in self.intervals)
            caption = f"Areas of resampled samples, at level {self.intervals[0][1].level}"
            yield Table(caption, ("area", "from", "to"), ends)
        if self.answers:
            header = ("question", "threshold", "best value", "condition is")
            rows = tuple(map(_answer_row, self.answers))
            yield Table("Thresholds that answer questions", header, rows, "questions")
        yield from self._pictures()
        yield Sentence(
            "Thresholds are the different scores; ties move together. pr_auc is the area by trapezoids, which depends "
            "on the point at recall 0: none, the first precision, or one."
        )

    def _weights(self) -> dict[str, mpq]:
        ranking = self.ranking
        return {"positives": ranking.positives * ranking.unit, "negatives": ranking.negatives * ranking.unit}

    def _pictures(self) -> Iterator[Block]:
        ranking, view = self.ranking, self.view
        caption = "Scores of both labels on both sides of the threshold"
        yield Picture("distribution", caption, "plot_loan_threshold", (view,), height=44)
        options = {"threshold": view.threshold}
        if ranking.positives and ranking.negatives:
            curve = curve_of("roc", ranking)
            caption = "Receiver operating characteristic: recall over the false positive rate"
            yield Picture("roc", caption, "plot_roc", (curve,), options, height=46)
        if ranking.positives:
            curve = curve_of("pr", ranking)
            caption = "Precision over recall"
            yield Picture("precision", caption, "plot_precision_recall", (curve,), options, height=56)


def study_scores(
    scores: Ranking | ScoredSamples,
    *,
    threshold: RationalLike | Surd = "1/2",
    queries: Sequence[thresholds.Query | str] = (),
    populations: Mapping[str, RationalLike] | None = None,
    population_rate: RationalLike | None = None,
    resamples: int | None = None,
    seed: int = 1,
    level: RationalLike = "0.95",
) -> ScoreStudy:
    """Return everything about scores: ranked already, or as `read_scores` reads them from a file.

    `populations` are the sizes of the strata of samples, `population_rate` the share of positives in the population.
    With `resamples`, intervals of the areas are bootstrapped from samples of a file, each sample with its weight.

    >>> found = study_scores(rank([1, 0, 1, 0], ["0.9", "0.6", "0.4", "0.1"]))
    >>> found.view.confusion, dict(found.areas)["roc_auc"]
    (ConfusionMatrix(tp=1, fp=1, fn=1, tn=1), mpq(3,4))

    Raises `BadQuery` for an invalid query, `BadSamples` for resamples of a ranking.
    """
    strata, classes, samples = None, BINARY, None
    intervals: list[tuple[str, BootstrapInterval]] = []
    if isinstance(scores, Ranking):
        ranking = scores
        if resamples is not None:
            raise BadSamples(resamples, "resamples must be None with a ranking", "give the samples")
    else:
        strata = None if populations is None else Strata.of(scores.strata, populations)
        weights = strata.sample_weights(scores.strata) if strata is not None else (scores.weights or None)
        classes, samples = scores.classes, len(scores.labels)
        ranking = rank(scores.labels, scores.scores, weights, pos_label=classes[1])
        if resamples is not None:
            options: dict[str, Any] = {"resamples": resamples, "seed": seed, "pos_label": classes[1]}
            options["strata"] = scores.strata or None  # what was drawn stratum by stratum is drawn so again
            again = functools.partial(bootstrap_area, scores.labels, scores.scores, weights, **options)
            intervals = [(area, again(area=area).interval(level)) for area in AREAS]
    rate = None if population_rate is None else rational(population_rate)
    ranking = ranking if rate is None else ranking.at_population_rate(rate)
    digits = None if len(ranking) <= _MOST_FOR_FRACTIONS else DIGITS
    areas: dict[str, Area] = {
        "roc_auc": under.ranking_roc_auc(ranking),
        "average_precision": under.ranking_average_precision(ranking, digits=digits),
    }
    for name, anchor in _ANCHORS.items():
        areas[f"pr_auc_{name}"] = under.ranking_pr_auc(ranking, anchor=anchor, digits=digits)
    return ScoreStudy(
        ranking,
        rate,
        classes,
        samples,
        strata,
        thresholds.loan_threshold(ranking, threshold, edges=_edges(ranking)),
        tuple(areas.items()),
        tuple(thresholds.ask(ranking, query) for query in queries),
        tuple(intervals),
    )


def _edges(ranking: Ranking) -> list[Score] | None:
    """Return the ends of bins: tenths where the scores are shares, else ten between the ends."""
    low, high = ranking.threshold(len(ranking) - 1), ranking.threshold(0)
    if low >= 0 and high <= 1:
        return None
    width = high - low if high > low else mpq(1)
    return [low + width * mpq(tenth, 10) for tenth in range(11)]


def _proven(area: Enclosure) -> str:
    try:
        return area.decimal(DIGITS)
    except Undecided:  # it lies halfway between two decimals, and so is a decimal with one digit more
        return area.decimal(DIGITS + 1)


def _area(area: Area) -> Cell:
    if not isinstance(area, Enclosure):
        return area
    proven = f"proven to {DIGITS} digits: from {area.lower} to {area.upper}, exactly"
    return Abridged(f"≈ {_proven(area)}", proven)


def _area_document(area: Area) -> object:
    if not isinstance(area, Enclosure):
        return area
    return {"lower": area.lower, "upper": area.upper, "decimal": _proven(area)}


def _answer_row(answer: thresholds.ThresholdAnswer | thresholds.NoThreshold) -> tuple[Cell, ...]:
    if isinstance(answer, thresholds.NoThreshold):
        return str(answer.query), "none", Sentence(answer.reason), None
    condition = answer.confusion.measure(answer.query.condition)
    return str(answer.query), answer.threshold, answer.value, condition


def _answer_document(answer: thresholds.ThresholdAnswer | thresholds.NoThreshold) -> dict[str, Any]:
    if isinstance(answer, thresholds.NoThreshold):
        return {"query": str(answer.query), "threshold": None, "reason": answer.reason}
    names = ("query", "threshold", "value", "condition")
    return dict(zip(names, _answer_row(answer), strict=True))
