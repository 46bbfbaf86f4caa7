"""`Finding`: what a check has found, and the verdict that follows from it.

A finding is not made by hand: the functions in `judgement` compute its verdict from values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Verdict(Enum):
    """How a claim stands."""

    HOLDS = "holds"
    POSSIBLE = "possible"
    MISPRINT = "misprint"
    COMPUTATION = "computation"
    WRONG = "wrong"
    DEPENDS = "depends"
    NOT_CHECKABLE = "not checkable"
    REMARK = "remark"


DEVIATIONS = (Verdict.MISPRINT, Verdict.COMPUTATION, Verdict.WRONG, Verdict.DEPENDS)
"""The verdicts that say that something is not as printed, or not in every reading."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a claim, and how the claim stands if it is understood so."""

    name: str
    verdict: Verdict
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict with the exact evidence that decides it.

    `right` is the right value, formula or statement where the printed one is not; `arose` is how the printed one
    came about, if that can be shown; `proof` is a document for the independent checker (a derivation), if there
    is one.
    """

    verdict: Verdict
    evidence: tuple[str, ...]
    right: str = ""
    arose: str = ""
    readings: tuple[Reading, ...] = ()
    proof: Mapping[str, Any] | None = field(default=None, compare=False)
