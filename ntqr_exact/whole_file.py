"""Files that are written all or not at all: readers see the old one or the new one, never a part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_LONGEST_NAME = 40


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes its place only when it is finished; if that fails, what was there stays.

    It may be read by whoever may read files that this user makes. Raises `OSError` where it cannot be written.
    """
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:_LONGEST_NAME]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        Path(part).chmod(0o666 & ~_mask())  # a temporary file is closed to others
        os.replace(part, path)
    except BaseException:  # whatever ends the writing, an interruption too, leaves no part behind
        with suppress(OSError):
            os.unlink(part)
        raise


def _mask() -> int:
    """Return what this user's new files are closed to; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
