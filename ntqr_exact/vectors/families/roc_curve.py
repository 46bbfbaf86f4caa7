"""The family `roc-curve`: false positive rate and recall at every distinct score, equal scores together.

The inputs of the other families with scored samples are made from the parts that stand here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.metrics.curves import Curve, precision_recall_curve, roc_curve
from ntqr_exact.metrics.undefined import Undefined
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.confusion_metrics import NUMBER_INPUT, metric_value, told
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, described, list_of, record

SAMPLE_PARTS = {
    "labels": described(list_of({"type": "integer"}), "1 for a positive sample, 0 for a negative one"),
    "scores": described(list_of(NUMBER_INPUT), "a score for each sample; higher means more likely positive"),
}
SAMPLE_WORDS = (
    "The input gives samples by their labels, 1 for positive and 0 for negative, and their scores, in the "
    "same order. A score is a whole number, or a text with a whole number, a fraction or a decimal with or "
    "without an exponent; 1/2, 0.5 and 5e-1 are the same score, and numbers that differ in their hundredth "
    "digit are not.",
    "Refuse as bad-number a score that is no number; as bad-samples no samples, another number of scores "
    "than of labels, or a label other than 0 and 1.",
)
SAMPLE_FLAGS = {
    "ties": "a positive and a negative sample have the same score",
    "one-label": "all samples have the same label",
    "close": "scores that doubles cannot tell apart",
    "refused": "the lists make no samples",
}
SAMPLE_ERRORS = {
    "bad-number": "a score is no number",
    "bad-samples": "no samples, lists of different lengths, or a label other than 0 and 1",
}

Samples = tuple[Sequence[int], Sequence[int | str], str]

VALID_SAMPLES: tuple[Samples, ...] = (
    ([1], [1], "one positive sample"),
    ([0], [1], "one negative sample"),
    ([1, 0], [1, 0], "two samples in the right order"),
    ([1, 0], [0, 1], "two samples in the wrong order"),
    ([1, 0], ["1/2", "0.5"], "one score, written in two ways"),
    ([0, 1, 1], ["1/3", "1/3", "1/2"], "a tie at the lower of two scores"),
    ([1, 0, 1], ["0.9", "0.9", "0.1"], "a tie at the higher of two scores"),
    ([1, 1, 0, 1], ["0.9", "0.8", "0.7", "0.2"], "no ties"),
    ([1, 0, 1, 0], ["0.9", "0.6", "0.4", "0.1"], "labels in turn"),
    ([1, 1, 0, 0], [4, 3, 2, 1], "every positive above every negative"),
    ([1, 1, 0, 0], [1, 2, 3, 4], "every positive below every negative"),
    ([1, 0, 1, 0, 1], [7, 7, 7, 7, 7], "all scores are the same"),
    ([1, 1, 1], ["0.3", "0.2", "0.3"], "positives only"),
    ([0, 0, 0], ["0.3", "0.2", "0.3"], "negatives only"),
    ([0, 1, 0, 1], ["-1/2", "-1/3", "-3", "-2"], "negative scores"),
    ([1, 0, 0, 1], ["0.1", "0.3", "0.30", "3e-1"], "0.3 in three ways"),
    ([0, 1], ["0.30000000000000000001", "0.3"], "scores that differ in the twentieth digit"),
    ([1, 0, 1], ["1/3", "0.3333333333333333", "1/3"], "a third, and its decimal with sixteen digits"),
    ([1, 0], [str(10**20 + 1), str(10**20)], "whole scores that differ in the twenty-first digit"),
    ([0, 1, 0, 1, 1], ["1e-30", "2e-30", "3e-30", "1e-30", 0], "tiny scores"),
    ([1, 0, 1, 1, 0, 1, 0, 0], [8, 8, 6, 6, 6, 3, 3, 1], "ties of two and three"),
    ([0, 0, 0, 1, 0, 0, 0, 0, 0, 1], [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], "few positives, low"),
    ([1, 1, 1, 1, 0], [5, 4, 3, 2, 5], "one negative at the top"),
    ([0, 1, 1, 1, 1], [1, 4, 3, 2, 1], "one negative at the bottom"),
)
REFUSED_SAMPLES: tuple[Samples, ...] = (
    ([], [], "no samples"),
    ([1, 0], [1], "a score is missing"),
    ([1], [1, 2], "a label is missing"),
    ([1, 2], ["0.5", "0.6"], "a label that is neither 0 nor 1"),
    ([1, -1], ["0.5", "0.6"], "−1 for a negative sample"),
    ([1, 0], ["0.5", "high"], "a score that is no number"),
    ([1, 0], ["0.5", "nan"], "nan is no number"),
    ([1, 0], ["1/0", "0.5"], "a score with a zero denominator"),
)


def compute(document: Document) -> dict[str, Any]:
    """Return the thresholds and the points of the curve."""
    return curve_document(roc_curve(document["labels"], document["scores"]))


def curve_document(curve: Curve) -> dict[str, Any]:
    """Return the distinct scores and the points of a curve."""
    return {
        "thresholds": [row.threshold for row in curve.ranking],
        "points": [[told(across), told(up)] for across, up in curve.points()],
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the counts at each threshold, and the point that they make."""
    found = compute(document)
    ranking = precision_recall_curve(document["labels"], document["scores"]).ranking
    yield f"P = {ranking.positives} positives, N = {ranking.negatives} negatives"
    first, *rest = found["points"]
    yield f"above all scores: fp = 0, tp = 0, the point ({first[0]}, {first[1]})"
    for row, (across, up) in zip(ranking, rest, strict=True):
        matrix = row.confusion
        yield f"at {row.threshold}: fp = {matrix.fp}, tp = {matrix.tp}, the point ({across}, {up})"


def sample_case(labels: Iterable[int], scores: Iterable[int | str], comment: str, **more: Any) -> Case:
    """Return a case whose flags tell about ties and labels; `more` goes into its input."""
    document = {"labels": list(labels), "scores": list(scores), **more}
    exact = precision_recall_curve(document["labels"], document["scores"]).ranking
    flags = []
    tp, fp = ([0, *map(int, column)] for column in (exact.true_positives, exact.false_positives))
    if any(tp[i] < tp[i + 1] and fp[i] < fp[i + 1] for i in range(len(exact))):
        flags.append("ties")
    if not exact.positives or not exact.negatives:
        flags.append("one-label")
    if any(len(str(score)) > 12 for score in document["scores"]):
        flags.append("close")
    return Case(document, comment, tuple(flags))


def drawn_samples(draws: Draws, index: int, *, largest: int = 20) -> tuple[list[int], list[int | str]]:
    """Return samples growing with the index, with many ties, few or none."""
    size = 2 + index * largest // 150 + draws.below(3)
    distinct = (3, size, 4 * size)[index % 3]
    labels = [draws.below(2) for _ in range(size)]
    labels[:2] = [index % 2, 1 - index % 2]
    write: Callable[[int], int | str] = (
        int,
        lambda place: f"{place}/{distinct}",
        lambda place: f"0.{place:03}",
    )[draws.below(3)]
    return labels, [write(draws.below(distinct + 1)) for _ in range(size)]


def random_case(draws: Draws, index: int) -> Case:
    """Return samples with both labels, their number growing with the index."""
    labels, scores = drawn_samples(draws, index)
    return sample_case(labels, scores, f"{len(labels)} samples")


def is_plain(document: Document) -> bool:
    """Tell whether doubles can tell the scores apart, and both labels occur."""
    labels, scores = document["labels"], document["scores"]
    if len(labels) != len(scores) or sorted(set(labels)) != [0, 1]:
        return False
    return all(map(is_short, scores))


def is_short(number: int | str) -> bool:
    """Tell whether a number is written with so few digits that different ones are different doubles."""
    text = str(number)
    return len(text) <= 6 and set(text) <= set("-0123456789./") and "/0" not in text


FAMILY = Family(
    *declared("roc-curve"),
    input=record(SAMPLE_PARTS),
    expected=record(
        thresholds=list_of(RATIONAL),
        points=list_of(
            list_of(metric_value(Undefined.NO_NEGATIVES, Undefined.NO_POSITIVES), exactly=2),
        ),
    ),
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"scikit-learn": is_plain},
)
