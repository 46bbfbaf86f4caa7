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
from ntqr_exact.vectors.votes_input import PARTS, SHARED, WORDS, votes_input

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


def edge_cases() -> Iterator[Case]:
    """Yield votes whose trios look independent, models put in, trios with a fourth judge, and refusals."""
    by_votes_b = (83, 29, 19, 29, 83)
    alike = [by_votes_b[pattern.count("b")] for pattern in product("ab", repeat=4)]
    yield _case(alike, "512 questions: every trio looks independent, the four are not", "trios")
    yield _case(moved(alike, 0, 15), "512 questions, one of them moved", "changed")
    for seen, comment in _SMALL:
        yield _case(sparse(seen, labels="ab"), comment)
    good, bad, half = [[3, 1], [1, 3]], [[1, 3], [2, 2]], [[2, 2], [2, 2]]
    for weights in ([1, 1], [1, 3]):
        yield _case(model(weights, [good] * 4), f"four alike judges, weights {weights}")
        yield _case(model(weights, [good, bad, good, bad]), f"different judges, weights {weights}")
        yield _case(model(weights, [half, good, bad, good]), f"the first judge guesses, weights {weights}")
    sure, coin = [[1, 0], [0, 1]], [[1, 1], [1, 1]]
    yield _case(
        model([1, 1], [sure, sure, coin, coin]), "two judges toss a coin: unidentified, and a key exists"
    )
    yield _case(model([1, 2], [coin, sure, coin, sure]), "two other judges toss a coin")
    counts = model([1, 3], [good, bad, good, bad])
    for old, new in ((0, 15), (3, 5), (15, 14)):
        yield _case(moved(counts, old, new), "different judges, one question moved", "changed")
    yield _case([10**17 * count for count in counts], "counts beyond doubles", "large")
    for binary, comment in _TRIOS.items():
        yield _case(
            [count for count in binary for _ in range(2)], f"a fourth judge who tosses a coin: {comment}"
        )
        copied = [count * (place % 2 == last) for place, count in enumerate(binary) for last in range(2)]
        yield _case(copied, f"a fourth judge who copies the third: {comment}")
    yield Case(votes_input([0] * 16, judges=4), "no question at all", ("refused",))
    yield Case(votes_input([1] * 15, judges=4), "a count is missing", ("refused",))
    yield Case(votes_input([1] * 15 + [-1], judges=4), "a negative count", ("refused",))


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
    name="independent-four-judges",
    version=1,
    title="Four judges between two labels who err independently",
    citations=(Citation("ntqr", "section 5"),),
    algorithm=(
        WORDS,
        REFUSALS,
        *MATRICES,
        "identified: alarm out-of-range if a share or a rate is not from 0 to 1. Alarm not-reproduced if for one of "
        "the patterns with a count above 0 this count is not the sum over the true labels of Q·share·(product of the "
        "rates of the judges): that trios look independent is not enough. If there is no alarm, alarm not-whole if "
        "one of the counts of the key, below, is not a whole number.",
        "family: a key exists if the questions of each pattern can be distributed over two parts, of which one may "
        "be empty, so that each part is a product: its count of every pattern, times the third power of its size, is "
        "the product of how often each judge gave its label there. If no distribution is such, the alarms are "
        "unidentified, if some pair had a regular S, or else singular, and besides contradiction, if two or more "
        "pairs of judges have Δ_ij = f_bibj − f_bi·f_bj ≠ 0, or else not-reproduced.",
        *COMPONENTS,
    ),
    input=record(PARTS),
    expected=expected(_ALARMS),
    flags={**flags_of(_ALARMS), "trios": "every three of the judges look independent"},
    errors=ERRORS,
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
