"""Votes as a table: text for the terminal, a LaTeX array for notebooks."""

from __future__ import annotations

from collections.abc import Mapping

from gmpy2 import mpq

from ntqr_exact.exact.latex_table import latex_cell, latex_text
from ntqr_exact.exact.text_rows import aligned
from ntqr_exact.votes.names import Pattern


def table_text(judges: tuple[str, ...], counts: Mapping[Pattern, int], shares: Mapping[Pattern, mpq]) -> str:
    """Return a line for each pattern seen, with its count and its share of the questions."""
    rows = [(*judges, "count", "share")]
    rows += [(*pattern, str(counts[pattern]), str(share)) for pattern, share in shares.items()]
    if len(rows) == 1:
        return f"no questions for {', '.join(judges)}"
    return "\n".join(aligned(rows, to_the_left=[*(True for _ in judges), False, False], between=" "))


def table_latex(judges: tuple[str, ...], counts: Mapping[Pattern, int], shares: Mapping[Pattern, mpq]) -> str:
    """Return the same table as a LaTeX array, names escaped."""
    rows = [[*map(_text, judges), "n", "f"]]
    rows += [
        [*map(_text, pattern), str(counts[pattern]), latex_cell(share)] for pattern, share in shares.items()
    ]
    header, *lines = (" & ".join(row) for row in rows)
    body = header + r" \\ \hline " + r" \\ ".join(lines) if lines else header
    return rf"\begin{{array}}{{{'c' * len(judges)}|rr}} {body} \end{{array}}"


def _text(name: str) -> str:
    return rf"\text{{{latex_text(name)}}}"
