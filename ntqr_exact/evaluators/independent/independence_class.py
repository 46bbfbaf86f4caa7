"""Seven classes of the votes of three judges between two labels, by what independent errors make of them.

The classes exclude each other and leave nothing out: the first that fits, from UNIDENTIFIED down, is the class.
"""

from __future__ import annotations

from enum import IntEnum

from ntqr_exact.alarms.alarm import AlarmKind
from ntqr_exact.evaluators.independent.independent_solution import Identification, IndependentSolution


class IndependenceClass(IntEnum):
    """What votes are, if the judges erred independently; the number is the code in arrays.

    An answer key under which the errors are independent exists just for INDEPENDENT and UNIDENTIFIED votes. For the
    latter, let Δ_ik = Δ_jk = T = 0: then judge k is independent of i and j together, since every centred moment with
    k in it vanishes. The answers of judge i, taken as the key, leave judge i constant on each label, and k
    independent of j. (Where Δ_ij vanishes as well, a key of one label will do.)
    """

    INDEPENDENT = 0
    NOT_WHOLE = 1
    OUT_OF_RANGE = 2
    IRRATIONAL = 3
    IMAGINARY = 4
    CONTRADICTORY = 5
    UNIDENTIFIED = 6

    @property
    def title(self) -> str:
        """The name in words."""
        return self.name.lower().replace("_", " ")

    @property
    def meaning(self) -> str:
        """What exactly puts votes into the class."""
        return _MEANING[self]


_MEANING = {
    IndependenceClass.INDEPENDENT: "no Δ vanishes, √A is rational, the rates are in range, all counts whole: a key",
    IndependenceClass.NOT_WHOLE: "√A is rational, the rates are in range, but a count of questions is not whole",
    IndependenceClass.OUT_OF_RANGE: "√A is rational and not 0, but a rate or a share is not between 0 and 1",
    IndependenceClass.IRRATIONAL: "no Δ vanishes, A > 0 is not the square of a rational",
    IndependenceClass.IMAGINARY: "no Δ vanishes, A < 0",
    IndependenceClass.CONTRADICTORY: "no evaluation at all: one Δ vanishes alone, or some beside T ≠ 0, or A = 0 ≠ Π",
    IndependenceClass.UNIDENTIFIED: "two or three Δ vanish, and T: a family of evaluations",
}


def independence_class(solution: IndependentSolution) -> IndependenceClass:
    """Return the class of votes that have been solved.

    >>> from ntqr_exact import VoteCounts, solve_independent
    >>> independence_class(solve_independent(VoteCounts({"aab": 1, "aba": 1, "baa": 1, "bbb": 3}))).title
    'irrational'
    """
    match solution.identification:
        case Identification.FAMILY:
            return IndependenceClass.UNIDENTIFIED
        case Identification.NONE:
            return IndependenceClass.CONTRADICTORY
    kinds = {alarm.kind for alarm in solution.alarms}
    for kind in (AlarmKind.IMAGINARY, AlarmKind.IRRATIONAL, AlarmKind.OUT_OF_RANGE, AlarmKind.NOT_WHOLE):
        if kind in kinds:
            return IndependenceClass[kind.name]
    return IndependenceClass.INDEPENDENT
