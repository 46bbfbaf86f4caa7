"""Command lines that nobody would write: exit code 0, 1 or 2, one line of error, and nothing that commands a terminal.

The test command tries 150; `DOORS=5000 pytest tests/doors` as many as it says, with other seeds each time.
"""

import contextlib
import importlib.util
import io
import json
import os
import signal
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from ntqr_exact.cli.main import main

_SPEC = importlib.util.spec_from_file_location("invocations", Path(__file__).parent / "invocations.py")
doors = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(doors)

EXAMPLES = int(os.environ.get("DOORS", "150"))
SECONDS = 20
COMMANDING = {"\x1b", "\x07", "\x9b", "\u202e"}
FORMS = {"--coq", "--lean", "--latex", "-o", "--output"}
WRITTEN = {"-o", "--output", "--certificate", "--checker", "--out"}


def run(words):
    """Run the command here, for at most so many seconds of its own; return exit code, output and errors."""

    def give_up(*_):
        raise TimeoutError(f"more than {SECONDS} s")

    out, err = io.StringIO(), io.StringIO()
    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(words)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return code, out.getvalue(), err.getvalue()


@pytest.mark.skipif(not hasattr(signal, "SIGVTALRM"), reason="this system has no alarm clock")
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="DOORS" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
@given(given=doors.invocations())
def test_any_command_line_ends_in_time_with_a_verdict_or_one_line(tmp_path_factory, given):
    words, first, second = given
    folder, home = tmp_path_factory.mktemp("door"), Path.cwd()
    kept, other = first.encode("utf-8", "surrogatepass"), second.encode("utf-8", "surrogatepass")
    is_read = any(word == "first" and before not in WRITTEN for before, word in pairwise(words))
    try:
        os.chdir(folder)
        Path("first").write_bytes(kept)
        Path("second").write_bytes(other)
        code, out, err = run(words)
        assert Path("second").read_bytes() == other  # no input is written to
        assert Path("first").read_bytes() == kept or not is_read, words
    finally:
        os.chdir(home)
    errors = [line for line in err.splitlines() if not line.startswith(("note: ", "warning: "))]
    assert code in (0, 1, 2), (words, err)
    if code == 2 and "judge" not in words:
        assert len(errors) == 1, (words, err)
        assert errors[0].startswith("ntqr-exact: "), words
    if "--json" in words and out and code < 2 and not FORMS & {*words}:
        json.loads(out)
    assert not COMMANDING & {*out, *err}, words
