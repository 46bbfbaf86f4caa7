"""Derivation of bias-adjusted metrics: the bootstrap."""

from __future__ import annotations

import itertools
from collections import Counter

from gmpy2 import mpq

from ntqr_exact.algebra.formula import read_formula
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided
from ntqr_exact.metrics.bootstrap_interval import BootstrapInterval, IntervalMethod, tails
from ntqr_exact.metrics.exact_bootstrap import exact_bootstrap
from ntqr_exact.metrics.weighting import Strata


def _statistics(printed: str) -> Finding:
    wanted, computed = (part.partition(": ")[2].split(", ") for part in printed.split("; "))
    missing = [name for name in wanted if name not in computed]
    first, second = (
        exact_bootstrap("precision", tp=1, fp=1, fn=1, tn=0),
        exact_bootstrap("f1", tp=1, fp=1, fn=1, tn=0),
    )
    shares = [dict(each.outcomes()).get(mpq(1, 2), mpq(0)) for each in (first, second)]
    return decided(
        not missing,
        f"intervals are wanted for {', '.join(wanted)}; resampled are {', '.join(computed)}; "
        f"missing: {', '.join(missing) or 'none'}",
        "F1 needs a resampling of its own: for TP = FP = FN = 1 a resample has precision 1/2 with probability "
        f"{shares[0]} and F1 1/2 with probability {shares[1]}",
        right="IW-F1 and IW-AUPR",
        slip=True,
    )


_ESTIMATE = mpq(3, 4)
"""The recall of 3 found and 1 missed."""


def _intervals(found: int, missed: int) -> tuple[BootstrapInterval, BootstrapInterval]:
    """Return the percentile and the basic interval, of level 0.95, of a recall, over all resamples."""
    distribution = exact_bootstrap("recall", tp=found, fp=0, fn=missed, tn=0)
    percentile, basic = (distribution.interval("0.95", method=method) for method in IntervalMethod)
    return percentile, basic


def _method(printed: str) -> Finding:
    """The printed ends, with x for the statistic and the quantiles of x* − x, against both intervals."""
    percentile, basic = _intervals(2, 1)
    estimate = mpq(2, 3)
    low, high = percentile.lower - estimate, percentile.upper - estimate
    ends = [
        read_formula(text).evaluate({"x": estimate, "dlow": low, "dhigh": high})
        for text in printed.split("; ")
    ]
    is_percentile = ends == [percentile.lower, percentile.upper]
    is_basic = ends == [basic.lower, basic.upper]
    return decided(
        is_percentile,
        f"smallest case: recall of 2 found and 1 missed, all resamples: percentile interval [{percentile.lower}, "
        f"{percentile.upper}], the basic one [{basic.lower}, {basic.upper}]",
        f"the printed form gives [{ends[0]}, {ends[1]}]: {'basic (pivotal)' if is_basic else 'neither'}"
        if not is_percentile
        else "the printed form is the percentile interval",
        right="the formula is that of the basic (pivotal) bootstrap; percentile would be x̄ + δ_α to x̄ + δ_{1−α}",
    )


def _quantiles(_: str) -> Finding:
    """Quantiles of the deviations x* − x̄, or of the statistics x* themselves."""
    percentile, basic = _intervals(3, 1)
    estimate = _ESTIMATE
    ends = (estimate - percentile.upper, estimate - percentile.lower)
    return by_reading(
        {
            "of the deviations of the resamples from x̄": decided(
                basic.lower <= estimate <= basic.upper,
                f"recall of 3 found and 1 missed: [{basic.lower}, {basic.upper}] holds x̄ = {estimate}",
            ),
            "of the statistics of the resamples, which alone are named": decided(
                ends[0] <= estimate <= ends[1],
                f"recall of 3 found and 1 missed: [{ends[0]}, {ends[1]}] does not even hold x̄ = {estimate}",
                right="quantiles of x_1 − x̄, …, x_B − x̄",
            ),
        }
    )


def _levels(printed: str) -> Finding:
    alpha, level = map(rational, printed.split("; "))
    low, high = tails(level)
    return decided(
        low == alpha and high == 1 - alpha,
        f"between the quantiles at {alpha} and {1 - alpha} lies {1 - 2 * alpha}; printed {level}",
        right=str(low),
        slip=True,
    )


def _probability(printed: str) -> Finding:
    """P(x* − δ_{1−α} ≤ x̄ ≤ x* − δ_α), exactly, over the resamples; and over samples, for the true value."""
    level = rational(printed)
    alpha = (1 - level) / 2
    distribution = exact_bootstrap("recall", tp=3, fp=0, fn=1, tn=0)
    estimate = _ESTIMATE
    low, high = distribution.quantiles((alpha, 1 - alpha))
    inside = sum(
        (
            chance
            for value, chance in distribution.outcomes()
            if value - (high - estimate) <= estimate <= value - (low - estimate)
        ),
        mpq(0),
    )
    covered = _coverage(level)
    return by_reading(
        {
            "over resamples, with x̄ known, as it stands": decided(
                inside == level,
                f"recall of 3 found and 1 missed: x* is between the quantiles with probability {inside}, not {level}; "
                f"probabilities are multiples of 1/4^4 and never {level}",
                right="at least the level, nearly equal for many samples; and it says nothing of the true value",
            ),
            "over samples, with the true value in the middle": decided(
                covered == level,
                f"4 positives, each found with probability 3/4: the basic interval covers 3/4 with chance {covered}",
                right="P(x̄ − δ_{1−α} ≤ true value ≤ x̄ − δ_α) ≈ the level, for many samples",
            ),
        }
    )


def _coverage(level: mpq) -> mpq:
    """Return how often the basic interval of a recall of 4 positives covers the true 3/4."""
    total, true, size = mpq(0), mpq(3, 4), 4
    for outcome in itertools.product((0, 1), repeat=size):
        found = sum(outcome)
        distribution = exact_bootstrap("recall", tp=found, fp=0, fn=size - found, tn=0)
        interval = distribution.interval(level, method=IntervalMethod.BASIC)
        if interval.lower <= true <= interval.upper:
            total += true**found * (1 - true) ** (size - found)
    return total


def _symbols(printed: str) -> Finding:
    meanings: dict[str, list[str]] = {}
    for part in printed.split("; "):
        name, _, meaning = part.partition(" = ")
        meanings.setdefault(name, []).append(meaning)
    twice = {name: each for name, each in meanings.items() if len(set(each)) > 1}
    return decided(
        not twice,
        *(f"{name} means {' and '.join(each)}" for name, each in twice.items()),
        right="other letters, such as R resamples and statistics s_1 … s_R",
        slip=True,
    )


def _resampled_weights(_: str) -> Finding:
    """Draw all resamples of one labelled review of each stratum, with weights kept and computed anew."""
    reviews = ("B", "C")
    kept = Strata(populations={"B": 20, "C": 60}, samples=Counter(reviews)).weights
    resamples = list(itertools.product(reviews, repeat=len(reviews)))
    averages = [sum((kept[stratum] for stratum in each), mpq(0)) / len(each) for each in resamples]
    lost = mpq(sum(set(each) != set(reviews) for each in resamples), len(resamples))
    return by_reading(
        {
            "each review keeps its weight": decided(
                all(average > 0 for average in averages),
                f"1 and 1 labelled reviews: the weights exist in all {len(resamples)} resamples, and average to "
                f"{', '.join(map(str, sorted(set(averages))))}",
            ),
            "weights are computed anew for each resample": decided(
                lost == 0,
                f"1 and 1 labelled reviews: with probability {lost} a resample holds none of one stratum, and its "
                "weight divides by 0",
                right="say which; or resample each stratum by itself",
            ),
        }
    )


def _centre(_: str) -> Finding:
    """x̄* is used without being defined: which reading makes the inequality an interval for what x̄ estimates?"""
    percentile, basic = _intervals(3, 1)
    recall = exact_bootstrap("recall", tp=3, fp=0, fn=1, tn=0)
    estimate = _ESTIMATE
    low, high = percentile.lower - estimate, percentile.upper - estimate
    values = [value for value, _ in recall.outcomes()]
    moving = {(value - high, value - low) for value in values}
    lopsided = exact_bootstrap("f1", tp=1, fp=1, fn=0, tn=0)
    return by_reading(
        {
            "x̄* is the statistic of a resample": decided(
                len(moving) == 1,
                f"recall of 3 found and 1 missed: the {len(values)} values of x* have {len(moving)} pairs of ends, "
                "so that no interval is stated",
                right="x̄ at the ends",
            ),
            "x̄* is the mean of the resamples' statistics": decided(
                lopsided.mean() == lopsided.estimate,
                f"F1 of 1 right and 1 false positive: x̄ = {lopsided.estimate}, mean over all resamples "
                f"{lopsided.mean()}: an interval around another number",
                right="x̄ at the ends",
            ),
            "x̄ and x̄* are exchanged, x̄* being the true value": decided(
                (estimate - high, estimate - low) == (basic.lower, basic.upper),
                f"x̄ − δ_{{1−α}} to x̄ − δ_α is the basic interval, here [{basic.lower}, {basic.upper}]",
            ),
        }
    )


_BOOTSTRAP = "section Bootstrap"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "bias_adjusted/bootstrap/statistics",
        _BOOTSTRAP,
        Kind.SENTENCE,
        "Intervals for F1 and AUPR come from resampled precision, recall and AUPR.",
        _statistics,
        printed="wanted: F1, AUPR; computed: Precision, Recall, AUPR",
    ),
    Claim(
        "bias_adjusted/bootstrap/method",
        _BOOTSTRAP,
        Kind.SENTENCE,
        r"The interval $\bar x-\delta_{1-\alpha}$ to $\bar x-\delta_\alpha$ is that of the percentile bootstrap.",
        _method,
        printed="x - dhigh; x - dlow",
    ),
    Claim(
        "bias_adjusted/bootstrap/quantiles",
        _BOOTSTRAP,
        Kind.DEFINITION,
        r"$\delta_\alpha$ and $\delta_{1-\alpha}$ are boundary quantiles; of what, is not said.",
        _quantiles,
    ),
    Claim(
        "bias_adjusted/bootstrap/levels",
        _BOOTSTRAP,
        Kind.NUMBER,
        r"The quantiles at $\alpha=.025$ and $1-\alpha$ make an interval of level $.95$.",
        _levels,
        printed="0.025; 0.95",
    ),
    Claim(
        "bias_adjusted/bootstrap/probability",
        _BOOTSTRAP,
        Kind.THEOREM,
        r"$P(\bar x^*-\delta_{1-\alpha}\le\bar x\le\bar x^*-\delta_\alpha)=.95$.",
        _probability,
        printed="0.95",
    ),
    Claim(
        "bias_adjusted/bootstrap/centre",
        _BOOTSTRAP,
        Kind.DEFINITION,
        r"The interval around $\bar x$ is stated by $\bar x^*$, which is not defined.",
        _centre,
    ),
    Claim(
        "bias_adjusted/bootstrap/symbols",
        _BOOTSTRAP,
        Kind.DEFINITION,
        "$B$ is the number of resamples, and $x_i$ the statistic of resample $i$.",
        _symbols,
        printed="B = the set of selected reviews; B = the number of resamples; x_i = review i of the test data; "
        "x_i = the statistic of resample i",
    ),
    Claim(
        "bias_adjusted/bootstrap/resampling",
        _BOOTSTRAP,
        Kind.DEFINITION,
        "The test data are resampled with replacement, whatever the stratum.",
        _resampled_weights,
    ),
)
