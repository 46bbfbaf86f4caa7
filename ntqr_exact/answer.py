"""The three answers of a decision."""

from __future__ import annotations

from enum import Enum


class Answer(Enum):
    """Yes, no, or undecided within the budget: undecided is never a guess."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"

    def __str__(self) -> str:
        return self.value
