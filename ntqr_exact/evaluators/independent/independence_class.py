"""Seven classes of the votes of three judges between two labels, by what independent errors make of them.

The classes exclude each other and leave nothing out: the first that fits, from UNIDENTIFIED down, is the class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from functools import cache

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

TRIO_ALARMS = (
    AlarmKind.NEGATIVE_PRODUCT,
    AlarmKind.IMAGINARY,
    AlarmKind.IRRATIONAL,
    AlarmKind.NO_ROOT,
    AlarmKind.CONTRADICTION,
    AlarmKind.OUT_OF_RANGE,
    AlarmKind.NOT_WHOLE,
)
"""The kinds of alarm that three judges between two labels can raise; the place of each is its bit in a mask."""


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


def alarm_mask(kinds: Iterable[AlarmKind]) -> int:
    """Return the kinds of alarm as a number with a bit for each of `TRIO_ALARMS`.

    >>> alarm_mask([AlarmKind.IMAGINARY, AlarmKind.NEGATIVE_PRODUCT])
    3
    """
    return sum(1 << TRIO_ALARMS.index(kind) for kind in set(kinds))


def alarms_of_mask(mask: int) -> tuple[AlarmKind, ...]:
    """Return the kinds of alarm whose bits are set.

    >>> [kind.title for kind in alarms_of_mask(3)]
    ['negative product', 'imaginary']
    """
    return tuple(kind for bit, kind in enumerate(TRIO_ALARMS) if mask >> bit & 1)


@cache
def possible_masks() -> Mapping[int, frozenset[int]]:
    """Return for each class, by its code, the masks of the alarms that votes of it can raise.

    A = T² + 4Π: both A < 0 and A = 0 ≠ Π need Π < 0. If Π < 0 < A, the shares are not between 0 and 1. Where a Δ
    vanishes, there is a family without an alarm, or a contradiction and no more.

    >>> possible_masks()[IndependenceClass.IMAGINARY] == {alarm_mask([AlarmKind.NEGATIVE_PRODUCT, AlarmKind.IMAGINARY])}
    True
    """
    negative, imaginary, irrational, no_root, contradiction, outside, not_whole = (
        1 << bit for bit in range(len(TRIO_ALARMS))
    )
    far = {outside, negative | outside}
    return {
        IndependenceClass.INDEPENDENT: frozenset({0}),
        IndependenceClass.NOT_WHOLE: frozenset({not_whole}),
        IndependenceClass.OUT_OF_RANGE: frozenset({*far, *(not_whole | mask for mask in far)}),
        IndependenceClass.IRRATIONAL: frozenset({irrational, *(irrational | mask for mask in far)}),
        IndependenceClass.IMAGINARY: frozenset({negative | imaginary}),
        IndependenceClass.CONTRADICTORY: frozenset({contradiction, negative | no_root}),
        IndependenceClass.UNIDENTIFIED: frozenset({0}),
    }
