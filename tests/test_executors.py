"""Engines by name: the same census on this process, on worker processes, on loky and on a dask cluster."""

import os
import signal
import subprocess
import sys
import time

import pytest
from gmpy2 import mpq

from ntqr_exact import bootstrap, bootstrap_atc, smallest_inversion
from ntqr_exact.census.census import take_census
from ntqr_exact.cli.main import main
from ntqr_exact.errors import BadChoice, BadNumber, MissingExtra
from ntqr_exact.executors import engine

QUESTIONS = 9
CHUNKS = {"ranks_per_chunk": 50, "symmetry": True}


@pytest.fixture(scope="module")
def expected():
    return take_census(QUESTIONS, **CHUNKS)


def test_without_a_name_there_is_no_executor():
    with engine() as executor:
        assert executor is None


@pytest.mark.parametrize("loky", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_census_on_worker_processes_is_the_same_and_survives_the_death_of_one(expected, loky):
    if loky:
        pytest.importorskip("loky")
    pools, seen = [], []
    with engine(workers=2, loky=loky) as make:

        def remembered():
            pools.append(make())
            return pools[-1]

        def kill_one(visited):
            seen.append(visited)
            if len(seen) == 20:
                os.kill(next(iter(pools[-1]._processes)), signal.SIGKILL)

        assert take_census(QUESTIONS, executor=remembered, progress=kill_one, **CHUNKS) == expected
    assert len(pools) == 2
    assert sum(seen) == expected.total.votes


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as running:
        yield running


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # dask warns of what its own workers leave behind when they are killed
def test_a_census_on_a_dask_cluster_is_the_same_and_survives_the_death_of_a_worker(cluster, expected, capsys):
    seen, killed = [], []
    address = cluster.scheduler_address

    def kill_one(visited):
        seen.append(visited)
        if len(seen) == 20:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    with engine(dask=address) as executor:
        assert take_census(QUESTIONS, executor=executor, progress=kill_one, **CHUNKS) == expected
    assert len(killed) == 1
    assert sum(seen) == expected.total.votes
    # The cluster is not ours to end: it serves the command as well.
    assert main(["census", "--questions", "6", "--dask", address, "--json"]) == 0
    assert capsys.readouterr().out == take_census(6).to_json()


def test_a_scheduler_that_is_not_there_is_an_error_in_words(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("ntqr_exact.executors._SECONDS_TO_CONNECT", 1)
    with pytest.raises(BadChoice, match="no dask scheduler answers"), engine(dask="tcp://127.0.0.1:9"):
        pass


def test_workers_are_at_least_one_and_either_here_or_there():
    with pytest.raises(BadNumber, match="at least one worker"), engine(workers=0):
        pass
    with pytest.raises(BadChoice, match="not both"), engine(workers=2, dask="tcp://somewhere:8786"):
        pass
    with pytest.raises(BadChoice, match="not both"), engine(loky=True, dask="tcp://somewhere:8786"):
        pass


@pytest.mark.parametrize("address", ["", "somewhere", "tcp://somewhere", "somewhere:port"])
def test_an_address_that_is_none_makes_no_client(monkeypatch, address):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "Client", None)
    with pytest.raises(BadChoice, match="no dask scheduler answers"), engine(dask=address):
        pass


@pytest.mark.parametrize(
    ("name", "options"), [("loky", {"loky": True}), ("distributed", {"dask": "tcp://x:1"})]
)
def test_what_is_not_installed_is_named_with_its_extra(monkeypatch, name, options):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra, match=r"\.\[cluster\]' in a clone"), engine(**options):
        pass


ORPHANS = """
import sys, time
from ntqr_exact.executors import engine
if __name__ == "__main__":
    with engine(workers=2, loky=sys.argv[1] == "loky") as make:
        pool = make()
        list(pool.map(abs, range(4)))
        print(*pool._processes, flush=True)
        time.sleep(60)
"""


@pytest.mark.parametrize("kind", ["pool", pytest.param("loky", marks=pytest.mark.slow)])
def test_workers_do_not_outlive_a_killed_main_process(tmp_path, kind):
    if kind == "loky":
        pytest.importorskip("loky")
    script = tmp_path / "main.py"
    script.write_text(ORPHANS, encoding="utf-8")
    with subprocess.Popen([sys.executable, script, kind], stdout=subprocess.PIPE, text=True) as process:
        workers = [int(word) for word in process.stdout.readline().split()]
        process.kill()
    assert workers
    deadline = time.monotonic() + 20
    while any(_alive(worker) for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(_alive(worker) for worker in workers)


def _alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def mean_of(items):
    return mpq(sum(items), len(items))


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"workers": 2}, id="pool"),
        pytest.param({"workers": 2, "loky": True}, id="loky", marks=pytest.mark.slow),
    ],
)
def test_inversions_and_the_bootstrap_find_the_same_on_an_engine(options):
    sample, both = [0, 0, 1, 3, 7], {"labels": 3, "max_denominator": 10}
    here = (
        bootstrap(sample, mean_of, resamples=100, seed=5),
        smallest_inversion("entropy", "jensen-shannon", **both),
    )
    with engine(**options) as executor:
        away = (
            bootstrap(sample, mean_of, resamples=100, seed=5, executor=executor),
            smallest_inversion("entropy", "jensen-shannon", **both, executor=executor),
        )
    assert away == here


def test_a_bootstrap_of_atc_travels_to_other_processes():
    source, labels = [["0.9", "0.1"], ["0.7", "0.3"], ["0.6", "0.4"]], [0, 0, 1]
    options = {"labels": labels, "resamples": 50, "seed": 3}
    here = bootstrap_atc(source, [["0.65", "0.35"]], **options)
    with engine(workers=2) as executor:
        assert bootstrap_atc(source, [["0.65", "0.35"]], **options, executor=executor) == here
