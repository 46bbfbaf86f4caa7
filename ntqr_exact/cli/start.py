"""The console script: an interruption from the keyboard is one line and exit code 130, however early or late it comes."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

INTERRUPTED = 130


def run() -> NoReturn:
    """Run the command and end the process with its exit code."""
    signal.signal(signal.SIGINT, _leave)  # while the command is loaded there is nothing to be undone
    from ntqr_exact.cli.main import main

    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = main()
        signal.signal(signal.SIGINT, _leave)
    except KeyboardInterrupt:
        _leave()
    sys.exit(code)


def _leave(*_: object) -> NoReturn:
    if sys.stderr is not None:
        os.write(sys.stderr.fileno(), b"interrupted\n")
    os._exit(INTERRUPTED)
