"""A program in any language is asked tests, a line each, and what it answers, or how it fails, is kept.

The program gets all tests at once and may answer in any order. If it ends or falls silent with tests left, the first of
them is asked alone, of a new program: so a test that crashes or hangs it is distinguished from a bystander. Then the
rest goes on. The protocol is described in docs/vectors_protocol.md.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO, Any

from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.vectors.compare import Agreement, read_output
from ntqr_exact.vectors.files import Test

PROTOCOL = "1"
"""The version of the protocol; a program finds it in the environment, as NTQR_VECTORS_PROTOCOL."""
_LONGEST_LINE = 16_000_000
_UNREAD = 10_000
_SHOWN = 200
_KEPT = 20
_MAX_FRUITLESS = 5
"""After this many starts without a single answer a program is not started again."""


@dataclass(slots=True)
class Answers:
    """What a program did with some tests: outputs and failures by id, lines that answer no test, and odd ends."""

    outputs: dict[str, Any] = field(default_factory=dict)
    failures: dict[str, Agreement] = field(default_factory=dict)
    strays: list[str] = field(default_factory=list)
    incidents: list[str] = field(default_factory=list)

    def take(self, line: str, waiting: dict[str, Test]) -> str | None:
        """Take a line in; return the id of the test that it answers, if that was waited for."""
        try:
            match read_output(line):
                case {"id": str(name), "output": output} if name in waiting:
                    self.outputs[name] = output
                    return name
                case {"id": str(name), "skip": _} if name in waiting:
                    self.failures[name] = Agreement.SKIPPED
                    return name
                case {"id": str(name), "output": _} if name in self.outputs or name in self.failures:
                    problem = "a second answer to a test"
                case {"id": str(), "output": _} | {"id": str(), "skip": _}:
                    problem = "an id that was not asked"
                case _:
                    problem = 'no "id" with an "output" or a "skip"'
        except NtqrExactError:
            problem = "no JSON"
        if len(self.strays) < _KEPT:
            self.strays.append(f"{problem}: {line[:_SHOWN]}")
        return None


class _Failed(Exception):
    """The program ended or fell silent with tests left."""

    def __init__(self, kind: Agreement, words: str) -> None:
        super().__init__(words)
        self.kind = kind


def ask(
    command: Sequence[str],
    tests: Sequence[Test],
    *,
    limit: int,
    progress: Callable[[str], None] = lambda _: None,
) -> Answers:
    """Return what a program answers to some tests, of which each may take `limit` seconds.

    `progress` is given the id of each test that is done. Raises `BadDocument` if the program cannot be started.
    """
    waiting, answers, fruitless = {test.id: test for test in tests}, Answers(), 0

    def done(name: str) -> None:
        del waiting[name]
        progress(name)

    while waiting and fruitless < _MAX_FRUITLESS:
        before = len(answers.outputs)
        try:
            _converse(command, dict(waiting), answers, limit=limit, done=done)
        except _Failed as failed:
            first = next(iter(waiting))
            answers.incidents.append(f"{first}: {failed}")
            try:
                _converse(command, {first: waiting[first]}, answers, limit=limit, done=done)
            except _Failed as again:
                answers.failures[first] = again.kind
                done(first)
        fruitless = 0 if len(answers.outputs) > before else fruitless + 1
    for name in list(waiting):
        answers.failures[name] = Agreement.NOT_ASKED
        done(name)
    return answers


def _converse(
    command: Sequence[str],
    tests: dict[str, Test],
    answers: Answers,
    *,
    limit: int,
    done: Callable[[str], None],
) -> None:
    """Ask some tests of a new program until all are answered; raises `_Failed` with its last words."""
    with _started(command) as (process, errors):
        lines: queue.Queue[str | None] = queue.Queue(_UNREAD)
        threading.Thread(target=_write, args=(process.stdin, list(tests.values())), daemon=True).start()
        threading.Thread(target=_read, args=(process.stdout, lines, limit), daemon=True).start()
        deadline = time.monotonic() + limit
        while tests:
            try:
                line = _next_line(lines, deadline)
            except queue.Empty:
                words = f"no answer within {limit} seconds{_last_words(errors)}"
                raise _Failed(Agreement.TIMEOUT, words) from None
            if line is None:
                raise _Failed(Agreement.CRASHED, f"exit code {process.wait()}{_last_words(errors)}")
            name = answers.take(line, tests)
            if name is not None:
                del tests[name]
                done(name)
                deadline = time.monotonic() + limit
        with suppress(queue.Empty):  # what comes after the last answer belongs to no test
            while (line := _next_line(lines, deadline)) is not None:
                answers.take(line, tests)


def _next_line(lines: queue.Queue[str | None], deadline: float) -> str | None:
    """Return the next line, or None at the end; raises `queue.Empty` after the deadline, even if lines keep coming."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise queue.Empty
    return lines.get(timeout=left)


@contextmanager
def _started(command: Sequence[str]) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """Start a program, and end it with all that it started."""
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    environment = {**os.environ, "NTQR_VECTORS_PROTOCOL": PROTOCOL}
    with tempfile.TemporaryFile() as errors:
        options: Any = {**streams, "stderr": errors, "env": environment, "start_new_session": True}
        try:
            process = subprocess.Popen(command, **options)
        except OSError as error:
            raise BadDocument(command[0], f"this program cannot be started: {error.strerror}") from None
        try:
            yield process, errors
        finally:
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _write(stream: IO[bytes], tests: Sequence[Test]) -> None:
    """Write a line for each test, then end the input; a program that is gone reads no more."""
    with suppress(OSError, ValueError), stream:
        for test in tests:
            question = {"id": test.id, "family": test.id.partition("/")[0], "input": test.input}
            stream.write(json.dumps(question, ensure_ascii=False).encode() + b"\n")
            stream.flush()


def _read(stream: IO[bytes], lines: queue.Queue[str | None], limit: int) -> None:
    """Hand the lines of a program on, and None at their end; stop where they are not taken any more."""
    with suppress(queue.Full):
        with suppress(OSError, ValueError), stream:
            while line := stream.readline(_LONGEST_LINE):
                if line.strip():
                    lines.put(line.decode(errors="replace").rstrip("\r\n"), timeout=limit)
        lines.put(None, timeout=limit)


def _last_words(errors: IO[bytes]) -> str:
    """Return the last line of a program's standard error that has the word error, or else the last, if there is one."""
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - 4 * _SHOWN))
    lines = errors.read().decode(errors="replace").strip().splitlines()
    telling = [line for line in lines if "error" in line.lower()] or lines
    return f"; its last words: {telling[-1][-_SHOWN:]}" if telling else ""
