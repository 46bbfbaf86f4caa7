"""Decisions about a difference, and the questions that a comparison answers."""

from __future__ import annotations

from ntqr_exact.significance.comparison import READINGS
from ntqr_exact.significance.interval import Decision
from ntqr_exact.vectors.fragments import TEXT, Fragment, described, one_of

TEXTBOOK = "49/25"
"""The critical value 1.96."""
DECISION: Fragment = one_of("lower", "higher", "not-shown")
ENDS_INPUT: Fragment = described(TEXT, "open or closed: whether the ends belong to the interval")
READING_KEYS = {f"{reading.value}/{centre.value}": (reading, centre) for reading, centre in READINGS}
"""The seven questions of a comparison: a reading of the variance, and the difference it stands around."""


def decision_word(decision: Decision) -> str:
    """Return the word that stands for a decision in a file of vectors."""
    return decision.name.lower().replace("_", "-")
