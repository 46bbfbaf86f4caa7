"""Printed formulas in short names, and judgement of identities: proven for every test, or refuted by the smallest test.

The short names are those of `docs/notation.md`: `Pa*(x1 - fa1)` is read into our own variables.

All that is seen or graded in a test is a polynomial in the parameters P_a, x_i, y_i and Γ (eqs. 14, 15, 26 and
their extension to three judges), and every value of the parameters near 1/2 and Γ near 0 belongs to some test
with rational rates. So an equation holds for every test if and only if it vanishes identically when all is put
in these parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import combinations, product

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.ledger.judgement import Finding, as_printed, decided
from ntqr_exact.postulates.derivations import derivation_names, derive
from ntqr_exact.postulates.equations import (
    agreement_solution,
    expected_frequency,
    independent,
)
from ntqr_exact.postulates.notation import (
    Quantity,
    Variable,
    definition_of,
    key_responses,
    prevalence,
    read_name,
)
from ntqr_exact.postulates.polynomial import Formula, Polynomial, constant, read_formula, sum_of
from ntqr_exact.postulates.postulate import Postulate, Role, Space
from ntqr_exact.postulates.refutations import Refutation, refute
from ntqr_exact.votes.labeled import LabeledVoteCounts

LABELS = ("a", "b")
JUDGES = (0, 1, 2)


_FREE = {name: Polynomial.variable(name) for name in ("sign", "beta", "a", "b")}
"""Letters of single formulas: the ± of eq. 22, the β of eq. 42, coefficients of eq. 39."""


@cache
def symbols() -> Mapping[str, Polynomial]:
    """Return what every short name stands for."""
    answers = ["".join(each) for size in (1, 2, 3) for each in _answers(size)]
    pairs = ["12", "13", "23"]
    names = [
        *["Q", "T", "c", "s", "root", "Pa", "Pb", "Qa", "Qb"],
        *(letter + judge for letter in ("x", "y", "e", "g", "d") for judge in "123"),
        *(letter + pair for letter in ("D", "a", "e", "Ga", "Gb") for pair in pairs),
        *(letter + given for letter in ("f", "R", "Ra", "Rb") for given in answers),
    ]
    return FrozenMapping({name: Polynomial.variable(name) for name in names})


def _answers(size: int) -> Iterator[Iterator[str]]:
    for judges in combinations("123", size):
        for given in product(LABELS, repeat=size):
            yield (label + judge for label, judge in zip(given, judges, strict=True))


def code(short: str) -> str:
    """Return the library's name of a quantity by its short name.

    >>> code("fa1")
    'fa1'
    """
    return symbols()[short].variables()[0]


def read(text: str, extra: Mapping[str, Formula | Polynomial] | None = None) -> Formula:
    """Return a printed formula in the library's variables; `left = right` is read as left − right.

    >>> print(read("Pa*(x1 - fa1) = Pb*(y1 - fb1)"))
    P_a·P^a_{a_1} − P_a·f_{a_1} − P_b·P^b_{b_1} + P_b·f_{b_1}

    Raises `BadDocument` for a name that is not in the table.
    """
    known = {**symbols(), **_FREE, **(extra or {})}
    sides = text.split("=")
    if len(sides) > 2:
        raise BadDocument(text, "an equation has two sides")
    formulas = [read_formula(side, known) for side in sides]
    for formula in formulas:
        for name in formula.variables():
            if not any(name in value.variables() for value in known.values()):
                raise BadDocument(name, "not a short name of the table in `symbols`")
    return formulas[0] - (formulas[1] if len(sides) == 2 else constant(0))


def written(text: str) -> str:
    """Return a formula with the symbols of the source in place of the short names.

    >>> written("Ga12 = Raa1a2/Qa - x1*x2**2")
    'Γ^a_{1,2} = R^a_{a_1,a_2}/Q_a − P^a_{a_1}·P^a_{a_2}²'
    """
    known = symbols()
    named = re.sub(r"[A-Za-z]\w*", lambda match: str(known.get(match[0], match[0])), text)
    named = named.replace("sign*", "±").replace("beta", "β")
    return named.replace("**2", "²").replace("*", "·").replace(" - ", " − ")


def in_latex(text: str) -> str:
    r"""Return a formula in short names as LaTeX, with its factors as they stand and i, j, k for the judges.

    >>> print(in_latex("fa1 = Pa*x1 + Pb*(1 - y1)"))
    f_{a_i} = \hat{P}_{a} \hat{P}^{a}_{a_i} + \hat{P}_{b} (1 - \hat{P}^{b}_{b_i})
    """
    known = symbols()

    def named(match: re.Match[str]) -> str:
        if match[0] not in known:
            return {"sign": r"\pm", "beta": r"\beta"}.get(match[0], match[0])
        return known[match[0]].latex().translate(str.maketrans("123", "ijk"))

    written_out = re.sub(r"[A-Za-z]\w*", named, text)
    return written_out.replace("**2", "^2").replace("*", " ")


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed formula or equation in short names."""

    short: str

    @classmethod
    def from_data(cls, value: str) -> Printed:
        """Return the formula that a claim holds; one that cannot be read is refused."""
        read(value)
        return cls(value)

    @property
    def formula(self) -> Formula:
        """The formula in the library's variables; of an equation, left − right."""
        return read(self.short)

    def text(self) -> str:
        """Return it with the symbols of the source."""
        return written(self.short)

    def latex(self) -> str:
        """Return it in LaTeX."""
        return in_latex(self.short)


class Hypothesis(Enum):
    """For which tests an equation is claimed."""

    NONE = "every test"
    INDEPENDENT = "every test on which errors are independent given the true label"
    PRODUCT_RULE = "every test on which error rates multiply, e_ij = e_i·e_j"


def in_parameters(claim: Polynomial, hypothesis: Hypothesis = Hypothesis.NONE) -> Polynomial:
    """Return a polynomial with all quantities put in the parameters: 0 iff it vanishes for the tests meant.

    >>> from ntqr_exact.ledger.ntqr.identities import read
    >>> in_parameters(read("a12 = 1 - e1 - e2 + 2*e12").polynomial())
    Polynomial({})
    """
    while images := {
        name: image
        for name in claim.variables()
        if (image := _image(read_name(name), hypothesis)) is not None
    }:
        claim = claim.substitute(images)
    return claim


def _image(variable: Variable, hypothesis: Hypothesis) -> Polynomial | None:  # noqa: PLR0911 - a case each
    """Return what a quantity is in the parameters or in quantities nearer to them; None for a parameter."""
    match variable.kind:
        case Quantity.PREVALENCE if variable.key == LABELS[1]:
            return 1 - Polynomial.variable(prevalence(LABELS[0]))
        case Quantity.CORRELATION if hypothesis is Hypothesis.INDEPENDENT:
            return Polynomial()
        case Quantity.FREQUENCY:
            answers = dict(zip(variable.judges, variable.answers, strict=True))
            return expected_frequency(answers, LABELS)
        case Quantity.AGREEMENT if hypothesis is Hypothesis.PRODUCT_RULE:
            i, j = (
                Polynomial.variable(Variable(Quantity.ERROR, "", (), (judge,))) for judge in variable.judges
            )
            return 1 - i - j + 2 * i * j
        case Quantity.JOINT_ERROR if hypothesis is Hypothesis.PRODUCT_RULE:
            i, j = (
                Polynomial.variable(Variable(Quantity.ERROR, "", (), (judge,))) for judge in variable.judges
            )
            return i * j
        case Quantity.ERROR if hypothesis is Hypothesis.PRODUCT_RULE:
            return None
        case Quantity.QUESTIONS:
            return sum_of(_cell(key, given) for key in LABELS for given in LABELS)
        case Quantity.KEY_COUNT:
            return sum_of(_cell(variable.key, given) for given in LABELS)
        case Quantity.RESPONSES if variable.judges == (0,):
            return sum_of(_cell(key, variable.answers[0]) for key in LABELS)
    text = definition_of(variable)
    return None if text is None else read_formula(text)


def _cell(key: str, given: str) -> Polynomial:
    """Return R^key_{given_1}: the responses of one judge are sums of these four."""
    return Polynomial.variable(key_responses(key, {0: given}))


def identity(printed: Printed, *, derivation: str = "", hypothesis: Hypothesis = Hypothesis.NONE) -> Finding:
    """Judge whether a printed equation holds for all tests meant: proven, or refuted by the smallest test.

    `derivation` names the derivation whose certificate proves the printed equation, if there is one.

    >>> identity(Printed("e1 = 1 - Pa*x1 - Pb*y2")).evidence[0]
    'smallest test on which it fails: key a: none; key b: ab×1; left − right = 1'
    """
    claim = printed.formula.numerator
    if not claim:
        raise BadDocument(printed.short, "this equation is 0 = 0 as it stands, and claims nothing")
    rest = in_parameters(claim, hypothesis)
    if not rest:
        return _proven(claim, derivation, hypothesis)
    evidence = [_counterexample(claim, derivation, hypothesis), f"what should be 0 is {shown(rest)}"]
    proof = None
    if derivation in derivation_names() and not derive(derivation).problems():
        proof = derive(derivation).to_document()
        evidence.append("the right form is derived below, and accepted by the independent checker")
    right = f"{derive(derivation).claim.polynomial} = 0" if derivation in derivation_names() else ""
    return as_printed(False, *evidence, right=right, proof=proof)


def _proven(claim: Polynomial, name: str, hypothesis: Hypothesis) -> Finding:
    evidence = [
        f"{shown(claim)} = 0: with everything in the parameters it vanishes identically, so for {hypothesis.value}"
    ]
    proof = None
    if name in derivation_names():
        derivation = derive(name)
        if proportional(claim, derivation.claim.polynomial) and not derivation.problems():
            proof = derivation.to_document()
            number = len(derivation.steps)
            words = "a single step" if number == 1 else f"{number} steps"
            evidence.append(f"derived in {words}, accepted by the independent checker")
    return decided(True, *evidence, proof=proof)


def _counterexample(claim: Polynomial, name: str, hypothesis: Hypothesis) -> str:
    found = refute(in_rates(name or "printed", claim), hypotheses(hypothesis))
    if isinstance(found, Refutation):
        return f"smallest test on which it fails: {written_test(found.test)}; left − right = {found.residual}"
    return f"no test of up to {found.largest} questions refutes it, but larger ones do"


def in_rates(name: str, form: Polynomial) -> Postulate:
    """Return a polynomial in rates as a postulate of the source."""
    return Postulate(name, form.text(), Space.RATES, Citation("ntqr", f"eq. {name}"))


@cache
def hypotheses(hypothesis: Hypothesis) -> Sequence[Postulate]:
    """Return the equations that say that a test is one of those meant."""
    match hypothesis:
        case Hypothesis.NONE:
            return ()
        case Hypothesis.INDEPENDENT:
            return tuple(each for each in independent(3) if each.role is Role.HYPOTHESIS)
        case Hypothesis.PRODUCT_RULE:
            return tuple(each for each in agreement_solution() if each.name.startswith("21"))


def proportional(left: Polynomial, right: Polynomial) -> bool:
    """Tell whether two polynomials differ only by a rational factor that is not 0.

    >>> from ntqr_exact.ledger.ntqr.identities import read
    >>> proportional(read("2*x1 - 2").polynomial(), read("1 - x1").polynomial())
    True
    """
    if not left or not right:
        return not left and not right
    monomial, coefficient = right.sorted_terms()[0]
    return left * coefficient == right * left.terms[monomial] if monomial in left.terms else False


def written_test(test: LabeledVoteCounts) -> str:
    """Return a test with its key in few words: 'key a: ab×1, bb×2; key b: none'."""
    return "; ".join(
        f"key {label}: " + (", ".join(f"{''.join(p)}×{n}" for p, n in votes.counts.items() if n) or "none")
        for label, votes in test.by_label.items()
    )


def shown(value: Polynomial, most: int = 6) -> str:
    """Return a polynomial, cut after this many terms."""
    terms = value.sorted_terms()
    if len(terms) <= most:
        return str(value)
    cut = Polynomial(
        {
            "*".join(f"{name}^{power}" for name, power in monomial) or "1": coefficient
            for monomial, coefficient in terms[:most]
        }
    )
    return f"{cut} + … ({len(terms)} terms)"
