"""`python -m benchmarks [--quick | --check | --page]`: all ratios in one table.

`--quick` takes smaller sizes. `--check` is the same, and only a ratio that is worse than its floor by more than what a
busy machine does counts (`Ratio.tolerance`). `--page` writes docs/benchmarks.md from a full run.
Exit code 1 if a floor is missed.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from benchmarks import (
    algebra,
    confidence,
    counting,
    crowds,
    evaluators,
    importing,
    metrics,
    sampling,
    varieties,
)
from benchmarks.measure import Ratio
from benchmarks.page import ratios_page

MODULES = (importing, counting, evaluators, varieties, algebra, metrics, sampling, confidence, crowds)
DOCS = Path(__file__).resolve().parent.parent / "docs"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--quick", action="store_true", help="smaller sizes")
    kind.add_argument(
        "--check", action="store_true", help="as quick; fail only beyond the tolerance of a floor"
    )
    kind.add_argument("--page", action="store_true", help="write the page of the docs")
    options = parser.parse_args()
    quick = options.quick or options.check
    rows = _print_ratios(quick=quick)
    if options.page:
        (DOCS / "benchmarks.md").write_text(ratios_page(rows), encoding="utf-8")
    held = [row.holds_nearly if options.check else row.holds for row in rows]
    return 0 if all(held) else 1


def _print_ratios(*, quick: bool) -> list[Ratio]:
    print(f"{'what':52} {'against':36} {'ours/s':>9} {'peer/s':>9} {'ratio':>8} {'floor':>8}")
    rows = []
    for module in MODULES:
        for row in module.rows(quick=quick):
            mark = (
                "" if row.holds else "  MISSED" if not row.holds_nearly else "  missed within its tolerance"
            )
            times = f"{row.ours:9.3g} {row.theirs:9.3g} {row.value:8.2g} {row.limit:8.2g}"
            print(f"{row.name:52} {row.peer:36} {times}{mark}", flush=True)
            rows.append(row)
    return rows


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # those of peers, about their own future
    sys.exit(main())
