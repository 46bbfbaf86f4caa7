"""`study_significance`: two models judged by a fallible metric model, under every reading, as one value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Bullets, Facts, Sentence, Table
from ntqr_exact.blocks.value import Value
from ntqr_exact.errors import TooMuchWork
from ntqr_exact.exact.rational import RationalLike, rational
from ntqr_exact.exact.show import fixed_text, significant_text, value_text
from ntqr_exact.sampling.comparison import READINGS, Comparison, Decision, Result, compare
from ntqr_exact.sampling.designs import Binomial
from ntqr_exact.sampling.intervals import ShareInterval, interval
from ntqr_exact.sampling.metric_model import Performance, VarianceReading
from ntqr_exact.sampling.planning import SamplePlan, plan


@dataclass(frozen=True, slots=True)
class SignificanceStudy(Value):
    """A comparison, and for each of its results the smallest sample at which it would show a difference."""

    comparison: Comparison
    power: mpq
    plans: tuple[SamplePlan | None, ...]
    p_value: mpq | None
    newcombe: ShareInterval | None

    def to_document(self) -> dict[str, Any]:
        """Return the models, the tests and all readings."""
        comparison, critical = self.comparison, self.comparison.critical
        quantile: dict[str, Any] = {"z": critical.z}
        if critical.z is None:
            quantile = {"level": critical.level, "decimal": critical.enclose(64).decimal(15)}
        return {
            "control": _performance_document(comparison.control),
            "treatment": _performance_document(comparison.treatment),
            "joint": comparison.joint,
            "critical": {**quantile, "text": str(critical)},
            "ends": comparison.ends,
            "power": self.power,
            "exact_test": {"name": self._test, "p_value": self.p_value},
            "newcombe": self.newcombe and self.newcombe.decimals(),
            "cautions": comparison.cautions,
            "readings": [_result_document(*pair) for pair in self._results()],
        }

    @property
    def _test(self) -> str:
        return "Fisher" if self.comparison.joint is None else "McNemar"

    def _results(self) -> Iterator[tuple[Result, SamplePlan | None]]:
        return zip(self.comparison.results, self.plans, strict=True)

    def blocks(self) -> Iterator[Block]:
        """Yield the samples, the decisions, the exact tests, and the intervals under each reading."""
        comparison = self.comparison
        for name, model in (("control", comparison.control), ("treatment", comparison.treatment)):
            seen = f"{value_text(model.positives)} of {value_text(model.size)} observed positive"
            rates = f"p^O = {value_text(model.observed_rate)}; true share p^R ≈ {fixed_text(model.real_rate)}"
            yield Sentence(f"{seen}, {rates}", name)
        grouped = comparison.decisions.items()
        yield Sentence("The readings differ:" if len(grouped) > 1 else "All readings agree:")
        yield Bullets(tuple(_decision(kind, ", ".join(one.value for one in same)) for kind, same in grouped))
        yield from map(Sentence, comparison.cautions)
        too_long = "left out: the exact test takes more work than the limit (--work-limit)"
        facts: dict[str, Any] = {
            f"p-value, {self._test}'s test": too_long if self.p_value is None else self.p_value
        }
        facts |= {} if self.newcombe is None else {"interval, Newcombe's": str(self.newcombe)}
        yield Facts("Observed labels taken as given, for samples of any size", tuple(facts.items()))
        rows = []
        for result, planned in self._results():
            span = result.interval
            numbers = fixed_text(span.centre), significant_text(span.variance), str(span)
            decided = _decision(result.decision, ""), _size(planned)
            rows.append((result.reading.value, result.centre.value, *numbers, *decided))
        names = ("reading", "around", "difference", "variance", "interval", "decision")
        yield Table("Treatment − control under each reading", (*names, f"N for {self.power}"), tuple(rows))
        yield Sentence(
            f"N is the smallest number of outputs of each model at which {self.power} of all samples would show the "
            f"difference, at the same shares; ≈ marks an approximation. Critical value: {self.comparison.critical}."
        )
        yield Bullets(tuple(f"{one.value}: {one.formula}; {one.meaning}" for one in VarianceReading))
        yield Sentence(
            "p is the observed share, p^R the estimated real one, π the precision of the metric model, φ its false "
            "omission rate, δ = π − φ. Choose a reading before you use it. A difference that is not shown may exist."
        )


def study_significance(*, power: RationalLike = "0.8", **options: Any) -> SignificanceStudy:
    """Return a comparison with the plan of each reading at a power; other options are those of `compare`.

    >>> from ntqr_exact import MetricModel
    >>> study = study_significance(control=(9, 10), treatment=(1, 10), metric=MetricModel(1, 0))
    >>> study.comparison.results[0].decision.value, str(study.plans[0])[-15:]
    ('the treatment is lower', '3 (power 0.886)')
    """
    made = compare(**options)
    # An interval for just these outputs asks for no larger sample.
    plans = tuple(
        None if reading is VarianceReading.GIVEN_LABELS else plan(made, reading, power=power)
        for reading in READINGS
    )
    newcombe = None
    if made.joint is None:
        designs = Binomial(made.control.size), Binomial(made.treatment.size)
        newcombe = interval(designs, (made.control.positives, made.treatment.positives), "newcombe")
    p_value = None
    with suppress(TooMuchWork):
        p_value = made.exact_p_value()
    return SignificanceStudy(made, rational(power), plans, p_value, newcombe)


def _size(planned: SamplePlan | None) -> str:
    if planned is None:
        return "–"
    if planned.smallest_size is None:
        return "never"
    return f"{'≈ ' if planned.attained is None else ''}{planned.smallest_size}"


def _decision(decision: Decision, text: str) -> Sentence:
    return Sentence(text, decision.value, fires=decision is not Decision.NOT_SHOWN)


def _result_document(result: Result, planned: SamplePlan | None) -> dict[str, Any]:
    span = result.interval
    document: dict[str, Any] = {
        "reading": result.reading,
        "centre": result.centre,
        "difference": span.centre,
        "variance": span.variance,
        "text": str(span),
        "decision": result.decision,
        "smallest_size": planned and planned.smallest_size,
        "size_is_exact": planned is not None and planned.attained is not None,
    }
    if span.critical.z is not None:
        document["interval"] = [span.lower, span.upper]
    return document


def _performance_document(model: Performance) -> dict[str, Any]:
    rates = {one: getattr(model, one) for one in ("positives", "size", "observed_rate", "real_rate")}
    counts = dict(zip((one.name for one in model.metric.classes), model.counts, strict=True))
    return rates | {"counts": counts, "metric": {"classes": model.metric.classes}}
