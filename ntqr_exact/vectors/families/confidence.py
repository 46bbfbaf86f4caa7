"""Confidence: scores of probability vectors, how they are compared, and estimates on unlabelled data."""

from __future__ import annotations

from typing import Any

from ntqr_exact.confidence.atc import (
    PLAIN,
    AtcReading,
    DropLine,
    DropSign,
    TieRule,
    atc,
    calibrated_drop_line,
    doc,
    fit_drop_line,
)
from ntqr_exact.confidence.ordering import smallest_inversion as find_inversion
from ntqr_exact.confidence.scores import (
    HALF_JEFFREYS,
    SIX,
    ScoreFunction,
    compare_scores,
    distance_score,
    score_function,
)
from ntqr_exact.exact.enclosure import LogSumKey
from ntqr_exact.exact.enclosure import log_sum_sign as sign_of
from ntqr_exact.exact.rational import rational
from ntqr_exact.vectors.family import Document, family
from ntqr_exact.vectors.inputs import Draws

_PLACES = 12


def _sum(draws: Draws, index: int) -> Document:
    base, power, divisor = draws.between(2, 3 + index), draws.between(1, 9), draws.between(1, 6)
    near = base**power + draws.pick((0, 0, 1, -1))  # often a sum that is zero, or nearly
    terms = [[f"1/{divisor}", str(near)], [f"-{power}/{divisor}", str(base)]]
    more = draws.between(1, 5 + index)
    return {"terms": [*terms, [f"-{more}", "7/5"], [str(more), "1.4"]]}


@family("orderings: section 2.3, items 2 and 6", draw=_sum)
def log_sum_sign(terms: Any) -> Document:
    """The sign of a sum of logarithms.

    terms is a list of pairs [c, m], a coefficient and an argument. Numbers are JSON integers, or texts like 3/8, 0.375
    or 4e-7, which mean just what they say. Refuse as bad-number what is not a number, an argument below 0 whatever its
    coefficient, and an argument of 0 whose coefficient is not 0. sign: negative, zero or positive, the sign of the sum
    of c·log(m), in which 0·log 0 counts as 0 and the empty sum is 0.

    It can be found exactly: with D a common denominator of the coefficients, it is the sign of P − 1, where P is the
    product of the powers m^(D·c), a rational number. That is long for large exponents; enclosures of the logarithms
    decide all but ties and near ties.
    """
    sign = sign_of([(coefficient, argument) for coefficient, argument in terms])
    return {"sign": ("zero", "positive", "negative")[sign]}


def _two_vectors(draws: Draws, index: int) -> Document:
    labels, below = draws.between(2, 5), 3 + index // 2
    left = draws.vectors(1, labels, below)[0]
    right = left[::-1] if index % 4 == 0 else draws.vectors(1, labels, draws.between(2, below))[0]
    return {"score": draws.pick(SIX), "left": left, "right": right}


@family("orderings: section 2.3", "orderings: proof of theorem 1, item 6", draw=_two_vectors)
def score_comparison(score: Any, left: Any, right: Any) -> Document:
    """Confidence scores of probability vectors, compared exactly.

    {probability-vector}
    left and right are probability vectors; refuse as bad-samples two of different lengths, and a score that is not one
    of the names below.

    {scores} {scores-compared}
    comparison: less, equal or greater, as the score of left is less than, equal to or greater than that of right. An
    infinite score is greater than all others, and equal to another infinite one. left and right: the two scores. Those
    of max, l1-uniform, l2 and l2-uniform are exact; those of entropy, jensen-shannon and jensen-shannon-printed are
    rounded to the nearest multiple of 10^−12, or the word infinite.
    """
    sign = compare_scores(_named(score), left, right)
    return {
        "comparison": ("equal", "greater", "less")[sign],
        "left": _value(score, left),
        "right": _value(score, right),
    }


def _named(score: Any) -> ScoreFunction:
    return HALF_JEFFREYS if score == HALF_JEFFREYS.name else score_function(score)


def _value(score: str, vector: Any) -> Any:
    value = _named(score).value(vector)
    if not isinstance(value, LogSumKey):
        return value
    return "infinite" if value.infinite else rational(value.decimal(_PLACES))


def _two_scores(draws: Draws, index: int) -> Document:
    labels = draws.between(2, 4)
    centres = draws.vectors(2, labels, 3 + index // 6)
    left = draws.pick(SIX) if index % 2 else centres[0]
    return {
        "labels": labels,
        "left": left,
        "right": centres[1],
        "max_denominator": {2: 14, 3: 8, 4: 5}[labels],
    }


@family("orderings: theorem 2", "orderings: theorem 2, remark", draw=_two_scores)
def smallest_inversion(labels: Any, left: Any, right: Any, max_denominator: Any) -> Document:
    """Smallest pairs of vectors that two scores put in opposite orders.

    left and right are two scores, each either the name of a score (see below) or a probability vector r: then the
    score of p is its distance √(Σ (p_i − r_i)²) to r. labels is the number k of labels, max_denominator the largest
    denominator.

    Refuse as bad-samples an unknown name, a vector r whose probabilities are not a list of k ≥ 2 numbers, none
    negative, with sum 1; as bad-number a number that is none, k < 2, and max_denominator < 2. Numbers are JSON
    integers, or texts like 3/8 or 0.375.

    {scores} {scores-compared}
    For n = 2, 3, … up to max_denominator take the vectors p = (a_1, …, a_k)/n with whole a_i ≥ 0 of sum n: all of them
    if left or right is a vector r; if both are names, only those with a_1 ≥ a_2 ≥ … ≥ a_k, as the order of the labels
    does not matter then. An inversion is a pair (p, q) of them such that left scores p strictly above q, and right
    scores p strictly below q. The search ends at the first n that has one.

    denominator: this n, or the word none without an inversion up to max_denominator. vectors: for each n that was
    searched, from 2 on, the number of vectors taken. inversions: the number of inversions at the last n searched.
    higher_left and higher_right: the numerators (a_i) over the denominator of p and q, of that inversion (p, q) which
    has the lexicographically largest p, and of those with the same p the lexicographically largest q; null and null if
    there is none.
    """
    scores = [_named(side) if isinstance(side, str) else distance_score(side) for side in (left, right)]
    search = find_inversion(*scores, labels=labels, max_denominator=max_denominator)
    pairs = sorted((one.over(search.denominator) for one in search.inversions), reverse=True)
    first = [list(vector) for vector in pairs[0]] if pairs else [None, None]
    return {
        "denominator": search.denominator if search.found else "none",
        "vectors": [count for _, count in search.examined],
        "inversions": len(pairs),
        "higher_left": first[0],
        "higher_right": first[1],
    }


def _data(draws: Draws, index: int) -> Document:
    labels, below = draws.between(2, 4), 4 + index // 10
    source, target = (
        draws.vectors(2 + index // 25, labels, below),
        draws.vectors(1 + index // 30, labels, below),
    )
    how = draws.pick(("error", "accuracy", "labels"))
    known = [draws.below(labels) for _ in source] if how == "labels" else draws.rate(2 * len(source))
    weights = {"source_weights": [1, *(draws.below(4) for _ in source[1:])]} if index % 5 == 4 else {}
    names = ("error", "accuracy", "labels", "source_weights", "target_weights")
    return {"source": source, "target": target, **dict.fromkeys(names), how: known, **weights}


def _atc_data(draws: Draws, index: int) -> Document:
    reading = draws.pick((None, *(one.value for one in AtcReading)))
    rule = draws.pick([one.value for one in TieRule])
    return {"score": draws.pick(SIX), "reading": reading, "tie_rule": rule, **_data(draws, index)}


@family("orderings: eq. 1 to 3", "orderings: lemma 1", draw=_atc_data)
def atc_estimate(**data: Any) -> Document:
    """Average thresholded confidence.

    {probability-vector} {source-and-target} {weights-of-vectors} {error-of-the-source}
    score is the name of a score s; refuse any other as bad-samples. A score of a vector p with k labels is one of:
    max, the largest p_i; l2, √(Σ p_i²); l1-uniform, Σ |p_i − 1/k|; l2-uniform, √(Σ (p_i − 1/k)²); entropy, Σ p_i·log
    p_i; jensen-shannon, ½·Σ p_i·log(p_i/m_i) + ½·Σ (1/k)·log((1/k)/m_i) with m_i = (p_i + 1/k)/2;
    jensen-shannon-printed, ½·Σ (p_i − 1/k)·log p_i, which is infinite if some p_i is 0. Otherwise 0·log 0 counts as 0;
    log is the natural logarithm.

    {scores-compared}
    reading is error-below, accuracy-above, accuracy-below, or null; refuse any other as bad-choice. For null it is
    accuracy-above if accuracy was given, and otherwise error-below. gamma: Γ = e for error-below, and Γ = 1 − e for
    the two others.

    For a threshold t, u(t) is the share of vectors with s < t for error-below and accuracy-below, and the share of
    those with s ≥ t for accuracy-above. t is one of the scores of the source vectors that have a weight above 0, such
    that |Γ − u(t)| on the source is least. Of several such thresholds, tie_rule says which: smallest or largest;
    refuse any other as bad-choice.

    threshold_vector: the first source vector with a weight above 0 whose score is t. source_share: u(t) on the source.
    estimate: u(t) on the target. error: the estimate for error-below, otherwise 1 less the estimate. accuracy: 1 less
    the error. reading: the reading that was used.
    """
    score, reading = _named(data.pop("score")), data.pop("reading")
    below = reading == "accuracy-below"  # as published: an accuracy, matched as an error is
    result = atc(**data, score=score, reading=AtcReading.ACCURACY_ABOVE if below else reading)
    if below:
        weights = {name: data[name] for name in ("source_weights", "target_weights", "tie_rule")}
        result = atc(data["source"], data["target"], error=result.gamma, score=score, **weights)
    return {
        "reading": reading if below else result.reading.value,
        "gamma": result.gamma,
        "threshold_vector": list(result.threshold_vector),
        "source_share": result.source_share,
        "estimate": result.estimate,
        "error": result.accuracy if below else result.error,
        "accuracy": result.error if below else result.accuracy,
    }


def _doc_data(draws: Draws, index: int) -> Document:
    points = [[str(place + draws.share(9)), draws.rate(9 + index)] for place in range(2 + index // 75)]
    line = {"points": [["-1", "0"], *points]} if index % 3 == 1 else None
    return {"sign": draws.pick([one.value for one in DropSign]), "line": line, **_data(draws, index)}


@family("orderings: section 3.1", draw=_doc_data)
def doc_estimate(sign: Any, line: Any, **data: Any) -> Document:
    """Difference of confidences.

    {probability-vector} {source-and-target} {weights-of-vectors} {error-of-the-source}
    source_accuracy: 1 − e. difference: DoC, the mean over the source of the largest probability of a vector less the
    same mean over the target; both means use the weights.

    line is one of: null, then intercept α = 0 and slope β = 1; an object with points, a list of pairs [x, y]; or an
    object with data_sets, each with vectors and an accuracy. A data set makes the point [x, y] with x = the mean over
    the source of the largest probability less the same mean over the vectors of the data set, both without weights,
    and y = 1 − e − its accuracy.

    Through the points goes the line of least squares: α and β make the sum of (y − α − βx)² least. Refuse as
    bad-samples points that have fewer than two different x among them, and a data set that is not a list of vectors
    like source; as bad-number what is not a number. intercept: α. slope: β. drop: α + β·DoC.

    sign is subtracted or added; refuse any other as bad-choice. accuracy: 1 − e less the drop if it is subtracted,
    plus the drop if it is added; it may lie outside [0, 1]. error: 1 less the accuracy.
    """
    drop: DropLine = PLAIN
    if line is not None and "points" in line:
        drop = fit_drop_line([(x, y) for x, y in line["points"]])
    elif line is not None:
        known = [(one["vectors"], one["accuracy"]) for one in line["data_sets"]]
        drop = calibrated_drop_line(data["source"], doc(**data).source_accuracy, known)
    result = doc(**data, line=drop, sign=sign)
    return {
        "source_accuracy": result.source_accuracy,
        "difference": result.difference,
        "intercept": result.line.intercept,
        "slope": result.line.slope,
        "drop": result.drop,
        "accuracy": result.accuracy,
        "error": result.error,
    }
