"""What the tests of several commands share."""

import pytest

from ntqr_exact.cli.main import main


@pytest.fixture
def run(capsys):
    """Run the command here; return exit code, output and errors."""

    def in_process(*arguments):
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return in_process
