"""Metric models, what they observe, the readings of "the variance" of a performance, and shares corrected for errors.

A model's performance is the share of positives: observed, p^O, how often its outputs were labelled positive; really,
p^R = Σ_o P(R=1|O=o) P(O=o), which is φ + δ p^O for two classes. Goyal, Hu and Gupta 2023, eq. 3, 4, 10 and 17.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gmpy2 import mpq

from ntqr_exact.choice import Choice
from ntqr_exact.columns.inputs import label_list
from ntqr_exact.errors import BadNumber, EmptyTest, listed
from ntqr_exact.exact.rational import RationalLike, probability, rational, whole_number
from ntqr_exact.sampling.designs import Binomial, Share, check_level, counted, independent_share
from ntqr_exact.sampling.intervals import interval

NEGATIVE, POSITIVE = "negative", "positive"


@dataclass(frozen=True, slots=True)
class ObservedClass:
    """A label that the metric model may give, and how often it is really positive, P(R = 1 | O = o)."""

    name: str
    rate: mpq
    rate_variance: mpq
    """0 if the rate is taken as known, not estimated."""
    counts_as: int
    """The value, 0 or 1, of this label where labels are taken as given."""


@dataclass(frozen=True, slots=True, init=False)
class MetricModel:
    """The precision π = P(R=1|O=1) and false omission rate φ = P(R=1|O=0) of a metric model, taken as known.

    >>> metric = MetricModel(precision="0.8897", false_omission="0.22769")
    >>> metric.precision, metric.slope
    (mpq(8897,10000), mpq(66201,100000))

    Raises `BadNumber` for a rate outside [0, 1] and a negative variance.
    """

    classes: tuple[ObservedClass, ...]

    def __init__(self, precision: RationalLike, false_omission: RationalLike) -> None:
        other = MetricModel.of_classes({NEGATIVE: false_omission, POSITIVE: precision}, positive=[POSITIVE])
        object.__setattr__(self, "classes", other.classes)

    @classmethod
    def of_classes(
        cls,
        rates: Mapping[str, RationalLike],
        *,
        positive: Collection[str],
        variances: Mapping[str, RationalLike] | None = None,
    ) -> MetricModel:
        """Return a metric model with any classes: rates P(R=1|O=o), and which classes are taken as positive."""
        if len(rates) < 2:
            raise BadNumber(sorted(rates), "a metric model must have at least two classes")
        for name in (*positive, *(variances or {})):
            if name not in rates:
                raise BadNumber(name, f"a class must be one of {listed(rates)}")
        errors = {name: rational((variances or {}).get(name, 0)) for name in rates}
        if min(errors.values()) < 0:
            raise BadNumber(min(errors.values()), "a variance must not be negative")
        shares = {name: probability(rate) for name, rate in rates.items()}
        classes = tuple(ObservedClass(x, p, errors[x], int(x in positive)) for x, p in shares.items())
        model = object.__new__(cls)
        object.__setattr__(model, "classes", classes)
        return model

    @classmethod
    def from_counts(
        cls, *, tp: RationalLike, fp: RationalLike, fn: RationalLike, tn: RationalLike
    ) -> MetricModel:
        """Return the metric model estimated on its own labelled set: π̂ = TP/(TP+FP), φ̂ = FN/(FN+TN).

        The variances r̂(1 − r̂)/(n − 1) are unbiased given how often each label was observed. Raises `BadNumber`
        where a label was observed fewer than twice, since one observation has no variance.
        """
        rates, variances = {}, {}
        for name, real, other in ((NEGATIVE, fn, tn), (POSITIVE, tp, fp)):
            count = whole_number(real) + whole_number(other)
            if count < 2:
                rule = f"the labelled set must have at least 2 outputs observed as {name}"
                raise BadNumber(count, rule, "give the rates themselves")
            rates[name] = mpq(whole_number(real), count)
            variances[name] = rates[name] * (1 - rates[name]) / (count - 1)
        return cls.of_classes(rates, positive=(POSITIVE,), variances=variances)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the classes."""
        return tuple(observed.name for observed in self.classes)

    @property
    def is_binary(self) -> bool:
        """Whether there are just the two classes of precision and false omission rate."""
        return self.names == (NEGATIVE, POSITIVE)

    @property
    def precision(self) -> mpq:
        """The precision π = P(R=1|O=1)."""
        return self._two_rates()[1]

    @property
    def false_omission(self) -> mpq:
        """The false omission rate φ = P(R=1|O=0)."""
        return self._two_rates()[0]

    @property
    def slope(self) -> mpq:
        """The slope δ = π − φ, by which a difference of observed rates becomes one of real rates."""
        return self.precision - self.false_omission

    def _two_rates(self) -> tuple[mpq, mpq]:
        if not self.is_binary:
            raise BadNumber(self.names, "a metric model must have two classes for a precision")
        return self.classes[0].rate, self.classes[1].rate


SampleLike: TypeAlias = "Share | Mapping[str, RationalLike] | Iterable[Any]"
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
    def observed_rate(self) -> mpq:
        """The share of outputs observed as positive, p^O."""
        return mpq(self.positives, self.size)

    @property
    def real_rate(self) -> mpq:
        """The estimated share of outputs that are really positive, p^R = Σ_o P(R=1|O=o) P(O=o)."""
        return self.mean([observed.rate for observed in self.metric.classes])

    def mean(self, values: list[mpq]) -> mpq:
        """Return the mean over the outputs of a value for each class."""
        return sum((n * value for n, value in zip(self.counts, values, strict=True)), mpq(0)) / self.size


def performance(sample: SampleLike, *, metric: MetricModel) -> Performance:
    """Return the performance of a model of which `sample` was observed, p^R = φ + δ p^O.

    >>> performance((108, 23679), metric=MetricModel("0.8897", "0.22769")).observed_rate
    mpq(4,877)

    A sample is (positives, total), or a count for each class of the metric model, or a column of outcomes, any
    sequence but a pair: 0 and 1, false and true, or names of classes. Raises `EmptyTest` for an empty sample,
    `BadNumber` for more positives than outputs, for fewer than 2 outputs and for unknown classes.
    """
    names, is_pair = metric.names, isinstance(sample, tuple | list) and len(sample) == 2
    if not isinstance(sample, Mapping) and not is_pair:
        seen = Counter(outcomes(sample, metric))
        sample = {name: seen[name] for name in names}
    elif not isinstance(sample, Mapping) and metric.is_binary:
        positives, total = counted(tuple(sample))
        sample = {NEGATIVE: total - positives, POSITIVE: positives}
    if not isinstance(sample, Mapping) or set(sample) != set(names):
        raise BadNumber(sample, f"sample must have a count for each of {', '.join(names)}")
    counts = tuple(whole_number(sample[name]) for name in names)
    if sum(counts) < 2:
        raise (BadNumber if sum(counts) else EmptyTest)(sample, "a sample must have at least 2 outputs")
    return Performance(counts, metric)


def outcomes(column: Iterable[Any], metric: MetricModel) -> list[str]:
    """Return the class of each output, from names of classes, or 0 and 1 for two of them."""
    names: dict[Any, str] = {name: name for name in metric.names}
    names |= {False: NEGATIVE, True: POSITIVE} if metric.is_binary else {}
    values = label_list(column)
    for row, value in enumerate(values, start=1):
        if value not in names:
            raise BadNumber(value, f"outcome {row} must be one of {listed(names)}")
    return [names[value] for value in values]


# -- variances ---------------------------------------------------------------------------------------


class VarianceReading(Choice):
    """Which variance is meant: its formula for two classes, and the number of which it is the variance."""

    formula: str
    meaning: str

    DETERMINISTIC = "deterministic", "p(1−p)/(N−1)", "the observed share, labels taken as given"
    ESTIMATOR = "estimator", "δ²p(1−p)/(N−1)", "the estimate φ + δp that can be computed, with π and φ known"
    GIVEN_LABELS = (
        "given-labels",
        "[N₊π(1−π) + N₋φ(1−φ)]/N²",
        "the real share of just these outputs, given their observed labels",
    )
    ESTIMATED_RATES = (
        "estimated-rates",
        "δ²p(1−p)/(N−1) + p²Var(π̂) + (1−p)²Var(φ̂)",
        "the estimate φ̂ + δ̂p, with π and φ estimated on a labelled set",
    )

    def __new__(cls, value: object, formula: str = "", meaning: str = "") -> VarianceReading:  # noqa: D102
        reading = object.__new__(cls)
        reading._value_, reading.formula, reading.meaning = value, formula, meaning
        return reading


JointCounts: TypeAlias = tuple[tuple[int, ...], ...]
"""How often each class of the control (row) was observed with each of the treatment (column)."""

_NOTHING = mpq(0)


@dataclass(frozen=True, slots=True)
class VarianceParts:
    """The numbers a, b, c of V(N) = a/(N−1) + b/N + c; none is negative in a variance.

    a comes from which outputs were drawn, where the mean had to be estimated, b from the metric model's errors on just
    these outputs, c from estimated rates.
    """

    per_degree: mpq = _NOTHING
    per_output: mpq = _NOTHING
    fixed: mpq = _NOTHING

    def plus(self, other: VarianceParts, times: int = 1) -> VarianceParts:
        """Return the sum with a multiple of other parts."""
        return VarianceParts(
            self.per_degree + times * other.per_degree,
            self.per_output + times * other.per_output,
            self.fixed + times * other.fixed,
        )

    def at(self, size: int) -> mpq:
        """Return V(N) for N ≥ 2."""
        return self.per_degree / (size - 1) + self.per_output / size + self.fixed


def variance_parts(model: Performance, reading: VarianceReading | str) -> VarianceParts:
    """Return the parts of the variance of one model's performance under a reading."""
    if VarianceReading(reading) is VarianceReading.GIVEN_LABELS:
        # What is left to chance once the observed labels are known.
        left = model.mean([observed.rate * (1 - observed.rate) for observed in model.metric.classes])
        return VarianceParts(per_output=left)
    places = range(len(model.counts))
    own = tuple(tuple(model.counts[x] if x == y else 0 for y in places) for x in places)
    return covariance_parts(model, model, reading, joint=own, same_labelled_set=True)


def covariance_parts(
    control: Performance,
    treatment: Performance,
    reading: VarianceReading | str,
    *,
    joint: JointCounts | None,
    same_labelled_set: bool = False,
) -> VarianceParts:
    """Return the parts of the covariance of two performances; they may be negative.

    `joint` counts the pairs of classes observed of control and treatment on the same questions; `None` means
    independent samples. For real labels Cov(R_C, R_T) = Σ r_x r_y P(x, y) − p^R_C p^R_T (Goyal, Hu and Gupta 2023, eq.
    18 to 20), if given both observed labels the real labels are independent, and each depends on its own observed label
    only. Rates that both models took from one labelled set err in common: Σ_o P(O_C=o) P(O_T=o) Var(r̂_o).
    """
    kind = VarianceReading(reading)
    if kind is VarianceReading.GIVEN_LABELS:
        return VarianceParts()
    as_given = kind is VarianceReading.DETERMINISTIC
    left, right = (
        [mpq(one.counts_as) if as_given else one.rate for one in model.metric.classes]
        for model in (control, treatment)
    )
    spread = common = mpq(0)
    if joint is not None:
        cells = ((x, y, count) for x, row in enumerate(joint) for y, count in enumerate(row))
        spread = sum((count * left[x] * right[y] for x, y, count in cells), mpq(0)) / control.size
        spread -= control.mean(left) * treatment.mean(right)
    if kind is VarianceReading.ESTIMATED_RATES and same_labelled_set:
        shares = [mpq(count, control.size) for count in control.counts]
        errors = zip(shares, control.metric.classes, strict=True)
        common = treatment.mean([share * observed.rate_variance for share, observed in errors])
    return VarianceParts(spread, fixed=common)


# -- a share corrected for a judge's errors ----------------------------------------------------------

_GRID = 10**6
"""Ends of the binomial intervals are rounded outwards to this fineness."""


@dataclass(frozen=True, slots=True)
class CorrectedShare:
    """The shares that fit the three intervals at a level; `lower` and `upper` are `None` if no share does."""

    level: mpq
    lower: mpq | None
    upper: mpq | None


def corrected_share(
    called_positive: Share, *, sensitivity: Share, specificity: Share, level: RationalLike = "0.95"
) -> CorrectedShare:
    """Return the shares θ of positives that a judge's answers allow, at a level.

    `called_positive` is how many of all questions the judge calls positive; `sensitivity` how many of the positives
    elsewhere it called so, `specificity` how many of the negatives elsewhere it did not. Three exact intervals hold
    together, and θ is kept iff some p, q1 and q0 in them fit p = θ·q1 + (1−θ)·(1−q0) (Rogan and Gladen 1978).

    >>> corrected_share((60, 200), sensitivity=(45, 50), specificity=(48, 50)).lower
    mpq(63742,813457)
    """
    share = independent_share(check_level(level), 3)
    called, q1, q0 = (_box(hits, share) for hits in (called_positive, sensitivity, specificity))
    low, high = mpq(0), mpq(1)
    # start + slope·θ ≤ p_high with the least rates, and ≥ p_low with the greatest ones
    for start, slope, bound, sign in (
        (1 - q0[1], q1[0] - (1 - q0[1]), called[1], 1),
        (1 - q0[0], q1[1] - (1 - q0[0]), called[0], -1),
    ):
        room, rise = sign * (bound - start), sign * slope  # keep rise·θ ≤ room
        if rise > 0:
            high = min(high, room / rise)
        elif rise < 0:
            low = max(low, room / rise)
        elif room < 0:
            high = mpq(-1)
    ends = (low, high) if low <= high else (None, None)
    return CorrectedShare(check_level(level), *ends)


def _box(hits: Share, level: mpq) -> tuple[mpq, mpq]:
    right, trials = counted(hits)
    if trials == 0:
        return mpq(0), mpq(1)
    ends = interval(Binomial(trials), right, "clopper_pearson", level)
    low, high = int(ends.lower.lower * _GRID), -int(-ends.upper.upper * _GRID // 1)
    return mpq(max(0, low), _GRID), mpq(min(_GRID, high), _GRID)
