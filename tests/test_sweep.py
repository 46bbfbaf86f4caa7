"""Sweeps: the same results on every executor, in order or as they come, and none lost with a killed worker."""

import itertools
import os
import signal
import threading
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from operator import neg

import pytest

from ntqr_exact.errors import BadNumber, WorkersLost
from ntqr_exact.executors import engine
from ntqr_exact.sweep import MOST_LOSSES, sweep

NUMBERS = range(50)


def test_without_an_executor_the_work_is_done_here():
    here = threading.get_ident()
    assert list(sweep(lambda _: threading.get_ident(), range(3))) == [here] * 3


@pytest.mark.parametrize("chunk", [1, 7, 100])
@pytest.mark.parametrize("ahead", [1, 3, 100])
def test_results_come_in_the_order_of_the_inputs(chunk, ahead):
    with ThreadPoolExecutor(3) as pool:
        assert list(sweep(neg, NUMBERS, executor=pool, chunk=chunk, ahead=ahead)) == [-n for n in NUMBERS]


def test_unordered_results_are_the_same_results_and_the_quick_ones_come_first():
    gate = threading.Event()

    def slow_first(number):
        if number == 0:
            gate.wait(20)
        return number

    with ThreadPoolExecutor(2) as pool:
        results = sweep(slow_first, NUMBERS, executor=pool, ordered=False)
        seen = [next(results) for _ in range(49)]
        assert 0 not in seen
        gate.set()
        assert sorted([*seen, *results]) == list(NUMBERS)


@pytest.mark.parametrize("ordered", [True, False])
def test_endless_inputs_are_taken_only_as_far_as_needed(ordered):
    taken = []
    inputs = (taken.append(n) or n for n in itertools.count())
    with ThreadPoolExecutor(2) as pool:
        results = sweep(neg, inputs, executor=pool, chunk=2, ahead=4, ordered=ordered)
        assert taken == []
        for _ in range(6):
            next(results)
        results.close()
    assert len(taken) <= 6 + 2 * 4 + 2


@pytest.mark.parametrize("bad", [{"chunk": 0}, {"ahead": 0}])
def test_chunks_and_how_many_are_ahead_are_at_least_one(bad):
    with pytest.raises(BadNumber, match="at least 1"):
        sweep(neg, NUMBERS, **bad)


def test_an_error_of_the_function_reaches_the_caller():
    with ThreadPoolExecutor(2) as pool, pytest.raises(ZeroDivisionError):
        list(sweep(lambda n: 1 // (3 - n), NUMBERS, executor=pool))


class Breaking(Executor):
    """A pool in this process that breaks at the chunk that contains a certain number."""

    made = 0

    def __init__(self, breaks_at):
        type(self).made += 1
        self._breaks_at = breaks_at
        self._broken = False
        self.ended = False

    def submit(self, function, /, *arguments):
        if self._broken:
            raise BrokenExecutor("broken before")
        future = Future()
        if self._breaks_at in arguments[1]:
            self._broken = True
            future.set_exception(BrokenExecutor("a worker was killed"))
        else:
            future.set_result(function(*arguments))
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):  # noqa: ARG002
        self.ended = True


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("chunk", [1, 4])
def test_a_broken_pool_is_replaced_and_what_was_lost_runs_again(ordered, chunk):
    breaks_at = iter([3, 9, 22, 40])
    pools = []

    def make():
        pools.append(Breaking(next(breaks_at, None)))
        return pools[-1]

    found = list(sweep(neg, NUMBERS, executor=make, chunk=chunk, ahead=5, ordered=ordered))
    assert found == [-n for n in NUMBERS] if ordered else sorted(found) == sorted(-n for n in NUMBERS)
    assert len(pools) > 2
    assert all(pool.ended for pool in pools)


def test_a_pool_that_is_given_is_not_replaced_nor_ended():
    pool = Breaking(9)
    with pytest.raises(WorkersLost):
        list(sweep(neg, NUMBERS, executor=pool))
    assert not pool.ended


def test_a_chunk_that_kills_every_worker_is_given_up_at_last():
    Breaking.made = 0
    with pytest.raises(WorkersLost):
        list(sweep(neg, NUMBERS, executor=lambda: Breaking(9)))
    assert 1 < Breaking.made <= 2 * MOST_LOSSES + 2


def test_breaks_between_which_chunks_are_finished_may_be_many():
    breaks_at = iter(range(0, 50, 5))
    found = list(sweep(neg, NUMBERS, executor=lambda: Breaking(next(breaks_at, None)), ahead=2))
    assert found == [-n for n in NUMBERS]


@pytest.mark.parametrize("loky", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_killed_worker_process_loses_nothing(loky):
    if loky:
        pytest.importorskip("loky")
    with engine(workers=2, loky=loky) as make:
        pools = []

        def remembered():
            pools.append(make())
            return pools[-1]

        results = sweep(neg, range(4000), executor=remembered)
        found = [next(results) for _ in range(10)]
        os.kill(next(iter(pools[0]._processes)), signal.SIGKILL)
        found += results
    assert found == [-n for n in range(4000)]
    assert len(pools) == 2
