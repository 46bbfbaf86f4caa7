"""`Undefined`: why a rate or a metric is not a number: it would be a share of nothing."""

from __future__ import annotations

from enum import Enum


class Undefined(Enum):
    """The reasons, each with its meaning."""

    NO_QUESTIONS = "no question has this label"
    NO_PAIRS = "no question has two answers"
    ONE_LABEL = "only one label occurs"
    NO_SAMPLES = "there are no samples"
    NO_POSITIVES = "no sample is labeled positive"
    NO_NEGATIVES = "no sample is labeled negative"
    NO_PREDICTED_POSITIVES = "no sample is predicted to be positive"
    NO_PREDICTED_NEGATIVES = "no sample is predicted to be negative"
    NOTHING_POSITIVE = "no sample is labeled or predicted to be positive"
    NOTHING_NEGATIVE = "no sample is labeled or predicted to be negative"
    PART_UNDEFINED = "the metric is undefined for at least one label"

    def __bool__(self) -> bool:
        return False
