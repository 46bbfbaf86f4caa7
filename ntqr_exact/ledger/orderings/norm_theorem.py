"""Maaz et al. 2023, theorem 2: the L2 norm and the L2 distance to uniform, the lines of the proof and the remark."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, read_formula
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.confidence.inversions import vectors_over
from ntqr_exact.confidence.ordering import OrderRelation, compare_orders
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import distance_score
from ntqr_exact.confidence.simplex import (
    identity_holds_for_all_labels,
    shifts_norm_by_constant,
    squared_distance_identity,
)
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, counterexample, decided, equal
from ntqr_exact.ledger.orderings.many_labels import number_groups, rational_key
from ntqr_exact.ledger.orderings.printed_scores import exact_formula


def _theorem_2(printed: str) -> Finding:
    """Prove ‖p − 1/k‖² = ‖p‖² − 1/k on the simplex for every k, and compare the printed constant."""
    constant_text = exact_formula(printed)
    right = read_formula("1/k")
    proven = identity_holds_for_all_labels() and all(
        squared_distance_identity(k).holds() for k in range(2, 7)
    )
    return decided(
        proven and constant_text.equals(right),
        "Σ (pᵢ − 1/k)² = Σ pᵢ² − (2/k) Σ pᵢ + 1/k = Σ pᵢ² − 1/k where Σ pᵢ = 1, with k as a symbol",
        "so the squared scores differ by the constant 1/k, and lemma 3 applies",
        right="1/k",
        slip=True,
    )


def _sum_of_squares(k: int, shift: Formula) -> Polynomial:
    """Return Σ (pᵢ − shift)² with p_k = 1 − p_1 − … − p_(k−1), as a polynomial in p_1, …."""
    names = [f"p{i}" for i in range(1, k)]
    last = "1 - " + " - ".join(names)
    total = read_formula("0")
    for text in [*names, f"({last})"]:
        total = total + (read_formula(text) - shift) ** 2
    return total.polynomial()


def _gradient(shifted: bool, printed: str) -> Finding:
    """Compare the printed derivative with the part of s(p + h·e_1) − s(p) that is linear in h, for k = 3 to 5."""
    formula = exact_formula(printed)
    for k in (3, 4, 5):
        shift = read_formula(f"1/{k}" if shifted else "0")
        s = _sum_of_squares(k, shift)
        moved = s.substitute({"p1": read_formula("p1 + h").polynomial()}) - s
        linear = {m: c for m, c in moved.terms.items() if dict(m).get("h") == 1}
        derivative = Polynomial(
            {"*".join(f"{n}^{e}" for n, e in m if n != "h") or "1": c for m, c in linear.items()}
        )
        total = read_formula(" + ".join(f"p{i}" for i in range(1, k)))
        claimed = formula.substitute({"S": total, "pj": read_formula("p1"), "k": k})
        if claimed.polynomial() != derivative:
            return decided(
                False, f"k = {k}: the derivative is {derivative}", right=str(derivative), slip=True
            )
    return decided(
        bool(formula.variables()),
        f"the derivative by p_j for k = 3, 4, 5, with S = p_1 + … + p_(k−1): {printed}",
    )


def _equal_gradients(printed: str) -> Finding:
    """Cancel the terms in 1/k, with k, p_j and S as symbols."""
    one, other = (exact_formula(side) for side in printed.split("="))
    return decided(
        one.equals(other),
        f"both are {one}, for every k",
        right="equal gradients, 2*pj - 2*(1 - S)",
        slip=True,
    )


def _squared_forms(printed: str) -> Finding:
    """Compare the printed squared distance with Σ (pᵢ − 1/k)², term by term, with S and S₂ as symbols."""
    norm, distance = (exact_formula(side) for side in printed.split(";"))
    # The sum over i < k of (p_i − 1/k)² is S2 − 2·S/k + (k − 1)/k².
    return all_of(
        {
            "s": decided(
                norm.equals(read_formula("S2 + (1 - S)**2")),
                "s = S₂ + (1 − S)², with S and S₂ the sums of pᵢ and pᵢ² over i < k",
                slip=True,
            ),
            "s hat": decided(
                distance.equals(read_formula("S2 - 2*S/k + (k - 1)/k**2 + ((1 - S) - 1/k)**2")),
                "ŝ has (p_k − 1/k)² = (1 − 1/k − S)² as its last term",
                slip=True,
            ),
        }
    )


def _fixed_vector(printed: str) -> Finding:
    centre, first, second, squares, distances = number_groups(printed, (2, 2, 2, 2, 2))
    p, q = ProbabilityVector.of(first), ProbabilityVector.of(second)
    score = distance_score(centre)
    parts = {}
    for name, vector, square, distance in (
        ("p", p, squares[0], distances[0]),
        ("q", q, squares[1], distances[1]),
    ):
        away = sum(((x - r) ** 2 for x, r in zip(vector, centre, strict=True)), mpq(0))
        parts[f"norm {name}"] = equal(square, rational_key("l2", vector), f"‖{name}‖²")
        parts[f"distance {name}"] = equal(distance, away, f"‖{name} − r‖²")
    inverted = compare_orders("l2", score, [p, q]).relation is OrderRelation.INVERTED
    parts["order"] = decided(inverted, "the norm puts p above q, the distance to r puts it below")
    return all_of(parts)


def _equal_components(_: str) -> Finding:
    """Only the uniform vector of the simplex has equal components, and only it shifts the norm by a constant."""
    cases = (
        (str(vector), shifts_norm_by_constant(list(vector)) == (vector == ProbabilityVector([1] * k, k)))
        for k in (2, 3, 4)
        for n in range(1, 9)
        for vector in vectors_over(n, labels=k)
    )
    # ‖p − c‖² − ‖p‖² = k·c² − 2c where Σ p = 1, for equal components c: a constant, for every c.
    anywhere = read_formula("S2 - 2*c + k*c**2 - S2").equals(read_formula("k*c**2 - 2*c"))
    return all_of(
        {
            "constant": decided(anywhere, "‖p − (c, …, c)‖² = ‖p‖² − 2c + kc² on the simplex, for every c"),
            "only": counterexample(cases, checked="vectors of 2 to 4 labels; c = 1/k is forced by the sum 1"),
        }
    )


def _claim(
    key: str, where: tuple[str, Kind], statement: str, check: Callable[[str], Finding], printed: str = ""
) -> Claim:
    return Claim(f"orderings/{key}", *where, statement, check, printed)


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "thm-2",
        ("theorem 2", Kind.THEOREM),
        r"On the simplex of k labels $\|p\|_2$ and $\|p-1/k\|_2$ are order-isomorphic; their squares differ by $1/k$.",
        _theorem_2,
        "1/k",
    ),
    _claim(
        "thm-2/proof-forms",
        ("theorem 2, proof", Kind.IDENTITY),
        r"With $p_k$ substituted, $s=\sum p_i^2+(1-\sum p_i)^2$ and "
        r"$\hat s=\sum(p_i-\frac1k)^2+(1-\frac1k-\sum p_i)^2$.",
        _squared_forms,
        "S2 + (1 - S)**2; S2 - 2*S/k + (k - 1)/k**2 + (1 - 1/k - S)**2",
    ),
    _claim(
        "thm-2/proof-gradient-s",
        ("theorem 2, proof", Kind.IDENTITY),
        r"$\partial s/\partial p_j=2p_j-2(1-\sum p_i)$.",
        partial(_gradient, False),
        "2*pj - 2*(1 - S)",
    ),
    _claim(
        "thm-2/proof-gradient-s-hat",
        ("theorem 2, proof", Kind.IDENTITY),
        r"$\partial\hat s/\partial p_j=2(p_j-\frac1k)-2(1-\frac1k-\sum p_i)$.",
        partial(_gradient, True),
        "2*(pj - 1/k) - 2*(1 - 1/k - S)",
    ),
    _claim(
        "thm-2/proof-equal",
        ("theorem 2, proof", Kind.IDENTITY),
        "The terms in 1/k cancel, and both gradients are equal.",
        _equal_gradients,
        "2*pj - 2*(1 - S) = 2*(pj - 1/k) - 2*(1 - 1/k - S)",
    ),
    _claim(
        "thm-2/remark-equal-components",
        ("theorem 2, remark", Kind.SENTENCE),
        "Theorem 2 holds for the distance to any vector of equal components; on the simplex only the uniform one is.",
        _equal_components,
    ),
    _claim(
        "thm-2/remark-fixed-vector",
        ("theorem 2, remark", Kind.NUMBER),
        r"For $r=(0.3,0.7)$, $p=(0.4,0.6)$, $q=(0.5,0.5)$: norms $0.52>0.5$, distances $0.02<0.08$.",
        _fixed_vector,
        "0.3 0.7; 0.4 0.6; 0.5 0.5; 0.52 0.5; 0.02 0.08",
    ),
)
