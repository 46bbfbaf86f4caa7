"""How much work is too much: `Budget` counts steps, and `work_limit` sets the limit for everything inside.

A step is about a microsecond. Work that can be estimated is refused before it starts (`check_work`); a search counts
its steps as it goes (`Budget.spend`), so it stops after the same step on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

from ntqr_exact.errors import BadNumber, NotANumber, TooMuchWork

LIMIT = 10_000_000
"""The default limit in steps, about ten seconds; `work_limit` and `--work-limit` raise it."""


class Budget:
    """Steps that a computation may take; `None` is unlimited.

    >>> budget = Budget(10)
    >>> budget.spend(8)
    >>> budget.spend(8, "two sums")
    Traceback (most recent call last):
    ntqr_exact.errors.TooMuchWork: 'two sums': takes more than the limit of 10 steps; \
raise it: with work_limit(100), or --work-limit 100 on the command line
    """

    __slots__ = ("limit", "spent")

    def __init__(self, limit: int | None = LIMIT) -> None:
        if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool)):
            raise NotANumber(limit, "a work limit must be a whole number of steps, or None")
        if limit is not None and limit < 0:
            raise BadNumber(limit, "a work limit must be >= 0")
        self.limit, self.spent = limit, 0

    def spend(self, steps: int = 1, what: str = "this search") -> None:
        """Count steps that are about to be taken; raises `TooMuchWork` if they exceed the limit."""
        self.spent += steps
        if self.limit is not None and self.spent > self.limit:
            rule = f"takes more than the limit of {self.limit} steps"
            raise TooMuchWork(what, rule, _remedy(10 * self.limit))


_current: ContextVar[tuple[Budget, bool]] = ContextVar("budget", default=(Budget(), False))
"""The budget of the work inside, and whether all computations share it; else its limit holds for each of them."""


@contextmanager
def work_limit(steps: int | None, *, shared: bool = False) -> Iterator[Budget]:
    """Allow work of up to this many steps inside, for each computation or `shared` by all; `None` lifts the limit."""
    before = _current.set((budget := Budget(steps), shared))
    try:
        yield budget
    finally:
        _current.reset(before)


def accounted(parts: int = 1) -> AbstractContextManager[Budget]:
    """Hold the work inside to one budget of its own: the current limit divided into `parts`."""
    limit = _current.get()[0].limit
    return work_limit(limit and limit // parts, shared=True)


def spend(what: str, steps: int) -> None:
    """Count steps on the budget of the surrounding `accounted()`, if there is one."""
    budget, shared = _current.get()
    if shared:
        budget.spend(steps, what)


def check_work(what: str, steps: int) -> None:
    """Refuse work that is estimated at more steps than the limit; raises `TooMuchWork`."""
    limit = _current.get()[0].limit
    if limit is not None and steps > limit:
        size, remedy = str(steps), _remedy(steps)
        if steps.bit_length() > 64:
            size, remedy = f"2^{steps.bit_length() - 1}", "make it smaller"
        raise TooMuchWork(what, f"takes about {size} steps, more than the limit of {limit}", remedy)


def _remedy(steps: int) -> str:
    return f"raise it: with work_limit({steps}), or --work-limit {steps} on the command line"
