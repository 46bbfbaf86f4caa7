"""How much work is too much: it is estimated before it begins, and refused above a limit that can be raised.

A step is about a microsecond. What would take more than `LIMIT` of them is refused with its size, the limit and the
way to raise it; nothing small ever asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ntqr_exact.errors import BadNumber, NotANumber, TooMuchWork

LIMIT = 10_000_000
"""The default limit in steps, some ten seconds; `work_limit` and `--work-limit` raise it."""

_limit: ContextVar[int | None] = ContextVar("work_limit", default=LIMIT)


@contextmanager
def work_limit(steps: int | None) -> Iterator[None]:
    """Let work of up to so many steps begin inside; `None` lifts the limit.

    >>> with work_limit(10):
    ...     check_work("a sum of 100 numbers", 100)
    Traceback (most recent call last):
    ntqr_exact.errors.TooMuchWork: 'a sum of 100 numbers': this takes about 100 steps, more than the limit of 10; \
raise it: with work_limit(100), or --work-limit 100 on the command line
    """
    if steps is not None:
        if not isinstance(steps, int) or isinstance(steps, bool):
            raise NotANumber(steps, "a limit of work is a whole number of steps, or None")
        if steps < 0:
            raise BadNumber(steps, "a limit of work is not negative")
    before = _limit.set(steps)
    try:
        yield
    finally:
        _limit.reset(before)


def check_work(what: str, steps: int) -> None:
    """Refuse work that is estimated at more steps than may begin; raises `TooMuchWork`."""
    limit = _limit.get()
    if limit is None or steps <= limit:
        return
    if steps.bit_length() > 64:
        size, remedy = f"2^{steps.bit_length() - 1}", "make it smaller"
    else:
        size = str(steps)
        remedy = f"raise it: with work_limit({size}), or --work-limit {size} on the command line"
    raise TooMuchWork(what, f"this takes about {size} steps, more than the limit of {limit}", remedy)
