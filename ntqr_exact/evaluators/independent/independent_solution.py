"""What it means that judges err independently of each other: solutions, alarms and keys, as a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from itertools import chain, product
from math import prod
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.alarm import Alarm, AlarmKind, ProofValue, alarm_lines
from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Block, Bullets, Facts, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.evaluation import Evaluation, Rate, defined, rational_rate
from ntqr_exact.exact.json_text import fields_document
from ntqr_exact.exact.show import shown, with_decimal
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern


class Identification(Enum):
    """How much the votes say under the assumption of independent errors."""

    IDENTIFIED = "finitely many evaluations, equal up to the names of the labels"
    FAMILY = "not identified: a family of evaluations with free parameters"
    NONE = "no evaluation at all"


@dataclass(frozen=True, slots=True)
class TrioMoments:
    """The moments that decide: Δ for each pair, T, Π = Δ_12 Δ_13 Δ_23 and A = T² + 4Π."""

    pair: Mapping[tuple[int, int], mpq]
    trio: mpq
    pair_product: mpq
    discriminant: mpq


@dataclass(frozen=True, slots=True)
class PrevalenceQuadratic:
    """The polynomial leading·P² + linear·P + constant whose roots are the prevalences of the labels."""

    leading: mpq
    linear: mpq
    constant: mpq

    def __call__(self, prevalence: mpq) -> mpq:
        """Return the value at a prevalence."""
        return (self.leading * prevalence + self.linear) * prevalence + self.constant

    def __str__(self) -> str:
        return f"({self.leading})·P² + ({self.linear})·P + ({self.constant}) = 0"


_EXISTENCE = {
    Answer.YES: "there is an answer key under which the errors are independent",
    Answer.NO: "under no answer key are the errors independent",
    Answer.UNDECIDED: "the judges' rates are not identified, and no answer key was searched for",
}


@dataclass(frozen=True, slots=True)
class IndependentSolution(Value):
    """All that follows if the judges erred independently: evaluations, alarms, and keys if there are any.

    `existence` tells whether some answer key makes the errors independent: YES with `keys`, NO with `alarms` that
    prove it, UNDECIDED where the rates of four or more judges, or on three or more labels, are not identified; `ranks`
    then has the rank of the table of each pair of judges. `votes` are those on the questions that all judges answered.
    """

    votes: VoteCounts
    identification: Identification
    solutions: tuple[Evaluation, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    keys: tuple[LabeledVoteCounts, ...] = ()
    notes: tuple[str, ...] = ()
    moments: TrioMoments | None = None
    quadratic: PrevalenceQuadratic | None = None
    ranks: Mapping[tuple[int, int], int] = field(default_factory=FrozenMapping)

    @property
    def existence(self) -> Answer:
        """Whether some answer key makes the errors independent."""
        if self.keys:
            return Answer.YES
        return Answer.NO if self.alarms else Answer.UNDECIDED

    def likeliest_label(self, pattern: Pattern) -> str | None:
        """Return the label under which answers are likeliest, by the solution with the best judges; a gap is no factor.

        None if no label is possible, or if the solution has a rate that is not defined or not between 0 and 1.
        """
        if not self.solutions or {AlarmKind.IMAGINARY, AlarmKind.OUT_OF_RANGE} & {
            one.kind for one in self.alarms
        }:
            return None
        every: Any = [[*chain.from_iterable(by.values() for by in one.accuracy)] for one in self.solutions]
        if any(isinstance(rate, Undefined) for rates in every for rate in rates):
            return None
        best = self.solutions[max(range(len(every)), key=lambda index: sum(every[index], mpq(0)))]
        given = [
            (rates, answer) for rates, answer in zip(best.response_rates, pattern, strict=True) if answer
        ]
        chances: Any = {
            label: prod((defined(rates[label][answer]) for rates, answer in given), start=defined(share))
            for label, share in best.prevalence.items()
        }
        label = max(chances, key=lambda label: chances[label])
        return label if chances[label] else None

    def blocks(self) -> Iterator[Block]:
        """Yield the solution, exact values first, decimals next to them, the alarms, and the notes."""
        yield Sentence(
            f"If the {len(self.votes.judges)} judges erred independently: {self.identification.value}."
        )
        if self.quadratic is not None:
            yield Sentence(f"The shares P of the labels solve {self.quadratic}")
        is_mirrored = len(self.votes.labels) == 2
        for number, solution in enumerate(self.solutions[: 1 if is_mirrored else None], start=1):
            rows = [(f"share of {label}", rate_text(share)) for label, share in solution.prevalence.items()]
            for judge, right in zip(self.votes.judges, solution.accuracy, strict=True):
                rows += [
                    (f"judge {judge} right on {label}", rate_text(rate)) for label, rate in right.items()
                ]
            yield Facts(f"Solution {number}", tuple(rows))
        if is_mirrored and self.solutions:
            yield Sentence("Solution 2 is solution 1 with the labels swapped.")
        if self.alarms:
            yield Bullets(tuple(alarm_lines(self.alarms)))
        else:
            yield Sentence(f"{_EXISTENCE[self.existence]}.", "No alarm" if self.keys else "UNDECIDED")
        if self.notes:
            yield Bullets(self.notes)

    def to_document(self) -> dict[str, Any]:
        """Return the fields, and whether an independent key exists, as a JSON document."""
        answers = {
            "identification": self.identification.name.lower(),
            "independent_key": self.existence.value,
        }
        return {**fields_document(self), **answers}


def range_alarms(solutions: Iterable[Evaluation], votes: VoteCounts) -> Iterator[Alarm]:
    """Yield an alarm for each share and each judge and label with a rate that is not between 0 and 1."""
    for number, solution in enumerate(solutions, start=1):
        rates: list[tuple[str, dict[str, ProofValue], Rate]] = [
            (f"the share of {label}", {"label": label}, share)
            for label, share in solution.prevalence.items()
            if not _is_share(share)
        ]
        for judge, by_label in zip(votes.judges, solution.response_rates, strict=True):
            for label, row in by_label.items():
                # One alarm for a row; with two labels x is in range iff 1 − x is.
                answers = list(row.items())[: 1 if len(row) == 2 else None]
                for given, rate in [item for item in answers if not _is_share(item[1])][:1]:
                    which = f"the rate of answers {given} of {judge} on {label}"
                    rates.append((which, {"judge": judge, "label": label, "answer": given}, rate))
        for which, proof, rate in rates:
            message = f"in solution {number} {which} is {rate_text(rate)}"
            values = {"solution": number, **proof, "rate": defined(rate)}
            yield Alarm(AlarmKind.OUT_OF_RANGE, message, values)


def _is_share(rate: Rate) -> bool:
    return 0 <= defined(rate) <= 1


def joint_counts(
    votes: VoteCounts, solution: Evaluation, patterns: Iterable[Pattern]
) -> dict[str, dict[Pattern, mpq]]:
    """Return how many questions of each label get each pattern from independent judges of rational rates."""
    counts: dict[str, dict[Pattern, mpq]] = {label: {} for label in votes.labels}
    for pattern, (label, share) in product(patterns, solution.prevalence.items()):
        rates = zip(solution.response_rates, pattern, strict=True)
        right = (rational_rate(by_label[label][str(given)]) for by_label, given in rates)
        counts[label][pattern] = prod(right, start=votes.size * rational_rate(share))
    return counts


def not_whole_alarms(counts: Mapping[str, Mapping[Pattern, mpq]]) -> Iterator[Alarm]:
    """Yield an alarm for each label and pattern whose count in the answer key is not a whole number."""
    for label, by_pattern in counts.items():
        for pattern, count in by_pattern.items():
            if count.denominator != 1:
                answers = ", ".join(map(str, pattern))
                message = (
                    f"the number of questions of {label} with the answers {answers} would be {shown(count)}"
                )
                proof: dict[str, ProofValue] = {"label": label, "pattern": answers, "count": count}
                yield Alarm(AlarmKind.NOT_WHOLE, message, proof)


def key_from_rates(votes: VoteCounts, solution: Evaluation) -> LabeledVoteCounts:
    """Return the answer key, in counts, of a solution whose counts are all whole numbers."""
    parts = joint_counts(votes, solution, votes.counts)
    return LabeledVoteCounts(
        {label: VoteCounts(counts, votes.labels, votes.judges) for label, counts in parts.items()}
    )


def rate_text(rate: Rate) -> str:
    """Return a rate with its decimal, or why it has none."""
    if isinstance(rate, Undefined):
        return rate.value
    if isinstance(rate, Surd) and not rate.is_real:
        return f"{rate} (imaginary)"
    return with_decimal(rate) + ("" if 0 <= rate <= 1 else " (outside 0 to 1)")


class IndependenceClass(IntEnum):
    """What votes are, if the judges erred independently; just INDEPENDENT and UNIDENTIFIED votes have such a key."""

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
