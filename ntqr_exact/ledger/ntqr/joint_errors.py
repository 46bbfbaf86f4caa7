"""Claims of section 4.2: error rates of one judge and of two together, eqs. 27 to 32."""

from __future__ import annotations

import re
from functools import partial

from ntqr_exact.citation import Citation
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import decided
from ntqr_exact.ledger.ntqr.counting import definition
from ntqr_exact.ledger.ntqr.identities import (
    Hypothesis,
    Repair,
    identity,
    in_parameters,
    shown,
    written_test,
)
from ntqr_exact.ledger.ntqr.symbols import read, symbols
from ntqr_exact.postulates.postulate import Postulate, Space
from ntqr_exact.postulates.refutations import Refutation, refute


def _uncorrelated() -> list[Postulate]:
    """Return that a pair errs independently on each label: Γ^a = Γ^b = 0."""
    return [
        Postulate(name, symbols()[name], Space.RATES, Citation("ntqr", "eqs. 24 and 25"))
        for name in ("Ga12", "Gb12")
    ]


def product_rule_fails(printed: str) -> Finding:
    """Return the finding that a product rule does not follow from independence given the true label."""
    claim = read(printed).polynomial()
    rest = in_parameters(claim, Hypothesis.INDEPENDENT)
    found = refute(Postulate("21", claim, Space.RATES, Citation("ntqr", "eq. 21")), _uncorrelated())
    defect = in_parameters(read("Pa*Pb*(x1 - y1)*(x2 - y2)").polynomial())
    small = written_test(found.test) if isinstance(found, Refutation) else "none is small"
    return decided(
        bool(rest),
        f"smallest test with Γ^a = Γ^b = 0 on which it fails: {small}",
        "e_12 − e_1·e_2 = P_a·P_b·(x_1 − y_1)(x_2 − y_2)"
        if rest == defect
        else f"left − right = {shown(rest)}",
        right="the rule follows",
    )


def _double_negation(printed: str) -> Finding:
    negations = len(re.findall(r"\bnot\b|\bcannot\b", printed))
    factors = not in_parameters(read("e12 = e1*e2").polynomial(), Hypothesis.INDEPENDENT)
    return decided(
        (negations % 2 == 0) == factors,
        f"'{printed}' has {negations} negations, so it says that one can factor" * (negations % 2 == 0)
        or f"'{printed}' has {negations} negation",
        "but e_12 − e_1·e_2 = P_a·P_b·(x_1 − y_1)(x_2 − y_2), which is not 0 in general (eq. 32)",
        right="it is not the case that we can factor",
        slip=True,
        arose="one negation too many",
    )


def _does_not_factor(printed: str) -> Finding:
    left, right = (read(part).polynomial() for part in printed.split(";"))
    rest = in_parameters(left - right)
    defect = in_parameters(read("Pa*Pb*(x1 - y1)*(x2 - y2)").polynomial())
    return decided(
        bool(rest) and rest == defect,
        f"left − right = {shown(rest)}"
        if rest != defect
        else "left − right = P_a·P_b·(x_1 − y_1)(x_2 − y_2)",
        "they are equal only if a label is empty, or one judge is as accurate on a as on b",
        right="the sides as in eqs. 29 and 30",
        slip=True,
    )


_JOINT = "Pa*(1 - x1)*(1 - x2) + Pb*(1 - y1)*(1 - y2)"
_PRODUCT = "(Pa*(1 - x1) + Pb*(1 - y1))*(Pa*(1 - x2) + Pb*(1 - y2))"
CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/eq-27",
        "eq. 27",
        Kind.IDENTITY,
        r"$a_{\{i,j\}} = 1 - e_{\{i\}} - e_{\{j\}} + 2e_{\{i,j\}}$.",
        partial(identity, name="27"),
        printed="a12 = 1 - e1 - e2 + 2*e12",
    ),
    Claim(
        "ntqr/eq-28",
        "eq. 28",
        Kind.IDENTITY,
        r"$e_{\{i\}} = 1 - \hat P_a \hat P^a_{a_i} - \hat P_b \hat P^b_{b_j}$.",
        partial(identity, name="28", repair=Repair("b_j stands where b_i should", {"y2": "y1"})),
        printed="e1 = 1 - Pa*x1 - Pb*y2",
        by_hand="One b question, answered a by i and b by j: e_i = 1, but the right side is 0.",
    ),
    Claim(
        "ntqr/eq-29",
        "eq. 29",
        Kind.IDENTITY,
        r"$e_{\{i\}} = \hat P_a(1 - \hat P^a_{a_i}) + \hat P_b(1 - \hat P^b_{b_i})$.",
        definition,
        printed="e1 = Pa*(1 - x1) + Pb*(1 - y1)",
    ),
    Claim(
        "ntqr/eq-30",
        "eq. 30",
        Kind.IDENTITY,
        r"$e_{\{i,j\}} = \hat P_a(1-\hat P^a_{a_i})(1-\hat P^a_{a_j}) + \hat P_b(1-\hat P^b_{b_i})(1-\hat P^b_{b_j})$ "
        "follows from eqs. 26 to 29.",
        partial(
            identity,
            name="30",
            repair=Repair(
                "the correlations of 26a and 26d were left out", {"+ Pb": "+ Pa*Ga12 + Pb*Gb12 + Pb"}
            ),
        ),
        printed=f"e12 = {_JOINT}",
        by_hand="Two a questions, answered aa and bb: e_ij = 1/2, but the right side is 1/4.",
    ),
    Claim(
        "ntqr/sec-4-2/double-negation",
        "section 4.2, before eq. 31",
        Kind.SENTENCE,
        "It is not the case that one cannot factor $e_{ij}$ into $e_i e_j$.",
        _double_negation,
        printed="it is not the case that we cannot factor",
    ),
    Claim(
        "ntqr/eq-31",
        "eq. 31",
        Kind.SENTENCE,
        r"$e_{\{i,j\}} = e_{\{i\}} e_{\{j\}}$ does not follow if errors are independent given the true label.",
        product_rule_fails,
        printed="e12 = e1*e2",
    ),
    Claim(
        "ntqr/eq-32",
        "eq. 32",
        Kind.IDENTITY,
        "The joint error rate without correlations is in general not the product of the error rates.",
        _does_not_factor,
        printed=f"{_JOINT}; {_PRODUCT}",
    ),
)
