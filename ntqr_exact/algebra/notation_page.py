"""`docs/notation.md`, made from the table of notation: `python -m ntqr_exact.algebra.notation_page`."""

from __future__ import annotations

import sys

from ntqr_exact.algebra.notation import (
    NOTATION,
    Quantity,
    Variable,
    accuracy,
    correlation,
    frequency,
    key_count,
    key_responses,
    of_judges,
    prevalence,
    response_rate,
    responses,
)

_HEAD = """\
# Notation

<!-- Made by `python -m ntqr_exact.algebra.notation_page`; change the table in notation.py, not this page. -->

One word, one symbol, one meaning. The rows show label a (and b) and judges 1, 2, 3; other labels and
judges are written alike. In code names, a character of a label that is no letter or digit, or is Z, is
written as its code between two Zs. *Seen in*: a quantity of the votes is known to everybody, one of the
answer key only to who has the key.

| code name | symbol | LaTeX | seen in | meaning |
|---|---|---|---|---|
"""


def examples() -> list[Variable]:
    """Return the variables that stand for their kinds on the page, each kind at least once."""
    return [
        prevalence("a"),
        accuracy("a", 0),
        response_rate("a", "b", 0),
        correlation("a", (0, 1)),
        correlation("a", (0, 1, 2)),
        of_judges(Quantity.INFORMEDNESS, 0),
        of_judges(Quantity.SIGNED_ROOT),
        of_judges(Quantity.ERROR, 0),
        of_judges(Quantity.JOINT_ERROR, 0, 1),
        of_judges(Quantity.ERROR_PRODUCT),
        key_count("a"),
        key_responses("a", {0: "a"}),
        key_responses("a", {0: "a", 1: "b"}),
        of_judges(Quantity.GRADE, 0),
        frequency({0: "a"}),
        frequency({0: "a", 1: "b"}),
        frequency({0: "a", 1: "a", 2: "b"}),
        of_judges(Quantity.PAIR_MOMENT, 0, 1),
        of_judges(Quantity.TRIO_MOMENT, 0, 1, 2),
        of_judges(Quantity.DISCRIMINANT_ROOT),
        of_judges(Quantity.AGREEMENT, 0, 1),
        of_judges(Quantity.QUESTIONS),
        responses({0: "a"}),
        responses({0: "a", 1: "b"}),
    ]


def notation_page() -> str:
    """Return the page as Markdown.

    >>> print(notation_page().splitlines()[11])
    | `prevalence_a` | `P_a` | $\\hat{P}_{a}$ | the answer key | share of the questions whose true label is a |
    """
    rows = []
    for variable in examples():
        entry = NOTATION[variable.kind]
        cells = (
            f"`{variable.name}`",
            f"`{variable.symbol}`",
            f"${variable.latex}$",
            entry.side.value,
            entry.meaning,
        )
        rows.append(f"| {' | '.join(cells)} |\n")
    return _HEAD + "".join(rows)


if __name__ == "__main__":
    sys.stdout.write(notation_page())
