"""`sweep`: the same function over many inputs, on any executor, results in the order of the inputs.

>>> list(sweep(abs, [-2, 3, -5]))
[2, 3, 5]

The inputs may be endless or larger than memory: only a few chunks are under way at a time. The function and its
inputs travel to other processes, so both must be picklable where the executor is not this process.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import TypeVar

from ntqr_exact.errors import BadArgument, BadNumber, WorkersLost

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

    `chunk` inputs are sent together. Any `concurrent.futures.Executor` will do: a thread or process pool, loky's,
    or that of a dask cluster (`client.get_executor()`). Nothing runs before the first result is requested; if the
    caller stops, what has not begun is cancelled.

    Raises `BadNumber` for a chunk below 1, `BadArgument` for what is not an executor, and `WorkersLost` where a pool
    breaks or a cluster is gone.
    """
    if chunk < 1:
        raise BadNumber(chunk, "chunk must be >= 1")
    if executor is None:
        return _here(function, inputs)
    if not hasattr(executor, "submit"):
        raise BadArgument(executor, "executor must have submit")
    return _away(function, _batched(inputs, chunk), executor)


def _here(function: Callable[[_Input], _Result], inputs: Iterable[_Input]) -> Generator[_Result, None, None]:
    yield from map(function, inputs)


def _away(
    function: Callable[[_Input], _Result], batches: Iterator[tuple[_Input, ...]], executor: Executor
) -> Generator[_Result, None, None]:
    under_way: deque[Future[list[_Result]]] = deque()
    try:
        while True:
            for batch in itertools.islice(batches, _CHUNKS_UNDER_WAY - len(under_way)):
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


def _apply(function: Callable[[_Input], _Result], batch: tuple[_Input, ...]) -> list[_Result]:
    return [function(item) for item in batch]


def _batched(inputs: Iterable[_Input], size: int) -> Iterator[tuple[_Input, ...]]:
    """Do what itertools.batched does, which Python 3.11 lacks."""
    iterator = iter(inputs)
    while batch := tuple(itertools.islice(iterator, size)):
        yield batch
