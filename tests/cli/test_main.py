"""The frame of the command: help, exit codes, one line for a mistake, colours, pipes and encodings."""

import errno
import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from ntqr_exact import __version__
from ntqr_exact.cli import main as frame
from ntqr_exact.cli.main import COMMANDS, main

SCRIPT = Path(sys.executable).with_name("ntqr-exact")
RUN = (
    [str(SCRIPT)]
    if SCRIPT.exists()
    else [sys.executable, "-c", "from ntqr_exact.cli.start import run; run()"]
)

SHOW = ["votes", "show", "example:two-norm"]


def command(*arguments, **environment):
    """Run the installed command in a process of its own."""
    return subprocess.run(
        [*RUN, *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
        timeout=60,
    )


# -- help and version --------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_reads_well_and_lists_the_commands_in_order(run, option):
    code, out, err = run(option)
    assert (code, err) == (0, "")
    assert out.startswith("Usage: ntqr-exact [OPTIONS] COMMAND [ARGS]...\n")
    assert "Exit codes: 0 done, 1 a check failed, 2 bad input, 70 a fault" in out
    listed = [line.split()[0] for line in out.split("Commands:\n")[1].splitlines()]
    assert listed == list(COMMANDS)
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize("group", [[], ["votes"]])
def test_a_group_without_a_command_shows_its_help(run, group):
    assert run(*group) == run(*group, "--help")
    assert run(*group)[0] == 0


@pytest.mark.parametrize(
    "words", [[name] for name in COMMANDS] + [["votes", "count"], ["votes", "show"]], ids=" ".join
)
def test_every_command_has_help(run, words):
    for option in ("--help", "-h"):
        code, out, err = run(*words, option)
        assert (code, err) == (0, "")
        assert out.startswith(f"Usage: ntqr-exact {' '.join(words)} ")
        assert len(out.splitlines()) > 5


def test_the_version_is_that_of_the_package(run):
    assert run("--version") == (0, f"ntqr-exact {__version__}\n", "")


def test_the_console_script_is_the_same_command():
    done = command("--version")
    assert (done.returncode, done.stdout.decode().split()) == (0, ["ntqr-exact", __version__])
    assert done.stderr == b""


def test_help_loads_neither_sympy_nor_frames():
    code = "import sys; from ntqr_exact.cli.main import main; main(['--version']); print(sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, timeout=60
    )
    for heavy in ("'sympy'", "'narwhals'", "'numpy'", "'pandas'", "'polars'", "'matplotlib'"):
        assert heavy not in done.stdout


# -- mistakes ----------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Go to a directory with good and bad files in it."""
    monkeypatch.chdir(tmp_path)
    Path("good.csv").write_text("A,B\na,b\nb,b\n")
    Path("good.json").write_text('{"labels": ["a", "b"], "judges": ["A"], "counts": {"a": 1}}')
    Path("empty.csv").write_text("")
    Path("quote.csv").write_text('A,B\na,"b\n')
    Path("latin.csv").write_bytes(b"A,B\na,\xe9\n")
    Path("binary.csv").write_bytes(bytes(range(256)))
    Path("broken.json").write_text('{"labels": [')
    Path("twice.json").write_text('{"labels": ["a", "b"], "judges": ["A"], "counts": {"a": 1, "a": 2}}')
    Path("long.json").write_text('{"labels": ["a", "b"], "judges": ["A"], "counts": {"a": "1e999999999"}}')
    Path("digits.json").write_text(
        '{"labels": ["a", "b"], "judges": ["A"], "counts": {"a": %s}}' % ("9" * 1_000_000)
    )
    Path("surrogate.json").write_text('{"labels": ["a", "\\ud800"], "judges": ["A"], "counts": {"a": 1}}')
    Path("directory").mkdir()
    return tmp_path


# What the line on stderr names: the wrong word, the file, or the place in it.
MISTAKES = {
    "bogus": "'bogus'",
    "Demo": "'Demo'",
    "--bogus": "--bogus",
    "-x": "-x",
    "demo --bogus": "--bogus",
    "demo more": "more",
    "votes bogus": "'bogus'",
    "votes show": "VOTES",
    "votes count": "VOTES",
    "votes show good.csv more": "'more'",
    "votes show good.csv --truth": "--truth",
    "votes show none.csv": "'none.csv'",
    "votes count directory": "'directory'",
    "votes count empty.csv": "line 1",
    "votes show quote.csv": "line 2",
    "votes show latin.csv": "line 2",
    "votes show binary.csv": "'binary.csv'",
    "votes show broken.json": "line 1, column 13",
    "votes show twice.json": "'a'",
    "votes show long.json": "'1e999999999'",
    "votes show digits.json": "100000 digits",
    "votes count surrogate.json": "surrogate",
    "votes count good.csv --truth C": "'C'",
    "votes count good.csv --judges A,C": "'C'",
    "votes count good.csv --judges A,A": "'A'",
    "votes count good.csv --judges A --truth A": "'A'",
    "votes count good.csv --labels a": "label",
    "votes count good.csv --labels a,c": "'b'",
    'votes count good.csv --labels "a': '"a',
    "votes count good.csv --delimiter ;;": "';;'",
    'votes count good.csv --delimiter "': "delimiter",
    "votes count good.json --truth A": "'good.json'",
    "votes count good.json --labels a,b": "'good.json'",
    "votes count example:two-norm --truth A": "truth",
    "votes show example:none": "'none'",
    "votes count good.csv -o directory": "'directory'",
    "votes count good.csv -o none/votes.json": "'none/votes.json'",
}


@pytest.mark.parametrize("words", MISTAKES)
@pytest.mark.usefixtures("files")
def test_a_mistake_gives_exit_code_2_and_one_line(run, words):
    code, out, err = run(*words.split())
    assert (code, out) == (2, "")
    assert err.startswith("ntqr-exact: ")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert len(err) < 500
    assert MISTAKES[words] in err


@pytest.mark.parametrize("words", [["vectors", "list", "--vectors", "\0"], ["votes", "show", "a\0b"]])
def test_an_argument_with_a_nul_is_refused(run, words):
    assert run(*words) == (2, "", "ntqr-exact: an argument has no NUL character (see 'ntqr-exact --help')\n")


def test_a_mistake_in_usage_points_to_the_help_of_its_command(run):
    assert run("votes", "show")[2].endswith("(see 'ntqr-exact votes show --help')\n")
    assert run("bogus")[2].endswith("(see 'ntqr-exact --help')\n")
    assert "--help" not in run("votes", "show", "none.csv")[2]


def test_an_empty_list_of_names_is_refused(run, files):
    assert run("votes", "count", files / "good.csv", "--judges", "")[0] == 2
    assert run("votes", "count", files / "good.csv", "--labels", "")[0] == 2
    assert run("votes", "count", files / "good.csv", "--delimiter", "")[0] == 2


@pytest.mark.parametrize(
    "words", ["bogus", "votes show none.csv", "votes show latin.csv", "votes show twice.json"]
)
def test_the_process_gives_no_traceback(files, words):
    done = subprocess.run([*RUN, *words.split()], capture_output=True, check=False, cwd=files, timeout=60)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


def test_a_fault_of_ours_has_its_own_exit_code_and_is_never_taken_for_a_verdict(run, monkeypatch):
    monkeypatch.setattr(frame.cli, "invoke", lambda _: 1 / 0)
    code, out, err = run("demo")
    assert (code, out) == (70, "")
    assert err.count("\n") == 1
    assert "ZeroDivisionError: division by zero" in err


@pytest.mark.parametrize(("closing", "code"), [("2>&-", 0), (">&- 2>&-", 0), ("<&- 2>&-", 0)])
def test_closed_streams_change_no_verdict(files, closing, code):
    command = f"exec {' '.join(map(shlex.quote, RUN))} votes show good.csv {closing}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False, cwd=files, timeout=60)
    assert done.returncode == code


def test_a_command_that_is_misspelt_gets_a_guess(run):
    assert "did you mean 'evaluate'?" in run("evalaute")[2]


def test_a_pipe_is_read_whole_and_once(files):
    rows = "ada,bo,cyd\n" + "yes,no,yes\n" * 30_000
    for name in ("-", "/dev/stdin"):
        done = subprocess.run(
            [*RUN, "votes", "count", name], input=rows, capture_output=True, check=True, cwd=files, text=True
        )
        assert json.loads(done.stdout)["counts"] == {"yes,no,yes": 30_000}


def test_a_command_may_return_its_exit_code(monkeypatch):
    monkeypatch.setattr(frame.cli, "invoke", lambda _: 1)
    assert main(["demo"]) == 1


def test_an_error_without_a_context_names_the_command(run, monkeypatch):
    def fail(_):
        raise click.UsageError("so\n not")

    monkeypatch.setattr(frame.cli, "invoke", fail)
    assert run("demo") == (2, "", "ntqr-exact: so not (see 'ntqr-exact --help')\n")


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, click.Abort, EOFError])
def test_an_interruption_gives_exit_code_130(run, monkeypatch, interruption):
    def interrupt(_):
        raise interruption

    monkeypatch.setattr(frame.cli, "invoke", interrupt)
    code, out, err = run("demo")
    assert (code, out, err.strip()) == (130, "", "interrupted")


def test_the_script_ends_with_the_exit_code():
    assert subprocess.run([*RUN, "bogus"], stderr=subprocess.DEVNULL, check=False, timeout=60).returncode == 2


# -- where the output goes ---------------------------------------------------------------------------


def test_a_reader_that_goes_early_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run([*RUN, *SHOW], stdout=closed, stderr=subprocess.PIPE, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_pipe_into_head_gives_its_line_and_no_traceback():
    line = " ".join(f"'{part}'" for part in RUN) + f" {' '.join(SHOW)} | head -1"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=True, timeout=60)
    assert done.stdout.startswith(b"1000 questions, 3 judges")
    assert (done.stdout.count(b"\n"), done.stderr) == (1, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_an_output_that_cannot_be_written_is_told_in_one_line():
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*RUN, *SHOW], stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.decode() == f"ntqr-exact: the output cannot be written: {os.strerror(errno.ENOSPC)}\n"


def test_an_output_that_the_shell_has_closed_is_no_error():
    line = " ".join(f"'{part}'" for part in RUN) + f" {' '.join(SHOW)} >&-"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_without_greek_letters_gets_their_codes_and_no_traceback():
    done = command("votes", "show", "example:two-norm", PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Pair moments \\u0394_ij" in done.stdout
    assert b"\\u2248 -0.007068" in done.stdout


def test_a_terminal_of_ascii_gets_no_traceback():
    done = command("votes", "show", "example:two-norm", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Pair moments" in done.stdout


def test_a_file_name_that_ascii_cannot_show_is_told(tmp_path):
    done = command("votes", "show", str(tmp_path / "fehlt-é.csv"), PYTHONIOENCODING="ascii", PYTHONUTF8="1")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert b"Traceback" not in done.stderr


class Terminal(io.StringIO):
    """A stream that says that somebody is looking."""

    def isatty(self):
        return True


def test_a_terminal_gets_bold_headings_and_no_color_takes_them_away(monkeypatch):
    for value, bold in (("", True), ("0", False)):
        monkeypatch.setenv("NO_COLOR", value)
        terminal = Terminal()
        monkeypatch.setattr(sys, "stdout", terminal)
        assert main(["demo"]) == 0
        assert ("\x1b[1m" in terminal.getvalue()) is bold
        assert ("\x1b" in terminal.getvalue()) is bold


def test_what_is_no_terminal_gets_no_escapes(run, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in run(*SHOW)[1]
    assert b"\x1b" not in command(*SHOW).stdout


# -- JSON --------------------------------------------------------------------------------------------


def numbers(document):
    """Return every number in a document that is not a whole count."""
    match document:
        case dict():
            return [n for part in document.values() for n in numbers(part)]
        case list():
            return [n for part in document for n in numbers(part)]
        case float():
            return [document]
    return []


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("demo --json", marks=pytest.mark.slow),
        "votes show example:two-norm --json",
        "votes count example:two-norm",
    ],
)
def test_json_is_exact_and_the_same_bytes_every_time(run, words):
    code, out, err = run(*words.split())
    assert (code, err) == (0, "")
    assert run(*words.split())[1] == out
    assert numbers(json.loads(out)) == []
    seeds = [command(*words.split(), PYTHONHASHSEED=seed).stdout for seed in ("1", "2")]
    assert seeds == [out.encode()] * 2


@pytest.mark.parametrize(
    "words",
    [
        ["derive", "33d", "--coq", "--json"],
        ["derive", "33d", "--check", "--latex"],
        ["evaluate", "example:uci-adult", "--coq", "--json"],
    ],
)
def test_options_of_which_one_would_be_passed_over_are_refused(run, words):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert "exclude each other" in err


def test_a_name_with_a_line_break_stays_in_its_row(run, tmp_path):
    (tmp_path / "x.csv").write_text('"A\nB",C\na,b\nb,b\n')
    _, out, _ = run("votes", "show", tmp_path / "x.csv")
    assert any(line.strip().startswith("A\\nB  ") for line in out.splitlines()), out


@pytest.mark.slow
def test_what_would_take_too_long_is_left_out_of_a_study_and_told_with_the_way_to_have_it(run, tmp_path):
    names = [f"J{i}" for i in range(60)]
    rows = [",".join("ab"[(i * j) % 7 % 2] for i in range(60)) for j in range(1, 30)]
    (tmp_path / "x.csv").write_text("\n".join([",".join(names), *rows]) + "\n")
    code, out, err = run("evaluate", "--details", tmp_path / "x.csv")
    assert (code, err) == (0, "")
    assert "Left out" in out
    assert "--work-limit" in out
