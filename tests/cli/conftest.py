"""Fixtures of the command tests."""

import json

import pytest

from ntqr_exact.cli.main import main


@pytest.fixture
def run(capsys):
    """Run the command in this process; return exit code, output and errors."""

    def in_process(*arguments):
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return in_process


@pytest.fixture
def document(run):
    """Run a command with --json; return the document."""

    def read(*words):
        code, out, err = run(*words, "--json")
        assert code in (0, 1), err
        return json.loads(out, parse_float=pytest.fail)

    return read


@pytest.fixture
def refused(run):
    """Assert that a command line is refused with one line and exit code 2; return the line."""

    def check(*arguments):
        code, out, err = run(*arguments)
        *notes, line = err.splitlines(keepends=True)
        assert (code, out) == (2, ""), (arguments, out, err)
        assert all(note.startswith(("note: ", "warning: ")) for note in notes), err
        assert line.startswith("ntqr-exact: ")
        assert len(line) < 500
        return line

    return check


@pytest.fixture
def file(tmp_path):
    """Write a file; return its path."""

    def write(text, name="decisions.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write
