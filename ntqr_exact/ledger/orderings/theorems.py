"""Sections 2.4 and 2.5 of the paper on orderings: theorem 1 for two labels, theorem 2 and counterexamples for more."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import combinations, product

from gmpy2 import mpq

from ntqr_exact.confidence.atc import TieRule, atc
from ntqr_exact.confidence.binary import binary_proof
from ntqr_exact.confidence.ordering import InversionSearch, OrderRelation, compare_orders, smallest_inversion, vectors_over
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SCORES, SIX, compare_scores, distance_score
from ntqr_exact.exact.enclosure import Enclosure, enclose_log, log_sum_sign
from ntqr_exact.exact.show import fixed_text
from ntqr_exact.ledger.equations import alike, formula
from ntqr_exact.ledger.judgement import Finding, all_cases, all_of, as_printed, decided, equal
from ntqr_exact.ledger.orderings.method import BOOK, Terms, at, binary, differing_estimates, same_logs
from ntqr_exact.postulates.polynomial import Polynomial

_HALF = mpq(1, 2)
_INSIDE = [mpq(n, 24) for n in range(13, 24)]


def derivative(form: Polynomial, name: str) -> Polynomial:
    """Return the derivative by a variable in which the formula has degree 2 at most: a central difference."""
    up, down = (form.substitute({name: formula(f"{name} {sign} 1")}) for sign in "+-")
    return (up - down) / formula("2")


@BOOK.claim
def _(printed: int) -> Finding:
    r"""thm-1 | theorem 1 | 6
    On two labels each of the six scores is order-isomorphic to the $L^\infty$ norm $a\ge1-a$, which lies in [0.5, 1].
    """
    vectors = [ProbabilityVector((a, 40 - a), 40) for a in range(41)]
    proofs = {name: binary_proof(name) for name in SIX}
    proven = [name for name in SIX if not proofs[name].problems() and compare_orders("max", name, vectors).isomorphic]
    return as_printed(
        len(proven) == printed,
        *(f"{name}: with a = max p, g′(a) = {proofs[name].derivative_text()}, positive on (1/2, 1)" for name in proven),
        "the same order on all 41 vectors (i, 40 − i)/40, ties included",
    )


@BOOK.table
def _chain(printed: str, score: str) -> Finding:
    """
    thm-1/proof-2 | theorem 1, proof of item 2 | a**2 + (1 - a)**2 = 2*a**2 - 2*a + 1 | l2
        $a^2+(1-a)^2=2a^2-2a+1$, strictly monotone on [0.5, 1].
    thm-1/proof-3 | theorem 1, proof of item 3
        | |a - 0.5| + |(1 - a) - 0.5| = a - 0.5 + 0.5 - 1 + a = 2*a - 1 | l1-uniform
        $|a-0.5|+|(1-a)-0.5|=2a-1$, strictly monotone on [0.5, 1].
    thm-1/proof-4 | theorem 1, proof of item 4
        | (a - 0.5)**2 + (1 - a - 0.5)**2 = 2*(a - 0.5)**2 = 2*a**2 - 2*a + 0.5 | l2-uniform
        $(a-0.5)^2+(1-a-0.5)^2=2(a-0.5)^2=2a^2-2a+0.5$, strictly monotone on [0.5, 1].
    """

    def side(text: str) -> Polynomial:
        def sign(match: re.Match[str]) -> str:
            return f"({match[1]})" if at(formula(match[1]), a=1) > 0 else f"(0 - ({match[1]}))"

        return formula(re.sub(r"\|([^|]*)\|", sign, text))

    sides, key = [side(text) for text in printed.split(" = ")], SCORES[score].key
    last = sides[-1]
    equal_sides = all(alike(one, last) for one in sides)
    points = (_HALF, *_INSIDE, mpq(1))
    at_points = all(at(last, a=a) == key(ProbabilityVector.of([a, 1 - a])) for a in points)
    slope = derivative(last, "a")
    rises = at(slope, a=_HALF) >= 0 and at(slope, a=mpq(3, 4)) > 0 and at(slope, a=1) >= 0
    return as_printed(
        equal_sides and at_points and rises,
        f"all {len(sides)} sides are equal, and equal to {score} (squared, if a root) at 13 points of [1/2, 1]"
        if equal_sides and at_points
        else f"the first side is {sides[0]}, the last {last}",
        f"its derivative is {slope}, positive on (1/2, 1)",
    )


@BOOK.claim
def _(printed: tuple[str, str]) -> Finding:
    r"""thm-1/proof-2/equivalences | theorem 1, proof of item 2 | 2*a**2 + 1 - 2*a; a**2 - a
    $\|p\|_2<\|q\|_2$ iff $2a^2+1-2a<2b^2+1-2b$ iff $a^2-a<b^2-b$ iff $a<b$.
    """
    norm, reduced = printed
    squared, short = (formula(text.replace("a", "b")) - formula(text) for text in (norm, reduced))
    factored = formula("(b - a)*(a + b - 1)")
    return as_printed(
        alike(squared, formula("2") * factored) and alike(short, factored) and alike(formula(norm), "a**2 + (1 - a)**2"),
        "(2b² − 2b + 1) − (2a² − 2a + 1) = 2[(b² − b) − (a² − a)] = 2(b − a)(a + b − 1)",
        "a + b − 1 ≥ 0 on [1/2, 1], and 0 only at a = b = 1/2: the sign is that of b − a",
    )


@BOOK.claim
def _(printed: str) -> Finding:
    r"""thm-1/proof-5 | theorem 1, proof of item 5 | [0.5, 1] | verdict=misprint
    The derivative $\log a-\log(1-a)$ of negative entropy is positive for a in [0.5, 1].
    quote: $\log(a) - \log(1 - a)$, which is $> 0$ for $a \in [0.5, 1]$
    right: (0.5, 1)
    instead: $> 0$ for $a \in (0.5, 1)$
    why: At $a=1/2$ the derivative is 0, and at $a=1$ it has no value. It is positive between, which is enough for the
    conclusion.
    """
    low, high = map(mpq, printed[1:-1].split(", "))
    inside = not binary_proof("entropy").problems() and _HALF <= low <= high <= 1
    lines, good = [], True
    for end in (low, high) if printed.startswith("[") else ():
        sign = None if end in (0, 1) else log_sum_sign([(1, end), (-1, 1 - end)])
        good = good and sign == 1
        words = "has no value" if sign is None else {0: "is 0", 1: "is positive", -1: "is negative"}[sign]
        lines.append(f"at a = {end}, log a − log(1 − a) {words}")
    return as_printed(inside and good and low == _HALF and high == 1, *lines, "it is positive between 1/2 and 1")


def _logs(printed: tuple[str, ...], a: mpq) -> Terms:
    """Return a factor and terms "c log m" in a as coefficients and arguments of logarithms."""
    terms = [text.split(" log ") for text in printed[1:]]
    factor = at(formula(printed[0]))
    return [(factor * at(formula(c), a=a), at(formula(m), a=a)) for c, m in terms]


def _jeffreys(vector: ProbabilityVector) -> Terms:
    """Return half of KL(p‖u) + KL(u‖p): the terms (p − 1/k)/2 · log(kp)."""
    k = vector.labels
    return [((p - mpq(1, k)) / 2, k * p) for p in vector if p]


@BOOK.claim
def _(printed: tuple[str, ...]) -> Finding:
    r"""thm-1/proof-6 | theorem 1, proof of item 6
    | 1/2; a log a/0.5; 1 - a log (1 - a)/0.5; 0.5 log 0.5/a; 0.5 log 0.5/(1 - a) | verdict=wrong | essential
    The Jensen-Shannon distance is
    $\frac12[a\log\frac{a}{0.5}+(1-a)\log\frac{1-a}{0.5}+0.5\log\frac{0.5}{a}+0.5\log\frac{0.5}{1-a}]$,
    strictly increasing for a in [0.5, 1].
    quote: $\frac{1}{2}[a \log \frac{a}{0.5} + (1 - a) \log \frac{1-a}{0.5} + 0.5 \log \frac{0.5}{a} + 0.5 \log
    \frac{0.5}{1-a}]$
    right: 1/2; a log 2*a/(a + 0.5); 1 - a log 2*(1 - a)/(1.5 - a); 0.5 log 1/(a + 0.5); 0.5 log 1/(1.5 - a)
    instead:
    $\frac12\left[a\log\frac{2a}{a+0.5}+(1-a)\log\frac{2(1-a)}{1.5-a}+0.5\log\frac{1}{a+0.5}+0.5\log\frac{1}{1.5-a}\right]$
    why: This is half of Jeffreys' divergence $KL(p\|u)+KL(u\|p)$. The Jensen-Shannon distance compares both vectors with their
    mean $m=(p+u)/2$; it is finite at $a=1$, where the printed formula is not. Theorem 1 stands for both, but on three labels
    they order differently.
    by hand: At $a=1$ the last printed term is infinite; the Jensen-Shannon distance is at most $\log 2$.
    """
    vectors = {a: ProbabilityVector.of([a, 1 - a]) for a in _INSIDE}
    is_js = all(same_logs(_logs(printed, a), "jensen-shannon", vectors[a]) for a in _INSIDE)
    is_jeffreys = all(log_sum_sign([*_logs(printed, a), *((-c, m) for c, m in _jeffreys(vectors[a]))]) == 0 for a in _INSIDE)
    rises = all(log_sum_sign([*_logs(printed, a), (-(a - _HALF) / 2, a), ((a - _HALF) / 2, 1 - a)]) == 0 for a in _INSIDE)
    quarter = sum((c * enclose_log(m) for c, m in _jeffreys(vectors[mpq(3, 4)])), Enclosure(0)).lower
    inverted = next(
        (p, q)
        for n in range(3, 13)
        for p in vectors_over(n, labels=3)
        for q in vectors_over(n, labels=3)
        if all((*p, *q)) and compare_scores("jensen-shannon", p, q) > 0
        and log_sum_sign([*_jeffreys(p), *((-c, m) for c, m in _jeffreys(q))]) < 0
    )  # fmt: skip
    return decided(
        is_js,
        f"at {len(_INSIDE)} points between 1/2 and 1 it {'is' if is_jeffreys else 'is not'} half of Jeffreys' "
        "KL(p‖u) + KL(u‖p), which has no value at a = 1",
        "it rises strictly: it is (a − 1/2)/2 · log(a/(1 − a)), a product of two positive factors that rise" if rises else "",
        f"at 3/4 half of Jeffreys is {fixed_text(quarter, 6)}; on three labels the two order "
        f"{' and '.join(map(str, inverted))} differently",
        arose="the mixture m was left out: each is compared with the other, not with their mean" if is_jeffreys else "",
    )


@BOOK.claim
def _(printed: int) -> Finding:
    """sec-2-4/summary | section 2.4, end; section 4; abstract | 6
    On two labels all six scores induce one ordering, so that the choice does not matter for the estimate.
    """
    vectors, tops = [ProbabilityVector((a, 24 - a), 24) for a in range(25)], binary("1/2", "2/3", "3/4", "1")
    alike_orders = all(compare_orders(one, other, vectors).isomorphic for one, other in combinations(SIX, 2))
    samples = product(product(tops, repeat=2), tops, (mpq(1, 4), mpq(1, 2)), TieRule)
    one_estimate = all(
        len({atc(list(source), [target], error=gamma, score=name, tie_rule=rule).estimate for name in SIX}) == 1
        for source, target, gamma, rule in samples
    )
    return as_printed(
        printed == len(SIX) and alike_orders and one_estimate,
        f"all pairs of the {len(SIX)} scores order 25 vectors of two labels alike, and have one estimate on small samples, if "
        "ties of eq. 2 go by one rule",
    )


_TWINS = ("l2", "l2-uniform")
_PAIRS = [pair for pair in combinations(SIX, 2) if set(pair) != set(_TWINS)]
_LARGEST = 16


@cache
def _search(left: str, right: str, labels: int) -> InversionSearch:
    return smallest_inversion(left, right, labels=labels, max_denominator=_LARGEST)


def _pair_text(left: str, right: str) -> str:
    result = _search(left, right, 3)
    one, other = result.inversions[0].over(result.denominator)
    return f"{one}/{result.denominator} and {other}/{result.denominator}"


def _both(
    printed: tuple[mpq, ...], what: str, of: Callable[[ProbabilityVector], mpq], p: ProbabilityVector, q: ProbabilityVector
) -> dict[str, Finding]:
    """Compare two printed values with something of p and q."""
    pairs = zip(printed, ("p", "q"), (p, q), strict=True)
    return {f"{what} of {name}": equal(value, of(vector), f"{what} of {name}") for value, name, vector in pairs}


@BOOK.claim
def _(printed: dict[str, tuple[mpq, ...]]) -> Finding:
    r"""sec-2-5/counterexample | section 2.5
    | p: 0.5, 0.2, 0.3; q: 0.5, 0.5, 0; squared norms: 0.38, 0.5; maxima: 0.5, 0.5
    $p=(0.5,0.2,0.3)$ and $q=(0.5,0.5,0)$ have $\|p\|_2^2=0.38$, $\|q\|_2^2=0.5$ and both maximum 0.5; as $\mathbb R^3$
    is a subspace, theorem 1 fails for all larger dimensions too.
    note: distances to uniform change with k; for pairs of those, each k needs its own counterexample
    """
    p, q = ProbabilityVector.of(printed["p"]), ProbabilityVector.of(printed["q"])
    padded = [[ProbabilityVector.of([*v, *[mpq(0)] * n]) for v in (printed["p"], printed["q"])] for n in range(5)]
    order = decided(
        all(compare_scores("l2", *pair) < 0 and compare_scores("max", *pair) == 0 for pair in padded),
        "L2 puts p below q, and the maximum ties them, also with zeros for 4 to 7 labels; a strict inversion of smallest "
        f"denominator is {_pair_text('max', 'l2')}",
    )
    squares = _both(printed["squared norms"], "squared norm", lambda v: sum((x**2 for x in v), mpq(0)), p, q)
    return all_of({**squares, **_both(printed["maxima"], "maximum", max, p, q), "order": order})


@BOOK.claim
def _(printed: int) -> Finding:
    """sec-2-5/others | section 2.5 | 14
    On three labels and more one pair of the 15 orders alike, L2 norm and L2 to uniform; all 14 others order some vectors
    differently, and need not have the same estimate.
    """
    inverted = [pair for pair in _PAIRS if all(_search(*pair, k).found and _search(*pair, k).holds() for k in (3, 4))]
    lines = [f"{one} and {other}: {_pair_text(one, other)}, in this order" for one, other in inverted]
    twins, (text, result) = any(_search(*_TWINS, k).found for k in (3, 4)), differing_estimates("max", "entropy")
    return as_printed(
        printed == len(inverted) and not twins and len(set(result)) == 2,
        f"{len(inverted)} pairs have strict inversions on 3 and on 4 labels, of smallest denominators; the L2 norm and the L2 "
        f"distance to uniform have none up to denominator {_LARGEST}, and theorem 2 proves it",
        *lines,
        text,
    )


_SIZES = (2, 3, 4, 5)


def _names(k: int) -> list[str]:
    return [f"p{i}" for i in range(1, k)]


def _rest(k: int) -> Polynomial:
    return formula(" + ".join(_names(k)))


def _squared_distance(k: int, shift: Polynomial) -> Polynomial:
    """Return Σ (p_i − shift)² with p_k = 1 − p_1 − … − p_(k−1)."""
    total = formula("0")
    for component in [*map(formula, _names(k)), formula("1") - _rest(k)]:
        total = total + (component - shift) ** 2
    return total


def _number(value: mpq | int) -> Polynomial:
    return formula(str(value))


def _written(printed: str, k: int, **more: Polynomial) -> Polynomial:
    return formula(printed).substitute({"S": _rest(k), "k": _number(k), **more})


@BOOK.claim
def _(printed: str) -> Finding:
    r"""thm-2 | theorem 2 | 1/k
    On the simplex of k labels $\|p\|_2$ and $\|p-1/k\|_2$ are order-isomorphic; their squares differ by $1/k$.
    note: Σ (pᵢ − 1/k)² = Σ pᵢ² − (2/k) Σ pᵢ + 1/k = Σ pᵢ² − 1/k where Σ pᵢ = 1, with k as a symbol, and written out for
    k = 2 to 5 // so the squared scores differ by a constant, and lemma 3 applies
    """
    # Of each component (p − c)² − p² = c² − 2cp; over k components of sum 1 this is kc² − 2c.
    one = alike(formula("(p - c)**2 - p**2"), "c**2 - 2*c*p")
    every = alike(formula("0 - (k*c**2 - 2*c)", {"c": "1/k"}), printed)
    gaps = {k: _squared_distance(k, _number(0)) - _squared_distance(k, _number(mpq(1, k))) for k in _SIZES}
    return as_printed(one and every and all(alike(gap, _written(printed, k)) for k, gap in gaps.items()))


@BOOK.claim
def _(printed: tuple[str, str, str, str]) -> Finding:
    r"""thm-2/proof-forms | theorem 2, proof | p**2; (1 - S)**2; (p - 1/k)**2; (1 - 1/k - S)**2
    With $p_k$ substituted, $s=\sum p_i^2+(1-\sum p_i)^2$ and $\hat s=\sum(p_i-\frac1k)^2+(1-\frac1k-\sum p_i)^2$.
    """
    parts = {}
    for name, (term, last), shift in (("s", printed[:2], 0), ("s hat", printed[2:], 1)):
        right = True
        for k in _SIZES:
            total = _written(last, k)
            for each in _names(k):
                total = total + _written(term, k, p=formula(each))
            right = right and alike(total, _squared_distance(k, _number(mpq(shift, k))))
        words = f"{name}, written out for k = 2 to 5, {'is' if right else 'is not'} the squared score"
        parts[name] = as_printed(right, words)
    return all_of(parts)


@BOOK.claim
def _(printed: tuple[str, str]) -> Finding:
    r"""thm-2/proof-gradients | theorem 2, proof | 2*pj - 2*(1 - S); 2*(pj - 1/k) - 2*(1 - 1/k - S)
    $\partial s/\partial p_j=2p_j-2(1-\sum p_i)$ and $\partial\hat s/\partial p_j=2(p_j-\frac1k)-2(1-\frac1k-\sum p_i)$ are
    equal.
    """
    right = alike(formula(printed[0]), printed[1])
    for k, shift in product(_SIZES, (0, 1)):
        true = derivative(_squared_distance(k, _number(mpq(shift, k))), "p1")
        right = right and alike(_written(printed[shift], k, pj=formula("p1")), true)
    return as_printed(right, "they are compared with the derivatives by p_1 for k = 2 to 5, with S = p_1 + … + p_(k−1)")


@BOOK.claim
def _(printed: str) -> Finding:
    r"""thm-2/proof-mean-value | theorem 2, proof | 1/k
    By the mean value theorem, equal gradients make $s$ and $\hat s$ differ by a constant only; it is $1/k$.
    note: the simplex is convex: any two of its points are joined by a segment in it, as the mean value theorem needs
    """
    flat = value = True
    for k in _SIZES:
        gap = _squared_distance(k, _number(0)) - _squared_distance(k, _number(mpq(1, k)))
        flat = flat and all(alike(derivative(gap, name), "0") for name in _names(k))
        vertex = gap.substitute(dict.fromkeys(_names(k), _number(0)))
        value = value and alike(vertex, _written(printed, k))
    return as_printed(
        flat and value,
        "for k = 2 to 5 every derivative of s − ŝ vanishes, and its value at the vertex p_k = 1 is "
        f"{'' if value else 'not '}{printed}",
    )


@BOOK.claim
def _(printed: str) -> Finding:
    """thm-2/remark-equal-components | theorem 2, remark | k*c**2 - 2*c
    Theorem 2 holds for the distance to any vector of equal components c: the squares differ by $kc^2-2c$; on the simplex only
    the uniform one is such.
    """
    there = all(
        alike(_squared_distance(k, formula("c")) - _squared_distance(k, _number(0)), _written(printed, k)) for k in _SIZES
    )

    def shifts(vector: ProbabilityVector) -> bool:
        # ‖p − r‖² − ‖p‖² is affine in p, so it is constant iff it is the same at all vertices.
        places = range(vector.labels)
        return len({sum(((int(i == j) - r) ** 2 for j, r in enumerate(vector)), mpq(0)) for i in places}) == 1

    cases = (
        (str(vector), shifts(vector) == (vector == ProbabilityVector([1] * k, k)))
        for k in (2, 3, 4)
        for n in range(1, 9)
        for vector in vectors_over(n, labels=k)
    )
    text = f"‖p − (c, …, c)‖² − ‖p‖² {'is' if there else 'is not'} {printed} for k = 2 to 5, whatever p"
    only = all_cases(cases, checked="vectors of 2 to 4 labels: only the uniform one shifts by a constant")
    return all_of({"constant": as_printed(there, text), "only": only})


@BOOK.claim
def _(printed: dict[str, tuple[mpq, ...]]) -> Finding:
    """thm-2/remark-fixed-vector | theorem 2, remark
    | r: 0.3, 0.7; p: 0.4, 0.6; q: 0.5, 0.5; norms: 0.52, 0.5; distances: 0.02, 0.08
    For $r=(0.3,0.7)$, $p=(0.4,0.6)$, $q=(0.5,0.5)$: norms $0.52>0.5$, distances $0.02<0.08$.
    """
    p, q = ProbabilityVector.of(printed["p"]), ProbabilityVector.of(printed["q"])
    inverted = compare_orders("l2", distance_score(printed["r"]), [p, q]).relation is OrderRelation.INVERTED
    order = decided(inverted, "the norm puts p above q, the distance to r puts it below")

    def away(vector: ProbabilityVector) -> mpq:
        return sum(((x - r) ** 2 for x, r in zip(vector, printed["r"], strict=True)), mpq(0))

    norms = _both(printed["norms"], "squared norm", lambda v: sum((x**2 for x in v), mpq(0)), p, q)
    return all_of({**norms, **_both(printed["distances"], "squared distance to r", away, p, q), "order": order})
