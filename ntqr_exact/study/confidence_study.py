"""`study_confidence`: the error on unlabelled data, estimated from a classifier's confidences, as one value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gmpy2 import mpq

from ntqr_exact.blocks.block import Block, Facts, Sentence
from ntqr_exact.blocks.value import Value
from ntqr_exact.confidence.atc import AtcEstimate, AtcReading, atc, wrong_flags
from ntqr_exact.confidence.probability_vector import VectorFile
from ntqr_exact.exact.enclosure import LogSumKey
from ntqr_exact.exact.json_text import as_document
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import value_text
from ntqr_exact.metrics.bootstrap import BootstrapInterval


@dataclass(frozen=True, slots=True)
class ConfidenceStudy(Value):
    """An estimate with what it was made from, the true error where the target has labels, and an interval if asked."""

    names: tuple[str, ...]
    source_size: int
    target_size: int
    estimate: AtcEstimate
    real_error: mpq | None
    interval: BootstrapInterval | None = None
    mean: mpq | None = None

    def to_document(self) -> dict[str, Any]:
        """Return the estimate."""
        estimate, interval = self.estimate, self.interval
        value: dict[str, Any] = {"value": estimate.threshold}
        if isinstance(estimate.threshold, LogSumKey):
            value = {"value": str(estimate.threshold), "decimal": estimate.threshold.decimal()}
        return {
            "labels": list(self.names),
            "score": estimate.score.name,
            "reading": estimate.reading.value,
            "ties": estimate.tie_rule.value,
            "source": {"size": self.source_size, "gamma": estimate.gamma, "share": estimate.source_share},
            "threshold": {"vector": list(estimate.threshold_vector), **value},
            "target": {
                "size": self.target_size,
                "estimate": estimate.estimate,
                "error": estimate.error,
                "real_error": self.real_error,
            },
            "interval": None if interval is None else {**as_document(interval), "mean": self.mean},
        }

    def blocks(self) -> Iterator[Block]:
        """Yield the threshold that the source gives, and what it says of the target."""
        estimate = self.estimate
        kind = "error" if estimate.reading is AtcReading.ERROR_BELOW else "accuracy"
        side = "at or above it" if estimate.reading is AtcReading.ACCURACY_ABOVE else "below it"
        text = f"score {estimate.score.name}, {estimate.score.formula}"
        yield Sentence(f"{text}; the threshold is the score of {estimate.threshold_vector}.")
        source = ((kind, estimate.gamma), ("threshold", estimate.threshold), (side, estimate.source_share))
        yield Facts(f"Source: {self.source_size} vectors of {len(self.names)} labels", source)
        rows: list[tuple[str, Any]] = [(f"{side}, which estimates the {kind}", estimate.estimate)]
        if self.interval is not None:
            ends = f"from {value_text(self.interval.lower)} to {value_text(self.interval.upper)}"
            rows.append((f"resampled sources put it, at level {self.interval.level}", ends))
            rows.append((f"their mean, which estimates the {kind} with less chance", self.mean))
        if self.real_error is not None:
            truth = self.real_error if estimate.reading is AtcReading.ERROR_BELOW else 1 - self.real_error
            rows.append((f"the true {kind}, from its labels", truth))
        yield Facts(f"Target: {self.target_size} vectors", tuple(rows))


def study_confidence(
    source: VectorFile,
    target: VectorFile,
    *,
    interval: BootstrapInterval | None = None,
    mean: mpq | None = None,
    **options: Any,
) -> ConfidenceStudy:
    """Return the estimate of the error on the target; options are those of `atc`.

    >>> import io
    >>> from ntqr_exact.confidence.probability_vector import read_vectors
    >>> file = read_vectors(io.StringIO("a,b,truth\\n0.9,0.1,a\\n0.6,0.4,b\\n"), truth="truth")
    >>> study_confidence(file, file, labels=file.labels).estimate.estimate
    mpq(1,2)
    """
    real = None
    if target.labels is not None:
        wrong = wrong_flags(target.vectors, target.labels)
        real = rational(sum(wrong)) / len(wrong)
    sizes, found = (len(source.vectors), len(target.vectors)), atc(source.vectors, target.vectors, **options)
    return ConfidenceStudy(source.names, *sizes, found, real, interval, mean)
