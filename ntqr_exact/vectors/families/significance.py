"""Significance of metrics that a model grades: real rates, variances, decisions and plans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gmpy2 import mpq

from ntqr_exact.errors import BadNumber
from ntqr_exact.exact.rational import rational
from ntqr_exact.sampling.comparison import Centre, Comparison, Ends, NormalInterval, compare, compare_paired
from ntqr_exact.sampling.intervals import Critical
from ntqr_exact.sampling.metric_model import (
    MetricModel,
    Performance,
    VarianceParts,
    VarianceReading,
    performance,
    variance_parts,
)
from ntqr_exact.sampling.planning import size_shown
from ntqr_exact.vectors.family import Document, family
from ntqr_exact.vectors.inputs import Draws

_Z = ("49/25", "1", "2.5758")
_PLACES, _BITS = 15, 128
_READINGS = ("deterministic", "printed", "real-share", "estimator", "given-labels", "estimated-rates")
"""The readings of the library, eq. 13 as printed, and eq. 13 without its bias."""
_QUESTIONS = {
    "deterministic/observed": ("deterministic", Centre.OBSERVED),
    "printed/observed": ("printed", Centre.OBSERVED),
    **{f"{reading}/real": (reading, Centre.REAL) for reading in _READINGS[1:]},
}
"""The seven questions of a comparison: a reading of the variance, and the difference that it is around."""


def _parts(model: Performance, reading: str) -> VarianceParts:
    estimator, chance = (
        variance_parts(model, one) for one in (VarianceReading.ESTIMATOR, VarianceReading.GIVEN_LABELS)
    )
    if reading == "printed":  # it divides by N − 1 what is left to chance, too
        return estimator.plus(VarianceParts(chance.per_output))
    return estimator.plus(chance) if reading == "real-share" else variance_parts(model, reading)


def _covariance(result: Comparison, reading: str) -> VarianceParts:
    return result.covariance_parts("estimator" if reading in ("printed", "real-share") else reading)


def _variance(result: Comparison, reading: str) -> mpq:
    both = sum(_parts(model, reading).at(model.size) for model in (result.control, result.treatment))
    return both - 2 * _covariance(result, reading).at(result.control.size)


def _by_class(values: Sequence[Any]) -> Document:
    """Return values by the names of the classes."""
    # What MetricModel calls the classes of precision and false omission rate; more classes are numbered.
    names = ["negative", "positive"] if len(values) == 2 else map(str, range(1, len(values) + 1))
    return dict(zip(names, values, strict=True))


def _model(metric: Document) -> MetricModel:
    if "tp" in metric:
        return MetricModel.from_counts(**metric)
    rates, positive, variances = (metric[name] for name in ("rates", "positive", "variances"))
    if not len(rates) == len(positive) == len(variances):
        raise BadNumber(metric, "a metric model must have a rate, a label and a variance for each class")
    said = [name for name, is_positive in _by_class(positive).items() if is_positive]
    return MetricModel.of_classes(_by_class(rates), positive=said, variances=_by_class(variances))


def _performance(metric: Document, counts: Any) -> Performance:
    return performance(_by_class(counts), metric=_model(metric))


def _metric(draws: Draws, index: int, classes: int) -> Document:
    if index % 3 == 2 and classes == 2:
        return {name: 1 + count for name, count in draws.cells(8 + index).items()}
    return {
        "rates": [draws.rate(4 + index // 8) for _ in range(classes)],
        "positive": [False, *(bool(draws.below(2)) for _ in range(classes - 2)), True],
        "variances": [str(draws.share(9) / (10 + index)) for _ in range(classes)],
    }


def _outputs(draws: Draws, index: int) -> Document:
    classes = draws.between(2, 4)
    return {"metric": _metric(draws, index, classes), "counts": draws.counts(2 + index * index // 4, classes)}


@family("faithful: eq. 10", "faithful: eq. 17", draw=_outputs)
def real_rate(metric: Any, counts: Any) -> Document:
    """The real share of positives behind the labels of a metric model.

    {metric-model} {number-texts} {metric-model-refused} {counts-of-outputs}
    rates: the r_o. rate_variances: the v_o. observed_rate: the share p of the outputs in classes whose label says
    positive. real_rate: the sum over the classes of r_o times the share of the outputs in class o. slope: δ = r_2 −
    r_1 if there are two classes, the first with a negative and the second with a positive label (then real_rate = r_1
    + δ·p); otherwise the word no-slope.
    """
    model, result = _model(metric), _performance(metric, counts)
    has_slope = model.is_binary and [one.counts_as for one in model.classes] == [0, 1]
    return {
        "rates": [one.rate for one in model.classes],
        "rate_variances": [one.rate_variance for one in model.classes],
        "observed_rate": result.observed_rate,
        "real_rate": result.real_rate,
        "slope": model.slope if has_slope else "no-slope",
    }


@family("faithful: eq. 5 and 6", "faithful: eq. 12 and 13", draw=_outputs)
def variance_readings(metric: Any, counts: Any) -> Document:
    """The variances of a performance that a metric model observes.

    {metric-model} {number-texts} {metric-model-refused} {counts-of-outputs} {sums-of-a-sample} {variance-readings}
    The result has a key for each reading.
    """
    result = _performance(metric, counts)
    return {reading: _parts(result, reading).at(result.size) for reading in _READINGS}


def _paired(draws: Draws, index: int) -> Document:
    classes = [draws.between(2, 3)] * 2
    metrics = [_metric(draws, index, classes[0])]
    if index % 2:
        classes[1] = draws.between(2, 3)
        metrics.append(_metric(draws, index, classes[1]))
    cells = draws.counts(2 + 2 * index, classes[0] * classes[1])
    joint = [cells[row * classes[1] : (row + 1) * classes[1]] for row in range(classes[0])]
    asked = {"z": draws.pick(_Z), "ends": draws.pick(("open", "closed"))}
    return {**asked, "metrics": metrics, "same_labelled_set": None, "joint": joint}


@family("faithful: eq. 14", "faithful: eq. 18 to 20", draw=_paired)
def paired_decision(z: Any, ends: Any, metrics: Any, same_labelled_set: Any, joint: Any) -> Document:
    """Two models compared on the same questions.

    {metric-model} {number-texts} {metric-model-refused}
    metrics holds one metric model for control and treatment, or one for the control and one for the treatment.
    same_labelled_set is true, false or null. Refuse as bad-number any other number of metric models; one metric model
    with false; and two that differ in rates, labels or variances with true. The rates come from one labelled set if
    there is one metric model, or if same_labelled_set is true; otherwise not.

    joint[x][y] counts the questions on which the control's output is in class x and the treatment's in class y. Refuse
    as bad-number a table that has not a row for each class of the control and in it a count for each class of the
    treatment, a count that is not whole or negative, and N = 1, where N is the sum; N = 0 as empty-test. The outputs
    of the control in class x are row x of the table, those of the treatment in class y are column y.

    {critical-value-and-ends} {sums-of-a-sample} {variance-readings}
    observed_difference: p of the treatment less p of the control. real_difference: the same of m.

    covariances, for each reading. For deterministic, give a class the value 1 if its label says positive, otherwise 0;
    for printed, real-share, estimator and estimated-rates give it the value r_o. With these values the covariance is
    (the mean over the questions of the product of both outputs' values, less the product of the two means)/(N − 1).
    For estimated-rates add, if the rates come from one labelled set, the sum of s_o (control) · s_o (treatment) · v_o.
    For given-labels it is 0.

    variances, for each reading: the variance of the treatment plus that of the control less twice the covariance.
    decisions: the key reading/observed means f = observed_difference, reading/real for f = real_difference, V is
    the variance of that reading. not-shown if f = 0, or f² < z²V, or f² = z²V with closed ends; otherwise lower if f <
    0, higher if f > 0.
    """
    models = [_model(one) for one in metrics]
    if len(models) not in (1, 2):
        raise BadNumber(len(models), "metrics must be one metric model for both, or one for each")
    control, treatment = models[0], models[-1]
    if len(joint) != len(control.classes) or any(len(row) != len(treatment.classes) for row in joint):
        raise BadNumber(joint, "joint must have a count of each pair of classes")
    cells = {
        (left.name, right.name): count
        for left, row in zip(control.classes, joint, strict=True)
        for right, count in zip(treatment.classes, row, strict=True)
    }
    given = control if len(models) == 1 else (control, treatment)
    asked: Any = {"critical": Critical(z), "ends": ends, "same_labelled_set": same_labelled_set}
    result = compare_paired(cells, metric=given, **asked)
    decided = {
        name: NormalInterval(
            result.difference(centre), _variance(result, reading), result.critical, result.ends
        ).decision()
        for name, (reading, centre) in _QUESTIONS.items()
    }
    return {
        "observed_difference": result.difference(Centre.OBSERVED),
        "real_difference": result.difference(Centre.REAL),
        "covariances": {one: _covariance(result, one).at(result.control.size) for one in _READINGS},
        "variances": {one: _variance(result, one) for one in _READINGS},
        "decisions": decided,
    }


def _planned(draws: Draws, index: int) -> Document:
    classes, size = draws.between(2, 3), 4 + index * 2
    control, treatment = draws.counts(size, classes), draws.counts(size, classes)
    paired = index % 2 == 0 and classes == 2
    least = max(0, control[1] + treatment[1] - size)
    both = draws.between(least, min(control[1], treatment[1])) if paired else None
    samples = {
        "metric": _metric(draws, index, classes),
        "control": control,
        "treatment": treatment,
        "both": both,
    }
    return {"z": draws.pick(_Z), "ends": draws.pick(("open", "closed")), **samples}


@family("faithful: eq. 7 and 8", "faithful: eq. 13 and 14", draw=_planned)
def sample_size_plan(z: Any, ends: Any, metric: Any, control: Any, treatment: Any, both: Any) -> Document:
    """The smallest sample that would show a difference.

    {metric-model} {number-texts} {metric-model-refused}
    control and treatment tell how many outputs of each model were put into each class. Refuse as bad-number another
    number of counts than of classes, a count that is not whole or negative, and a sample of one output; a sample of
    none as empty-test.

    both is null for independent samples. Otherwise the samples are paired, an output of each model on every question,
    and both counts the questions on which both outputs are in the second class. Refuse as bad-number, if both is
    given: more or fewer than two classes, samples of different sizes, and a number that is not whole, negative, or
    impossible with the two samples.

    {critical-value-and-ends}
    For each model: s_o the share of outputs in class o, p the share in classes with a positive label, m the sum of
    s_o·r_o, A the sum of s_o·(r_o − m)², and B the sum of s_o·r_o·(1 − r_o). For both models together, where Δs_o is
    s_o of the treatment less s_o of the control: C is the sum of Δs_o²·v_o. For paired samples, E is the share of the
    questions that both counts less the product of the shares s_2 of both models; for independent samples E = 0. With
    g_o = 1 for a class with a positive label and 0 for the other, K_g = (g_2 − g_1)²·E and K_r = (r_2 − r_1)²·E.

    The variance of the difference, as a function of one size N for both models, is V(N) = a/(N − 1) + b/N + c. With
    sums over the two models: deterministic: a is the sum of p·(1 − p), less 2K_g. printed: a is the sum of m·(1 − m),
    less 2K_r. real-share: a is the sum of A, less 2K_r, and b the sum of B. estimator: a is the sum of A, less 2K_r.
    given-labels: b is the sum of B. estimated-rates: a is the sum of A, less 2K_r, and c = C. All others of a, b, c
    are 0.

    The result has a key for each question: reading/observed with f = p of the treatment less p of the control,
    reading/real with f = m of the treatment less m of the control. A size N ≥ 2 shows the difference if f ≠ 0 and
    either f² > z²·V(N), or f² = z²·V(N) with open ends. smallest_size: the smallest N that does (then all larger ones
    do, too), or the word none if none does. The shares are held fixed, whether or not they make whole numbers of
    outputs.

    decision: not-shown if smallest_size is none, otherwise lower if f < 0 and higher if f > 0.
    """
    sides: Any = {"control": _by_class(control), "treatment": _by_class(treatment)}
    result = compare(**sides, metric=_model(metric), both=both, critical=Critical(z), ends=ends)
    plans = {}
    for name, (reading, centre) in _QUESTIONS.items():
        parts = _parts(result.control, reading).plus(_parts(result.treatment, reading))
        parts = parts.plus(_covariance(result, reading), -2)
        size, decision = size_shown(result.difference(centre), parts, result.critical, result.ends)
        plans[name] = {"smallest_size": str(size or "none"), "decision": decision}
    return plans


def _around(draws: Draws, index: int) -> Document:
    size, z = 3 + index, rational(draws.pick(_Z))
    root = rational(f"{draws.between(1, size)}/{draws.between(1, size)}")
    centre = draws.pick((1, -1)) * z * root + (draws.share(size) if index % 3 else 0)  # or an end is at 0
    ends = draws.pick(("open", "closed"))
    return {"z": str(z), "ends": ends, "centre": str(centre), "variance": str(root**2)}


@family("faithful: eq. 8", "faithful: eq. 14", draw=_around)
def interval_decision(z: Any, ends: Any, centre: Any, variance: Any) -> Document:
    """Whether a normal interval excludes 0.

    centre is a difference f, variance its variance V, z a critical value. Numbers are JSON integers, or texts like
    3/8, 0.375 or 4e-7, which mean just what they say. Refuse as bad-number what is not a number, V < 0, and z ≤ 0. ends
    is open or closed; refuse any other as bad-choice. lower and upper: the ends f − z√V and f + z√V of the interval.

    decision: not-shown if f = 0. Otherwise, with closed ends, not-shown if 0 lies between the ends or is one of them,
    that is if f² ≤ z²V; with open ends, if 0 lies strictly between them, that is if f² < z²V. In all other cases lower
    if f < 0 and higher if f > 0.
    """
    interval = NormalInterval(rational(centre), rational(variance), Critical(z), Ends(ends))
    return {"decision": interval.decision(), "lower": interval.lower, "upper": interval.upper}


def _at_level(draws: Draws, index: int) -> Document:
    level, ends = f"{draws.between(1, 9 + index)}/{10 + index}", draws.pick(("open", "closed"))
    variance = f"{draws.between(1, 9 + index)}/{draws.between(1, 9)}"
    return {"level": level, "ends": ends, "centre": f"{draws.between(-30, 30)}/10", "variance": variance}


@family("faithful: eq. 8", "faithful: eq. 14", draw=_at_level)
def normal_decision(level: Any, ends: Any, centre: Any, variance: Any) -> Document:
    """Whether an interval with the true normal quantile excludes 0.

    level is a probability L, centre a difference f, variance its variance V. Numbers are JSON integers, or texts like
    3/8, 0.375 or 4e-7, which mean just what they say. Refuse as bad-number what is not a number, V < 0, and a level
    that is not strictly between 0 and 1. ends is open or closed; refuse any other as bad-choice. The critical value z
    is the number beyond which, on both sides of 0 together, a standard normal number lies with probability 1 − L: Φ(z)
    = (1 + L)/2.

    z: this number, rounded to the nearest multiple of 10^−15. decision: not-shown if f = 0. Otherwise, if V = 0 or f²
    > z²V with the true z, lower for f < 0 and higher for f > 0. In all other cases not-shown. Ends make no difference
    here, as no test has f² = z²V for V > 0. An exact way: f² > z²V if and only if erf(|f|/√(2V)) > L. Bounds of erf
    from its series, with more terms and digits as long as L lies between them, decide it.
    """
    interval = NormalInterval(rational(centre), rational(variance), Critical(level=level), Ends(ends))
    z = rational(interval.critical.enclose(_BITS).decimal(_PLACES))
    return {"z": z, "decision": interval.decision()}
