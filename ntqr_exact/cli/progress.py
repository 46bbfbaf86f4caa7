"""Where long work shows how far it is: on a terminal somebody looks at, and nowhere else."""

from __future__ import annotations

import sys
from io import StringIO
from typing import TextIO


def progress_stream() -> TextIO:
    """Return standard error if it is a terminal, and otherwise a stream that nobody reads."""
    return sys.stderr if sys.stderr is not None and sys.stderr.isatty() else StringIO()
