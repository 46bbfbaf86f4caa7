"""The family `threshold-query`: the best value of one metric where another keeps to a bound, with its tie rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.metrics.ranking import Rule, rank
from ntqr_exact.metrics.thresholds import Answer, Comparison, Goal, Query, ask
from ntqr_exact.metrics.undefined import Undefined
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import DEFINITIONS, MATRIX, NAMES, cells_of, told
from ntqr_exact.vectors.families.roc_curve import (
    REFUSED_SAMPLES,
    SAMPLE_ERRORS,
    SAMPLE_PARTS,
    SAMPLE_WORDS,
    drawn_samples,
)
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, TEXT, TRUTH, described, one_of, record

_LABELS = [1, 1, 0, 1, 0, 1, 0, 0]
_SCORES: list[int | str] = ["0.9", "0.8", "0.8", "0.7", "0.5", "0.4", "0.2", "0.2"]
_QUESTION = "maximum recall @ precision >= 0.9"


def compute(document: Document) -> dict[str, Any]:
    """Return the threshold, the value and the matrix there, or that there is none."""
    ranking = rank(document["labels"], document["scores"])
    answer = ask(ranking, document["query"], rule=Rule(document["rule"]))
    if not isinstance(answer, Answer):
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


_REFUSED = {
    "": "no question",
    "recall @ precision >= 0.9": "no goal",
    "maximum recall": "no condition",
    "maximum recall @ precision 0.9": "no comparison",
    "maximum recall @ precision >= ": "no bound",
    "maximum recall @ precision => 0.9": "a comparison that is none",
    "maximum recall @ precision >= 1.1": "a bound above 1",
    "maximum recall @ precision >= -0.1": "a negative bound",
    "maximum recall @ precision >= 9/0": "a zero denominator",
    "maximum recall @ precision >= high": "a bound that is no number",
    "maximum beauty @ precision >= 0.9": "an unknown metric",
    "maximum recall @ !!precision >= 0.9": "a double negation",
    "largest recall @ precision >= 0.9": "an unknown goal",
    "maximumrecall @ precision >= 0.9": "no blank after the goal",
}


def random_case(draws: Draws, index: int) -> Case:
    """Return samples growing with the index and a question whose bound is often met exactly."""
    samples = drawn_samples(draws, index)
    rule = draws.pick((Rule.AT_LEAST, Rule.AT_LEAST, Rule.ABOVE))
    goal, target, condition = draws.pick(tuple(Goal)), draws.pick(NAMES), draws.pick(NAMES)
    row = draws.pick(list(rank(*samples).rows(rule=rule)))
    met = row.confusion[condition]
    bound = draws.share(10) if isinstance(met, Undefined) or index % 3 == 0 else met
    comparison = draws.pick((*Comparison, Comparison.AT_LEAST, Comparison.AT_MOST))
    query = f"{goal.value} {target} @ {condition} {comparison.value} {bound}"
    return _case(query, f"{len(samples[0])} samples", rule=rule, samples=samples)


def _case(
    query: str,
    comment: str,
    *flags: str,
    rule: Rule = Rule.AT_LEAST,
    samples: tuple[list[int], list[Any]] = (_LABELS, _SCORES),
) -> Case:
    labels, scores = samples
    document = {"rule": rule.value, "labels": labels, "scores": scores, "query": query}
    if "refused" in flags:
        return Case(document, comment, flags)
    found = compute(document)
    outcome = [
        *(["above"] if rule is Rule.ABOVE else []),
        *(["no-threshold"] if not found["answered"] else []),
        *(["tie"] if found["answered"] and _is_tied(document, found) else []),
    ]
    return Case(document, comment, (*flags, *outcome))


def _is_tied(document: Document, found: dict[str, Any]) -> bool:
    """Tell whether the opposite goal with the value as its bound finds another threshold, from the other end."""
    query, rule = Query.parse(document["query"]), Rule(document["rule"])
    matches = 0
    for row in rank(document["labels"], document["scores"]).rows(rule=rule):
        target, condition = row.confusion.measure(query.target), row.confusion.measure(query.condition)
        matches += (
            target == found["value"]
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
            **SAMPLE_PARTS,
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
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=("rule",),
)
