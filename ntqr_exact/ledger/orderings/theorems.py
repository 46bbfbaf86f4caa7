"""Maaz et al. 2023, sections 2.4 and 2.5: theorems 1 and 2, lines of their proofs, counterexamples on more labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.confidence.binary import binary_proof, positive_on_half
from ntqr_exact.confidence.ordering import (
    InversionSearch,
    OrderRelation,
    compare_orders,
    smallest_inversion,
    vectors_over,
)
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SCORES, SIX, compare_scores, distance_score
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.log_sum_key import LogSumKey
from ntqr_exact.exact.logsum import log_sum_sign
from ntqr_exact.ledger.equations import FormulaText, derivative, formula
from ntqr_exact.ledger.judgement import Finding, all_of, as_printed, counterexample, decided, equal
from ntqr_exact.ledger.orderings.printed_scores import Terms, at, same_logs
from ntqr_exact.postulates.polynomial import Formula, Polynomial, constant, read_formula

HALF = mpq(1, 2)
_INSIDE = [mpq(n, 24) for n in range(13, 24)]
"""Points inside (1/2, 1)."""

TWINS = ("l2", "l2-uniform")
PAIRS = [pair for pair in combinations(SIX, 2) if pair != TWINS]
LARGEST = 16
"""The largest denominator that the searches need on three labels."""


def orders_as_max(*, item: str) -> Finding:
    """Check the symbolic proof that g′ > 0 on (1/2, 1), and compare orders on a grid with both ends."""
    score = SIX[int(item) - 1]
    proof = binary_proof(score)
    vectors = [ProbabilityVector((a, 40 - a), 40) for a in range(41)]
    return decided(
        not proof.problems() and compare_orders("max", score, vectors).isomorphic,
        f"with a = max p, g′(a) = {proof.derivative_text()}, and each part is positive on (1/2, 1)",
    )


def range_of_max(printed: tuple[mpq, mpq]) -> Finding:
    """Take the larger component of all vectors of two labels over 12."""
    tops = {max(ProbabilityVector((i, 12 - i), 12)) for i in range(13)}
    return as_printed(
        (min(tops), max(tops)) == printed,
        f"max p over all p of two labels runs from {min(tops)} to {max(tops)}; all six scores are symmetric",
    )


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of equal sides in a: first, if there are any, a sum of absolute values of linear terms."""

    sides: tuple[FormulaText, ...]
    absolute: tuple[FormulaText, ...] = ()

    def latex(self) -> str:
        """Return the chain as it is printed."""
        return self._joined(FormulaText.latex)

    def text(self) -> str:
        """Return the chain in a line."""
        return self._joined(str)

    def _joined(self, shown: Callable[[FormulaText], str]) -> str:
        first = [" + ".join(f"|{shown(text)}|" for text in self.absolute)] if self.absolute else []
        return " = ".join([*first, *map(shown, self.sides)])

    def formulas(self) -> list[Formula]:
        """Return all sides; |x| is x or −x by its sign on (1/2, 1], where a linear x of one sign keeps it."""
        found = [formula(side) for side in self.sides]
        if self.absolute:
            total = constant(0)
            for text in self.absolute:
                inside = formula(text)
                if at(inside, a=HALF) * at(inside, a=1) < 0:
                    raise BadDocument(text, "the sign changes inside [1/2, 1]")
                total = total + (inside if at(inside, a=1) > 0 else -inside)
            found.insert(0, total)
        return found


def _rising(form: Polynomial) -> list[mpq]:
    """Return the coefficients of a polynomial in a, by rising powers."""
    found = {dict(monomial).get("a", 0): coefficient for monomial, coefficient in form.terms.items()}
    return [found.get(power, mpq(0)) for power in range(max(found, default=0) + 1)]


def chain(printed: Chain, *, score: str) -> Finding:
    """Prove each side of a printed chain equal, and equal to the key of the score; then that it rises."""
    formulas = printed.formulas()
    last, key = formulas[-1], SCORES[score].key
    same = all(one.equals(last) for one in formulas)
    at_points = all(at(last, a=a) == key(ProbabilityVector.of([a, 1 - a])) for a in (HALF, *_INSIDE, mpq(1)))
    return as_printed(
        same and at_points and positive_on_half(_rising(derivative(last.polynomial(), "a"))),
        f"all {len(formulas)} sides are equal, and equal to {score} (squared, if a root) at 13 points of [1/2, 1]"
        if same and at_points
        else f"the first side is {formulas[0]}, the last {last}",
    )


def equivalences(printed: tuple[FormulaText, FormulaText]) -> Finding:
    """Check the chain of item 2: both differences are positive multiples of (b − a)(a + b − 1)."""
    norm, reduced = printed
    squared, short = (formula(text.replace("a", "b")) - formula(text) for text in (norm, reduced))
    factored = formula("(b - a)*(a + b - 1)")
    return as_printed(
        squared.equals(constant(2) * factored)
        and short.equals(factored)
        and formula(norm).equals(formula("a**2 + (1 - a)**2"))
    )


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval of numbers, with its ends or without."""

    low: mpq
    high: mpq
    closed: bool

    def latex(self) -> str:
        """Return the interval as it is printed."""
        inside = f"{self.low}, {self.high}"
        return f"[{inside}]" if self.closed else f"({inside})"

    def text(self) -> str:
        """Return the interval in a line."""
        return self.latex()


def entropy_slope(printed: Interval) -> Finding:
    """Look at log a − log(1 − a) at both ends of the printed interval and between them."""
    inside = not binary_proof("entropy").problems() and printed.low >= HALF and printed.high <= 1
    ends = [printed.low, printed.high] if printed.closed else []
    lines, good = [], True
    for end in ends:
        sign = None if end in (0, 1) else log_sum_sign([(1, end), (-1, 1 - end)])
        good = good and sign == 1
        words = "has no value" if sign is None else {0: "is 0", 1: "is positive", -1: "is negative"}[sign]
        lines.append(f"at a = {end}, log a − log(1 − a) {words}")
    return as_printed(inside and good, *lines)


@dataclass(frozen=True, slots=True)
class Divergence:
    """A factor, and terms with a coefficient and the argument of its logarithm, in a."""

    factor: FormulaText
    terms: tuple[tuple[FormulaText, FormulaText], ...]

    def latex(self) -> str:
        """Return the divergence in LaTeX."""
        parts = " + ".join(rf"({c.latex()}) \log ({m.latex()})" for c, m in self.terms)
        return f"{self.factor.latex()} [{parts}]"

    def text(self) -> str:
        """Return the divergence in a line."""
        return f"{self.factor} of " + " + ".join(f"({c}) log ({m})" for c, m in self.terms)

    def logs(self, a: mpq) -> Terms:
        """Return coefficients and arguments at a."""
        factor = at(formula(self.factor))
        return [(factor * at(formula(c), a=a), at(formula(m), a=a)) for c, m in self.terms]

    def is_score(self, score: str) -> bool:
        """Tell whether it is a score of the library at all points inside."""
        return all(same_logs(self.logs(a), SCORES[score], ProbabilityVector.of([a, 1 - a])) for a in _INSIDE)


def jensen_shannon(printed: Divergence) -> Finding:
    """Compare the printed formula with Jensen-Shannon, and with half of Jeffreys' divergence."""
    vector = ProbabilityVector((3, 1), 4)
    values = {}
    for name in ("jensen-shannon-printed", "jensen-shannon"):
        key = SCORES[name].key(vector)
        values[name] = key.decimal(6) if isinstance(key, LogSumKey) else str(key)
    search = smallest_inversion("jensen-shannon", "jensen-shannon-printed", labels=3, max_denominator=12)
    inverted = (search.inversions[0].higher_left, search.inversions[0].higher_right) if search.found else ()
    is_jeffreys = printed.is_score("jensen-shannon-printed")
    return decided(
        printed.is_score("jensen-shannon"),
        f"at {len(_INSIDE)} points between 1/2 and 1 it {'is' if is_jeffreys else 'is not'} half of Jeffreys' "
        "KL(p‖u) + KL(u‖p)",
        f"at 3/4 half of Jeffreys is {values['jensen-shannon-printed']}, Jensen-Shannon {values['jensen-shannon']}; "
        f"on three labels the two order {' and '.join(map(str, inverted))} differently",
        arose="the mixture m was left out: each is compared with the other, not with their mean"
        if is_jeffreys
        else "",
    )


def printed_rises() -> Finding:
    """Check the symbolic proof that the printed formula of item 6 rises."""
    proof = binary_proof("jensen-shannon-printed")
    return decided(not proof.problems(), f"its derivative {proof.derivative_text()} is positive on (1/2, 1)")


def all_pairs(printed: int) -> Finding:
    """Compare all pairs of the scores named, on a grid."""
    vectors = [ProbabilityVector((a, 24 - a), 24) for a in range(25)]
    cases = (
        (f"{one} and {other}", compare_orders(one, other, vectors).isomorphic)
        for one, other in combinations(SIX, 2)
    )
    return all_of(
        {
            "orders": counterexample(cases, checked="pairs of the six scores on 25 vectors of two labels"),
            "number": equal(mpq(printed), mpq(len(SIX)), "the number of scores named"),
        }
    )


def counterexample_on_three(printed: Mapping[str, tuple[mpq, ...]]) -> Finding:
    """Recompute both norms of both vectors, and compare."""
    p, q = ProbabilityVector.of(printed["p"]), ProbabilityVector.of(printed["q"])
    parts = {}
    for place, (name, vector) in enumerate((("p", p), ("q", q))):
        square = sum((x**2 for x in vector), mpq(0))
        parts[f"l2 {name}"] = equal(printed["squared norms"][place], square, f"squared L2 norm of {name}")
        parts[f"max {name}"] = equal(printed["maxima"][place], max(vector), f"maximum of {name}")
    parts["order"] = decided(
        compare_scores("l2", p, q) < 0 and compare_scores("max", p, q) == 0,
        f"L2 puts p below q, and the maximum ties them; a strict inversion of smallest denominator is "
        f"{_pair_text('max', 'l2')}",
    )
    return all_of(parts)


@cache
def search(left: str, right: str, labels: int) -> InversionSearch:
    """Return the inversion of smallest denominator of two scores."""
    return smallest_inversion(left, right, labels=labels, max_denominator=LARGEST)


def _pair_text(left: str, right: str) -> str:
    found = search(left, right, 3)
    one, other = found.inversions[0].over(found.denominator)
    return f"{one}/{found.denominator} and {other}/{found.denominator}"


def inversion(*, pair: str) -> Finding:
    """Find the inversion of smallest denominator on three labels, by going through all smaller ones."""
    left, _, right = pair.partition("-and-")
    found = search(left, right, 3)
    return decided(
        found.found and found.holds(),
        f"{_pair_text(left, right)}: {left} puts the first higher, {right} the second",
        f"no pair of vectors of a smaller common denominator is inverted ({sum(n for _, n in found.examined)} seen)",
    )


def padded() -> Finding:
    """Add zeros to the counterexample on three labels: neither norm changes."""
    relations = []
    for k in range(4, 8):
        zeros = [0] * (k - 3)
        p, q = ProbabilityVector([5, 2, 3, *zeros], 10), ProbabilityVector([5, 5, 0, *zeros], 10)
        relations.append(compare_orders("l2", "max", [p, q]).relation)
    return decided(set(relations) == {OrderRelation.TIES_DIFFER})


def only_pair() -> Finding:
    """Look for inversions of all pairs of the six scores, on three and on four labels."""
    inverted = [pair for pair in PAIRS if all(search(*pair, k).found for k in (3, 4))]
    twins = any(search(*TWINS, k).found for k in (3, 4))
    return decided(
        len(inverted) == len(PAIRS) and not twins,
        f"{len(inverted)} of the {len(PAIRS)} other pairs have strict inversions on 3 and on 4 labels; the L2 norm and "
        f"the L2 distance to uniform have none up to denominator {LARGEST}, and theorem 2 proves it",
    )


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
        wrong += [] if claimed.equals(true) else [f"k = {k}: the derivative by p_1 is {true}"]
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
