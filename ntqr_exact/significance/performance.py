"""The performance of one model, as a metric model observes it and as it really is on average.

Observed, p^O is the share of outputs that were labelled positive; really, p^R = Σ_o P(R=1|O=o) P(O=o), which
is φ + δ p^O for two classes. Goyal, Hu and Gupta 2023, eq. 3, 4, 10 and 17.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber, EmptyTest
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.significance.metric_model import MetricModel

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
        return self._mean([mpq(observed.counts_as) for observed in self.metric.classes])

    @property
    def real_rate(self) -> mpq:
        """The estimated share of outputs that are really positive, p^R = Σ_o P(R=1|O=o) P(O=o)."""
        return self._mean([observed.rate for observed in self.metric.classes])

    def _mean(self, values: list[mpq]) -> mpq:
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
    for place, value in enumerate(values):
        if not isinstance(value, Hashable) or value not in places:
            known = ", ".join(map(repr, places))
            raise BadNumber(value, f"outcome {place + 1} is none of {known}")
    return [places[value] for value in values]


def _class_counts(sample: Mapping[str, RationalLike], metric: MetricModel) -> tuple[int, ...]:
    names = [observed.name for observed in metric.classes]
    if set(sample) != set(names):
        raise BadNumber(sorted(sample), f"a sample has a count for each class: {', '.join(map(repr, names))}")
    return tuple(whole_number(sample[name]) for name in names)
