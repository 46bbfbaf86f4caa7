"""Tables 1, 3 and 4: the measured cells row by row, and what theory and captions say of them.

A measurement cannot be repeated from the text. What can be checked is that each mean lies in its interval, that
bold cells are the least ones, that on two labels all six scores agree (theorem 1), and that ATC-L2 and ATC-L2n
agree in every row (theorem 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, by_reading, counterexample, decided, not_checkable
from ntqr_exact.ledger.orderings.printed_tables import (
    ATC,
    DATASETS,
    LABELS,
    METHODS,
    RUNS,
    Row,
    printed_rows,
    read_row,
    rows,
)
from ntqr_exact.ledger.orderings_analysis.trial_analysis import winners

_HUNDRED = mpq(100)
_Z = mpq(49, 25)


def _order(row: Row) -> Finding:
    outside = [name for name, cell in row.cells.items() if not cell.low <= cell.mean <= cell.high]
    beyond = [name for name, cell in row.cells.items() if cell.low < 0 or cell.mean > _HUNDRED]
    text = "; ".join(f"{name} {cell}" for name, cell in row.cells.items())
    if outside or beyond:
        return decided(False, f"outside its interval or of [0, 100]: {', '.join(outside + beyond)}", text)
    return not_checkable(
        "the models' probability vectors and the resamples", f"each mean in its interval: {text}"
    )


def _row(dimension: int, printed: str) -> Finding:
    """Check one row: its place, its intervals, its bold cells, and on two labels the equality of all scores."""
    row = read_row(printed)
    parts = {
        "dimension": decided(
            row.dimension == dimension, f"the row of {dimension} labels", right=str(dimension), slip=True
        )
    }
    least = winners({(row.dimension, name): cell.mean for name, cell in row.cells.items()})[row.dimension]
    bold = tuple(name for name, cell in row.cells.items() if cell.bold)
    if bold:
        parts["bold"] = decided(
            bold == least,
            f"least mean: {', '.join(least)}; these are the bold cells"
            if bold == least
            else f"bold: {', '.join(bold)}; least mean: {', '.join(least)}",
            right=f"bold: {', '.join(least)}",
            slip=True,
        )
    parts["cells"] = _order(row)
    return all_of(parts)


def _same_two(printed: str) -> Finding:
    """Compare the six cells of the row of two labels: theorem 1 makes them equal, with the same resamples."""
    cells = dict(zip(ATC, (part.strip() for part in printed.split("|")), strict=True))
    first = cells[ATC[0]]
    differing = [name for name in ATC if cells[name] != first]
    return decided(
        not differing,
        f"all six scores: {first}"
        if not differing
        else f"differing from {first}: " + ", ".join(f"{name} {cells[name]}" for name in differing),
        right="six equal cells",
    )


def six_equal(dataset: str) -> bool:
    """Tell whether the six scores have equal cells on two labels."""
    row = rows(dataset)[2]
    return len({str(row.cells[name]) for name in ATC}) == 1


def _twins(dimension: int, printed: str) -> Finding:
    """Compare ATC-L2 with ATC-L2n in one row: theorem 2 makes them equal on every resample."""
    cells = [part.strip() for part in printed.split("|")]
    numbers = [
        [rational(word) for word in cell.replace("[", "").replace(",", "").rstrip("]").split()]
        for cell in cells
    ]
    apart = [one - other for one, other in zip(*numbers, strict=True)]
    places = ("mean", "lower end", "upper end")
    return decided(
        not any(apart),
        f"k = {dimension}: both {cells[0]}"
        if not any(apart)
        else f"k = {dimension}: ATC-L2 {cells[0]}, ATC-L2n {cells[1]}; they differ in the "
        + ", ".join(
            f"{place} by {abs(number)}" for place, number in zip(places, apart, strict=True) if number
        ),
        right="two equal cells, as ‖p − 1/k‖² = ‖p‖² − 1/k gives one order, one threshold and one estimate",
    )


def _dimensions(dataset: str, printed: str) -> Finding:
    first, last, methods = map(int, printed.split())
    found = list(rows(dataset))
    return decided(
        found == list(range(first, last + 1)) and methods == len(METHODS) and last == LABELS[dataset],
        f"rows for k = {found[0]} to {found[-1]} without a gap, each with {len(METHODS)} cells",
        right=f"{found[0]} to {found[-1]}, {len(METHODS)} methods",
        slip=True,
    )


def _interval(dataset: str, printed: str) -> Finding:
    """Ask what the interval can be: the spread of the errors, or a confidence interval of their mean.

    Errors lie in [0, 100], so their variance is at most m(100 − m), and the half width of an interval for the
    mean of 1000 runs at most z·√(m(100 − m)/999).
    """
    level = rational(printed)
    too_wide = 0
    example = ""
    for row in rows(dataset).values():
        for name, cell in row.cells.items():
            bound = Surd.sqrt(_Z**2 * cell.mean * (_HUNDRED - cell.mean) / (RUNS - 1))
            if max(cell.high - cell.mean, cell.mean - cell.low) > bound:
                too_wide += 1
                example = example or (
                    f"k = {row.dimension}, {name}: {cell}, but an interval of the mean is at most "
                    f"{fixed_text(cell.mean, 2)} ± {bound.decimal(2)}"
                )
    return by_reading(
        {
            f"the middle {level} % of the errors of all runs": decided(
                all(
                    cell.low <= cell.mean <= cell.high
                    for row in rows(dataset).values()
                    for cell in row.cells.values()
                ),
                f"each mean lies inside; {level} %",
            ),
            f"a {level} % confidence interval of the mean absolute error": decided(
                too_wide == 0,
                f"{too_wide} of {len(rows(dataset)) * len(METHODS)} intervals are too wide for a mean of {RUNS} runs",
                example,
                right=f"percentiles 2.5 and 97.5 of the {RUNS} errors",
            ),
        }
    )


def _bold(printed: str) -> Finding:
    """Compare the bold cells of table 1 with the least means."""
    marked = {
        int(part.split(":")[0]): tuple(f"ATC-{name}" for name in part.split(":")[1].split())
        for part in printed.split(";")
    }
    least = winners(
        {(d, m): cell.mean for d, row in rows("Emotion").items() for m, cell in row.cells.items()}
    )
    cases = ((f"k = {d}: bold {', '.join(marked.get(d, ()))}", marked.get(d) == least[d]) for d in least)
    return counterexample(cases, checked="rows of table 1: the least printed means, all that tie, are bold")


def _doc_wider(dataset: str, printed: str) -> Finding:
    """Compare the width of the interval of DoC with that of each score."""
    times = rational(printed)
    ratios = []
    for d, row in rows(dataset).items():
        own = row.cells["DoC"].high - row.cells["DoC"].low
        ratios += [(own / (row.cells[m].high - row.cells[m].low), d, m) for m in ATC]
    least, d, m = min(ratios)
    return decided(
        least > times,
        f"more than {times} times as wide in all {len(ratios)} comparisons; "
        f"least at k = {d}, {m}: {fixed_text(least, 2)} times",
    )


def _overlap(_: str) -> Finding:
    cases = (
        (
            f"k = {d}",
            max(row.cells[m].low for m in ATC) <= min(row.cells[m].high for m in ATC),
        )
        for d, row in rows("TweetEval").items()
    )
    return counterexample(cases, checked="dimensions of TweetEval: the six intervals have a common point")


def _number(dataset: str) -> str:
    return DATASETS[dataset].replace("-", " ")


def _cells(text: str, methods: Sequence[str]) -> str:
    row = read_row(text)
    return " | ".join(str(row.cells[method]) for method in methods)


_BY_TABLE = tuple(
    claim
    for dataset, table in DATASETS.items()
    for claim in (
        Claim(
            f"orderings/{table}/dimensions",
            f"{_number(dataset)}, rows",
            Kind.COUNT,
            f"{dataset} has a row for each number of labels from 2 on, and seven methods.",
            partial(_dimensions, dataset),
            f"2 {LABELS[dataset]} 7",
        ),
        Claim(
            f"orderings/{table}/interval",
            f"{_number(dataset)}, caption",
            Kind.SENTENCE,
            f"{dataset}: in brackets stands a 95 % confidence interval of the mean absolute error.",
            partial(_interval, dataset),
            "95",
        ),
        *(
            Claim(
                f"orderings/{table}/k-{text.split(' ')[0]}",
                f"{_number(dataset)}, row {text.split(' ')[0]}",
                Kind.NUMBER,
                f"{dataset} with {text.split(' ')[0]} labels: mean absolute errors and intervals of seven methods.",
                partial(_row, int(text.split(" ")[0])),
                text,
            )
            for text in printed_rows(table)
        ),
        Claim(
            f"orderings/{table}/k-2/equal",
            f"{_number(dataset)}, row 2",
            Kind.DECISION,
            f"{dataset} with two labels: all six scores have one result, as theorem 1 says.",
            _same_two,
            _cells(printed_rows(table)[0], ATC),
        ),
        *(
            Claim(
                f"orderings/{table}/k-{text.split(' ')[0]}/l2-l2n",
                f"{_number(dataset)}, row {text.split(' ')[0]}",
                Kind.DECISION,
                f"{dataset} with {text.split(' ')[0]} labels: ATC-L2 and ATC-L2n have equal cells, by theorem 2.",
                partial(_twins, int(text.split(" ")[0])),
                _cells(text, ("ATC-L2", "ATC-L2n")),
            )
            for text in printed_rows(table)
        ),
    )
)

CLAIMS: tuple[Claim, ...] = (
    *_BY_TABLE,
    Claim(
        "orderings/table-1/bold",
        "table 1, caption",
        Kind.DECISION,
        "Bold cells are those of the lowest mean absolute error for their dimension.",
        _bold,
        "2: JS L1 L2 L2n Max NE; 3: JS; 4: JS; 5: L1 L2 L2n Max; 6: JS",
    ),
    Claim(
        "orderings/fig-1/doc-wider",
        "section 3.2, figure 1",
        Kind.SENTENCE,
        "On TweetEval the errors of DoC spread much more widely than those of ATC: more than twice, by the intervals.",
        partial(_doc_wider, "TweetEval"),
        "2",
    ),
    Claim(
        "orderings/fig-1/overlap",
        "section 3.2, figure 1",
        Kind.SENTENCE,
        "On TweetEval the distributions of the ATC methods overlap considerably.",
        _overlap,
    ),
)
