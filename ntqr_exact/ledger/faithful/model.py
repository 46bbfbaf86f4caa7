"""Goyal et al. 2023, section 2.2 and appendix A.3: real rates, their variance, dependent samples (eq. 9 to 20)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cache
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.ledger.equations import FormulaText, formula
from ntqr_exact.ledger.faithful.readings import (
    SourceReading,
    built,
    expected_variance,
    printed_bias,
    real_share_variance,
    variance,
)
from ntqr_exact.ledger.faithful.samples import (
    PERFECT,
    REAL_ESTIMATE,
    REAL_RATE,
    mean,
    paired_moments,
    share_moments,
)
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided
from ntqr_exact.postulates.polynomial import Formula, constant, read_formula
from ntqr_exact.sampling.comparison import compare
from ntqr_exact.sampling.metric_model import MetricModel, performance

LARGEST = 4
"""The most outputs whose labels are all enumerated."""

# The probabilities of one output: q with the observed and then the real label; q00 is 1 less the others.
_RATES = {"p": "q10 + q11", "q": "1 - p", "pi": "q11/p", "phi": "q01/q"}


def _binomial_law(rate: Formula, size: int) -> list[Formula]:
    """Return the probabilities of 0 … size successes, summed over all outcomes of independent trials."""
    law = [constant(0)] * (size + 1)
    for outcome in itertools.product((0, 1), repeat=size):
        weight = constant(1)
        for one in outcome:
            weight = weight * (rate if one else constant(1) - rate)
        law[sum(outcome)] = law[sum(outcome)] + weight
    return law


def binomial(printed: FormulaText, *, of: Literal["observed", "real"]) -> Finding:
    """Sum the number of positive labels over all outcomes, and compare with Bin(N, p) of the printed p."""
    true = read_formula("q10 + q11" if of == "observed" else "q01 + q11")
    claimed = formula(printed, _RATES)
    cases = []
    for size in range(1, LARGEST + 1):
        for count, probability in enumerate(_binomial_law(true, size)):
            ways = sum(1 for each in itertools.product((0, 1), repeat=size) if sum(each) == count)
            term = constant(ways) * claimed**count * (constant(1) - claimed) ** (size - count)
            cases.append(probability.equals(term))
    return as_printed(
        all(cases),
        f"all {len(cases)} probabilities for N = 1 to {LARGEST}, summed over the labels of N outputs of any one joint "
        f"law of observed and real label, {'are' if all(cases) else 'are not'} those of Bin(N, {printed})",
    )


def binomial_variance(printed: FormulaText) -> Finding:
    """Compare the printed variance with that of the enumerated law, for N = 1 to 4."""
    cases = []
    for size in range(1, LARGEST + 1):
        law = _binomial_law(read_formula("p"), size)
        first, second = (
            sum((constant(k**power) * chance for k, chance in enumerate(law)), constant(0))
            for power in (1, 2)
        )
        cases.append((second - first**2).equals(formula(printed).substitute({"N": size})))
    return as_printed(
        all(cases),
        f"E[X²] − E[X]² over all outcomes {'is' if all(cases) else 'is not'} {printed} for N = 1 to {LARGEST}",
    )


def rate_names(printed: tuple[FormulaText, FormulaText]) -> Finding:
    """Compare the printed precision and false omission rate with those of the library on a matrix."""
    counts = {"tp": 3, "fp": 1, "fn": 2, "tn": 5}
    metric = MetricModel.from_counts(**counts)
    values = {name.upper(): mpq(count) for name, count in counts.items()}
    found = [formula(text).evaluate(values) for text in printed]
    return as_printed(
        found == [metric.precision, metric.false_omission],
        f"TP, FP, FN, TN = 3, 1, 2, 5: P(R=1|O=1) = {metric.precision}, P(R=1|O=0) = {metric.false_omission}; "
        f"printed: {found[0]} and {found[1]}",
    )


def without_errors(printed: tuple[mpq, mpq]) -> Finding:
    """Compare the printed rates with those of a metric model without false positives and false negatives."""
    metric = MetricModel.from_counts(tp=3, fp=0, fn=0, tn=5)
    return as_printed(
        printed == (metric.precision, metric.false_omission),
        f"with FP = FN = 0 precision is {metric.precision} and the false omission rate {metric.false_omission}",
    )


def transfer() -> Finding:
    """Carry the rates of a classifier over to data with another share of positives."""
    hit, false_alarm = mpq(3, 4), mpq(1, 4)

    def seen(share: mpq) -> mpq:
        return share * hit + (1 - share) * false_alarm

    def rates(share: mpq) -> tuple[mpq, mpq]:
        return share * hit / seen(share), share * (1 - hit) / (1 - seen(share))

    readings = {}
    tested = mpq(1, 2)
    precision, omission = rates(tested)
    for name, share in (
        ("the testing data are distributed as the outputs that are judged", tested),
        ("the testing data have another share of positives", mpq(1, 10)),
    ):
        told = precision * seen(share) + omission * (1 - seen(share))
        readings[name] = decided(
            told == share,
            "a classifier that finds 3/4 of the positives and wrongly 1/4 of the negatives, tested where half are "
            f"positive: on outputs of which {share} are, eq. 10 tells {told}",
            right="the rates must come from data with the same distribution",
        )
    return by_reading(readings)


def influence() -> Finding:
    """Compare eq. 5 and eq. 13 on an example in which errors lower the variance."""
    falls = performance((1, 2), metric=MetricModel("1/2", 0))
    before, after = (variance(falls, each) for each in (SourceReading.DETERMINISTIC, SourceReading.PRINTED))
    return decided(
        before != after,
        f"1 of 2 observed as positive, π = 1/2, φ = 0: eq. 5 gives {before}, eq. 13 gives {after}",
    )


def bias(estimate: str) -> Formula:
    """Return E of a variance estimate in pR, s, π, φ and N, less eq. 12."""
    true = formula("pR*(1 - pR)/N", {"pR": REAL_RATE})
    return mean(formula(estimate, {"pR": REAL_ESTIMATE}), share_moments()) - true


def estimate(printed: FormulaText, *, unbiased: bool) -> Finding:
    """Compare the mean of an estimate of Var(N_+/N), over all samples, with that variance."""
    gap = bias(printed)
    known_rate = formula(printed, {"pR": REAL_RATE})
    is_eq_12 = known_rate.equals(formula("pR*(1 - pR)/N", {"pR": REAL_RATE}))
    known = {
        "−δ²p(1−p)/N², with δ = π − φ": "0 - (pi - phi)**2*p*(1 - p)/N**2",
        "[pπ(1−π) + (1−p)φ(1−φ)]/(N(N−1))": "(p*pi*(1 - pi) + (1 - p)*phi*(1 - phi))/(N*(N - 1))",
        "0": "0",
    }
    text = next((words for words, each in known.items() if gap.equals(read_formula(each))), str(gap))
    coin = MetricModel("1/2", "1/2")
    average = expected_variance(SourceReading.PRINTED, rate="1/2", size=2, metric=coin)
    true = real_share_variance(rate="1/2", size=2, metric=coin)
    agrees = average - true == printed_bias(rate="1/2", size=2, metric=coin)
    return decided(
        agrees and (gap == 0 if unbiased else is_eq_12 and gap != 0),
        f"its mean less the variance is {text}, as formulas",
        f"smallest case: N = 2, π = φ = 1/2: eq. 13 is always {average}, the variance is {true}"
        if unbiased
        else "without bias only if δ = 0 or p is 0 or 1",
    )


def perfect_limit(printed: FormulaText) -> Finding:
    """Put π = 1 and φ = 0 into the printed variance, and compare intervals on all pairs of small samples."""
    rates = {"pi": constant(1), "phi": constant(0)}
    limit = formula(printed, {"pR": REAL_ESTIMATE}).substitute(rates)
    pairs = [
        [
            built(compare(control=(left, 4), treatment=(right, 5), metric=PERFECT), each)
            for each in (SourceReading.DETERMINISTIC, SourceReading.PRINTED)
        ]
        for left in range(5)
        for right in range(6)
    ]
    same = all(first.interval == second.interval for first, second in pairs)
    return as_printed(
        limit.equals(read_formula("s*(1 - s)/(N - 1)")) and same,
        f"at π = 1, φ = 0 it becomes {limit}; eq. 5 is s(1 − s)/(N − 1) by eq. 16",
        f"the intervals of eq. 8 and 14 agree on all {len(pairs)} pairs of samples of 4 and 5 results",
    )


def more_classes() -> Finding:
    """Sum over three observed classes, and compare with the share that is really positive."""
    real, seen = {"no": 1, "perhaps": 1, "yes": 3}, {"no": 4, "perhaps": 2, "yes": 4}
    metric = MetricModel.of_classes({name: mpq(real[name], seen[name]) for name in seen}, positive=["yes"])
    told = performance(seen, metric=metric).real_rate
    return decided(
        told == mpq(sum(real.values()), sum(seen.values())),
        "classes observed 4, 2, 4 times, really positive 1, 1, 3 times: the sum over the classes is "
        f"{told}; the real label is 0 or 1",
    )


_Law = dict[tuple[int, int, int, int], mpq]
"""Probabilities of (real C, real T, observed C, observed T) of one question."""

_NAMES = ("rc", "rt", "oc", "ot")
_PAIRS = tuple(itertools.product((0, 1), repeat=2))

LEANING: _Law = {(0, 0, 0, 0): mpq(1, 2), (1, 1, 0, 1): mpq(1, 2)}
"""A law in which the real labels are independent given both observed ones, yet C's follows what was observed of T."""


def covariance_of_means(printed: FormulaText) -> Finding:
    """Compare a printed covariance of means with E[c t] − E[c]E[t] of the shares of N paired results."""
    known = paired_moments()
    c, t = read_formula("c"), read_formula("t")
    true = mean(c * t, known) - mean(c, known) * mean(t, known)
    claimed = formula(printed, {"cov": "p11 - pC*pT"})
    return as_printed(
        claimed.equals(true),
        f"of the N² pairs of results only the N of one question covary: Cov of the means is {true}; printed: {claimed}",
    )


def sum_of_products(printed: Mapping[str, FormulaText]) -> Finding:
    """Sum the printed term over x and y, take off the rest, and compare with the covariance of one pair."""
    chances = {(0, 0): "1 - pC - pT + p11", (1, 0): "pT - p11", (0, 1): "pC - p11", (1, 1): "p11"}
    total = constant(0)
    for (x, y), chance in chances.items():
        total = total + formula(printed["term"], {"x": str(x), "y": str(y), "P": chance})
    claimed = total - formula(printed["less"])
    return as_printed(
        claimed.equals(read_formula("p11 - pC*pT")), f"of the four terms only x = y = 1 is left: {claimed}"
    )


def _chance(law: _Law, **fixed: int) -> mpq:
    return sum(
        (
            weight
            for outcome, weight in law.items()
            if all(outcome[_NAMES.index(name)] == value for name, value in fixed.items())
        ),
        mpq(0),
    )


def _given(law: _Law, event: Mapping[str, int], condition: Mapping[str, int]) -> mpq:
    below = _chance(law, **condition)
    return _chance(law, **event, **condition) / below if below else mpq(0)


def lines_of_19(law: _Law) -> dict[str, mpq]:
    """Return the left side of eq. 19 and its four right sides for a law of one question."""
    lines = dict.fromkeys("abcd", mpq(0))
    for x, y in _PAIRS:
        both, weight = {"oc": x, "ot": y}, _chance(law, oc=x, ot=y)
        lines["a"] += _chance(law, rc=1, rt=1, **both)
        lines["b"] += _given(law, {"rc": 1, "rt": 1}, both) * weight
        lines["c"] += _given(law, {"rc": 1}, both) * _given(law, {"rt": 1}, both) * weight
        lines["d"] += _given(law, {"rc": 1}, {"oc": x}) * _given(law, {"rt": 1}, {"ot": y}) * weight
    return {"left": _chance(law, rc=1, rt=1), **lines}


def conditionally_independent(law: _Law) -> bool:
    """Return whether the real labels are independent given both observed ones, as eq. 19 assumes."""
    return all(
        _given(law, {"rc": 1, "rt": 1}, both) == _given(law, {"rc": 1}, both) * _given(law, {"rt": 1}, both)
        for both in ({"oc": x, "ot": y} for x, y in _PAIRS)
    )


def own_labels(law: _Law) -> bool:
    """Return whether each real label depends on its own observed label only."""
    seen = [(x, y) for x, y in _PAIRS if _chance(law, oc=x, ot=y)]
    return all(
        _given(law, {"rc": 1}, {"oc": x, "ot": y}) == _given(law, {"rc": 1}, {"oc": x})
        and _given(law, {"rt": 1}, {"oc": x, "ot": y}) == _given(law, {"rt": 1}, {"ot": y})
        for x, y in seen
    )


@cache
def small_laws() -> list[_Law]:
    """Return all laws of at most two equally likely outcomes, those of fewest outcomes first."""
    bits = (0, 1)
    outcomes = list(itertools.product(bits, bits, bits, bits))
    laws: list[_Law] = [{outcome: mpq(1)} for outcome in outcomes]
    return laws + [dict.fromkeys(pair, mpq(1, 2)) for pair in itertools.combinations(outcomes, 2)]


def line(
    printed: Literal["any law", "independent given both", "independent given both, each by its own label"],
    *,
    which: Literal["a", "b", "c", "d"],
) -> Finding:
    """Compare a line of eq. 19 with its left side in all small laws that obey what is assumed."""
    kept = [
        law
        for law in small_laws()
        if (printed == "any law" or conditionally_independent(law))
        and (not printed.endswith("own label") or own_labels(law))
    ]
    failing = [law for law in kept if lines_of_19(law)[which] != lines_of_19(law)["left"]]
    if not failing:
        return decided(
            True,
            f"line {which} equals the left side in all {len(kept)} laws of at most 2 equally likely outcomes",
        )
    # Of the laws of fewest outcomes, the one in which T is observed as it is, if there is one.
    law = LEANING if LEANING in failing else failing[0]
    shown = lines_of_19(law)
    outcomes = " and ".join(f"R_C, R_T, O_C, O_T = {', '.join(map(str, key))}" for key in law)
    return decided(
        False,
        f"{outcomes}, equally likely: given O_C and O_T both real labels are certain, hence independent; the left side "
        f"is {shown['left']}, line {which} is {shown[which]}",
        f"the line fails in {len(failing)} of {len(kept)} laws of at most 2 equally likely outcomes",
    )


def covariance(printed: Mapping[str, FormulaText]) -> Finding:
    """Compare the mean of eq. 20 with the covariance of the real labels over N, by what is assumed."""
    chances = {(0, 0): "1 - c - t + b", (0, 1): "t - b", (1, 0): "c - b", (1, 1): "b"}
    rate = {0: "phi", 1: "pi"}
    total = constant(0)
    for (x, y), chance in chances.items():
        total = total + formula(printed["term"], {"rC": rate[x], "rT": rate[y], "P": chance})
    real = {"pRC": "phi + (pi - phi)*c", "pRT": "phi + (pi - phi)*t"}
    average = mean(formula(printed["factor"]) * total - formula(printed["less"], real), paired_moments())
    true = read_formula("(pi - phi)**2*(p11 - pC*pT)/N")
    of_labels = _chance(LEANING, rc=1, rt=1) - _chance(LEANING, rc=1) * _chance(LEANING, rt=1)
    told = lines_of_19(LEANING)["d"] - _chance(LEANING, rc=1) * _chance(LEANING, rt=1)
    return by_reading(
        {
            "each real label depends on its own observed label only": decided(
                average.equals(true),
                "its mean is δ²·Cov(O_C, O_T)/N = Cov(R_C, R_T)/N, as formulas: unbiased"
                if average.equals(true)
                else f"its mean is {average}",
            ),
            "independence given both observed labels, as stated, and no more": decided(
                average.equals(true) and of_labels == told,
                f"in the counterexample to the last line of eq. 19, Cov(R_C, R_T) = {of_labels}, and eq. 20 is {told} "
                "on average",
                right="state the second assumption",
            ),
        }
    )
