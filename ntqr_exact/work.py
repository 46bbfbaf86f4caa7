"""How much work is too much: it is estimated before it begins, and refused above a limit that can be raised.

A step is about a microsecond. What would take more than `LIMIT` of them is refused with its size, the limit and the
way to raise it; nothing small ever asks. Where only the work itself tells how long it takes, it is counted as it
goes: a command has one account, and what would overdraw it ends there, after the same step on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ntqr_exact.errors import BadNumber, NotANumber, TooMuchWork

LIMIT = 10_000_000
"""The default limit in steps, some ten seconds; `work_limit` and `--work-limit` raise it."""


class _Account:
    """The steps that a command has taken so far."""

    __slots__ = ("spent",)

    def __init__(self) -> None:
        self.spent = 0


_account: ContextVar[_Account | None] = ContextVar("work_account", default=None)
_limit: ContextVar[int | None] = ContextVar("work_limit", default=LIMIT)


@contextmanager
def work_limit(steps: int | None) -> Iterator[None]:
    """Let work of up to this many steps begin inside; `None` lifts the limit.

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


@contextmanager
def accounted() -> Iterator[None]:
    """Hold the steps that are taken inside to one limit, all together.

    >>> with work_limit(10), accounted():
    ...     spend("two sums", 8)
    ...     spend("two sums", 8)
    Traceback (most recent call last):
    ntqr_exact.errors.TooMuchWork: 'two sums': all this takes more steps than the limit of 10; \
raise it: with work_limit(100), or --work-limit 100 on the command line
    """
    before = _account.set(_Account())
    try:
        yield
    finally:
        _account.reset(before)


def spend(what: str, steps: int) -> None:
    """Count steps that are about to be taken; raises `TooMuchWork` where an account would be overdrawn by them."""
    account, limit = _account.get(), _limit.get()
    if account is None or limit is None:
        return
    if account.spent + steps > limit:
        rule = f"all this takes more steps than the limit of {limit}"
        raise TooMuchWork(what, rule, _raising_to(10 * limit))
    account.spent += steps


def check_work(what: str, steps: int) -> None:
    """Refuse work that is estimated at more steps than may begin; raises `TooMuchWork`."""
    limit = _limit.get()
    if limit is None or steps <= limit:
        return
    is_hopeless = steps.bit_length() > 64
    size = f"2^{steps.bit_length() - 1}" if is_hopeless else str(steps)
    remedy = "make it smaller" if is_hopeless else _raising_to(steps)
    raise TooMuchWork(what, f"this takes about {size} steps, more than the limit of {limit}", remedy)


def _raising_to(steps: int) -> str:
    return f"raise it: with work_limit({steps}), or --work-limit {steps} on the command line"
