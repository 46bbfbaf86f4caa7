"""Executors for sweeps by their names: worker processes of this machine, loky's, or a dask cluster.

>>> with engine() as executor:  # neither workers nor a cluster: the work is done here
...     executor is None
True
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, InvalidStateError, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import resource_tracker
from typing import Any, TypeVar

from ntqr_exact.errors import BadChoice, BadNumber, module_of_extra

_SECONDS_BETWEEN_LOOKS = 1
_SECONDS_TO_CONNECT = 10
_SECONDS_WITHOUT_SCHEDULER = 10
_SECONDS_WITHOUT_WORKERS = 60
_TALKATIVE = ("distributed", "tornado", "asyncio")

_Result = TypeVar("_Result")


@contextmanager
def engine(
    *, workers: int | None = None, dask: str | None = None, loky: bool = False
) -> Iterator[Executor | Callable[[], Executor] | None]:
    """Hold what `sweep` takes as its executor, and end it afterwards.

    `workers=N` gives a function that makes a pool of N processes, so that a sweep replaces a pool whose worker was
    killed; with `loky=True` the pools are loky's. `dask="tcp://host:8786"` gives the executor of the cluster whose
    scheduler is there; the cluster itself runs the chunks of a dead worker again. With neither, there is none.

    Processes are spawned, not forked, because a fork of a process with threads can hang; a script must therefore
    start its work under `if __name__ == "__main__":`.

    Raises `BadNumber` for fewer than one worker, `BadChoice` for both or for a scheduler that does not answer,
    `MissingExtra` where loky or dask.distributed is not installed.
    """
    if dask is not None and (workers is not None or loky):
        rule = "workers are of this machine or of a dask cluster, not both"
        raise BadChoice(dask if workers is None else (workers, dask), rule)
    if workers is not None and workers < 1:
        raise BadNumber(workers, "there is at least one worker")
    if dask is not None:
        with _dask_executor(dask) as executor:
            yield executor
    elif loky:
        _module("loky.backend.resource_tracker").ensure_running()
        yield partial(_module("loky").ProcessPoolExecutor, max_workers=workers, initializer=_prepare_worker)
    elif workers is not None:
        # It must run before the workers: as it begins, it opens the ears of this process, and of its children.
        resource_tracker.ensure_running()
        yield partial(
            ProcessPoolExecutor,
            max_workers=workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_prepare_worker,
        )
    else:
        yield None


def _prepare_worker() -> None:
    """Let this worker end when the process that started it is gone, even if that was killed and could not say so.

    An interruption from the keyboard reaches all processes; the main one deals with it, for all.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.pid,), daemon=True).start()


def _end_after(parent: int) -> None:
    while os.getppid() == parent:  # orphans are adopted by another process
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)


@contextmanager
def _dask_executor(address: str) -> Iterator[Executor]:
    """Hold an executor on the cluster whose scheduler is at an address such as "tcp://host:8786".

    Raises `BadChoice` if no scheduler answers there, `MissingExtra` where dask.distributed is not installed.
    """
    distributed = _module("distributed")
    with _silent():
        client = _client(distributed, address)
        executor = _ClusterExecutor(client)
        try:
            yield executor
        finally:
            executor.shutdown(wait=False)
            with suppress(OSError, RuntimeError):  # a cluster that is gone does not hear the farewell
                client.close(timeout=_SECONDS_WITHOUT_SCHEDULER)


class _ClusterExecutor(Executor):
    """A dask cluster on which every future ends: with its result, the error of its function, or as broken.

    The executor of dask itself leaves futures open for ever where the scheduler dies at the wrong moment.
    """

    def __init__(self, client: Any) -> None:
        """Begin to look after the client."""
        self._client = client
        self._inner = client.get_executor()
        self._open: set[Future[Any]] = set()
        self._ended = threading.Event()
        self._looker = threading.Thread(target=self._look, daemon=True)
        self._looker.start()

    def submit(self, function: Callable[..., _Result], /, *args: Any, **kwargs: Any) -> Future[_Result]:
        """Send a call to the cluster; raises `BrokenExecutor` where there is none any more."""
        if self._client.status not in ("running", "connecting"):
            raise BrokenExecutor("the scheduler is gone")
        future: Future[_Result] = Future()
        future.set_running_or_notify_cancel()
        self._open.add(future)
        self._inner.submit(function, *args, **kwargs).add_done_callback(
            lambda done: self._pass_on(done, future)
        )
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """End."""
        self._ended.set()
        with suppress(OSError, RuntimeError):
            self._inner.shutdown(wait=wait)

    def _pass_on(self, done: Future[_Result], future: Future[_Result]) -> None:
        self._open.discard(future)
        with suppress(InvalidStateError):  # given up already
            if done.cancelled():
                future.set_exception(BrokenExecutor("the cluster dropped the call"))
            elif (error := done.exception()) is None:
                future.set_result(done.result())
            elif type(error).__module__.startswith("distributed"):
                future.set_exception(BrokenExecutor(str(error)))
            else:
                future.set_exception(error)

    def _look(self) -> None:
        well = staffed = time.monotonic()
        while not self._ended.wait(_SECONDS_BETWEEN_LOOKS):
            now = time.monotonic()
            if self._client.status == "running":
                well = now
                if self._client.scheduler_info().get("workers"):
                    staffed = now
            if self._client.status in ("closing", "closed") or now - well > _SECONDS_WITHOUT_SCHEDULER:
                self._give_up("the scheduler is gone")
            elif now - staffed > _SECONDS_WITHOUT_WORKERS:
                self._give_up("the cluster has no workers")

    def _give_up(self, why: str) -> None:
        for future in list(self._open):
            self._open.discard(future)
            with suppress(InvalidStateError):
                future.set_exception(BrokenExecutor(why))


def _client(distributed: Any, address: str) -> Any:
    try:
        # A client that fails on a malformed address tells of it again when it is thrown away.
        scheme, place = distributed.comm.addressing.parse_address(address)
        if scheme in ("tcp", "tls"):
            distributed.comm.addressing.parse_host_port(place)
        return distributed.Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise BadChoice(address, f"no dask scheduler answers at this address ({error})") from None


@contextmanager
def _silent() -> Iterator[None]:
    """Keep the loggers of dask silent; what matters is said by an error."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in _TALKATIVE]
    before = {name: logging.getLogger(name).level for name in names}
    for name in before:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


def _module(name: str) -> Any:
    return module_of_extra(name, "these workers are reached through it", "cluster")
