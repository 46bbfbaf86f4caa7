"""`study_significance`: two models judged by a fallible metric model, under every reading, as one value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Bullets, Facts, Fold, Section, Sentence, Table
from ntqr_exact.blocks.value import Study
from ntqr_exact.errors import BadArgument, TooMuchWork
from ntqr_exact.exact.json_text import as_document
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.show import fixed_text, significant_text, value_text
from ntqr_exact.sampling.comparison import READINGS, Comparison, Result, compare, decisions, explain
from ntqr_exact.sampling.designs import Binomial
from ntqr_exact.sampling.intervals import ShareInterval, interval
from ntqr_exact.sampling.metric_model import MetricModel, Performance, VarianceReading
from ntqr_exact.sampling.normal_interval import Decision, RationalCritical
from ntqr_exact.sampling.planning import SamplePlan, plan


@dataclass(frozen=True, slots=True)
class SignificanceStudy(Study):
    """A comparison, and for each of its results the smallest sample at which it would show a difference."""

    comparison: Comparison
    power: mpq
    plans: tuple[SamplePlan | None, ...]
    p_value: mpq | None
    newcombe: ShareInterval | None

    def to_document(self) -> dict[str, Any]:
        """Return all readings."""
        comparison = self.comparison
        joint = comparison.joint
        metrics = {"metric": comparison.control.metric, "treatment_metric": comparison.treatment.metric}
        if comparison.treatment.metric == comparison.control.metric:
            del metrics["treatment_metric"]
        return {
            **{name: _metric_document(metric) for name, metric in metrics.items()},
            "control": _performance_document(comparison.control),
            "treatment": _performance_document(comparison.treatment),
            "paired": joint is not None,
            "both": None if joint is None else joint[1][1],
            "joint": None if joint is None else [list(row) for row in joint],
            "critical": self._critical_document(),
            "ends": comparison.ends.value,
            "power": self.power,
            "exact_test": {"name": self._test, "p_value": self.p_value},
            "newcombe": None if self.newcombe is None else list(self.newcombe.decimals()),
            "cautions": list(comparison.cautions),
            "readings": [self._result_document(*pair) for pair in self._results()],
            "words": explain(comparison),
        }

    def sections(self) -> tuple[Section, ...]:
        """Return what the readings decide, then the samples, the intervals, and what the readings mean."""
        return (
            Section("summary", "In short", tuple(self._summary())),
            Section("samples", "The samples and the metric model", tuple(self._samples())),
            Section("readings", "Intervals and decisions", tuple(self._readings())),
            Section("meanings", "What the readings mean", tuple(_meanings())),
        )

    @property
    def _test(self) -> str:
        return "Fisher" if self.comparison.joint is None else "McNemar"

    def _models(self) -> tuple[tuple[str, Performance], ...]:
        return (("control", self.comparison.control), ("treatment", self.comparison.treatment))

    def _results(self) -> Iterator[tuple[Result, SamplePlan | None]]:
        return zip(self.comparison.results, self.plans, strict=True)

    def _summary(self) -> Iterator[Block]:
        for who, model in self._models():
            seen = f"{value_text(model.positives)} of {value_text(model.size)} observed positive"
            rates = f"p^O = {value_text(model.observed_rate)}; really p^R ≈ {fixed_text(model.real_rate)}"
            yield Sentence(f"{seen}, {rates}", who)
        first, *remarks = explain(self.comparison).split("\n")
        yield Sentence(first)
        decided = decisions(self.comparison).items()
        yield Bullets(
            tuple(_decision(one, ", ".join(r.reading.value for r in same)) for one, same in decided)
        )
        yield from (Sentence(line) for line in remarks if not line.startswith(" "))
        left_out = "left out: so many outputs take more work than the limit (--work-limit)"
        told: Any = left_out if self.p_value is None else self.p_value
        rows: list[tuple[str, Any]] = [(f"p-value, {self._test}'s test", told)]
        if self.newcombe is not None:
            rows.append(("interval, Newcombe's", str(self.newcombe)))
        yield Facts("Observed labels taken as given, for samples of any size", tuple(rows))

    def _samples(self) -> Iterator[Block]:
        comparison = self.comparison
        metric = comparison.control.metric
        told = ((who, one.size, *one.counts, one.observed_rate, one.real_rate) for who, one in self._models())
        observed = (f"observed {one.name}" for one in metric.classes)
        header = ("model", "outputs", *observed, "p^O", "p^R")
        yield Table("What the metric model observed", header, tuple(told))
        models = {"": metric}
        if comparison.treatment.metric != metric:
            models = {" of the control": metric, " of the treatment": comparison.treatment.metric}
        for whose, model in models.items():
            yield Table(
                f"The metric model{whose}: how often an output is really positive, by what was observed",
                ("observed", "really positive", "variance of this rate", "counts as positive"),
                tuple((one.name, one.rate, one.rate_variance, bool(one.counts_as)) for one in model.classes),
            )
        rows: list[tuple[str, Any]] = []
        if metric.is_binary:
            rows = [("precision π", metric.precision), ("false omission φ", metric.false_omission)]
            rows.append(("δ = π − φ", metric.slope))
        rows += [
            ("samples", "independent" if comparison.joint is None else "paired"),
            ("critical value", str(comparison.critical)),
            ("ends of intervals", comparison.ends.value),
        ]
        yield Facts("How they are compared", tuple(rows))
        if comparison.joint is not None:
            pairs = zip(metric.classes, comparison.joint, strict=True)
            joint = tuple((f"control {one.name}", *counts) for one, counts in pairs)
            header = ("", *(f"treatment {one.name}" for one in comparison.treatment.metric.classes))
            yield Table("Questions by both observed labels", header, joint)

    def _readings(self) -> Iterator[Block]:
        header = ("reading", "around", "difference", "variance", "interval", "decision")
        readings = []
        for result, planned in self._results():
            found = result.interval
            numbers = fixed_text(found.centre), significant_text(found.variance), str(found)
            decided = _decision(result.decision, ""), _size(planned)
            readings.append((result.reading.value, result.centre.value, *numbers, *decided))
        caption = "Treatment − control under each reading of the variance"
        yield Table(caption, (*header, f"N for power {self.power}"), tuple(readings))
        yield Sentence(
            f"In the last column, the smallest number of outputs of each model at which {self.power} of all samples "
            "would show the difference, at the same shares; ≈ marks a normal approximation."
        )
        named = [(result.reading.value, result.interval) for result in self.comparison.results]
        rows = tuple((told, one.centre, one.variance) for told, one in named)
        exact = [Table("Differences and variances exactly", ("reading", "difference", "variance"), rows)]
        if isinstance(self.comparison.critical, RationalCritical):
            ends = tuple((told, one.lower, one.upper) for told, one in named)
            exact.append(Table("Ends of the intervals", ("reading", "from", "to"), ends))
        yield Fold("the numbers exactly", tuple(exact))

    def _critical_document(self) -> dict[str, Any]:
        critical = self.comparison.critical
        if isinstance(critical, RationalCritical):
            return {"z": critical.z, "words": str(critical)}
        decimal = critical.enclose(64).decimal(15)
        return {"level": critical.of_level, "decimal": decimal, "words": str(critical)}

    def _result_document(self, result: Result, planned: SamplePlan | None) -> dict[str, Any]:
        interval = result.interval
        reading = result.reading
        found: dict[str, Any] = {
            "reading": reading.value,
            "formula": reading.formula,
            "meaning": reading.meaning,
            "centre": result.centre.value,
            "difference": interval.centre,
            "variance": interval.variance,
            "decimals": list(interval.decimals(9)),
            "words": str(interval),
            "decision": result.decision.value,
            "smallest_size": planned and planned.smallest_size,
            "size_is_exact": planned is not None and planned.attained is not None,
        }
        if isinstance(interval.critical, RationalCritical):
            found["interval"] = [interval.lower, interval.upper]
        return found


def study_significance(
    comparison: Comparison | None = None, *, power: RationalLike = "0.8", **options: Any
) -> SignificanceStudy:
    """Return a comparison with the plan of each reading at a power; other options are those of `compare`.

    >>> found = study_significance(control=(9, 10), treatment=(1, 10), metric=MetricModel(1, 0))
    >>> found.comparison.results[0].decision.value, str(found.plans[0])[-15:]
    ('the treatment is lower', '3 (power 0.886)')
    """
    if comparison is None and not options:
        raise BadArgument(comparison, "a study is of a comparison, or of the options of `compare`")
    found = compare(**options) if comparison is None else comparison
    # An interval for just these outputs asks for no larger sample.
    plans = tuple(
        None if reading is VarianceReading.GIVEN_LABELS else plan(found, reading, centre, power=power)
        for reading, centre in READINGS
    )
    return SignificanceStudy(
        found,
        rational(power),
        plans,
        _exact_p_value(found),
        _newcombe(found.control, found.treatment) if found.joint is None else None,
    )


def _newcombe(control: Performance, treatment: Performance) -> ShareInterval:
    design = Binomial(control.size), Binomial(treatment.size)
    return interval(design, (control.positives, treatment.positives), "newcombe")


def _size(planned: SamplePlan | None) -> str:
    if planned is None:
        return "–"
    if planned.smallest_size is None:
        return "never"
    return f"{'≈ ' if planned.attained is None else ''}{planned.smallest_size}"


def _exact_p_value(comparison: Comparison) -> mpq | None:
    """Return the p-value, or nothing where the exact test takes more work than the limit."""
    try:
        return comparison.exact_p_value()
    except TooMuchWork:
        return None


def _meanings() -> Iterator[Block]:
    yield Bullets(tuple(f"{one.value}: {one.formula}; {one.meaning}" for one in VarianceReading))
    yield Sentence(
        "p is the observed share, p^R the estimated real one, π the precision of the metric model, φ its false "
        "omission rate, δ = π − φ. The readings answer different questions; which one is meant must be "
        "said before it is used. That no difference is shown does not prove that there is none."
    )


def _decision(decision: Decision, words: str) -> Sentence:
    return Sentence(words, decision.value, fires=decision is not Decision.NOT_SHOWN)


def _metric_document(metric: MetricModel) -> dict[str, Any]:
    document: dict[str, Any] = {}
    if metric.is_binary:
        document = {name: getattr(metric, name) for name in ("precision", "false_omission", "slope")}
        document["precision_variance"] = metric.classes[1].rate_variance
        document["false_omission_variance"] = metric.classes[0].rate_variance
    return document | {"classes": as_document(metric.classes)}


def _performance_document(model: Performance) -> dict[str, Any]:
    told = {one: getattr(model, one) for one in ("positives", "size", "observed_rate", "real_rate")}
    names = (one.name for one in model.metric.classes)
    return told | {"counts": dict(zip(names, model.counts, strict=True))}
