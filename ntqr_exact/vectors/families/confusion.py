"""Metrics with a key: confusion matrices of two labels and of several, rescaled, weighted and resampled."""

from __future__ import annotations

from typing import Any

from ntqr_exact.errors import BadSamples
from ntqr_exact.metrics.bootstrap import BootstrapMethod, QuantileDefinition
from ntqr_exact.metrics.confusion import ConfusionMatrix, bias_adjusted, population_factors
from ntqr_exact.metrics.exact_bootstrap import CellStratum, exact_weighted_bootstrap
from ntqr_exact.metrics.formulas import CELLS, METRICS, WhenUndefined, defined
from ntqr_exact.metrics.formulas import metric as metric_named
from ntqr_exact.metrics.multiclass import (
    Average,
    MulticlassConfusion,
    balanced_accuracy,
    cohen_kappa,
    lift,
    matthews,
)
from ntqr_exact.metrics.weights import Strata
from ntqr_exact.vectors.family import Document, family
from ntqr_exact.vectors.inputs import LEVELS, Draws

_NAMES = (*METRICS, *(f"!{name}" for name in METRICS))
_POLICIES = {"word": None, "0": WhenUndefined.ZERO, "1": WhenUndefined.ONE}
_QUANTILES = {"lower": QuantileDefinition.INVERSE_CDF, "averaged": QuantileDefinition.AVERAGED_INVERSE_CDF}


def _cells(matrix: ConfusionMatrix) -> Document:
    return {name: getattr(matrix, name) for name in CELLS}


def _square(labels: Any, counts: Any) -> MulticlassConfusion:
    if any(len(row) != len(labels) for row in (counts, *counts)):
        raise BadSamples(counts, "counts must have a row for each label, with a count of each label")
    return MulticlassConfusion(
        {a: dict(zip(labels, row, strict=True)) for a, row in zip(labels, counts, strict=True)}
    )


def _table(draws: Draws, index: int) -> Document:
    labels = draws.between(2, 4)
    rows = [draws.counts(draws.below(3 + index // 3), labels) for _ in range(labels)]
    return {"labels": list("abcd"[:labels]), "counts": rows}


@family(
    "ores: section 1",
    "ores: section 1.12",
    "bias_adjusted: Error Rate",
    draw=lambda draws, index: draws.cells(1 + index * index // 8),
)
def confusion_metrics(tp: Any, fp: Any, fn: Any, tn: Any) -> Document:
    """Metrics of a confusion matrix, their negated forms, and where they are undefined.

    The input gives the four cells of a confusion matrix: counts, or weights that need not be whole. A cell is a whole
    number, or a text with a whole number, a fraction or a decimal, with or without an exponent. Refuse as bad-number a
    text that is not a number or has a zero denominator; as bad-samples a negative number.

    {metrics} {negated-metrics}
    The expected value has sixteen keys, the eight names and the eight negated names, each with the exact number or the
    word. Four zeros are a valid case.
    """
    matrix = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    return {name: matrix[name] for name in _NAMES}


def _with_beta(draws: Draws, index: int) -> Document:
    return {**draws.cells(2 + index), "beta": f"{draws.between(1, 5)}/{draws.between(1, 4)}"}


@family("van_rijsbergen: chapter 7, effectiveness", "jaccard: the coefficient of community", draw=_with_beta)
def lift_and_f_beta(tp: Any, fp: Any, fn: Any, tn: Any, beta: Any) -> Document:
    """Lift, F-beta, Jaccard's index and the false discovery rate.

    The input gives the four cells of a confusion matrix, numbers that need not be whole, and beta, a text.
    {number-texts} Refuse as bad-query a beta that is not written as digits, perhaps with one point or slash and more
    digits after it (2, 0.5 and 1/2 are fine; -1 and .5 are not); as bad-number a cell that is not a number, and a beta
    that is 0, has the denominator 0 or is above 1000; as bad-samples a negative cell. An input has one fault at most.

    lift: precision over the share of positives, tp·n/((tp + fp)·(tp + fn)) with n the sum of all cells; the word
    no-predicted-positives if tp + fp = 0, otherwise no-positives if tp + fn = 0. f_beta: (1 + b²)·tp/((1 + b²)·tp + fp
    + b²·fn) with b = beta, or nothing-positive if the divisor is 0. jaccard: tp/(tp + fp + fn), or nothing-positive.
    negated_jaccard: tn/(tn + fn + fp), or nothing-negative. false_discovery_rate: fp/(tp + fp), or
    no-predicted-positives.
    """
    matrix = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    f_beta = metric_named(f"f{beta}")
    return {
        "lift": lift(matrix),
        "f_beta": matrix.measure(f_beta),
        "jaccard": matrix["jaccard"],
        "negated_jaccard": matrix["!jaccard"],
        "false_discovery_rate": matrix["false_discovery_rate"],
    }


def _with_rate(draws: Draws, index: int) -> Document:
    cells = {name: count + 1 for name, count in draws.cells(index * index // 10).items()}
    return {**cells, "rate": draws.rate(10 + index)}


@family("ores: section 1.11", draw=_with_rate)
def population_rescaling(tp: Any, fp: Any, fn: Any, tn: Any, rate: Any) -> Document:
    """A confusion matrix at the rate of a population.

    The input gives the four cells of a confusion matrix, and the share ρ of positives in a population (rate). Each is
    a whole number, or a text with a whole number, a fraction or a decimal. Refuse as bad-number what is not a number
    and a rate outside [0, 1]; as bad-samples a negative cell. P = tp + fn, N = fp + tn, n = P + N. Refuse as
    bad-samples n = 0, P = 0 with ρ > 0, and N = 0 with ρ < 1: no sample represents that label of the population.

    positive_factor: ρ·n/P, and 1 if P = 0. negative_factor: (1 − ρ)·n/N, and 1 if N = 0. matrix: tp and fn times the
    positive factor, fp and tn times the negative factor. Its sum is n again. metrics: recall, fpr, precision, f1,
    accuracy, match_rate, !precision and !f1 of the new matrix, by name.

    {metrics} {negated-metrics}
    """
    matrix = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    rescaled = matrix.at_population_rate(rate)
    positives, negatives = population_factors(matrix.positives, matrix.negatives, rate)
    names = ("recall", "fpr", "precision", "f1", "accuracy", "match_rate", "!precision", "!f1")
    return {
        "positive_factor": positives,
        "negative_factor": negatives,
        "matrix": _cells(rescaled),
        "metrics": {name: rescaled[name] for name in names},
    }


def _strata(draws: Draws, index: int) -> Document:
    matrices = {name: draws.counts(1 + draws.below(3 + index), 4) for name in ("B", "rest", "c")}
    sizes = {name: sum(row) + draws.below(1 + index**2) for name, row in matrices.items()}
    return {"populations": sizes, "matrices": matrices}


@family("bias_adjusted: Error Rate", "bias_adjusted: Testing", draw=_strata)
def importance_weights(populations: Any, matrices: Any) -> Document:
    """Importance weights of samples from strata of known size.

    The input gives strata by name: how large the population of each is, |s|, and the counts [tp, fp, fn, tn] of the
    samples that were drawn from it. Numbers are whole, or texts with whole numbers. A stratum without samples may be
    missing from the matrices. The order of the names does not matter.

    Refuse as bad-number a population that is negative, not whole or no number, and counts of a stratum whose sum is
    not whole; as bad-samples a negative count, counts of a stratum whose population is not given, more samples than
    the population has, no samples of a stratum whose population is not zero, and no population in all. samples and
    population: n, the number of all samples, and |U|, the sum of the populations; texts.

    weights: for each stratum with a population that is not zero, with n_s samples: (n/n_s)·(|s|/|U|). Strata without
    population have no weight and do not occur. matrix: for each of the four cells, the sum over the strata of the
    weight times the count. Its sum is n. error_rate = (fp + fn)/n; precision = tp/(tp + fp), or no-predicted-positives
    for 0/0; recall = tp/(tp + fn), or no-positives; f1 = 2tp/(2tp + fp + fn), or nothing-positive; all of the cells of
    matrix.
    """
    confusions = {
        name: ConfusionMatrix(**dict(zip(CELLS, row, strict=True))) for name, row in matrices.items()
    }
    strata = Strata(
        populations=populations, samples={name: matrix.total for name, matrix in confusions.items()}
    )
    adjusted = bias_adjusted(confusions, populations)
    return {
        "samples": str(strata.size),
        "population": str(strata.population),
        "weights": strata.weights,
        "matrix": _cells(adjusted),
        **{name: adjusted[name] for name in ("error_rate", "precision", "recall", "f1")},
    }


@family("cohen: the coefficient of agreement", "matthews: the correlation coefficient", draw=_table)
def matthews_and_kappa(labels: Any, counts: Any) -> Document:
    """Matthews' correlation, Cohen's kappa and balanced accuracy of several labels.

    The input gives labels, and counts or weights, counts[t][g] of the samples with the true label t that were given
    the label g; numbers are whole, or texts with whole numbers, fractions or decimals. Refuse as bad-samples rows or a
    row of another number than the labels, a negative number, or no label at all; as bad-number a text that is no
    number.

    s is the sum of all numbers, c the sum of the diagonal, t_k the sum of the row and p_k the sum of the column of
    label k, and E = Σ t_k·p_k. matthews: (c·s − E)/√((s² − Σ p_k²)·(s² − Σ t_k²)), a number a√d. If the root is 0, the
    word one-label, or no-samples if s = 0. kappa: (c·s − E)/(s² − E). If s² = E, the word one-label, or no-samples if
    s = 0. balanced_accuracy: the mean over the labels with t_k > 0 of (the diagonal of k)/t_k, or no-samples if there
    is none.
    """
    confusion = _square(labels, counts)
    return {
        "matthews": matthews(confusion),
        "kappa": cohen_kappa(confusion),
        "balanced_accuracy": balanced_accuracy(confusion),
    }


@family(
    "ores: section 1",
    draw=lambda draws, index: {**_table(draws, index), "undefined": draws.pick([*_POLICIES])},
)
def multiclass_averages(labels: Any, undefined: Any, counts: Any) -> Document:
    """Micro, macro and weighted averages over several labels.

    The input gives labels, and counts or weights, counts[t][g] of the samples with the true label t that were given
    the label g; numbers are whole, or texts with whole numbers, fractions or decimals. undefined says what replaces
    a metric that is a share of nothing: word, 0 or 1. Refuse as bad-samples rows or a row of another number than the
    labels, a negative number, or no label at all; as bad-number a text that is not a number.

    matrices: for each label, the label against the rest: tp is its place on the diagonal, fp the rest of its column,
    fn the rest of its row, tn all other places. A metric of a matrix: recall = tp/(tp + fn), or no-positives if that
    is 0/0; precision = tp/(tp + fp), or no-predicted-positives; f1 = 2tp/(2tp + fp + fn), or nothing-positive.

    values: each metric of each label, in the order of the labels. If undefined is 0 or 1, this number is in place
    of a word, and enters the averages. averages, micro: the metric of the matrix in which the matrices of all labels
    are added up cell by cell; if that is undefined, its word, or the number that undefined says.

    averages, macro: the sum of the values of the labels over the number of labels. weighted: the mean of the values
    with the weights tp + fn of the labels; if all these are zero, it is no-positives, or the number that undefined
    says. If undefined is word and the value of any label is a word, both are part-undefined, even if that label has
    the weight zero. accuracy: the sum of the diagonal over the sum of all, or no-samples if that is 0/0, whatever
    undefined says.
    """
    confusion, names = _square(labels, counts), ("recall", "precision", "f1")
    matrices, policy = confusion.matrices, _POLICIES[undefined]
    return {
        "matrices": [_cells(matrices[label]) for label in labels],
        "accuracy": confusion.accuracy,
        "values": {
            name: [one if policy is None else defined(one, policy) for one in matrices.values(name).values()]
            for name in names
        },
        "averages": {
            average.name.lower(): {name: matrices.average(name, average, undefined=policy) for name in names}
            for average in Average
        },
    }


def _resampled(draws: Draws, index: int) -> Document:
    strata = [[*draws.counts(1 + index // 50, 4), 1], [*draws.counts(index % 2, 4), draws.between(1, 3)]]
    strata[0][0] += 1  # so that every metric has an estimate
    strata[0][3] += 1
    return {
        "quantiles": draws.pick([*_QUANTILES]),
        "metric": draws.pick(_NAMES),
        "strata": strata,
        "stratified": index % 8 == 7,
        "undefined": draws.pick(("omit", "0", "1")),
        "level": draws.pick(LEVELS),
    }


@family("bias_adjusted: Bootstrap", draw=_resampled)
def exact_bootstrap(
    quantiles: Any, metric: Any, strata: Any, stratified: Any, undefined: Any, level: Any
) -> Document:
    """The bootstrap over all resamples: distribution, mean, percentile and basic intervals.

    The input gives strata of items, each as [tp, fp, fn, tn, weight]: how many items of each kind it has, and the
    weight of each of its items; a metric; whether resampling is stratified; a level; what becomes of undefined
    resamples (undefined: omit, error, 0 or 1); and how quantiles are defined (quantiles: lower or averaged). Counts
    are whole; weight and level may be texts with fractions or decimals.

    Refuse as bad-query an unknown metric; as bad-number a count that is negative or not whole, a number that is none,
    and a level that is not strictly between 0 and 1; as bad-samples a negative weight, no items, and weights that are
    all zero.

    The metrics are ratios of sums of the weights of items of four kinds. recall = tp/(tp + fn), precision = tp/(tp +
    fp), f1 = 2tp/(2tp + fp + fn), fpr = fp/(fp + tn), accuracy = (tp + tn)/n, error_rate = (fp + fn)/n, match_rate =
    (tp + fp)/n, filter_rate = (fn + tn)/n, n the sum of all. With an exclamation mark before the name, tp and tn, and
    fp and fn, change places. A metric is undefined where its lower sum is 0.

    A resample draws n items with replacement from all n, each equally likely; stratified, it draws from each stratum
    as many items as it has. Items keep their weights. All resamples are equally likely.

    estimate: the metric of the items themselves. outcomes: the values that the metric has on resamples where it is
    defined, in ascending order, each as [value, probability]. undefined_probability: that it is undefined. mean: the
    mean of the metric over the resamples on which it is defined.

    For the intervals, undefined resamples are left out if undefined is omit, the probabilities of the others being
    divided by their sum; they count as 0 or as 1 if it says so; if it is error, and undefined_probability is not 0,
    refuse as undefined-metric. Refuse so, too, whenever the estimate is undefined.

    With α = (1 − level)/2, percentile is [q(α), q(1 − α)]. For quantiles = lower, q(p) is the smallest value v with
    P(metric ≤ v) ≥ p. For quantiles = averaged, it is the mean of that value and the smallest value v with P(metric ≤
    v) > p. All comparisons are exact. basic, also called pivotal: [2·estimate − q(1 − α), 2·estimate − q(α)]; it may
    reach beyond [0, 1].
    """
    parts = [CellStratum(**dict(zip((*CELLS, "weight"), cells, strict=True))) for cells in strata]
    result = exact_weighted_bootstrap(metric, parts, stratified=stratified)
    policy = None if undefined == "omit" else undefined
    rule: Any = {"quantiles": _QUANTILES[quantiles], "undefined": policy}
    percentile, basic = (result.interval(level, method=method, **rule) for method in BootstrapMethod)
    return {
        "estimate": result.estimate,
        "outcomes": [[value, probability] for value, probability in result.outcomes()],
        "undefined_probability": result.undefined_probability,
        "mean": result.mean,
        "percentile": [percentile.lower, percentile.upper],
        "basic": [basic.lower, basic.upper],
    }
