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
from ntqr_exact.vectors.votes_input import PARTS, SHARED, WORDS, votes_input

_LABELS = "abcd"
_ALARMS = (
    "complex-roots",
    "irrational-roots",
    "not-commuting",
    "not-diagonalisable",
    "not-whole",
    "out-of-range",
)


def edge_cases() -> Iterator[Case]:
    """Yield perfect judges, models put in, every alarm, and inputs to refuse."""
    for seen, comment in _SMALL:
        yield _case(sparse(seen, labels=_LABELS), comment)
    halves = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 0, 2]]
    quarters = [[3, 1, 0, 0], [0, 2, 1, 1], [1, 0, 3, 0], [0, 1, 0, 3]]
    turned = [quarters[1], quarters[0], quarters[3], quarters[2]]
    for weights in ([1, 1, 1, 1], [4, 3, 2, 1], [1, 5, 1, 5]):
        yield _case(model(weights, [halves] * 3), f"three alike judges, rates in halves, weights {weights}")
        yield _case(model(weights, [halves, quarters, turned]), f"three different judges, weights {weights}")
    counts = model([4, 3, 2, 1], [halves, quarters, turned])
    for old, new in ((0, 63), (5, 21), (21, 42)):
        yield _case(moved(counts, old, new), "three different judges, one question moved", "changed")
    yield _case([10**17 * count for count in counts], "counts beyond doubles", "large")
    for binary, comment in _PAIRED.items():
        pairs = map("".join, product("ab", repeat=3))
        four = {**dict(zip(pairs, binary, strict=True)), "ccc": 1, "ddd": 2, "ddc": 1}
        yield _case(sparse(four, labels=_LABELS), f"two labels among four: {comment}")
    both = {"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1}
    both |= {"ccc": 1, "cdc": 1, "dcc": 1, "ddc": 1, "ddd": 1}
    yield _case(sparse(both, labels=_LABELS), "two tests of two labels each, both with an independent key")
    yield Case(votes_input([0] * 64, labels=_LABELS), "no question at all", ("refused",))
    yield Case(votes_input([1] * 63, labels=_LABELS), "a count is missing", ("refused",))
    yield Case(votes_input([1] * 63 + [-1], labels=_LABELS), "a negative count", ("refused",))


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
    name="independent-four-labels",
    version=1,
    title="Three judges between four labels who err independently",
    citations=(Citation("ntqr", "section 6, more than two labels announced and not printed"),),
    algorithm=(
        WORDS,
        REFUSALS,
        *MATRICES,
        "identified: alarm out-of-range if a share or a rate is not from 0 to 1. If there is no alarm, alarm "
        "not-whole if one of the counts of the key, below, is not a whole number.",
        "family: a key exists if the questions of each pattern can be distributed over four parts, of which any may "
        "be empty, so that each part is a product. In all tests of this file it does, and there is no alarm.",
        *COMPONENTS,
    ),
    input=record(PARTS),
    expected=expected(_ALARMS),
    flags=flags_of(_ALARMS),
    errors=ERRORS,
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
