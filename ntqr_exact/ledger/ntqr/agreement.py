"""Claims of section 4: agreement rates and the solution that is built on them, eqs. 18 to 23."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.algebra.ideal import Ideal
from ntqr_exact.algebra.polynomial import Polynomial
from ntqr_exact.evaluators.agreement_solution import solve_agreement
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, counterexample, decided, equal
from ntqr_exact.ledger.ntqr.counting import definition, small_tests, value_in
from ntqr_exact.ledger.ntqr.identities import (
    Hypothesis,
    Repair,
    hypotheses,
    identity,
    in_parameters,
    shown,
    written_test,
)
from ntqr_exact.ledger.ntqr.joint_errors import product_rule_fails
from ntqr_exact.ledger.ntqr.symbols import read, symbols, written
from ntqr_exact.ledger.ntqr.synthetic_trio import synthetic_votes
from ntqr_exact.postulates.derivations import derive
from ntqr_exact.postulates.pair import pair

_PAIRS = ("12", "13", "23")


def _events(printed: str) -> Finding:
    left, right = printed.split("=")
    patterns = len([each for each in pair().rates if each.name.startswith("26")])
    counted = equal(right.strip(), mpq(patterns), "the number of patterns of two judges")
    return counted if read(left).evaluate({}) == patterns else equal(left.strip(), mpq(patterns), "2²")


def _agreement_is_a_postulate(_printed: str) -> Finding:
    known = pair().rates
    claim = read("a12").polynomial() - read("fa1a2 + fb1b2").polynomial()
    total = known["26a"].polynomial + known["26d"].polynomial
    return decided(
        not in_parameters(claim + total),
        "a_{1,2} minus the right sides of 26a and 26d vanishes identically in P_a, x, y and Γ",
        f"so that a_{{1,2}} = {shown(in_parameters(read('a12').polynomial()))}",
    )


def _dependent(_printed: str) -> Finding:
    known = pair().rates
    others = Ideal([known[name].polynomial for name in ("5", "18", "26a", "26b", "26c")])
    images = {number: set(in_parameters(read(f"a{number}").polynomial()).variables()) for number in _PAIRS}
    alone = {
        number: sorted(images[number] - set().union(*(images[other] for other in _PAIRS if other != number)))
        for number in _PAIRS
    }
    return by_reading(
        {
            "the complete postulates 26": decided(
                others.contains(known["26d"].polynomial), "26d follows from 26a, 26b, 26c, 18 and 5"
            ),
            "the agreement equations of three pairs": decided(
                not all(alone.values()),
                "each agreement rate holds error correlations of its own pair that no other one holds",
                right="given these, the three agreement rates are independent of each other",
            ),
        }
    )


def _not_linear(printed: str) -> Finding:
    claim = read(printed).polynomial()
    degree = in_parameters(read("a12").polynomial()).degree
    return by_reading(
        {
            "in the error rates e_i, e_j and e_ij": decided(
                claim.degree > 1,
                f"{written(printed)} has degree {claim.degree}: it is linear",
                right="linear in these, and with e_ij = e_i·e_j no longer",
            ),
            "in P_a, the accuracies and Γ": decided(degree > 1, f"there it has degree {degree}"),
        }
    )


def _product_rule(printed: str) -> Finding:
    rest = in_parameters(read(printed).polynomial(), Hypothesis.PRODUCT_RULE)
    return by_reading(
        {
            "errors independent given the true label": product_rule_fails(printed),
            "errors independent over the whole test": decided(
                bool(rest), "then it is what independence of two events means", right="the rule is no error"
            ),
        }
    )


def _platanios(_printed: str) -> Finding:
    proven = not derive("22").problems() and not derive("23").problems()
    return by_reading(
        {
            "for judges who err independently given the true label": _missed(),
            "for judges with e_ij = e_i·e_j over the whole test": decided(
                not proven,
                "with c² = Π(2a − 1), eqs. 22 and 23 are derived from e_ij = e_i·e_j; the checker accepts it",
                right="under this hypothesis the solution is right",
            ),
        }
    )


def _missed() -> Finding:
    """Look for the smallest test with independent judges whose error rates eq. 22 does not give."""
    for test in small_tests(3):
        if all(each.residual(test) == 0 for each in hypotheses(Hypothesis.INDEPENDENT)):
            true = tuple(value_in(test, symbols()[f"e{number}"].variables()[0]) for number in (1, 2, 3))
            solution = solve_agreement(test.observed())
            if solution.branches and true not in solution.branches:
                given = ", ".join(map(str, solution.branches[0]))
                return decided(
                    True, f"{written_test(test)}: errors {', '.join(map(str, true))}, but eq. 22 has {given}"
                )
    return decided(False, "no small test shows it")


def _three_readings(printed: str) -> Finding:
    rates, errors = (int(number) for number in re.findall(r"\d+", printed))
    counted = len(list(combinations(range(3), 2)))
    return decided(
        (rates, errors) == (counted, 3),
        f"three judges have {counted} agreement rates and 3 error rates",
        f"n judges have n(n−1)/2 rates for n errors, which is at least n from n = {_enough()} on",
        right=f"{counted} and 3",
        slip=True,
    )


def _enough() -> int:
    return next(n for n in range(2, 9) if n * (n - 1) // 2 >= n)


def _solution_22(printed: str) -> Finding:
    """Put e_ij = e_i·e_j and c = ±Π(1 − 2e) into eq. 22 with each choice of signs; like signs go together."""
    product = symbols()["c"]
    solved = {}
    for above, below in ((1, 1), (-1, -1), (1, -1), (-1, 1)):
        signs = {"above": Polynomial.constant(above), "below": Polynomial.constant(below)}
        claim = read(printed, signs).numerator
        roots = (claim, claim.substitute({product.variables()[0]: -product}))
        solved[above, below] = any(not in_parameters(root, Hypothesis.PRODUCT_RULE) for root in roots)
    good = [f"({above:+d}, {below:+d})" for (above, below), fits in solved.items() if fits]
    return decided(
        solved[1, 1] and solved[-1, -1],
        f"signs (above, below) that solve e_ij = e_i·e_j, with c = ±Π(1 − 2e): {', '.join(good) or 'none'}",
        "both ± are the same sign, as usual, and the two signs are the two solutions e_i and 1 − e_i",
        "it needs c² = Π(2a − 1): with the c printed in eq. 23 three perfect judges would have "
        f"e_1 = {_perfect_judges(printed)}",
        "where some a_jk is 1/2, as with a judge who errs half the time, it is 0/0",
        right="e_i = 1/2 ± c/(2(1 − 2a_jk))",
        slip=True,
    )


def _perfect_judges(printed: str) -> mpq:
    """Return e_1 of three perfect judges by eqs. 22 and 23 as printed: all agreement rates are 1, so that c is 0."""
    rates = {symbols()[f"a{number}"].variables()[0]: mpq(1) for number in _PAIRS}
    square = mpq(read(PRINTED_SQUARE_OF_C).polynomial().evaluate(rates))  # type: ignore[arg-type]
    signs = {"above": Polynomial.constant(1), "below": Polynomial.constant(1)}
    values = {**rates, symbols()["c"].variables()[0]: Surd.sqrt(square).rational}
    values[symbols()["e1"].variables()[0]] = mpq(0)
    return -mpq(read(printed, signs).evaluate(values))  # type: ignore[arg-type]


def _whole_ratios(_printed: str) -> Finding:
    def cases() -> Iterator[tuple[str, bool]]:
        for test in small_tests(1, 4):
            value = value_in(test, symbols()["e1"].variables()[0])
            yield (
                f"{written_test(test)}: e = {value}",
                value is not None and (value * test.size).denominator == 1,
            )

    return counterexample(
        cases(), checked="tests of up to 4 questions", proof="e_i is the number of wrong answers over Q"
    )


def _perfect_square(printed: str) -> Finding:
    """Three products of which the source says that none of them can be expected to be a square."""
    names = {symbols()[f"a{number}"].variables()[0]: f"a{number}" for number in _PAIRS}
    square = read(printed).polynomial()

    def root(votes_of: dict[str, mpq]) -> Surd:
        return Surd.sqrt(mpq(square.evaluate(votes_of)))  # type: ignore[arg-type]

    example = "none is small"
    for test in small_tests(3):
        if all(each.residual(test) == 0 for each in hypotheses(Hypothesis.PRODUCT_RULE)):
            rates = {name: value_in(test, name) or mpq(0) for name in names}
            if not root(rates).is_rational:
                example = f"{written_test(test)}: c = {root(rates)}"
                break
    right = solve_agreement(synthetic_votes()).square
    return by_reading(
        {
            "c as printed, where e_ij = e_i·e_j": decided(example != "none is small", example),
            "c² = Π(2a − 1), where e_ij = e_i·e_j": decided(
                bool(derive("23").problems()),
                "then c = (1−2e_1)(1−2e_2)(1−2e_3) is rational, so that the product always is a square",
                right="a perfect square follows from the hypothesis; there is no coincidence",
            ),
            "c² = Π(2a − 1), judges independent given the label": decided(
                not Surd.sqrt(right).is_rational, f"synthetic evaluation: c² = {right} is not a square"
            ),
        }
    )


PRINTED_SQUARE_OF_C = "(1 - a12)*(1 - a13)*(1 - a23)"
"""The square of c, as eq. 23 has it."""

_23 = Repair(
    "1 − a stands where 2a − 1 should, in all three factors",
    {f"1 - a{number}": f"2*a{number} - 1" for number in _PAIRS},
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/eq-18",
        "eq. 18",
        Kind.IDENTITY,
        "The four frequencies of two judges add up to 1.",
        partial(identity, name="18"),
        printed="fa1a2 + fa1b2 + fb1a2 + fb1b2 = 1",
    ),
    Claim(
        "ntqr/sec-4/four-events",
        "section 4, after eq. 18",
        Kind.COUNT,
        "Two binary judges can answer in $2^2 = 4$ ways.",
        _events,
        printed="2**2 = 4",
    ),
    Claim(
        "ntqr/eq-19",
        "eq. 19",
        Kind.DEFINITION,
        r"$a_{\{i,j\}} = f_{a_i,a_j} + f_{b_i,b_j}$.",
        definition,
        printed="a12 = fa1a2 + fb1b2",
    ),
    Claim(
        "ntqr/sec-4/agreement-postulate",
        "abstract and section 4, after eq. 19",
        Kind.SENTENCE,
        "The agreement equations are postulates: sums of two of the complete ones.",
        _agreement_is_a_postulate,
    ),
    Claim(
        "ntqr/sec-4/not-independent",
        "section 4, before eq. 20",
        Kind.SENTENCE,
        "Some of the postulates follow from the others.",
        _dependent,
    ),
    Claim(
        "ntqr/sec-4/not-linear",
        "section 4, before eq. 20",
        Kind.SENTENCE,
        "The agreement equations are not just linear equations.",
        _not_linear,
        printed="a12 = 1 - e1 - e2 + 2*e12",
    ),
    Claim(
        "ntqr/sec-4/platanios-incorrect",
        "sections 4 and 4.2",
        Kind.SENTENCE,
        "The agreement solution of Platanios et al. for independent judges is incorrect.",
        _platanios,
    ),
    Claim(
        "ntqr/eq-20",
        "eq. 20",
        Kind.IDENTITY,
        "$a_{i,j} = 2 - e_i - e_j + 2e_{i,j}$.",
        partial(
            identity, name="20", repair=Repair("2 stands where 1 should; eq. 27 has it", {"2 - e1": "1 - e1"})
        ),
        printed="a12 = 2 - e1 - e2 + 2*e12",
        by_hand="Two judges who never err: e_i = e_j = e_ij = 0 and a = 1, but the right side is 2.",
    ),
    Claim(
        "ntqr/eq-21",
        "eq. 21",
        Kind.SENTENCE,
        "It is an error to take $e_{i,j} = e_i e_j$ for error-independent judges.",
        _product_rule,
        printed="e12 = e1*e2",
    ),
    Claim(
        "ntqr/sec-4/three-readings",
        "section 4, before eq. 22",
        Kind.COUNT,
        "Three judges have three agreement rates, for three error rates.",
        _three_readings,
        printed="3 rates, 3 errors",
    ),
    Claim(
        "ntqr/eq-22",
        "eq. 22",
        Kind.IDENTITY,
        r"$e_{\{i\}} = \dfrac{c \pm (1 - 2a_{\{j,k\}})}{\pm 2(1 - 2a_{\{j,k\}})}$.",
        _solution_22,
        printed="e1 = (c + above*(1 - 2*a23))/(below*2*(1 - 2*a23))",
        by_hand="2a_ij − 1 = (1 − 2e_i)(1 − 2e_j), so (1 − 2e_i)² = (2a_ij − 1)(2a_ik − 1)/(2a_jk − 1) = "
        "c²/(2a_jk − 1)².",
    ),
    Claim(
        "ntqr/eq-23",
        "eq. 23",
        Kind.IDENTITY,
        r"$c^2 = (1 - a_{\{i,j\}})(1 - a_{\{i,k\}})(1 - a_{\{j,k\}})$ for the $c$ of eq. 22.",
        partial(identity, name="23", hypothesis=Hypothesis.PRODUCT_RULE, repair=_23),
        printed=f"c**2 = {PRINTED_SQUARE_OF_C}",
        by_hand="Three perfect judges: a = 1 and e = 0, so c = 1, and not 0.",
    ),
    Claim(
        "ntqr/sec-4/integer-ratios",
        "section 4, after eq. 23",
        Kind.SENTENCE,
        "Error rates are ratios of integers in any finite test.",
        _whole_ratios,
    ),
    Claim(
        "ntqr/sec-4/perfect-square",
        "section 4, after eq. 23",
        Kind.SENTENCE,
        "That the product under the root of eq. 23 is a perfect square for independent judges is certainly wrong.",
        _perfect_square,
        printed=PRINTED_SQUARE_OF_C,
    ),
)
