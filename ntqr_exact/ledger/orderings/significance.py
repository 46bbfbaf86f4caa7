"""Maaz et al. 2023, section 3.2: analysis of variance and Tukey's test, bounded by what the tables print.

The errors of the single runs are not printed, but their variance is bounded from both sides. The ends of an
interval are the percentiles 2.5 and 97.5 of 1000 errors, so 25 errors lie at or below the lower end and 25 at or
above the upper one: a sum of squares of 25·((m − low)² + (high − m)²) at least. And errors between 0 and 100 with
mean m have a variance of m(100 − m) at most.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text, significant_text
from ntqr_exact.exact.enclosure import enclose_exp, enclose_sqrt
from ntqr_exact.exact.normal import enclose_normal_cdf
from ntqr_exact.ledger.judgement import Finding, all_of, by_reading, decided, possible, underdetermined
from ntqr_exact.ledger.orderings.results import ATC, METHODS, RUNS, TABLES, Dataset, overall, rows

STEP = mpq(1, 200)
"""Half a step of rounding of a printed mean."""

LEVEL = mpq(1, 20)
_SLACK = mpq(21, 20)
"""By how much the estimated deviation may err; for thousands of degrees of freedom it errs by far less."""

_TAIL_RUNS = RUNS // 40
"""Of 1000 errors, as many lie at or beyond each end of the interval: 2.5 %."""


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
    cells = [cell for row in table.values() for cell in row.values()]
    least = sum(
        (
            _TAIL_RUNS
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
        own = sum((cell.mean for cell in row.values()), mpq(0)) / len(METHODS)
        for name, cell in row.items():
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
    z = enclose_sqrt(squared * _SLACK**2 / 2).upper
    return (2 * enclose_normal_cdf(z).upper - 1) ** 3 < 1 - LEVEL


def significant(squared: mpq) -> bool:
    """Tell whether a difference of q² at least is significant: by the sum over all 21 pairs, 42(1 − Φ(q/√2)) < 5 %."""
    z = enclose_sqrt(squared / _SLACK**2 / 2).lower
    pairs = len(METHODS) * (len(METHODS) - 1)
    return pairs * (1 - enclose_normal_cdf(z).lower) < LEVEL


def _critical() -> mpq:
    """Return the largest tenth that is shown to lie below the critical value of the range of seven."""
    tenths = (mpq(tenth, 10) for tenth in range(10, 60))
    return max(q for q in tenths if not_significant((q / _SLACK) ** 2))


def _root(squared: mpq) -> str:
    return fixed_text(enclose_sqrt(squared).upper, 2)


def tukey_emotion() -> Finding:
    """Judge the 15 pairs of scores and the 6 with DoC: with printed means as exact, and with their roundings."""
    pairs = list(combinations(METHODS, 2))
    exact = {pair: studentized("Emotion", *pair, rounding=mpq(0)) for pair in pairs}
    wide = {pair: studentized("Emotion", *pair, rounding=2 * STEP) for pair in pairs}
    scores = [pair for pair in pairs if pair[1] != "DoC"]
    doc = [pair for pair in pairs if pair[1] == "DoC"]
    baseline = decided(
        all(significant(wide[pair][0]) for pair in doc),
        f"DoC and a score: q is at least {_root(min(wide[pair][0] for pair in doc))}, if no error is above 100 points: "
        f"all {len(doc)} are significant",
    )
    small = all(not_significant(wide[pair][1]) for pair in scores)
    text = (
        f"pairs of scores: q is at most {_root(max(exact[pair][1] for pair in scores))} with the printed means as "
        f"exact, too small for any of the {len(scores)}; with their roundings it may reach "
        f"{_root(max(wide[pair][1] for pair in scores))}"
    )
    judged = (
        decided(True, text) if small else possible(all(not_significant(exact[p][1]) for p in scores), text)
    )
    return all_of({"scores": judged, "DoC": baseline})


def tukey_tweeteval(printed: tuple[str, str]) -> Finding:
    """Look for pairs, other than the one excepted, whose difference cannot be significant, rounding included."""
    found = {
        pair: studentized("TweetEval", *pair, rounding=2 * STEP)[1]
        for pair in combinations(METHODS, 2)
        if pair != printed
    }
    failing = [pair for pair, high in found.items() if not_significant(high)]
    mean = overall("TweetEval")
    return decided(
        not failing,
        *(
            f"{one} and {other}: over all dimensions {fixed_text(mean[one], 4)} and {fixed_text(mean[other], 4)}, "
            f"q is at most {_root(found[one, other])}"
            for one, other in failing
        ),
        f"the mean square of the rest is at least {fixed_text(bounds('TweetEval').least, 4)}, by the intervals; the "
        f"critical q of seven methods is above {fixed_text(_critical(), 1)}",
        right="no significant difference of ATC-Max from ATC-L2 and ATC-L2n either",
    )


def tukey_banking() -> Finding:
    """Show that the claim is true with the least variance that the intervals allow, and false with the most."""
    known, mean = bounds("Banking77"), overall("Banking77")
    named = [pair for pair in combinations(METHODS, 2) if pair != ("ATC-L2", "ATC-L2n")]
    least = min(named, key=lambda pair: abs(mean[pair[0]] - mean[pair[1]]))
    gap = abs(mean[least[0]] - mean[least[1]])
    worlds = {}
    for square in (known.least, known.most):
        squared = gap**2 * known.per_method / square
        text = f"mean square {fixed_text(square, 2)}: {least[0]} and {least[1]} have q = {_root(squared)}"
        worlds[text] = significant(squared)
    return underdetermined(worlds, "the errors of the single runs")


def tukey_twins(*, dataset: Dataset) -> Finding:
    """Bound q of ATC-L2 and ATC-L2n from above."""
    high = studentized(dataset, "ATC-L2", "ATC-L2n", rounding=2 * STEP)[1]
    return decided(not_significant(high), f"{dataset}: q of ATC-L2 and ATC-L2n is at most {_root(high)}")


def chi_squared_tail(value: mpq) -> mpq:
    """Return an upper bound of P(χ² > value) for 6 degrees of freedom: e^(−y)(1 + y + y²/2), y = value/2."""
    y = value / 2
    return enclose_exp(-y).upper * (1 + y + y**2 / 2)


def anova(*, dataset: Dataset) -> Finding:
    """Bound F from below by the widest difference of two methods: Σ (m_j − m)² is at least half its square."""
    known, mean = bounds(dataset), overall(dataset)
    gap = max(mean.values()) - min(mean.values()) - 2 * STEP
    degrees = len(METHODS) - 1
    f = known.per_method * gap**2 / 2 / degrees / known.most
    tail = chi_squared_tail(degrees * f / _SLACK**2)
    return decided(
        tail < LEVEL,
        f"{dataset}: means over all dimensions differ by at least {fixed_text(gap, 3)}, the mean square of the rest is "
        f"at most {fixed_text(known.most, 1)} if no error is above 100 points",
        f"so F is at least {fixed_text(f, 1)}, and its probability by chance below {significant_text(tail, 2)}",
    )


def power(*, level: mpq, power: mpq, effect: mpq) -> Finding:
    """Bound the probability to miss an effect: a noncentral χ² is at least (Z + √λ)² with λ = f²N."""
    critical = mpq(18)
    total = RUNS * len(METHODS) * len(rows("Emotion"))
    readings = {}
    for name, squared in (("f² = 0.1", effect), ("f = 0.1", effect**2)):
        reach = enclose_sqrt(squared * total).lower - enclose_sqrt(critical * _SLACK**2).upper
        miss = 1 - enclose_normal_cdf(reach).lower
        readings[name] = decided(
            miss < 1 - power and chi_squared_tail(critical) < level,
            f"Emotion, the smallest, has N = {total}, λ = {squared * total}; at a level below {level} the effect is "
            f"missed with a probability below {significant_text(miss, 2)}",
        )
    return by_reading(readings)


# -- how much the scores differ -------------------------------------------------------------------------------------


def gaps(dataset: str) -> dict[tuple[str, str], mpq]:
    """Return the differences of all pairs of scores but ATC-L2 and ATC-L2n, over all dimensions."""
    mean = overall(dataset)
    return {
        pair: abs(mean[pair[0]] - mean[pair[1]])
        for pair in combinations(ATC, 2)
        if pair != ("ATC-L2", "ATC-L2n")
    }


def spread(dataset: str) -> dict[int, mpq]:
    """Return the widest difference of two scores in each dimension."""
    return {
        k: max(row[m].mean for m in ATC) - min(row[m].mean for m in ATC) for k, row in rows(dataset).items()
    }


def magnitude(printed: mpq) -> Finding:
    """Hold the differences of scores against the printed power of ten: over all dimensions, and in each."""
    found = [gap for dataset in ("TweetEval", "Banking77") for gap in gaps(dataset).values()]
    inside = [gap for gap in found if printed <= gap < 10 * printed]
    widest = spread("Banking77")
    k = max(widest, key=lambda each: widest[each])
    return by_reading(
        {
            "by and large, over all dimensions": decided(
                2 * len(inside) > len(found),
                f"of {len(found)} differences on TweetEval and Banking77, {len(inside)} lie between {printed} and "
                f"{10 * printed}; they run from {fixed_text(min(found), 4)} to {fixed_text(max(found), 4)}",
            ),
            "in each dimension": decided(
                widest[k] < 10 * printed,
                f"on Banking77 with {k} labels two scores differ by {fixed_text(widest[k], 2)} points",
                right=f"up to {fixed_text(widest[k], 2)} points in one dimension",
            ),
        }
    )


def within(printed: mpq) -> Finding:
    """Hold the widest difference of two scores against one point, to one decimal: over all dimensions, and in each."""
    widest = {dataset: max(gaps(dataset).values()) for dataset in TABLES}
    single = {dataset: max(spread(dataset).values()) for dataset in TABLES}
    bound = printed + LEVEL

    def text(each: Mapping[str, mpq]) -> str:
        return ", ".join(f"{name} {fixed_text(gap, 2)}" for name, gap in each.items())

    return by_reading(
        {
            f"about {printed} point over all dimensions": decided(
                all(gap < bound for gap in widest.values()),
                f"widest differences over all dimensions: {text(widest)}",
            ),
            f"{printed} point in each dimension": decided(
                all(gap < bound for gap in single.values()),
                f"widest differences in one dimension: {text(single)}",
                right="only over all dimensions",
            ),
        }
    )


def little(*, dataset: Dataset) -> Finding:
    """Compare the largest with the least error of a score: over all dimensions, and in each."""
    mean = overall(dataset)
    table = rows(dataset)
    ratios = {k: max(row[m].mean for m in ATC) / min(row[m].mean for m in ATC) for k, row in table.items()}
    k = max(ratios, key=lambda each: ratios[each])
    own = {m: table[k][m].mean for m in ATC}
    low, high = min(own, key=lambda m: own[m]), max(own, key=lambda m: own[m])
    return by_reading(
        {
            "on average over all dimensions": decided(
                max(mean[m] for m in ATC) < 2 * min(mean[m] for m in ATC),
                f"no score has twice the error of another over all dimensions of {dataset}",
            ),
            "in each dimension": decided(
                ratios[k] < 2,
                f"{dataset} with {k} labels: {high} {fixed_text(own[high], 2)}, {low} {fixed_text(own[low], 2)}",
                right="in single dimensions the choice more than doubles the error",
            ),
        }
    )
