"""Faults from outside: interruptions, killed workers, schedulers that are not there, two writers of one folder."""

import os
import signal
import subprocess
import sys
import time

import pytest

from ntqr_exact.errors import BadArgument, WorkersLost
from ntqr_exact.executors import engine
from ntqr_exact.sweep import sweep
from ntqr_exact.vectors.files import read_index

RUN = [sys.executable, "-c", "from ntqr_exact.cli.start import run; run()"]


def start(*words, **options):
    return subprocess.Popen(
        [*RUN, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **options
    )


@pytest.mark.parametrize("seconds", [0.4, 1.5])
def test_an_interruption_of_workers_is_one_line_and_code_130(seconds):
    running = start("inversions", "--workers", "2", "--max-denominator", "60", "--labels", "4")
    time.sleep(seconds)
    os.killpg(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (130, b"interrupted\n")


def test_an_interruption_while_the_command_is_loaded_is_one_line_and_code_130():
    code = "import os, signal, sys; import ntqr_exact.cli.start as s; "
    late = "sys.meta_path.insert(0, type('F', (), {'find_spec': lambda *_: os.kill(os.getpid(), signal.SIGINT)}))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}{late}; s.run()"], capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (130, b"interrupted\n")


def end_the_worker(_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_workers_that_are_killed_again_and_again_are_an_error_of_the_tree():
    with engine(workers=1) as make, pytest.raises(WorkersLost, match="in a row"):
        list(sweep(end_the_worker, [1, 2], executor=make))


def test_what_makes_no_executor_is_refused():
    with pytest.raises(BadArgument, match="submit"):
        list(sweep(abs, [1], executor=int))


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_one_line_in_bounded_time():
    pytest.importorskip("distributed")
    begun = time.monotonic()
    done = subprocess.run(
        [*RUN, "census", "--questions", "3", "--dask", "tcp://127.0.0.1:9"],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert time.monotonic() - begun < 40


def test_two_processes_that_make_families_in_one_folder_lose_none(tmp_path):
    names = ("vote-moments", "possible-single", "grade")
    running = [
        start("vectors", "make", "--out", tmp_path, "--family", name, "--count", "3", "--workers", "1")
        for name in names
    ]
    assert [one.communicate(timeout=90)[1] for one in running] == [b""] * 3
    assert {entry["family"] for entry in read_index(tmp_path)} == set(names)
    assert {path.name for path in tmp_path.iterdir()} == {
        "index.json",
        "schema.json",
        *(f"{name}.json" for name in names),
    }


def test_results_from_a_closed_input_are_one_line():
    done = subprocess.run(
        ["sh", "-c", '"$0" "$@" <&-', *RUN, "vectors", "judge", "-"],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"closed" in done.stderr


@pytest.mark.slow
def test_not_enough_memory_is_one_line():
    limited = "import resource; resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20)); "
    code = f"{limited}from ntqr_exact.cli.main import main; import sys; sys.exit(main(['alarm', '-']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=b'"' + b"x" * (300 << 20),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


@pytest.mark.slow
def test_optimised_bytecode_gives_the_same_answers():
    plain, bare = (
        subprocess.run([sys.executable, *flag, *RUN[1:], "demo"], capture_output=True, check=True, timeout=60)
        for flag in ([], ["-OO"])
    )
    assert plain.stdout == bare.stdout
