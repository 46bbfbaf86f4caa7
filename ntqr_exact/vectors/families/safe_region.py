"""The family `safe-region`: all key counts at which every judge could be safe; bounds, number and corners."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ntqr_exact.alarms.misalignment import find_misalignment
from ntqr_exact.alarms.safe_region import SafeRegion
from ntqr_exact.errors import BadKeyCounts
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.safety import PARTS as SPECIFICATION
from ntqr_exact.vectors.forms.safety import specification_from
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, votes_from, votes_input
from ntqr_exact.vectors.fragments import COUNT, TRUTH, described, list_of, record
from ntqr_exact.vectors.specification import Case, Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return the bounds, the number of key counts in the region, its corners, and whether a key is inside."""
    region = _region(document)
    labels, key = document["labels"], document["key_counts"]
    if len(key) != len(labels):
        raise BadKeyCounts(key, f"there are {len(labels)} labels, and a count for each")
    return {
        "most_questions": list(region.most_questions.values()),
        "inside": region.contains(dict(zip(labels, key, strict=True))),
        "count": region.count(),
        "vertices": [list(corner.values()) for corner in region.vertices()],
    }


def _region(document: Document) -> SafeRegion:
    votes, specification = votes_from(document), specification_from(document)
    return find_misalignment(votes, specification, group_size=document["group_size"]).safe_region


def steps(document: Document) -> Iterator[str]:
    """Tell the bounds, the points of the region if they are few, and its corners."""
    region, found = _region(document), compute(document)
    votes = region.votes
    for label, bound in region.most_questions.items():
        given = [votes.responses(judge)[label] for judge in range(len(votes.judges))]
        factor = region.specification.factor_of(label)
        yield f"{label} was given {given} times: at most ⌈{factor}·{min(given)}⌉ − 1 = {bound} questions of {label}"
    if found["count"] <= 12:
        yield f"the region: {', '.join(str(tuple(point.values())) for point in region) or 'empty'}"
    yield f"{found['count']} key counts of {votes.size} questions"
    yield f"corners: {', '.join(str(tuple(corner)) for corner in found['vertices']) or 'none'}"
    yield f"{tuple(document['key_counts'])} is {'in' if found['inside'] else 'out'}side"


def random_case(draws: Draws, index: int) -> Case:
    """Return votes with much agreement over two to four labels, and a key near the region."""
    labels, judges, size = (
        ("ab", 2, 2),
        ("abc", 2, 1),
        ("ab", 3, 3),
        ("abc", 3, 1),
        ("abcd", 2, 1),
        ("ab", 3, 1),
        ("abc", 2, 2),
        ("abc", 3, 3),
    )[index % 8]
    questions = 2 + min(index // 8, 12 if size == 1 or labels == "ab" else 4) + draws.below(3)
    agreed = draws.counts(questions, len(labels))
    width = len(labels) ** judges
    counts = draws.counts(2 + index // 25, width)
    for label, count in enumerate(agreed):
        counts[label * (width - 1) // (len(labels) - 1)] += count
    factors = [draws.pick(("2", "2", "3/2", "3", "5/3")) for _ in labels]
    grade = str(draws.share(5)) if index % 4 == 1 and len(labels) < 4 else "0"
    key = draws.counts(sum(counts), len(labels))
    votes = votes_input(counts, labels=labels, judges=judges)
    asked = {"group_size": size, "factors": factors, "minimum_grade": grade, "key_counts": key}
    return Case({**votes, **asked}, f"{sum(counts)} questions")


FAMILY = Family(
    *declared("safe-region"),
    input=record(
        {**PARTS, **SPECIFICATION},
        group_size=described({"type": "integer"}, "how many judges are looked at together"),
        key_counts=described(list_of({"type": "integer"}), "how many questions have each true label"),
    ),
    expected=record(
        most_questions=list_of(COUNT), inside=TRUTH, count=COUNT, vertices=list_of(list_of(COUNT))
    ),
    flags={
        "empty": lambda _, found: found["count"] == 0,
        "joint": lambda given, _: given["group_size"] > 1,
        "grade": lambda given, _: given["minimum_grade"] != "0",
        "many-labels": lambda given, _: len(given["labels"]) > 2,
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
