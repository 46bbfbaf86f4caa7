"""The console script: an interruption from the keyboard is one line and code 130, however early or late it comes."""

from __future__ import annotations

import os
import sys

# The documented `signal` is made of this one, and takes a hundred times as long to load.
from _signal import SIG_IGN, SIGINT, default_int_handler, signal  # type: ignore[import-not-found]
from atexit import register

from ntqr_exact.cli.exit_codes import INTERRUPTED

TYPE_CHECKING = False
if TYPE_CHECKING:  # every module that is loaded before the first line of `run` can be interrupted
    from typing import NoReturn


def run() -> NoReturn:
    """Run the command and end the process with its exit code."""
    register(signal, SIGINT, SIG_IGN)  # once all is done, as Python takes itself down, nothing is interrupted
    signal(SIGINT, _leave)  # while the command is loaded there is nothing to be undone
    from ntqr_exact.cli.main import main

    try:
        signal(SIGINT, default_int_handler)
        code = main()
        signal(SIGINT, _leave)
    except KeyboardInterrupt:
        _leave()
    if code == INTERRUPTED:
        _end_workers()
        # After a text whose run was interrupted, such as that of a dataclass, `python -m` would end by the signal;
        # a text that runs to its end makes Python forget it.
        exec("")
    sys.exit(code)


def _end_workers() -> None:
    """Kill workers that are still starting, which would complain of the semaphores that end with this process."""
    if "multiprocessing" in sys.modules:
        from multiprocessing import active_children

        for worker in active_children():
            worker.kill()


def _leave(*_: object) -> NoReturn:
    if sys.stderr is not None:
        os.write(sys.stderr.fileno(), b"interrupted\n")
    os._exit(INTERRUPTED)
