"""Worked lines of the ORES documentation: a formula with numbers, a sign, and a decimal."""

from __future__ import annotations

import re

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, read_formula
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, decided, noted, rounded
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import CELLS, Cells, metric

DISEASE = ConfusionMatrix(tp=30, fp=10, fn=5, tn=55)
"""The example of the source: 100 people, 35 of them infected."""

ENWIKI = ConfusionMatrix(tp=431, fp=719, fn=320, tn=17958)
"""The counts of the enwiki damaging model, as section 1.10 prints them."""

_DECIMAL = re.compile(r"\d+\.\d+")


def of_library(name: str) -> Formula:
    """Return a metric of the registry as a formula in TP, FP, FN and TN.

    >>> of_library("recall").equals(read_formula("TP/(TP + FN)"))
    True
    """
    known = metric(name)
    return read_formula(f"({_sum(known.numerator)}) / ({_sum(known.denominator)})")


def number(text: str) -> mpq:
    """Return the value of a formula of numbers, decimals among them; raise `BadDocument` for one with names.

    >>> number("0.75*(30/35)")
    mpq(9,14)
    """
    exact = _DECIMAL.sub(lambda match: f"({rational(match[0])})", text)
    formula = read_formula(exact)
    if formula.variables():
        raise BadDocument(text, "a worked line has numbers only")
    return rational(str(formula.evaluate({})))


def decimal_after(sign: str, decimal: str, exact: mpq, what: str) -> Finding:
    """Return how a printed decimal stands after = or ≈.

    A rounded value is right if the exact one rounds to it, whatever the sign before it; where that is =, it is noted.
    """
    if sign == "=" and rational(decimal) != exact:
        return noted(rounded(decimal, exact, what), "printed after =, though it is a rounding")
    return rounded(decimal, exact, what)


def worked(printed: str, exact: mpq, what: str) -> Finding:
    """Return whether a line such as `30/(30+5) ≈ 0.86` has the right fraction and the right decimal.

    >>> worked("30/(30+5) ≈ 0.86", mpq(6, 7), "recall").verdict.value
    'holds'
    """
    match = re.fullmatch(r"([^=≈]+)([=≈])\s*([\d.]+)", printed.strip())
    if match is None:
        raise BadDocument(printed, "a worked line is a formula, = or ≈, and a decimal")
    left, sign, decimal = match.groups()
    value = number(left)
    return all_of(
        {
            "fraction": decided(value == exact, f"{left.strip()} = {value}", right=str(exact), slip=True),
            "decimal": decimal_after(sign, decimal, exact, what),
        }
    )


def _sum(cells: Cells) -> str:
    terms = [(name.upper(), getattr(cells, name)) for name in CELLS]
    return " + ".join(f"{count}*{name}" for name, count in terms if count)
