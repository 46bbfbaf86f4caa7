"""Checks of figures 5 to 8: prevalences, estimates, a quadratic; and which tests have a real solution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluation import Evaluation
from ntqr_exact.evaluators.independent import solve_independent
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.ledger.judgement import Finding, all_of, as_printed, decided, equal
from ntqr_exact.ledger.ntqr import graded_tests as graded
from ntqr_exact.ledger.ntqr.counting import PATTERNS
from ntqr_exact.ledger.ntqr.printed_cells import over
from ntqr_exact.ledger.ntqr.synthetic_tables import (
    independent_frequencies,
    synthetic_evaluation,
    synthetic_votes,
)
from ntqr_exact.postulates.equations import answers, expected_frequency
from ntqr_exact.postulates.notation import accuracy, prevalence
from ntqr_exact.postulates.polynomial import Formula, Polynomial
from ntqr_exact.varieties.consistent import ConsistentSet

# -- figure 5: the synthetic evaluation ---------------------------------------------------------------


def synthetic_root(printed: mpq) -> Finding:
    """Judge a root of the quadratic of the synthetic evaluation."""
    quadratic = solve_independent(synthetic_votes()).quadratic
    if quadratic is None:
        raise BadDocument("synthetic votes", "three judges between two labels have a quadratic")
    return as_printed(
        quadratic(printed) == 0, f"the quadratic {quadratic} has the value {quadratic(printed)} at {printed}"
    )


def exact_recovery() -> Finding:
    """Judge that the prevalence of the synthetic evaluation is recovered exactly."""
    shares = [each.prevalence["a"] for each in solve_independent(synthetic_votes()).solutions]
    return decided(
        set(shares) == set(synthetic_evaluation().prevalence.values()),
        f"the solutions are P_a = {' and '.join(map(str, shares))}; both are exact",
    )


def mirror() -> Finding:
    """Judge that P_a and 1 − P_a have the same frequencies: all rates being exchanged, not P_a alone."""
    swap: dict[str, Formula | Polynomial] = {}
    for label, other in (("a", "b"), ("b", "a")):
        swap[prevalence(label).name] = Polynomial.variable(prevalence(other))
        for judge in range(3):
            swap[accuracy(label, judge).name] = 1 - Polynomial.variable(accuracy(other, judge))
    forms = {pattern: expected_frequency(answers(pattern), independent=True) for pattern in PATTERNS}
    same = [form.substitute(swap).equals(form) for form in forms.values()]
    right = [{"a": 1, "b": 1}] * 3
    one, none = (
        independent_frequencies(Evaluation.from_accuracies({"a": share, "b": 1 - share}, right))
        for share in (1, 0)
    )
    return decided(
        all(same),
        "P_a, x_i, y_i and 1 − P_a, 1 − y_i, 1 − x_i: "
        f"{sum(same)} of 8 frequencies of independent judges are the same, as polynomials",
        "the accuracies are exchanged with P_a; left as they are, the votes differ: "
        f"three perfect judges have f_aaa = {one['aaa']} at P_a = 1, and f_aaa = {none['aaa']} at P_a = 0",
    )


# -- figures 6 to 8: estimates of the three tests -----------------------------------------------------


def true_share(printed: mpq, *, test: str) -> Finding:
    """Judge the true prevalence of a test."""
    return equal(printed, graded.prevalence(test, "gt", "a"), f"P_a of {test}")


def independent_share(printed: mpq, *, test: str) -> Finding:
    """Judge the prevalence by the independent solution, projected to the nearest consistent evaluation."""
    share = graded.prevalence(test, "iae", "a")
    nearest = mpq(graded.projected_of(test).key_counts["a"], graded.votes_of(test).size)
    return as_printed(
        printed == nearest, f"P_a ≈ {fixed_text(share)}; the nearest consistent evaluation has {nearest}"
    )


def majority_share(printed: mpq, *, test: str) -> Finding:
    """Judge the prevalence by majority vote, and find where a wrong one comes from."""
    exact = graded.prevalence(test, "mv", "a")
    arose = ""
    if printed != exact:
        for other in graded.TESTS:
            if printed == graded.prevalence(other, "mv", "a"):
                arose = f"it is the estimate for {other}"
        for judge in range(3):
            right = graded.majority_of(test).key.by_label["a"].responses(judge)["a"]
            if printed * graded.votes_of(test).size == right:
                arose = f"{right} is how often judge {judge + 1} is right on a by majority vote"
    size = graded.votes_of(test).size
    return as_printed(
        printed == exact,
        f"the majority answers a to {exact * size} of {size} questions",
        right=over(exact, size),
        arose=arose,
    )


def closer(*, test: str, column: Literal["iae", "mv"], within: mpq | None = None) -> Finding:
    """Judge which estimate of the prevalence is closer, the independent solution or majority vote, and by how much."""
    off = {each: graded.prevalence_error(test, each) for each in ("iae", "mv")}
    gap = off["mv"] - off["iae"] if column == "iae" else off["iae"] - off["mv"]
    return decided(
        gap > 0 and (within is None or gap < within),
        f"the independent solution is off by {fixed_text(off['iae'], 4)}, majority vote by {fixed_text(off['mv'], 4)}",
    )


def no_real_root(*, test: str) -> Finding:
    """Judge that the quadratic of a test has no real root."""
    moments = graded.moments_of(test)
    discriminant = moments.discriminant * moments.trio**2
    return decided(
        discriminant < 0,
        f"A·P² − A·P + Π has the discriminant A² − 4AΠ = A·T² with A = {with_decimal(moments.discriminant, 9)}",
    )


def degrades() -> Finding:
    """Judge that both estimates are worse on the first UCI adult test than on two-norm."""
    found = {test: graded.squares(graded.accuracy_errors(test, "mv")) for test in graded.TESTS[:2]}
    shares = {test: graded.prevalence_error(test, "mv") for test in graded.TESTS[:2]}
    first, second = graded.TESTS[:2]
    return all_of(
        {
            "independent": decided(
                graded.is_real(first) and not graded.is_real(second), f"A > 0 in {first}, A < 0 in {second}"
            ),
            "majority": decided(
                found[first] < found[second] and shares[first] < shares[second],
                f"majority vote, squared errors of the accuracies: {graded.shown(found, 4)}",
                f"majority vote, error of P_a: {graded.shown(shares)}",
            ),
        }
    )


def projected() -> Finding:
    """Judge that the estimates seem right, as they lie in range, and are projected to the nearest evaluation."""
    estimate = graded.estimate_of("uci-adult")
    rates = [graded.accuracy("uci-adult", "iae", label, judge) for label in "ab" for judge in range(3)]
    found = ConsistentSet(graded.votes_of("uci-adult")).nearest(estimate)
    right = ", ".join(f"{counts['a']} and {counts['b']}" for counts in found.evaluation.correct)
    return decided(
        all(0 <= each <= 1 for each in rates) and found.evaluation == graded.projected_of("uci-adult"),
        "all rates lie between 0 and 1, but are irrational",
        f"nearest: {found.evaluation.key_counts['a']} questions of a, right on a and b {right}; "
        f"squared distance {fixed_text(found.squared_distance)} in counts",
    )


@dataclass(frozen=True, slots=True)
class Quadratic:
    """A quadratic for the prevalence, as figure 8 has it: spread·P(1 − P) + constant."""

    spread: mpq
    constant: mpq

    def latex(self) -> str:
        """Return it in LaTeX, the positive term first."""
        spread = rf"\frac{{{abs(self.spread).numerator}}}{{{self.spread.denominator}}}\hat P_a(1 - \hat P_a)"
        constant = rf"\frac{{{self.constant.numerator}}}{{{self.constant.denominator}}}"
        return f"{constant} - {spread}" if self.spread < 0 else f"{spread} + {constant}"

    def text(self) -> str:
        """Return it as a line of text."""
        return f"{self.spread}·P(1 − P) + {self.constant}"


def quadratic(printed: Quadratic, *, test: str) -> Finding:
    """Judge a printed quadratic against Π − A·P(1 − P), up to a factor."""
    moments = graded.moments_of(test)
    leading, last = moments.discriminant, moments.pair_product
    return as_printed(
        printed.constant != 0 and printed.spread * last == -leading * printed.constant,
        f"A = {leading} and Π = {last}",
        f"the printed one has the values {printed.constant} at 0 and {printed.constant + printed.spread / 4} at 1/2, "
        f"the right one {last} and {last - leading / 4}",
    )


def imaginary_tests(printed: int) -> Finding:
    """Judge how many of the three tests have an imaginary solution."""
    imaginary = [test for test in graded.TESTS if not graded.is_real(test)]
    return as_printed(
        len(imaginary) == printed,
        *(f"{test}: A = {graded.moments_of(test).discriminant}" for test in graded.TESTS),
    )


def others_real() -> Finding:
    """Judge that the two other tests have a real solution."""
    real = [test for test in graded.TESTS if graded.is_real(test)]
    roots = {test: Surd.sqrt(graded.moments_of(test).discriminant) for test in real}
    return decided(
        len(real) == 2,
        f"A > 0 for {' and '.join(real)}, so that both have a real estimate",
        *(
            f"{test}: √A = {root} is irrational, so that its judges are not exactly independent"
            for test, root in roots.items()
        ),
    )
