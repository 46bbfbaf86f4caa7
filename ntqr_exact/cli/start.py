"""The console script: Ctrl-C at any time prints one line and ends with code 130."""

from __future__ import annotations

import os
import sys

# `signal` is built on this module and takes a hundred times as long to load.
from _signal import SIG_IGN, SIGINT, default_int_handler, signal  # type: ignore[import-not-found]
from atexit import register

from ntqr_exact.cli import INTERRUPTED

TYPE_CHECKING = False
if TYPE_CHECKING:  # a module loaded before the first line of `run` can be interrupted
    from typing import NoReturn


def run() -> NoReturn:
    """Run the command and end the process with its exit code."""
    register(signal, SIGINT, SIG_IGN)  # Ctrl-C does not interrupt Python's own shutdown
    signal(SIGINT, _leave)  # nothing needs to be undone while the command is loaded
    from ntqr_exact.cli.main import main

    try:
        signal(SIGINT, default_int_handler)
        code = main()
        signal(SIGINT, _leave)
    except KeyboardInterrupt:
        _leave()
    if code == INTERRUPTED:
        _end_workers()
        # If code run by `exec`, such as that of a dataclass, was interrupted, `python -m` would end by the signal;
        # another `exec` that completes makes Python forget it.
        exec("")
    sys.exit(code)


def _end_workers() -> None:
    """Kill workers that are still starting; they would complain about semaphores that end with this process."""
    if "multiprocessing" in sys.modules:
        from multiprocessing import active_children

        for worker in active_children():
            worker.kill()


def _leave(*_: object) -> NoReturn:
    if sys.stderr is not None:
        os.write(sys.stderr.fileno(), b"interrupted\n")
    os._exit(INTERRUPTED)
