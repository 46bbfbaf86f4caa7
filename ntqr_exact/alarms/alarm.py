"""An alarm as a value: what cannot be, in words, with the numbers that prove it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeAlias

from gmpy2 import mpq, mpz

from ntqr_exact.exact.surd import Surd
from ntqr_exact.frozen_mapping import FrozenMapping

ProofValue: TypeAlias = "mpq | mpz | Surd | int | str"


class AlarmKind(Enum):
    """What an alarm proves, each with its meaning."""

    NEGATIVE_PRODUCT = "the product of the pair moments is negative, which independent errors never give"
    IMAGINARY = "a square root that must be real is imaginary"
    IRRATIONAL = "a square root that must be rational is not: shares of a finite test are rational"
    NO_ROOT = "the prevalence quadratic has a zero leading coefficient and no root"
    CONTRADICTION = "some moments vanish that independent errors make vanish only together with others"
    OUT_OF_RANGE = "a rate is not between 0 and 1"
    NOT_WHOLE = "a count of questions is not a whole number, so there is no answer key"
    NOT_COMMUTING = "the response matrices do not commute, which independent errors make them"
    COMPLEX_ROOTS = "a characteristic polynomial has roots that are not real"
    IRRATIONAL_ROOTS = (
        "a characteristic polynomial has irrational roots, but rates of a finite test are rational"
    )
    NOT_DIAGONALISABLE = "a response matrix has too few eigenvectors"
    ZERO_PREVALENCE = "a label would have no questions"
    NOT_REPRODUCED = "independent errors with these rates do not give the votes that were seen"

    @property
    def title(self) -> str:
        """The name in words."""
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class Alarm:
    """One proof that the judges did not err independently, or that no answer key shows it."""

    kind: AlarmKind
    words: str
    proof: Mapping[str, ProofValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "proof", FrozenMapping(self.proof))

    def __str__(self) -> str:
        return f"{self.kind.title}: {self.words}"

    def to_document(self) -> dict[str, Any]:
        """Return the alarm as a JSON document."""
        proof = {name: mpq(value) if isinstance(value, mpz) else value for name, value in self.proof.items()}
        kind = {"kind": self.kind.name.lower(), "meaning": self.kind.value}
        return {**kind, "words": self.words, "proof": proof}


def alarm_lines(alarms: Iterable[Alarm]) -> Iterator[str]:
    """Yield one line for each kind of alarm: the first of it in words, and how many more there are."""
    by_kind: dict[AlarmKind, list[Alarm]] = {}
    for alarm in alarms:
        by_kind.setdefault(alarm.kind, []).append(alarm)
    for first, *others in by_kind.values():
        yield f"ALARM, {first}" + (f"; and {len(others)} more" if others else "")
