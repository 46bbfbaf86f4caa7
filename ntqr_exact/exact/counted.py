"""Counts in words: the noun is in the singular where there is one."""

from __future__ import annotations

from ntqr_exact.exact.value_text import shown


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, which takes an s unless the count is 1.

    >>> counted(1, "question"), counted(0, "judge"), counted(12, "label")
    ('1 question', '0 judges', '12 labels')
    """
    return f"{count} {noun}" if count == 1 else f"{shown(count)} {noun}s"
