"""A budget of work for a search: steps that are counted, and a clear end where they are used up."""

from __future__ import annotations


class OutOfWork(Exception):
    """The budget is used up; what was searched for is neither found nor excluded."""


class WorkBudget:
    """Steps that may still be taken.

    >>> work = WorkBudget(1)
    >>> work.spend()
    >>> work.spent
    1
    """

    __slots__ = ("allowed", "spent")

    def __init__(self, allowed: int) -> None:
        """Start with all of the budget left."""
        self.allowed = allowed
        self.spent = 0

    def spend(self) -> None:
        """Take a step; raises `OutOfWork` when no more are allowed."""
        if self.spent >= self.allowed:
            raise OutOfWork
        self.spent += 1
