"""Command lines that nobody would write: exit code 0, 1 or 2, one line of error, and nothing that commands a terminal.

The test command tries a few dozen; `DOORS=5000 pytest tests/doors` as many as it says, with other seeds each time.
"""

import contextlib
import io
import json
import os
import signal
import time
from pathlib import Path

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ntqr_exact.cli.main import COMMANDS, cli, main

EXAMPLES = int(os.environ.get("DOORS", "60"))
SECONDS = 20
LEFT_OUT = {
    ("vectors", "make"),
    ("vectors", "check"),
    ("vectors", "run"),
    ("vectors", "pack"),
    ("proofs", "check"),
}
"""They start processes or take minutes; tests of their own try them."""

NAMES = ["A", "B", "C", "key", "truth", "label", "score", "\x1b[2J", "a b", '"q"', "", "\u202e"]
LABELS = ["a", "b", "c", "", "\x1b]0;x\x07", "a,b", "√", " a"]
NUMBERS = [
    *("0", "1", "2", "3", "10", "-1", "1/2", "0.5", "1e5", "1e400", "1e-9999", "nan", "x", "", "1/0"),
    *("9" * 25, "9" * 4400, "0.95", "1.96", "100"),
]
TEXTS = ["key", "truth", "A", "A,B", "a,b", "J1 > J2", "max", "max,l2", '"', "26a", "33e", "\x1b[2J"]


def cells(options):
    return st.sampled_from(options)


@st.composite
def decisions(draw):
    """A CSV of decisions: mostly a good one."""
    columns = draw(st.integers(1, 6))
    names = draw(
        st.one_of(
            st.just(["A", "B", "C", "D", "E", "key"][:columns]),
            st.lists(cells(NAMES), min_size=columns, max_size=columns),
        )
    )
    labels = draw(st.sampled_from([["a", "b"], ["a", "b"], ["a", "b", "c"], LABELS]))
    rows = draw(st.lists(st.lists(cells(labels), min_size=columns, max_size=columns), max_size=30))
    return "\n".join(",".join(row) for row in [names, *rows]) + "\n"


@st.composite
def votes(draw):
    """A votes file in JSON: mostly a good one."""
    judges = draw(st.integers(1, 4))
    counts = draw(
        st.dictionaries(
            st.lists(cells(["a", "b"]), min_size=judges, max_size=judges).map(",".join),
            st.sampled_from([0, 1, 2, 7, 40, "3", 10**20, "1/2", None]),
            max_size=8,
        )
    )
    document = {"labels": ["a", "b"], "judges": [f"J{i}" for i in range(judges)], "counts": counts}
    if draw(st.integers(0, 9)) == 0:
        document[draw(st.sampled_from(sorted(document)))] = draw(st.sampled_from([None, [], {}, 3, "x", [1]]))
    return json.dumps(document)


PROBABILITIES = st.lists(
    st.sampled_from(["1/2,1/2,p", "0.9,0.1,p", "0.2,0.8,q", "1e-9999,1,q", "nan,0,p", "1,0,x"]), max_size=9
).map(lambda rows: "\n".join(["p,q,truth", *rows]) + "\n")
SCORES = st.lists(
    st.sampled_from(["1,0.9,2,u", "0,0.1,1,v", "1,1/3,1,u", "0,1e400,1,u", "x,1,1,v", "1,,1,u"]), max_size=9
).map(lambda rows: "\n".join(["label,score,weight,stratum", *rows]) + "\n")
FILES = st.one_of(decisions(), decisions(), votes(), votes(), PROBABILITIES, SCORES, st.text(max_size=60))


def value(parameter):
    if isinstance(parameter.type, click.Choice):
        return st.sampled_from([*map(str, parameter.type.choices), "nonsense"])
    if parameter.name in ("output", "out"):
        return st.sampled_from(["out", "/nonexistent/out", ".", "first"])
    if parameter.name == "checkpoint":
        return st.sampled_from(["kept", "first", "."])
    if isinstance(parameter.type, click.IntRange) or parameter.type is click.INT:
        return st.sampled_from(["0", "1", "2", "3", "5", "-1", "9" * 20, "x", ""])
    if parameter.name in ("questions", "judges_number"):
        return st.sampled_from(["0", "1", "3", "5"])
    return st.sampled_from([*NUMBERS, *TEXTS])


@st.composite
def command_lines(draw):
    """A command with arguments and options of its own, and of others."""
    context = click.Context(cli)
    words = [draw(st.sampled_from(sorted(set(COMMANDS) - {"ledger", "demo"})))]
    command = cli.get_command(context, words[0])
    while isinstance(command, click.Group):
        words.append(draw(st.sampled_from(command.list_commands(context))))
        command = command.get_command(context, words[-1])
    if tuple(words[:2]) in LEFT_OUT:
        return ["votes", "count", "first"]
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            number = parameter.nargs if parameter.nargs > 0 else draw(st.integers(0, 2))
            files = st.sampled_from(
                ["first", "first", "first", "second", "second", "missing", ".", "33e", "2"]
            )
            words += [draw(files) for _ in range(number)]
        elif parameter.name not in ("help", "workers", "dask", "loky") and (
            parameter.required or draw(st.integers(0, 5)) == 0
        ):
            words.append(draw(st.sampled_from(parameter.opts)))
            words += [] if parameter.is_flag else [draw(value(parameter)) for _ in range(parameter.nargs)]
    return words


def run(words):
    """Run the command here, for at most so many seconds; return exit code, output and errors."""

    def give_up(*_):
        raise TimeoutError(f"more than {SECONDS} s")

    out, err = io.StringIO(), io.StringIO()
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(words)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return code, out.getvalue(), err.getvalue()


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no alarm clock on this system")
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="DOORS" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
@given(words=command_lines(), first=FILES, second=FILES)
def test_any_command_line_ends_in_time_with_a_verdict_or_one_line(tmp_path_factory, words, first, second):
    folder, home = tmp_path_factory.mktemp("door"), Path.cwd()
    try:
        os.chdir(folder)
        Path("first").write_bytes(first.encode("utf-8", "surrogatepass"))
        Path("second").write_bytes(second.encode("utf-8", "surrogatepass"))
        start = time.monotonic()
        code, out, err = run(words)
        assert time.monotonic() - start < SECONDS
        assert Path("second").read_bytes() == second.encode(
            "utf-8", "surrogatepass"
        )  # no input is written to
    finally:
        os.chdir(home)
    told = [line for line in err.splitlines() if not line.startswith(("note: ", "warning: "))]
    assert code in (0, 1, 2), (words, err)
    if code == 2 and words[:2] != ["vectors", "judge"]:
        assert len(told) == 1, (words, err)
        assert told[0].startswith("ntqr-exact: "), words
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*out, *err}, words
