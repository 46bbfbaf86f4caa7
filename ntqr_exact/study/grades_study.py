"""The grades of the judges by every evaluator, side by side, and what independent errors would mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

from gmpy2 import mpq

from ntqr_exact.answer import Answer
from ntqr_exact.blocks.block import Block, Facts, Sentence, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.budget import spend
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Rate, Undefined, defined
from ntqr_exact.evaluators.grade import share_right, squared_distance
from ntqr_exact.evaluators.independent.independent_solution import IndependentSolution
from ntqr_exact.evaluators.independent.solve import solve_independent
from ntqr_exact.exact.show import value_text
from ntqr_exact.exact.surd import Surd
from ntqr_exact.varieties.correlations import pair_correlation_ends
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

BY_KEY, MAJORITY, DAWID_SKENE, INDEPENDENT, CLOSEST = (
    "by key",
    "majority",
    "Dawid-Skene",
    "independent",
    "closest",
)
_ASSUMED = {
    BY_KEY: "the answer key is right",
    MAJORITY: "most judges are right on every question",
    DAWID_SKENE: "the judges err independently, as the most likely key has it",
    INDEPENDENT: "the judges err independently of each other on the questions of each label",
    CLOSEST: "the errors of pairs are as little correlated as the search for a key could make them",
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """Grades by one evaluator: what it assumes, and the sum of squared differences from the key's grades."""

    name: str
    assumes: str
    evaluation: Evaluation
    right_in_all: Mapping[str, mpq | Surd | None]
    """The share of right answers of each judge among its answers, if the key is known; `None` where it gave none."""
    squared_distance_from_key: mpq | Surd | None


@dataclass(frozen=True, slots=True)
class GradesStudy(Value):
    """The estimates, the one by the key first if there is a key."""

    judges: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    ties: int
    """Questions without a majority."""
    closest_to_key: tuple[str, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield all grades in a table, what each assumes, and which is closest to the key."""
        evaluations = [one.evaluation for one in self.estimates]
        labels = evaluations[0].labels
        rows: list[tuple[Any, ...]] = [
            (f"share of {label}", *(rate_cell(one.prevalence[label]) for one in evaluations))
            for label in labels
        ]
        for index, judge in enumerate(self.judges):
            for label in labels:
                rates = (rate_cell(one.response_rates[index][label][label]) for one in evaluations)
                rows.append((f"judge {judge} right on {label}", *rates))
            in_all = (
                None if (x := one.right_in_all[judge]) is None else rate_cell(x) for one in self.estimates
            )
            rows.append((f"judge {judge} right in all", *in_all))
        header = ("", *(one.name for one in self.estimates))
        yield Table("Shares of the labels, and how often each judge is right", header, tuple(rows))
        yield Facts("Each column assumes that", tuple((one.name, one.assumes) for one in self.estimates))
        if self.ties:
            yield Sentence(f"Questions without a majority: {self.ties}.")
        distances = ", ".join(
            f"{one.name} {value_text(one.squared_distance_from_key, longest=0)}"
            for one in self.estimates
            if one.squared_distance_from_key is not None
        )
        if distances:
            closest = ", ".join(self.closest_to_key)
            yield Sentence(
                f"Closest to the key: {closest} (sum of squared differences of the rates: {distances})."
            )


def study_grades(
    judges: tuple[str, ...],
    evaluations: Mapping[str, tuple[Evaluation, LabeledVoteCounts | None]],
    *,
    ties: int,
) -> GradesStudy:
    """Return evaluations side by side by their names, each with the key that it grades by, if there is one.

    With a key, a judge is graded on the questions that it answered.
    """
    by_key = evaluations[BY_KEY][0] if BY_KEY in evaluations else None
    estimates = tuple(
        Estimate(
            name,
            _ASSUMED[name],
            one,
            {
                judge: right_in_all(one, index) if key is None else share_right(key, index)
                for index, judge in enumerate(judges)
            },
            None if by_key is None or name == BY_KEY else squared_distance(one, by_key),
        )
        for name, (one, key) in evaluations.items()
    )
    distances = {
        one.name: one.squared_distance_from_key
        for one in estimates
        if one.squared_distance_from_key is not None
    }
    least = min(distances.values(), default=None)
    closest = tuple(name for name, distance in distances.items() if distance == least)
    return GradesStudy(judges, estimates, ties, closest)


def rate_cell(rate: Rate) -> Any:
    """Return a rate for a table; one outside of 0 to 1 is marked.

    >>> rate_cell(mpq(1, 2)), rate_cell(mpq(5, 4))
    (mpq(1,2), '5/4 = 1.25, outside 0 to 1')
    """
    if isinstance(rate, Undefined) or (isinstance(rate, Surd) and not rate.is_real) or 0 <= rate <= 1:
        return rate
    return f"{value_text(rate)}, outside 0 to 1"


def best_solution(solution: IndependentSolution | None) -> Evaluation | None:
    """Return of the real solutions the one under which the judges are right most often; `None` if not all are real.

    >>> votes = VoteCounts({"aaa": 1, "aba": 1, "baa": 1, "bba": 1, "bbb": 1})
    >>> best_solution(solve_independent(votes)).accuracy[2]
    {'a': mpq(1,1), 'b': mpq(1,1)}
    """
    if solution is None:
        return None
    rates = [[rate for right in one.accuracy for rate in right.values()] for one in solution.solutions]
    if not all(rate.is_real for some in rates for rate in some if isinstance(rate, Surd)):
        return None
    totals = [sum(map(defined, some), mpq(0)) for some in rates]
    return solution.solutions[totals.index(max(totals))] if totals else None


def right_in_all(evaluation: Evaluation, judge: int) -> mpq | Surd:
    """Return the share of all questions on which a judge is right, Σ_l P_l·P^l_{l_i}.

    >>> right_in_all(Evaluation.from_accuracies({"a": "1/4", "b": "3/4"}, [{"a": 1, "b": "1/3"}]), 0)
    mpq(1,2)
    """
    rates = evaluation.response_rates[judge]
    pairs = [(share, rates[label][label]) for label, share in evaluation.prevalence.items()]
    known = [defined(share) * right for share, right in pairs if not isinstance(right, Undefined)]
    return sum(known, mpq(0))


@dataclass(frozen=True, slots=True)
class Trio:
    """Whether some key makes the errors of three judges independent, and the kinds of alarms."""

    judges: tuple[str, ...]
    independent_key: Answer
    alarms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TriosStudy(Value):
    """The independent solution of each trio of judges, in short."""

    trios: tuple[Trio, ...]
    refuted: int

    def blocks(self) -> Iterator[Block]:
        """Yield how many trios cannot have erred independently, and the alarms of each."""
        yield Sentence(
            f"Of {len(self.trios)} trios, {self.refuted} cannot have erred exactly independently. If all judges erred "
            "independently, so did every trio; the converse fails."
        )
        rows = tuple(
            (", ".join(one.judges), one.independent_key, Sentence(", ".join(one.alarms) or "none"))
            for one in self.trios
        )
        yield Table("Every trio alone", ("judges", "independent key", "alarms"), rows, "trios")


def study_trios(votes: VoteCounts) -> TriosStudy:
    """Return the independent solution of every trio of judges, in short."""
    spend(f"solving {comb(len(votes.judges), 3)} trios", 400 * comb(len(votes.judges), 3))
    trios = []
    for judges in combinations(votes.judges, 3):
        solution = solve_independent(votes.marginal(*judges))
        kinds = tuple(dict.fromkeys(alarm.kind.title for alarm in solution.alarms))
        trios.append(Trio(judges, solution.existence, kinds))
    return TriosStudy(tuple(trios), sum(one.independent_key is Answer.NO for one in trios))


@dataclass(frozen=True, slots=True)
class CorrelationRange:
    """The range of the error correlation of a pair on a label, over this many consistent points."""

    judges: tuple[str, str]
    label: str
    least: mpq
    greatest: mpq
    points: int


@dataclass(frozen=True, slots=True)
class CorrelationsStudy(Value):
    """Whole-number grades that the votes allow, and the error correlations of pairs that they allow.

    `by_key` are the correlations by the answer key: judges, label, value.
    """

    judges: tuple[str, ...]
    name: str
    key_counts: Mapping[str, int]
    right: Mapping[str, Mapping[str, int]]
    ranges: tuple[CorrelationRange, ...]
    by_key: tuple[tuple[tuple[str, ...], str, Rate], ...] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield the grades, the range of each pair, and the correlations by the key."""
        yield Sentence(
            "The error correlation Γ of two judges on a label is the mean, over its questions, of the product of (1 if "
            "right else 0) − accuracy: 0 if they err independently there, at most 1/4 in size. Votes and grades fix "
            "only P_a·Γ^a + P_b·Γ^b."
        )
        counts = ", ".join(f"{count} of {label}" for label, count in self.key_counts.items())
        yield Table(
            f"Right answers by {self.name} ({counts})",
            ("judge", *(f"on {label}" for label in self.key_counts)),
            tuple((judge, *row.values()) for judge, row in self.right.items()),
        )
        if self.ranges:
            rows = tuple(
                (", ".join(one.judges), one.label, one.points, one.least, one.greatest) for one in self.ranges
            )
            header = ("judges", "label", "points", "Γ from", "to")
            yield Table("Correlations of pairs that go with these grades", header, rows, "pairs and labels")
        if self.by_key:
            keyed = tuple((", ".join(judges), label, value) for judges, label, value in self.by_key)
            yield Table("Correlations by the answer key", ("judges", "label", "Γ"), keyed, "correlations")


def study_correlations(
    votes: VoteCounts, grades: CountEvaluation, name: str, by_key: Evaluation | None = None
) -> CorrelationsStudy:
    """Return the correlations of pairs that go with whole-number grades, and those by the answer key."""
    ranges = [
        one for i, j in combinations(range(len(votes.judges)), 2) for one in _pair_ranges(votes, grades, i, j)
    ]
    known = {} if by_key is None else by_key.correlations
    return CorrelationsStudy(
        votes.judges,
        name,
        grades.key_counts,
        dict(zip(votes.judges, grades.correct, strict=True)),
        tuple(ranges),
        tuple(
            (tuple(votes.judges[i] for i in group), label, value) for (label, group), value in known.items()
        ),
    )


def _pair_ranges(votes: VoteCounts, grades: CountEvaluation, i: int, j: int) -> Iterator[CorrelationRange]:
    """Yield the range of Γ of a pair on each label that has questions; nothing if the grades are inconsistent."""
    own = CountEvaluation(grades.key_counts, [grades.confusion[i], grades.confusion[j]])
    count, ends = pair_correlation_ends(votes.marginal(i, j), own, 0, 1)
    for index, label in enumerate(votes.labels):
        values = [value for end in ends if isinstance(value := end.correlations[index], mpq)]
        if values:
            names = votes.judges[i], votes.judges[j]
            yield CorrelationRange(names, label, min(values), max(values), count)
