"""The family `weighted-metrics`: metrics and areas of samples that have weights of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.metrics.formulas import metric
from ntqr_exact.metrics.ranking import Ranking, rank
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.families.areas import AREA_SCHEMAS, all_areas
from ntqr_exact.vectors.families.confusion_metrics import MATRIX, NUMBER_INPUT, cells_of, metric_value, told
from ntqr_exact.vectors.families.roc_curve import (
    SAMPLE_ERRORS,
    SAMPLE_PARTS,
    SAMPLE_WORDS,
    drawn_samples,
    is_plain,
    is_short,
)
from ntqr_exact.vectors.family import Case, Document, Family
from ntqr_exact.vectors.fragments import RATIONAL, described, list_of, record

_METRICS = ("error_rate", "precision", "recall", "f1", "!precision", "!recall")


def compute(document: Document) -> dict[str, Any]:
    """Return the thresholds, the weighted matrix at the threshold with its metrics, and the weighted areas."""
    ranking = _ranking(document)
    matrix = ranking.at(document["threshold"])
    return {
        "thresholds": [row.threshold for row in ranking],
        "matrix": cells_of(matrix),
        **{name: told(matrix[name]) for name in _METRICS},
        **all_areas(ranking),
    }


def steps(document: Document) -> Iterator[str]:
    """Tell the weight on both sides of the threshold, the metrics, and the weight at or above each score."""
    found = compute(document)
    ranking = _ranking(document)
    unit = ranking.unit
    yield f"positives weigh {ranking.positives * unit}, negatives {ranking.negatives * unit}"
    cells = ", ".join(f"{name} = {value}" for name, value in found["matrix"].items())
    yield f"at or above {document['threshold']} is positive: {cells}"
    yield from (f"{metric(name)} → {found[name]}" for name in _METRICS)
    for row in ranking:
        yield f"at or above {row.threshold}: tp = {row.confusion.tp}, fp = {row.confusion.fp}"
    yield from (f"{name} = {found[name]}" for name in AREA_SCHEMAS)


def edge_cases() -> Iterator[Case]:
    """Yield equal weights, scaled weights, weights of zero in every place, labels without weight, and refusals."""
    labels, scores = [1, 0, 1, 0], ["0.9", "0.6", "0.4", "0.1"]
    yield _case(labels, scores, [1, 1, 1, 1], "all weights are 1")
    yield _case(labels, scores, ["1/3"] * 4, "all weights are the same")
    yield _case(labels, scores, [1, 2, 3, 4], "all weights differ")
    yield _case(labels, scores, ["0.1", "0.2", "0.3", "0.4"], "the same over ten")
    yield _case(labels, scores, ["1/2", "1/3", "1/5", "1/7"], "weights with different denominators")
    yield _case(labels, scores, [1, 1, 1, 1], "a threshold that is a score", threshold="0.6")
    yield _case(labels, scores, [1, 2, 3, 4], "a threshold above all scores", threshold=1)
    yield _case(labels, scores, [1, 2, 3, 4], "a threshold below all scores", threshold=0)
    for place in range(4):
        weights = [1, 1, 1, 1]
        weights[place] = 0
        yield _case(labels, scores, weights, f"sample {place + 1} has no weight, as if it were not there")
    yield _case(labels, scores, [0, 0, 1, 1], "the two highest scores have no weight")
    yield _case(labels, scores, [1, 1, 0, 0], "the two lowest scores have no weight")
    yield _case(labels, scores, [1, 0, 2, 0], "the negatives have no weight")
    yield _case(labels, scores, [0, 1, 0, 2], "the positives have no weight")
    yield _case([1, 0, 1], ["0.9", "0.9", "0.1"], [2, 3, 5], "a tie of different weights")
    yield _case([1, 0, 1], ["0.9", "0.9", "0.1"], [2, 0, 5], "a tie of which one part has no weight")
    yield _case([1, 0], [1, 1], ["1/3", "2/3"], "one score only")
    yield _case([1], [1], [7], "one positive sample")
    yield _case([0], [1], [7], "one negative sample")
    yield _case([1, 1, 0, 0], [4, 3, 2, 1], [1, 1, 100, 100], "as if every negative stood a hundred times")
    yield _case(labels, scores, [1, "1000000000000000000001", 1, 1], "a weight beyond doubles", flag="large")
    yield _case(labels, scores, ["1e-30", 1, "1e-30", 1], "tiny weights", flag="large")
    yield _case(labels, scores, [0, 0, 0, 0], "all weights are zero", flag="refused")
    yield _case(labels, scores, [1, 1, 1], "a weight is missing", flag="refused")
    yield _case(labels, scores, [1, 1, 1, -1], "a negative weight", flag="refused")
    yield _case(labels, scores, [1, 1, 1, "heavy"], "a weight that is no number", flag="refused")
    yield _case([], [], [], "no samples", flag="refused")
    yield _case([1, 3], [1, 2], [1, 1], "a label that is neither 0 nor 1", flag="refused")
    yield _case([1, 0], [1], [1, 1], "a score is missing", flag="refused")
    yield _case([1, 0], [1, "x"], [1, 1], "a score that is no number", flag="refused")
    yield _case([1, 0], [1, 2], [1, 1], "a threshold that is no number", threshold="high", flag="refused")


def random_case(draws: Draws, index: int) -> Case:
    """Return samples growing with the index, with whole weights, some of them zero, or fractions."""
    labels, scores = drawn_samples(draws, index, largest=10)
    weights: list[int | str]
    if index // 3 % 3 == 2:
        weights = [str(draws.between(1, 3) * draws.share(5)) for _ in labels]
        weights[0] = "1/2"
    else:
        lightest = index // 3 % 3
        weights = [draws.between(lightest, 3) for _ in labels]
        weights[draws.below(len(weights))] = 1
    return _case(labels, scores, weights, f"{len(labels)} samples", threshold=draws.pick(scores))


def _ranking(document: Document) -> Ranking:
    return rank(document["labels"], document["scores"], document["weights"])


def _case(
    labels: Sequence[int],
    scores: Sequence[int | str],
    weights: Sequence[int | str],
    comment: str,
    *,
    threshold: int | str = "1/2",
    flag: str = "",
) -> Case:
    document = {
        "labels": list(labels),
        "scores": list(scores),
        "weights": list(weights),
        "threshold": threshold,
    }
    flags = [flag] if flag else []
    if flag != "refused":
        flags += ["zero-weight"] if any(str(weight) == "0" for weight in weights) else []
        flags += ["undefined"] if any(isinstance(value, str) for value in compute(document).values()) else []
    return Case(document, comment, tuple(flags))


def _is_plain(document: Document) -> bool:
    """Tell whether the weights are small whole numbers, none of them zero, and all is a number."""
    weights = document["weights"]
    if not all(isinstance(weight, int) and weight > 0 for weight in weights) or sum(weights) > 26:
        return False
    if len(weights) != len(document["labels"]) or not is_plain(document):
        return False
    return is_short(document["threshold"]) and not any(
        isinstance(value, str) for value in compute(document).values()
    )


FAMILY = Family(
    name="weighted-metrics",
    version=1,
    title="Metrics and areas of weighted samples",
    citations=(Citation("bias_adjusted", "Testing"), Citation("bias_adjusted", "AUPR")),
    algorithm=(
        *SAMPLE_WORDS,
        "weights gives a weight for each sample, threshold is a number; both are written like scores. Refuse "
        "as bad-number one that is no number; as bad-samples a negative weight, another number of weights "
        "than of samples, and weights that are all zero.",
        "A sample of weight zero is left out, as if it were not there. thresholds: the distinct scores of "
        "the others, from the highest down.",
        "matrix: the samples with a score of at least the threshold are predicted to be positive; tp and fn "
        "are the sums of the weights of the positive samples that are and are not, fp and tn those of the "
        "negative samples.",
        "error_rate = (fp + fn)/(tp + fp + fn + tn); precision = tp/(tp + fp), or no-predicted-positives for "
        "0/0; recall = tp/(tp + fn), or no-positives; f1 = 2tp/(2tp + fp + fn), or nothing-positive; "
        "!precision = tn/(tn + fn), or no-predicted-negatives; !recall = tn/(tn + fp), or no-negatives.",
        "roc_auc: over all pairs of a positive and a negative sample, the sum of the products of their "
        "weights, where the positive one has the higher score, plus half the sum where the scores are equal; "
        "over the sum of all. It is no-positives if the positive samples have no weight, otherwise "
        "no-negatives if the negative ones have none.",
        "All other results are no-positives if the positive samples have no weight. Otherwise take the "
        "thresholds t from the highest down; tp and w are the weights of the positive samples and of all "
        "samples with a score of at least t, P the weight of all positive samples: the points (r_i, p_i) = "
        "(tp/P, tp/w).",
        "pr_auc_none: the sum over neighbouring points of (r_(i+1) − r_i)·(p_i + p_(i+1))/2; with one point "
        "it is 0. pr_auc_first_precision: the same with the point (0, p_1) before the first. pr_auc_one: the "
        "same with (0, 1) before the first. average_precision: the sum over the points of (r_i − "
        "r_(i−1))·p_i, with r_0 = 0.",
    ),
    input=record(
        SAMPLE_PARTS,
        weights=described(list_of(NUMBER_INPUT), "a weight for each sample"),
        threshold=NUMBER_INPUT,
    ),
    expected=record(
        {
            "thresholds": list_of(RATIONAL),
            "matrix": MATRIX,
            **{name: metric_value(metric(name).undefined) for name in _METRICS},
            **AREA_SCHEMAS,
        }
    ),
    flags={
        "zero-weight": "a sample has no weight",
        "undefined": "a metric or an area is a share of nothing",
        "large": "weights that differ by more than doubles hold",
        "refused": "the lists make no weighted samples",
    },
    errors={
        "bad-number": "a score, a weight or the threshold is no number",
        "bad-samples": SAMPLE_ERRORS["bad-samples"] + ", or weights that are negative or all zero",
    },
    edge_cases=edge_cases,
    random_case=random_case,
    compute=compute,
    steps=steps,
    witnesses={"scikit-learn": _is_plain},
)
