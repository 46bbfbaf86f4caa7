"""How long `import ntqr_exact` takes, against `import gmpy2`."""

from __future__ import annotations

import subprocess
import sys
import time

from benchmarks.measure import Ratio, compare


def rows(*, quick: bool) -> list[Ratio]:
    return [
        compare(
            "import ntqr_exact",
            "import gmpy2",
            ours=lambda: _python("import ntqr_exact"),
            theirs=lambda: _python("import gmpy2"),
            limit=3,
            repeats=5 if quick else 20,
            clock=time.perf_counter,
        )
    ]


def _python(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)
