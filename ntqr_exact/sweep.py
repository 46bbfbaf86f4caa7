"""`sweep`: the same function over many inputs, on any executor, results in the order of the inputs.

>>> list(sweep(abs, [-2, 3, -5]))
[2, 3, 5]

The inputs may be endless or larger than memory: only a few chunks are under way at a time. The function and its
inputs travel to other processes, so both must be picklable where the executor is not this process.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import TypeVar

from ntqr_exact.errors import BadNumber

_Input = TypeVar("_Input")
_Result = TypeVar("_Result")

CHUNKS_UNDER_WAY = 16
"""How many chunks are submitted ahead of the one whose results are awaited: enough to keep workers busy."""


def sweep(
    function: Callable[[_Input], _Result],
    inputs: Iterable[_Input],
    *,
    executor: Executor | None = None,
    chunk: int = 1,
    ahead: int = CHUNKS_UNDER_WAY,
) -> Iterator[_Result]:
    """Yield function(input) for each input, in order, computed by the executor, or here if there is none.

    `chunk` inputs are sent together. Any `concurrent.futures.Executor` will do: a thread or process pool, loky's,
    or that of a dask cluster (`client.get_executor()`). Nothing runs before the first result is asked for; if the
    caller stops asking, what has not begun is cancelled.
    """
    for name, number in (("chunk", chunk), ("ahead", ahead)):
        if number < 1:
            raise BadNumber(number, f"{name} is at least 1")
    return _here(function, inputs) if executor is None else _away(function, inputs, executor, chunk, ahead)


def _here(function: Callable[[_Input], _Result], inputs: Iterable[_Input]) -> Iterator[_Result]:
    yield from map(function, inputs)


def _away(
    function: Callable[[_Input], _Result],
    inputs: Iterable[_Input],
    executor: Executor,
    chunk: int,
    ahead: int,
) -> Iterator[_Result]:
    under_way: deque[Future[list[_Result]]] = deque()
    try:
        for batch in _batched(inputs, chunk):
            under_way.append(executor.submit(_apply, function, batch))
            if len(under_way) >= ahead:
                yield from under_way.popleft().result()
        while under_way:
            yield from under_way.popleft().result()
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
