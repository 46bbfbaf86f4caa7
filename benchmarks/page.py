"""The page that a full run writes: all ratios."""

from __future__ import annotations

import os
import platform
import textwrap
from collections.abc import Iterable

from benchmarks.measure import Ratio


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
            "for the points of curves, else a factor of two."
        ),
        "",
        f"Measured with {machine()}.",
        "",
        "| what | against | ours | peer | ratio | floor |",
        "|---|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.name} | {row.peer} | {_amount(row, row.ours)} | {_amount(row, row.theirs)} | {_ratio(row.value)} | "
        f"{_ratio(row.limit)}{'' if row.holds else ' **missed**'} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def _amount(row: Ratio, value: float) -> str:
    return _memory(value) if row.is_memory else _time(value)


def _time(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _ratio(value: float) -> str:
    return f"1/{1 / value:,.0f}" if value < 0.1 else f"{value:.2g}"


def _memory(size: float) -> str:
    return f"{size / 2**20:.1f} MB" if size >= 2**20 else f"{size / 2**10:.0f} kB"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 118, break_on_hyphens=False)
