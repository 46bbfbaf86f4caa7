"""Sweeps: the same results on every executor, no more work than needed, and lost workers are an error."""

from __future__ import annotations

import os
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import count, islice

import pytest

from ntqr_exact import errors
from ntqr_exact.errors import BadChoice, BadNumber, MissingExtra, WorkersLost
from ntqr_exact.sweep import engine, sweep


@pytest.mark.parametrize("chunk", [1, 7, 100])
def test_results_come_in_the_order_of_the_inputs(chunk) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert list(sweep(abs, range(-20, 20), executor=pool, chunk=chunk)) == list(map(abs, range(-20, 20)))


def test_endless_inputs_are_taken_only_as_far_as_needed() -> None:
    taken = []

    def inputs():
        for number in count():
            taken.append(number)
            yield number

    with ThreadPoolExecutor(2) as pool:
        results = sweep(abs, inputs(), executor=pool)
        assert taken == []
        assert list(islice(results, 3)) == [0, 1, 2]
        results.close()
    assert len(taken) < 40


def test_an_error_of_the_function_reaches_the_caller() -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(ZeroDivisionError):
        list(sweep((1).__truediv__, [1, 0], executor=pool))


class BrokenPool:
    """A pool whose workers are gone."""

    def submit(self, *_):
        future = Future()
        future.set_exception(BrokenExecutor("gone"))
        return future


def test_lost_workers_are_an_error() -> None:
    with pytest.raises(WorkersLost):
        list(sweep(abs, [1], executor=BrokenPool()))
    with ProcessPoolExecutor(1) as pool, pytest.raises(WorkersLost):
        list(sweep(os._exit, [1, 2], executor=pool))


@pytest.mark.parametrize(
    ("options", "error"),
    [({"chunk": 0}, BadNumber), ({"executor": int}, BadChoice)],
)
def test_bad_options_of_a_sweep_are_refused(options, error) -> None:
    with pytest.raises(error):
        list(sweep(abs, [1], **options))


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"workers": 2, "dask": "tcp://127.0.0.1:9"}, BadChoice),
        ({"dask": "somewhere:port"}, BadChoice),
    ],
)
def test_bad_options_of_an_engine_are_refused(options, error) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(error), engine(**options):
        pass


def test_a_missing_package_is_named(monkeypatch) -> None:
    def missing(name):
        raise ImportError(name=name)

    monkeypatch.setattr(errors.importlib, "import_module", missing)
    with pytest.raises(MissingExtra), engine(dask="tcp://127.0.0.1:9"):
        pass
