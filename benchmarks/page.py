"""The two pages that a full run writes: all ratios, and how every operation grows."""

from __future__ import annotations

import os
import platform
import textwrap
from collections.abc import Iterable

from benchmarks.measure import Growth, Ratio


def machine() -> str:
    return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def ratios_page(rows: Iterable[Ratio]) -> str:
    lines = [
        "# Benchmarks",
        "",
        *_wrapped(
            "Written by `python -m benchmarks --page`. Every row is a ratio: our time, or our memory where it "
            "says so, over that of a peer or a bare loop, each the least of several runs taken in turn; both "
            "give the same results, which is checked first. The floor is what we ask of ourselves: a ratio "
            "above it is a missed row, and the command ends with exit code 1. `python -m benchmarks --check` "
            "runs a short form that fails only if a floor is missed by more than a busy machine explains: a fifth "
            "for the points of curves, else a factor of two. How cost grows with size is in [Growth](growth.md)."
        ),
        "",
        f"Measured with {machine()}.",
        "",
        "| what | against | ours | peer | ratio | floor |",
        "|---|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.name} | {row.peer} | {_told(row, row.ours)} | {_told(row, row.theirs)} | {_ratio(row.value)} | "
        f"{_ratio(row.limit)}{'' if row.holds else ' **missed**'} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def growth_page(growths: Iterable[Growth]) -> str:
    lines = [
        "# Growth",
        "",
        *_wrapped(
            "How the cost of each operation grows in the number of questions Q, of judges N, of labels R, or"
            " of rows n. Written by `python -m benchmarks --page`: each operation is measured at three "
            "sizes, time as the least of several runs and memory as the most that Python and numpy held at "
            "once; the exponent is the slope of log time over log size. Next to each time is what the "
            "formula makes of the first one. Small sizes have a fixed cost that the formulas leave out. "
            "Ratios to peers are in [Benchmarks](benchmarks.md)."
        ),
        "",
        f"Measured with {machine()}.",
    ]
    for growth in growths:
        first = growth.points[0]
        lines += [
            "",
            f"## {growth.name[0].upper()}{growth.name[1:]}",
            "",
            f"Cost: {growth.formula}.",
            "",
            f"| {growth.variable} | time | by the formula | memory |",
            "|---:|---:|---:|---:|",
        ]
        lines += [
            f"| {point.size:,} | {_time(point.seconds)} | {_time(first.seconds * point.formula / first.formula)} | "
            f"{_memory(point.memory)} |"
            for point in growth.points
        ]
        lines += [
            "",
            f"Exponent of time {_exponent(growth.exponent)} (formula {_exponent(growth.formula_exponent)}), of memory "
            f"{_exponent(growth.memory_exponent)}.",
            "",
            f"- On one machine: {growth.one_machine}.",
            f"- On a cluster: {growth.cluster}.",
        ]
        if growth.not_at_all:
            lines.append(f"- Not at all: {growth.not_at_all}.")
    return "\n".join(lines) + "\n"


def _told(row: Ratio, value: float) -> str:
    return _memory(value) if row.is_memory else _time(value)


def _time(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _exponent(value: float) -> str:
    return f"{round(value, 1) + 0.0:.1f}"  # 0.0 makes 0 of −0


def _ratio(value: float) -> str:
    return f"1/{1 / value:,.0f}" if value < 0.1 else f"{value:.2g}"


def _memory(size: float) -> str:
    return f"{size / 2**20:.1f} MB" if size >= 2**20 else f"{size / 2**10:.0f} kB"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 118, break_on_hyphens=False)
