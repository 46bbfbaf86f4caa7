"""What number each variable is: observed in votes, or true of an evaluation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadVotes, EmptyTest, NtqrExactError
from ntqr_exact.evaluation import CountEvaluation, Evaluation, Rate
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.postulates.notation import NOTATION, VOTES, Quantity, Variable, definition_of, read_name
from ntqr_exact.postulates.polynomial import Monomial, Number, Polynomial, read_text
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

Truth: TypeAlias = "Evaluation | CountEvaluation | LabeledVoteCounts"
Residual: TypeAlias = "mpq | Surd | Undefined"
_AB = ("a", "b")


class MissingValue(NtqrExactError, ValueError):
    """A variable that the given evaluation does not determine, such as a correlation in mere counts."""


def observed_values(names: Iterable[str], votes: VoteCounts, labels: Sequence[str] = _AB) -> dict[str, mpq]:
    """Return the rational numbers that votes give to variables; the others are left out.

    >>> observed_values(["fa1", "Pa", "Q"], VoteCounts({"a": 3, "b": 1}))
    {'fa1': mpq(3,4), 'Q': mpq(4,1)}
    """
    votes.without_gaps("postulates")
    seen = [name for name in names if name != "root" and NOTATION[read_name(name).kind].side == VOTES]
    return {name: _observed(_named(name, labels, votes), votes) for name in seen}


def residual(
    polynomial: Polynomial, truth: Truth, votes: VoteCounts | None, labels: Sequence[str] = _AB
) -> Residual:
    """Return the value of a polynomial where the key's variables are those of `truth`, the votes' those seen."""
    if votes is None:
        if not isinstance(truth, LabeledVoteCounts):
            raise MissingValue(truth, "an evaluation does not hold the votes", "give the votes too")
        votes = truth.observed()
    votes.without_gaps("postulates")
    if votes.labels != truth.labels:
        raise BadVotes((votes.labels, truth.labels), "votes and evaluation must have the same labels")
    values: dict[str, Any] = {name: _value(name, truth, votes, labels) for name in polynomial.variables()}
    # The coefficient of each monomial in the undefined rates, of which all but that of 1 must vanish: a label
    # without questions has prevalence 0, and P_a·x_a is 0 whatever x_a would be.
    parts: dict[Monomial, Number] = {}
    for monomial, coefficient in polynomial.terms.items():
        rest = tuple(factor for factor in monomial if isinstance(values[factor[0]], Undefined))
        known = [values[name] ** power for name, power in monomial if (name, power) not in rest]
        parts[rest] = parts.get(rest, mpq(0)) + math.prod(known, start=coefficient)
    if any(value != 0 for monomial, value in parts.items() if monomial):
        return Undefined.NO_QUESTIONS
    total = parts.get((), mpq(0))
    return total.rational if isinstance(total, Surd) and total.is_rational else total


def _named(name: str, labels: Sequence[str], test: Truth | VoteCounts) -> Variable:
    """Return a variable with the labels of the votes; raises `BadVotes` for judges and labels that are not there."""
    variable = read_name(name).named(labels)
    rows = test.response_rates if isinstance(test, Evaluation) else getattr(test, "judges", ())
    judges = len(test.confusion if isinstance(test, CountEvaluation) else rows)
    if any(judge >= judges for judge in variable.judges) or (name == "root" and judges < 3):
        raise BadVotes(name, f"there are only {judges} judges", "take postulates for as many judges as vote")
    for label in (variable.key, *variable.answers):
        if label and label not in test.labels:
            raise BadVotes(label, f"the labels here are {', '.join(map(repr, test.labels))}")
    return variable


def _value(name: str, truth: Truth, votes: VoteCounts, labels: Sequence[str]) -> Rate:
    if NOTATION[read_name(name).kind].side == VOTES:
        seen: Rate = _observed(_named(name, labels, votes), votes)
        return seen
    variable = _named(name, labels, truth)
    match truth:
        case LabeledVoteCounts():
            value = _counted(variable, truth)
        case CountEvaluation():
            value = _from_counts(variable, truth)
        case _:
            value = _from_rates(variable, truth)
    if value is not None:
        return value
    definition = definition_of(read_name(name)) if len(truth.labels) == 2 else None
    if definition is None:
        rule = f"this {type(truth).__name__} does not determine {read_name(name).written(labels)}"
        raise MissingValue(truth, rule, "labeled votes determine everything")
    return residual(read_text(definition), truth, votes, labels)


def _observed(variable: Variable, votes: VoteCounts) -> Any:  # noqa: PLR0911 - a case each
    judges, answers = variable.judges, dict(zip(variable.judges, variable.answers, strict=False))
    match variable.kind:
        case Quantity.QUESTIONS:
            return mpq(votes.size)
        case Quantity.RESPONSES:
            return mpq(_count(votes, answers))
        case Quantity.FREQUENCY:
            return _share(_count(votes, answers), votes.size)
        case Quantity.PAIR_MOMENT:
            return votes.pair_moment(*judges)
        case Quantity.TRIO_MOMENT:
            return votes.trio_moment(*judges)
        case Quantity.AGREEMENT:
            return votes.agreement(*judges)
    product = votes.pair_moment(0, 1) * votes.pair_moment(0, 2) * votes.pair_moment(1, 2)
    return Surd.sqrt(votes.trio_moment(0, 1, 2) ** 2 + 4 * product)  # √A ≥ 0, imaginary where A < 0


def _counted(variable: Variable, truth: LabeledVoteCounts) -> Rate | None:  # noqa: PLR0911 - a case each
    """Count in the labeled votes; what is not counted directly has a definition."""
    kind = variable.kind
    if kind in (Quantity.ERROR, Quantity.JOINT_ERROR, Quantity.GRADE):
        matching = sum(
            count
            for label, votes in truth.by_label.items()
            for pattern, count in votes.counts.items()
            if all((pattern[judge] == label) is (kind is Quantity.GRADE) for judge in variable.judges)
        )
        return mpq(matching) if kind is Quantity.GRADE else _share(matching, truth.size)
    if not variable.key:
        return None
    votes = truth.by_label[variable.key]
    given = dict(zip(variable.judges, variable.answers or (variable.key,), strict=False))
    match kind:
        case Quantity.PREVALENCE:
            return _share(votes.size, truth.size)
        case Quantity.KEY_COUNT:
            return mpq(votes.size)
        case Quantity.KEY_RESPONSES:
            return mpq(_count(votes, given))
    if not votes.size:
        return Undefined.NO_QUESTIONS
    if kind is Quantity.CORRELATION:
        return votes.central_moment(variable.judges, label=variable.key)
    return mpq(_count(votes, given), votes.size)


def _from_counts(variable: Variable, truth: CountEvaluation) -> Rate | None:
    match variable.kind:
        case Quantity.KEY_COUNT:
            return mpq(truth.key_counts[variable.key])
        case Quantity.KEY_RESPONSES if len(variable.judges) == 1:
            return mpq(truth.confusion[variable.judges[0]][variable.key][variable.answers[0]])
    return _from_rates(variable, truth.rates())


def _from_rates(variable: Variable, truth: Evaluation) -> Rate | None:
    match variable.kind:
        case Quantity.PREVALENCE:
            return truth.prevalence[variable.key]
        case Quantity.ACCURACY | Quantity.RESPONSE_RATE:
            given = variable.answers[0] if variable.answers else variable.key
            return truth.response_rates[variable.judges[0]][variable.key][given]
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
