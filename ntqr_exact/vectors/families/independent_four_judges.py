"""The family `independent-four-judges`: four judges between two labels, if their errors were independent."""

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

_ALARMS = (
    "complex-roots",
    "contradiction",
    "irrational-roots",
    "not-commuting",
    "not-diagonalisable",
    "not-reproduced",
    "not-whole",
    "out-of-range",
    "singular",
    "unidentified",
)




_SMALL = (
    ({"aaaa": 1, "bbbb": 1}, "perfect judges"),
    ({"aabb": 1, "bbaa": 2}, "two against two, always"),
    ({"aaaa": 1}, "one question: every table is singular"),
    ({"aaaa": 1, "aaab": 1}, "one judge varies: singular, and a key exists"),
    ({"aaaa": 1, "aabb": 1, "bbaa": 1, "bbbb": 1}, "two pairs that each agree, and nothing between them"),
    (
        {"aaab": 1, "aaba": 1, "abaa": 1, "baaa": 1, "abbb": 1, "babb": 1, "bbab": 1, "bbba": 1},
        "an odd parity of four",
    ),
)

_TRIOS = {
    (0, 1, 1, 0, 1, 0, 0, 3): "a root is irrational",
    (0, 1, 1, 1, 1, 1, 1, 0): "a root is not real",
    (0, 1, 1, 0, 1, 0, 0, 0): "too few eigenvectors",
    (0, 0, 0, 1, 2, 1, 1, 0): "a rate of 2",
    (0, 0, 0, 1, 2, 1, 1, 1): "rational and in range, but not whole",
    (1, 0, 1, 0, 1, 0, 1, 1): "a key exists",
    (0, 0, 0, 1, 1, 1, 1, 0): "one pair moment vanishes, T does not",
    (1, 0, 0, 1, 0, 1, 1, 0): "all pair moments vanish and T does not",
}


def random_case(draws: Draws, index: int) -> Case:
    """Return, in turn, votes of independent judges, the same with one question moved, and any votes."""
    while True:
        if index % 3 == 2:
            size = 6 + index // 2 + draws.below(6)
            case = _case(draws.counts(size, 16), f"any votes on {size} questions")
        else:
            counts = model(*drawn_model(draws, index, labels=2, judges=4))
            if index % 3 == 1:
                places = [place for place, count in enumerate(counts) if count]
                counts = moved(counts, draws.pick(places), draws.below(16))
                case = _case(counts, f"independent judges on {sum(counts)} questions, one moved", "changed")
            else:
                case = _case(counts, f"independent judges on {sum(counts)} questions")
        if set(case.flags) <= {*_ALARMS, "changed", "key"} - {"singular", "unidentified"}:
            return case


def _case(counts: Sequence[int], comment: str, *flags: str) -> Case:
    return case_of(votes_input(counts, judges=4), comment, *flags)


FAMILY = Family(
    *declared("independent-four-judges"),
    input=record(PARTS),
    expected=expected(_ALARMS),
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
