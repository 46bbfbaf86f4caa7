"""Evaluations as values: what is, or could be, true of the judges on a test.

`CountEvaluation` holds whole numbers of questions, `Evaluation` rates: prevalence, response rates and error
correlations, as rationals or surds. What is possible, consistent or best is for the layers above to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, BadVotes, EmptyTest
from ntqr_exact.exact.json_text import as_document, fields_document
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.exact.show import latex_array
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined as Undefined  # noqa: PLC0414  (public here, too)
from ntqr_exact.frozen_mapping import FrozenMapping

Rate: TypeAlias = "mpq | Surd | Undefined"
RateLike: TypeAlias = "RationalLike | Surd | Undefined"
Correlations: TypeAlias = "Mapping[tuple[str, tuple[int, ...]], RateLike]"


@dataclass(frozen=True, slots=True, init=False)
class Evaluation:
    """Prevalence of each label, and for each judge how often it gives each label, by true label.

    >>> evaluation = Evaluation.from_accuracies({"a": "2/5", "b": "3/5"}, [{"a": "1/2", "b": "3/4"}])
    >>> evaluation.prevalence["a"], evaluation.accuracy[0]["b"], evaluation.response_rates[0]["b"]["a"]
    (mpq(2,5), mpq(3,4), mpq(1,4))

    `correlations[label, (i, j)]` is the error correlation Γ^label_ij of judges i and j, i < j, on the questions of that
    label: the mean of the product of (1 if right else 0) − accuracy; of more judges likewise.
    """

    prevalence: Mapping[str, Rate]
    response_rates: tuple[Mapping[str, Mapping[str, Rate]], ...]
    correlations: Mapping[tuple[str, tuple[int, ...]], Rate]

    def __init__(
        self,
        prevalence: Mapping[str, RateLike],
        response_rates: Sequence[Mapping[str, Mapping[str, RateLike]]],
        correlations: Correlations | None = None,
    ) -> None:
        labels, given = tuple(prevalence), dict(correlations or {})
        for label, subset in given:
            known = {*subset}.intersection(range(len(response_rates)))
            if label not in labels or len(subset) < 2 or list(subset) != sorted(known):
                rule = "a correlation must have a label and two or more judges in increasing order"
                raise BadVotes((label, subset), rule)
        order = sorted(given, key=lambda key: (labels.index(key[0]), len(key[1]), key[1]))
        shares, rates = _tables(prevalence, response_rates, _rate)
        object.__setattr__(self, "prevalence", shares)
        object.__setattr__(self, "response_rates", rates)
        object.__setattr__(self, "correlations", FrozenMapping({key: _rate(given[key]) for key in order}))

    @classmethod
    def from_accuracies(
        cls,
        prevalence: Mapping[str, RateLike],
        accuracy: Sequence[Mapping[str, RateLike]],
        correlations: Correlations | None = None,
    ) -> Evaluation:
        """Return the evaluation of judges between two labels: a wrong answer is the other label."""
        return cls(prevalence, _of_two(accuracy, dict.fromkeys(prevalence, 1), _rate), correlations)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in order."""
        return tuple(self.prevalence)

    @property
    def accuracy(self) -> tuple[dict[str, Rate], ...]:
        """How often each judge is right on the questions of each label."""
        return tuple({label: rates[label][label] for label in self.labels} for rates in self.response_rates)

    def _repr_latex_(self) -> str:
        return _latex("share", self.prevalence, self.accuracy)

    def to_document(self) -> dict[str, Any]:
        """Return the evaluation as a JSON document; an undefined rate is null."""
        document = fields_document(self)
        document["correlations"] = [
            {"label": label, "judges": list(subset), "value": as_document(value)}
            for (label, subset), value in self.correlations.items()
        ]
        return document


@dataclass(frozen=True, slots=True, init=False)
class CountEvaluation:
    """How many questions have each true label, and how often each judge gave each label on those that it answered.

    >>> evaluation = CountEvaluation.from_correct({"a": 4, "b": 6}, [{"a": 3, "b": 5}])
    >>> evaluation.confusion[0]["b"]["a"], evaluation.rates().accuracy[0]["a"]
    (1, mpq(3,4))
    """

    key_counts: Mapping[str, int]
    confusion: tuple[Mapping[str, Mapping[str, int]], ...]

    def __init__(
        self,
        key_counts: Mapping[str, RationalLike],
        confusion: Sequence[Mapping[str, Mapping[str, RationalLike]]],
    ) -> None:
        key, judges = _tables(key_counts, confusion, whole_number)
        for counts in judges:
            for label, row in counts.items():
                if sum(row.values()) > key[label]:  # fewer: the judge did not answer the others
                    raise BadVotes(dict(row), f"the answers on label {label!r} must be at most {key[label]}")
        object.__setattr__(self, "key_counts", key)
        object.__setattr__(self, "confusion", judges)

    @classmethod
    def from_correct(
        cls, key_counts: Mapping[str, RationalLike], correct: Sequence[Mapping[str, RationalLike]]
    ) -> CountEvaluation:
        """Return the evaluation of judges between two labels, from how often each was right, R^a_{a_i}."""
        judges = _of_two(correct, key_counts, whole_number)
        if any(count < 0 for rows in judges for row in rows.values() for count in row.values()):
            raise BadVotes(list(correct), f"right answers must be at most {dict(key_counts)}")
        return cls(key_counts, judges)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in order."""
        return tuple(self.key_counts)

    @property
    def size(self) -> int:
        """The number of questions, Q."""
        return sum(self.key_counts.values())

    @property
    def correct(self) -> tuple[dict[str, int], ...]:
        """How often each judge is right on the questions of each label, R^a_{a_i}."""
        return tuple({label: counts[label][label] for label in self.labels} for counts in self.confusion)

    def rates(self, correlations: Correlations | None = None) -> Evaluation:
        """Return the same evaluation in rates, of the questions that each judge answered; undefined without any."""
        if self.size == 0:
            raise EmptyTest(self, "evaluation must have at least one question for rates")

        def shares(row: Mapping[str, int]) -> dict[str, Rate]:
            total = sum(row.values())
            return {given: mpq(n, total) if total else Undefined.NO_QUESTIONS for given, n in row.items()}

        return Evaluation(
            {label: mpq(count, self.size) for label, count in self.key_counts.items()},
            [{label: shares(row) for label, row in counts.items()} for counts in self.confusion],
            correlations,
        )

    def _repr_latex_(self) -> str:
        return _latex("questions", self.key_counts, self.correct)


def defined(rate: Rate) -> mpq | Surd:
    """Return a rate that is a number; raises `EmptyTest` for one that is undefined."""
    if isinstance(rate, Undefined):
        raise EmptyTest(rate, "rate must be a share of at least one question")
    return rate


def rational_rate(rate: Rate) -> mpq:
    """Return a rate that is rational; raises `BadNumber` for an irrational one."""
    if isinstance(number := defined(rate), Surd):
        raise BadNumber(number, "rate must be rational")
    return number


def plain(number: mpq | Surd) -> mpq | Surd:
    """Return a rational number as such, also if it was computed from roots."""
    return number.rational if isinstance(number, Surd) and number.is_rational else number


def _rate(value: RateLike) -> Rate:
    if isinstance(value, Undefined):
        return value
    return plain(value if isinstance(value, Surd) else rational(value))


def _tables(amounts: Mapping[str, Any], judges: Iterable[Any], number: Callable[[Any], Any]) -> Any:
    """Return the amount of each label, and what each judge gives to each of them, in the order of the labels."""

    def ordered(mapping: Mapping[str, Any], convert: Any = number) -> FrozenMapping[str, Any]:
        if mapping.keys() != amounts.keys():
            rule = f"a judge must have a value for each of the labels {', '.join(amounts)}"
            raise BadVotes(sorted(mapping), rule)
        return FrozenMapping({label: convert(mapping[label]) for label in amounts})

    return ordered(amounts), tuple(ordered(by_label, ordered) for by_label in judges)


def _of_two(
    judges: Iterable[Mapping[str, Any]], all_of: Mapping[str, Any], number: Callable[[Any], Any]
) -> list[dict[str, dict[str, Any]]]:
    """Return for each judge the row of each true label: what is not right is the other label."""
    if len(all_of) != 2:
        rule = "labels must be two where only right answers are given"
        raise BadVotes(tuple(all_of), rule, "give confusions")

    def row(label: str, amount: Any) -> dict[str, Any]:
        right = number(amount)
        wrong = right if isinstance(right, Undefined) else number(all_of.get(label, 0)) - right
        return {given: right if given == label else wrong for given in all_of}

    return [{label: row(label, amount) for label, amount in right.items()} for right in judges]


def _latex(column: str, amounts: Mapping[str, Any], right: Sequence[Mapping[str, Any]]) -> str:
    rows = [[label, amounts[label], *(each[label] for each in right)] for label in amounts]
    judges = [f"judge {number}" for number in range(1, len(right) + 1)]
    return f"${latex_array(['label', column, *judges], rows)}$"
