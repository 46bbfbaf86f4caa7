"""Votes as a table: text for the terminal, a LaTeX array for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gmpy2 import mpq

from ntqr_exact.exact.latex_table import latex_text

if TYPE_CHECKING:
    from ntqr_exact.votes.counts import VoteCounts


def table_text(votes: VoteCounts) -> str:
    """Return a line for each pattern seen, with its count and its share of the questions."""
    rows = [(*votes.judges, "count", "share")]
    rows += [
        (*pattern, str(votes.counts[pattern]), str(share)) for pattern, share in votes.frequencies().items()
    ]
    if len(rows) == 1:
        return f"no questions for {', '.join(votes.judges)}"
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    names = len(votes.judges)
    return "\n".join(
        " ".join(
            cell.ljust(width) if index < names else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def table_latex(votes: VoteCounts) -> str:
    """Return the same table as a LaTeX array, names escaped."""
    rows = [[*map(_text, votes.judges), "n", "f"]]
    rows += [
        [*map(_text, pattern), str(votes.counts[pattern]), _fraction(share)]
        for pattern, share in votes.frequencies().items()
    ]
    header, *lines = (" & ".join(row) for row in rows)
    body = header + r" \\ \hline " + r" \\ ".join(lines) if lines else header
    return rf"\begin{{array}}{{{'c' * len(votes.judges)}|rr}} {body} \end{{array}}"


def _fraction(number: mpq) -> str:
    return str(number) if number.denominator == 1 else rf"\frac{{{number.numerator}}}{{{number.denominator}}}"


def _text(name: str) -> str:
    return rf"\text{{{latex_text(name)}}}"
