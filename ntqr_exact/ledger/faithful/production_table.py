"""Goyal, Hu and Gupta 2023, table 2: each cell by interval arithmetic over the roundings of its row.

Neither counts nor means are printed for the production system, so a cell is judged against the others of its row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil, floor

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import significant_text
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.faithful import production_row as rows
from ntqr_exact.ledger.faithful.tables import KINDS, before_rounding, excludes_zero, meet, production_rows
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided, within
from ntqr_exact.ledger.rounding import Rounding, read_printed

_FINE = 10**15
_NAMES = {
    "deterministic_control": "var-d-c",
    "deterministic_treatment": "var-d-t",
    "deterministic_lower": "ci-d-lower",
    "deterministic_upper": "ci-d-upper",
    "printed_control": "var-m-c",
    "printed_treatment": "var-m-t",
    "printed_lower": "ci-m-lower",
    "printed_upper": "ci-m-upper",
}
"""The cells of a row, and the last part of their ids."""


def _span(bounds: Enclosure) -> str:
    return f"[{significant_text(bounds.lower, 5)}, {significant_text(bounds.upper, 5)}]"


def _outwards(bounds: Enclosure) -> tuple[mpq, mpq]:
    """Return slightly wider bounds of few digits."""
    return mpq(floor(bounds.lower * _FINE), _FINE), mpq(ceil(bounds.upper * _FINE), _FINE)


def _how(printed: str, bounds: Enclosure) -> str:
    decimal = read_printed(printed)
    if {decimal.rule_for(bounds.lower), decimal.rule_for(bounds.upper)} == {Rounding.CUT}:
        return "digits were cut off instead of rounded"
    return "the decimal point is one place off" if rows.shifted_point(printed, bounds) else ""


def _cell(row: str, name: str, printed: str) -> Finding:
    cells = {**production_rows()[row], name: printed}
    fitting, left = rows.differences(cells), rows.left_by_others(cells, name)
    if fitting is not None and left is not None:
        return decided(
            True,
            f"the whole row fits f_d in {_span(fitting)}",
            f"the other seven cells leave {_span(left)} for this one, printed {printed}",
        )
    blamed = rows.suspects(cells)
    if name not in blamed or left is None:
        rest = rows.differences(cells, blamed[0]) if blamed else None
        return decided(
            True,
            "the row does not fit together, but setting this cell aside does not mend it; setting aside "
            f"{' or '.join(_NAMES[each] for each in blamed) or 'no single cell'} does",
            f"printed {printed}" + (f"; then all fit f_d in {_span(rest)}" if rest else ""),
        )
    low, high = _outwards(left)
    misprint = within(printed, low, high, "by the other seven cells it", arose=_how(printed, left))
    others = [_NAMES[each] for each in blamed if each != name]
    if not others:
        return misprint
    return by_reading(
        {
            "the other seven cells are right": misprint,
            f"another cell is misprinted ({', '.join(others)})": decided(
                rows.differences(cells, blamed[0] if blamed[0] != name else blamed[1]) is not None,
                f"with one of them set aside, {printed} fits",
            ),
        }
    )


def _width(row: str, kind: str, printed: str) -> Finding:
    """`printed` is Var_C; Var_T; lower; upper of one kind."""
    word = KINDS[kind]
    parts = dict(zip(("control", "treatment", "lower", "upper"), printed.split("; "), strict=True))
    cells = {**production_rows()[row], **{f"{word}_{name}": text for name, text in parts.items()}}
    own = rows.Kind.of(cells, word)
    fits = meet(own.half_width, own.reach) is not None
    mended = [] if fits else rows.mending_digits(cells)
    changes = ", ".join(f"{_NAMES[name]} {text}" for name, text in mended)
    return decided(
        fits,
        f"half of the printed width lies in {_span(own.half_width)}, 1.96·√(Var_C + Var_T) in {_span(own.reach)}",
        *([f"one digit changed would mend the row: {changes}"] if changes else []),
        right=f"half a width in {_span(own.reach)}",
        slip=True,
    )


def _centre(row: str, printed: str) -> Finding:
    """`printed` is both intervals."""
    texts = [text.strip("()").split(", ") for text in printed.split("; ")]
    cells = dict(production_rows()[row])
    for word, (lower, upper) in zip(KINDS.values(), texts, strict=True):
        cells |= {f"{word}_lower": lower, f"{word}_upper": upper}
    first, second = (rows.Kind.of(cells, word).middle for word in KINDS.values())
    return decided(
        meet(first, second) is not None,
        f"middle of CI^D in {_span(first)}, of CI^M in {_span(second)}; both are f_d",
        right=f"a CI^M with its middle in {_span(first)}",
        slip=True,
    )


def _decision(expected: bool, printed: str) -> Finding:
    lower, upper = printed.strip("()").split(", ")
    found = excludes_zero(lower, upper)
    word = {True: "leaves out 0: a difference", False: "contains 0: no difference"}
    return decided(found == expected, f"{printed} {word[found]} is shown", right=word[expected])


def _grows(printed: str) -> Finding:
    """`printed` is Var^D and Var^M of the control, then of the treatment."""
    control, treatment = (
        [before_rounding(text) for text in part.split(" to ")] for part in printed.split("; ")
    )
    factors = [after / before for before, after in (control, treatment)]
    return decided(
        all(factor.lower > 1 for factor in factors),
        f"Var^M/Var^D lies in {_span(factors[0])} for C and in {_span(factors[1])} for T",
        right="it does not grow",
    )


def _row_claims(row: str) -> list[Claim]:
    cells = production_rows()[row]
    title = row.capitalize()
    place = f"table 2, {title}"
    claims = []

    def add(suffix: str, kind: Kind, statement: str, check: Callable[[str], Finding], printed: str) -> None:
        claims.append(Claim(f"faithful/table-2/{row}/{suffix}", place, kind, statement, check, printed))

    for name, short in _NAMES.items():
        add(
            short,
            Kind.NUMBER,
            f"In {title} the cell {short} is ${cells[name]}$.",
            partial(_cell, row, name),
            cells[name],
        )
    intervals = {
        kind: f"({cells[f'{word}_lower']}, {cells[f'{word}_upper']})" for kind, word in KINDS.items()
    }
    for kind, word in KINDS.items():
        letter = kind.upper()
        add(
            f"width-{kind}",
            Kind.NUMBER,
            rf"In {title} $\mathrm{{CI}}^{letter}$ is $2\cdot1.96\sqrt{{\mathrm{{Var}}^{letter}(d)}}$ wide.",
            partial(_width, row, kind),
            "; ".join(cells[f"{word}_{part}"] for part in ("control", "treatment", "lower", "upper")),
        )
        add(
            f"decision-{kind}",
            Kind.DECISION,
            rf"In {title} $\mathrm{{CI}}^{letter}$ {'leaves out' if kind == 'd' else 'contains'} 0.",
            partial(_decision, kind == "d"),
            intervals[kind],
        )
    add(
        "centre",
        Kind.NUMBER,
        f"In {title} both intervals lie around the same difference.",
        partial(_centre, row),
        "; ".join(intervals.values()),
    )
    add(
        "growth",
        Kind.NUMBER,
        rf"In {title} both variances are larger as $\mathrm{{Var}}^M$.",
        _grows,
        "; ".join(
            f"{cells[f'deterministic_{side}']} to {cells[f'printed_{side}']}"
            for side in ("control", "treatment")
        ),
    )
    return claims


CLAIMS: tuple[Claim, ...] = tuple(claim for row in production_rows() for claim in _row_claims(row))
