"""From rates to counts: the evaluation in whole numbers that an `Evaluation` would mean on Q questions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadVotes, NotSupported
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Rate
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.varieties.explanation import other_test
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
    """Return Q·P_l for each label and Q·P_l·P^l_{g_i} for each judge, whole or not.

    A label without questions has rates that are undefined, and its counts are 0.
    """
    key = {label: _defined(rate) * questions for label, rate in evaluation.prevalence.items()}
    return key, [
        {
            label: {given: _times(key[label], rate) for given, rate in row.items()}
            for label, row in rates.items()
        }
        for rates in evaluation.response_rates
    ]


def counts_from_rates(
    votes: VoteCounts, evaluation: Evaluation
) -> CountEvaluation | LabeledVoteCounts | Refused:
    """Return the counts that an evaluation in rates means on the questions of the votes.

    Without correlations that is an individual evaluation; with all of them, a group evaluation. The
    answer is a refusal if some count is no whole number or is negative.

    Raises `NotSupported` if only some correlations are given, or correlations with three or more labels.
    """
    if evaluation.labels != votes.labels or len(evaluation.response_rates) != len(votes.judges):
        return Refused((other_test(),))
    if evaluation.correlations:
        cells = _cells(votes, evaluation)
        if breaches := tuple(
            _no_counts({f"Q·P({label}, {''.join(p)})": n for (label, p), n in cells.items()})
        ):
            return Refused(breaches)
        parts = {
            label: {p: _whole(number) for (true, p), number in cells.items() if true == label}
            for label in votes.labels
        }
        return LabeledVoteCounts(
            {label: VoteCounts(part, votes.labels, votes.judges) for label, part in parts.items()}
        )
    key, confusion = confusion_numbers(evaluation, votes.size)
    numbers = {f"Q·P_{label}": number for label, number in key.items()}
    breaches = ()
    for judge, rows in zip(votes.judges, confusion, strict=True):
        for label, row in rows.items():
            numbers |= {f"Q·P_{label}·P^{label}_{given}[{judge}]": number for given, number in row.items()}
            rest = sum(row.values(), mpq(0)) - key[label]
            if rest != 0:
                words = f"the answers of judge {judge!r} to the questions of {label!r} add up to Q·P_{label}"
                breaches = (*breaches, Breach(words, rest, _ORDER))
    if breaches := (*breaches, *_no_counts(numbers)):
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

    The mean of Π_{i∈S} [judge i is right] is Σ_{T⊆S} Γ_T Π_{S∖T} p_i with Γ_∅ = 1 and Γ_{i} = 0;
    inclusion and exclusion over the judges then gives the share of each pattern.
    """
    judges = range(len(evaluation.response_rates))
    subsets = [s for size in range(2, len(judges) + 1) for s in itertools.combinations(judges, size)]
    if len(votes.labels) != 2 or set(evaluation.correlations) != {
        (label, subset) for label in evaluation.labels for subset in subsets
    }:
        raise NotSupported(
            evaluation,
            "an evaluation in rates is taken to counts without correlations, or with all of two labels",
            "leave the correlations out, or give those of every label and every two or more judges",
        )
    cells: dict[tuple[str, Pattern], Number] = {}
    for label, prevalence in evaluation.prevalence.items():
        questions = _defined(prevalence) * votes.size
        accuracy = [rates[label] for rates in evaluation.accuracy]
        gamma: Mapping[tuple[str, tuple[int, ...]], Rate] = evaluation.correlations
        moments = {
            subset: _moment(questions, subset, label, accuracy, gamma)
            for size in range(len(judges) + 1)
            for subset in itertools.combinations(judges, size)
        }
        for pattern in votes.patterns():
            right = {place for place in judges if pattern[place] == label}
            total: Number = mpq(0)
            for subset, moment in moments.items():
                if right <= set(subset):
                    total = total + (-1) ** (len(subset) - len(right)) * moment
            cells[label, pattern] = total
    return cells


def _moment(
    questions: Number,
    subset: tuple[int, ...],
    label: str,
    accuracy: list[Rate],
    gamma: Mapping[tuple[str, tuple[int, ...]], Rate],
) -> Number:
    total: Number = mpq(0)
    for size in (0, *range(2, len(subset) + 1)):
        for inner in itertools.combinations(subset, size):
            term = _times(questions, gamma[label, inner]) if inner else questions
            for place in subset:
                if place not in inner:
                    term = _times(term, accuracy[place])
            total = total + term
    return total


def _no_counts(numbers: Mapping[str, Number]) -> Iterator[Breach]:
    """Find the numbers that are no counts; the residual is what is beyond the next smaller count."""
    for name, number in numbers.items():
        exact = number.rational if isinstance(number, Surd) else number
        if isinstance(number, Surd) and not number.is_rational:
            yield Breach(f"{name} is a whole number", number, _WHOLE)
        elif exact.denominator != 1:
            yield Breach(f"{name} is a whole number", exact - exact.numerator // exact.denominator, _WHOLE)
        elif exact < 0:
            yield Breach(f"{name} is not negative", exact, _ORDER)


def _defined(rate: Rate) -> Number:
    if isinstance(rate, Undefined):
        raise BadVotes(rate, "a prevalence is a number")
    return rate


def _times(number: Number, rate: Rate) -> Number:
    if isinstance(rate, Undefined):
        if number != 0:
            raise BadVotes(rate, "only a label without questions leaves rates undefined")
        return mpq(0)
    return number * rate


def _whole(number: Number) -> int:
    exact = number.rational if isinstance(number, Surd) else number
    return int(exact.numerator)
