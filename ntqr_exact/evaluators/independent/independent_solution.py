"""What it means that judges err independently of each other: solutions, alarms and keys, as a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from gmpy2 import mpq

from ntqr_exact.alarms.alarm import Alarm, AlarmKind, ProofValue, alarm_lines
from ntqr_exact.errors import Undecided
from ntqr_exact.evaluation import Evaluation, Rate, defined, rational_rate
from ntqr_exact.evaluators.independent.coq_votes import votes_to_coq
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.exact.value_text import shown, with_decimal
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern


class Identification(Enum):
    """How much the votes say under the assumption of independent errors."""

    IDENTIFIED = "finitely many evaluations, equal up to the names of the labels"
    FAMILY = "a family of evaluations with free parameters"
    NONE = "no evaluation at all"


class KeyExistence(Enum):
    """Whether some answer key makes the errors independent."""

    EXISTS = "there is an answer key under which the errors are independent"
    NONE = "there is no answer key under which the errors are independent"
    UNDECIDED = "whether there is an answer key under which the errors are independent is undecided"


@dataclass(frozen=True, slots=True)
class TrioMoments:
    """The moments that decide: Δ for each pair, T, Π = Δ_12 Δ_13 Δ_23 and A = T² + 4Π."""

    pair: Mapping[tuple[int, int], mpq]
    trio: mpq
    pair_product: mpq
    discriminant: mpq

    def __post_init__(self) -> None:
        """Freeze the pair moments."""
        object.__setattr__(self, "pair", FrozenMapping(self.pair))


@dataclass(frozen=True, slots=True)
class PrevalenceQuadratic:
    """The polynomial leading·P² + linear·P + constant whose roots are the prevalences of the labels.

    >>> PrevalenceQuadratic(mpq(1), mpq(-1), mpq(1, 4))(mpq(1, 2))
    mpq(0,1)
    """

    leading: mpq
    linear: mpq
    constant: mpq

    def __call__(self, prevalence: mpq) -> mpq:
        """Return the value at a prevalence."""
        return (self.leading * prevalence + self.linear) * prevalence + self.constant

    def __str__(self) -> str:
        """Return the equation."""
        return f"({self.leading})·P² + ({self.linear})·P + ({self.constant}) = 0"

    def latex(self) -> str:
        r"""Return the equation in LaTeX."""
        a, b, c = (Surd(value).latex() for value in (self.leading, self.linear, self.constant))
        return rf"{a}\,P^2 + \left({b}\right) P + {c} = 0"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"


@dataclass(frozen=True, slots=True)
class IndependentSolution:
    """All that follows if the judges erred independently: evaluations, alarms, and keys if there are any.

    `alarms` is empty exactly when there is an answer key under which the errors are independent, and then
    `keys` holds such keys. Where a search ended at its budget of `undecided_at` steps, neither is known:
    `existence` says so, and `findings` has what is known all the same. `moments` and `quadratic` are there for
    three judges and two labels.
    """

    votes: VoteCounts
    identification: Identification
    solutions: tuple[Evaluation, ...] = ()
    findings: tuple[Alarm, ...] = ()
    keys: tuple[LabeledVoteCounts, ...] = ()
    notes: tuple[str, ...] = ()
    moments: TrioMoments | None = None
    quadratic: PrevalenceQuadratic | None = None
    undecided_at: int | None = None

    @property
    def existence(self) -> KeyExistence:
        """Whether there is an answer key under which the errors are independent."""
        if self.keys:
            return KeyExistence.EXISTS
        return KeyExistence.NONE if self.undecided_at is None else KeyExistence.UNDECIDED

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """The proofs that no answer key makes the errors independent; none if there is such a key.

        Raises `Undecided` where the search for a key ended at its budget.
        """
        if self.existence is KeyExistence.UNDECIDED:
            raise Undecided(
                self.votes,
                f"{KeyExistence.UNDECIDED.value} after {self.undecided_at} steps",
                "solve_independent with a larger effort=… searches on; findings has what is known",
            )
        return self.findings

    def to_coq(self) -> str:
        """Return a file of Coq that proves each alarm, or that there is a key; for three judges and two labels."""
        return votes_to_coq(self.votes, (alarm.kind for alarm in self.alarms), self.keys)

    def __str__(self) -> str:
        """Return the solution in words, exact values first, decimals beside them."""
        lines = [f"If the {len(self.votes.judges)} judges erred independently: {self.identification.value}."]
        if self.quadratic is not None:
            lines.append(f"The shares P of the labels solve {self.quadratic}")
        mirrored = len(self.votes.labels) == 2
        for number, solution in enumerate(self.solutions[: 1 if mirrored else None], start=1):
            lines.append(f"Solution {number}:")
            lines += [
                f"  share of {label}: {rate_text(share)}" for label, share in solution.prevalence.items()
            ]
            for judge, right in zip(self.votes.judges, solution.accuracy, strict=True):
                lines += [
                    f"  judge {judge} right on {label}: {rate_text(rate)}" for label, rate in right.items()
                ]
        if mirrored and self.solutions:
            a, b = self.votes.labels
            lines.append(
                f"Solution 2 exchanges the true labels: right on {a} is what wrong on {b} is in solution 1."
            )
        if self.existence is KeyExistence.UNDECIDED:
            lines += [f"Known: {finding}" for finding in self.findings]
            lines.append(
                f"UNDECIDED: {self.existence.value}; the search ended after {self.undecided_at} steps (effort)."
            )
        else:
            lines += alarm_lines(self.findings)
        if self.existence is KeyExistence.EXISTS:
            lines.append(f"No alarm: {self.existence.value}.")
        lines += [f"Note: {note}" for note in self.notes]
        return "\n".join(lines)

    def latex(self) -> str:
        """Return the solutions as a LaTeX array."""
        labels = self.votes.labels
        rows = []
        for solution in self.solutions:
            rows.append(r" & ".join([r"\hat P", *(_latex(solution.prevalence[label]) for label in labels)]))
            rows += [
                r" & ".join([rf"\text{{{index}}}", *(_latex(right[label]) for label in labels)])
                for index, right in enumerate(solution.accuracy, start=1)
            ]
        body = r" \\ ".join(rows)
        return rf"\begin{{array}}{{r|{'c' * len(labels)}}} {body} \end{{array}}"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def to_document(self) -> dict[str, Any]:
        """Return the solution as a JSON document; if undecided, alarms are null and findings tell what is known."""
        findings = [finding.to_document() for finding in self.findings]
        undecided = self.existence is KeyExistence.UNDECIDED
        document: dict[str, Any] = {
            "votes": self.votes.to_document(),
            "identification": self.identification.name.lower(),
            "solutions": [solution.to_document() for solution in self.solutions],
            "independent_key": self.existence.name.lower(),
            "alarms": None if undecided else findings,
            "keys": [key.to_document() for key in self.keys],
            "notes": list(self.notes),
        }
        if undecided:
            document["findings"] = findings
            document["undecided_at"] = self.undecided_at
        if self.quadratic is not None:
            document["quadratic"] = [self.quadratic.leading, self.quadratic.linear, self.quadratic.constant]
        if self.moments is not None:
            document["moments"] = {
                "pair": {f"{i + 1},{j + 1}": value for (i, j), value in self.moments.pair.items()},
                "trio": self.moments.trio,
                "pair_product": self.moments.pair_product,
                "discriminant": self.moments.discriminant,
            }
        return document

    def to_json(self) -> str:
        """Return the solution as JSON, the same bytes every time."""
        return write_json(self.to_document())


def range_alarms(solutions: Iterable[Evaluation], votes: VoteCounts) -> Iterator[Alarm]:
    """Yield an alarm for each share and each judge and label with a rate that is not between 0 and 1."""
    for number, solution in enumerate(solutions, start=1):
        for label, share in solution.prevalence.items():
            if not 0 <= defined(share) <= 1:
                words = f"in solution {number} the share of {label} is {rate_text(share)}"
                proof: dict[str, ProofValue] = {"solution": number, "label": label, "rate": defined(share)}
                yield Alarm(AlarmKind.OUT_OF_RANGE, words, proof)
        for judge, rates in zip(votes.judges, solution.response_rates, strict=True):
            for label, row in rates.items():
                # One alarm for a row; with two labels x is in range iff 1 − x is, so that one look is enough.
                looked_at = list(row.items())[: 1 if len(row) == 2 else None]
                outside = next((item for item in looked_at if not 0 <= defined(item[1]) <= 1), None)
                if outside is not None:
                    given, rate = outside
                    which = f"the rate of answers {given} of {judge} on {label}"
                    words = f"in solution {number} {which} is {rate_text(rate)}"
                    proof = {"solution": number, "judge": judge, "label": label, "answer": given}
                    yield Alarm(AlarmKind.OUT_OF_RANGE, words, proof | {"rate": defined(rate)})


def joint_count(votes: VoteCounts, solution: Evaluation, label: str, pattern: Pattern) -> mpq:
    """Return how many questions of a label get a pattern from independent judges of rational rates."""
    count = votes.size * rational_rate(solution.prevalence[label])
    for rates, given in zip(solution.response_rates, pattern, strict=True):
        count *= rational_rate(rates[label][given])
    return count


def not_whole_alarms(counts: Mapping[str, Mapping[Pattern, mpq]]) -> Iterator[Alarm]:
    """Yield an alarm for each label and pattern whose count in the answer key is no whole number."""
    for label, by_pattern in counts.items():
        for pattern, count in by_pattern.items():
            if count.denominator != 1:
                answers = ", ".join(pattern)
                words = (
                    f"the number of questions of {label} with the answers {answers} would be {shown(count)}"
                )
                yield Alarm(AlarmKind.NOT_WHOLE, words, {"label": label, "pattern": answers, "count": count})


def joint_counts(votes: VoteCounts, solution: Evaluation) -> dict[str, dict[Pattern, mpq]]:
    """Return how many questions of each label get each pattern from independent judges of rational rates."""
    counts: dict[str, dict[Pattern, mpq]] = {}
    for label, share in solution.prevalence.items():
        counts[label] = {(): votes.size * rational_rate(share)}
        for rates in solution.response_rates:
            counts[label] = {
                (*pattern, given): count * rational_rate(rate)
                for pattern, count in counts[label].items()
                for given, rate in rates[label].items()
            }
    return counts


def key_from_rates(votes: VoteCounts, solution: Evaluation) -> LabeledVoteCounts:
    """Return the answer key, in counts, of a solution whose counts are all whole numbers."""
    return LabeledVoteCounts(
        {
            label: VoteCounts(counts, votes.labels, votes.judges)
            for label, counts in joint_counts(votes, solution).items()
        }
    )


def rate_text(rate: Rate) -> str:
    """Return a rate with its decimal; of one that has none, why."""
    if isinstance(rate, Undefined):
        return rate.value
    if isinstance(rate, Surd) and not rate.is_real:
        return f"{rate} (imaginary)"
    return with_decimal(rate)


def _latex(rate: Rate) -> str:
    if isinstance(rate, Undefined):
        return r"\text{undefined}"
    return rate.latex() if isinstance(rate, Surd) else Surd(rate).latex()
