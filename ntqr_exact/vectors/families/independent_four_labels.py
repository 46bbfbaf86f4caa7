"""The family `independent-four-labels`: three judges between four labels, if their errors were independent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ntqr_exact.citation import Citation
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.independent_three_labels import (
    COMPONENTS,
    ERRORS,
    MATRICES,
    REFUSALS,
    case_of,
    compute,
    drawn_model,
    expected,
    flags_of,
    model,
    moved,
    sparse,
    steps,
)
from ntqr_exact.vectors.family import Case, Family
from ntqr_exact.vectors.fragments import record
from ntqr_exact.vectors.forms.votes import PARTS, SHARED, WORDS, votes_input

_LABELS = "abcd"
_ALARMS = (
    "complex-roots",
    "irrational-roots",
    "not-commuting",
    "not-diagonalisable",
    "not-whole",
    "out-of-range",
)




_SMALL = (
    ({"aaa": 1, "bbb": 1, "ccc": 1, "ddd": 1}, "perfect judges, a question of each label"),
    ({"aaa": 4, "bbb": 3, "ccc": 2, "ddd": 1}, "perfect judges, different shares"),
    ({"abc": 1, "bcd": 1, "cda": 1, "dab": 1}, "judges who are sure, and sure to differ"),
    ({"aaa": 1, "bbb": 1, "ccc": 1}, "a label that never occurs: all tables are singular"),
    ({"aaa": 1, "bbb": 1, "cca": 1, "dda": 1}, "the third judge has the same rates on three labels"),
)

_PAIRED = {
    (0, 1, 1, 0, 1, 0, 0, 3): "a root is irrational",
    (0, 1, 1, 1, 1, 1, 1, 0): "a root is not real",
    (0, 1, 1, 0, 1, 0, 0, 0): "too few eigenvectors",
    (0, 0, 0, 1, 2, 1, 1, 0): "a rate of 2",
    (0, 0, 0, 1, 2, 1, 1, 1): "rational and in range, but not whole",
    (1, 0, 1, 0, 1, 0, 1, 1): "a key exists",
}


def random_case(draws: Draws, index: int) -> Case:
    """Return votes of independent judges with small rates, one in three with one question moved."""
    while True:
        counts = model(*drawn_model(draws, index, labels=4))
        if index % 3 == 1:
            places = [place for place, count in enumerate(counts) if count]
            counts = moved(counts, draws.pick(places), draws.below(64))
            case = _case(counts, f"independent judges on {sum(counts)} questions, one moved", "changed")
        else:
            case = _case(counts, f"independent judges on {sum(counts)} questions")
        if set(case.flags) <= {*_ALARMS, "changed", "key"}:
            return case


def _case(counts: Sequence[int], comment: str, *flags: str) -> Case:
    return case_of(votes_input(counts, labels=_LABELS), comment, *flags)


FAMILY = Family(
    *declared("independent-four-labels"),
    input=record(PARTS),
    expected=expected(_ALARMS),
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
