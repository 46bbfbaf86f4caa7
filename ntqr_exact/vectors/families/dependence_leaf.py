"""The family `dependence-leaf`: what the weighted rows of one leaf of a proof about dependence add up to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from ntqr_exact.dependence.key_dependence import check_panel
from ntqr_exact.dependence.panel import problem_of
from ntqr_exact.dependence.tree_checker import CORNERS, Box, RowName
from ntqr_exact.exact.rational import rational
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Family
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, votes_from, votes_input
from ntqr_exact.vectors.fragments import COUNT, RATIONAL, TEXT, TRUTH, described, list_of, one_of, record
from ntqr_exact.vectors.specification import Case, Document, declared


def compute(document: Document) -> dict[str, Any]:
    """Return the bound of the weighted sum, and whether it is negative."""
    votes = check_panel(votes_from(document))
    problem = problem_of(votes, document["correlation"], (2, 3))
    box: Box = {
        (label, judge, 0): (rational(low), rational(high))
        for label, ranges in enumerate(document["ranges"])
        for judge, (low, high) in enumerate(ranges)
    }
    weights = [(_name(row), rational(row["weight"])) for row in document["rows"]]
    bound = rational(problem.most(box, weights))
    return {"bound": bound, "refutes": bound < 0}


def _name(row: Document) -> RowName:
    label, judges = row["label"], tuple(row["judges"])
    if row["kind"] in ("low", "high"):
        return (row["kind"], label, judges[0], 0)
    return (row["kind"], label, judges, (0,) * len(judges), row["corner"])


def steps(document: Document) -> Iterator[str]:
    """Tell each row with its weight, and the bound."""
    for row in document["rows"]:
        who = ", ".join(str(judge + 1) for judge in row["judges"])
        yield f"{row['weight']} times {row['kind']} {row['corner']} of {who} on {document['labels'][row['label']]}"
    found = compute(document)
    yield f"bound {found['bound']}: {'no key is left' if found['refutes'] else 'nothing is proven'}"


def random_case(draws: Draws, index: int) -> Case:
    """Return any votes, narrow ranges, and rows of all kinds."""
    judges = 3 if index % 3 else 4
    size = 2 + index // 3 + draws.below(5)
    document = votes_input(draws.counts(size, 2**judges), judges=judges)
    ranges = []
    for _ in "ab":
        lows = [draws.below(7) for _ in range(judges)]
        ranges.append([[f"{low}/8", f"{low + 1 + draws.below(2)}/8"] for low in lows])
    rows = [_random_row(draws, judges) for _ in range(2 + draws.below(5))]
    more = {"correlation": f"{draws.below(6)}/100", "ranges": ranges, "rows": rows}
    return Case({**document, **more}, f"any rows, {size} questions")


def _random_row(draws: Draws, judges: int) -> dict[str, Any]:
    size, kind = ((1, "low"), (1, "high"), (2, "pair"), (2, "pair"), (3, "trio"))[draws.below(5)]
    subsets = list(combinations(range(judges), size))
    corners = {1: [""], 2: list(CORNERS), 3: ["+", "-"]}[size]
    return {
        "kind": kind,
        "label": draws.below(2),
        "judges": list(subsets[draws.below(len(subsets))]),
        "corner": corners[draws.below(len(corners))],
        "weight": str(1 + draws.below(9)),
    }


FAMILY = Family(
    *declared("dependence-leaf"),
    input=record(
        PARTS,
        correlation=TEXT,
        ranges=list_of(list_of(list_of(TEXT, exactly=2))),
        rows=list_of(
            record(
                kind=one_of("low", "high", "pair", "trio"),
                label=COUNT,
                judges=list_of(COUNT),
                corner=TEXT,
                weight=TEXT,
            )
        ),
    ),
    expected=record(bound=described(RATIONAL, "what the weighted sum does not exceed"), refutes=TRUTH),
    flags={
        "refutes": lambda _, found: found["refutes"],
        "equal": lambda _, found: found["bound"] == "0",
    },
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
