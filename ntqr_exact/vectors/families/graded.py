"""A few graded questions, and agreement beyond chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.exact.rational import whole_number
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.sampling.answer_table import AnswerTable
from ntqr_exact.sampling.chance_agreement import Coefficient, Weights, agreement
from ntqr_exact.sampling.coverage import IntervalMethod, coverage_of, intervals_of
from ntqr_exact.sampling.designs import Design
from ntqr_exact.sampling.level import check_level
from ntqr_exact.sampling.partial_key import PartialKey
from ntqr_exact.sampling.value_range import Value, ValueRange
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.votes import patterns_of, votes_from, votes_input
from ntqr_exact.vectors.specification import Case, Document, declared
from ntqr_exact.votes.counts import VoteCounts


def _key(document: Document) -> PartialKey:
    votes = votes_from(document)
    graded = {
        label: dict(zip(patterns_of(document), counts, strict=True))
        for label, counts in zip(document["labels"], document["graded"], strict=True)
    }
    return PartialKey(votes, graded, drawn="not_at_random")


def _ranges(document: Document) -> dict[str, Any]:
    key = _key(document)
    keys, pair = key.key_ranges(), key.pair_ranges(0, 1)
    judges = [key.ranges(place) for place in range(document["judges"])]
    return {
        "key_counts": [list(ends) for _, ends in keys.key_counts],
        "keys": str(keys.keys),
        "splits": str(keys.splits),
        "right": [list(one.right) for one in judges],
        "right_on": [[list(ends) for _, ends in one.right_on] for one in judges],
        "accuracy_on": [[_written(ends) for _, ends in one.accuracy_on] for one in judges],
        "kappa": [_written(one.kappa) for one in judges],
        "difference": list(pair.difference),
        "covariance": _written(pair.covariance),
    }


def _written(ends: ValueRange) -> dict[str, Any]:
    return {"lower": _end(ends.lower), "upper": _end(ends.upper), "may_lack": ends.undefined is not None}


def _end(value: Value) -> str | None:
    return None if isinstance(value, Undefined) else str(value)


def _ranges_steps(document: Document) -> Iterator[str]:
    key = _key(document)
    left = ", ".join(f"{''.join(pattern)} {count}" for pattern, count in key.ungraded().counts.items())
    yield f"not graded: {left or 'nothing'}"
    for name, value in _ranges(document).items():
        yield f"{name}: {value}"


def _ranges_case(draws: Draws, index: int) -> Case:
    """Return a small test of two judges, and three at times, of which some questions are graded."""
    labels, judges = (("ab", 2), ("abc", 2), ("ab", 3), ("ab", 2))[index % 4]
    size = 2 + draws.below(4 + index // 50)
    counts = draws.counts(size, len(labels) ** judges)
    graded = [[0] * len(counts) for _ in labels]
    for place, count in enumerate(counts):
        for _ in range(draws.below(count + 1)):
            graded[draws.below(len(labels))][place] += 1
    given = {**votes_input(counts, labels=labels, judges=judges), "graded": graded}
    return Case(given, f"some of {size} questions graded")


def _intervals(document: Document) -> dict[str, Any]:
    right, graded = (whole_number(document[name]) for name in ("right", "graded"))
    key = PartialKey(
        VoteCounts({"a": document["size"]}),
        {"a": {"a": right}, "b": {"a": graded - right}},
        drawn="at_random",
    )
    level = document["level"]
    return {
        "central": list(key.right_answers(0, level)),
        "blaker": list(key.right_answers(0, level, "blaker")),
        "anytime": list(key.while_grading(0, level)),
    }


def _intervals_steps(document: Document) -> Iterator[str]:
    found = _intervals(document)
    design = Design(document["size"], document["graded"])
    right = int(document["right"])
    yield f"C(Q, m) = {design.samples}"
    for truth in found["central"]:
        below, above = design.at_most(truth, right), design.at_least(truth, right)
        yield f"M = {truth}: {below} samples with at most {right} right answers, {above} with at least as many"
    for name, ends in found.items():
        yield f"{name}: {ends[0]} to {ends[1]}"


def _intervals_case(draws: Draws, index: int) -> Case:
    """Return a sample of a test that grows with the index, at one of several levels."""
    size = 1 + index // 3 + draws.below(4)
    graded = draws.below(size + 1)
    level = draws.pick(("0.95", "0.9", "99/100", "1/2", "2/3", "1/10"))
    given = {"size": size, "graded": graded, "right": draws.below(graded + 1), "level": level}
    return Case(given, f"{graded} of {size} questions graded")


_METHODS = tuple(method.value for method in IntervalMethod)


def _coverage(document: Document) -> dict[str, Any]:
    found = coverage_of(
        document["method"], size=document["size"], graded=document["graded"], level=document["level"]
    )
    return {"coverages": list(found), "least": min(found)}


def _coverage_steps(document: Document) -> Iterator[str]:
    found = _coverage(document)
    design = Design(document["size"], document["graded"])
    method = IntervalMethod(document["method"])
    for right, ends in enumerate(intervals_of(method, design, check_level(document["level"]))):
        yield f"r = {right}: {'nothing' if ends is None else f'{ends[0]} to {ends[1]}'}"
    for truth, share in enumerate(found["coverages"]):
        yield f"M = {truth}: {share}"


def _coverage_case(draws: Draws, index: int) -> Case:
    """Return a design that grows with the index, the methods in turn."""
    size = 2 + index // 10 + draws.below(4)
    method = _METHODS[index % len(_METHODS)]
    level = draws.pick(("0.95", "0.9", "0.99", "2/3"))
    given = {"method": method, "size": size, "graded": draws.between(1, size), "level": level}
    return Case(given, f"{method} on {size} questions")


_REASONS = {Undefined.NO_PAIRS: "no-pairs", Undefined.ONE_LABEL: "one-label"}
_KINDS = tuple(kind.value for kind in Coefficient)


def _agreement(document: Document) -> dict[str, Any]:
    table = AnswerTable(document["answers"], document["labels"])
    found = agreement(table, document["coefficient"], weights=document["weights"])
    if isinstance(found, Undefined):
        return {"value": None, "undefined": _REASONS[found]}
    return {"value": str(found), "undefined": None}


def _agreement_steps(document: Document) -> Iterator[str]:
    table = AnswerTable(document["answers"], document["labels"])
    for answers, count in table.rows:
        given = " ".join("–" if answer is None else answer for answer in answers)
        tally = ", ".join(f"{label} {answers.count(label)}" for label in table.labels)
        yield f"{given} ({count} times): {tally}"
    found = _agreement(document)
    yield f"{document['coefficient']}: {found['value'] or found['undefined']}"


def _agreement_case(draws: Draws, index: int) -> Case:
    """Return a table of answers that grows with the index; the coefficients in turn."""
    kind = _KINDS[index % len(_KINDS)]
    judges = 2 if kind in ("cohen", "scott") else draws.between(2, 4)
    labels = ["1", "2", "4"][: draws.between(2, 3)]
    weights = (
        ("nominal", "ordinal", "interval", "ratio")
        if kind == "krippendorff"
        else ("nominal", "linear", "quadratic")
    )
    cells = labels if kind == "fleiss" else [*labels, *labels, None]
    answers = [[draws.pick(cells) for _ in range(judges)] for _ in range(draws.between(2, 4 + index // 15))]
    given = {"labels": labels, "answers": answers, "coefficient": kind, "weights": draws.pick(weights)}
    return Case(given, f"{kind} of {judges} judges")


FAMILIES = (
    Family(
        *declared("partial-key-ranges", _ranges, _ranges_steps, _ranges_case),
        flags={
            "no-key": lambda given, _: not any(map(any, given["graded"])),
            "whole-key": lambda _, found: found["keys"] == "1",
            "many-labels": lambda given, _: len(given["labels"]) > 2,
            "may-lack": lambda _, found: any(one["may_lack"] for one in found["kappa"]),
        },
    ),
    Family(
        *declared("sample-intervals", _intervals, _intervals_steps, _intervals_case),
        flags={
            "nothing-graded": lambda given, _: int(given["graded"]) == 0,
            "all-graded": lambda given, _: int(given["graded"]) == int(given["size"]),
            "blaker-shorter": lambda _, found: found["blaker"] != found["central"],
        },
    ),
    Family(
        *declared("interval-coverage", _coverage, _coverage_steps, _coverage_case),
        flags={
            "exact-method": lambda given, _: given["method"] in ("central", "blaker", "anytime"),
            "textbook": lambda given, _: given["method"] not in ("central", "blaker", "anytime"),
        },
    ),
    Family(
        *declared("chance-agreement-coefficients", _agreement, _agreement_steps, _agreement_case),
        flags={
            "undefined": lambda _, found: found["value"] is None,
            "missing": lambda given, _: any(None in row for row in given["answers"]),
            "weighted": lambda given, _: given["weights"] != Weights.NOMINAL.value,
        },
    ),
)
