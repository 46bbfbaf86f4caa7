"""Maaz et al. 2023, section 2.3: the printed score functions, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.algebra.formula import read_formula
from ntqr_exact.confidence.inversions import vectors_over
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SCORES, SIX, compare_scores
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, counterexample, decided
from ntqr_exact.ledger.orderings.definitions import uniform, vertex
from ntqr_exact.ledger.orderings.printed_scores import read_score


def _is_score(name: str, _: str) -> Finding:
    """Compare every vector of small denominator with the centre and with a vertex."""
    cases = (
        (
            f"{vector}",
            compare_scores(name, vector, uniform(k)) == (vector != uniform(k))
            and compare_scores(name, vertex(k), vector) == (max(vector) != 1),
        )
        for k in (2, 3, 4)
        for n in range(1, 8)
        for vector in vectors_over(n, labels=k)
    )
    return counterexample(
        cases,
        checked="vectors of 2 to 4 labels, denominators to 7: least at the centre only, largest at vertices only",
        proof=f"{SCORES[name].formula} is symmetric and convex, so least at the centre and largest at vertices",
    )


def _printed_score(name: str, printed: str) -> Finding:
    """Compare a printed formula with the score of the library on all vectors of small denominator."""
    score = read_score(printed)
    wrong = next(
        (
            vector
            for k in (2, 3, 4)
            for n in range(1, 7)
            for vector in vectors_over(n, labels=k)
            if not score.is_at(vector, SCORES[name])
        ),
        None,
    )
    needs_root = SCORES[name].formula.startswith("√")
    return decided(
        wrong is None and score.root == needs_root,
        f"{printed} is {SCORES[name].formula} at all vectors of 2 to 4 labels with denominators to 6"
        if wrong is None
        else f"{printed} is not {SCORES[name].formula} at {wrong}",
        right=SCORES[name].formula,
        slip=True,
    )


def _total_variation(printed: str) -> Finding:
    """Compare a multiple of the L1 distance with the largest difference over all events."""
    factor = mpq(printed)

    def largest(vector: ProbabilityVector) -> mpq:
        k = vector.labels
        events = (event for size in range(k + 1) for event in combinations(range(k), size))
        shares = list(vector)
        return max(sum((shares[i] - mpq(1, k) for i in event), mpq(0)) for event in events)

    l1 = read_score("sum abs p - 1/k")
    cases = (
        (str(vector), l1.rational_key is not None and factor * l1.rational_key(vector) == largest(vector))
        for k in (2, 3, 4)
        for n in range(1, 7)
        for vector in vectors_over(n, labels=k)
    )
    return counterexample(
        cases, checked=f"{factor} of the distance is the largest P(A) − U(A), over all events A"
    )


def _chi_squared(_: str) -> Finding:
    """Write χ² of observed shares against uniform ones as an affine function of Σ p², for any n and k."""
    # Σ (n·p − n/k)²/(n/k) = n·k·(S₂ − 2S₁/k + 1/k), with S₁ = Σ p and S₂ = Σ p².
    statistic = read_formula("n*k*(S2 - 2*S1/k + 1/k)", {"S1": read_formula("1")})
    return decided(
        statistic.equals(read_formula("n*(k*S2 - 1)")),
        "χ² = Σ (n·p − n/k)²/(n/k) = n·k·Σ (p − 1/k)² = n·(k·Σ p² − 1) where Σ p = 1: it orders as the norm does",
    )


def _simpson(_: str) -> Finding:
    """Ask what a sum of squares measures: it is largest where there is one kind only."""
    one, even = SCORES["l2"].key(vertex(2)), SCORES["l2"].key(uniform(2))
    return by_reading(
        {
            "concentration": decided(
                even < one, f"Σ p² is {one} for one kind, {even} for two of equal share"
            ),
            "diversity, as larger for the more diverse": decided(
                one < even,
                f"one kind has {one}, two of equal share have {even}",
                right="Σ p² falls as diversity rises; 1 − Σ p² or 1/Σ p² measures diversity",
            ),
        }
    )


def _claim(
    key: str, where: tuple[str, Kind], statement: str, check: Callable[[str], Finding], printed: str = ""
) -> Claim:
    return Claim(f"orderings/{key}", *where, statement, check, printed)


_SCORES = (
    ("max", "max", r"\max p_i", "max p"),
    ("entropy", "negative entropy", r"\sum p_i\log p_i", "sum p log p"),
    ("l2", "L2 norm", r"\sqrt{\sum p_i^2}", "sqrt sum p**2"),
    ("l1-uniform", "L1 distance to uniform", r"\sum|p_i-1/k|", "sum abs p - 1/k"),
    ("l2-uniform", "L2 distance to uniform", r"\sqrt{\sum(p_i-1/k)^2}", "sqrt sum (p - 1/k)**2"),
)

CLAIMS: tuple[Claim, ...] = (
    _claim(
        "sec-2-1/max",
        ("section 2.1", Kind.DEFINITION),
        r"Maximum confidence is the score $\max_j f_j(x)$.",
        partial(_printed_score, "max"),
        "max p",
    ),
    *(
        _claim(
            f"sec-2-1/extremes/{name}",
            ("sections 2.1 and 2.3", Kind.SENTENCE),
            f"The score {SCORES[name].formula} is least at the uniform vector and largest at the vertices.",
            partial(_is_score, name),
        )
        for name in SIX
    ),
    *(
        _claim(
            f"sec-2-3/{name}",
            ("section 2.3", Kind.DEFINITION),
            f"The {words} is the score ${latex}$.",
            partial(_printed_score, name),
            printed,
        )
        for name, words, latex, printed in _SCORES
    ),
    _claim(
        "sec-2-3/total-variation",
        ("section 2.3", Kind.IDENTITY),
        "Half the L1 distance to uniform is the total variation distance.",
        _total_variation,
        "1/2",
    ),
    _claim(
        "sec-2-3/simpson",
        ("section 2.3", Kind.SENTENCE),
        r"$\sum p_i^2$ measures concentration of markets, and in ecology, as Simpson's index, diversity.",
        _simpson,
    ),
    _claim(
        "sec-2-3/chi-squared",
        ("section 2.3", Kind.SENTENCE),
        r"The L2 norm is connected with the $\chi^2$ test: $\chi^2=n(k\sum p_i^2-1)$.",
        _chi_squared,
    ),
)
