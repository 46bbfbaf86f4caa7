"""Faults from outside: interruptions, killed workers, schedulers that are not there, two writers of one folder."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from ntqr_exact.errors import WorkersLost
from ntqr_exact.sweep import engine, sweep

RUN = [sys.executable, "-c", "from ntqr_exact.cli.start import run; run()"]


def start(*words, **options):
    return subprocess.Popen(
        [*RUN, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **options
    )


@pytest.mark.parametrize("seconds", [0.4, 1.5])
def test_an_interruption_of_workers_is_one_line_and_code_130(seconds):
    running = start("--work-limit", str(10**12), "census", "--questions", "40", "--workers", "2")
    time.sleep(seconds)
    os.killpg(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (130, b"interrupted\n")


def is_running(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_busy_workers_end_with_their_parent(number):
    busy = "list(pool.map(time.sleep, [0, 0])); print(pool.submit(time.sleep, 60)); time.sleep(60)"
    code = f"import time; from ntqr_exact.sweep import engine\nwith engine(workers=2) as pool: {busy}"
    with subprocess.Popen(
        [sys.executable, "-uc", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as running:
        running.stdout.readline()
        os.kill(running.pid, number)
        running.wait(timeout=20)
    ends = time.monotonic() + 10
    while is_running(running.pid):
        assert time.monotonic() < ends
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("first", "then", "ends"),
    [
        ("import ntqr_exact.cli.start as s", "s.run()", (130, b"interrupted\n")),
        ("from ntqr_exact import _command", "_command()", (-signal.SIGINT, b"")),
    ],
)
def test_an_interruption_while_the_command_is_loaded_is_one_line_or_nothing(first, then, ends):
    late = "sys.meta_path.insert(0, type('F', (), {'find_spec': lambda *_: os.kill(os.getpid(), signal.SIGINT)}))"
    code = f"import os, signal, sys; {first}; {late}; {then}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == ends


def wait_for(path, running):
    while not path.exists() or not path.read_text():
        assert running.poll() is None
        time.sleep(0.02)


def test_an_interruption_of_programs_that_are_waited_for_ends_them_at_once(tmp_path):
    program = "import os, pathlib, time; pathlib.Path('pid').write_text(str(os.getpid())); time.sleep(60)"
    words = ["vectors", "run", "vote-moments", "--limit", "60", "--", sys.executable, "-c", program]
    running = start(*words, cwd=tmp_path)
    wait_for(tmp_path / "pid", running)
    os.kill(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=20)
    assert (running.returncode, err) == (130, b"interrupted\n")
    with pytest.raises(ProcessLookupError):
        os.killpg(int((tmp_path / "pid").read_text()), 0)


def test_an_interruption_of_coq_ends_it_at_once(tmp_path):
    (tmp_path / "coqc").write_text(f"#!/bin/sh\necho >{tmp_path}/begun; exec sleep 60\n")
    (tmp_path / "coqchk").write_text("#!/bin/sh\n")
    for name in ("coqc", "coqchk"):
        (tmp_path / name).chmod(0o755)
    running = start("proofs", "check", env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"})
    wait_for(tmp_path / "begun", running)
    os.kill(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=20)
    assert (running.returncode, err) == (130, b"interrupted\n")


def test_an_interruption_of_the_help_is_one_line():
    late = "click.Command.format_help = lambda *_: os.kill(os.getpid(), signal.SIGINT)"
    code = f"import os, signal, click; {late}; from ntqr_exact.cli.start import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (130, b"interrupted\n")


def test_an_interrupted_module_exits_with_130_too(tmp_path):
    late = "exec('import os, signal; os.kill(os.getpid(), signal.SIGINT)')"
    (tmp_path / "sitecustomize.py").write_text(
        f"import ntqr_exact.cli.theory_commands as p\np.postulates.callback = lambda **_: {late}\n"
    )
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "ntqr_exact", "postulates"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (130, b"interrupted\n")


def test_an_interruption_after_all_is_done_changes_nothing():
    late = "type('Late', (), {'__del__': lambda _, kill=os.kill, me=os.getpid(): kill(me, 2)})()"
    code = f"import os, sys; sys.late = {late}; from ntqr_exact.cli.start import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code, "--version"], capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_before_the_first_line_of_the_command_nothing_but_the_package_is_loaded():
    code = "import sys; before = {*sys.modules}; from ntqr_exact import _command; print(*{*sys.modules} - before)"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, check=True, timeout=60)
    assert done.stdout.split() == [b"ntqr_exact"]


def end_the_worker(_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_killed_workers_are_an_error_of_the_tree():
    with engine(workers=1) as executor, pytest.raises(WorkersLost):
        list(sweep(end_the_worker, [1, 2], executor=executor))


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
    running = [start("vectors", "make", name, "--out", tmp_path, "--count", "3") for name in names]
    assert [one.communicate(timeout=90)[1] for one in running] == [b""] * 3
    assert {path.name for path in tmp_path.iterdir()} == {"schema.json", *(f"{name}.json" for name in names)}


def test_results_from_a_closed_input_are_one_line():
    done = subprocess.run(
        ["sh", "-c", '"$0" "$@" <&-', *RUN, "vectors", "judge", "-"],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"closed" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "votes count votes.csv -o votes.csv",
        "votes count - -o votes.csv",
        "choose votes.csv --number 2 -o votes.csv",
        "choose - --number 2 -o votes.csv",
        "alarm votes.csv --certificate votes.csv",
        "alarm votes.csv --best-level --certificate votes.csv",
        "dependence votes.csv --certificate votes.csv",
        "dependence votes.csv --checker votes.csv",
        "evaluate votes.csv --html votes.csv",
        "evaluate - --html votes.csv",
        "metrics votes.csv --label A --score B --html votes.csv",
    ],
)
def test_no_command_writes_over_the_file_that_it_reads(tmp_path, words):
    (tmp_path / "votes.csv").write_text("A,B,C\n1,1,1\n0,1,0\n0,0,0\n1,0,1\n")
    kept = (tmp_path / "votes.csv").read_bytes()
    with open(tmp_path / "votes.csv", "rb") as given:
        done = subprocess.run(
            [*RUN, *words.split()], cwd=tmp_path, stdin=given, capture_output=True, check=False, timeout=60
        )
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"must not be the input" in done.stderr
    assert (tmp_path / "votes.csv").read_bytes() == kept


@pytest.mark.parametrize("words", ["votes count votes.csv", "choose votes.csv --number 2"])
def test_a_dash_is_standard_output(tmp_path, words):
    (tmp_path / "votes.csv").write_text("A,B,C\na,a,a\nb,a,b\n")
    plain, dashed = (
        subprocess.run(
            [*RUN, *words.split(), *more], cwd=tmp_path, capture_output=True, check=True, timeout=60
        )
        for more in ([], ["-o", "-"])
    )
    assert dashed.stdout == plain.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["votes.csv"]


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


GIGABYTE = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)); "


@pytest.mark.slow
@pytest.mark.parametrize("command", ["votes show", "evaluate", "dependence", "alarm", "consistent", "graded"])
@pytest.mark.parametrize(
    ("judges", "labels", "rows"), [(3, 60, 1500), (16, 2, 500), (300, 2, 50), (12_000, 2, 1)]
)
def test_a_file_below_100_kilobytes_takes_at_most_20_seconds_and_a_gigabyte(
    tmp_path, command, judges, labels, rows
):
    random = Random(judges)
    names = [*(f"J{i}" for i in range(judges)), "key"]
    body = [[f"l{random.randrange(labels)}" for _ in names] for _ in range(rows)]
    (tmp_path / "x.csv").write_text("\n".join(map(",".join, [names, *body])) + "\n")
    words = [*command.split(), str(tmp_path / "x.csv"), "--truth", "key"]
    code = f"{GIGABYTE}resource.setrlimit(resource.RLIMIT_CPU, (20, 20)); from ntqr_exact.cli.start import run; run()"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, check=False, timeout=600)
    assert done.returncode in (0, 1, 2), done.stderr[-300:]
    assert b"memory" not in done.stderr


@pytest.mark.slow
def test_threads_give_the_same_answers_and_limits_of_their_own():
    from ntqr_exact import rational, study_votes, work_limit
    from ntqr_exact.budget import check_work
    from ntqr_exact.errors import TooMuchWork
    from ntqr_exact.examples import example

    votes = example("uci-adult").votes

    def one(number):
        with work_limit(number):
            if number % 2:
                with pytest.raises(TooMuchWork):
                    check_work("too much", number + 1)
        return str(study_votes(votes, parts=["grades", "independent"])), rational(f"1/{number + 1}")

    alone = one(0)[0]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(one, range(24)))
    assert {text for text, _ in found} == {alone}
    assert [number.denominator for _, number in found] == list(range(1, 25))


@pytest.mark.slow
def test_processes_that_are_spawned_give_the_same_answers():
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert list(sweep(abs, [-3, 4, -5], executor=pool)) == [3, 4, 5]


@pytest.mark.slow
def test_a_full_disk_leaves_the_old_file_and_one_line(tmp_path):
    (tmp_path / "x.csv").write_text("A,B\n" + "a,b\nb,a\n" * 50)
    kept = tmp_path / "votes.json"
    kept.write_text("what was there\n")
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20)); "
    code = f"{limit}from ntqr_exact.cli.start import run; run()"
    words = ["votes", "count", str(tmp_path / "x.csv"), "-o", str(kept)]
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, *words], capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert kept.read_text() == "what was there\n"
    assert {path.name for path in tmp_path.iterdir()} == {"x.csv", "votes.json"}
