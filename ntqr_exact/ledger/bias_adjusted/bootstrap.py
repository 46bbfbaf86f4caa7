"""Derivation of bias-adjusted metrics: the bootstrap."""

from __future__ import annotations

import itertools
from collections import Counter

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.equations import FormulaText, formula
from ntqr_exact.ledger.judgement import Finding, by_reading, decided
from ntqr_exact.metrics.bootstrap_interval import BootstrapInterval, BootstrapMethod, tails
from ntqr_exact.metrics.exact_bootstrap import exact_bootstrap
from ntqr_exact.metrics.weighting import Strata

MANY = 160
"""Samples enough for the normal approximation to be near."""


def intervals(found: int, missed: int) -> tuple[BootstrapInterval, BootstrapInterval]:
    """Return the percentile and the basic interval, of level 0.95, of a recall, over all resamples."""
    distribution = exact_bootstrap("recall", tp=found, fp=0, fn=missed, tn=0)
    percentile, basic = (distribution.interval("0.95", method=method) for method in BootstrapMethod)
    return percentile, basic


def method(printed: tuple[FormulaText, FormulaText]) -> Finding:
    """Put both meanings of δ into the printed ends, and compare with the percentile interval."""
    percentile, basic = intervals(2, 1)
    estimate = mpq(2, 3)
    # The quantile at α of x̄ − x_i belongs to the quantile at 1 − α of x_i.
    meanings = {
        "δ are quantiles of the differences x̄ − x_i": (
            estimate - percentile.upper,
            estimate - percentile.lower,
        ),
        "δ are quantiles of the differences x_i − x̄": (
            percentile.lower - estimate,
            percentile.upper - estimate,
        ),
    }
    readings = {}
    for name, (low, high) in meanings.items():
        at = {"x": estimate, "dlow": low, "dhigh": high}
        ends = [rational(str(formula(text).evaluate(at))) for text in printed]
        known = {
            (percentile.lower, percentile.upper): "percentile",
            (basic.lower, basic.upper): "basic (pivotal)",
        }
        kind = known.get((ends[0], ends[1]), "neither")
        readings[name] = decided(
            kind == "percentile",
            f"recall of 2 found and 1 missed, all resamples: the ends are {ends[0]} and {ends[1]}, {kind}; the "
            f"percentile interval is [{percentile.lower}, {percentile.upper}]",
            right="call it the basic (pivotal) bootstrap",
        )
    return by_reading(readings)


def levels(printed: tuple[mpq, mpq]) -> Finding:
    """Compare the printed quantile with the tail that the printed level leaves."""
    alpha, level = printed
    low, high = tails(level)
    return decided(
        low == alpha and high == 1 - alpha,
        f"between the quantiles at {alpha} and {1 - alpha} lies {1 - 2 * alpha}; printed {level}",
        right=str(low),
        slip=True,
    )


def probability(printed: mpq, *, tolerance: mpq) -> Finding:
    """Sum the probability of all resamples whose statistic lies between the quantiles, for few samples and many."""
    inside = {}
    for found, missed in ((3, 1), (3 * MANY // 4, MANY // 4)):
        distribution = exact_bootstrap("recall", tp=found, fp=0, fn=missed, tn=0)
        low, high = distribution.quantiles(("1/40", "39/40"))
        chances = (chance for value, chance in distribution.outcomes() if low <= value <= high)
        inside[found + missed] = sum(chances, mpq(0))
    return decided(
        0 <= inside[MANY] - printed <= tolerance,
        f"recall of {MANY} positives, 3 in 4 found: a resample lies between the quantiles with probability "
        f"{fixed_text(inside[MANY], 4)}; printed {printed}",
        f"with 4 positives it is {inside[4]}: the equation is meant nearly, and for many samples",
        right="0.95",
        slip=True,
    )


def resampling() -> Finding:
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
