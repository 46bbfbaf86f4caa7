"""Programs that threads wait for: an interruption ends them with all that they started, and none begins."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any


class Programs:
    """The programs that run at this moment."""

    def __init__(self) -> None:
        self._lock, self._running, self._is_over = Lock(), set[subprocess.Popen[Any]](), False

    @contextmanager
    def started(self, *command: Any, **options: Any) -> Iterator[subprocess.Popen[Any]]:
        """Start a program as `Popen` does, and end it with all that it started; `CancelledError` after the end."""
        with self._lock:
            if self._is_over:
                raise CancelledError
            process = subprocess.Popen(*command, start_new_session=True, **options)
            self._running.add(process)
        try:
            yield process
        finally:
            _kill(process)
            process.wait()
            with self._lock:
                self._running.discard(process)

    def end(self) -> None:
        """End all programs, and start no more."""
        with self._lock:
            self._is_over = True
            for process in self._running:
                _kill(process)


@contextmanager
def threads_for_programs(number: int) -> Iterator[tuple[ThreadPoolExecutor, Programs]]:
    """Hold threads that start programs and wait for them; whatever ends this early ends the programs, too."""
    programs = Programs()
    with ThreadPoolExecutor(number) as threads:
        try:
            yield threads, programs
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            programs.end()
            raise


def _kill(process: subprocess.Popen[Any]) -> None:
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
