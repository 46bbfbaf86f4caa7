"""Theorem 2: on the simplex the L2 norm and the L2 distance to uniform order alike, for any number of labels.

For vectors of sum 1, ‖p − 1/k‖² = ‖p‖² − 1/k. As polynomials in p, without the sum being 1:
‖p − 1/k‖² − (‖p‖² − 1/k) = −(2/k)·(Σ pᵢ − 1), so the difference vanishes on the simplex.

>>> squared_distance_identity(4).holds()
True
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.confidence.probability_vector import VectorLike, probability_vector
from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import RationalLike, whole_number


@dataclass(frozen=True, slots=True)
class SimplexIdentity:
    """That ‖p − 1/k‖² − ‖p‖² is constant on the simplex.

    `cofactor` c and `constant` e are such that ‖p − 1/k‖² − ‖p‖² − e = c·(Σ pᵢ − 1) as polynomials in p.
    """

    labels: int
    cofactor: mpq
    constant: mpq
    citation: Citation = field(default_factory=lambda: Citation("orderings", "theorem 2"))

    def holds(self) -> bool:
        """Expand both sides in a ring of k variables over the rationals, and compare them."""
        from sympy import QQ, ring

        domain, k = QQ, self.labels
        _, *p = ring([f"p{index}" for index in range(1, k + 1)], domain)
        share = domain(1, k)
        distance = sum((x - share) ** 2 for x in p)
        norm = sum(x**2 for x in p)
        c, e = (
            domain(int(number.numerator), int(number.denominator))
            for number in (self.cofactor, self.constant)
        )
        return bool(distance - norm - e == c * (sum(p) - 1))


def squared_distance_identity(labels: RationalLike) -> SimplexIdentity:
    """Return the identity ‖p − 1/k‖² = ‖p‖² − 1/k for k labels, with its cofactor −2/k."""
    k = whole_number(labels)
    if k < 2:
        raise BadNumber(labels, "a probability vector has at least two labels")
    return SimplexIdentity(k, mpq(-2, k), mpq(-1, k))


def identity_holds_for_all_labels() -> bool:
    """Check the identity for every k at once.

    Summed over i, (pᵢ − c)² = pᵢ² − 2c·pᵢ + c² gives S₂ − 2c·S₁ + k·c², with S₁ = Σ pᵢ and S₂ = Σ pᵢ²; at c = 1/k
    this is S₂ − 1/k − (2/k)(S₁ − 1). Both steps are expanded with k, S₁, S₂ and p as symbols.
    """
    import sympy

    k, c, p, first, second = sympy.symbols("k c p S1 S2")
    each = sympy.expand((p - c) ** 2 - (p**2 - 2 * c * p + c**2))
    summed = (second - 2 * c * first + k * c**2).subs(c, 1 / k)
    rest = sympy.expand(summed - (second - 1 / k - 2 / k * (first - 1)))
    return bool(each == 0 and rest == 0)


def shifts_norm_by_constant(centre: VectorLike) -> bool:
    """Tell whether ‖p − r‖² − ‖p‖² = ‖r‖² − 2 r·p is constant on the simplex: iff r is uniform.

    At the vertex of label i it is ‖r‖² − 2rᵢ, and it is affine in p. Source: Maaz et al. 2023, theorem 2, remark.

    >>> shifts_norm_by_constant(["1/2", "1/2"]), shifts_norm_by_constant(["0.3", "0.7"])
    (True, False)
    """
    return len(set(probability_vector(centre).numerators)) == 1
