"""`python -m benchmarks [--quick]`: all ratios in one table; exit code 1 if a limit is missed."""

from __future__ import annotations

import sys

from benchmarks import confidence, counting, evaluators, importing, metrics, varieties

MODULES = (importing, counting, evaluators, varieties, metrics, confidence)


def main() -> int:
    quick = "--quick" in sys.argv[1:]
    print(f"{'what':44} {'against':36} {'ours/s':>9} {'peer/s':>9} {'ratio':>8} {'limit':>8}")
    missed = 0
    for module in MODULES:
        for row in module.rows(quick=quick):
            mark = "" if row.holds else "  MISSED"
            times = f"{row.ours:9.2g} {row.theirs:9.2g} {row.value:8.2g} {row.limit:8.2g}"
            print(f"{row.name:44} {row.peer:36} {times}{mark}", flush=True)
            missed += not row.holds
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
