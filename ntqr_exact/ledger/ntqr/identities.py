"""Printed formulas in short names, and judgement of identities: proven for every test, or refuted by the smallest test.

All that is seen or graded in a test is a polynomial in the parameters P_a, x_i, y_i and Γ (eqs. 14, 15, 26 and their
extension to three judges), and every value of the parameters near 1/2 and Γ near 0 belongs to some test with rational rates.
So an equation holds for every test if and only if it vanishes identically when all is put in these parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluation import rational_rate
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.ledger.judgement import Finding, as_printed, decided
from ntqr_exact.postulates.derivations import Refutation, all_tests, derivation_names, derive, refute
from ntqr_exact.postulates.equations import agreement_solution, expected_frequency, independent
from ntqr_exact.postulates.notation import Variable, definition_of, read_name, symbol
from ntqr_exact.postulates.polynomial import Polynomial, read_formula
from ntqr_exact.postulates.postulate import Postulate, Role, Space
from ntqr_exact.votes.labeled import LabeledVoteCounts

LABELS = ("a", "b")
LARGEST = 3  # questions of the largest tests that are counted through
_FREE = ("sign", "beta", "a", "b")  # letters of single formulas: the ± of eq. 22, the β of eq. 42, coefficients of eq. 39


def var(name: str) -> Polynomial:
    """Return a quantity as a polynomial."""
    return read_formula(name)


def read(text: str, extra: Mapping[str, Polynomial] | None = None) -> Polynomial:
    """Return a printed formula in short names, `left = right` as left − right; raises `BadDocument` for other names."""
    for name in set(re.findall(r"[A-Za-z]\w*", text)) - {*_FREE, *(extra or {})}:
        read_name(name)
    sides = [read_formula(side, extra or {}) for side in text.split("=")]
    if len(sides) > 2:
        raise BadDocument(text, "an equation must have two sides")
    return sides[0] - sides[1] if len(sides) == 2 else sides[0]


def poly(text: str) -> Polynomial:
    """Return a printed polynomial."""
    return read(text).polynomial()


def written(text: str) -> str:
    """Return a formula with the symbols of the source in place of the short names.

    >>> written("Ga12 = Raa1a2/Qa - x1*x2**2")
    'Γ^a_{1,2} = R^a_{a_1,a_2}/Q_a − P^a_{a_1}·P^a_{a_2}²'
    """
    named = re.sub(r"[A-Za-z]\w*", lambda match: symbol(match[0]), text)
    named = named.replace("sign*", "±").replace("beta", "β")
    return named.replace("**2", "²").replace("*", "·").replace(" - ", " − ")


class Printed(str):
    """A printed formula or equation in short names; one that cannot be read is refused."""

    __slots__ = ()

    @classmethod
    def from_text(cls, text: str) -> Printed:
        """Return the formula that a claim holds."""
        read(text)
        return cls(text)

    @property
    def formula(self) -> Polynomial:
        """The formula; of an equation, left − right."""
        return read(self)

    @property
    def polynomial(self) -> Polynomial:
        """The formula, if it is a polynomial."""
        return read(self).polynomial()

    @property
    def name(self) -> str:
        """The name of a quantity that is printed alone."""
        return read(self).variables()[0]

    def latex(self) -> str:
        r"""Return it in LaTeX, with its factors as printed and i, j, k for the judges.

        >>> print(Printed("fa1 = Pa*x1").latex())
        f_{a_i} = \hat{P}_{a} \hat{P}^{a}_{a_i}
        """

        def named(match: re.Match[str]) -> str:
            if match[0] in _FREE:
                return {"sign": r"\pm", "beta": r"\beta"}.get(match[0], match[0])
            return symbol(match[0], latex=True).translate(str.maketrans("123", "ijk"))

        return re.sub(r"[A-Za-z]\w*", named, self).replace("**2", "^2").replace("*", " ")


def small_tests(judges: int, largest: int = LARGEST) -> Iterator[LabeledVoteCounts]:
    """Iterate over all tests of up to this many questions, with their keys, smallest first."""
    for size in range(1, largest + 1):
        yield from all_tests(judges, size)


def written_test(test: LabeledVoteCounts) -> str:
    """Return a test with its key in few words: 'key a: ab×1, bb×2; key b: none'."""
    return "; ".join(
        f"key {label}: " + (", ".join(f"{''.join(p)}×{n}" for p, n in votes.counts.items() if n) or "none")
        for label, votes in test.by_label.items()
    )


def in_rates(name: str, form: Polynomial) -> Postulate:
    """Return a polynomial in rates as a postulate of the source."""
    return Postulate(name, form.text(), Space.RATES, Citation("ntqr", f"eq. {name}"))


def value_in(test: LabeledVoteCounts, name: str) -> mpq | None:
    """Return what a name means in a test, counted there; None if it is undefined."""
    value = in_rates("value", var(name)).residual(test)
    return None if isinstance(value, Undefined) else mpq(value)  # type: ignore[arg-type]


def evaluated(formula: Polynomial, test: LabeledVoteCounts) -> mpq | None:
    """Return the value of a formula in a test; None if a quantity is undefined there, or a denominator 0."""
    result = {name: value_in(test, name) for name in formula.variables()}
    values: dict[str, mpq | Surd] = {name: value for name, value in result.items() if value is not None}
    if len(values) < len(result) or formula.denominator.evaluate(values) == 0:
        return None
    return rational_rate(formula.evaluate(values))


class Hypothesis(Enum):
    """For which tests an equation is claimed."""

    NONE = "every test"
    INDEPENDENT = "every test on which errors are independent given the true label"
    PRODUCT_RULE = "every test on which error rates multiply, e_ij = e_i·e_j"


@cache
def hypotheses(hypothesis: Hypothesis) -> Sequence[Postulate]:
    """Return the equations that say that a test is one of those meant."""
    if hypothesis is Hypothesis.INDEPENDENT:
        return tuple(each for each in independent(3) if each.role is Role.HYPOTHESIS)
    return [each for each in agreement_solution() if each.name.startswith("21") and hypothesis is Hypothesis.PRODUCT_RULE]


def _image(variable: Variable, hypothesis: Hypothesis) -> Polynomial | None:  # noqa: PLR0911  (a case each)
    """Return what a quantity is in the parameters or in quantities nearer to them; None for a parameter."""
    cells = [f"R{key}{given}1" for key in LABELS for given in LABELS]  # of one judge, of which all else are sums
    match variable.kind:
        case "prevalence" if variable.key == LABELS[1]:
            return 1 - var("Pa")
        case "correlation" if hypothesis is Hypothesis.INDEPENDENT:
            return read_formula("0")
        case "frequency":
            return read_formula(expected_frequency(dict(zip(variable.judges, variable.answers, strict=True))))
        case "agreement" | "joint_error" if hypothesis is Hypothesis.PRODUCT_RULE:
            i, j = (var(f"e{judge + 1}") for judge in variable.judges)
            return i * j if variable.kind == "joint_error" else 1 - i - j + 2 * i * j
        case "error" if hypothesis is Hypothesis.PRODUCT_RULE:
            return None
        case "questions" | "key_count":
            return read_formula(" + ".join(cell for cell in cells if cell[1] == (variable.key or cell[1])))
        case "responses" if variable.judges == (0,):
            return read_formula(" + ".join(cell for cell in cells if cell[2] == variable.answers[0]))
    text = definition_of(variable)
    return None if text is None else read_formula(text)


def in_parameters(claim: Polynomial, hypothesis: Hypothesis = Hypothesis.NONE) -> Polynomial:
    """Return a polynomial with all quantities put in the parameters: 0 iff it vanishes for the tests meant."""
    while True:
        images = {name: _image(read_name(name), hypothesis) for name in claim.variables()}
        known = {name: image for name, image in images.items() if image is not None}
        if not known:
            return claim
        claim = claim.substitute(known)


def proportional(left: Polynomial, right: Polynomial) -> bool:
    """Return whether two polynomials differ only by a rational factor that is not 0."""
    if not left or not right:
        return not left and not right
    monomial, coefficient = next(iter(right.terms.items()))
    return left * coefficient == right * left.terms[monomial] if monomial in left.terms else False


def shown(form: Polynomial) -> str:
    """Return a polynomial, or how many terms it has if it is long."""
    text = str(form)
    return text if len(text) <= 300 else f"a polynomial of {len(form.terms)} terms"


def identity(printed: Printed, derivation: str = "", hypothesis: Hypothesis = Hypothesis.NONE) -> Finding:
    """Judge whether a printed equation holds for all tests meant: proven, or refuted by the smallest test.

    `derivation` names the derivation whose certificate proves the printed equation, if there is one.
    """
    claim = printed.formula.numerator
    if not claim:
        raise BadDocument(printed, "an equation must not be 0 = 0")
    derived = derive(derivation) if derivation in derivation_names() else None
    accepted = derived is not None and not derived.problems()
    proof = derived.to_document() if derived is not None and accepted else None
    rest = in_parameters(claim, hypothesis)
    if not rest:
        same = derived is not None and accepted and proportional(claim, derived.claim.polynomial)
        return decided(
            True,
            f"{shown(claim)} = 0: with everything in the parameters it vanishes identically, so for {hypothesis.value}",
            f"derived in {len(derived.steps)} steps, accepted by the independent checker" if same and derived else "",
            proof=proof if same else None,
        )
    result = refute(in_rates(derivation or "printed", claim), hypotheses(hypothesis))
    small = "no small test refutes it, but larger ones do"
    if isinstance(result, Refutation):
        small = f"smallest test on which it fails: {written_test(result.test)}; left − right = {result.residual}"
    return as_printed(
        False,
        small,
        f"what should be 0 is {shown(rest)}",
        "the right form is derived below, and accepted by the independent checker" if accepted else "",
        right=f"{derived.claim.polynomial} = 0" if derived is not None else "",
        proof=proof,
    )


_IN_COUNTS = """
Pa = Qa/Q; x1 = Raa1/Qa; x2 = Raa2/Qa; Ga12 = Raa1a2/Qa - x1*x2; Rab1 = Qa - Raa1; Rab2 = Qa - Raa2;
Pb = Qb/Q; y1 = Rbb1/Qb; y2 = Rbb2/Qb; Gb12 = Rbb1b2/Qb - y1*y2; Rba1 = Qb - Rbb1; Rba2 = Qb - Rbb2;
Raa1b2 = Raa1 - Raa1a2; Rab1a2 = Raa2 - Raa1a2; Rab1b2 = Rab1 - Rab1a2;
Rbb1a2 = Rbb1 - Rbb1b2; Rba1b2 = Rbb2 - Rbb1b2; Rba1a2 = Rba1 - Rba1b2;
Ra1 = Raa1 + Rba1; Ra2 = Raa2 + Rba2; Rb1 = Rab1 + Rbb1; Rb2 = Rab2 + Rbb2;
fa1 = Ra1/Q; fa2 = Ra2/Q; fb1 = Rb1/Q; fb2 = Rb2/Q;
Ra1a2 = Raa1a2 + Rba1a2; Ra1b2 = Raa1b2 + Rba1b2; Rb1a2 = Rab1a2 + Rbb1a2; Rb1b2 = Rab1b2 + Rbb1b2;
fa1a2 = Ra1a2/Q; fa1b2 = Ra1b2/Q; fb1a2 = Rb1a2/Q; fb1b2 = Rb1b2/Q; D12 = fb1b2 - fb1*fb2;
g1 = Raa1 + Rbb1; e1 = (Q - g1)/Q; e12 = (Rab1b2 + Rba1a2)/Q; a12 = fa1a2 + fb1b2
"""


@cache
def _images() -> Mapping[str, Polynomial]:
    result: dict[str, Polynomial] = {}
    for line in _IN_COUNTS.split(";"):
        name, _, meaning = line.partition("=")
        result[name.strip()] = read(meaning.strip(), result)
    return result


def in_counts(formula: Polynomial) -> Polynomial:
    """Return a formula on one or two judges in the eight numbers of a test: 0 iff it holds where it is defined."""
    return formula.substitute(_images()).substitute({"Q": var("Qa") + var("Qb")})


def definition(printed: Printed) -> Finding:
    """Judge whether a printed equation agrees with counting, in a general test and in small ones where it is defined."""
    formula = printed.formula
    if not formula.numerator:
        raise BadDocument(printed, "an equation must not be 0 = 0")
    judges = max((judge + 1 for name in formula.variables() for judge in read_name(name).judges), default=1)
    checked = 0
    for test in small_tests(judges):
        value = evaluated(formula, test)
        if value:
            return as_printed(False, f"smallest test on which it fails: {written_test(test)}; left − right = {value}")
        checked += value is not None
    return as_printed(
        not in_counts(formula).numerator,
        f"{written(printed)}: identically true in the counts of a general test",
        f"and so counted in all {checked} tests with up to {LARGEST} questions where it is defined",
    )


def first_disagreement(
    printed: str, judges: int = 1, *, given: tuple[str, ...] = (), largest: int = LARGEST
) -> tuple[str, str] | None:
    """Return two small tests with the same votes and quantities `given` that differ in the value of a formula, if any."""
    formula = read(printed)
    seen: dict[object, tuple[mpq, str]] = {}
    for test in small_tests(judges, largest):
        value = evaluated(formula, test)
        if value is not None:
            look = (test.observed(), tuple(value_in(test, name) for name in given))
            first = seen.setdefault(look, (value, f"{written_test(test)}: {value}"))
            if first[0] != value:
                return first[1], f"{written_test(test)}: {value}"
    return None
