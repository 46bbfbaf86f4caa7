"""The area under ROC for three labels and more: each against the rest, or each pair.

>>> rows = [["0.7", "0.2", "0.1"], ["0.3", "0.5", "0.2"], ["0.2", "0.3", "0.5"], ["0.5", "0.4", "0.1"]]
>>> many_label_roc_auc([0, 1, 2, 1], rows), many_label_roc_auc([0, 1, 2, 1], rows, pairs="ovo")
(mpq(1,1), mpq(1,1))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import combinations
from typing import Any

from gmpy2 import mpq

from ntqr_exact.choice import chosen
from ntqr_exact.columns.same_index import refuse_other_index
from ntqr_exact.errors import BadSamples
from ntqr_exact.exact.arguments import checked
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.metrics.areas import ranking_roc_auc
from ntqr_exact.metrics.averages import Average
from ntqr_exact.metrics.classes import label_list, sorted_labels
from ntqr_exact.metrics.probability_losses import score_rows
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.metrics.undefined import MetricValue
from ntqr_exact.metrics.weights import WeightsLike, exact_weights


class LabelPairs(Enum):
    """Which labels are set against each other."""

    OVR = "each against the rest"
    OVO = "each pair: the mean of both areas, each by the score of its own label (Hand and Till 2001)"


@checked
def many_label_roc_auc(
    labels: Iterable[Any],
    scores: Iterable[Any],
    sample_weight: WeightsLike = None,
    *,
    label_names: Sequence[Any] | None = None,
    pairs: LabelPairs = LabelPairs.OVR,
    average: Average = Average.MACRO,
) -> MetricValue:
    """Return the mean area over labels or pairs; `WEIGHTED` by how much of the sample has them, `MICRO` pools.

    A row of scores has a column for each label; these are the labels that occur, sorted, unless named.
    Raises `BadSamples` for lengths that differ. Undefined where a label has no sample or all of them.
    """
    refuse_other_index(labels, scores, sample_weight)
    truths, rows = label_list(labels), score_rows(scores)
    names = sorted_labels(set(truths)) if label_names is None else label_list(label_names)
    if not rows or len(truths) != len(rows) or any(len(row) != len(names) for row in rows):
        raise BadSamples((len(truths), len(rows), len(names)), "each sample has a score for each label")
    weights = exact_weights(sample_weight, len(truths)).values()
    pairs, average = chosen(pairs, LabelPairs), chosen(average, Average)
    samples = list(zip(truths, rows, weights, strict=True))
    if average is Average.MICRO:
        return _area(
            [(truth == name, row[place], w) for truth, row, w in samples for place, name in enumerate(names)]
        )
    # Each area is that of one label's score on the samples of some labels, itself among them.
    if pairs is LabelPairs.OVR:
        everyone = list(dict.fromkeys(truths))  # also labels that are none of the names are among the rest
        contests = [(place, everyone) for place in range(len(names))]
    else:
        both = combinations(range(len(names)), 2)
        contests = [(place, [names[one], names[other]]) for one, other in both for place in (one, other)]
    found = total = mpq(0)
    for place, among in contests:
        area = _area([(truth == names[place], row[place], w) for truth, row, w in samples if truth in among])
        if isinstance(area, Undefined):
            return Undefined.PART_UNDEFINED
        counted = names[place : place + 1] if pairs is LabelPairs.OVR else among
        heft = sum((w for truth, _, w in samples if truth in counted), mpq(0))
        share = heft if average is Average.WEIGHTED else mpq(1)
        found, total = found + area * share, total + share
    return found / total if contests else Undefined.ONE_LABEL


def _area(rows: list[tuple[bool, mpq, mpq]]) -> MetricValue:
    if not any(weight for _, _, weight in rows):
        return Undefined.NO_SAMPLES
    return ranking_roc_auc(rank(*map(list, zip(*rows, strict=True))))
