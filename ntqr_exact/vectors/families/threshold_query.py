"""The family `threshold-query`: the best value of one metric where another keeps to a bound, with its tie rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.ranking import Rule, rank
from ntqr_exact.metrics.threshold_queries import Goal, Query, Relation, ThresholdAnswer, ask
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.cells import MATRIX, NAMES, cells_of, told
from ntqr_exact.vectors.forms.samples import PARTS, drawn_samples
from ntqr_exact.vectors.fragments import RATIONAL, TEXT, TRUTH, described, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return the threshold, the value and the matrix there, or that there is none."""
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


def steps(document: Document) -> Iterator[str]:
    """Tell both metrics at each threshold, and which threshold is taken."""
    found = compute(document)
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


def random_case(draws: Draws, index: int) -> Case:
    """Return samples growing with the index and a question whose bound is often met exactly."""
    labels, scores = drawn_samples(draws, index)
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


FAMILY = Family(
    *declared("threshold-query"),
    input=record(
        {
            "rule": described(
                one_of(*(rule.value for rule in Rule)), "how a positive score compares with the threshold"
            ),
            **PARTS,
            "query": TEXT,
        }
    ),
    expected=record(
        answered=TRUTH,
        threshold=RATIONAL,
        value=RATIONAL,
        matrix=MATRIX,
        optional=("threshold", "value", "matrix"),
    ),
    flags={
        "above": lambda given, _: given["rule"] == Rule.ABOVE.value,
        "no-threshold": lambda _, found: not found["answered"],
        "tie": _is_tied,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("rule",),
)
