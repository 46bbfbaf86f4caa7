"""Maaz et al. 2023, theorem 2: the L2 norm and the L2 distance to uniform, the lines of the proof and the remark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, as_formula, constant, read_formula
from ntqr_exact.confidence.inversions import vectors_over
from ntqr_exact.confidence.ordering import OrderRelation, compare_orders
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import distance_score
from ntqr_exact.ledger.equations import FormulaText, derivative, formula
from ntqr_exact.ledger.judgement import Finding, all_of, as_printed, counterexample, decided, equal

SIZES = (2, 3, 4, 5)
"""The numbers of labels for which sums are written out."""


def _names(k: int) -> list[str]:
    return [f"p{i}" for i in range(1, k)]


def _rest(k: int) -> Formula:
    """Return S, the sum of all components but the last."""
    return read_formula(" + ".join(_names(k)))


def squared_distance(k: int, shift: Formula) -> Formula:
    """Return Σ (p_i − shift)² with p_k = 1 − p_1 − … − p_(k−1)."""
    total = constant(0)
    for component in [*map(read_formula, _names(k)), constant(1) - _rest(k)]:
        total = total + (component - shift) ** 2
    return total


def differ_by(printed: FormulaText) -> Finding:
    """Prove ‖p‖² − ‖p − 1/k‖² to be the printed constant on the simplex, for every k, and for k = 2 to 5 in full."""
    claimed = formula(printed)
    # Of each component (p − c)² − p² = c² − 2cp; over k components of sum 1 this is kc² − 2c.
    one = formula("(p - c)**2 - p**2").equals(formula("c**2 - 2*c*p"))
    every = formula("0 - (k*c**2 - 2*c)", {"c": "1/k"}).equals(claimed)
    written = all(
        (squared_distance(k, constant(0)) - squared_distance(k, constant(mpq(1, k)))).equals(
            claimed.substitute({"k": k})
        )
        for k in SIZES
    )
    return as_printed(one and every and written)


@dataclass(frozen=True, slots=True)
class Substituted:
    """A sum of a term in p over all components but the last, and the last term, with S for the sum of those."""

    term: FormulaText
    last: FormulaText

    def latex(self) -> str:
        """Return it with p for a component and S for the sum of all but the last."""
        return rf"\sum {self.term.latex()} + {self.last.latex()}"

    def text(self) -> str:
        """Return it in a line."""
        return f"the sum of {self.term}, plus {self.last}"

    def at(self, k: int) -> Formula:
        """Return it written out for k labels."""
        total = formula(self.last).substitute({"S": _rest(k), "k": k})
        for name in _names(k):
            total = total + formula(self.term).substitute({"p": read_formula(name), "k": k})
        return total


def forms(printed: Mapping[str, Substituted]) -> Finding:
    """Write both printed squared scores out, and compare with Σ p² and Σ (p − 1/k)²."""
    parts = {}
    for name, form in printed.items():
        same = all(
            form.at(k).equals(squared_distance(k, constant(mpq(1, k) if name == "s hat" else 0)))
            for k in SIZES
        )
        parts[name] = as_printed(
            same,
            f"{name}, written out for k = 2 to 5, {'is' if same else 'is not'} the squared score with p_k = 1 − Σ p_i",
        )
    return all_of(parts)


def gradient(printed: FormulaText, *, shifted: bool) -> Finding:
    """Compare the printed derivative with that of the squared score, written out for k = 2 to 5."""
    wrong = []
    for k in SIZES:
        true = derivative(squared_distance(k, constant(mpq(1, k) if shifted else 0)).polynomial(), "p1")
        claimed = formula(printed).substitute({"S": _rest(k), "pj": read_formula("p1"), "k": k})
        wrong += [] if claimed.equals(as_formula(true)) else [f"k = {k}: the derivative by p_1 is {true}"]
    return as_printed(
        not wrong,
        *(wrong[:1] or [f"the derivative by p_j for k = 2 to 5, with S = p_1 + … + p_(k−1), is {printed}"]),
    )


def mean_value(printed: FormulaText) -> Finding:
    """Prove that equal gradients leave a constant: s − ŝ has no derivative, and takes the printed value."""
    flat, value = True, True
    for k in SIZES:
        gap = squared_distance(k, constant(0)) - squared_distance(k, constant(mpq(1, k)))
        flat = flat and not any(derivative(gap.polynomial(), name) for name in _names(k))
        vertex = gap.substitute(dict.fromkeys(_names(k), 0))
        value = value and vertex.equals(formula(printed).substitute({"k": k}))
    return as_printed(
        flat and value,
        "for k = 2 to 5 every derivative of s − ŝ vanishes, and its value at the vertex p_k = 1 is "
        f"{'' if value else 'not '}{printed}",
    )


def equal_components(printed: FormulaText) -> Finding:
    """Subtract a vector of equal components: only p drops out; and no other vector of the simplex does this."""
    constant_there = all(
        (squared_distance(k, read_formula("c")) - squared_distance(k, constant(0))).equals(
            formula(printed).substitute({"k": k})
        )
        for k in SIZES
    )

    def shifts(vector: ProbabilityVector) -> bool:
        # ‖p − r‖² − ‖p‖² is affine in p, so it is constant iff it is the same at all vertices.
        gaps = [
            sum(((int(i == j) - r) ** 2 for j, r in enumerate(vector)), mpq(0)) for i in range(vector.labels)
        ]
        return len(set(gaps)) == 1

    cases = (
        (str(vector), shifts(vector) == (vector == ProbabilityVector([1] * k, k)))
        for k in (2, 3, 4)
        for n in range(1, 9)
        for vector in vectors_over(n, labels=k)
    )
    return all_of(
        {
            "constant": as_printed(
                constant_there,
                f"‖p − (c, …, c)‖² − ‖p‖² {'is' if constant_there else 'is not'} {printed} for k = 2 to 5, whatever p",
            ),
            "only": counterexample(
                cases, checked="vectors of 2 to 4 labels: only the uniform one shifts by a constant"
            ),
        }
    )


def fixed_vector(printed: Mapping[str, tuple[mpq, ...]]) -> Finding:
    """Recompute norms and distances to r of two vectors, and compare their orders."""
    p, q = ProbabilityVector.of(printed["p"]), ProbabilityVector.of(printed["q"])
    parts = {}
    for place, (name, vector) in enumerate((("p", p), ("q", q))):
        norm = sum((x**2 for x in vector), mpq(0))
        away = sum(((x - r) ** 2 for x, r in zip(vector, printed["r"], strict=True)), mpq(0))
        parts[f"norm {name}"] = equal(printed["norms"][place], norm, f"‖{name}‖²")
        parts[f"distance {name}"] = equal(printed["distances"][place], away, f"‖{name} − r‖²")
    inverted = compare_orders("l2", distance_score(printed["r"]), [p, q]).relation is OrderRelation.INVERTED
    parts["order"] = decided(inverted, "the norm puts p above q, the distance to r puts it below")
    return all_of(parts)
