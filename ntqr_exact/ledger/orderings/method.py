"""Maaz et al. 2023, sections 2.1 and 2.2: equations 1 to 3, order-isomorphism, and lemmas 1 to 3."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.confidence.atc import atc, atc_curve
from ntqr_exact.confidence.atc_values import AtcReading, TieRule
from ntqr_exact.confidence.ordering import order_isomorphic, vectors_over
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SCORES, ScoreFunction, compare_scores, max_key
from ntqr_exact.ledger.equations import FormulaText, formula
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, counterexample, decided
from ntqr_exact.ledger.orderings.printed_scores import at

Pair = tuple[mpq, mpq]
SOURCE, TARGET, GAMMA = ("1/2", "7/10"), ("6/10",), "1/4"
"""The smallest source on which eq. 2 has two thresholds, and a target between them."""


def binary(*tops: str) -> list[Pair]:
    """Return vectors (a, 1 − a) of two labels for texts of a."""
    return [(mpq(a), 1 - mpq(a)) for a in tops]


def dimension(printed: FormulaText) -> Finding:
    """Count the independent differences of the vertices of the simplex, for 2 to 5 labels."""
    found = {}
    for k in range(2, 6):
        rows = [[int(i == j) - int(i == k - 1) for i in range(k)] for j in range(k)]
        found[k] = sum(any(row) for row in rows)
    return as_printed(
        all(at(formula(printed), k=k) == number for k, number in found.items()),
        ", ".join(f"{k} labels: {number} independent differences of vertices" for k, number in found.items()),
    )


def general_metric() -> Finding:
    """Take Γ as an error, then as an accuracy, and let the target be surer than the source."""
    source, surer = binary("0.6", "0.7", "0.8", "0.9"), binary("0.85", "0.85", "0.95", "0.95")
    as_error = atc(source, surer, error="1/4", reading=AtcReading.ERROR_BELOW)
    as_accuracy = atc(source, surer, accuracy="3/4", reading=AtcReading.ACCURACY_BELOW)
    return by_reading(
        {
            "Γ an error": decided(
                as_error.estimate <= as_error.gamma,
                f"on a surer target the error goes from {as_error.gamma} to {as_error.estimate}",
            ),
            "Γ an accuracy": decided(
                as_accuracy.estimate >= as_accuracy.gamma,
                "source 0.6, 0.7, 0.8, 0.9, target 0.85, 0.85, 0.95, 0.95: the accuracy goes from "
                f"{as_accuracy.gamma} to {as_accuracy.estimate}, though each target is surer",
                right="P[s ≥ t] = Γ for an accuracy; P[s < t] = Γ only for an error",
            ),
        }
    )


def solvable() -> Finding:
    """Look for a source of distinct scores whose own error no threshold can meet, with t any real number."""
    tops = ("1/2", "2/3", "3/4")
    cases = (
        (
            f"scores {', '.join(chosen)}, {wrong} wrong",
            any(sum(mpq(a) < t for a in chosen) == wrong for t in [*map(mpq, chosen), mpq(2)]),
        )
        for n in (1, 2, 3)
        for chosen in combinations(tops, n)
        for wrong in range(n + 1)
    )
    return counterexample(
        cases,
        checked="up to 3 distinct scores, each number of wrong answers; where scores tie, eq. 2 takes the nearest",
    )


def expectation() -> Finding:
    """Compare the share of points below each threshold with the mean of their indicators."""
    cases = (
        (
            f"{source}",
            all(
                point.source_below
                == mpq(sum(compare_scores("max", v, point.threshold_vector) < 0 for v in source), len(source))
                for point in atc_curve(source, source)
            ),
        )
        for n in (1, 2, 3)
        for source in product(binary("1/2", "3/4", "1"), repeat=n)
    )
    return counterexample(cases, checked="samples of up to 3 points")


def nearest() -> Finding:
    """Compare the threshold with the best of all scores of the source, by brute force."""
    cases = []
    for n in (1, 2, 3, 4):
        tops = [mpq(n + i + 1, 2 * n + 2) for i in range(n)]
        for wrong in range(n + 1):
            gamma = mpq(wrong, n)
            gaps = [abs(gamma - mpq(sum(a < t for a in tops), n)) for t in tops]
            found = atc([(a, 1 - a) for a in tops], [(a, 1 - a) for a in tops], error=gamma).estimate
            cases.append((f"n = {n}, {wrong} wrong", abs(gamma - found) == min(gaps)))
    return counterexample(
        cases,
        checked="up to 4 distinct scores, each number of wrong answers; at Γ = 1 the nearest share below a score "
        "of the source is (n − 1)/n",
    )


def estimate() -> Finding:
    """Estimate by eq. 3 on a worked example: source 0.5 to 0.9 with one of five wrong, targets 0.55 and 0.95."""
    target = binary("0.55", "0.95")
    found = atc(binary("0.9", "0.8", "0.7", "0.6", "0.5"), target, error="1/5")
    share = mpq(sum(compare_scores("max", v, found.threshold_vector) < 0 for v in target), 2)
    return decided(
        found.estimate == share == mpq(1, 2),
        f"source 0.5, 0.6, …, 0.9, Γ = 1/5: t = {found.threshold}; of targets 0.55, 0.95 the share below is {share}",
    )


def ties(*, of: Literal["threshold", "estimate", "vector"]) -> Finding:
    """Choose among the minimisers of eq. 2 freely, and by one rule that goes by the order of scores."""
    found = {rule: atc(binary(*SOURCE), binary(*TARGET), error=GAMMA, tie_rule=rule) for rule in TieRule}
    shown = {
        "threshold": [str(each.threshold) for each in found.values()],
        "estimate": [str(each.estimate) for each in found.values()],
        "vector": [str(each.threshold_vector) for each in found.values()],
    }[of]
    vectors = list(vectors_over(6, labels=3))
    small = list(product(vectors, vectors, vectors, (mpq(0), mpq(1, 4), mpq(1, 2), mpq(3, 4))))[::7]
    by_rule = all(
        atc([one, two], [target], error=gamma, score="l2", tie_rule=rule).estimate
        == atc([one, two], [target], error=gamma, score="l2-uniform", tie_rule=rule).estimate
        for rule in TieRule
        for one, two, target, gamma in small
    )
    return by_reading(
        {
            "any of the minimisers may be taken": decided(
                len(set(shown)) == 1,
                f"source scores {' and '.join(SOURCE)}, Γ = {GAMMA}, target score {TARGET[0]}: both source scores "
                f"minimise eq. 2, and the {of} is {' or '.join(shown)}",
                right="take the smallest minimiser, or any other that the order of scores determines",
            ),
            "ties go by one rule on the order of scores": decided(
                by_rule,
                "with the smallest, or with the largest, minimiser the L2 norm and the L2 distance to uniform agree on "
                "all small samples tried",
            ),
        }
    )


def _differing_estimates(left: str, right: str) -> tuple[str, list[mpq]]:
    """Estimate by two scores on two vectors of three labels."""
    p, q = ProbabilityVector((4, 1, 1), 6), ProbabilityVector((3, 3, 0), 6)
    found = [atc([p, q], [q], error="1/2", score=name).estimate for name in (left, right)]
    return (
        f"source {p} and {q}, Γ = 1/2, target {q}: {left} estimates {found[0]}, {right} estimates {found[1]}",
        found,
    )


def two_scores(printed: Literal["different", "order-isomorphic"]) -> Finding:
    """Estimate by two scores that are only different, or that order alike."""
    text, found = _differing_estimates(
        *(("max", "entropy") if printed == "different" else ("l2", "l2-uniform"))
    )
    return as_printed(len(set(found)) == 1, text)


def no_guarantee() -> Finding:
    """Estimate by two scores that order two vectors of three labels differently."""
    text, found = _differing_estimates("max", "entropy")
    return decided(len(set(found)) == 2, text)


def third_point(printed: tuple[Literal["<", "=", ">"], ...]) -> Finding:
    """Go through the pairs of signs that two scores can give to a pair of vectors, and ask whether > follows."""
    sign = {"<": -1, "=": 0, ">": 1}
    kept = [
        (one, other)
        for one, other in product((-1, 0, 1), repeat=2)
        if all((one == sign[each]) == (other == sign[each]) for each in printed)
    ]
    return as_printed(
        all((one > 0) == (other > 0) for one, other in kept),
        f"of the 9 pairs of signs {len(kept)} agree in {' and '.join(printed)}; all of them agree in >"
        if all((one > 0) == (other > 0) for one, other in kept)
        else f"two scores that agree in {' and '.join(printed)} may differ in >",
    )


def preorder() -> Finding:
    """Ask of each score whether what it induces on small vectors is total and transitive."""
    vectors = list(vectors_over(4, labels=3))
    good = True
    for name in SCORES:
        at_most = {(p, q): compare_scores(name, p, q) <= 0 for p, q in product(vectors, repeat=2)}
        good = good and all(at_most[p, q] or at_most[q, p] for p, q in at_most)
        good = good and all(
            at_most[p, r] for p, q, r in product(vectors, repeat=3) if at_most[p, q] and at_most[q, r]
        )
    return decided(
        good,
        f"s(p) ≤ s(q) is total and transitive for all {len(SCORES)} scores on {len(vectors)} vectors of three labels; "
        "different vectors may tie, so it is a preorder",
    )


def needed(printed: tuple[str, ...]) -> Finding:
    """Change f, D^s, D^t and Γ^s in turn: what changes the estimate must be fixed."""
    base = {"f": "0", "D^s": "0.6 0.8", "D^t": "0.7", "Gamma^s": "1/2"}
    other = {"f": "1/4", "D^s": "0.6 0.65", "D^t": "0.9", "Gamma^s": "0"}

    def outcome(parts: dict[str, str]) -> mpq:
        # Another f: a classifier that is surer by 1/4 on the targets.
        surest = min(mpq(1), mpq(parts["D^t"]) + mpq(parts["f"]))
        source = binary(*parts["D^s"].split())
        return atc(source, [(surest, 1 - surest)], error=parts["Gamma^s"]).estimate

    plain = outcome(base)
    wanted = [name for name in base if outcome({**base, name: other[name]}) != plain]
    missing, idle = (
        [name for name in wanted if name not in printed],
        [name for name in printed if name not in wanted],
    )
    return as_printed(
        not missing and not idle,
        f"the estimate changes with {', '.join(wanted)}; printed are {', '.join(printed)}",
    )


def equivalence() -> Finding:
    """Try definition 1 on all functions of three points into three values: is it an equivalence relation?"""
    functions = list(product(range(3), repeat=3))
    pairs = list(product(range(3), repeat=2))

    def related(s: tuple[int, ...], t: tuple[int, ...]) -> bool:
        return all(
            (s[i] < s[j]) == (t[i] < t[j])
            and (s[i] == s[j]) == (t[i] == t[j])
            and (s[i] > s[j]) == (t[i] > t[j])
            for i, j in pairs
        )

    relation = {(s, t): related(s, t) for s, t in product(functions, repeat=2)}
    following = {s: [t for t in functions if relation[s, t]] for s in functions}
    reflexive = all(relation[s, s] for s in functions)
    symmetric = all(relation[s, t] == relation[t, s] for s, t in relation)
    transitive = all(relation[s, u] for s in functions for t in following[s] for u in following[t])
    classes = {tuple(each) for each in following.values()}
    return decided(
        reflexive and symmetric and transitive,
        f"definition 1 on all {len(functions)} functions of three points into three values is reflexive, symmetric and "
        f"transitive; it has {len(classes)} classes, as many as three points have orders with ties",
    )


def monotone(printed: Literal["strictly monotonic", "monotonic"]) -> Finding:
    """Go through all rising maps of four numbers into five, strictly or not, and compare orders."""
    maps = [values for values in product(range(5), repeat=4) if list(values) == sorted(values)]
    if printed == "strictly monotonic":
        maps = [values for values in maps if len(set(values)) == 4]
    cases = (
        (
            f"g = {values}",
            all(
                (values[i] < values[j]) == (i < j) and (values[i] == values[j]) == (i == j)
                for i, j in product(range(4), repeat=2)
            ),
        )
        for values in maps
    )
    return counterexample(
        cases,
        checked="strictly rising maps of 4 numbers into 5",
        proof="g strictly increasing: x < y iff g(x) < g(y), and x = y iff g(x) = g(y)",
    )


def _of_max(name: str, change: Callable[[mpq], mpq]) -> ScoreFunction:
    """Return a function of the maximum as a score."""
    return ScoreFunction(name, lambda vector: change(max_key(vector)))


def scaling(*, factor: mpq) -> Finding:
    """Scale by a factor and take the root of a square: the same order?"""
    vectors = list(vectors_over(6, labels=3))
    scaled = order_isomorphic("max", _of_max("scaled", lambda x: factor * x), vectors)
    rooted = order_isomorphic("max", _of_max("squared", lambda x: x**2), vectors)  # max is the root of max²
    return decided(
        scaled and rooted,
        f"the factor {factor} and the root of max² {'keep' if scaled and rooted else 'do not keep'} the order of all "
        "vectors of three labels over 6",
    )


def squared_norm() -> Finding:
    """Compare squares with exact roots on all pairs of vectors over 9."""
    vectors = list(vectors_over(9, labels=3))
    score = SCORES["l2"]
    cases = (
        (f"{p} and {q}", (score.key(p) < score.key(q)) == (score.value(p) < score.value(q)))
        for p, q in product(vectors, repeat=2)
    )
    return counterexample(
        cases,
        checked="pairs of vectors over 9, squares against exact roots",
        proof="the square root rises strictly on numbers that are not negative, and lemma 3",
    )
