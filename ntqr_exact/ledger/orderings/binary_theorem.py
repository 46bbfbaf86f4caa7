"""Maaz et al. 2023, section 2.4: theorem 1 with its six items, and the lines of its proof."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, constant
from ntqr_exact.confidence.binary import binary_proof, positive_on_half
from ntqr_exact.confidence.inversions import smallest_inversion
from ntqr_exact.confidence.keys import LogSumKey
from ntqr_exact.confidence.ordering import compare_orders
from ntqr_exact.confidence.probability_vector import ProbabilityVector
from ntqr_exact.confidence.scores import SCORES, SIX, ScoreFunction
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.logsum import log_sum_sign
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, by_reading, counterexample, decided
from ntqr_exact.ledger.orderings.printed_scores import at, exact_formula

HALF = mpq(1, 2)
INSIDE = [mpq(n, 24) for n in range(13, 24)]
"""Points inside (1/2, 1)."""

RIGHT_DIVERGENCE = (
    "1/2: a log 2*a/(a + 0.5); 1 - a log 2*(1 - a)/(1.5 - a); 0.5 log 1/(a + 0.5); 0.5 log 1/(1.5 - a)"
)
"""Jensen-Shannon of (a, 1 − a) to (½, ½), factor and terms c log m."""


def _orders_as_max(score: str, _: str) -> Finding:
    """Check the symbolic proof that g′ > 0 on (1/2, 1), and compare orders on a grid with both ends."""
    proof = binary_proof(score)
    problems = proof.problems()
    vectors = [ProbabilityVector((a, 40 - a), 40) for a in range(41)]
    same = compare_orders("max", score, vectors).isomorphic
    return decided(
        not problems and same,
        f"with a = max p, g′(a) = {proof.derivative_text()}, and each part is positive on (1/2, 1)",
        "the same order on all 41 vectors (i, 40 − i)/40, ties included",
    )


def _resolved(text: str) -> Formula:
    """Read a side of an equation, with |x| as x or −x by its sign at a = 3/4; x is linear, zero at 1/2 at most."""

    def without_bars(match: re.Match[str]) -> str:
        inside = exact_formula(match[1])
        if at(inside, a=HALF) * at(inside, a=1) < 0:
            raise BadDocument(match[0], "the sign changes inside [1/2, 1]")
        return f"({match[1]})" if at(inside, a=mpq(3, 4)) > 0 else f"(0 - ({match[1]}))"

    return exact_formula(re.sub(r"\|([^|]+)\|", without_bars, text))


def _chain(score: str, printed: str) -> Finding:
    """Prove each side of a printed chain equal, and equal to the key of the score; then that it rises."""
    sides = [side.strip() for side in printed.split("=")]
    formulas = [_resolved(side) for side in sides]
    key = SCORES[score].key
    last = formulas[-1]
    at_points = all(at(last, a=a) == key(ProbabilityVector.of([a, 1 - a])) for a in (HALF, *INSIDE, mpq(1)))
    equal_sides = all(one.equals(last) for one in formulas)
    slope = last.substitute({"a": exact_formula("a + h")}) - last
    first_order = constant(0)
    for monomial, coefficient in slope.numerator.terms.items():
        powers = dict(monomial)
        if powers.get("h") == 1:
            first_order = first_order + constant(coefficient) * exact_formula("a") ** powers.get("a", 0)
    rises = positive_on_half([_coefficient(first_order, power) for power in range(3)])
    return decided(
        equal_sides and at_points and rises,
        f"all {len(sides)} sides are equal, and equal to {score} (squared, if a root) at 13 points of [1/2, 1]"
        if equal_sides and at_points
        else f"{sides[0]} = {_resolved(sides[0])}",
        f"its derivative {first_order} is positive on (1/2, 1)",
        right=str(_resolved(sides[0])),
        slip=True,
    )


def _coefficient(formula: Formula, power: int) -> mpq:
    terms = formula.numerator.terms
    return terms.get((("a", power),) if power else (), mpq(0))


def _quadratic(printed: str) -> Finding:
    """Check the chain of equivalences of item 2: both differences are positive multiples of g(a) − g(b)."""
    norm, reduced = printed.split("; ")
    squared = exact_formula(norm.replace("a", "b")) - exact_formula(norm)
    short = exact_formula(reduced.replace("a", "b")) - exact_formula(reduced)
    factored = exact_formula("(b - a)*(a + b - 1)")
    twice, whole = constant(2) * short, exact_formula("a**2 + (1 - a)**2")
    return decided(
        squared.equals(twice) and short.equals(factored) and exact_formula(norm).equals(whole),
        "(2b² − 2b + 1) − (2a² − 2a + 1) = 2[(b² − b) − (a² − a)] = 2(b − a)(a + b − 1)",
        "a + b − 1 ≥ 0 on [1/2, 1], and 0 only at a = b = 1/2: the sign is that of b − a",
        right="2*a**2 + 1 - 2*a; a**2 - a",
        slip=True,
    )


def _entropy_slope(printed: str) -> Finding:
    """Look at log a − log(1 − a) at both ends of the printed interval and between them."""
    match = re.fullmatch(r"([\[(])([\d.]+), ([\d.]+)([\])])", printed)
    if match is None:
        raise BadDocument(printed, "an interval is printed as [0.5, 1]")
    left, low, high, right = match.groups()
    ends = [rational(end) for end, closed in ((low, left == "["), (high, right == "]")) if closed]
    signs = {end: "undefined" if end == 1 else str(log_sum_sign([(1, end), (-1, 1 - end)])) for end in ends}
    inside = not binary_proof("entropy").problems() and rational(low) >= HALF and rational(high) <= 1
    return decided(
        inside and all(sign == "1" for sign in signs.values()),
        *(f"a = {end}: log a − log(1 − a) " + _sign_text(sign) for end, sign in signs.items()),
        "positive between 1/2 and 1, which is enough for a strict rise on the closed interval",
        right="> 0 for a in (0.5, 1)",
    )


def _sign_text(sign: str) -> str:
    return {"0": "is 0, not above it", "1": "is positive", "-1": "is negative"}.get(sign, "has no value")


def read_divergence(text: str) -> Callable[[mpq], list[tuple[mpq, mpq]]]:
    """Return the terms (coefficient, argument) of `factor: c log m; c log m; …` as functions of a."""
    head, _, body = text.partition(": ")
    factor = at(exact_formula(head))
    parts = [tuple(exact_formula(side) for side in part.split(" log ")) for part in body.split("; ")]
    if any(len(part) != 2 for part in parts):
        raise BadDocument(text, "a divergence is a factor and terms c log m")
    return lambda a: [(factor * at(c, a=a), at(m, a=a)) for c, m in parts]


def _same(terms: list[tuple[mpq, mpq]], score: ScoreFunction, a: mpq) -> bool:
    key = score.key(ProbabilityVector.of([a, 1 - a]))
    if not isinstance(key, LogSumKey):
        return False
    return log_sum_sign([*terms, *((mpq(-c, key.divisor), mpq(m)) for c, m in key.terms)]) == 0


def _jensen_shannon(printed: str) -> Finding:
    """Compare the printed formula with Jensen-Shannon, and with half of Jeffreys' divergence."""
    terms = read_divergence(printed)
    is_js = all(_same(terms(a), SCORES["jensen-shannon"], a) for a in INSIDE)
    is_jeffreys = all(_same(terms(a), SCORES["jensen-shannon-printed"], a) for a in INSIDE)
    verified = all(_same(read_divergence(RIGHT_DIVERGENCE)(a), SCORES["jensen-shannon"], a) for a in INSIDE)
    three = smallest_inversion("jensen-shannon", "jensen-shannon-printed", labels=3, max_denominator=12)
    inverted = (three.inversions[0].higher_left, three.inversions[0].higher_right) if three.found else ()
    a = mpq(3, 4)
    values = {
        name: LogSumKey.decimal(key, 6)
        for name in ("jensen-shannon-printed", "jensen-shannon")
        if isinstance(key := SCORES[name].key(ProbabilityVector.of([a, 1 - a])), LogSumKey)
    }
    return decided(
        is_js,
        f"at {len(INSIDE)} points it {'is' if is_jeffreys else 'is not'} half of Jeffreys' KL(p‖u) + KL(u‖p)",
        f"a = 3/4: half of Jeffreys is {values['jensen-shannon-printed']}, Jensen-Shannon {values['jensen-shannon']}",
        "on three labels the two order differently: " + " and ".join(map(str, inverted)),
        right=f"½KL(p‖m) + ½KL(u‖m) with m = (p + u)/2, that is {RIGHT_DIVERGENCE}" if verified else "",
        slip=True,
        arose="the mixture m was left out: each is compared with the other, not with their mean"
        if is_jeffreys
        else "",
    )


def _printed_rises(_: str) -> Finding:
    proof = binary_proof("jensen-shannon-printed")
    key = SCORES["jensen-shannon-printed"].key(ProbabilityVector((1, 0), 1))
    infinite = isinstance(key, LogSumKey) and key.infinite
    return by_reading(
        {
            "for a below 1": decided(
                not proof.problems(), f"derivative {proof.derivative_text()}, positive on (1/2, 1)"
            ),
            "at a = 1 too": decided(
                not infinite,
                "½ log(½/(1 − a)) has no value at a = 1: the formula is +∞ at vertices, no real score",
                right="strictly increasing on [0.5, 1), and without bound at 1; Jensen-Shannon itself is finite there",
            ),
        }
    )


def _parameters(printed: str) -> Finding:
    """Put the larger component first: it is the norm, and its range is the interval."""
    low, high = map(rational, printed.split())
    tops = {max(ProbabilityVector((i, 12 - i), 12)) for i in range(13)}
    return decided(
        (min(tops), max(tops)) == (low, high),
        f"max p over all p of two labels runs from {min(tops)} to {max(tops)}; all six scores are symmetric",
        right=f"{min(tops)} {max(tops)}",
        slip=True,
    )


def _all_pairs(printed: str) -> Finding:
    """Compare all pairs of the scores named, on a grid."""
    vectors = [ProbabilityVector((a, 24 - a), 24) for a in range(25)]
    cases = (
        (f"{one} and {other}", compare_orders(one, other, vectors).isomorphic)
        for one, other in combinations(SIX, 2)
    )
    count = int(printed)
    return all_of(
        {
            "orders": counterexample(cases, checked="pairs of the six scores on 25 vectors of two labels"),
            "number": decided(count == len(SIX), f"{len(SIX)} scores", right=str(len(SIX)), slip=True),
        }
    )


def _claim(
    key: str, place: str, kind: Kind, statement: str, check: Callable[[str], Finding], **more: str
) -> Claim:
    return Claim(f"orderings/{key}", place, kind, statement, check, **more)


_ITEMS = (
    ("max", r"the $L^\infty$ norm"),
    ("l2", r"the $L^2$ norm"),
    ("l1-uniform", r"the $L^1$ distance to uniform"),
    ("l2-uniform", r"the $L^2$ distance to uniform"),
    ("entropy", "negative entropy"),
    ("jensen-shannon", "the Jensen-Shannon distance to uniform"),
)

CLAIMS: tuple[Claim, ...] = (
    *(
        _claim(
            f"thm-1/{number}",
            f"theorem 1, item {number}",
            Kind.THEOREM,
            rf"On two labels {words} is order-isomorphic to the $L^\infty$ norm.",
            partial(_orders_as_max, score),
        )
        for number, (score, words) in enumerate(_ITEMS, start=1)
    ),
    _claim(
        "thm-1/proof-range",
        "theorem 1, proof",
        Kind.SENTENCE,
        r"With $a\ge 1-a$ the larger component lies in [0.5, 1] and is the $L^\infty$ norm.",
        _parameters,
        printed="0.5 1",
    ),
    _claim(
        "thm-1/proof-2",
        "theorem 1, proof of item 2",
        Kind.IDENTITY,
        r"$a^2+(1-a)^2=2a^2-2a+1$, strictly monotone on [0.5, 1].",
        partial(_chain, "l2"),
        printed="a**2 + (1 - a)**2 = 2*a**2 - 2*a + 1",
    ),
    _claim(
        "thm-1/proof-2/equivalences",
        "theorem 1, proof of item 2",
        Kind.IDENTITY,
        r"$\|p\|_2<\|q\|_2$ iff $2a^2+1-2a<2b^2+1-2b$ iff $a^2-a<b^2-b$ iff $a<b$.",
        _quadratic,
        printed="2*a**2 + 1 - 2*a; a**2 - a",
    ),
    _claim(
        "thm-1/proof-3",
        "theorem 1, proof of item 3",
        Kind.IDENTITY,
        r"$|a-0.5|+|(1-a)-0.5|=2a-1$, strictly monotone on [0.5, 1].",
        partial(_chain, "l1-uniform"),
        printed="|a - 0.5| + |(1 - a) - 0.5| = a - 0.5 + 0.5 - 1 + a = 2*a - 1",
    ),
    _claim(
        "thm-1/proof-4",
        "theorem 1, proof of item 4",
        Kind.IDENTITY,
        r"$(a-0.5)^2+(1-a-0.5)^2=2(a-0.5)^2=2a^2-2a+0.5$, strictly monotone on [0.5, 1].",
        partial(_chain, "l2-uniform"),
        printed="(a - 0.5)**2 + (1 - a - 0.5)**2 = 2*(a - 0.5)**2 = 2*a**2 - 2*a + 0.5",
    ),
    _claim(
        "thm-1/proof-5",
        "theorem 1, proof of item 5",
        Kind.SENTENCE,
        r"The derivative $\log a-\log(1-a)$ of negative entropy is positive for a in [0.5, 1].",
        _entropy_slope,
        printed="[0.5, 1]",
    ),
    _claim(
        "thm-1/proof-6",
        "theorem 1, proof of item 6",
        Kind.DEFINITION,
        r"The Jensen-Shannon distance is $\frac12[a\log\frac{a}{0.5}+(1-a)\log\frac{1-a}{0.5}"
        r"+0.5\log\frac{0.5}{a}+0.5\log\frac{0.5}{1-a}]$.",
        _jensen_shannon,
        printed="1/2: a log a/0.5; 1 - a log (1 - a)/0.5; 0.5 log 0.5/a; 0.5 log 0.5/(1 - a)",
    ),
    _claim(
        "thm-1/proof-6/increasing",
        "theorem 1, proof of item 6",
        Kind.SENTENCE,
        "The printed formula of item 6 is strictly increasing for a in [0.5, 1].",
        _printed_rises,
    ),
    _claim(
        "sec-2-4/summary",
        "section 2.4, end; abstract",
        Kind.THEOREM,
        "On two labels all six scores induce one ordering.",
        _all_pairs,
        printed="6",
    ),
)
