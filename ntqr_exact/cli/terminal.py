"""The one door to the terminal: text from outside cannot command it, and progress is shown only where somebody looks.

Names of judges, labels and files may hold anything. What would move the cursor, change colours or turn the direction
of reading is shown by its code, in the form that JSON has for it, so that JSON stays what it was.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

_CONTROLS = {*range(0x20), *range(0x7F, 0xA0)} - {ord("\n"), ord("\t")}
_DIRECTIONS = {0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)}
_SHOWN = {code: f"\\u{code:04x}" for code in sorted(_CONTROLS | _DIRECTIONS)}


def harmless(text: str) -> str:
    r"""Return a text in which what a terminal would obey is shown by its code.

    >>> print(harmless("\x1b[2Jname"))
    \u001b[2Jname
    """
    return text.translate(_SHOWN)


class _Harmless:
    """A stream of text that writes to another one, and shows what would command a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.terminal = stream

    def write(self, text: str) -> int:
        return self.terminal.write(harmless(text))

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.terminal, name)


@contextmanager
def harmless_output() -> Iterator[None]:
    """Let everything that is written to standard output and error go through this door."""
    streams = []
    for stream in (sys.stdout, sys.stderr):  # one is None where the shell has closed it
        if isinstance(stream, io.TextIOWrapper):  # a terminal without √ shows its code, not a traceback
            stream.reconfigure(errors="backslashreplace")
        streams.append(cast("TextIO", None if stream is None else _Harmless(stream)))
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        yield


def own_words() -> TextIO | None:
    """Return standard output itself, for words of our own that have colours."""
    return _itself(sys.stdout)


def progress_stream() -> TextIO:
    """Return standard error itself if it is a terminal, and otherwise a stream that nobody reads."""
    stream = _itself(sys.stderr)
    return stream if stream is not None and stream.isatty() else io.StringIO()


def _itself(stream: TextIO | None) -> TextIO | None:
    return cast("TextIO", stream.terminal) if isinstance(stream, _Harmless) else stream
