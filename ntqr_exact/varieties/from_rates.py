"""From rates to counts: the evaluation in whole numbers that an `Evaluation` would mean on Q questions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes, NotSupported
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Rate
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties.explanation import OTHER_TEST
from ntqr_exact.varieties.verdict import Breach, Refused
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts
from ntqr_exact.votes.names import Pattern

Number: TypeAlias = "mpq | Surd"
_WHOLE = Citation("ntqr", "eqs. 2 and 3, section 2")
_ORDER = Citation("ntqr", "eqs. 6 and 7")


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
    subsets = [s for size in range(2, len(judges) + 1) for s in itertools.combinations(judges, size)]
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
