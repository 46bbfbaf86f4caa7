"""A program in any language is asked tests, a line each, and what it answers, or how it fails, is kept.

The program gets all tests at once and may answer in any order. If it ends or falls silent with tests left, the first of
them is asked alone, of a new program: so a test that crashes or hangs it is told from a bystander. Then the rest goes
on. The protocol is described in protocol.md beside this file.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import IO, Any

from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.exact.counted import counted
from ntqr_exact.programs import Programs
from ntqr_exact.vectors.compare import read_output
from ntqr_exact.vectors.document import Test

PROTOCOL = "1"
"""The version of the protocol; a program finds it in the environment, as NTQR_VECTORS_PROTOCOL."""

_LONGEST_LINE = 16_000_000
_UNREAD = 10_000
_SHOWN = 200
_KEPT = 20
_HOPELESS = 5
"""After this many starts without a single answer a program is not started again."""


class Failure(Enum):
    """Why a test has no output."""

    CRASHED = "the program ended without an answer"
    TIMEOUT = "the program did not answer in time"
    SKIPPED = "the program skipped the test"
    NOT_ASKED = "the program was given up before"


class Stray(Enum):
    """Why a line answers no test."""

    UNKNOWN = "an id that was not asked"
    AGAIN = "a second answer to a test"
    NO_ANSWER = 'no "id" with an "output" or a "skip"'
    NOT_JSON = "no JSON"


@dataclass(frozen=True, slots=True)
class Incident:
    """The program ended or fell silent: the first test that was left then, and what it told last."""

    test: str
    failure: Failure
    words: str


@dataclass(slots=True)
class Answers:
    """What a program did with some tests: outputs and failures by id, all else that it wrote, and odd ends."""

    outputs: dict[str, Any] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    incidents: list[Incident] = field(default_factory=list)
    garbage: list[str] = field(default_factory=list)
    strays: Counter[Stray] = field(default_factory=Counter)
    endings: list[str] = field(default_factory=list)

    @property
    def garbage_lines(self) -> int:
        """How many lines answer no test."""
        return self.strays.total()

    def take(self, line: str, waiting: Mapping[str, Test]) -> str | None:
        """Take a line in; return the id of the test that it answers, if that was waited for."""
        try:
            match read_output(line):
                case {"id": str(name), "output": output} if name in waiting:
                    self.outputs[name] = output
                    return name
                case {"id": str(name), "skip": _} if name in waiting:
                    self.failures[name] = Failure.SKIPPED
                    return name
                case {"id": str(name), "output": _} | {"id": str(name), "skip": _}:
                    is_known = name in self.outputs or name in self.failures
                    stray = Stray.AGAIN if is_known else Stray.UNKNOWN
                case _:
                    stray = Stray.NO_ANSWER
        except NtqrExactError:
            stray = Stray.NOT_JSON
        self.strays[stray] += 1
        if len(self.garbage) < _KEPT:
            self.garbage.append(line[:_SHOWN])
        return None


def ask(
    command: Sequence[str],
    tests: Sequence[Test],
    *,
    limit: int,
    progress: Callable[[str], None] = lambda _: None,
    programs: Programs | None = None,
) -> Answers:
    """Return what a program answers to some tests, of which each may take `limit` seconds.

    `progress` is told the id of each test that is done. Raises `BadDocument` if the program cannot be started.
    """
    waiting = {test.id: test for test in tests}
    answers = Answers()
    start = partial(_started, programs or Programs(), command)
    fruitless = 0

    def done(name: str) -> None:
        del waiting[name]
        progress(name)

    while waiting and fruitless < _HOPELESS:
        before = len(answers.outputs)
        failed = _converse(start, dict(waiting), answers, limit, done)
        if failed is None:
            break
        first = next(iter(waiting))
        answers.incidents.append(Incident(first, *failed))
        failed = _converse(start, {first: waiting[first]}, answers, limit, done)
        if failed is not None:
            answers.failures[first] = failed[0]
            done(first)
        fruitless = 0 if len(answers.outputs) > before else fruitless + 1
    for name in list(waiting):
        answers.failures[name] = Failure.NOT_ASKED
        done(name)
    return answers


def _converse(
    start: Callable[[], AbstractContextManager[tuple[subprocess.Popen[bytes], IO[bytes]]]],
    tests: dict[str, Test],
    answers: Answers,
    limit: int,
    done: Callable[[str], None],
) -> tuple[Failure, str] | None:
    """Ask some tests of a new program until all are answered; return how it failed, with its last words."""
    with start() as (process, errors):
        lines: queue.Queue[str | None] = queue.Queue(_UNREAD)
        threading.Thread(target=_write, args=(process.stdin, list(tests.values())), daemon=True).start()
        threading.Thread(target=_read, args=(process.stdout, lines, limit), daemon=True).start()
        before, deadline = answers.garbage_lines, time.monotonic() + limit
        while tests:
            try:
                line = _next_line(lines, deadline)
            except queue.Empty:
                return Failure.TIMEOUT, f"no answer within {limit} seconds{_last_words(errors)}"
            if line is None:
                strays = answers.garbage_lines - before
                told = f" after {counted(strays, 'line')} without an answer" if strays else ""
                return Failure.CRASHED, f"exit code {process.wait()}{told}{_last_words(errors)}"
            name = answers.take(line, tests)
            if name is not None:
                del tests[name]
                done(name)
                deadline = time.monotonic() + limit
        try:  # what comes after the last answer belongs to no test
            while (line := _next_line(lines, deadline)) is not None:
                answers.take(line, tests)
            if code := process.wait(max(0, deadline - time.monotonic())):
                answers.endings.append(f"exit code {code}{_last_words(errors)}")
        except (queue.Empty, subprocess.TimeoutExpired):
            answers.endings.append(f"it did not end within {limit} seconds")
    return None


def _next_line(lines: queue.Queue[str | None], deadline: float) -> str | None:
    """Return the next line, or None at their end; raises `queue.Empty` after the deadline, however many there are."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise queue.Empty
    return lines.get(timeout=left)


@contextmanager
def _started(
    programs: Programs, command: Sequence[str]
) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """Start a program, and end it with all that it started."""
    with tempfile.TemporaryFile() as errors, ExitStack() as started:
        try:
            process = started.enter_context(
                programs.started(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env={**os.environ, "NTQR_VECTORS_PROTOCOL": PROTOCOL},
                )
            )
        except OSError as error:
            raise BadDocument(command[0], f"this program cannot be started: {error.strerror}") from None
        yield process, errors


def _write(stream: IO[bytes], tests: Sequence[Test]) -> None:
    """Write a line for each test, then end the input; a program that is gone reads no more."""
    with suppress(OSError, ValueError), stream:
        for test in tests:
            question = {"id": test.id, "family": test.id.partition("/")[0], "input": test.input}
            stream.write(json.dumps(question, ensure_ascii=False).encode() + b"\n")
            stream.flush()


def _read(stream: IO[bytes], lines: queue.Queue[str | None], limit: int) -> None:
    """Hand the lines of a program on, and None at their end; stop where nobody takes them any more."""
    with suppress(queue.Full):
        with suppress(OSError, ValueError), stream:
            while line := stream.readline(_LONGEST_LINE):
                if line.strip():
                    lines.put(line.decode(errors="replace").rstrip("\r\n"), timeout=limit)
        lines.put(None, timeout=limit)


def _last_words(errors: IO[bytes]) -> str:
    """Return the last line of a program's standard error that speaks of an error, or else the last, if there is one."""
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - 4 * _SHOWN))
    lines = errors.read().decode(errors="replace").strip().splitlines()
    telling = [line for line in lines if "error" in line.lower()] or lines
    return f"; its last words: {telling[-1][-_SHOWN:]}" if telling else ""
