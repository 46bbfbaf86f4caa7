"""`python -m docs [--measure]`: write the pages and pictures that git ignores, then build the site into build/docs.

Without `--measure` the page of benchmarks says how it is made, unless it is there.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Return the exit code of the last step that failed, or 0."""
    measured = [["-m", "benchmarks", "--page"]] if "--measure" in sys.argv[1:] else []
    site = ["-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "docs", "build/docs"]
    steps = [
        ["docs/gallery.py"],
        ["-m", "benchmarks.peers"],
        ["-m", "benchmarks.panels", "--page"],
        *measured,
        site,
    ]
    codes = [subprocess.run([sys.executable, *step], cwd=ROOT, check=False).returncode for step in steps]
    return next((code for code in reversed(codes) if code), 0)


if __name__ == "__main__":
    sys.exit(main())
