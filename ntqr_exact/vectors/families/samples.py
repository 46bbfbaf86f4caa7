"""Samples with labels and scores: curves, areas, metrics at thresholds and questions about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics.areas import Anchor, Form, ranking_average_precision, ranking_pr_auc, ranking_roc_auc
from ntqr_exact.metrics.curves import Curve, det_curve, precision_recall_curve, roc_curve
from ntqr_exact.metrics.formulas import metric
from ntqr_exact.metrics.ranking import Ranking, Rule, rank
from ntqr_exact.metrics.threshold_queries import Goal, Query, Relation, ThresholdAnswer, ask
from ntqr_exact.metrics.undefined import Undefined
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family, Predicate
from ntqr_exact.vectors.forms.cells import NAMES, cells_of, is_word, told
from ntqr_exact.vectors.specification import Case, Document, declared


def _has_ties(document: Document, _: Any) -> bool:
    """Tell whether a positive and a negative sample have the same score."""
    by_label: tuple[set[mpq], set[mpq]] = (set(), set())
    for label, score in zip(document["labels"], document["scores"], strict=True):
        by_label[label].add(rational(score))
    return not by_label[0].isdisjoint(by_label[1])


_SAMPLE_FLAGS: dict[str, Predicate] = {
    "ties": _has_ties,
    "one-label": lambda given, _: len(set(given["labels"])) == 1,
    "close": lambda given, _: any(len(str(score)) > 12 for score in given["scores"]),
}


def _all_areas(ranking: Ranking) -> dict[str, Any]:
    """Return every area as one fraction, or its word."""
    return {
        "roc_auc": told(ranking_roc_auc(ranking)),
        **{
            f"pr_auc_{anchor.name.lower()}": told(ranking_pr_auc(ranking, anchor=anchor, form=Form.FRACTION))
            for anchor in Anchor
        },
        "average_precision": told(ranking_average_precision(ranking, form=Form.FRACTION)),
    }


def _drawn_samples(draws: Draws, index: int, *, largest: int = 20) -> tuple[list[int], list[int | str]]:
    """Return samples growing with the index, with many ties, few or none."""
    size = 2 + index * largest // 150 + draws.below(3)
    distinct = (3, size, 4 * size)[index % 3]
    labels = [draws.below(2) for _ in range(size)]
    labels[:2] = [index % 2, 1 - index % 2]
    write: Callable[[int], int | str] = (
        int,
        lambda place: f"{place}/{distinct}",
        lambda place: f"0.{place:03}",
    )[draws.below(3)]
    return labels, [write(draws.below(distinct + 1)) for _ in range(size)]


def _samples_case(draws: Draws, index: int) -> Case:
    """Return samples with both labels, their number growing with the index."""
    labels, scores = _drawn_samples(draws, index)
    return Case({"labels": labels, "scores": scores}, f"{len(labels)} samples")


def _is_plain(document: Document, _: Any = None) -> bool:
    """Tell whether doubles can tell the scores apart, and both labels occur."""
    labels, scores = document["labels"], document["scores"]
    if len(labels) != len(scores) or sorted(set(labels)) != [0, 1]:
        return False
    return all(map(_is_short, scores))


def _is_short(number: int | str) -> bool:
    """Tell whether a number is written with so few digits that different ones are different doubles."""
    text = str(number)
    return len(text) <= 6 and set(text) <= set("-0123456789./") and "/0" not in text


def _curve_family(name: str, curve: Callable[[Any, Any], Curve], *witnesses: str) -> Family:
    """Return the family of a curve."""

    def compute(document: Document) -> dict[str, Any]:
        found = curve(document["labels"], document["scores"])
        return {
            "thresholds": [row.threshold for row in found.ranking],
            "points": [[told(across), told(up)] for across, up in found.points()],
        }

    def steps(document: Document) -> Iterator[str]:
        points = compute(document)["points"]
        ranking = curve(document["labels"], document["scores"]).ranking
        rows = list(ranking)
        yield f"P = {ranking.positives} positives, N = {ranking.negatives} negatives"
        if len(points) > len(rows):
            yield f"above all scores: fp = 0, tp = 0, the point ({points[0][0]}, {points[0][1]})"
        for row, (across, up) in zip(rows, points[len(points) - len(rows) :], strict=True):
            cells = f"fp = {row.confusion.fp}, tp = {row.confusion.tp}"
            yield f"at {row.threshold}: {cells}, the point ({across}, {up})"

    return Family(
        *declared(name, compute, steps, _samples_case),
        flags=_SAMPLE_FLAGS,
        witnesses=dict.fromkeys(witnesses, _is_plain),
    )


def _areas(document: Document) -> dict[str, Any]:
    return _all_areas(rank(document["labels"], document["scores"]))


def _areas_steps(document: Document) -> Iterator[str]:
    found = _areas(document)
    curve = precision_recall_curve(document["labels"], document["scores"])
    positives, negatives = curve.ranking.positives, curve.ranking.negatives
    yield f"P = {positives} positives and N = {negatives} negatives make {positives * negatives} pairs"
    yield f"roc_auc = (pairs with the positive above + half the ties) / pairs = {found['roc_auc']}"
    points = "; ".join(f"({told(across)}, {told(up)})" for across, up in curve.points())
    yield f"recall and precision from the highest score down: {points}"
    for anchor in Anchor:
        yield f"trapezoids from {anchor.value}: {found[f'pr_auc_{anchor.name.lower()}']}"
    yield f"average precision, Σ (rᵢ − rᵢ₋₁)·pᵢ with r₀ = 0: {found['average_precision']}"


_METRICS = ("error_rate", "precision", "recall", "f1", "!precision", "!recall")


def _weighted(document: Document) -> dict[str, Any]:
    ranking = _ranking(document)
    matrix = ranking.at(document["threshold"])
    return {
        "thresholds": [row.threshold for row in ranking],
        "matrix": cells_of(matrix),
        **{name: told(matrix[name]) for name in _METRICS},
        **_all_areas(ranking),
    }


def _weighted_steps(document: Document) -> Iterator[str]:
    found = _weighted(document)
    ranking = _ranking(document)
    unit = ranking.unit
    yield f"positives weigh {ranking.positives * unit}, negatives {ranking.negatives * unit}"
    cells = ", ".join(f"{name} = {value}" for name, value in found["matrix"].items())
    yield f"at or above {document['threshold']} is positive: {cells}"
    yield from (f"{metric(name)} → {found[name]}" for name in _METRICS)
    for row in ranking:
        yield f"at or above {row.threshold}: tp = {row.confusion.tp}, fp = {row.confusion.fp}"
    yield from (f"{name} = {value}" for name, value in _all_areas(ranking).items())


def _weighted_case(draws: Draws, index: int) -> Case:
    """Return samples growing with the index, with whole weights, some of them zero, or fractions."""
    labels, scores = _drawn_samples(draws, index, largest=10)
    weights: list[int | str]
    if index // 3 % 3 == 2:
        weights = [str(draws.between(1, 3) * draws.share(5)) for _ in labels]
        weights[0] = "1/2"
    else:
        lightest = index // 3 % 3
        weights = [draws.between(lightest, 3) for _ in labels]
        weights[draws.below(len(weights))] = 1
    document = {"labels": labels, "scores": scores, "weights": weights, "threshold": draws.pick(scores)}
    return Case(document, f"{len(labels)} samples")


def _ranking(document: Document) -> Ranking:
    return rank(document["labels"], document["scores"], document["weights"])


def _is_undefined(_: Document, found: Any) -> bool:
    return any(map(is_word, found.values()))


def _is_plainly_weighted(document: Document, found: Any) -> bool:
    """Tell whether the weights are small whole numbers, none of them zero, and all is a number."""
    weights = document["weights"]
    if not all(isinstance(weight, int) and weight > 0 for weight in weights) or sum(weights) > 26:
        return False
    if len(weights) != len(document["labels"]) or not _is_plain(document):
        return False
    return _is_short(document["threshold"]) and not _is_undefined(document, found)


def _query(document: Document) -> dict[str, Any]:
    ranking = rank(document["labels"], document["scores"])
    answer = ask(ranking, document["query"], rule=Rule(document["rule"]))
    if not isinstance(answer, ThresholdAnswer):
        return {"answered": False}
    return {
        "answered": True,
        "threshold": answer.threshold,
        "value": answer.value,
        "matrix": cells_of(answer.confusion),
    }


def _query_steps(document: Document) -> Iterator[str]:
    found = _query(document)
    query = Query.parse(document["query"])
    yield f"the question: {query}; positive is a score {document['rule']} the threshold"
    for row in rank(document["labels"], document["scores"]).rows(rule=Rule(document["rule"])):
        target, condition = row.confusion.measure(query.target), row.confusion.measure(query.condition)
        holds = not isinstance(condition, Undefined) and query.comparison.holds(condition, query.bound)
        counts = not isinstance(target, Undefined) and holds
        words = f"{query.condition.name} = {told(condition)}, {query.target.name} = {told(target)}"
        yield f"at {row.threshold}: {words}{'' if counts else ': does not count'}"
    if found["answered"]:
        yield f"the {query.goal.value} is {found['value']}, at {found['threshold']}"
    else:
        yield "no threshold counts"


def _query_case(draws: Draws, index: int) -> Case:
    """Return samples growing with the index and a question whose bound is often met exactly."""
    labels, scores = _drawn_samples(draws, index)
    rule = draws.pick((Rule.AT_LEAST, Rule.AT_LEAST, Rule.ABOVE))
    goal, target, condition = draws.pick(tuple(Goal)), draws.pick(NAMES), draws.pick(NAMES)
    row = draws.pick(list(rank(labels, scores).rows(rule=rule)))
    met = row.confusion[condition]
    bound = draws.share(10) if isinstance(met, Undefined) or index % 3 == 0 else met
    comparison = draws.pick((*Relation, Relation.AT_LEAST, Relation.AT_MOST))
    query = f"{goal.value} {target} @ {condition} {comparison.value} {bound}"
    document = {"rule": rule.value, "labels": labels, "scores": scores, "query": query}
    return Case(document, f"{len(labels)} samples")


def _is_tied(document: Document, found: Any) -> bool:
    """Tell whether several thresholds that count have the value."""
    if not found["answered"]:
        return False
    query, rule = Query.parse(document["query"]), Rule(document["rule"])
    matches = 0
    for row in rank(document["labels"], document["scores"]).rows(rule=rule):
        target, condition = row.confusion.measure(query.target), row.confusion.measure(query.condition)
        matches += (
            target == rational(found["value"])
            and not isinstance(condition, Undefined)
            and query.comparison.holds(condition, query.bound)
        )
    return matches > 1


FAMILIES = (
    _curve_family("roc-curve", roc_curve, "scikit-learn"),
    _curve_family("precision-recall-curve", precision_recall_curve, "scikit-learn"),
    _curve_family("det-curve", det_curve),
    Family(
        *declared("areas", _areas, _areas_steps, _samples_case),
        flags=_SAMPLE_FLAGS,
        witnesses={"scikit-learn": lambda document, _: _is_plain(document) and len(document["labels"]) <= 20},
    ),
    Family(
        *declared("weighted-metrics", _weighted, _weighted_steps, _weighted_case),
        flags={
            "zero-weight": lambda given, _: any(str(weight) == "0" for weight in given["weights"]),
            "undefined": _is_undefined,
        },
        witnesses={"scikit-learn": _is_plainly_weighted},
    ),
    Family(
        *declared("threshold-query", _query, _query_steps, _query_case),
        flags={
            "above": lambda given, _: given["rule"] == Rule.ABOVE.value,
            "no-threshold": lambda _, found: not found["answered"],
            "tie": _is_tied,
        },
    ),
)
