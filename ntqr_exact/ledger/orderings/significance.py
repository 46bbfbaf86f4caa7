"""Maaz et al. 2023, section 3.2: analysis of variance and Tukey's test, bounded by what the tables print.

The errors of the single runs are not printed, but their variance is bounded from both sides. The ends of an
interval are the percentiles 2.5 and 97.5 of 1000 errors, so 25 errors lie at or below the lower end and 25 at or
above the upper one: a sum of squares of 25·((m − low)² + (high − m)²) at least. And errors between 0 and 100 with
mean m have a variance of m(100 − m) at most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text, significant_text
from ntqr_exact.exact.enclosure import enclose_exp, enclose_sqrt
from ntqr_exact.exact.normal import enclose_normal_cdf
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, by_reading, decided, underdetermined
from ntqr_exact.ledger.orderings.printed_tables import METHODS, RUNS, overall, rows

STEP = mpq(1, 200)
"""Half a step of rounding of a printed mean."""

LEVEL = mpq(1, 20)
SLACK = mpq(21, 20)
"""By how much the estimated deviation may err; for thousands of degrees of freedom it errs by far less."""

TAIL_RUNS = RUNS // 40
"""Of 1000 errors, as many lie at or beyond each end of the interval: 2.5 %."""

COHEN = {"f": (mpq(1, 10), mpq(1, 4), mpq(2, 5)), "f²": (mpq(1, 50), mpq(3, 20), mpq(7, 20))}
"""What Cohen calls a small, a medium and a large effect, for f of an analysis of variance and for f²."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of the mean square of the rest, and how many errors each method has."""

    least: mpq
    most: mpq
    per_method: int


@cache
def bounds(dataset: str) -> Bounds:
    """Return what the printed cells say of the mean square within; the most includes the interaction."""
    table, dimensions = rows(dataset), len(rows(dataset))
    cells = [cell for row in table.values() for cell in row.cells.values()]
    least = sum(
        (
            TAIL_RUNS
            * (
                max(cell.mean - cell.low - 2 * STEP, mpq(0)) ** 2
                + max(cell.high - cell.mean - 2 * STEP, mpq(0)) ** 2
            )
            for cell in cells
        ),
        mpq(0),
    )
    mean = overall(dataset)
    grand = sum(mean.values(), mpq(0)) / len(mean)
    between = mpq(0)
    for row in table.values():
        own = sum((cell.mean for cell in row.cells.values()), mpq(0)) / len(METHODS)
        for name, cell in row.cells.items():
            between += (abs(cell.mean - own - mean[name] + grand) + 4 * STEP) ** 2
    most = (
        sum((RUNS * (cell.mean + STEP) * (100 - cell.mean + STEP) for cell in cells), mpq(0)) + RUNS * between
    )
    degrees = len(cells) * (RUNS - 1)
    return Bounds(least / (RUNS * len(cells)), most / degrees, RUNS * dimensions)


def studentized(dataset: str, one: str, other: str, *, rounding: mpq) -> tuple[mpq, mpq]:
    """Return bounds of q², the squared studentized difference of two methods over all dimensions."""
    mean, known = overall(dataset), bounds(dataset)
    gap = abs(mean[one] - mean[other])
    low, high = max(gap - rounding, mpq(0)), gap + rounding
    return low**2 * known.per_method / known.most, high**2 * known.per_method / known.least


def not_significant(squared: mpq) -> bool:
    """Tell whether a difference of q² at most cannot be significant among seven methods at the 5 % level.

    Three pairs of the seven are disjoint, so the range of seven normal numbers is at most q with a probability of
    (2Φ(q/√2) − 1)³ at most; where this is below 95 %, the critical value is larger than q.

    >>> not_significant(mpq(9)), not_significant(mpq(16))
    (True, False)
    """
    z = enclose_sqrt(squared * SLACK**2 / 2).upper
    return (2 * enclose_normal_cdf(z).upper - 1) ** 3 < 1 - LEVEL


def significant(squared: mpq) -> bool:
    """Tell whether a difference of q² at least is significant: by the sum over all 21 pairs, 42(1 − Φ(q/√2)) < 5 %."""
    z = enclose_sqrt(squared / SLACK**2 / 2).lower
    pairs = len(METHODS) * (len(METHODS) - 1)
    return pairs * (1 - enclose_normal_cdf(z).lower) < LEVEL


def _critical() -> mpq:
    """Return the largest tenth that is shown to lie below the critical value of the range of seven."""
    tenths = (mpq(tenth, 10) for tenth in range(10, 60))
    return max(q for q in tenths if not_significant((q / SLACK) ** 2))


def _root(squared: mpq) -> str:
    return fixed_text(enclose_sqrt(squared).upper, 2)


def _tukey_emotion(_: str) -> Finding:
    """Judge the 15 pairs of scores, and the 6 with DoC, by the printed means as they stand."""
    pairs = {pair: studentized("Emotion", *pair, rounding=mpq(0)) for pair in combinations(METHODS, 2)}
    small = [high for (_, other), (_, high) in pairs.items() if other != "DoC"]
    large = [low for (_, other), (low, _) in pairs.items() if other == "DoC"]
    return all_of(
        {
            "scores": decided(
                all(map(not_significant, small)),
                f"pairs of scores, with printed means as exact: q at most {_root(max(small))}, too small for any "
                f"of the {len(small)}",
            ),
            "DoC": decided(
                all(map(significant, large)),
                f"DoC and a score: q at least {_root(min(large))}, if no error is above 100 points: all {len(large)} "
                "are significant",
            ),
        }
    )


def _tukey_tweets(_: str) -> Finding:
    """Look for pairs, other than the one excepted, whose difference cannot be significant, rounding included."""
    named = [pair for pair in combinations(METHODS, 2) if pair != ("ATC-L2", "ATC-L2n")]
    found = {pair: studentized("TweetEval", *pair, rounding=2 * STEP)[1] for pair in named}
    failing = [pair for pair, high in found.items() if not_significant(high)]
    mean = overall("TweetEval")
    return decided(
        not failing,
        *(
            f"{one} and {other}: over all dimensions {fixed_text(mean[one], 4)} and {fixed_text(mean[other], 4)}, "
            f"q at most {_root(found[one, other])}"
            for one, other in failing
        ),
        f"the mean square of the rest is at least {fixed_text(bounds('TweetEval').least, 4)}, by the intervals; the "
        f"critical q of seven methods is above {fixed_text(_critical(), 1)}",
        right="no significant difference of ATC-Max from ATC-L2 and ATC-L2n either",
    )


def _tukey_banking(_: str) -> Finding:
    """Show that the claim is true with the least variance that the intervals allow, and false with the most."""
    known = bounds("Banking77")
    mean = overall("Banking77")
    named = [pair for pair in combinations(METHODS, 2) if pair != ("ATC-L2", "ATC-L2n")]
    least = min(named, key=lambda pair: abs(mean[pair[0]] - mean[pair[1]]))
    gap = abs(mean[least[0]] - mean[least[1]])
    worlds = {}
    for square in (known.least, known.most):
        squared = gap**2 * known.per_method / square
        text = f"mean square {fixed_text(square, 2)}: {least[0]} and {least[1]} have q = {_root(squared)}"
        worlds[text] = significant(squared)
    return underdetermined(worlds, "the errors of the single runs")


def _tukey_twins(dataset: str, _: str) -> Finding:
    high = studentized(dataset, "ATC-L2", "ATC-L2n", rounding=2 * STEP)[1]
    return decided(not_significant(high), f"{dataset}: q of ATC-L2 and ATC-L2n is at most {_root(high)}")


def chi_squared_tail(value: mpq) -> mpq:
    """Return an upper bound of P(χ² > value) for 6 degrees of freedom: e^(−y)(1 + y + y²/2), y = value/2."""
    y = value / 2
    return enclose_exp(-y).upper * (1 + y + y**2 / 2)


def _anova(dataset: str, _: str) -> Finding:
    """Bound F from below by the widest difference of two methods: Σ (m_j − m)² is at least half its square."""
    known, mean = bounds(dataset), overall(dataset)
    gap = max(mean.values()) - min(mean.values()) - 2 * STEP
    methods = len(METHODS) - 1
    f = known.per_method * gap**2 / 2 / methods / known.most
    tail = chi_squared_tail(methods * f / SLACK**2)
    return decided(
        tail < LEVEL,
        f"{dataset}: means over all dimensions differ by at least {fixed_text(gap, 3)}, the mean square of the rest is "
        f"at most {fixed_text(known.most, 1)} if no error is above 100 points",
        f"so F is at least {fixed_text(f, 1)}, and its probability by chance below {significant_text(tail, 2)}",
    )


def _variable(printed: str) -> Finding:
    """Count the values of each reading, and compare with the printed number of data points."""
    points = int(printed.replace(",", ""))
    cells = len(rows("Banking77")) * len(METHODS)
    return by_reading(
        {
            "the absolute error of each run": decided(
                points == cells * RUNS, f"{cells} cells of {RUNS} runs", right=str(cells * RUNS), slip=True
            ),
            "the mean absolute error of each cell": decided(
                points == cells,
                f"{cells} means, one for each dimension and method: nothing is left to estimate the error of a cell",
                right="an analysis of the absolute errors of single runs",
            ),
        }
    )


def _cohen(printed: str) -> Finding:
    """Compare the effect size with Cohen's conventions."""
    size = rational(printed)
    return decided(
        size == COHEN["f²"][0],
        f"Cohen's small, medium, large: f {', '.join(map(str, COHEN['f']))}; f² {', '.join(map(str, COHEN['f²']))}",
        f"{size} lies between small and medium for f², and f = {COHEN['f'][0]} is f² = {COHEN['f'][0] ** 2}",
        right=f"small is f = {COHEN['f'][0]} in an analysis of variance, or f² = {COHEN['f²'][0]}",
        slip=True,
        arose="the value for f was given for f²" if size == COHEN["f"][0] else "",
    )


def _power(printed: str) -> Finding:
    """Bound the probability to miss an effect: a noncentral χ² is at least (Z + √λ)² with λ = f²N."""
    level, power, size = map(rational, printed.split())
    critical = mpq(18)  # P(χ²₆ > 18) is below 5 %
    total = RUNS * len(METHODS) * len(rows("Emotion"))
    readings = {}
    for name, squared in (("f² = 0.1", size), ("f = 0.1", size**2)):
        reach = enclose_sqrt(squared * total).lower - enclose_sqrt(critical * SLACK**2).upper
        miss = 1 - enclose_normal_cdf(reach).lower
        readings[name] = decided(
            miss < 1 - power and chi_squared_tail(critical) < level,
            f"level {level}, power {power}: Emotion, the smallest, has N = {total}, λ = {squared * total}; the effect "
            f"is missed with a probability below {significant_text(miss, 2)}",
        )
    return by_reading(readings)


def _claim(key: str, statement: str, check: Callable[[str], Finding], printed: str = "") -> Claim:
    return Claim(f"orderings/sec-3-2/{key}", "section 3.2", Kind.DECISION, statement, check, printed)


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "power",
        "The analysis has power 0.99 at level 0.05 for effects of size 0.1.",
        _power,
        "0.05 0.99 0.1",
    ),
    _claim(
        "anova-variable",
        "The analysis of variance is one of the mean absolute error, with 532,000 data points for Banking77.",
        _variable,
        "532,000",
    ),
    _claim("cohen", "For $f^2$ an effect of 0.1 is small in the terms of Cohen.", _cohen, "0.1"),
    *(
        _claim(
            f"anova-{dataset.lower()}",
            f"On {dataset} the analysis of variance finds a significant difference between methods.",
            partial(_anova, dataset),
        )
        for dataset in ("Emotion", "TweetEval", "Banking77")
    ),
    _claim(
        "tukey-emotion",
        "On Emotion only the differences between DoC and the scores are significant.",
        _tukey_emotion,
    ),
    _claim(
        "tukey-tweeteval",
        "On TweetEval all pairwise differences but that of ATC-L2 and ATC-L2n are significant.",
        _tukey_tweets,
    ),
    _claim(
        "tukey-banking77",
        "On Banking77 all pairwise differences but that of ATC-L2 and ATC-L2n are significant.",
        _tukey_banking,
    ),
    *(
        _claim(
            f"tukey-{dataset.lower()}/l2-l2n",
            f"On {dataset} ATC-L2 and ATC-L2n do not differ significantly.",
            partial(_tukey_twins, dataset),
        )
        for dataset in ("TweetEval", "Banking77")
    ),
)
