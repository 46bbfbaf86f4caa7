"""One measured ratio: our time over a peer's, both the least of several runs taken in turn."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from math import log


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


@dataclass(frozen=True, slots=True)
class Point:
    """One size: the seconds it took and the most memory that Python and numpy held for it."""

    size: int
    seconds: float
    memory: int
    formula: float


@dataclass(frozen=True, slots=True)
class Growth:
    """How the cost of an operation grows: a formula, measured points, and what is feasible."""

    name: str
    variable: str
    formula: str
    points: tuple[Point, ...]
    one_machine: str
    cluster: str
    not_at_all: str

    @property
    def exponent(self) -> float:
        """The slope of log time over log size, by least squares."""
        return _slope([(point.size, point.seconds) for point in self.points])

    @property
    def formula_exponent(self) -> float:
        """The same slope of the formula, at the same sizes."""
        return _slope([(point.size, point.formula) for point in self.points])

    @property
    def memory_exponent(self) -> float:
        return _slope([(point.size, point.memory) for point in self.points])


def measure_growth(
    name: str,
    variable: str,
    formula: str,
    *,
    sizes: tuple[int, ...],
    prepare: Callable[[int], Callable[[], object]],
    predicted: Callable[[int], float],
    one_machine: str,
    cluster: str,
    not_at_all: str,
    repeats: int = 3,
) -> Growth:
    """Measure time first, and memory in a run of its own, because watching memory takes time."""
    points = []
    for size in sizes:
        run = prepare(size)
        run()
        best = min(_per_run(run) for _ in range(repeats))
        tracemalloc.start()
        run()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        points.append(Point(size, best, max(peak, 1), predicted(size)))
    return Growth(name, variable, formula, tuple(points), one_machine, cluster, not_at_all)


def _per_run(run: Callable[[], object]) -> float:
    """Return the seconds of one run; a short one is run often enough for the clock to see it."""
    times, total = 0, 0.0
    while total < 0.02:
        total += seconds(run)
        times += 1
    return total / times


def _slope(pairs: list[tuple[float, float]]) -> float:
    xs, ys = [log(x) for x, _ in pairs], [log(y) for _, y in pairs]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - x_mean) ** 2 for x in xs)
    return sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True)) / spread
