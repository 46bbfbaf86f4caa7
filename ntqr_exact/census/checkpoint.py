"""A file that keeps the finished chunks of a census, whatever moment the process is killed at.

The file only ever grows by whole lines: a header that names the census, then a line for each finished chunk, in any
order. A line is written at once and is on the disk before the next begins. It starts with a checksum of itself and of
the header, so that a line of another census, or a changed one, is seen. What a killed process can leave behind is an
unfinished last line, which has no line break: it is ignored and cut off, and its chunk is counted again.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from random import SystemRandom
from types import TracebackType
from typing import Any

from ntqr_exact.census.chunk import ChunkTally, TallyRow, merged
from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluators.independent.independence_class import TRIO_ALARMS, IndependenceClass
from ntqr_exact.whole_file import settle

_DIGITS = 16
_CHANCE = SystemRandom()  # nobody who changes a line can know which lines are counted again

SAMPLE = 3
"""How many finished chunks are counted again when a census goes on."""


class Checkpoint:
    """The open file: what was finished when it was opened, and the door for what is finished now."""

    def __init__(self, path: str | os.PathLike[str], census: dict[str, Any]) -> None:
        """Open the file for the census, make it if there is none.

        Raises `BadDocument` for a file that is no checkpoint, that of another census, one that has been changed,
        or one that another process is writing to.
        """
        self._path = Path(path)
        self._header = json.dumps(census, sort_keys=True)
        self.finished: dict[int, str] = {}
        """The starts of the finished chunks, with the checksums of their lines."""
        self.rows: tuple[TallyRow, ...] = ()
        """All finished chunks together."""
        self.sample: list[ChunkTally] = []
        """A few of the finished chunks, drawn at random, to be counted again."""
        if self._path.exists() and not self._path.is_file() and not self._path.is_dir():
            raise BadDocument(str(path), "a checkpoint is an ordinary file, not a device or a pipe")
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except (OSError, ValueError) as error:  # a name with a NUL in it is a ValueError
            reason = getattr(error, "strerror", None) or "this is no name of a file"
            raise BadDocument(str(path), f"the checkpoint cannot be opened: {reason}") from None
        try:
            self._lock()
            self._read()
        except BaseException:
            os.close(self._file)
            raise

    def add(self, tally: ChunkTally) -> None:
        """Keep a finished chunk; when this returns, it is on the disk."""
        text = json.dumps({"start": tally.start, "rows": tally.rows})
        self._write(text)
        self.finished[tally.start] = _digest(self._header, text)
        self.rows = merged((*self.rows, *tally.rows))

    def __enter__(self) -> Checkpoint:
        """Use it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        os.close(self._file)

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # a system without it; two writers would then count the same, only twice as long
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadDocument(
                str(self._path), "another process is writing to this checkpoint", "wait for it, or end it"
            ) from None

    def _read(self) -> None:
        end, torn = 0, b""
        with open(self._path, "rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.endswith(b"\n"):
                    self._take(number, line)
                    end += len(line)
                else:
                    torn = line
        if end == 0 and not self._line(self._header).startswith(torn):
            raise BadDocument(str(self._path), "this file is not the checkpoint of a census")
        if torn:
            os.ftruncate(self._file, end)
        if end == 0:
            self._write(self._header)
            settle(self._path.parent)

    def _take(self, number: int, line: bytes) -> None:
        digest, _, text = line.decode("utf-8", errors="replace").removesuffix("\n").partition(" ")
        if number == 1:
            if text != self._header and digest == _digest(text, text):
                raise BadDocument(
                    str(self._path),
                    f"this is the checkpoint of another census: {text}, not {self._header}",
                    "give each census its own file",
                )
            if digest != _digest(self._header, text):
                raise BadDocument(str(self._path), "this file is not the checkpoint of a census")
            return
        if digest != _digest(self._header, text):
            raise BadDocument(
                str(self._path),
                f"line {number} of the checkpoint has been changed",
                "delete the line, and its chunk is counted again",
            )
        tally = _read_tally(text)
        if tally is None:
            raise BadDocument(
                str(self._path), f"line {number} of the checkpoint is not a chunk", "delete the line"
            )
        if tally.start in self.finished:  # two processes that could not lock the file have counted the same
            if self.finished[tally.start] != digest:
                raise BadDocument(
                    str(self._path),
                    f"line {number} of the checkpoint is another count of a chunk that is there already",
                    "count the census without this file",
                )
            return
        self.finished[tally.start] = digest
        self.rows = merged((*self.rows, *tally.rows))
        place = _CHANCE.randrange(
            len(self.finished)
        )  # so that each chunk is in the sample with the same chance
        if len(self.sample) < SAMPLE:
            self.sample.append(tally)
        elif place < SAMPLE:
            self.sample[place] = tally

    def _line(self, text: str) -> bytes:
        return f"{_digest(self._header, text)} {text}\n".encode()

    def _write(self, text: str) -> None:
        line = self._line(text)
        while line:
            line = line[os.write(self._file, line) :]
        os.fsync(self._file)


def _read_tally(text: str) -> ChunkTally | None:
    """Return the chunk that a line tells of; `None` if it is none: a checksum can be computed by anybody."""
    try:
        document = json.loads(text)
    except ValueError:
        return None
    match document:
        case {"start": int(start), "rows": list(rows), **rest} if (
            not rest and type(start) is int and start >= 0
        ):
            tallies = tuple(tuple(row) for row in rows if isinstance(row, list))
            if len(tallies) == len(rows) and all(map(_is_row, tallies)):
                return ChunkTally(start, tallies)
    return None


def _is_row(row: tuple[object, ...]) -> bool:
    match row:
        case (int(code), int(mask), int(size), int(count)):
            if bool in map(type, row):  # a truth value is an int, and is no count
                return False
            kinds = {int(kind) for kind in IndependenceClass}
            return code in kinds and 0 <= mask < 1 << len(TRIO_ALARMS) and size > 0 and count > 0
    return False


def _digest(header: str, text: str) -> str:
    return hashlib.sha256(f"{header}\n{text}".encode()).hexdigest()[:_DIGITS]
