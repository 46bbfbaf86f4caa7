"""`sweep`: the same function over many inputs, on any executor, results in the order of the inputs.

>>> list(sweep(abs, [-2, 3, -5]))
[2, 3, 5]

The inputs may be endless or larger than memory: only a few chunks are under way at a time. The function and its
inputs travel to other processes, so both must be picklable where the executor is not this process.
"""

from __future__ import annotations

import itertools
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from typing import Generic, TypeVar

from ntqr_exact.errors import BadArgument, BadNumber, WorkersLost

_Input = TypeVar("_Input")
_Result = TypeVar("_Result")

_CHUNKS_UNDER_WAY = 16
"""How many chunks are submitted ahead of the one whose results are awaited: enough to keep workers busy."""

MOST_LOSSES = 3
"""How often in a row a pool may break without a chunk being finished, before the chunks are given up."""


def sweep(
    function: Callable[[_Input], _Result],
    inputs: Iterable[_Input],
    *,
    executor: Executor | Callable[[], Executor] | None = None,
    chunk: int = 1,
    ahead: int = _CHUNKS_UNDER_WAY,
    ordered: bool = True,
) -> Generator[_Result, None, None]:
    """Yield function(input) for each input, in order, computed by the executor, or here if there is none.

    `chunk` inputs are sent together. Any `concurrent.futures.Executor` will do: a thread or process pool, loky's,
    or that of a dask cluster (`client.get_executor()`). Instead of a pool, a function that makes one can be given:
    then the sweep also ends it, and if a worker is killed and the pool breaks, the chunks that are not finished run
    again on a new one. With `ordered=False` results come as they are finished, whatever the order of the inputs.

    Nothing runs before the first result is asked for; if the caller stops asking, what has not begun is cancelled.
    Raises `WorkersLost` where a pool breaks that cannot be made anew, or `MOST_LOSSES` new ones break as well, and
    where a cluster is gone.
    """
    for name, number in (("chunk", chunk), ("ahead", ahead)):
        if number < 1:
            raise BadNumber(number, f"{name} is at least 1")
    if executor is None:
        return _here(function, inputs)
    return _Away(function, executor).results(_batched(inputs, chunk), ahead=ahead, ordered=ordered)


def _here(function: Callable[[_Input], _Result], inputs: Iterable[_Input]) -> Generator[_Result, None, None]:
    yield from map(function, inputs)


class _Away(Generic[_Input, _Result]):
    """One sweep on an executor: what is under way, and how often the pool has broken in a row."""

    def __init__(
        self, function: Callable[[_Input], _Result], executor: Executor | Callable[[], Executor]
    ) -> None:
        self._function = function
        self._make = None if isinstance(executor, Executor) else executor
        self._pool = executor if isinstance(executor, Executor) else None
        self._under_way: dict[Future[list[_Result]], tuple[_Input, ...]] = {}
        self._losses = 0

    def results(
        self, batches: Iterator[tuple[_Input, ...]], *, ahead: int, ordered: bool
    ) -> Generator[_Result, None, None]:
        try:
            while True:
                for batch in itertools.islice(batches, ahead - len(self._under_way)):
                    self._submit(batch)
                if not self._under_way:
                    return
                future = self._next(ordered=ordered)
                try:
                    found = future.result()
                except (BrokenExecutor, CancelledError) as broken:
                    self._renew(broken)
                    continue
                self._losses = 0
                del self._under_way[future]
                yield from found
        finally:
            for future in self._under_way:
                future.cancel()
            if self._make is not None and isinstance(self._pool, Executor):
                self._pool.shutdown(wait=True)

    def _next(self, *, ordered: bool) -> Future[list[_Result]]:
        if not ordered:
            done = wait(self._under_way, return_when=FIRST_COMPLETED).done
            return next(future for future in self._under_way if future in done)
        return next(iter(self._under_way))

    def _submit(self, batch: tuple[_Input, ...]) -> None:
        while True:
            try:
                with _deaf_to_the_keyboard():  # as the processes are that begin here
                    if self._pool is None and self._make is not None:
                        self._pool = self._make()
                        if not hasattr(self._pool, "submit"):
                            raise BadArgument(self._pool, "an executor, or what makes one, has submit")
                    if self._pool is not None:
                        self._under_way[self._pool.submit(_apply, self._function, batch)] = batch
                return
            except BrokenExecutor as broken:  # it broke while nobody was looking
                self._renew(broken)

    def _renew(self, broken: BrokenExecutor | CancelledError) -> None:
        """Run what is not finished again on a new pool, if there can be one."""
        self._losses += 1
        if self._make is None:
            rule = "the workers are gone, and nobody makes new ones"
            raise WorkersLost(str(broken) or type(broken).__name__, rule, "start again") from broken
        if self._losses > MOST_LOSSES:
            raise WorkersLost(
                self._losses,
                "so often in a row the workers ended before anything was finished",
                "see whether something kills them, such as a limit on memory, or take fewer workers",
            ) from broken
        if self._pool is not None:
            self._pool.shutdown(wait=True)
        self._pool = None
        before, self._under_way = self._under_way, {}
        for future, batch in before.items():
            lost = future.cancelled() or isinstance(future.exception(), BrokenExecutor)
            if lost:
                self._submit(batch)
            else:
                self._under_way[future] = batch


@contextmanager
def _deaf_to_the_keyboard() -> Iterator[None]:
    """Hold back an interruption from the keyboard until the end; a process that begins meanwhile never hears one."""
    if not hasattr(signal, "pthread_sigmask"):  # a system without it
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _apply(function: Callable[[_Input], _Result], batch: tuple[_Input, ...]) -> list[_Result]:
    return [function(item) for item in batch]


def _batched(inputs: Iterable[_Input], size: int) -> Iterator[tuple[_Input, ...]]:
    """Do what itertools.batched does, which Python 3.11 lacks."""
    iterator = iter(inputs)
    while batch := tuple(itertools.islice(iterator, size)):
        yield batch
