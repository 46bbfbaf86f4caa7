"""`docs/notation.md`, made from the table of notation: `python -m ntqr_exact.algebra.notation_page`."""

from __future__ import annotations

import sys

from ntqr_exact.algebra.notation import NOTATION, Variable, read_name

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


_EXAMPLES = """
prevalence_a accuracy_a_1 response_rate_a_b_1 correlation_a_1_2 correlation_a_1_2_3 informedness_1 signed_root
error_1 joint_error_1_2 error_product key_count_a key_responses_a_a_1 key_responses_a_a_1_b_2 grade_1
frequency_a_1 frequency_a_1_b_2 frequency_a_1_a_2_b_3 pair_moment_1_2 trio_moment_1_2_3 discriminant_root
agreement_1_2 questions responses_a_1 responses_a_1_b_2
"""


def examples() -> list[Variable]:
    """Return the variables that stand for their kinds on the page, each kind at least once."""
    return list(map(read_name, _EXAMPLES.split()))


def notation_page() -> str:
    """Return the page as Markdown.

    >>> print(notation_page().splitlines()[11])
    | `prevalence_a` | `P_a` | $\\hat{P}_{a}$ | the answer key | share of the questions whose true label is a |
    """
    rows = []
    for variable in examples():
        entry = NOTATION[variable.kind]
        written = f"`{variable.name}` | `{variable.symbol}` | ${variable.latex}$"
        rows.append(f"| {written} | {entry.side.value} | {entry.meaning} |\n")
    return _HEAD + "".join(rows)


if __name__ == "__main__":
    sys.stdout.write(notation_page())
