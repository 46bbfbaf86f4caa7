"""The three answers of a decision."""

from __future__ import annotations

from enum import StrEnum


class Answer(StrEnum):
    """Yes, no, or undecided within the budget: undecided is never a guess."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"
