"""What a set answers about an evaluation: yes with a witness, or no with the reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from gmpy2 import mpq

from ntqr_exact.answer import Answer
from ntqr_exact.citation import Citation
from ntqr_exact.exact.surd import Surd
from ntqr_exact.votes.labeled import LabeledVoteCounts


@dataclass(frozen=True, slots=True)
class Breach:
    """One postulate that an evaluation breaks; `residual` is by how much the sides of the postulate differ."""

    postulate: str
    residual: mpq | Surd
    citation: Citation

    def __str__(self) -> str:
        """Return the reason in one line."""
        return f"{self.postulate} fails by {self.residual} ({self.citation})"


@dataclass(frozen=True, slots=True)
class Accepted:
    """Yes: the evaluation belongs to the set, and `witness` is a group evaluation that shows it."""

    answer: ClassVar[Answer] = Answer.YES
    witness: LabeledVoteCounts

    def __bool__(self) -> bool:
        """Be true, so that a verdict can be used as a condition."""
        return True

    def __str__(self) -> str:
        """Return the answer in words."""
        return "yes: there is an answer key with this evaluation"


@dataclass(frozen=True, slots=True)
class Refused:
    """No: the evaluation breaks at least one postulate; all broken ones of the simplest kind are given."""

    answer: ClassVar[Answer] = Answer.NO
    breaches: tuple[Breach, ...]

    def __bool__(self) -> bool:
        """Be false, so that a verdict can be used as a condition."""
        return False

    def __str__(self) -> str:
        """Return the answer and its reasons, one in a line."""
        return "\n".join(["no:", *(f"  {breach}" for breach in self.breaches)])


Verdict: TypeAlias = "Accepted | Refused"
