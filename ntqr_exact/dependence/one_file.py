"""The checker of certificates as one file that needs nothing but Python, for whoever doubts this library."""

from __future__ import annotations

import inspect

from ntqr_exact.dependence import moment_ranges, tree_checker

_FUTURE = "from __future__ import annotations\n"


def checker_source() -> str:
    """Return a program without imports of this library: `python checker.py FILE...` tells what certificates prove.

    >>> "ntqr_exact" in checker_source()
    False
    """
    title, trees = inspect.getsource(tree_checker).split(_FUTURE)
    _, moments = inspect.getsource(moment_ranges).split(_FUTURE)
    imports, bodies = set(), []
    for text in (moments, trees):
        lines = text.splitlines()
        last = max(k for k, line in enumerate(lines) if line.startswith(("import ", "from ")))
        imports |= {line for line in lines[: last + 1] if line and "ntqr_exact" not in line}
        bodies.append("\n".join(lines[last + 1 :]).strip())
    return "\n\n".join(
        [title + _FUTURE.strip(), "\n".join(sorted(imports)), "\n" + "\n\n\n".join(bodies) + "\n"]
    )
