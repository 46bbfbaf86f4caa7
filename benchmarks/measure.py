"""One measured ratio: our time over a peer's, both the least of several runs taken in turn."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ratio:
    """What was measured: our seconds, the peer's, and the largest ratio that we allow ourselves."""

    name: str
    peer: str
    ours: float
    theirs: float
    limit: float

    @property
    def value(self) -> float:
        """How many times the peer's time we take."""
        return self.ours / self.theirs

    @property
    def holds(self) -> bool:
        return self.value <= self.limit


def compare(
    name: str,
    peer: str,
    *,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    limit: float,
    repeats: int = 3,
) -> Ratio:
    """Run both in turn, so that a busy moment of the machine does not fall on one side alone."""
    our_best = their_best = float("inf")
    for _ in range(repeats):
        our_best = min(our_best, seconds(ours))
        their_best = min(their_best, seconds(theirs))
    return Ratio(name, peer, our_best, their_best, limit)


def seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
