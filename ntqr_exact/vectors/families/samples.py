"""Samples with scores or probabilities: curves, areas, thresholds, top-k accuracy and losses."""

from __future__ import annotations

from typing import Any

from ntqr_exact.exact.rational import rational
from ntqr_exact.metrics import ranking as ranking_module
from ntqr_exact.metrics.areas import (
    Anchor,
    LabelPairs,
    many_label_roc_auc,
    ranking_average_precision,
    ranking_pr_auc,
    ranking_roc_auc,
)
from ntqr_exact.metrics.formulas import CELLS, METRICS
from ntqr_exact.metrics.multiclass import Average
from ntqr_exact.metrics.probability_losses import TopTies, brier_score, calibration, log_loss
from ntqr_exact.metrics.probability_losses import top_k_accuracy as top_k
from ntqr_exact.metrics.ranking import Ranking, Rule, rank
from ntqr_exact.metrics.threshold_queries import ThresholdAnswer, ask
from ntqr_exact.vectors.family import Document, family
from ntqr_exact.vectors.inputs import Draws

_PLACES = 12
_WEIGHTS = (0, 1, 2, 3, "1/2", "3/2")


def _samples(draws: Draws, index: int) -> Document:
    return draws.samples(index // 8)


def _curve(curve: Any) -> Document:
    return {
        "thresholds": curve.ranking.thresholds(),
        "points": [[across, up] for across, up in curve.points()],
    }


@family("ores: section 1.5", draw=_samples)
def roc_curve(labels: Any, scores: Any) -> Document:
    """The receiver operating characteristic, equal scores together.

    {samples} {samples-refused}
    thresholds: the distinct scores, from the highest down. P and N are the numbers of positive and of negative
    samples. points: first the point at which nothing is predicted to be positive, then one for each threshold t, in
    the same order, at which all samples with a score of at least t are: tp positive ones and fp negative ones. Equal
    scores move together, without a point between them.

    A point is the pair of the false positive rate fp/N and the recall tp/P. If N = 0, the first part of every point is
    the word no-negatives; if P = 0, the second part is no-positives. No point is left out, even if it lies on the line
    between its neighbours.
    """
    return _curve(ranking_module.roc_curve(labels, scores))


@family("ores: section 1.6", "bias_adjusted: AUPR", draw=_samples)
def precision_recall_curve(labels: Any, scores: Any) -> Document:
    """The curve of precision over recall, equal scores together.

    {samples} {samples-refused}
    thresholds: the distinct scores, from the highest down. P is the number of positive samples. points: one for each
    threshold t, in the same order, at which all samples with a score of at least t are predicted to be positive: tp
    positive ones and fp negative ones. Equal scores move together.

    A point is the pair of the recall tp/P and the precision tp/(tp + fp). If P = 0, the first part of every point is
    the word no-positives. No point at recall 0 is made up before the first threshold, and none is left out after
    recall 1.
    """
    return _curve(ranking_module.precision_recall_curve(labels, scores))


@family("martin: the DET curve", draw=_samples)
def det_curve(labels: Any, scores: Any) -> Document:
    """The detection error tradeoff: false positive and false negative rates.

    {samples} {samples-refused}
    thresholds: the distinct scores from the highest down. P and N are the numbers of positive and negative samples.

    points: a pair [fpr, fnr] before all scores and then one for each threshold, in the same order. fpr = fp/N with fp
    the number of negative samples at or above the threshold, or the word no-negatives if N = 0. fnr = fn/P with fn the
    number of positive samples below the threshold, or no-positives if P = 0. The first point is [0, 1], where they
    exist: nothing is at or above. No point is left out, and no quantile of the normal distribution is taken.
    """
    return _curve(ranking_module.det_curve(labels, scores))


def _areas(ranking: Ranking) -> Document:
    anchored = {f"pr_auc_{anchor.name.lower()}": ranking_pr_auc(ranking, anchor=anchor) for anchor in Anchor}
    average = ranking_average_precision(ranking)
    return {"roc_auc": ranking_roc_auc(ranking), **anchored, "average_precision": average}


@family("ores: section 1.5", "ores: section 1.6", "bias_adjusted: AUPR", draw=_samples)
def areas(labels: Any, scores: Any) -> Document:
    """Areas under ROC and under precision over recall, and average precision.

    {samples} {samples-refused}
    roc_auc: of all pairs of a positive and a negative sample, the share in which the positive one has the higher
    score, plus half the share in which the scores are equal. It is no-positives without positive samples, otherwise
    no-negatives without negative ones.

    All other results are no-positives if every sample is negative. Otherwise take the distinct scores t from the
    highest down; tp and n are the numbers of positive samples and of all samples with a score of at least t, P the
    number of all positive samples: the points (r_i, p_i) = (tp/P, tp/n), i = 1, 2, ….

    pr_auc_none: the sum over neighbouring points of (r_(i+1) − r_i)·(p_i + p_(i+1))/2; with one point it is 0.
    pr_auc_first_precision: the same with the point (0, p_1) put before the first. pr_auc_one: the same with the point
    (0, 1) put before the first. average_precision: the sum over the points of (r_i − r_(i−1))·p_i, with r_0 = 0.
    """
    return _areas(rank(labels, scores))


def _weighted(draws: Draws, index: int) -> Document:
    samples = _samples(draws, index)
    weights = [1, *(draws.pick(_WEIGHTS) for _ in samples["labels"][1:])]
    return {**samples, "weights": weights, "threshold": draws.pick(samples["scores"])}


@family("bias_adjusted: Testing", "bias_adjusted: AUPR", draw=_weighted)
def weighted_metrics(labels: Any, scores: Any, weights: Any, threshold: Any) -> Document:
    """Metrics and areas of weighted samples.

    {samples} {samples-refused}
    weights gives a weight for each sample, threshold is a number; both are written like scores. Refuse as bad-number
    one that is not a number; as bad-samples a negative weight, another number of weights than of samples, and weights
    that are all zero. A sample of weight zero is left out, as if it were not there. thresholds: the distinct scores of
    the others, from the highest down.

    matrix: the samples with a score of at least the threshold are predicted to be positive; tp and fn are the sums of
    the weights of the positive samples that are and are not, fp and tn those of the negative samples.

    error_rate = (fp + fn)/(tp + fp + fn + tn); precision = tp/(tp + fp), or no-predicted-positives for 0/0; recall =
    tp/(tp + fn), or no-positives; f1 = 2tp/(2tp + fp + fn), or nothing-positive; !precision = tn/(tn + fn), or
    no-predicted-negatives; !recall = tn/(tn + fp), or no-negatives.

    roc_auc: over all pairs of a positive and a negative sample, the sum of the products of their weights, where the
    positive one has the higher score, plus half the sum where the scores are equal; over the sum of all. It is
    no-positives if the positive samples have no weight, otherwise no-negatives if the negative ones have none.

    All other results are no-positives if the positive samples have no weight. Otherwise take the thresholds t from the
    highest down; tp and w are the weights of the positive samples and of all samples with a score of at least t, P the
    weight of all positive samples: the points (r_i, p_i) = (tp/P, tp/w).

    pr_auc_none: the sum over neighbouring points of (r_(i+1) − r_i)·(p_i + p_(i+1))/2; with one point it is 0.
    pr_auc_first_precision: the same with the point (0, p_1) before the first. pr_auc_one: the same with (0, 1) before
    the first. average_precision: the sum over the points of (r_i − r_(i−1))·p_i, with r_0 = 0.
    """
    ranking = rank(labels, scores, weights)
    matrix = ranking.at(threshold)
    names = ("error_rate", "precision", "recall", "f1", "!precision", "!recall")
    return {
        "thresholds": ranking.thresholds(),
        "matrix": {name: getattr(matrix, name) for name in CELLS},
        **{name: matrix[name] for name in names},
        **_areas(ranking),
    }


def _query(draws: Draws, index: int) -> Document:
    target, condition = draws.pick([*METRICS]), draws.pick([*METRICS])
    goal, relation = draws.pick(("maximum", "minimum")), draws.pick((">=", "<="))
    query = f"{goal} {target} @ {condition} {relation} {draws.rate(10)}"
    return {"rule": draws.pick([rule.value for rule in Rule]), **_samples(draws, index), "query": query}


@family("ores: section 1", "ores: section 1.12", draw=_query)
def threshold_query(rule: Any, labels: Any, scores: Any, query: Any) -> Document:
    """The threshold at which a metric is best while another keeps to a bound.

    {samples} {samples-refused}
    query is a text: maximum or minimum, blanks, a metric, @, another metric, one of >= <= > < =, and a number from 0
    to 1 as a whole number, fraction or decimal. Capitals do not matter. Blanks may come before and after the text,
    the metrics, the comparison and an exclamation mark; after maximum and minimum there must be some. Refuse as
    bad-query any other text, an unknown metric, more than one exclamation mark, and a bound outside [0, 1].

    The thresholds are the distinct scores. At a threshold t the samples with a score of at least t (if rule is >=), or
    above t (if rule is >), are predicted to be positive, the others negative; this makes a confusion matrix of counts.

    {metrics} {negated-metrics}
    A threshold counts if neither metric is undefined at it and the second metric compares with the bound as asked,
    exactly. If none counts, the expected value is answered: false, alone. Otherwise answered is true, value is the
    largest (maximum) or smallest (minimum) value of the first metric at the thresholds that count. If several have it,
    a maximum takes the largest of these thresholds, a minimum the smallest. matrix holds the counts at that threshold.
    """
    result = ask(rank(labels, scores), query, rule=Rule(rule))
    if not isinstance(result, ThresholdAnswer):
        return {"answered": False}
    matrix = {name: getattr(result.confusion, name) for name in CELLS}
    return {"answered": True, "threshold": result.threshold, "value": result.value, "matrix": matrix}


def _rows(draws: Draws, index: int) -> Document:
    names = list("abcde"[: draws.between(3, 5)])
    labels = [*names, *(draws.pick(names) for _ in range(index // 12))]
    return {
        "names": names,
        "labels": labels,
        "scores": [[draws.below(draws.pick((3, 40))) for _ in names] for _ in labels],
        "weights": [1, *(draws.pick(_WEIGHTS) for _ in labels[1:])] if index % 5 == 4 else None,
    }


@family("hand_till: the measure M", draw=_rows)
def many_label_areas(names: Any, labels: Any, scores: Any, weights: Any) -> Document:
    """The area under ROC of three labels and more, each against the rest or in pairs.

    names are the labels, one for each column of the scores. labels gives the true label of each sample, scores a row
    of numbers for each sample with one for each label, weights a weight for each sample, or null for weights of 1.
    {number-texts}
    Refuse as bad-number what is not a number; as bad-samples no samples, another number of rows than of labels, a row
    of another length than names, another number of weights than of samples, a negative weight, and weights that are all
    zero. An input has one fault at most. A true label may be none of the names: such a sample is among the rest of
    every label.

    The area of some samples, each of which is positive or negative and has one score and a weight: of all pairs of a
    positive and a negative sample, a pair weighing the product of the two weights, the share where the positive has
    the higher score, plus half the share of the ties. It is undefined if the positives or the negatives weigh nothing.

    ovr: for each label the area of all samples, positive if they have the label, by the scores of its column.
    ovr_macro: the mean of these areas. ovr_weighted: their mean with the weights of the samples of each label. micro:
    the area of all cells of the table, a sample for each label and each row with the weight of the row, positive where
    the column is that of the true label.

    ovo: for each pair of labels i < j of names, in the order 12, 13, …, 23, …, two areas of the samples that have one
    of these two labels: with i as positive by the scores of column i, and with j as positive by those of column j.
    ovo_macro: the mean of all these areas. ovo_weighted: their mean, each with the weight of all samples of its two
    labels.

    A mean with an undefined area in it is the word part-undefined. One name has no pairs: ovo_macro and
    ovo_weighted are one-label. If micro is undefined it is no-positives if the positives weigh nothing, otherwise
    no-negatives.
    """
    asked = {
        "ovr_macro": (LabelPairs.OVR, Average.MACRO),
        "ovr_weighted": (LabelPairs.OVR, Average.WEIGHTED),
        "micro": (LabelPairs.OVR, Average.MICRO),
        "ovo_macro": (LabelPairs.OVO, Average.MACRO),
        "ovo_weighted": (LabelPairs.OVO, Average.WEIGHTED),
    }
    return {
        name: many_label_roc_auc(labels, scores, weights, label_names=names, pairs=pairs, average=average)
        for name, (pairs, average) in asked.items()
    }


@family(
    "russakovsky: the top-5 error",
    draw=lambda draws, index: {**_rows(draws, index), "k": draws.between(1, 3)},
)
def top_k_accuracy(names: Any, labels: Any, scores: Any, weights: Any, k: Any) -> Document:
    """The share of samples whose label is among the k highest scores.

    names are the labels, one for each column of the scores. labels gives the true label of each sample, scores a row
    of numbers for each sample with one for each label, weights a weight for each sample, or null for weights of 1.
    {number-texts}
    Refuse as bad-number what is not a number, and a k that is not whole or is negative; as bad-samples no samples,
    another number of rows than of labels, a row of another length than names, a label that is none of the names,
    another number of weights than of samples, a negative weight, and weights that are all zero. An input has one fault
    at most.

    For a sample let h be how many scores of its row are higher than that of its true label, e how many are equal to
    it, itself included, and b how many of these equal ones come before it in the row. Each value is the mean over the
    samples, with weights, of 1 or 0, or of a share. first: 1 if h + b < k. last: 1 if h + e − 1 − b < k. shared:
    min(max(k − h, 0), e)/e, the chance that a random order of equal scores puts the label among the first k.
    """
    return {
        ties.name.lower(): top_k(labels, scores, weights, k=k, label_names=names, ties=ties)
        for ties in TopTies
    }


def _probabilities(draws: Draws, index: int) -> Document:
    labels = [draws.below(2) for _ in range(2 + index // 12)]
    return {
        "labels": labels,
        "probabilities": [draws.rate(2 + index // 5) for _ in labels],
        "bins": draws.pick((1, 2, 3, 5, 10)),
        "weights": [1, *(draws.pick(_WEIGHTS) for _ in labels[1:])] if index % 3 == 2 else None,
    }


@family("brier: the score", draw=_probabilities)
def probability_losses(labels: Any, probabilities: Any, bins: Any, weights: Any) -> Document:
    """Brier score, log loss and calibration of probabilities.

    The input gives samples by their labels y, 1 for positive and 0 for negative, the probability p of a positive that
    was predicted for each, weights w, one for each sample or null for weights of 1, and a number of bins.
    {number-texts}
    Refuse as bad-number what is not a number, a probability outside [0, 1], and a number of bins that is not whole or
    is below 1; as bad-samples no samples, lists of different lengths, a label other than 0 and 1, a negative weight,
    and weights that are all zero. An input has one fault at most. Samples of weight 0 count for nothing. W is the sum
    of all weights. brier: Σ w·(p − y)²/W.

    log_loss: −Σ w·log q/W with q = p for a positive and q = 1 − p for a negative sample, log the natural logarithm.
    Rounded to the nearest multiple of 10^−12, or the word infinite if q = 0 for some sample. Nothing is clipped.

    bins: with n bins, bin i (from 0 to n − 1) holds the samples with i/n ≤ p < (i + 1)/n, and the last one also those
    with p = 1. For each bin that holds a sample, in order: lower, i/n; upper, (i + 1)/n; weight, the sum of the
    weights in it; mean, the mean of p in it, with weights; positives, the share of the weight in it that is positive.
    calibration_error: Σ weight·|mean − positives|/W over these bins. largest_gap: the largest |mean − positives|.
    """
    result = calibration(labels, probabilities, weights, bins=bins)
    loss = log_loss(labels, probabilities, weights)
    parts = ("lower", "upper", "weight", "mean", "positives")
    return {
        "brier": brier_score(labels, probabilities, weights),
        "log_loss": "infinite" if loss.infinite else rational(loss.decimal(_PLACES)),
        "bins": [{name: getattr(one, name) for name in parts} for one in result.bins],
        "calibration_error": result.error,
        "largest_gap": result.largest_gap,
    }
