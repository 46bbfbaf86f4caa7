"""Files that are written all or not at all: readers see the old one or the new one, never a part."""

from __future__ import annotations

import errno
import io
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ntqr_exact.errors import BadDocument

_HANDLES = "/proc/self/fd"
_ANYBODY = 0o666
"""The mode of a new file before the user's mask takes its part, which the system does as it makes the file."""


@contextmanager
def whole_file(path: str | os.PathLike[str], *, inputs: Iterable[str] = ()) -> Iterator[IO[bytes]]:
    """Open a file that takes its place only when it is finished and on the disk; if that fails, what was there stays.

    A link is followed and stays a link, a file that is replaced keeps its mode, and a device or a pipe is written
    to, at the end and at once, and never replaced. Raises `BadDocument` if it is one of the `inputs`, of which "-" is
    standard input, and `OSError` where it cannot be written: a file that is closed to writing is not replaced either.
    """
    place, old = Path(os.path.realpath(path)), _state(path)
    if old is None and os.fspath(path).endswith(os.sep):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    check_output(path, inputs)
    if old is not None and not stat.S_ISREG(old.st_mode):
        held = io.BytesIO()
        yield held
        # By the name that was given: a pipe without a name, as `>(command)` makes it, has no other place.
        with open(path, "r+b" if stat.S_ISBLK(old.st_mode) else "wb", buffering=0) as special:
            special.write(held.getbuffer())
        return
    if old is not None and not (old.st_mode & 0o222 and os.access(place, os.W_OK)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    part = place.parent / f".{secrets.token_hex(8)}.part"
    handle, is_named = _unnamed(place.parent), False
    if handle is None:
        handle, is_named = os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, _ANYBODY), True
    try:
        with os.fdopen(handle, "w+b") as file:
            yield file
            file.flush()
            if old is not None:
                os.chmod(handle if os.chmod in os.supports_fd else part, stat.S_IMODE(old.st_mode))
            os.fsync(handle)
            if not is_named:
                _name(handle, part)
                is_named = True
        os.replace(part, place)
        is_named = False
    finally:
        if is_named:  # whatever ended the writing, an interruption too, leaves no part behind
            with suppress(OSError):
                os.unlink(part)
    settle(place.parent)


def write_whole(path: str | os.PathLike[str], text: str, *, inputs: Iterable[str] = ()) -> None:
    """Write a text in UTF-8, all or not at all."""
    with whole_file(path, inputs=inputs) as file:
        file.write(text.encode())


def check_output(path: str | os.PathLike[str], inputs: Iterable[str]) -> None:
    """Raise `BadDocument` for a file that is read: before long work, and again before it would be written."""
    old = _state(path)
    if old is None or stat.S_ISCHR(old.st_mode):  # a terminal is read and written to
        return
    for read in (_state(0 if name == "-" else name) for name in inputs):
        if read is not None and os.path.samestat(read, old):
            rule = "choose another place for the output"
            raise BadDocument(os.fspath(path), "this is the file that is read", rule)


def _state(path: str | os.PathLike[str] | int) -> os.stat_result | None:
    """Return what is at a path, links followed; `None` if nothing is."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _unnamed(directory: Path) -> int | None:
    """Return a file without a name, of which nothing is left even after a kill; `None` if there is no such thing."""
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir(_HANDLES):
        return None
    try:
        return os.open(directory, os.O_TMPFILE | os.O_RDWR, _ANYBODY)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOSYS):
            return None
        raise


def _name(handle: int, path: Path) -> None:
    """Give a file without a name its first one; only a link relative to a folder follows the handle to its file."""
    handles = os.open(_HANDLES, os.O_RDONLY)
    try:
        os.link(str(handle), path, src_dir_fd=handles, follow_symlinks=True)
    finally:
        os.close(handles)


def settle(directory: Path) -> None:
    """Have the new name on the disk, where the system can do so."""
    with suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
