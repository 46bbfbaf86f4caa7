"""The family `vote-moments`: the moments of three judges between two labels, from the counts of patterns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.evaluators.independent.whole_moments import PAIRS, whole_moments
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, described, list_of, record
from ntqr_exact.vectors.votes_input import (
    PARTS,
    SHARED,
    WORDS,
    counts_of,
    pattern_names,
    votes_from,
    votes_input,
)


def compute(document: Document) -> dict[str, Any]:
    """Return the frequencies of patterns and the moments of giving the second label."""
    votes = votes_from(document)
    _, second = votes.labels
    moments, sixth = whole_moments(votes), mpq(votes.size) ** 6
    return {
        "frequencies": [votes.frequency(pattern) for pattern in votes.patterns()],
        "rates": [votes.response_rate(judge, second) for judge in range(3)],
        "pair_moments": [votes.pair_moment(i, j) for i, j in PAIRS],
        "trio_moment": votes.trio_moment(0, 1, 2),
        "pair_product": moments.pair_product / sixth,
        "discriminant": moments.discriminant / sixth,
    }


def steps(document: Document) -> Iterator[str]:
    """Tell how each moment comes about."""
    votes, found = votes_from(document), compute(document)
    size = votes.size
    yield f"Q = {' + '.join(map(str, counts_of(votes)))} = {size}"
    names = pattern_names("ab", 3)
    for name, count, share in zip(names, counts_of(votes), found["frequencies"], strict=True):
        yield f"f_{name} = {count}/{size} = {share}"
    f1, f2, f3 = found["rates"]
    yield f"f_b1 = f_baa + f_bab + f_bba + f_bbb = {f1}; f_b2 = {f2}; f_b3 = {f3}"
    joint = [votes.marginal(i, j).frequency(votes.labels[1] * 2) for i, j in PAIRS]
    for (i, j), both, value in zip(PAIRS, joint, found["pair_moments"], strict=True):
        left, right = found["rates"][i], found["rates"][j]
        yield f"Δ_{i + 1}{j + 1} = {both} − ({left})·({right}) = {value}"
    d12, d13, d23 = found["pair_moments"]
    yield (
        f"T = f_bbb − (f_b1·f_b2·f_b3 + f_b1·Δ_23 + f_b2·Δ_13 + f_b3·Δ_12) = {found['frequencies'][7]} − "
        f"({f1}·{f2}·{f3} + {f1}·({d23}) + {f2}·({d13}) + {f3}·({d12})) = {found['trio_moment']}"
    )
    yield f"Π = Δ_12·Δ_13·Δ_23 = ({d12})·({d13})·({d23}) = {found['pair_product']}"
    yield f"A = T² + 4Π = {found['discriminant']}"


def edge_cases() -> Iterator[Case]:
    """Yield the smallest tests, vanishing moments, the printed example, and inputs to refuse."""
    for place, name in enumerate(pattern_names("ab", 3)):
        one = [int(place == other) for other in range(8)]
        yield Case(votes_input(one), f"one question, answered {name}", ("constant",))
    yield Case(votes_input([1] * 8), "every pattern once: all moments vanish", ("vanishing",))
    yield Case(votes_input([3, 1, 1, 0, 0, 1, 1, 3]), "T = 0, the pair moments are not", ("vanishing",))
    yield Case(
        votes_input([1, 1, 1, 1, 0, 0, 0, 0]), "the first judge always answers a", ("constant", "vanishing")
    )
    yield Case(votes_input([2, 0, 0, 0, 0, 0, 0, 1]), "copies of one judge: T = 2/27")
    yield Case(votes_input([1, 0, 0, 0, 0, 0, 0, 2]), "copies with labels exchanged: T = −2/27")
    yield Case(votes_input([0, 1, 1, 0, 1, 0, 0, 0]), "A = 0 and Π ≠ 0")
    yield Case(votes_input([0, 1, 1, 1, 1, 1, 1, 0]), "T = 0 and A < 0", ("vanishing",))
    yield Case(
        votes_input([181, 90, 86, 115, 86, 109, 100, 233]), "the two-norm test of the source", ("source",)
    )
    yield Case(votes_input([1, 2, 3, 4, 5, 6, 7, 8]), "all counts different: no two patterns may be confused")
    yield Case(votes_input([5, 3, 2, 7, 1, 6, 8, 4]), "all counts different, another order")
    large = [10**20 + place**3 for place in range(8)]
    yield Case(votes_input(large), "counts beyond the range of doubles", ("large",))
    yield Case(
        votes_input([2**53 - 1, 1, 0, 0, 0, 0, 1, 2**53 - 1]), "counts at the edge of doubles", ("large",)
    )
    yield Case(votes_input([0] * 8), "no question at all", ("refused",))
    yield Case(votes_input([1, -1, 1, 1, 1, 1, 1, 1]), "a negative count", ("refused",))
    yield Case(votes_input([1] * 7), "a count is missing", ("refused",))
    yield Case(votes_input([1] * 9), "a count too many", ("refused",))
    broken = votes_input([1] * 8)
    yield Case({**broken, "counts": ["1/2", *broken["counts"][1:]]}, "half a question", ("refused",))
    yield Case({**broken, "counts": ["many", *broken["counts"][1:]]}, "a word for a count", ("refused",))


def random_case(draws: Draws, index: int) -> Case:
    """Return uniform counts that add up to a number of questions growing with the index."""
    size = 2 + index * index // 4 + draws.below(3)
    return Case(votes_input(draws.counts(size, 8)), f"{size} questions")


FAMILY = Family(
    name="vote-moments",
    version=1,
    title="Moments of the votes of three judges between two labels",
    citations=(Citation("ntqr", "eq. 34"), Citation("ntqr", "eq. 40, its parts")),
    algorithm=(
        WORDS,
        "Refuse as bad-votes unless there are exactly R^N counts, as bad-number a count that is not a whole number "
        "or negative, and as empty-test if Q = 0.",
        "frequencies: f_v = (count of pattern v)/Q, for the eight patterns in the order of the counts.",
        "rates: for judge i = 1, 2, 3, f_bi is the sum of the frequencies of the four patterns in which judge i "
        "answers the second label, b.",
        "pair_moments: for the pairs 12, 13, 23 in this order, Δ_ij = f_bibj − f_bi·f_bj, where f_bibj is the sum of "
        "the frequencies of the two patterns in which judges i and j both answer b.",
        "trio_moment: T = f_bbb − (f_b1·f_b2·f_b3 + f_b1·Δ_23 + f_b2·Δ_13 + f_b3·Δ_12).",
        "pair_product: Π = Δ_12·Δ_13·Δ_23. discriminant: A = T² + 4Π.",
    ),
    input=record(PARTS),
    expected=record(
        frequencies=list_of(RATIONAL, exactly=8),
        rates=described(list_of(RATIONAL, exactly=3), "f_b1, f_b2, f_b3"),
        pair_moments=described(list_of(RATIONAL, exactly=3), "Δ_12, Δ_13, Δ_23"),
        trio_moment=described(RATIONAL, "T"),
        pair_product=described(RATIONAL, "Π"),
        discriminant=described(RATIONAL, "A"),
    ),
    flags={
        "constant": "a judge gives the same answer to every question",
        "vanishing": "some moment is zero",
        "source": "votes of a test in the source",
        "large": "counts that doubles do not hold exactly, or barely",
        "refused": "the counts make no votes",
    },
    errors={
        "bad-votes": "the number of counts is not R^N",
        "bad-number": "a count is not a whole number, or negative",
        "empty-test": "there is no question, so that no rate exists",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    shared=SHARED,
)
