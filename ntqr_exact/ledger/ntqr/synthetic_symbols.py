"""Symbols around the synthetic evaluation of the source: which quantity a caption or a heading names."""

from __future__ import annotations

import re

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluation import rational_rate
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.with_decimal import with_decimal
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import decided
from ntqr_exact.ledger.ntqr.printed_cells import printed_tables
from ntqr_exact.ledger.ntqr.synthetic_trio import synthetic_evaluation, synthetic_moments, synthetic_votes

_NAMES = {"Pa": "P_a", "Pb": "P_b", "x": "P^a_{a_i}", "y": "P^b_{b_i}"}
_HEADING = re.compile(r"f(?P<first>[ab])_(?P<left>[ijk]), f(?P<second>[ab])_(?P<right>[ijk])")


def _values() -> dict[str, list[mpq]]:
    """Return what each symbol stands for in the synthetic evaluation: one prevalence, or three accuracies."""
    evaluation = synthetic_evaluation()
    found = {f"P{label}": [rational_rate(evaluation.prevalence[label])] for label in "ab"}
    for symbol, label in (("x", "a"), ("y", "b")):
        found[symbol] = [rational_rate(each[label]) for each in evaluation.accuracy]
    return found


def _quantity(symbol: str, value: mpq, source: str) -> Finding:
    """Judge whether a symbol names the quantity that has the given value."""
    values = _values()
    if symbol not in values:
        raise BadDocument(symbol, f"one of the symbols {', '.join(values)}")
    named = [_NAMES[name] for name, each in values.items() if value in each]
    return decided(
        value in values[symbol],
        f"{source} is {value}, the value of {' and '.join(named) or 'none of the rates'}",
        f"{_NAMES[symbol]} has the value {' or '.join(map(str, values[symbol]))}",
        right=f"{' or '.join(named)} = {value}" if named else "",
        slip=True,
    )


def _caption(printed: str) -> Finding:
    symbol, _, value = printed.partition(" = ")
    return _quantity(symbol, rational(value), "the number of the caption")


def _estimated(printed: str) -> Finding:
    """Judge which quantity eq. 40 estimates, by its value on the synthetic evaluation."""
    moments = synthetic_moments()
    return _quantity(
        printed, ((1 - moments.trio / Surd.sqrt(moments.discriminant)) / 2).rational, "eq. 40 here"
    )


def _heading(printed: str) -> Finding:
    """Judge the heading of two columns whose rows belong to one judge each: both must have its index."""
    match = _HEADING.fullmatch(printed)
    if match is None:
        raise BadDocument(printed, "two frequencies of single answers, as fa_i, fb_i")
    votes = synthetic_votes()
    own = votes.response_rate(0, match["first"]) + votes.response_rate(0, match["second"])
    others = votes.response_rate(0, match["first"]) + votes.response_rate(1, match["second"])
    return decided(
        match["left"] == match["right"],
        "each row is of one judge, and has one number in each column",
        f"of one judge the two add up to {own}; of judges 1 and 2 they would add up to {with_decimal(others)}",
        right=f"f_{{{match['first']}_i}} and f_{{{match['second']}_i}}",
        slip=True,
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "ntqr/table-8/caption/symbol",
        "table 8, caption",
        Kind.DEFINITION,
        r"In the synthetic evaluation an accuracy $\hat P^a_{a}$ equals 19/20.",
        _caption,
        printed=f"x = {printed_tables()['synthetic']['table-8']['prevalence']}",
        garbled=r"Perhaps by extraction: the index of $\hat P^a_{a_e}$ has taken a letter of the next word.",
        by_hand="None of the three accuracies in the table is 19/20; table 9 needs it as the prevalence.",
    ),
    Claim(
        "ntqr/table-11/header",
        "table 11, heading",
        Kind.DEFINITION,
        "The columns of a judge are $f_{a_i}$ and $f_{b_j}$.",
        _heading,
        printed="fa_i, fb_j",
    ),
    Claim(
        "ntqr/sec-7-2/equation-40-quantity",
        "section 7.2, last sentence",
        Kind.DEFINITION,
        r"Eq. 40 estimates an accuracy $\hat P^a_{a}$.",
        _estimated,
        printed="x",
        garbled="Perhaps by extraction: the lower index has taken the comma that follows.",
    ),
)
