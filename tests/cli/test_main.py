"""The frame of the command: help, exit codes, one line for an error, pipes, encodings, JSON, progress."""

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

from ntqr_exact import VoteCounts, __version__
from ntqr_exact.cli import main as frame
from ntqr_exact.cli import terminal
from ntqr_exact.cli.main import COMMANDS, cli, main

SCRIPT = Path(sys.executable).with_name("ntqr-exact")
RUN = (
    [str(SCRIPT)]
    if SCRIPT.exists()
    else [sys.executable, "-c", "from ntqr_exact.cli.start import run; run()"]
)
SHOW = ["votes", "show", "example:two-norm"]
EVIL = "\x1b[2J\x9b1m\u202e\rb"


def command(*arguments, **more):
    """Run the installed command in a process of its own."""
    environment = {**os.environ, **more.pop("env", {})}
    return subprocess.run(
        [*RUN, *arguments], capture_output=True, check=False, env=environment, timeout=60, **more
    )


def shell(line, **more):
    words = f"exec {shlex.join(RUN)} {line}"
    return subprocess.run(["sh", "-c", words], capture_output=True, check=False, timeout=60, **more)


# -- help ---------------------------------------------------------------------------------------------------


def test_help_lists_the_commands_in_order(run):
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.split("Commands:\n")[1].splitlines()] == list(COMMANDS)
    assert run() == run("-h") == (0, out, "")
    assert run("votes") == run("votes", "--help")


def every_command(group=cli, words=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        one = group.get_command(context, name)
        yield (*words, name), one
        if isinstance(one, click.Group):
            yield from every_command(one, (*words, name))


def test_every_command_has_help_in_plain_sentences(run):
    for words, one in every_command():
        code, out, err = run(*words, "--help")
        assert (code, err) == (0, ""), words
        assert out.startswith(f"Usage: ntqr-exact {' '.join(words)} ")
        texts = [one.help, *(each.help for each in one.params if isinstance(each, click.Option))]
        assert all(texts), words
        assert not any(", which" in text for text in texts), words


def test_version_is_that_of_the_package(run):
    assert run("--version") == (0, f"ntqr-exact {__version__}\n", "")
    assert command("--version").stdout.decode() == f"ntqr-exact {__version__}\n"


def test_version_loads_no_heavy_library():
    code = "import sys; from ntqr_exact.cli.main import main; main(['--version']); print(sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, timeout=60
    )
    for heavy in ("'sympy'", "'narwhals'", "'numpy'", "'pandas'", "'polars'", "'matplotlib'"):
        assert heavy not in done.stdout


# -- errors and exit codes ----------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Enter a folder with good and bad files."""
    monkeypatch.chdir(tmp_path)
    start = '{"labels": ["a", "b"], "judges": ["A"], "counts": '
    for name, text in {
        "good.csv": "A,B\na,b\nb,b\n",
        "good.json": f'{start}{{"a": 1}}}}',
        "empty.csv": "",
        "quote.csv": 'A,B\na,"b\n',
        "broken.json": '{"labels": [',
        "twice.json": f'{start}{{"a": 1, "a": 2}}}}',
        "long.json": f'{start}{{"a": "1e999999999"}}}}',
        "digits.json": f'{start}{{"a": {"9" * 1_000_000}}}}}',
        "surrogate.json": '{"labels": ["a", "\\ud800"], "judges": ["A"], "counts": {"a": 1}}',
    }.items():
        Path(name).write_text(text)
    Path("latin.csv").write_bytes(b"A,B\na,\xe9\n")
    Path("binary.csv").write_bytes(bytes(range(256)))
    Path("directory").mkdir()
    return tmp_path


MISTAKES = {  # the command line, and what the line on stderr names
    "bogus": "'bogus'",
    "evalaute": "did you mean 'evaluate'?",
    "--bogus": "--bogus",
    "demo --bogus": "--bogus",
    "demo more": "more",
    "votes bogus": "'bogus'",
    "votes show": "VOTES",
    "votes show good.csv more": "'more'",
    "votes show none.csv": "'none.csv'",
    "votes count directory": "'directory'",
    "votes count empty.csv": "line 1",
    "votes show quote.csv": "line 2",
    "votes show latin.csv": "'latin.csv'",
    "votes show binary.csv": "'binary.csv'",
    "votes show broken.json": "line 1, column 13",
    "votes show twice.json": "'a'",
    "votes show long.json": "'1e999999999'",
    "votes show digits.json": "100000 digits",
    "votes count surrogate.json": "surrogate",
    "votes count good.csv --truth C": "'C'",
    "votes count good.csv --judges A,C": "'C'",
    "votes count good.csv --judges A,A": "'A'",
    "votes count good.csv --judges=": "judge",
    "votes count good.csv --labels a": "label",
    "votes count good.csv --labels a,c": "'b'",
    'votes count good.csv --labels "a': '"a',
    "votes count good.csv --delimiter ;;": "';;'",
    "votes count good.json --truth A": "'good.json'",
    "votes count good.json --delimiter ;": "delimiter",
    "votes show example:none": "'none'",
    "votes count good.csv -o directory": "'directory'",
    "votes count good.csv -o none/votes.json": "'none/votes.json'",
    "votes show a\0b": "NUL",
    "derive 33d --coq --json": "exclude each other",
    "derive 33d --check --latex": "exclude each other",
    "evaluate example:uci-adult --coq --json": "exclude each other",
    "evaluate good.csv --at-least 4": "--ordinal",
    "evaluate good.csv --ordinal 1..5 --labels 1,2": "--labels",
    "evaluate example:two-norm --key-out x.csv": "--key-out",
}


@pytest.mark.parametrize("words", MISTAKES)
@pytest.mark.usefixtures("files")
def test_mistake_is_one_line_and_exit_code_2(refused, words):
    assert MISTAKES[words] in refused(*words.split(" "))


@pytest.mark.usefixtures("files")
def test_usage_error_points_to_the_help_of_its_command(refused):
    assert refused("votes", "show").endswith("(see 'ntqr-exact votes show --help')\n")
    assert "--help" not in refused("votes", "show", "none.csv")


def raising(error):
    def invoke(_):
        raise error

    return invoke


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (ZeroDivisionError("so\nso"), 70, "ZeroDivisionError: so so\n"),
        (click.UsageError("so\n not"), 2, "ntqr-exact: so not (see 'ntqr-exact --help')\n"),
        (MemoryError(), 2, "memory"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (click.Abort(), 130, "interrupted\n"),
    ],
)
def test_each_error_has_its_exit_code_and_one_line(run, monkeypatch, error, code, line):
    monkeypatch.setattr(frame.cli, "invoke", raising(error))
    done, out, err = run("demo")
    assert (done, out, err.strip().count("\n")) == (code, "", 0)
    assert line in err


@pytest.mark.parametrize("closing", ["2>&-", ">&-", ">&- 2>&-", "<&- 2>&-"])
def test_closed_streams_change_no_exit_code(files, closing):
    done = shell(f"votes show good.csv {closing}", cwd=files)
    assert (done.returncode, done.stderr) == (0, b"")
    assert shell(f"alarm example:uci-adult {closing}").returncode == 1


def test_reader_that_leaves_early_is_not_an_error():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run([*RUN, *SHOW], stdout=closed, stderr=subprocess.PIPE, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_full_output_is_one_line():
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*RUN, *SHOW], stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.decode() == f"ntqr-exact: the output cannot be written: {os.strerror(errno.ENOSPC)}\n"


def test_work_limit_may_follow_the_command(run):
    code, _, err = run("consistent", "example:two-norm", "--work-limit", "10")
    assert run("--work-limit=10", "consistent", "example:two-norm") == (code, "", err)
    assert code == 2


# -- the terminal -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_terminal_without_greek_letters_gets_their_codes(encoding):
    done = command(*SHOW, env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Pair moments \\u0394_ij" in done.stdout


@pytest.mark.parametrize("words", [["votes", "show"], ["evaluate"], ["votes", "count"], ["agreement"]])
def test_names_cannot_command_the_terminal(run, file, words):
    document = {"labels": ["a", EVIL], "judges": [EVIL, "B", "C"], "counts": {"a,a,a": 3}}
    code, out, err = run(*words, file(json.dumps(document), "votes.json"))
    assert code in (0, 1)
    assert not {"\x1b", "\x9b", "\u202e", "\r"} & {*out, *err}
    assert "\\u202e" in out
    if words[-1] == "count":
        assert json.loads(out) == document
    assert "\x1b" not in run("votes", "show", EVIL)[2]
    assert terminal.harmless("a\n\té√漢😀") == "a\n\té√漢😀"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_terminal_gets_bold_headings_unless_no_color(file, monkeypatch):
    path = str(file("A,B\na,a\nb,a\nb,b\n"))
    for value, is_bold in (("", True), ("0", False)):
        monkeypatch.setenv("NO_COLOR", value)
        monkeypatch.setattr(sys, "stdout", screen := Terminal())
        assert main(["evaluate", path]) == 0
        assert ("\x1b[1mThe panel\x1b[0m\n" in screen.getvalue()) is is_bold
        assert ("\x1b" in screen.getvalue()) is is_bold
    assert b"\x1b" not in command("evaluate", path).stdout


@pytest.mark.parametrize("is_terminal", [True, False])
def test_long_file_shows_progress_on_a_terminal(run, file, monkeypatch, is_terminal):
    path = file("A,B\n" + "a,b\n" * 20_000)
    monkeypatch.setattr(terminal, "_SECONDS_BETWEEN_COUNTS", 0)
    monkeypatch.setattr(sys, "stderr", stream := Terminal() if is_terminal else io.StringIO())
    assert run("votes", "count", path)[0] == 0
    assert ("\r20,000 rows counted" in stream.getvalue()) == is_terminal
    monkeypatch.setattr(sys, "stderr", stream := Terminal() if is_terminal else io.StringIO())
    assert run("evaluate", "example:wine")[0] == 0
    assert ("\rfailing judges at 2/3" in stream.getvalue()) == is_terminal


# -- pipes and JSON -----------------------------------------------------------------------------------------


def test_pipe_is_read_whole_and_once():
    rows = b"ada,bo,cyd\n" + b"yes,no,yes\n" * 30_000
    for name in ("-", "/dev/stdin"):
        done = command("votes", "count", name, input=rows)
        assert json.loads(done.stdout)["counts"] == {"yes,no,yes": 30_000}
    sheet = command(
        "choose", "-", "--number", "2", "--judges", "ada,bo", input=rows
    )  # looks at the rows again
    assert sheet.stdout.count(b"\n") == 3
    lines = b'{"A": "a", "B": "b"}\n{"A": "b", "B": "b"}\n'
    expected = VoteCounts({"ab": 1, "bb": 1}, judges=["A", "B"]).to_json()
    assert command("votes", "count", "-", input=lines).stdout.decode() == expected


@pytest.mark.parametrize("words", ["votes show example:two-norm --json", "votes count example:two-norm"])
def test_json_is_exact_and_the_same_bytes_every_time(run, words):
    code, out, err = run(*words.split())
    assert (code, err) == (0, "")
    json.loads(out, parse_float=pytest.fail)
    outputs = [command(*words.split(), env={"PYTHONHASHSEED": seed}).stdout for seed in ("1", "2")]
    assert outputs == [out.encode()] * 2
