"""The claims of the derivation of bias-adjusted metrics, in the order of its text.

Names in formulas: n and m labelled samples in B and outside, e and g of them answered wrongly, b = |B|/|U|.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from gmpy2 import mpq

from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import fixed_text
from ntqr_exact.ledger.book import Book
from ntqr_exact.ledger.equations import alike, formula, same
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, decided
from ntqr_exact.metrics.areas import Anchor, pr_auc
from ntqr_exact.metrics.bootstrap import BootstrapMethod, tails
from ntqr_exact.metrics.exact_bootstrap import exact_bootstrap
from ntqr_exact.metrics.formulas import defined
from ntqr_exact.metrics.ranking import precision_recall_curve
from ntqr_exact.metrics.weights import Strata

BOOK = Book("bias_adjusted", """
The weights, the weighted error rate, precision, recall and F1 are right: each is proven to be the plug-in estimate of
the quantity that it names. Three things are worth a look before the formulas are used again.

- The area under the curve has no point at recall 0, so that a perfect ranking may have area 0; say where it begins.
- The bootstrap interval is the percentile interval only if δ are quantiles of the differences x̄ − xᵢ. The text defines
  neither δ nor x̄*.
- A resample may lose a whole stratum; say whether the weights are kept or computed anew.
""")  # fmt: skip


@BOOK.claim
def _(printed: str) -> Finding:
    r"""sets/complement | first section | ⊆ | verdict=misprint
    The selected reviews are a subset $B\subset U$, and $B^c\subseteq U\setminus B$ is the complement: all reviews that were not
    selected.
    quote: $B^c \subseteq U \setminus B = \{(x,y) | T(x) = 0\}$
    right: =
    instead: $B^c = U \setminus B = \{(x,y) | T(x) = 0\}$
    why: The next sentence calls $B^c$ the complement, all reviews that were never seen, and $\hat p(T(x)=0)=1-|B|/|U|$ needs
    it. The printed sign allows any part of it.
    """
    sizes = [(u, b, u - b if printed == "=" else 0) for u in (1, 2, 3) for b in range(u + 1)]
    failing = [each for each in sizes if sum(each[1:]) != each[0]]
    if not failing:
        return decided(True, "with equality |B| + |B^c| = |U|")
    text = "|U| = {}, |B| = {}, |B^c| = {} obeys B^c {} U∖B; |B| + |B^c| is not |U|".format(*failing[0], printed)
    return as_printed(False, text)


_W = "wB: (n + m)/n*b; wC: (n + m)/m*(1 - b)"
BOOK.table(
    same,
    rf"""
    error-rate/total-probability | section Error Rate | e1*t1 + e0*t0
        | w1 + w0 | t1: w1 + r1; t0: 1 - w1 - r1; e1: w1/t1; e0: w0/t0
        | w_t and r_t are the probabilities of a wrong and of a right answer together with T = t
        $p(f\ne y)=p(f\ne y|T=1)p(T=1)+p(f\ne y|T=0)p(T=0)$.
    error-rate/combined | section Error Rate | 1/n*b*e + 1/m*(1 - b)*g | b*(e/n) + (1 - b)*(g/m)
        $\hat p(f\ne y)=\frac1{{|\overline B|}}\frac{{|B|}}{{|U|}}\sum_{{\overline B}}I+\frac1{{|\overline B^c|}}(1-\frac{{|B|}}{{|U|}})\sum_{{\overline B^c}}I$.
    error-rate/averaged | section Error Rate | 1/(n + m)*(wB*e + wC*g) | b*(e/n) + (1 - b)*(g/m) | {_W}
        Multiplied and divided by the number of samples, the error rate is a weighted average over all of them.
    precision | section Precision | 1/(tp + fp)*tp
        | (b*tpB/n + (1 - b)*tpC/m)/(b*tpB/n + (1 - b)*tpC/m + b*fpB/n + (1 - b)*fpC/m)
        | {_W}; tp: wB*tpB + wC*tpC; fp: wB*fpB + wC*fpC
        | the quotient of the plug-in estimates of P(y = 1, f = 1) and P(f = 1); n + m cancels
        Precision is $\sum_{{f=1}}w_iI[y_i=1]/\sum_{{f=1}}w_i$.
    recall | section Recall | 1/(tp + fn)*tp
        | (b*tpB/n + (1 - b)*tpC/m)/(b*tpB/n + (1 - b)*tpC/m + b*fnB/n + (1 - b)*fnC/m)
        | {_W}; tp: wB*tpB + wC*tpC; fn: wB*fnB + wC*fnC
        | the quotient of the plug-in estimates of P(y = 1, f = 1) and P(y = 1); n + m cancels
        Recall is $\sum_{{y=1}}w_iI[f(x_i)=1]/\sum_{{y=1}}w_i$.
    f1 | section F1 | 2*(P*R/(P + R)) | 2*tp/(2*tp + fp + fn) | P: tp/(tp + fp); R: tp/(tp + fn)
        | where TP = 0 and FP + FN > 0 the printed quotient is 0/0, and the other form is 0
        F1 is $2\cdot\mathrm{{Precision}}\cdot\mathrm{{Recall}}/(\mathrm{{Precision}}+\mathrm{{Recall}})$.
    """,
)


@BOOK.claim
def _(printed: tuple[str, str]) -> Finding:
    r"""error-rate/selection | section Error Rate | B/U; 1 - B/U
    $\hat p(T=1)=|B|/|U|$ and $\hat p(T=0)=1-|B|/|U|$.
    """
    sizes = [(mpq(b), mpq(u)) for u in (1, 2, 3) for b in range(u + 1)]
    right = all([formula(text).evaluate({"B": b, "U": u}) for text in printed] == [b / u, (u - b) / u] for b, u in sizes)
    return as_printed(right, f"the shares of selected and of other reviews in all {len(sizes)} selections from at most 3")


@BOOK.claim
def _(printed: str, size: int, drawn: int) -> Finding:
    r"""error-rate/selected | section Error Rate | 1/n*e | 3 | 2 | verdict=depends | essential
    $p(f\ne y|T=1)$ is estimated by the share of errors on the labelled training data from $B$, and $p(f\ne y|T=0)$ likewise.
    quote: $\hat{p}(f(x)\neq y|T(x)=1)=\frac{1}{|\overline{B}|}\sum_{(x,y)\in\overline{B}}I[f(x)\neq y]$
    instead: the same formula on data that $f$ was not trained on, as in the section Testing
    why: The share of errors on training data estimates the error rate only of a classifier that was not fitted to them.
    For one that was, it is too small.
    by hand: Let f memorize its training labels and answer all else wrongly.
    """
    samples = list(itertools.combinations((1, *([0] * (size - 1))), drawn))
    values = [formula(printed).evaluate({"e": mpq(sum(sample)), "n": mpq(drawn)}) for sample in samples]
    average = sum(values, mpq(0)) / len(samples)
    memorized = formula(printed).evaluate({"e": mpq(0), "n": mpq(drawn)})
    elsewhere = mpq(size - drawn, size)
    return by_reading({
        "f was fixed before these labels were seen, and they are a random sample": decided(
            average == mpq(1, size),
            f"{size} reviews, 1 of them answered wrongly, {drawn} labelled: the mean over all {len(samples)} "
            f"samples is {average}, the error rate {mpq(1, size)}",
        ),
        "f was trained on these labels, as the training data are": decided(
            memorized == elsewhere,
            f"f that memorizes its {drawn} training labels and errs elsewhere: estimate {memorized}, "
            f"error rate {elsewhere}",
            right="estimate the error rate on data that f was not trained on",
        ),
    })  # fmt: skip


@BOOK.claim
def _(printed: tuple[str, str]) -> Finding:
    r"""error-rate/weights | sections Error Rate and Testing | (n + m)/n*b; (n + m)/m*(1 - b)
    $w_{\overline B}=\frac{|\overline B|+|\overline B^c|}{|\overline B|}\frac{|B|}{|U|}$ and
    $w_{\overline B^c}=\frac{|\overline B|+|\overline B^c|}{|\overline B^c|}(1-\frac{|B|}{|U|})$; likewise on test data.
    """
    first, second = (formula(text) for text in printed)
    average = (first * formula("n") + second * formula("m")) / formula("n + m")
    cases = [(3, 5, 20, 60), (1, 4, 7, 13), (2, 2, 5, 5)]
    same = True
    for n, m, own, others in cases:
        library = Strata(populations={"B": own, "C": others}, samples={"B": n, "C": m}).weights
        at = {"n": mpq(n), "m": mpq(m), "b": mpq(own, own + others)}
        same = same and [first.evaluate(at), second.evaluate(at)] == [library["B"], library["C"]]
    return as_printed(
        same and alike(average, "1"),
        f"as the weights by strata in {len(cases)} examples" if same else "not the weights by strata",
        f"their average over the n + m samples is {average}",
    )


@BOOK.claim
def _() -> Finding:
    """testing/recalculated | section Testing
    The weights of the samples, those of their strata, must be computed anew from the proportions of the test data.
    """
    train, test = (3, 1), (1, 1)
    old, new = (Strata(populations={"B": 100, "C": 900}, samples={"B": b, "C": c}).weights for b, c in (train, test))
    average, own = ((each["B"] + each["C"]) / 2 for each in (old, new))
    return decided(
        average != 1 and own == 1,
        f"b = 1/10; training {train}: weights {old['B']}, {old['C']}; test {test}: weights {new['B']}, {new['C']}",
        f"on the test data the weights of the training data average to {average}, their own to {own}",
    )


_LABELS, _SCORES = (1, 0, 1), ("0.9", "0.9", "0.1")
# The smallest test on which the three ways to begin the curve have three areas.


def _points(labels: Sequence[int], scores: Sequence[object]) -> list[tuple[mpq, mpq]]:
    """Return (recall, precision) from the highest threshold down."""
    curve = precision_recall_curve(labels, [rational(str(score)) for score in scores])
    return [(defined(recall), defined(precision)) for recall, precision in curve.points()]


@BOOK.claim
def _() -> Finding:
    r"""aupr/recall-rises | section AUPR
    The points, by falling threshold, are ordered by $r_i\ge r_{i'}$ for $i'<i$.
    note: a lower threshold predicts more positives, so true positives are not lost
    """
    rankings = [labels for n in range(1, 6) for labels in itertools.product((0, 1), repeat=n) if any(labels)]
    cases = [_points(labels, range(len(labels), 0, -1)) for labels in rankings]
    return decided(
        all(left[0] <= right[0] for points in cases for left, right in pairwise(points)),
        f"recall never falls as the threshold does, on all {len(cases)} rankings of at most 5 samples",
    )


@BOOK.claim
def _(printed: tuple[str, str]) -> Finding:
    r"""aupr/sum | section AUPR | .5*(r2 - r1)*(p1 + p2); E
    The area by trapezoids is $\sum\frac12(r_{i+1}-r_i)(p_i+p_{i+1})$, with the terms $i<|E|$ of points numbered from 1.
    note: rectangle plus triangle between two points: (r' − r)p + (r' − r)(p' − p)/2
    """
    term, points = formula(printed[0]), _points(_LABELS, _SCORES)
    limit = int(rational(str(formula(printed[1]).evaluate({"E": mpq(len(points))}))))
    area = mpq(0)
    for (r1, p1), (r2, p2) in pairwise(points):
        area += rational(str(term.evaluate({"r1": r1, "p1": p1, "r2": r2, "p2": p2})))
    result = pr_auc(_LABELS, _SCORES, anchor=Anchor.NONE)
    return as_printed(
        alike(term, "(r2 - r1)*p1 + (r2 - r1)*(p2 - p1)/2") and area == result and limit == len(points),
        f"labels {_LABELS}, scores {', '.join(_SCORES)}: the sum is {area}, the area {result}",
        f"{len(points)} points, numbered from 1, have {len(points) - 1} pairs of neighbours; the sum has {limit - 1} terms",
    )


@BOOK.claim
def _() -> Finding:
    r"""aupr/start | section AUPR | verdict=depends | essential
    Each threshold from 1 down to 0 gives a point, and the sum approximates the area under the curve; no starting point at
    recall 0 is given.
    quote: $AUPR=\sum_{(p_i,r_i)\in E,\,i<|E|}.5*(r_{i+1}-r_i)*(p_i+p_{i+1})$
    instead: the sum with a further point at recall 0, of precision 1 or of the precision of the first point
    why: Above the highest score nothing is predicted to be positive, and precision has no value. The sum begins at the first
    point that has one, and the area to its left is left out: a perfect ranking of two reviews has area 0.
    by hand: One positive of score 0.9 and one negative of score 0.1: the points are (recall 1, precision 1) and (1, 1/2).
    """
    labels, scores = (1, 0), ("0.9", "0.1")
    points = ", ".join(f"({recall}, {precision})" for recall, precision in _points(labels, scores))
    result = {}
    for anchor in Anchor:
        best = pr_auc(labels, scores, anchor=anchor)
        result[f"begins at {anchor.value}"] = decided(
            best == 1,
            f"a perfect ranking, labels {labels}, scores {', '.join(scores)}, with the points {points}: area {best}",
            f"labels {_LABELS}, scores {', '.join(_SCORES)}: area {pr_auc(_LABELS, _SCORES, anchor=anchor)}",
            right="add a point at recall 0, and say which",
        )
    return by_reading(result)


@BOOK.claim
def _(printed: tuple[str, str]) -> Finding:
    r"""bootstrap/method | section Bootstrap | x - dhigh; x - dlow | verdict=depends | essential
    The interval between $\bar x-\delta_{1-\alpha}$ and $\bar x-\delta_\alpha$ is that of the percentile bootstrap.
    quote: $P(\bar{x}^*-\delta_{1-\alpha}\le\bar{x}\le\bar{x}^*-\delta_{\alpha})=.95$
    instead: the interval from the $\alpha$ to the $1-\alpha$ quantile of $x_1,\dots,x_B$
    why: The text does not say of what the quantiles are taken. With the differences $\bar x-x_i$ the ends are those of the
    percentile bootstrap that is announced; with $x_i-\bar x$ they are those of the basic (pivotal) bootstrap. Nor is
    $\bar x^*$ defined: if it is the statistic of a resample, the inequality states no interval, whose ends must be numbers.
    by hand: Take recall with 2 found and 1 missed, and list the 27 resamples.
    """
    distribution = exact_bootstrap("recall", tp=2, fp=0, fn=1, tn=0)
    percentile, basic = (distribution.interval("0.95", method=method) for method in BootstrapMethod)
    estimate = mpq(2, 3)
    # The quantile at α of x̄ − x_i belongs to the quantile at 1 − α of x_i.
    below, above = estimate - percentile.lower, estimate - percentile.upper
    meanings = {"x̄ − x_i": (above, below), "x_i − x̄": (-below, -above)}
    known = {(percentile.lower, percentile.upper): "percentile", (basic.lower, basic.upper): "basic (pivotal)"}
    readings = {}
    for differences, (low, high) in meanings.items():
        at = {"x": estimate, "dlow": low, "dhigh": high}
        ends = [rational(str(formula(text).evaluate(at))) for text in printed]
        kind = known.get((ends[0], ends[1]), "neither")
        readings[f"δ are quantiles of the differences {differences}"] = decided(
            kind == "percentile",
            f"recall of 2 found and 1 missed, all {3**3} resamples: the ends are {ends[0]} and {ends[1]}, {kind}; the "
            f"percentile interval is [{percentile.lower}, {percentile.upper}]",
            right="call it the basic (pivotal) bootstrap",
        )
    return by_reading(readings)


@BOOK.claim
def _(printed: tuple[mpq, mpq], tolerance: mpq) -> Finding:
    r"""bootstrap/probability | section Bootstrap | 0.025; 0.95 | 1/100
    A statistic of a resample lies between the quantiles at $\alpha=.025$ and $1-\alpha$ with probability $.95$, nearly.
    """
    (alpha, level), inside, many = printed, {}, 160
    for hits, missed in ((3, 1), (3 * many // 4, many // 4)):
        distribution = exact_bootstrap("recall", tp=hits, fp=0, fn=missed, tn=0)
        low, high = distribution.quantiles(("1/40", "39/40"))
        chances = (chance for value, chance in distribution.outcomes() if low <= value <= high)
        inside[hits + missed] = sum(chances, mpq(0))
    return as_printed(
        tails(level) == (alpha, 1 - alpha) and 0 <= inside[many] - level <= tolerance,
        f"recall of {many} positives, 3 in 4 found: a resample lies between the quantiles with probability "
        f"{fixed_text(inside[many], 4)}; printed {level}, and {1 - 2 * alpha} lies between the quantiles",
        f"with 4 positives it is {inside[4]}: the equation is meant nearly, and for many samples",
    )


@BOOK.claim
def _() -> Finding:
    """bootstrap/resampling | section Bootstrap | verdict=depends | essential
    The test data are resampled with replacement, whatever the stratum.
    quote: we resample the test dataset with replacement B times
    instead: say whether the weights are kept; or resample each stratum separately
    why: A resample may hold few reviews of a stratum, or none. If the weights are computed anew, they then divide by 0; the
    text does not say whether they are kept.
    by hand: One labelled review in each stratum: half of the resamples hold one stratum only.
    """
    reviews = ("B", "C")
    kept = Strata(populations={"B": 20, "C": 60}, samples=Counter(reviews)).weights
    resamples = list(itertools.product(reviews, repeat=len(reviews)))
    averages = [sum((kept[stratum] for stratum in each), mpq(0)) / len(each) for each in resamples]
    lost = mpq(sum(set(each) != set(reviews) for each in resamples), len(resamples))
    return by_reading({
        "each review keeps its weight": decided(
            all(average > 0 for average in averages),
            f"1 and 1 labelled reviews: the weights exist in all {len(resamples)} resamples, and average to "
            f"{', '.join(map(str, sorted(set(averages))))}",
        ),
        "weights are computed anew for each resample": decided(
            lost == 0,
            f"1 and 1 labelled reviews: with probability {lost} a resample holds none of one stratum, and its "
            "weight divides by 0",
        ),
    })  # fmt: skip


BOOK.words(r"""
    first section | $B \subset U$ s.t. $B = \{(x, y) \mid T(x) = 1\}$ | let $U$ be the set of pairs $(x, y)$ of reviews
        and their labels, known or not | $U$ is introduced as a set of reviews, and $B$ as one of pairs; only $|B|/|U|$ is used.
    section Error Rate | $\overline{B}^c \subset B^c$ | a letter of its own for the labelled part of $B^c$ | The symbol looks
        like the complement of $\overline B$.
    section AUPR | $t \in (1, 0]$ | $t\in[0,1)$, from the top down | As printed the interval holds no number.
    section AUPR | the Area Under the Recall vs. Precision curve (AUPR) | the area under the precision vs. recall curve |
        What is named first is usually drawn upwards. The printed sum has precision up and recall across, as it should.
    section Bootstrap | We calculate bootstrap statistics for the IW-Precision, IW-Recall, and IW-AUPR | name IW-F1, too |
        Intervals are announced for F1 and AUPR. F1 follows from the precision and recall of the same resample.
    section Bootstrap | $x_1, ..., x_B$ | other letters | $B$ is also the set of selected reviews, and $x_i$ a review.
    """)
BOOK.missing(r"""
    title | The results notebook used these formulas | missing: the notebook
    first section | No epidemiologist saw a review of $B^c$, and yet a sample of it is labelled | missing: who labelled it
    """)
