"""Goyal, Hu and Gupta 2023, appendix A.3: dependent samples (eq. 18 to 20)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cache
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.algebra.formula import constant, read_formula
from ntqr_exact.ledger.equations import FormulaText, formula
from ntqr_exact.ledger.faithful.samples import mean, paired_moments
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided

_Law = dict[tuple[int, int, int, int], mpq]
"""Probabilities of (real C, real T, observed C, observed T) of one question."""

_NAMES = ("rc", "rt", "oc", "ot")
_PAIRS = tuple(itertools.product((0, 1), repeat=2))

LEANING: _Law = {(0, 0, 0, 0): mpq(1, 2), (1, 1, 0, 1): mpq(1, 2)}
"""A law in which the real labels are independent given both observed ones, yet C's follows what was observed of T."""


def covariance_of_means(printed: FormulaText) -> Finding:
    """Compare a printed covariance of means with E[c t] − E[c]E[t] of the shares of N paired results."""
    known = paired_moments()
    c, t = read_formula("c"), read_formula("t")
    true = mean(c * t, known) - mean(c, known) * mean(t, known)
    claimed = formula(printed, {"cov": "p11 - pC*pT"})
    return as_printed(
        claimed.equals(true),
        f"of the N² pairs of results only the N of one question covary: Cov of the means is {true}; printed: {claimed}",
    )


def sum_of_products(printed: Mapping[str, FormulaText]) -> Finding:
    """Sum the printed term over x and y, take off the rest, and compare with the covariance of one pair."""
    chances = {(0, 0): "1 - pC - pT + p11", (1, 0): "pT - p11", (0, 1): "pC - p11", (1, 1): "p11"}
    total = constant(0)
    for (x, y), chance in chances.items():
        total = total + formula(printed["term"], {"x": str(x), "y": str(y), "P": chance})
    claimed = total - formula(printed["less"])
    return as_printed(
        claimed.equals(read_formula("p11 - pC*pT")), f"of the four terms only x = y = 1 is left: {claimed}"
    )


def _chance(law: _Law, **fixed: int) -> mpq:
    return sum(
        (
            weight
            for outcome, weight in law.items()
            if all(outcome[_NAMES.index(name)] == value for name, value in fixed.items())
        ),
        mpq(0),
    )


def _given(law: _Law, event: Mapping[str, int], condition: Mapping[str, int]) -> mpq:
    below = _chance(law, **condition)
    return _chance(law, **event, **condition) / below if below else mpq(0)


def lines_of_19(law: _Law) -> dict[str, mpq]:
    """Return the left side of eq. 19 and its four right sides for a law of one question."""
    lines = dict.fromkeys("abcd", mpq(0))
    for x, y in _PAIRS:
        both, weight = {"oc": x, "ot": y}, _chance(law, oc=x, ot=y)
        lines["a"] += _chance(law, rc=1, rt=1, **both)
        lines["b"] += _given(law, {"rc": 1, "rt": 1}, both) * weight
        lines["c"] += _given(law, {"rc": 1}, both) * _given(law, {"rt": 1}, both) * weight
        lines["d"] += _given(law, {"rc": 1}, {"oc": x}) * _given(law, {"rt": 1}, {"ot": y}) * weight
    return {"left": _chance(law, rc=1, rt=1), **lines}


def conditionally_independent(law: _Law) -> bool:
    """Return whether the real labels are independent given both observed ones, as eq. 19 assumes."""
    return all(
        _given(law, {"rc": 1, "rt": 1}, both) == _given(law, {"rc": 1}, both) * _given(law, {"rt": 1}, both)
        for both in ({"oc": x, "ot": y} for x, y in _PAIRS)
    )


def own_labels(law: _Law) -> bool:
    """Return whether each real label depends on its own observed label only."""
    seen = [(x, y) for x, y in _PAIRS if _chance(law, oc=x, ot=y)]
    return all(
        _given(law, {"rc": 1}, {"oc": x, "ot": y}) == _given(law, {"rc": 1}, {"oc": x})
        and _given(law, {"rt": 1}, {"oc": x, "ot": y}) == _given(law, {"rt": 1}, {"ot": y})
        for x, y in seen
    )


@cache
def small_laws() -> list[_Law]:
    """Return all laws of at most two equally likely outcomes, those of fewest outcomes first."""
    bits = (0, 1)
    outcomes = list(itertools.product(bits, bits, bits, bits))
    laws: list[_Law] = [{outcome: mpq(1)} for outcome in outcomes]
    return laws + [dict.fromkeys(pair, mpq(1, 2)) for pair in itertools.combinations(outcomes, 2)]


def line(
    printed: Literal["any law", "independent given both", "independent given both, each by its own label"],
    *,
    which: Literal["a", "b", "c", "d"],
) -> Finding:
    """Compare a line of eq. 19 with its left side in all small laws that obey what is assumed."""
    kept = [
        law
        for law in small_laws()
        if (printed == "any law" or conditionally_independent(law))
        and (not printed.endswith("own label") or own_labels(law))
    ]
    failing = [law for law in kept if lines_of_19(law)[which] != lines_of_19(law)["left"]]
    if not failing:
        return decided(
            True,
            f"line {which} equals the left side in all {len(kept)} laws of at most 2 equally likely outcomes",
        )
    # Of the laws of fewest outcomes, the one in which T is observed as it is, if there is one.
    law = LEANING if LEANING in failing else failing[0]
    shown = lines_of_19(law)
    outcomes = " and ".join(f"R_C, R_T, O_C, O_T = {', '.join(map(str, key))}" for key in law)
    return decided(
        False,
        f"{outcomes}, equally likely: given O_C and O_T both real labels are certain, hence independent; the left side "
        f"is {shown['left']}, line {which} is {shown[which]}",
        f"the line fails in {len(failing)} of {len(kept)} laws of at most 2 equally likely outcomes",
    )


def covariance(printed: Mapping[str, FormulaText]) -> Finding:
    """Compare the mean of eq. 20 with the covariance of the real labels over N, by what is assumed."""
    chances = {(0, 0): "1 - c - t + b", (0, 1): "t - b", (1, 0): "c - b", (1, 1): "b"}
    rate = {0: "phi", 1: "pi"}
    total = constant(0)
    for (x, y), chance in chances.items():
        total = total + formula(printed["term"], {"rC": rate[x], "rT": rate[y], "P": chance})
    real = {"pRC": "phi + (pi - phi)*c", "pRT": "phi + (pi - phi)*t"}
    average = mean(formula(printed["factor"]) * total - formula(printed["less"], real), paired_moments())
    true = read_formula("(pi - phi)**2*(p11 - pC*pT)/N")
    of_labels = _chance(LEANING, rc=1, rt=1) - _chance(LEANING, rc=1) * _chance(LEANING, rt=1)
    told = lines_of_19(LEANING)["d"] - _chance(LEANING, rc=1) * _chance(LEANING, rt=1)
    return by_reading(
        {
            "each real label depends on its own observed label only": decided(
                average.equals(true),
                "its mean is δ²·Cov(O_C, O_T)/N = Cov(R_C, R_T)/N, as formulas: unbiased"
                if average.equals(true)
                else f"its mean is {average}",
            ),
            "independence given both observed labels, as stated, and no more": decided(
                average.equals(true) and of_labels == told,
                f"in the counterexample to the last line of eq. 19, Cov(R_C, R_T) = {of_labels}, and eq. 20 is {told} "
                "on average",
                right="state the second assumption",
            ),
        }
    )
