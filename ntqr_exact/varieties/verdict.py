"""What a set answers when asked about an evaluation: yes with a witness, or no with the reasons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.exact.surd import Surd
from ntqr_exact.votes.labeled import LabeledVoteCounts


class Membership(Enum):
    """The two answers of a set; what no method reaches raises `NotSupported` instead."""

    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Breach:
    """One postulate that an evaluation breaks, and by how much.

    `residual` is what is left when the one side of the postulate is taken from the other; for an
    inequality, how far it is missed.
    """

    postulate: str
    residual: mpq | Surd
    citation: Citation

    def __str__(self) -> str:
        """Return the reason in one line.

        >>> print(Breach("R_a = R^a_a + R^b_a for judge 'J1'", mpq(-2), Citation("ntqr", "eq. 11")))
        R_a = R^a_a + R^b_a for judge 'J1' fails by -2 (Corrada-Emmanuel 2023, eq. 11)
        """
        return f"{self.postulate} fails by {self.residual} ({self.citation})"


@dataclass(frozen=True, slots=True)
class Accepted:
    """Yes: the evaluation belongs to the set, and `witness` is a group evaluation that shows it."""

    witness: LabeledVoteCounts

    @property
    def answer(self) -> Membership:
        """Always yes."""
        return Membership.YES

    def __bool__(self) -> bool:
        """Be true, so that a verdict can stand in a condition."""
        return True

    def __str__(self) -> str:
        """Return the answer in words."""
        return "yes: there is an answer key with this evaluation"


@dataclass(frozen=True, slots=True)
class Refused:
    """No: the evaluation breaks at least one postulate; all broken ones of the simplest kind are given."""

    breaches: tuple[Breach, ...]

    @property
    def answer(self) -> Membership:
        """Always no."""
        return Membership.NO

    def __bool__(self) -> bool:
        """Be false, so that a verdict can stand in a condition."""
        return False

    def __str__(self) -> str:
        """Return the answer and its reasons, one in a line."""
        return "\n".join(["no:", *(f"  {breach}" for breach in self.breaches)])


Verdict: TypeAlias = "Accepted | Refused"
