"""What a set answers about an evaluation: yes with a witness, or no with the postulates that fail and by how much."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, TypeAlias

from gmpy2 import mpq

from ntqr_exact.answer import Answer
from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes, NotSupported
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Rate
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties.compositions import Split, from_splits
from ntqr_exact.varieties.pair_bounds import PairBounds
from ntqr_exact.varieties.reachable import reachable_sums
from ntqr_exact.varieties.trio_decision import TrioDecision
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern, join_pattern

Number: TypeAlias = "mpq | Surd"


@dataclass(frozen=True, slots=True)
class Breach:
    """One postulate that an evaluation breaks; `residual` is by how much the sides of the postulate differ."""

    postulate: str
    residual: Number
    citation: Citation

    def __str__(self) -> str:
        return f"{self.postulate} fails by {self.residual} ({self.citation})"


@dataclass(frozen=True, slots=True)
class Accepted:
    """Yes: the evaluation belongs to the set, and `witness` is a group evaluation that shows it."""

    answer: ClassVar[Answer] = Answer.YES
    witness: LabeledVoteCounts

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return "yes: there is an answer key with this evaluation"


@dataclass(frozen=True, slots=True)
class Refused:
    """No: the evaluation breaks at least one postulate; all broken ones of the simplest kind are given."""

    answer: ClassVar[Answer] = Answer.NO
    breaches: tuple[Breach, ...]

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return "\n".join(["no:", *(f"  {breach}" for breach in self.breaches)])


Verdict: TypeAlias = "Accepted | Refused"


KEY_COUNTS = Citation("ntqr", "eq. 1")
SINGLE = Citation("ntqr", "eqs. 11 and 12")
PAIR = Citation("ntqr", "eqs. 26a to 26d, in counts")
TRIO = Citation("ntqr", "section 5, the eight postulates of a trio, in counts")
_ENSEMBLE = Citation("ntqr", "section 5, the complete postulates of an ensemble, in counts")
_WHOLE = Citation("ntqr", "eqs. 2 and 3, section 2")
_ORDER = Citation("ntqr", "eqs. 6 and 7")
OTHER_TEST = Breach("the labels and judges are those of the votes", mpq(1), Citation("ntqr", "section 1"))


def explain_group(votes: VoteCounts, graded: LabeledVoteCounts) -> Verdict:
    """Test the response postulates of a group evaluation: Σ_l R^l_v = c_v for every pattern v, with gaps or not."""
    if (graded.labels, graded.judges) != (votes.labels, votes.judges):
        return Refused((OTHER_TEST,))
    citation = {1: SINGLE, 2: PAIR, 3: TRIO}.get(len(votes.judges), _ENSEMBLE)
    observed = graded.observed().counts
    breaches = []
    for pattern in dict.fromkeys((*votes.counts, *observed)):
        seen = votes.counts[pattern]
        if residual := observed[pattern] - seen:
            answers = f"the questions with the answers {join_pattern(pattern)}"
            message = f"{answers} add up over the true labels to the {seen} observed"
            breaches.append(Breach(message, mpq(residual), citation))
    return Refused(tuple(breaches)) if breaches else Accepted(graded)


def explain_individual(votes: VoteCounts, evaluation: CountEvaluation) -> Verdict:
    """Decide whether an answer key gives the judges these confusions: one judge, pairs, trios, all.

    The postulates of the fewest judges that fail are reported. Each step is a necessary condition, and
    the last one, with all judges in it, is exact in whole numbers.
    """
    votes.without_gaps("an individual evaluation")
    if evaluation.labels != votes.labels or len(evaluation.confusion) != len(votes.judges):
        return Refused((OTHER_TEST,))
    if residual := evaluation.size - votes.size:
        message = f"the key counts add up to the {votes.size} questions"
        return Refused((Breach(message, mpq(residual), KEY_COUNTS),))
    for find in (_single_breaches, _pair_breaches, _trio_breaches):
        if breaches := tuple(find(votes, evaluation)):
            return Refused(breaches)
    judges = len(votes.judges)
    splits: list[Split]
    if judges == 1:
        (rows,) = evaluation.confusion
        splits = [tuple(rows[label][given] for label in votes.labels) for (given,) in votes.counts]
    elif len(votes.labels) == 2 and judges <= 3:
        key, right = first_label_point(evaluation)
        if judges == 2:
            e, _ = PairBounds.of(votes, 0, 1).joint_interval(key, *right)
            chosen: tuple[int, ...] = (e, right[0] - e, right[1] - e, key - sum(right) + e)
        else:
            trio = TrioDecision.of(votes)
            chosen = trio.witness(key, right, trio.joint_interval(key, right).whole[0])
        of_first = dict(zip(votes.patterns(), chosen, strict=True))
        splits = [(of_first[pattern], count - of_first[pattern]) for pattern, count in votes.counts.items()]
    else:
        found = reachable_sums(votes).splits(evaluation)
        if found is None:
            return Refused((Breach("some answer key gives all judges these confusions", mpq(1), _ENSEMBLE),))
        splits = found
    return Accepted(from_splits(votes.labels, votes.judges, votes.counts, splits))


def first_label_point(evaluation: CountEvaluation) -> tuple[int, tuple[int, ...]]:
    """Return Q_a and the right answers s_i = R^a_{a_i} on the first of two labels."""
    first = evaluation.labels[0]
    return evaluation.key_counts[first], tuple(right[first] for right in evaluation.correct)


def _single_breaches(votes: VoteCounts, evaluation: CountEvaluation) -> Iterator[Breach]:
    for judge, confusion in zip(votes.judges, evaluation.confusion, strict=True):
        for given, seen in votes.responses(judge).items():
            if residual := sum(row[given] for row in confusion.values()) - seen:
                message = f"the answers {given!r} of judge {judge!r} add up over the true labels to {seen}"
                yield Breach(message, mpq(residual), SINGLE)


def _pair_breaches(votes: VoteCounts, evaluation: CountEvaluation) -> Iterator[Breach]:
    """Find pairs whose right answers s_1, s_2 on the first of two labels no split of the pair gives."""
    if len(votes.labels) != 2:
        return
    a, b = votes.labels
    key, right = first_label_point(evaluation)
    for i, j in combinations(range(len(right)), 2):
        seen = PairBounds.of(votes, i, j)
        first, second = (f"R^{a}_{a}[{votes.judges[place]}]" for place in (i, j))
        for message, excess in (
            (f"{first} + {second} ≤ Q_{a} + N_{a}{a}", right[i] + right[j] - key - seen.aa),
            (f"{first} + {second} ≥ Q_{a} − N_{b}{b}", key - seen.bb - right[i] - right[j]),
            (f"{first} − {second} ≤ N_{a}{b}", right[i] - right[j] - seen.ab),
            (f"{second} − {first} ≤ N_{b}{a}", right[j] - right[i] - seen.ba),
        ):
            if excess > 0:
                yield Breach(message, mpq(excess), PAIR)


def _trio_breaches(votes: VoteCounts, evaluation: CountEvaluation) -> Iterator[Breach]:
    if len(votes.labels) != 2:
        return
    key, right = first_label_point(evaluation)
    for places in combinations(range(len(right)), 3):
        interval = TrioDecision.of(votes.marginal(*places)).joint_interval(key, [right[p] for p in places])
        if not interval.whole:
            names = ", ".join(repr(votes.judges[place]) for place in places)
            how = f", though {interval.low} would be" if interval.holds_a_number else ""
            message = f"a number of {votes.labels[0]!r} questions with the first two of {names} right is possible{how}"
            yield Breach(f"{message}; this", mpq(1), TRIO)


# -- from rates to counts ----------------------------------------------------------------------------


def confusion_numbers(
    evaluation: Evaluation, questions: int
) -> tuple[dict[str, Number], list[dict[str, dict[str, Number]]]]:
    """Return Q·P_l for each label and Q·P_l·P^l_{g_i} for each judge, whole or not; 0 where there are no questions."""
    key = {label: _number(rate) * questions for label, rate in evaluation.prevalence.items()}
    return key, [
        {
            label: {given: key[label] * _number(rate, key[label]) for given, rate in row.items()}
            for label, row in rates.items()
        }
        for rates in evaluation.response_rates
    ]


def counts_from_rates(
    votes: VoteCounts, evaluation: Evaluation
) -> CountEvaluation | LabeledVoteCounts | Refused:
    """Return the counts that an evaluation in rates means on the questions of the votes.

    Without correlations that is an individual evaluation; with all of them, a group evaluation. The
    answer is a refusal if some count is not a whole number or is negative.

    Raises `NotSupported` if only some correlations are given, or correlations with three or more labels.
    """
    votes.without_gaps("counts from rates")
    if evaluation.labels != votes.labels or len(evaluation.response_rates) != len(votes.judges):
        return Refused((OTHER_TEST,))
    if evaluation.correlations:
        cells = _cells(votes, evaluation)
        if breaches := tuple(
            _not_counts({f"Q·P({true}, {''.join(p)})": n for (true, p), n in cells.items()})
        ):
            return Refused(breaches)
        parts: dict[str, dict[Pattern, int]] = {label: {} for label in votes.labels}
        for (label, pattern), number in cells.items():
            parts[label][pattern] = _whole(number)
        return LabeledVoteCounts(
            {label: VoteCounts(part, votes.labels, votes.judges) for label, part in parts.items()}
        )
    key, confusion = confusion_numbers(evaluation, votes.size)
    numbers = {f"Q·P_{label}": number for label, number in key.items()}
    breaches = ()
    for judge, rows in zip(votes.judges, confusion, strict=True):
        for label, row in rows.items():
            numbers |= {f"Q·P_{label}·P^{label}_{given}[{judge}]": number for given, number in row.items()}
            if rest := sum(row.values(), mpq(0)) - key[label]:
                message = (
                    f"the answers of judge {judge!r} to the questions of {label!r} add up to Q·P_{label}"
                )
                breaches = (*breaches, Breach(message, rest, _ORDER))
    if breaches := (*breaches, *_not_counts(numbers)):
        return Refused(breaches)
    return CountEvaluation(
        {label: _whole(number) for label, number in key.items()},
        [
            {label: {given: _whole(n) for given, n in row.items()} for label, row in rows.items()}
            for rows in confusion
        ],
    )


def _cells(votes: VoteCounts, evaluation: Evaluation) -> dict[tuple[str, Pattern], Number]:
    """Return Q·P_l·P(pattern | l) from accuracies and the correlations of all orders, for two labels.

    With r_m the accuracy of judge m if it is right in the pattern, else 1 minus it, and s_m = ±1 accordingly, it is
    Σ_S Γ_S Π_{m∈S} s_m Π_{m∉S} r_m over the empty set (Γ = 1) and all sets of two or more judges.
    """
    judges = range(len(evaluation.response_rates))
    subsets = [s for size in range(2, len(judges) + 1) for s in combinations(judges, size)]
    wanted = {(label, subset) for label in evaluation.labels for subset in subsets}
    if len(votes.labels) != 2 or set(evaluation.correlations) != wanted:
        rule = "an evaluation in rates is taken to counts without correlations, or with all of two labels"
        raise NotSupported(evaluation, rule, "leave the correlations out, or give all of them")
    cells: dict[tuple[str, Pattern], Number] = {}
    for label, prevalence in evaluation.prevalence.items():
        questions = _number(prevalence) * votes.size
        accuracy = [_number(rates[label], questions) for rates in evaluation.accuracy]
        gamma = {s: _number(evaluation.correlations[label, s], questions) for s in subsets}
        for pattern in votes.patterns():
            right = [answer == label for answer in pattern]
            rates = [p if is_right else 1 - p for p, is_right in zip(accuracy, right, strict=True)]
            total = math.prod(rates, start=questions)
            for subset, correlation in gamma.items():
                sign = math.prod(1 if right[judge] else -1 for judge in subset)
                others = (rates[judge] for judge in judges if judge not in subset)
                total = total + math.prod(others, start=questions * correlation * sign)
            cells[label, pattern] = total
    return cells


def _not_counts(numbers: Mapping[str, Number]) -> Iterator[Breach]:
    """Find the numbers that are not counts; the residual is what is beyond the next smaller count."""
    for name, number in numbers.items():
        exact = number.rational if isinstance(number, Surd) else number
        if isinstance(number, Surd) and not number.is_rational:
            yield Breach(f"{name} is a whole number", number, _WHOLE)
        elif exact.denominator != 1:
            yield Breach(f"{name} is a whole number", exact - exact.numerator // exact.denominator, _WHOLE)
        elif exact < 0:
            yield Breach(f"{name} is not negative", exact, _ORDER)


def _number(rate: Rate, questions: Number | None = None) -> Number:
    """Return a rate; 0 is for one that is undefined, which only a label without questions may have."""
    if not isinstance(rate, Undefined):
        return rate
    if questions is None or questions != 0:
        raise BadVotes(rate, "only a label without questions may have undefined rates")
    return mpq(0)


def _whole(number: Number) -> int:
    return int((number.rational if isinstance(number, Surd) else number).numerator)
