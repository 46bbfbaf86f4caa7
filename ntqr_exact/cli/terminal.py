"""Everything that reaches the terminal: results, files, progress. Text from outside cannot command it.

Names of judges, labels and files may contain anything. Characters that would move the cursor, change colours or turn
the reading direction are printed as JSON escapes, so JSON output keeps its meaning.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, TextIO, cast

import click

from ntqr_exact.blocks.block import Heading
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import accounted
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.whole_file import write_whole

_CONTROLS = {*range(0x20), *range(0x7F, 0xA0)} - {ord("\n"), ord("\t")}
_DIRECTIONS = {0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)}
_ESCAPES = {code: f"\\u{code:04x}" for code in sorted(_CONTROLS | _DIRECTIONS)}
_STATUS_WIDTH, _SECONDS_BETWEEN_COUNTS = 79, 0.1
STANDARD_OUTPUT = "-"
"""The name that means standard output, not a file."""


def harmless(text: str) -> str:
    r"""Return a text in which characters that command a terminal are escaped.

    >>> print(harmless("\x1b[2Jname"))
    \u001b[2Jname
    """
    return text.translate(_ESCAPES)


class _HarmlessStream:
    """A text stream that escapes what it writes to another one."""

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
    """Escape everything that is written to standard output and standard error."""
    streams = []
    for stream in (sys.stdout, sys.stderr):  # None if the shell has closed it
        if isinstance(stream, io.TextIOWrapper):  # a terminal without √ gets its code, not a traceback
            stream.reconfigure(errors="backslashreplace")
        streams.append(cast("TextIO", None if stream is None else _HarmlessStream(stream)))
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        yield


def _unwrapped(stream: TextIO | None) -> TextIO | None:
    return cast("TextIO", stream.terminal) if isinstance(stream, _HarmlessStream) else stream


@dataclass(frozen=True, slots=True)
class Printed:
    """A result that is not a `Value`: its text, and its document for --json."""

    text: str
    document: Any = None

    def to_json(self) -> str:
        """Return the document, or else the text, as JSON."""
        return write_json({"text": self.text} if self.document is None else self.document)

    def __str__(self) -> str:
        return self.text


def show(result: Any, *, as_json: bool, html: str | None = None, inputs: Iterable[str] = ()) -> None:
    """Print a result as text or JSON, and write its HTML page if `html` names a file."""
    if html is not None:
        from ntqr_exact.views.page import html_page

        names = " and ".join(Path(each).name for each in inputs)
        title = ": ".join(filter(None, (click.get_current_context().info_name, names)))
        text = html_page(result, title).encode("utf-8", errors="backslashreplace").decode()
        if html == STANDARD_OUTPUT:
            click.echo(text.encode(), nl=False)
            return
        write_output(html, text, inputs)
        click.echo(f"wrote {html}", err=True)
        if not as_json:
            return
    with accounted():  # printing has a budget of its own
        text = harmless(result.to_json() if as_json else str(result))
        if isinstance(result, Value) and not as_json:
            parts = [block for section in result.sections() for block in section.blocks]
            bold = {harmless(block.text) for block in parts if isinstance(block, Heading)}
            lines = text.split("\n")
            text = "\n".join(click.style(line, bold=True) if line in bold else line for line in lines)
    if text:
        click.echo(text, nl=not text.endswith("\n"), file=_unwrapped(sys.stdout))


def write_output(path: str, text: str, inputs: Iterable[str] = ()) -> None:
    """Write a file completely or not at all, and never over an input; "-" is standard output."""
    if path == STANDARD_OUTPUT:
        click.echo(text, nl=False)
        return
    try:
        write_whole(path, text, inputs=list(inputs))
    except OSError as error:
        raise click.ClickException(f"{path!r} cannot be written: {error.strerror}") from None


# -- progress -----------------------------------------------------------------------------------------------


@contextmanager
def status() -> Iterator[Callable[[str], None]]:
    """Yield a function that says on a terminal what is being done; the line is cleared at the end."""
    stream, last = _unwrapped(sys.stderr), ""

    def say(text: str) -> None:
        nonlocal last
        if stream is not None and stream.isatty():
            last = harmless(text)[: _STATUS_WIDTH - 1]
            click.echo(f"\r{last:{_STATUS_WIDTH}}", file=stream, nl=False)

    try:
        yield say
    finally:
        if last:
            click.echo(f"\r{'':{_STATUS_WIDTH}}\r", file=stream, nl=False)


def counter(say: Callable[[str], None], text: str) -> Callable[..., None]:
    """Return a function that adds to a count, and says it now and then: a text such as "{:,} rows counted"."""
    count, said = 0, monotonic()

    def add(more: int = 1) -> None:
        nonlocal count, said
        count += more
        if (now := monotonic()) > said + _SECONDS_BETWEEN_COUNTS:
            said = now
            say(text.format(count))

    return add
