"""Checks of sections 4 and 4.2: agreement and error rates, and the solution that is built on them, eqs. 18 to 32."""

from __future__ import annotations

from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.evaluators.agreement_solution import solve_agreement
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided, equal
from ntqr_exact.ledger.ntqr.counting import small_tests, value_in
from ntqr_exact.ledger.ntqr.identities import (
    Hypothesis,
    Printed,
    code,
    hypotheses,
    in_parameters,
    in_rates,
    read,
    shown,
    symbols,
    written_test,
)
from ntqr_exact.ledger.ntqr.printed_cells import Exactly
from ntqr_exact.ledger.ntqr.synthetic_tables import synthetic_votes
from ntqr_exact.ledger.registry import printed as printed_at
from ntqr_exact.postulates.derivations import derive
from ntqr_exact.postulates.equations import pair
from ntqr_exact.postulates.ideal import Ideal
from ntqr_exact.postulates.polynomial import Polynomial
from ntqr_exact.postulates.refutations import Refutation, refute

_PAIRS = ("12", "13", "23")


def events(printed: tuple[Printed, mpq]) -> Finding:
    """Judge a power and its value: the number of patterns of two judges."""
    patterns = mpq(len([each for each in pair().rates if each.name.startswith("26")]))
    power = mpq(printed[0].formula.evaluate({}))  # type: ignore[arg-type]
    return equal(power if power != patterns else printed[1], patterns, "the number of patterns of two judges")


def sum_of_postulates() -> Finding:
    """Judge that an agreement equation is the sum of two of the complete postulates."""
    known = pair().rates
    claim = read("a12").polynomial() - read("fa1a2 + fb1b2").polynomial()
    total = known["26a"].polynomial + known["26d"].polynomial
    return decided(
        not in_parameters(claim + total),
        "a_{1,2} minus the right sides of 26a and 26d vanishes identically in P_a, x, y and Γ",
        f"so that a_{{1,2}} = {shown(in_parameters(read('a12').polynomial()))}",
    )


def dependent() -> Finding:
    """Judge whether some postulates follow from others: of the complete ones, and of the agreement equations."""
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
            ),
        }
    )


def not_linear() -> Finding:
    """Judge the degree of the agreement equation 27: in error rates, and in the parameters."""
    claim = read("a12 = 1 - e1 - e2 + 2*e12").polynomial()
    degree = in_parameters(read("a12").polynomial()).degree
    return by_reading(
        {
            "in the error rates e_i, e_j and e_ij": decided(claim.degree > 1, "eq. 27 is linear in these"),
            "in P_a, the accuracies and Γ": decided(degree > 1, f"there it has degree {degree}"),
        }
    )


def does_not_multiply(printed: Printed) -> Finding:
    """Judge that a product rule misses independence given the true label by just P_aP_b(x_1 − y_1)(x_2 − y_2)."""
    claim = printed.formula.polynomial()
    rest = in_parameters(claim, Hypothesis.INDEPENDENT)
    found = refute(in_rates("21", claim), [in_rates(name, symbols()[name]) for name in ("Ga12", "Gb12")])
    small = written_test(found.test) if isinstance(found, Refutation) else "none is small"
    return decided(
        rest == _defect(),
        f"smallest test with Γ^a = Γ^b = 0 on which it fails: {small}",
        "e_12 − e_1·e_2 = P_a·P_b·(x_1 − y_1)(x_2 − y_2)"
        if rest == _defect()
        else f"left − right = {shown(rest)}",
    )


def _defect() -> Polynomial:
    return in_parameters(read("Pa*Pb*(x1 - y1)*(x2 - y2)").polynomial())


def does_not_factor(printed: tuple[Printed, Printed]) -> Finding:
    """Judge that two sides differ in general, by P_aP_b(x_1 − y_1)(x_2 − y_2)."""
    left, right = (each.formula.polynomial() for each in printed)
    rest = in_parameters(left - right)
    return as_printed(
        rest == _defect(),
        "left − right = P_a·P_b·(x_1 − y_1)(x_2 − y_2)"
        if rest == _defect()
        else f"left − right = {shown(rest)}",
    )


def product_rule() -> Finding:
    """Judge that the product rule of eq. 31 is an error for independent judges, in two senses of independence."""
    rule = Printed(printed_at("ntqr/eq-31"))
    rest = in_parameters(rule.formula.polynomial(), Hypothesis.PRODUCT_RULE)
    return by_reading(
        {
            "errors independent given the true label": does_not_multiply(rule),
            "errors independent over the whole test": decided(
                bool(rest), "then it is what independence of two events means"
            ),
        }
    )


def joint_error(printed: Printed) -> Finding:
    """Judge a joint error rate: for judges who err independently on each label, and for correlated ones."""
    claim = printed.formula.polynomial()
    correlated, free = in_parameters(claim), in_parameters(claim, Hypothesis.INDEPENDENT)
    return by_reading(
        {
            "for judges who err independently on each label, as this section discusses": as_printed(
                not free, "it vanishes identically if Γ^a = Γ^b = 0"
            ),
            "for the correlated judges of eqs. 26, from which it is said to follow": as_printed(
                not correlated, f"left − right = {shown(correlated)}", right="with + P_aΓ^a + P_bΓ^b"
            ),
        }
    )


def platanios() -> Finding:
    """Judge whether the agreement solution is incorrect: for either sense of independence."""
    proven = not derive("22").problems() and not derive("23").problems()
    return by_reading(
        {
            "for judges who err independently given the true label": _missed(),
            "for judges with e_ij = e_i·e_j over the whole test": decided(
                not proven,
                "with c² = Π(2a − 1), eqs. 22 and 23 are derived from e_ij = e_i·e_j; the checker accepts it",
            ),
        }
    )


def _missed() -> Finding:
    """Look for the smallest test with independent judges whose error rates eq. 22 does not give."""
    for test in small_tests(3):
        if all(each.residual(test) == 0 for each in hypotheses(Hypothesis.INDEPENDENT)):
            true = tuple(value_in(test, code(f"e{number}")) for number in (1, 2, 3))
            solution = solve_agreement(test.observed())
            if solution.branches and true not in solution.branches:
                given = ", ".join(map(str, solution.branches[0]))
                return decided(
                    True, f"{written_test(test)}: errors {', '.join(map(str, true))}, but eq. 22 has {given}"
                )
    return decided(False, "no small test shows it")


def rates_and_errors(printed: tuple[int, int]) -> Finding:
    """Judge how many agreement rates and error rates three judges have."""
    counted = (len(list(combinations(range(3), 2))), 3)
    enough = next(n for n in range(2, 9) if n * (n - 1) // 2 >= n)
    return as_printed(
        printed == counted,
        f"three judges have {counted[0]} agreement rates and 3 error rates",
        f"n judges have n(n−1)/2 rates for n errors, which is at least n from n = {enough} on",
    )


def solves(printed: Printed) -> Finding:
    """Put e_ij = e_i·e_j and c = ±Π(1 − 2e) into eq. 22, both signs ± of which are the same, and both solve it."""
    c = symbols()["c"]
    signs = []
    for sign in (1, -1):
        claim = printed.formula.numerator.substitute({"sign": Polynomial.constant(sign)})
        roots = (claim, claim.substitute({c.variables()[0]: -c}))
        if any(not in_parameters(root, Hypothesis.PRODUCT_RULE) for root in roots):
            signs.append(sign)
    return as_printed(
        signs == [1, -1],
        f"with c = ±Π(1 − 2e), {len(signs)} of the two signs solve e_ij = e_i·e_j: the solutions e_i and 1 − e_i",
    )


def perfect_square() -> Finding:
    """Judge whether the product under the root of eq. 23 need not be a square; the printed factors, and 2a − 1."""
    names = [code(f"a{number}") for number in _PAIRS]
    square = read(printed_at("ntqr/eq-23").partition("=")[2]).polynomial()
    example = ""
    for test in small_tests(3):
        if all(each.residual(test) == 0 for each in hypotheses(Hypothesis.PRODUCT_RULE)):
            rates = {name: value_in(test, name) or mpq(0) for name in names}
            root = Surd.sqrt(mpq(square.evaluate(rates)))  # type: ignore[arg-type]
            if not root.is_rational:
                example = f"{written_test(test)}: c = {root}"
                break
    right = solve_agreement(synthetic_votes()).square
    return by_reading(
        {
            "the factors as printed, judges with e_ij = e_i·e_j": decided(
                bool(example), example or "no small test shows a root"
            ),
            "factors 2a − 1, judges with e_ij = e_i·e_j": decided(
                bool(derive("23").problems()),
                "then c = (1−2e_1)(1−2e_2)(1−2e_3) is rational, so that the product always is a square",
            ),
            "factors 2a − 1, judges independent given the true label": decided(
                not Surd.sqrt(right).is_rational, f"synthetic evaluation: c² = {right} is not a square"
            ),
        }
    )


def factor_c(printed: Exactly) -> Finding:
    """Judge c on the synthetic evaluation by what eq. 22 needs, with factors 2a − 1."""
    right = Surd.sqrt(solve_agreement(synthetic_votes()).square)
    by_misprint = Surd.sqrt(_printed_square())
    return as_printed(
        printed.value == right,
        f"c = √Π(2a − 1), which solves eq. 22, is {right}",
        arithmetic=printed.value == by_misprint,
        arose="it is made with eq. 23 as printed, c² = Π(1 − a)" if printed.value == by_misprint else "",
    )


def _printed_square() -> mpq:
    product = mpq(1)
    for rate in solve_agreement(synthetic_votes()).agreements.values():
        product *= 1 - rate
    return product


def unresolved_c() -> Finding:
    """Judge that c is irrational on the synthetic evaluation, with the printed factors and with the right ones."""
    squares = {"Π(1 − a)": _printed_square(), "Π(2a − 1)": solve_agreement(synthetic_votes()).square}
    return decided(
        not any(Surd.sqrt(square).is_rational for square in squares.values()),
        *(f"{name} = {square} is not a rational square" for name, square in squares.items()),
    )
