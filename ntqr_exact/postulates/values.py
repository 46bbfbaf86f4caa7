"""What number each variable is: observed in votes, or true of an evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TypeAlias

from gmpy2 import mpq

from ntqr_exact.algebra.notation import NOTATION, Quantity, Side, Variable, read_name
from ntqr_exact.algebra.polynomial import Number, Polynomial
from ntqr_exact.errors import BadVotes, EmptyTest, NtqrExactError
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Rate
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.postulates.construction import definition_of
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Truth: TypeAlias = "Evaluation | CountEvaluation | LabeledVoteCounts"
Residual: TypeAlias = "mpq | Surd | Undefined"


class MissingValue(NtqrExactError, ValueError):
    """A variable that the evaluation given says nothing of, such as a correlation in mere counts."""


def observed_values(names: Iterable[str], votes: VoteCounts) -> dict[str, mpq]:
    """Return the rational numbers that votes give to variables; the others are left out.

    >>> observed_values(["frequency_a_1", "prevalence_a", "questions"], VoteCounts({"a": 3, "b": 1}))
    {'frequency_a_1': mpq(3,4), 'questions': mpq(4,1)}
    """
    votes.without_gaps("postulates")
    values = {}
    for name in names:
        variable = read_name(name)
        if NOTATION[variable.kind].side is Side.VOTES and variable.kind is not Quantity.DISCRIMINANT_ROOT:
            values[name] = _observed(variable, votes)
    return values


def residual(polynomial: Polynomial, truth: Truth, votes: VoteCounts | None) -> Residual:
    """Return the value of a polynomial where the key's variables are those of `truth`, the votes' those seen."""
    if votes is None:
        if not isinstance(truth, LabeledVoteCounts):
            raise MissingValue(truth, "an evaluation does not hold the votes", "give the votes too")
        votes = truth.observed()
    votes.without_gaps("postulates")
    if votes.labels != truth.labels:
        raise BadVotes((votes.labels, truth.labels), "votes and evaluation must have the same labels")
    values = {name: _value(read_name(name), truth, votes) for name in polynomial.variables()}
    # The coefficient of each monomial in the undefined rates, of which all but that of 1 must vanish: a label
    # without questions has prevalence 0, and P_a·x_a is 0 whatever x_a would be.
    parts: dict[tuple[tuple[str, int], ...], Number] = {}
    for monomial, coefficient in polynomial.terms.items():
        product: Number = coefficient
        rest = []
        for name, power in monomial:
            value = values[name]
            if isinstance(value, Undefined):
                rest.append((name, power))
            else:
                product = product * value**power
        parts[tuple(rest)] = parts.get(tuple(rest), mpq(0)) + product
    if any(value != 0 for monomial, value in parts.items() if monomial):
        return Undefined.NO_QUESTIONS
    total = parts.get((), mpq(0))
    return total.rational if isinstance(total, Surd) and total.is_rational else total


def _value(variable: Variable, truth: Truth, votes: VoteCounts) -> Rate:
    if NOTATION[variable.kind].side is Side.VOTES:
        return _observed(variable, votes) if variable.kind is not Quantity.DISCRIMINANT_ROOT else _root(votes)
    match truth:
        case LabeledVoteCounts():
            judges, find = len(truth.judges), partial(_counted, variable, truth)
        case CountEvaluation():
            judges, find = len(truth.confusion), partial(_from_counts, variable, truth)
        case Evaluation():
            judges, find = len(truth.response_rates), partial(_from_rates, variable, truth)
    _check_places(variable, judges, truth.labels)
    value = find()
    if value is not None:
        return value
    definition = definition_of(variable, truth.labels)
    if definition is None:
        rule = f"this {type(truth).__name__} says nothing of {variable.symbol}"
        raise MissingValue(truth, rule, "labeled votes tell everything")
    return residual(definition, truth, votes)


def _observed(variable: Variable, votes: VoteCounts) -> mpq:
    _check_places(variable, len(votes.judges), votes.labels)
    answers = dict(zip(variable.judges, variable.answers, strict=False))
    match variable.kind:
        case Quantity.QUESTIONS:
            return mpq(votes.size)
        case Quantity.RESPONSES:
            return mpq(_count(votes, answers))
        case Quantity.FREQUENCY:
            return _share(_count(votes, answers), votes.size)
        case Quantity.PAIR_MOMENT:
            return votes.pair_moment(variable.judges[0], variable.judges[1])
        case Quantity.TRIO_MOMENT:
            return votes.trio_moment(variable.judges[0], variable.judges[1], variable.judges[2])
        case Quantity.AGREEMENT:
            return votes.agreement(*variable.judges)
        case _:
            raise MissingValue(variable.symbol, "this is not seen in votes")


def _root(votes: VoteCounts) -> Surd:
    """Return √A ≥ 0, with A = T² + 4·Δ_12·Δ_13·Δ_23; it is imaginary where A < 0."""
    _check_places(Variable(Quantity.TRIO_MOMENT, judges=(0, 1, 2)), len(votes.judges), votes.labels)
    product = votes.pair_moment(0, 1) * votes.pair_moment(0, 2) * votes.pair_moment(1, 2)
    return Surd.sqrt(votes.trio_moment(0, 1, 2) ** 2 + 4 * product)


def _counted(variable: Variable, truth: LabeledVoteCounts) -> Rate | None:
    """Count in the labeled votes; what is not counted directly has a definition."""
    if variable.key:
        return _counted_on_label(variable, truth.by_label[variable.key], truth.size)
    match variable.kind:
        case Quantity.ERROR | Quantity.JOINT_ERROR:
            wrong = sum(
                count
                for label, votes in truth.by_label.items()
                for pattern, count in votes.counts.items()
                if all(pattern[judge] != label for judge in variable.judges)
            )
            return _share(wrong, truth.size)
        case Quantity.GRADE:
            judge = variable.judges[0]
            return mpq(sum(counts[label] for label, counts in truth.confusion(judge).items()))
    return None


def _counted_on_label(variable: Variable, votes: VoteCounts, questions: int) -> Rate | None:
    """Count among the questions of one true label."""
    given = variable.answers or (variable.key,)
    match variable.kind:
        case Quantity.PREVALENCE:
            value = _share(votes.size, questions)
        case Quantity.KEY_COUNT:
            value = mpq(votes.size)
        case Quantity.KEY_RESPONSES:
            value = mpq(_count(votes, dict(zip(variable.judges, given, strict=True))))
        case _ if not votes.size:
            return Undefined.NO_QUESTIONS
        case Quantity.ACCURACY | Quantity.RESPONSE_RATE:
            value = mpq(_count(votes, {variable.judges[0]: given[0]}), votes.size)
        case Quantity.CORRELATION:
            value = votes.central_moment(variable.judges, label=variable.key)
        case _:
            return None
    return value


def _from_counts(variable: Variable, truth: CountEvaluation) -> Rate | None:
    match variable.kind:
        case Quantity.KEY_COUNT:
            return mpq(truth.key_counts[variable.key])
        case Quantity.KEY_RESPONSES if len(variable.judges) == 1:
            return mpq(truth.confusion[variable.judges[0]][variable.key][variable.answers[0]])
        case Quantity.PREVALENCE | Quantity.ACCURACY | Quantity.RESPONSE_RATE:
            return _from_rates(variable, truth.rates())
    return None


def _from_rates(variable: Variable, truth: Evaluation) -> Rate | None:
    match variable.kind:
        case Quantity.PREVALENCE:
            return truth.prevalence[variable.key]
        case Quantity.ACCURACY:
            return truth.accuracy[variable.judges[0]][variable.key]
        case Quantity.RESPONSE_RATE:
            return truth.response_rates[variable.judges[0]][variable.key][variable.answers[0]]
        case Quantity.CORRELATION:
            return truth.correlations.get((variable.key, variable.judges))
    return None


def _share(count: int, questions: int) -> mpq:
    if not questions:
        raise EmptyTest(questions, "a test without questions has no rates")
    return mpq(count, questions)


def _count(votes: VoteCounts, answers: Mapping[int, str]) -> int:
    return sum(
        count
        for pattern, count in votes.counts.items()
        if all(pattern[judge] == label for judge, label in answers.items())
    )


def _check_places(variable: Variable, judges: int, labels: tuple[str, ...]) -> None:
    if any(judge >= judges for judge in variable.judges):
        rule = f"there are only {judges} judges"
        raise BadVotes(variable.symbol, rule, "take postulates for as many judges as vote")
    for label in (variable.key, *variable.answers):
        if label and label not in labels:
            raise BadVotes(variable.symbol, f"the labels here are {', '.join(map(repr, labels))}")
