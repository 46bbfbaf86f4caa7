"""Executors for sweeps by their names: worker processes of this machine, loky's, or a dask cluster.

>>> with engine() as executor:  # neither workers nor a cluster: the work is done here
...     executor is None
True
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

from ntqr_exact.errors import BadChoice, BadNumber, MissingExtra

_SECONDS_TO_CONNECT = 30
_SECONDS_BETWEEN_LOOKS = 1


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
        raise BadChoice(
            dask if workers is None else (workers, dask),
            "workers are of this machine or of a dask cluster, not both",
        )
    if workers is not None and workers < 1:
        raise BadNumber(workers, "there is at least one worker")
    if dask is not None:
        client = _dask_client(dask)
        try:
            yield client.get_executor()
        finally:
            client.close()
    elif loky:
        yield partial(_module("loky").ProcessPoolExecutor, max_workers=workers, initializer=prepare_worker)
    elif workers is not None:
        yield partial(
            ProcessPoolExecutor,
            max_workers=workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=prepare_worker,
        )
    else:
        yield None


def prepare_worker() -> None:
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


def _dask_client(address: str) -> Any:
    distributed = _module("distributed")
    try:
        # A client that fails on a malformed address tells of it again when it is thrown away.
        scheme, place = distributed.comm.addressing.parse_address(address)
        if scheme in ("tcp", "tls"):
            distributed.comm.addressing.parse_host_port(place)
        return distributed.Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise BadChoice(address, f"no dask scheduler answers at this address ({error})") from None


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtra(
            name, "these workers are reached through it", "pip install 'ntqr-exact[cluster]'"
        ) from None
