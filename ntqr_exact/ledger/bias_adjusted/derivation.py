"""Derivation of bias-adjusted metrics: sets, plug-in estimates and weights, the area under the curve, the bootstrap."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.equations import FormulaText, formula
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided
from ntqr_exact.metrics.areas import Anchor, pr_auc
from ntqr_exact.metrics.bootstrap_interval import BootstrapInterval, BootstrapMethod, tails
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.curves import precision_recall_curve
from ntqr_exact.metrics.exact_bootstrap import exact_bootstrap
from ntqr_exact.metrics.undefined import defined
from ntqr_exact.metrics.weighting import Strata

Relation = Literal["=", "⊆", "⊂"]
_Reviews = frozenset[int]


def _subsets(whole: _Reviews) -> list[_Reviews]:
    return [
        frozenset(chosen)
        for size in range(len(whole) + 1)
        for chosen in itertools.combinations(sorted(whole), size)
    ]


def _worlds(size: int) -> list[tuple[_Reviews, _Reviews]]:
    """Return all (U, B) with U of at most `size` reviews."""
    wholes = [frozenset(range(number)) for number in range(1, size + 1)]
    return [(whole, part) for whole in wholes for part in _subsets(whole)]


def _related(relation: Relation, left: _Reviews, right: _Reviews) -> bool:
    return left == right if relation == "=" else left <= right


def selected(printed: Relation) -> Finding:
    """Return whether the selected reviews stand in the printed relation to all of them, whatever is selected."""
    failing = [(whole, part) for whole, part in _worlds(3) if not _related(printed, part, whole)]
    return as_printed(
        not failing,
        f"B {printed} U in {len(_worlds(3)) - len(failing)} of all {len(_worlds(3))} selections from at most 3 reviews",
    )


def complement(printed: Relation) -> Finding:
    """Return whether the printed relation to U∖B makes B^c the set of all reviews that were left out."""
    failing = [
        (whole, part, rest)
        for whole, part in _worlds(3)
        for rest in _subsets(whole)
        if _related(printed, rest, whole - part) and len(part) + len(rest) != len(whole)
    ]
    if not failing:
        return decided(True, "with equality |B| + |B^c| = |U| in all selections from at most 3 reviews")
    whole, part, rest = min(failing, key=lambda each: (len(each[0]), -len(each[1])))
    return as_printed(
        False,
        f"|U| = {len(whole)}, |B| = {len(part)}, |B^c| = {len(rest)} obeys B^c {printed} U∖B; |B| + |B^c| is not |U|",
    )


def shares(printed: tuple[FormulaText, FormulaText]) -> Finding:
    """Return whether both formulas are the shares of selected and of other reviews."""
    claimed = [formula(text) for text in printed]
    cases = [
        (mpq(len(part), len(whole)), {"B": mpq(len(part)), "U": mpq(len(whole))})
        for whole, part in _worlds(3)
    ]
    return as_printed(
        all([each.evaluate(at) for each in claimed] == [share, 1 - share] for share, at in cases),
        f"the shares of selected and of other reviews in all {len(cases)} selections from at most 3 reviews",
    )


def plug_in(printed: FormulaText, *, size: int, drawn: int) -> Finding:
    """Average the printed share of errors over all samples: for f fixed, and for f that memorizes its labels."""
    wrong = (1, *([0] * (size - 1)))
    share = formula(printed)
    samples = list(itertools.combinations(wrong, drawn))
    values = [share.evaluate({"e": mpq(sum(sample)), "n": mpq(drawn)}) for sample in samples]
    average = sum(values, mpq(0)) / len(samples)
    true = mpq(sum(wrong), size)
    memorized = share.evaluate({"e": mpq(0), "n": mpq(drawn)})
    elsewhere = mpq(size - drawn, size)
    return by_reading(
        {
            "f was fixed before these labels were seen, and they are a random sample": decided(
                average == true,
                f"{size} reviews, 1 of them answered wrongly, {drawn} labelled: the mean over all {len(samples)} "
                f"samples is {average}, the error rate {true}",
            ),
            "f was trained on these labels, as the training data are": decided(
                memorized == elsewhere,
                f"f that memorizes its {drawn} training labels and errs elsewhere: estimate {memorized}, "
                f"error rate {elsewhere}",
                right="estimate the error rate on data that f was not trained on",
            ),
        }
    )


def weights(printed: tuple[FormulaText, FormulaText]) -> Finding:
    """Return whether both formulas are the weights of the strata, and average to 1."""
    first, second = (formula(text) for text in printed)
    average = (first * formula("n") + second * formula("m")) / formula("n + m")
    cases = [(3, 5, 20, 60), (1, 4, 7, 13), (2, 2, 5, 5)]
    same = True
    for n, m, own, others in cases:
        library = Strata(populations={"B": own, "C": others}, samples={"B": n, "C": m}).weights
        at = {"n": mpq(n), "m": mpq(m), "b": mpq(own, own + others)}
        same = same and [first.evaluate(at), second.evaluate(at)] == [library["B"], library["C"]]
    return as_printed(
        same and average.equals(formula("1")),
        f"as the weights by strata in {len(cases)} examples" if same else "not the weights by strata",
        f"their average over the n + m samples is {average}",
    )


def recalculated() -> Finding:
    """Use the weights of training data of sizes (3, 1) on test data of sizes (1, 1), with b = 1/10."""
    train, test = (3, 1), (1, 1)

    def strata(sample: tuple[int, int]) -> Strata:
        return Strata(populations={"B": 100, "C": 900}, samples={"B": sample[0], "C": sample[1]})

    old, new = strata(train).weights, strata(test).weights
    average = (test[0] * old["B"] + test[1] * old["C"]) / sum(test)
    own = (test[0] * new["B"] + test[1] * new["C"]) / sum(test)
    return decided(
        average != 1 and own == 1,
        f"b = 1/10; training {train}: weights {old['B']}, {old['C']}; test {test}: weights {new['B']}, {new['C']}",
        f"on the test data the weights of the training data average to {average}, their own to {own}",
    )


def per_sample() -> Finding:
    """Compare the printed sums over samples with the matrix weighted by strata."""
    weights = Strata(populations={"B": 20, "C": 60}, samples={"B": 2, "C": 2}).weights
    samples = [("B", 1, 1), ("B", 0, 1), ("C", 1, 1), ("C", 1, 0)]
    predicted = sum((weights[s] for s, _, guess in samples if guess), mpq(0))
    both = sum((weights[s] for s, label, guess in samples if guess and label), mpq(0))
    matrix = ConfusionMatrix.from_labels(
        [label for _, label, _ in samples],
        [guess for _, _, guess in samples],
        [weights[s] for s, _, _ in samples],
    )
    return decided(
        matrix.precision == both / predicted,
        f"four samples, two of each stratum, |B| = 20, |U| = 80: precision {both / predicted} by the sum over samples "
        f"and {matrix.precision} by the weighted matrix",
    )


Point = tuple[mpq, mpq]
"""Recall and precision."""

LABELS, SCORES = (1, 0, 1), ("0.9", "0.9", "0.1")
"""The smallest test on which the three ways to begin the curve have three areas."""


def points_of(labels: Sequence[int], scores: Sequence[object]) -> list[Point]:
    """Return the points of the curve from the highest threshold down."""
    curve = precision_recall_curve(labels, [rational(str(score)) for score in scores])
    return [(defined(recall), defined(precision)) for recall, precision in curve.points()]


def rankings(size: int) -> list[tuple[int, ...]]:
    """Return all labels, with a positive, of samples in the order of their scores, which are distinct."""
    return [
        labels for n in range(1, size + 1) for labels in itertools.product((0, 1), repeat=n) if any(labels)
    ]


def recall_rises() -> Finding:
    """Follow recall down the thresholds of all small rankings."""
    cases = [points_of(labels, range(len(labels), 0, -1)) for labels in rankings(5)]
    return decided(
        all(left[0] <= right[0] for points in cases for left, right in pairwise(points)),
        f"recall never falls as the threshold does, on all {len(cases)} rankings of at most 5 samples",
    )


def term(printed: FormulaText) -> Finding:
    """Compare a term of the sum with the trapezoid between two points, and the sum with the library's area."""
    claimed = formula(printed)
    area = mpq(0)
    for (r1, p1), (r2, p2) in pairwise(points_of(LABELS, SCORES)):
        area += rational(str(claimed.evaluate({"r1": r1, "p1": p1, "r2": r2, "p2": p2})))
    found = pr_auc(LABELS, SCORES, anchor=Anchor.NONE)
    return as_printed(
        claimed.equals(formula("(r2 - r1)*p1 + (r2 - r1)*(p2 - p1)/2")) and area == found,
        f"labels {LABELS}, scores {', '.join(SCORES)}: the sum is {area}, the area {found}",
    )


def last_index(printed: FormulaText) -> Finding:
    """Take the terms below the printed limit: they must use all neighbours among the points 1 to |E|."""
    size = len(points_of(LABELS, SCORES))
    limit = int(rational(str(formula(printed).evaluate({"E": mpq(size)}))))
    used, wanted = max(limit - 1, 0), size - 1
    text = f"{size} points, numbered from 1: {used} terms for {wanted} pairs of neighbours"
    return as_printed(used == wanted, text)


def start() -> Finding:
    """Begin the curve in each of three ways: a perfect ranking must have area 1."""
    perfect = ((1, 0), ("0.9", "0.1"))
    found = {}
    for anchor in Anchor:
        best = pr_auc(*perfect, anchor=anchor)
        found[f"begins at {anchor.value}"] = decided(
            best == 1,
            f"a perfect ranking, labels {perfect[0]}, scores {', '.join(perfect[1])}: area {best}",
            f"labels {LABELS}, scores {', '.join(SCORES)}: area {pr_auc(LABELS, SCORES, anchor=anchor)}",
            right="add a point at recall 0, and say which",
        )
    return by_reading(found)


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
    below, above = estimate - percentile.lower, estimate - percentile.upper
    meanings = {"x̄ − x_i": (above, below), "x_i − x̄": (-below, -above)}
    known = {
        (percentile.lower, percentile.upper): "percentile",
        (basic.lower, basic.upper): "basic (pivotal)",
    }
    readings = {}
    for differences, (low, high) in meanings.items():
        at = {"x": estimate, "dlow": low, "dhigh": high}
        ends = [rational(str(formula(text).evaluate(at))) for text in printed]
        kind = known.get((ends[0], ends[1]), "neither")
        readings[f"δ are quantiles of the differences {differences}"] = decided(
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
    return as_printed(
        low == alpha and high == 1 - alpha,
        f"between the quantiles at {alpha} and {1 - alpha} lies {1 - 2 * alpha}; printed {level}",
    )


def probability(printed: mpq, *, tolerance: mpq) -> Finding:
    """Sum the probability of all resamples whose statistic lies between the quantiles, for few samples and many."""
    inside = {}
    for found, missed in ((3, 1), (3 * MANY // 4, MANY // 4)):
        distribution = exact_bootstrap("recall", tp=found, fp=0, fn=missed, tn=0)
        low, high = distribution.quantiles(("1/40", "39/40"))
        chances = (chance for value, chance in distribution.outcomes() if low <= value <= high)
        inside[found + missed] = sum(chances, mpq(0))
    return as_printed(
        0 <= inside[MANY] - printed <= tolerance,
        f"recall of {MANY} positives, 3 in 4 found: a resample lies between the quantiles with probability "
        f"{fixed_text(inside[MANY], 4)}; printed {printed}",
        f"with 4 positives it is {inside[4]}: the equation is meant nearly, and for many samples",
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
