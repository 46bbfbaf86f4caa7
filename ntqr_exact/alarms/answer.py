"""`Answer`: whether there is a safe key."""

from __future__ import annotations

from enum import Enum


class Answer(Enum):
    """Whether there is a safe key."""

    POSSIBLE = "keys under which each group is safe are given"
    IMPOSSIBLE = "no key is safe, and a proof is given"
    UNDECIDED = "neither a safe key nor a proof was found within the stated number of programs"
