"""Break the JavaScript program in one place after the other, and list the changes that no vector catches.

    python tests/vectors/mutate.py [MODULE.mjs ...] [--most N]

A change is one operator, comparison or small number replaced by another. A change with which the families of the
module still pass survives: either it means the same, or a vector is missing.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ntqr_exact.vectors.files import names_in, shipped
from ntqr_exact.vectors.run import run_vectors

HOME = Path(__file__).parent / "javascript"
CHANGES = {
    " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " === ": " !== ", " && ": " || ", " + ": " - ",
    " - ": " + ",
    "add(": "sub(", "sub(": "add(", "0n": "1n", "1n": "2n", "ZERO": "ONE",
}  # fmt: skip


def changes(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the place of each change outside of imports and comments, what is there, and what comes in its place."""
    for match in re.finditer("|".join(map(re.escape, CHANGES)), text):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if not re.match(r"\s*(import|//)", line) and "//" not in line:
            yield match.start(), match[0], CHANGES[match[0]]


def survivors(module: str, most: int) -> Iterator[str]:
    """Yield the changes of a module that its families do not notice."""
    text = (HOME / module).read_text(encoding="utf-8")
    names = [name for name in names_in(shipped()) if f'"{name}"' in text or f"{name}:" in text]
    found = list(changes(text))
    step = max(1, len(found) // most)
    with tempfile.TemporaryDirectory() as directory:
        program = Path(shutil.copytree(HOME, Path(directory) / "javascript"))
        for place, old, new in found[::step]:
            (program / module).write_text(text[:place] + new + text[place + len(old) :], encoding="utf-8")
            report = run_vectors(["node", str(program / "runner.mjs")], shipped(), names=names, limit=5)
            if report.passes:
                line = text.count("\n", 0, place) + 1
                yield f"{module}:{line}: {old!r} as {new!r} is not noticed by {', '.join(names)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--most", type=int, default=40, help="how many changes of each module")
    given = parser.parse_args()
    helpers = {"answer.mjs", "forms.mjs", "rational.mjs", "runner.mjs", "schemas.mjs", "surd.mjs"}
    modules = given.modules or sorted(path.name for path in HOME.glob("*.mjs") if path.name not in helpers)
    found = [words for module in modules for words in survivors(module, given.most)]
    print(*found, f"{len(found)} changes are not noticed", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
