"""Maaz et al. 2023, section 2.2: order-isomorphism, lemmas 1 to 3 and the remarks, each tried on small samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from gmpy2 import mpq

from ntqr_exact.confidence.atc import atc
from ntqr_exact.confidence.atc_threshold import TieRule
from ntqr_exact.confidence.atc_values import AtcEstimate
from ntqr_exact.confidence.inversions import vectors_over
from ntqr_exact.confidence.ordering import order_isomorphic
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SCORES, ScoreFunction, compare_scores, max_key
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, by_reading, counterexample, decided
from ntqr_exact.ledger.orderings.definitions import binary

SIGNS = (-1, 0, 1)
SOURCE, TARGET, GAMMA = ("1/2", "7/10"), ("6/10",), "1/4"
"""The smallest source on which eq. 2 has two thresholds, and a target between them."""


def _third_point(_: str) -> Finding:
    """Go through the nine pairs of signs that two scores can give to one pair of vectors."""
    cases = (
        (f"signs {one}, {other}", (one > 0) == (other > 0))
        for one, other in product(SIGNS, repeat=2)
        if (one < 0) == (other < 0) and (one == 0) == (other == 0)
    )
    return counterexample(
        cases,
        checked="pairs of signs that agree in < and in =",
        proof="of <, =, > exactly one is true; by exchange of p and q the first point alone implies the others",
    )


def _footnote(_: str) -> Finding:
    """Ask whether what a score induces is an order (antisymmetric) or a preorder."""
    one, other = ProbabilityVector((1, 0), 1), ProbabilityVector((0, 1), 1)
    tied = {name: compare_scores(name, one, other) == 0 for name in SCORES}
    vectors = list(vectors_over(4, labels=3))
    at_most = {(p, q): compare_scores("max", p, q) <= 0 for p, q in product(vectors, repeat=2)}
    total = all(at_most[p, q] or at_most[q, p] for p, q in at_most)
    transitive = all(
        at_most[p, r] for p, q, r in product(vectors, repeat=3) if at_most[p, q] and at_most[q, r]
    )
    return by_reading(
        {
            "two total preorders": decided(
                total and transitive, "s(p) ≤ s(q) is total and transitive, as ≤ is on the numbers s(p)"
            ),
            "two orders, as of posets": decided(
                not any(tied.values()),
                f"(1, 0) and (0, 1) differ and have equal scores, by all {sum(tied.values())} scores here",
                right="two total preorders, in which different vectors may tie",
            ),
        }
    )


def _estimates(score: str | ScoreFunction = "max") -> dict[TieRule, AtcEstimate]:
    return {
        rule: atc(binary(*SOURCE), binary(*TARGET), error=GAMMA, score=score, tie_rule=rule)
        for rule in TieRule
    }


def _small_data() -> Iterator[tuple[list[ProbabilityVector], list[ProbabilityVector], mpq]]:
    vectors = list(vectors_over(6, labels=3))
    for first, second, third in product(vectors, repeat=3):
        for gamma in (mpq(0), mpq(1, 4), mpq(1, 2), mpq(3, 4)):
            yield [first, second], [third], gamma


def _ordering_lemma(_: str) -> Finding:
    """Choose different minimisers for two scores that order alike; then one rule for both."""
    found = _estimates()
    low, high = (found[rule].estimate for rule in TieRule)
    with_rule = all(
        atc(source, target, error=gamma, score="l2", tie_rule=rule).estimate
        == atc(source, target, error=gamma, score="l2-uniform", tie_rule=rule).estimate
        for rule in TieRule
        for source, target, gamma in list(_small_data())[::7]
    )
    return decided(
        low == high,
        f"source scores {', '.join(SOURCE)}, Γ = {GAMMA}, target {TARGET[0]}: both t are minimisers of eq. 2, and "
        f"the estimate is {low} or {high}, so that s and ŝ = s may differ; a source of one point has one t",
        "with one rule for ties, that goes by order, estimates by L2 and by L2 to uniform "
        + ("agree" if with_rule else "differ"),
        right="if both break ties of eq. 2 by the same rule on the order of scores, Γ^t = Γ̂^t"
        if with_rule
        else "",
    )


def _lemma_proof(_: str) -> Finding:
    vectors = {rule: found.threshold_vector for rule, found in _estimates().items()}
    return decided(
        len({str(vector) for vector in vectors.values()}) == 1,
        f"source scores {', '.join(SOURCE)}, Γ = {GAMMA}: t may come from "
        + " or from ".join(str(vector) for vector in vectors.values()),
        right="t and t̂ come from one vector if ties of eq. 2 are broken by one rule on the order",
    )


def _fixed_parts(printed: str) -> Finding:
    """Keep what the lemma keeps, and ask whether the estimate is then determined."""
    parts = [part.strip() for part in printed.split(",")]
    needed = {"f", "D^s", "D^t", "Gamma^s"}
    estimates = {
        target: atc(binary("0.6", "0.8"), binary(target), error="1/2").estimate for target in ("0.7", "0.9")
    }
    return decided(
        set(parts) == needed,
        "two targets, one source: "
        + ", ".join(f"target {target} has the estimate {value}" for target, value in estimates.items()),
        f"printed: {', '.join(parts)}",
        right="f, D^s, D^t and Γ^s",
        slip=True,
    )


def differing_estimates() -> tuple[str, dict[str, mpq]]:
    """Take two scores that order two vectors of three labels differently, and estimate by both."""
    p, q = ProbabilityVector((4, 1, 1), 6), ProbabilityVector((3, 3, 0), 6)
    found = {name: atc([p, q], [q], error="1/2", score=name).estimate for name in ("max", "entropy")}
    values = ", ".join(f"{name} estimates {value}" for name, value in found.items())
    return f"source {p} and {q}, Γ = 1/2, target {q}: {values}", found


def _two_scores(_: str) -> Finding:
    text, found = differing_estimates()
    return decided(
        len(set(found.values())) == 1,
        text,
        right="two score functions that are order-isomorphic give the same estimate",
    )


def _equivalence(_: str) -> Finding:
    """Go through all triples of signs, which is what the biconditionals speak of."""
    related = {(a, b): a == b for a, b in product(SIGNS, repeat=2)}
    reflexive = all(related[a, a] for a in SIGNS)
    symmetric = all(related[a, b] == related[b, a] for a, b in related)
    transitive = all(related[a, c] for a, b, c in product(SIGNS, repeat=3) if related[a, b] and related[b, c])
    vectors = list(vectors_over(7, labels=3))
    scores = list(SCORES)
    iso = {(a, b): order_isomorphic(a, b, vectors) for a, b in product(scores, repeat=2)}
    seen = all(iso[a, c] for a, b, c in product(scores, repeat=3) if iso[a, b] and iso[b, c])
    return decided(
        reflexive and symmetric and transitive and seen,
        "s and ŝ are order-isomorphic iff sign(s(p) − s(q)) = sign(ŝ(p) − ŝ(q)) for all p, q: an equality",
        f"seen on {len(scores)} scores and {len(vectors)} vectors of 3 labels",
    )


def _monotone_maps() -> Iterator[tuple[int, ...]]:
    return (values for values in product(range(5), repeat=4) if list(values) == sorted(values))


def _strictly_monotone(_: str) -> Finding:
    """Go through all maps of four numbers into five that rise strictly."""
    cases = (
        (
            f"g = {values}",
            all(
                (values[i] < values[j]) == (i < j) and (values[i] == values[j]) == (i == j)
                for i, j in product(range(4), repeat=2)
            ),
        )
        for values in _monotone_maps()
        if len(set(values)) == 4
    )
    falling = order_isomorphic("max", _of_max("−max", lambda x: -x), list(vectors_over(4, labels=2)))
    return all_of(
        {
            "increasing": counterexample(
                cases,
                checked="strictly rising maps of 4 numbers into 5",
                proof="g strictly increasing: x < y iff g(x) < g(y), x = y iff g(x) = g(y)",
            ),
            "word": decided(
                not falling,
                "monotone means increasing here, as the text says; −max would turn the order round",
            ),
        }
    )


def _of_max(name: str, change: Callable[[mpq], mpq]) -> ScoreFunction:
    return ScoreFunction(name, lambda vector: change(max_key(vector)))


def _invariant(_: str) -> Finding:
    """Compare estimates under a map that rises strictly, and under one that is only order-preserving."""
    source, target = binary("1/2", "7/10"), binary("6/10")

    def estimate(score: str | ScoreFunction) -> mpq:
        return atc(source, target, error="1/2", score=score).estimate

    plain = estimate("max")
    cubed, flat = estimate(_of_max("cubed", lambda x: x**3)), estimate(_of_max("constant", lambda _: mpq(0)))
    return by_reading(
        {
            "strictly monotone": decided(cubed == plain, f"max and max³ both estimate {plain}"),
            "monotone in the sense of order-preserving": decided(
                flat == plain,
                f"source 1/2, 7/10, Γ = 1/2, target 6/10: max estimates {plain}, a constant {flat}",
                right="invariant under strictly increasing transformations",
            ),
        }
    )


def _scaling(printed: str) -> Finding:
    """Scale by a positive factor, by 0 and by a negative one; take roots of scores that may be negative."""
    vectors = list(vectors_over(6, labels=3))
    words = printed.split(", ")

    def scaled(factor: mpq) -> bool:
        return order_isomorphic("max", _of_max("scaled", lambda x: factor * x), vectors)

    rooted = order_isomorphic("max", _of_max("squared", lambda x: x**2), vectors)  # max is the root of max²
    below = sum(compare_scores("entropy", vector, ProbabilityVector((1, 0, 0), 1)) < 0 for vector in vectors)
    return by_reading(
        {
            f"{words[0]} by a positive factor, {words[1]} of a score that is not negative": decided(
                scaled(mpq(3)) and rooted, "factor 3, and the root of max²: the same order"
            ),
            f"any {words[0]}, and {words[1]} of any score": decided(
                scaled(mpq(0)) and scaled(mpq(-1)) and below == 0,
                "a factor 0 makes all scores equal, and a factor −1 turns the order round",
                f"Σ p log p is below its value 0 at vertices at {below} of {len(vectors)} vectors over 6: no root",
                right="scaling by a factor above 0; square roots of scores that are nowhere negative",
            ),
        }
    )


def _squared_norm(_: str) -> Finding:
    vectors = list(vectors_over(9, labels=3))
    cases = (
        (
            f"{p} and {q}",
            (SCORES["l2"].key(p) < SCORES["l2"].key(q)) == (SCORES["l2"].value(p) < SCORES["l2"].value(q)),
        )
        for p, q in product(vectors, repeat=2)
    )
    return counterexample(
        cases,
        checked="pairs of vectors over 9, squares against exact roots",
        proof="the square root rises strictly on numbers that are not negative, and lemma 3",
    )


def _claim(
    key: str, place: str, kind: Kind, statement: str, check: Callable[[str], Finding], **more: str
) -> Claim:
    return Claim(f"orderings/{key}", place, kind, statement, check, **more)


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "sec-2-2/two-scores",
        "section 2.2",
        Kind.SENTENCE,
        "Two different score functions on the same vectors have the same estimate.",
        _two_scores,
        garbled="a condition on the orderings of the two scores seems to have dropped out",
    ),
    _claim(
        "def-1/third-point",
        "definition 1",
        Kind.SENTENCE,
        "Of the three biconditionals that define order-isomorphism, the third follows from the first two.",
        _third_point,
    ),
    _claim(
        "footnote-2",
        "footnote 2",
        Kind.SENTENCE,
        "Two score functions define two orderings on the simplex.",
        _footnote,
    ),
    _claim(
        "lemma-1",
        "lemma 1",
        Kind.THEOREM,
        r"If two scores are order-isomorphic, their estimates are equal, $\Gamma^t=\hat\Gamma^t$.",
        _ordering_lemma,
        by_hand="Γ = 1/4 is as far from P[s < 1/2] = 0 as from P[s < 7/10] = 1/2; then 6/10 lies above or below t.",
    ),
    _claim(
        "lemma-1/fixed",
        "lemma 1",
        Kind.DEFINITION,
        r"The lemma fixes $f$, $D^s$, $D^{\hat s}$ and $\Gamma^s$.",
        _fixed_parts,
        printed="f, D^s, D^shat, Gamma^s",
        garbled="D^ŝ stands where D^t must be meant; perhaps by extraction",
    ),
    _claim(
        "lemma-1/proof",
        "lemma 1, proof",
        Kind.SENTENCE,
        r"There is one vector p with both $t=s(p)$ and $\hat t=\hat s(p)$.",
        _lemma_proof,
    ),
    _claim(
        "lemma-2",
        "lemma 2",
        Kind.THEOREM,
        "To be order-isomorphic is an equivalence relation.",
        _equivalence,
    ),
    _claim(
        "lemma-3",
        "lemma 3",
        Kind.THEOREM,
        r"If $\hat s=g(s)$ with strictly monotonic g, then s and $\hat s$ are order-isomorphic.",
        _strictly_monotone,
    ),
    _claim(
        "lemma-3/remark",
        "lemma 3, remark; abstract",
        Kind.SENTENCE,
        "The estimate does not change under monotone transformations of the score.",
        _invariant,
    ),
    _claim(
        "lemma-3/scaling",
        "lemma 3, remark",
        Kind.SENTENCE,
        "Scaling and square roots of a score have no effect.",
        _scaling,
        printed="scaling, square root",
    ),
    _claim(
        "sec-2-3/squared-l2",
        "section 2.3",
        Kind.SENTENCE,
        "The squared L2 norm is order-isomorphic to the L2 norm.",
        _squared_norm,
    ),
)
