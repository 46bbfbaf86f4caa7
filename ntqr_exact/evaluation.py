"""Evaluations as values: what is, or could be, true of the judges on a test.

`CountEvaluation` lives in the space of responses: whole numbers of questions. `Evaluation` lives in the
space of rates: prevalence, accuracies and error correlations, as rationals or surds. They only hold
numbers; what is possible, consistent or best is for the layers above to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument, BadNumber, BadVotes, EmptyTest
from ntqr_exact.exact.json_text import decode_number, encode_number
from ntqr_exact.exact.rational import RationalLike, rational, whole_number
from ntqr_exact.exact.show import latex_array
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.undefined_value import Undefined as Undefined  # noqa: PLC0414  (it is asked for here, too)
from ntqr_exact.frozen_mapping import FrozenMapping

Rate: TypeAlias = "mpq | Surd | Undefined"
RateLike: TypeAlias = "RationalLike | Surd | Undefined"
Subset: TypeAlias = tuple[int, ...]
"""Two or more judges, by index, in increasing order."""


class _ByLabel:
    """Values by label, in order: equal if all numbers and the order of the labels are."""

    __slots__: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in order."""
        return tuple(getattr(self, self.__slots__[0]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return (self.labels, self._identity()) == (other.labels, other._identity())

    def __hash__(self) -> int:
        return hash((self.labels, self._identity()))

    def _identity(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__slots__])

    def _latex(self, column: str, right: Sequence[Mapping[str, Any]]) -> str:
        """Return a row for each label: its share or number of questions, and how right each judge is on it."""
        first = self._identity()[0]
        rows = [[label, first[label], *(each[label] for each in right)] for label in first]
        judges = [f"judge {place}" for place in range(1, len(right) + 1)]
        return f"${latex_array(['label', column, *judges], rows)}$"


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Evaluation(_ByLabel):
    """Prevalence of each label, and for each judge how often it gives each label, by true label.

    >>> evaluation = Evaluation.from_accuracies({"a": "2/5", "b": "3/5"}, [{"a": "1/2", "b": "3/4"}])
    >>> evaluation.prevalence["a"], evaluation.accuracy[0]["b"], evaluation.response_rates[0]["b"]["a"]
    (mpq(2,5), mpq(3,4), mpq(1,4))

    `correlations[label, (i, j)]` is the error correlation Γ^label_ij of judges i and j on the questions
    of that label: the mean of the product of (1 if right else 0) − accuracy; longer subsets likewise.
    """

    prevalence: Mapping[str, Rate]
    response_rates: tuple[Mapping[str, Mapping[str, Rate]], ...]
    correlations: Mapping[tuple[str, Subset], Rate]

    def __init__(
        self,
        prevalence: Mapping[str, RateLike],
        response_rates: Sequence[Mapping[str, Mapping[str, RateLike]]],
        correlations: Mapping[tuple[str, Subset], RateLike] | None = None,
    ) -> None:
        labels = tuple(prevalence)
        for rates in response_rates:
            _check_keys(rates, labels, "a judge has rates for each true label")
            for row in rates.values():
                _check_keys(row, labels, "a judge has a rate for each label it may give")
        checked: dict[tuple[str, Subset], Rate] = {}
        for key, value in (correlations or {}).items():
            label, subset = key
            places = range(len(response_rates))
            if label not in labels or len(subset) < 2 or list(subset) != sorted(set(subset) & set(places)):
                rule = "a correlation belongs to a label and two or more judges in increasing order"
                raise BadVotes(key, rule)
            checked[label, tuple(subset)] = _rate(value)
        _set(self, "prevalence", {label: _rate(value) for label, value in prevalence.items()})
        rows = tuple(
            FrozenMapping({a: FrozenMapping({b: _rate(rates[a][b]) for b in labels}) for a in labels})
            for rates in response_rates
        )
        object.__setattr__(self, "response_rates", rows)
        order = sorted(checked, key=lambda key: (labels.index(key[0]), len(key[1]), key[1]))
        _set(self, "correlations", {key: checked[key] for key in order})

    @classmethod
    def from_accuracies(
        cls,
        prevalence: Mapping[str, RateLike],
        accuracy: Sequence[Mapping[str, RateLike]],
        correlations: Mapping[tuple[str, Subset], RateLike] | None = None,
    ) -> Evaluation:
        """Return the evaluation of judges between two labels: a wrong answer is the other label."""
        labels = tuple(prevalence)
        if len(labels) != 2:
            rule = "accuracies alone make an evaluation only with two labels"
            raise BadVotes(labels, rule, "give response rates")
        for rates in accuracy:
            _check_keys(rates, labels, "a judge has an accuracy for each label")
        right = [{label: _rate(rates[label]) for label in labels} for rates in accuracy]
        rows = [
            _confusion(rates, {label: _complement(rate) for label, rate in rates.items()}) for rates in right
        ]
        return cls(prevalence, rows, correlations)

    @property
    def accuracy(self) -> tuple[dict[str, Rate], ...]:
        """How often each judge is right on the questions of each label."""
        return tuple({label: rates[label][label] for label in self.labels} for rates in self.response_rates)

    def __repr__(self) -> str:
        return f"Evaluation({self.prevalence!r}, {list(self.response_rates)!r}, {self.correlations!r})"

    def _repr_latex_(self) -> str:
        """Return prevalences and accuracies for a notebook, a row for each label."""
        return self._latex("share", self.accuracy)

    def to_document(self) -> dict[str, Any]:
        """Return the evaluation as a JSON document; an undefined rate is null."""
        return {
            "prevalence": {label: _encode(value) for label, value in self.prevalence.items()},
            "response_rates": [
                {label: {given: _encode(rate) for given, rate in row.items()} for label, row in rates.items()}
                for rates in self.response_rates
            ],
            "correlations": [
                {"label": label, "judges": list(subset), "value": _encode(value)}
                for (label, subset), value in self.correlations.items()
            ],
        }

    @classmethod
    def from_document(cls, document: object) -> Evaluation:
        """Return the evaluation that `to_document` wrote; raises `BadDocument` for anything else."""
        match document:
            case {"prevalence": dict(prevalence), "response_rates": list(rows), "correlations": list(terms)}:
                return cls(
                    _decoded(prevalence),
                    [{label: _decoded(row) for label, row in _object(rates).items()} for rates in rows],
                    dict(map(_correlation, terms)),
                )
        raise BadDocument(document, "an evaluation has prevalence, response_rates and correlations")


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class CountEvaluation(_ByLabel):
    """How many questions have each true label, and how often each judge gave each label on them.

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
        labels = tuple(key_counts)
        key = {label: whole_number(count) for label, count in key_counts.items()}
        rows = []
        for counts in confusion:
            _check_keys(counts, labels, "a judge has counts for each true label")
            checked = {}
            for label in labels:
                _check_keys(counts[label], labels, "a judge has a count for each label it may give")
                checked[label] = FrozenMapping(
                    {given: whole_number(counts[label][given]) for given in labels}
                )
                if sum(checked[label].values()) != key[label]:
                    rule = f"a judge gave one answer to each of the {key[label]} questions of {label!r}"
                    raise BadVotes(dict(checked[label]), rule)
            rows.append(FrozenMapping(checked))
        _set(self, "key_counts", key)
        object.__setattr__(self, "confusion", tuple(rows))

    @classmethod
    def from_correct(
        cls, key_counts: Mapping[str, RationalLike], correct: Iterable[Mapping[str, RationalLike]]
    ) -> CountEvaluation:
        """Return the evaluation of judges between two labels, from how often each was right, R^a_{a_i}."""
        labels = tuple(key_counts)
        if len(labels) != 2:
            rule = "right answers alone make an evaluation only with two labels"
            raise BadVotes(labels, rule, "give confusions")
        rows = []
        for right in correct:
            _check_keys(right, labels, "a judge has a number of right answers for each label")
            counts = {
                label: (whole_number(key_counts[label]), whole_number(right[label])) for label in labels
            }
            for label, (key, count) in counts.items():
                if count > key:
                    rule = f"a judge is right at most {key} times on the {key} questions of {label!r}"
                    raise BadVotes(count, rule)
            wrong = {label: key - count for label, (key, count) in counts.items()}
            rows.append(_confusion({label: count for label, (_, count) in counts.items()}, wrong))
        return cls(key_counts, rows)

    @property
    def size(self) -> int:
        """The number of questions, Q."""
        return sum(self.key_counts.values())

    @property
    def correct(self) -> tuple[dict[str, int], ...]:
        """How often each judge is right on the questions of each label, R^a_{a_i}."""
        return tuple({label: counts[label][label] for label in self.labels} for counts in self.confusion)

    def rates(self) -> Evaluation:
        """Return the same evaluation in rates; a label without questions leaves its rates undefined."""
        if self.size == 0:
            raise EmptyTest(self, "a test without questions has no rates")

        def share(count: int, label: str) -> Rate:
            asked = self.key_counts[label]
            return mpq(count, asked) if asked else Undefined.NO_QUESTIONS

        return Evaluation(
            {label: mpq(count, self.size) for label, count in self.key_counts.items()},
            [
                {label: {given: share(n, label) for given, n in row.items()} for label, row in counts.items()}
                for counts in self.confusion
            ],
        )

    def _repr_latex_(self) -> str:
        """Return key counts and right answers for a notebook, a row for each label."""
        return self._latex("questions", self.correct)

    def __repr__(self) -> str:
        if len(self.labels) == 2:
            return f"CountEvaluation.from_correct({self.key_counts!r}, {list(self.correct)!r})"
        return f"CountEvaluation({self.key_counts!r}, {list(self.confusion)!r})"


def _set(value: object, name: str, mapping: dict[Any, Any]) -> None:
    object.__setattr__(value, name, FrozenMapping(mapping))


def _confusion(right: Mapping[str, Any], wrong: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what a judge between two labels gives to each of them: what is not right is wrong."""
    return {
        label: {given: right[label] if given == label else wrong[label] for given in right} for label in right
    }


def defined(rate: Rate) -> mpq | Surd:
    """Return a rate that is a number; raises `EmptyTest` for one that is undefined."""
    if isinstance(rate, Undefined):
        raise EmptyTest(rate, "this rate is a share of no questions")
    return rate


def rational_rate(rate: Rate) -> mpq:
    """Return a rate that is rational; raises `BadNumber` for an irrational one."""
    number = defined(rate)
    if isinstance(number, Surd):
        raise BadNumber(number, "this rate is not rational")
    return number


def _rate(value: RateLike) -> Rate:
    """Take a number through the door; a surd that is rational is kept as a rational."""
    if isinstance(value, Surd):
        return value if value.coefficient else value.rational
    return value if isinstance(value, Undefined) else rational(value)


def _complement(rate: Rate) -> Rate:
    return rate if isinstance(rate, Undefined) else 1 - rate


def _check_keys(mapping: Mapping[str, Any], labels: tuple[str, ...], rule: str) -> None:
    if tuple(mapping) != labels and set(mapping) != set(labels):
        raise BadVotes(sorted(mapping), f"{rule}: {', '.join(map(repr, labels))}")


def _encode(rate: Rate) -> object:
    return None if isinstance(rate, Undefined) else encode_number(rate)


def _object(document: object) -> dict[str, Any]:
    if not isinstance(document, dict):
        raise BadDocument(document, "rates are an object with a value for each label")
    return document


def _decoded(document: object) -> dict[str, Rate]:
    return {label: _decode(rate) for label, rate in _object(document).items()}


def _correlation(document: object) -> tuple[tuple[str, Subset], Rate]:
    match document:
        case {"label": str(label), "judges": list(judges), "value": value} if all(
            type(judge) is int for judge in judges
        ):
            return (label, tuple(judges)), _decode(value)
    raise BadDocument(document, "a correlation has a label, a list of the places of judges, and a value")


def _decode(document: object) -> Rate:
    return Undefined.NO_QUESTIONS if document is None else decode_number(document)
