"""A metric model: how often what it observes is real, class by class.

A metric model M labels the outputs of the models that are compared. Of its labels only one thing matters here:
for each observed class o, the probability r_o = P(R = 1 | O = o) that the output is really positive. With two
classes these are the precision π and the false omission rate φ.

The performance of one model, as a metric model observes it and as it really is on average.

Observed, p^O is the share of outputs that were labelled positive; really, p^R = Σ_o P(R=1|O=o) P(O=o), which
is φ + δ p^O for two classes. Goyal, Hu and Gupta 2023, eq. 3, 4, 10 and 17.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, EmptyTest
from ntqr_exact.exact.rational import RationalLike, probability, rational, whole_number
from ntqr_exact.exact.show import latex_array

POSITIVE = "positive"
NEGATIVE = "negative"


@dataclass(frozen=True, slots=True)
class ObservedClass:
    """A label that the metric model may give, and how often it is really positive, P(R = 1 | O = o).

    `rate_variance` is the variance of the rate if it was estimated, 0 if it is taken as known; `counts_as` is
    the value, 0 or 1, of this label for a metric that takes labels at their word.
    """

    name: str
    rate: mpq
    rate_variance: mpq
    counts_as: int


@dataclass(frozen=True, slots=True, init=False, repr=False)
class MetricModel:
    """The precision π = P(R=1|O=1) and false omission rate φ = P(R=1|O=0) of a metric model.

    >>> metric = MetricModel(precision="0.8897", false_omission="0.22769")
    >>> metric.precision, metric.slope
    (mpq(8897,10000), mpq(66201,100000))

    Rates that are given are taken as known exactly; `from_counts` estimates them, with their variances, and
    `of_classes` takes more than two classes. Goyal, Hu and Gupta 2023, eq. 10 and 17. Raises `BadNumber` for a
    rate outside [0, 1] and for a negative variance.
    """

    classes: tuple[ObservedClass, ...]

    def __init__(
        self,
        precision: RationalLike,
        false_omission: RationalLike,
        *,
        precision_variance: RationalLike = 0,
        false_omission_variance: RationalLike = 0,
    ) -> None:
        rates = {NEGATIVE: false_omission, POSITIVE: precision}
        variances = {NEGATIVE: false_omission_variance, POSITIVE: precision_variance}
        object.__setattr__(self, "classes", _classes(rates, (POSITIVE,), variances))

    @classmethod
    def of_classes(
        cls,
        rates: Mapping[str, RationalLike],
        *,
        positive: Collection[str],
        variances: Mapping[str, RationalLike] | None = None,
    ) -> MetricModel:
        """Return a metric model with any classes: rates P(R=1|O=o), and which classes are taken as positive.

        >>> metric = MetricModel.of_classes({"no": "1/10", "perhaps": "1/2", "yes": "9/10"}, positive=["yes"])
        >>> [observed.counts_as for observed in metric.classes]
        [0, 0, 1]
        """
        model = object.__new__(cls)
        object.__setattr__(model, "classes", _classes(rates, positive, variances or {}))
        return model

    @classmethod
    def from_counts(
        cls, *, tp: RationalLike, fp: RationalLike, fn: RationalLike, tn: RationalLike
    ) -> MetricModel:
        """Return the metric model estimated on its own labelled set: π̂ = TP/(TP+FP), φ̂ = FN/(FN+TN).

        >>> metric = MetricModel.from_counts(tp=3, fp=1, fn=1, tn=4)
        >>> metric.precision, metric.classes[1].rate_variance
        (mpq(3,4), mpq(1,16))

        The variances r̂(1 − r̂)/(n − 1) are unbiased given how often each label was observed. Raises `BadNumber`
        where a label was observed fewer than twice, since one observation has no variance.
        """
        true_positive, false_positive, false_negative, true_negative = map(whole_number, (tp, fp, fn, tn))
        seen = {NEGATIVE: false_negative + true_negative, POSITIVE: true_positive + false_positive}
        real = {NEGATIVE: false_negative, POSITIVE: true_positive}
        for name, count in seen.items():
            if count < 2:
                raise BadNumber(
                    count,
                    f"the labelled set holds at least 2 outputs observed as {name}",
                    "give the rates themselves",
                )
        rates = {name: mpq(real[name], count) for name, count in seen.items()}
        variances = {name: rates[name] * (1 - rates[name]) / (count - 1) for name, count in seen.items()}
        return cls.of_classes(rates, positive=(POSITIVE,), variances=variances)

    @classmethod
    def from_confusion(cls, confusion: Any) -> MetricModel:
        """Return the metric model estimated on a labelled set whose `ConfusionMatrix` is known; see `from_counts`.

        >>> from ntqr_exact import ConfusionMatrix
        >>> MetricModel.from_confusion(ConfusionMatrix(tp=3, fp=1, fn=1, tn=4)).false_omission
        mpq(1,5)
        """
        return cls.from_counts(tp=confusion.tp, fp=confusion.fp, fn=confusion.fn, tn=confusion.tn)

    @property
    def is_binary(self) -> bool:
        """Whether there are just the two classes of precision and false omission rate."""
        return tuple(observed.name for observed in self.classes) == (NEGATIVE, POSITIVE)

    @property
    def is_estimated(self) -> bool:
        """Whether a rate has a variance, having been estimated."""
        return any(observed.rate_variance for observed in self.classes)

    @property
    def is_perfect(self) -> bool:
        """Whether every label can be taken at its word: π = 1 and φ = 0."""
        return all(observed.rate == observed.counts_as for observed in self.classes)

    @property
    def precision(self) -> mpq:
        """The precision π = P(R=1|O=1)."""
        return self._rate(POSITIVE)

    @property
    def false_omission(self) -> mpq:
        """The false omission rate φ = P(R=1|O=0)."""
        return self._rate(NEGATIVE)

    @property
    def slope(self) -> mpq:
        """The slope δ = π − φ, by which a difference of observed rates becomes one of real rates."""
        return self.precision - self.false_omission

    def _repr_latex_(self) -> str:
        """Return the chance of being real for a notebook, a row for each observed class."""
        rows = [[each.name, each.rate, each.rate_variance] for each in self.classes]
        return f"${latex_array(['observed', 'really positive', 'variance'], rows)}$"

    def __repr__(self) -> str:
        rates = {observed.name: str(observed.rate) for observed in self.classes}
        variances = {o.name: str(o.rate_variance) for o in self.classes if o.rate_variance}
        if self.is_binary:
            known = f"precision={rates[POSITIVE]!r}, false_omission={rates[NEGATIVE]!r}"
            more = "".join(
                f", {word}_variance={variances[name]!r}"
                for word, name in (("precision", POSITIVE), ("false_omission", NEGATIVE))
                if name in variances
            )
            return f"MetricModel({known}{more})"
        positive = [observed.name for observed in self.classes if observed.counts_as]
        return f"MetricModel.of_classes({rates}, positive={positive}, variances={variances})"

    def _rate(self, name: str) -> mpq:
        if not self.is_binary:
            names = [observed.name for observed in self.classes]
            raise BadNumber(names, f"only a metric model of two classes has this rate of {name} labels")
        return next(observed.rate for observed in self.classes if observed.name == name)


def _classes(
    rates: Mapping[str, RationalLike], positive: Collection[str], variances: Mapping[str, RationalLike]
) -> tuple[ObservedClass, ...]:
    if len(rates) < 2:
        raise BadNumber(sorted(rates), "a metric model tells at least two classes apart")
    for name in (*positive, *variances):
        if name not in rates:
            raise BadNumber(name, f"a class is one of {', '.join(map(repr, rates))}")
    return tuple(
        ObservedClass(name, probability(rate), _variance(variances.get(name, 0)), int(name in positive))
        for name, rate in rates.items()
    )


def _variance(value: RationalLike) -> mpq:
    number = rational(value)
    if number < 0:
        raise BadNumber(value, "a variance must not be negative")
    return number


SampleLike: TypeAlias = "tuple[RationalLike, RationalLike] | Mapping[str, RationalLike] | Iterable[Any]"
"""What was observed: positives and total, how often each class was seen, or a column with the class of each output."""


@dataclass(frozen=True, slots=True)
class Performance:
    """How often the metric model observed each class on the outputs of one model."""

    counts: tuple[int, ...]
    metric: MetricModel

    @property
    def size(self) -> int:
        """The number of outputs, N."""
        return sum(self.counts)

    @property
    def positives(self) -> int:
        """How many outputs were observed as positive."""
        pairs = zip(self.counts, self.metric.classes, strict=True)
        return sum(count for count, observed in pairs if observed.counts_as)

    @property
    def shares(self) -> tuple[mpq, ...]:
        """The share of each observed class, P(O = o)."""
        return tuple(mpq(count, self.size) for count in self.counts)

    @property
    def observed_rate(self) -> mpq:
        """The share of outputs observed as positive, p^O."""
        return self.mean([mpq(observed.counts_as) for observed in self.metric.classes])

    @property
    def real_rate(self) -> mpq:
        """The estimated share of outputs that are really positive, p^R = Σ_o P(R=1|O=o) P(O=o)."""
        return self.mean([observed.rate for observed in self.metric.classes])

    def mean(self, values: list[mpq]) -> mpq:
        """Return the mean of a value for each class."""
        return sum((share * value for share, value in zip(self.shares, values, strict=True)), mpq(0))


def performance(sample: SampleLike, *, metric: MetricModel) -> Performance:
    """Return the performance of a model of which `sample` was observed, p^R = φ + δ p^O.

    >>> from ntqr_exact import rational
    >>> model = performance((108, 23679), metric=MetricModel("0.8897", "0.22769"))
    >>> model.observed_rate, model.real_rate == rational("0.22769") + rational("0.66201") * mpq(108, 23679)
    (mpq(4,877), True)

    A sample is (positives, total), or for any metric model a count for each of its classes. A column of outcomes, any
    sequence but a pair, is counted: 0 and 1, false and true, or names of classes. Raises `EmptyTest`
    for an empty sample, `BadNumber` for more positives than outputs, for fewer than 2 outputs (one output
    has no sample variance) and for unknown classes.
    """
    if isinstance(sample, Mapping):
        counts = _class_counts(sample, metric)
    elif not (isinstance(sample, tuple | list) and len(sample) == 2):
        seen = Counter(outcomes(sample, metric))
        counts = tuple(seen[place] for place in range(len(metric.classes)))
    else:
        if not metric.is_binary:
            names = ", ".join(repr(observed.name) for observed in metric.classes)
            raise BadNumber(sample, "this metric model has more classes", f"give a count for each of {names}")
        positives, total = map(whole_number, sample)
        if positives > total:
            raise BadNumber(sample, "there are at most as many positives as outputs")
        counts = (total - positives, positives)
    size = sum(counts)
    if size == 0:
        raise EmptyTest(sample, "a sample holds outputs")
    if size < 2:
        raise BadNumber(size, "a variance needs at least 2 outputs")
    return Performance(counts, metric)


def outcomes(column: Iterable[Any], metric: MetricModel) -> list[int]:
    """Return the place of the class of each output, from names of classes, or 0 and 1 for two of them.

    >>> outcomes([True, 0, "positive"], MetricModel(1, 0))
    [1, 0, 1]
    """
    places: dict[Any, int] = {observed.name: place for place, observed in enumerate(metric.classes)}
    if metric.is_binary:
        places |= {False: 0, True: 1}
    if isinstance(column, str) or not isinstance(column, Iterable):
        raise BadNumber(column, "a sample is a pair: positives, total; or a column of outcomes")
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    found: list[int] = []
    for place, value in enumerate(values):
        try:
            found.append(places[value])
        except (KeyError, TypeError):  # a list has no hash, nor has a tuple that holds one
            known = ", ".join(map(repr, places))
            raise BadNumber(value, f"outcome {place + 1} is none of {known}") from None
    return found


def _class_counts(sample: Mapping[str, RationalLike], metric: MetricModel) -> tuple[int, ...]:
    names = [observed.name for observed in metric.classes]
    if set(sample) != set(names):
        raise BadNumber(sorted(sample), f"a sample has a count for each class: {', '.join(map(repr, names))}")
    return tuple(whole_number(sample[name]) for name in names)
