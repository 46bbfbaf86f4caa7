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
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any

from ntqr_exact.errors import BadChoice, BadNumber, module_of_extra

_SECONDS_TO_CONNECT = 10


@contextmanager
def engine(
    *, workers: int | None = None, dask: str | None = None, loky: bool = False
) -> Iterator[Executor | None]:
    """Hold what `sweep` takes as its executor, and end it afterwards.

    `workers=N` gives a pool of N processes, loky's with `loky=True`, and `dask="tcp://host:8786"` the executor of the
    cluster whose scheduler is there, which runs the work of a dead worker again. With neither there is none.
    Processes are spawned, not forked, because a fork of a process with threads can hang; a script must therefore
    start its work under `if __name__ == "__main__":`.

    Raises `BadNumber` for fewer than one worker, `BadChoice` for both or for a scheduler that does not answer,
    `MissingExtra` where loky or dask.distributed is not installed.
    """
    if dask is not None and (workers is not None or loky):
        rule = "workers must be of this machine or of a dask cluster, not both"
        raise BadChoice(dask if workers is None else (workers, dask), rule)
    if workers is not None and workers < 1:
        raise BadNumber(workers, "workers must be >= 1")
    if dask is not None:
        logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)  # what matters is said by an error
        client = _client(dask)
        try:
            yield client.get_executor()
        finally:
            client.close(timeout=_SECONDS_TO_CONNECT)
    elif loky or workers is not None:
        with _pool(workers, loky=loky) as pool:
            yield pool
    else:
        yield None


def _pool(workers: int | None, *, loky: bool) -> Any:
    if loky:
        return _module("loky").ProcessPoolExecutor(workers, initializer=_prepare_worker)
    resource_tracker.ensure_running()  # before the workers: as it starts, it unblocks SIGINT
    return _Pool(workers, multiprocessing.get_context("spawn"), initializer=_prepare_worker)


class _Pool(ProcessPoolExecutor):
    """A pool whose workers start with SIGINT blocked, so that an interruption is the parent's alone from the start."""

    def submit(self, *task: Any, **options: Any) -> Any:
        """Submit a task; a worker may be started for it."""
        if not hasattr(signal, "pthread_sigmask"):
            return super().submit(*task, **options)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(*task, **options)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare_worker() -> None:
    """End this worker when its parent is gone, even if that was killed; leave interruptions to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if (parent := multiprocessing.parent_process()) is not None:
        threading.Thread(target=_end_after, args=(parent.pid,), daemon=True).start()


def _end_after(parent: int) -> None:
    while os.getppid() == parent:  # orphans are adopted by another process
        time.sleep(1)
    os._exit(1)


def _client(address: str) -> Any:
    distributed = _module("distributed")
    try:
        return distributed.Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise BadChoice(address, f"a dask scheduler must answer at this address ({error})") from None


def _module(name: str) -> Any:
    return module_of_extra(name, "these workers are reached through it", "cluster")
