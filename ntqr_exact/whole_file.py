"""Files that are written all or not at all: readers see the old one or the new one, never a part."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ntqr_exact.errors import BadDocument


def write_whole(path: str | os.PathLike[str], text: str, *, inputs: Iterable[str] = ()) -> None:
    """Put a text in UTF-8 in the place of a file once it is whole and on the disk; on failure, what was there stays.

    A link is followed and stays a link, a replaced file keeps its mode, and a device or a pipe is written to.
    Raises `BadDocument` if it is one of the `inputs`, of which "-" is standard input, and `OSError` where it
    cannot be written; a write-protected file is not replaced.
    """
    target, old = Path(os.path.realpath(path)), _state(path)
    if old is None and os.fspath(path).endswith(os.sep):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    check_output(path, inputs)
    if old is not None and not stat.S_ISREG(old.st_mode):
        # By the name that was given: a pipe without a name, as `>(command)` makes it, has no other.
        with open(path, "r+b" if stat.S_ISBLK(old.st_mode) else "wb", buffering=0) as special:
            special.write(text.encode())
        return
    if old is not None and not (old.st_mode & 0o222 and os.access(target, os.W_OK)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    part = target.parent / f".{secrets.token_hex(8)}.part"
    handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)  # less what the user's mask forbids
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
            file.flush()
            if old is not None:
                os.chmod(part, stat.S_IMODE(old.st_mode))
            os.fsync(handle)
        os.replace(part, target)
    except BaseException:  # an interruption, too, leaves no part behind
        with suppress(OSError):
            os.unlink(part)
        raise
    with suppress(OSError):  # the new name is on the disk, too, where the system can do so
        handle = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def check_output(path: str | os.PathLike[str], inputs: Iterable[str]) -> None:
    """Raise `BadDocument` for a file that is read: before long work, and again before it would be written."""
    old = _state(path)
    if old is None or stat.S_ISCHR(old.st_mode):  # a terminal is read and written to
        return
    for read in (_state(0 if name == "-" else name) for name in inputs):
        if read is not None and os.path.samestat(read, old):
            raise BadDocument(os.fspath(path), "the output must not be the input", "choose another file")


def _state(path: str | os.PathLike[str] | int) -> os.stat_result | None:
    with suppress(FileNotFoundError):
        return os.stat(path)
    return None
