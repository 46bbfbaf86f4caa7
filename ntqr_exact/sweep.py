"""`sweep`: the same function over many inputs, on any executor, results in the order of the inputs.

The inputs may be endless or larger than memory: only a few chunks are under way at a time. `engine` holds the executor
of the command line: worker processes of this machine, or a dask cluster.
"""

from __future__ import annotations

import itertools
import logging
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any, TypeVar

from ntqr_exact.errors import BadChoice, BadNumber, WorkersLost, module_of_extra

_Input = TypeVar("_Input")
_Result = TypeVar("_Result")

_CHUNKS_UNDER_WAY = 16
"""How many chunks are submitted ahead of the one whose results are awaited: enough to keep workers busy."""


def sweep(
    function: Callable[[_Input], _Result],
    inputs: Iterable[_Input],
    *,
    executor: Executor | None = None,
    chunk: int = 1,
) -> Generator[_Result, None, None]:
    """Yield function(input) for each input, in order, computed by the executor, or here if there is none.

    `chunk` inputs are sent together, pickled. Any `concurrent.futures.Executor` will do: a thread or process pool,
    loky's, or that of a dask cluster (`client.get_executor()`). If the caller stops, what has not begun is cancelled.

    >>> list(sweep(abs, [-2, 3, -5]))
    [2, 3, 5]

    Raises `BadNumber` for a chunk below 1, `BadChoice` for what is not an executor, and `WorkersLost` where a pool
    breaks or a cluster is gone.
    """
    if chunk < 1:
        raise BadNumber(chunk, "chunk must be >= 1")
    if executor is None:
        yield from map(function, inputs)
        return
    if not hasattr(executor, "submit"):
        raise BadChoice(executor, "executor must be a concurrent.futures.Executor")
    remaining, under_way = iter(inputs), deque[Future[list[_Result]]]()
    try:
        while True:
            while len(under_way) < _CHUNKS_UNDER_WAY and (batch := list(itertools.islice(remaining, chunk))):
                under_way.append(executor.submit(_apply, function, batch))
            if not under_way:
                return
            yield from under_way.popleft().result()
    except (BrokenExecutor, CancelledError) as broken:
        message = str(broken) or type(broken).__name__
        raise WorkersLost(message, "the workers must not end before their work", "start again") from broken
    finally:
        for future in under_way:
            future.cancel()


def _apply(function: Callable[[_Input], _Result], batch: list[_Input]) -> list[_Result]:
    return list(map(function, batch))


@contextmanager
def engine(*, workers: int | None = None, dask: str | None = None) -> Iterator[Executor | None]:
    """Hold an executor for `sweep` and shut it down afterwards; without arguments there is none.

    `workers=N` gives a pool of N processes, `dask="tcp://host:8786"` the executor of the cluster with that scheduler,
    which runs the work of a dead worker again. Processes are spawned, because a fork of a process with threads can
    hang; a script must therefore start its work under `if __name__ == "__main__":`.

    Raises `BadChoice` for both or for a scheduler that does not answer, `MissingExtra` without dask.distributed.
    """
    if dask is not None and workers is not None:
        raise BadChoice((workers, dask), "workers must be of this machine or of a dask cluster, not both")
    if dask is not None:
        distributed = module_of_extra("distributed", "a dask cluster is reached through it", "cluster")
        logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)  # what matters is said by an error
        try:
            client = distributed.Client(dask, timeout=10, set_as_default=False)
        except (OSError, ValueError) as error:
            raise BadChoice(dask, f"a dask scheduler must answer at this address ({error})") from None
        with client:
            yield client.get_executor()
    elif workers is not None:
        resource_tracker.ensure_running()  # before the workers: as it starts, it unblocks SIGINT
        with _Pool(workers, multiprocessing.get_context("spawn"), initializer=_prepare_worker) as pool:
            try:
                yield pool
            except BaseException:  # an interruption does not wait for the chunks under way
                hook, threading.excepthook = threading.excepthook, lambda _: None
                for worker in list(pool._processes.values()):
                    worker.kill()
                pool.shutdown()  # its thread fails at futures that were cancelled, which is of no interest
                threading.excepthook = hook
                raise
    else:
        yield None


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
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)
