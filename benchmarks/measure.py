"""One measured ratio: our time over a peer's, both the least of several runs taken in turn."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ratio:
    """What was measured: our seconds (or bytes), the peer's, and the largest ratio that we allow ourselves."""

    name: str
    peer: str
    ours: float
    theirs: float
    limit: float
    is_memory: bool = False
    tolerance: float = 2

    @property
    def value(self) -> float:
        """How many times the peer's time we take."""
        return self.ours / self.theirs

    @property
    def holds(self) -> bool:
        return self.value <= self.limit

    @property
    def holds_nearly(self) -> bool:
        """Whether the limit is missed by no more than `tolerance` times, as a busy machine may do.

        That is twice where one side is a single short run or another process. Where both sides are the least of
        seven or more runs in turn, what differs from run to run is below a fifth: that much is noise, and no more.
        """
        return self.value <= self.tolerance * self.limit


def compare(
    name: str,
    peer: str,
    *,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    limit: float,
    repeats: int = 3,
    our_repeats: int = 1,
    clock: Callable[[], float] = time.process_time,
    tolerance: float = 2,
) -> Ratio:
    """Run both in turn, so that a busy moment of the machine does not fall on one side alone.

    `our_repeats` runs of ours go with each of theirs, where one of ours would be too short to trust. The clock
    is that of the processor, because a busy machine lengthens a run of seconds more than one of microseconds;
    what runs in other threads or processes is measured by `time.perf_counter`.
    """
    our_best = their_best = float("inf")
    for _ in range(repeats):
        their_best = min(their_best, seconds(theirs, clock))
        our_best = min(our_best, *[seconds(ours, clock) for _ in range(our_repeats)])
    return Ratio(name, peer, our_best, their_best, limit, tolerance=tolerance)


def seconds(function: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    start = clock()
    function()
    return clock() - start
