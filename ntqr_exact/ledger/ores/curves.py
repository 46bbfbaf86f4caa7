"""ORES, sections 1.5 and 1.6: what is said of thresholds, curves and the areas under them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.judgement import Finding, as_printed, by_reading, counterexample, decided
from ntqr_exact.ledger.ores.formulas import DISEASE, ENWIKI, MATRICES, of_library
from ntqr_exact.metrics.areas import average_precision, roc_auc
from ntqr_exact.metrics.curves import precision_recall_curve, roc_curve
from ntqr_exact.metrics.ranking import Rule, rank
from ntqr_exact.metrics.undefined import defined

Samples = tuple[tuple[int, ...], tuple[Fraction, ...]]


def samples(most: int, *, levels: int) -> Iterator[Samples]:
    """Yield labels with scores, both labels present, fewest samples first; scores are i/levels inside (0, 1).

    >>> len(list(samples(2, levels=3)))
    8
    """
    scores = [Fraction(level, levels) for level in range(1, levels)]
    for size in range(2, most + 1):
        for labels in product((1, 0), repeat=size):
            if 0 < sum(labels) < size:
                for chosen in product(scores, repeat=size):
                    yield labels, chosen


def _samples_text(labels: Sequence[int], scores: Sequence[Fraction]) -> str:
    """Return samples in words."""
    pairs = zip(labels, scores, strict=True)
    return ", ".join(f"{'positive' if label else 'negative'} {score}" for label, score in pairs)


def area_range(printed: tuple[mpq, mpq]) -> Finding:
    """Take the area of all small samples, as it is, and with an order worse than chance turned round."""
    areas: dict[mpq, Samples] = {}
    for each in samples(3, levels=4):
        areas.setdefault(defined(roc_auc(*each)), each)
    least, most = min(areas), max(areas)
    turned = {max(area, 1 - area) for area in areas}
    return by_reading(
        {
            "an order that is worse than chance is turned round": decided(
                (min(turned), max(turned)) == printed,
                f"with the larger of A and 1 − A, areas run from {min(turned)} to {max(turned)}",
            ),
            "scores as they are": decided(
                (least, most) == printed,
                f"{_samples_text(*areas[least])}: the area is {least}; areas run from {least} to {most}",
                right="between 0 and 1; 1/2 is what equal scores or chance have",
            ),
        }
    )


def perfect() -> Finding:
    """Compare an area of 1 with the absence of false positives: at one threshold, and with no positive missed."""
    one_error, only_first = True, ""
    for labels, scores in samples(4, levels=4):
        ranking, area = rank(labels, scores), defined(roc_auc(labels, scores))
        clean = any(row.confusion.fp == 0 == row.confusion.fn for row in ranking)
        one_error = one_error and (area == 1) == clean
        if area < 1 and not only_first and any(row.confusion.fp == 0 for row in ranking):
            only_first = (
                f"{_samples_text(labels, scores)}: no false positives at the highest score, and area {area}"
            )
    return by_reading(
        {
            "no false positives while all positives are found": decided(
                one_error,
                "on all samples of up to 4 the area is 1 exactly if a threshold has no error at all",
            ),
            "no false positives at some threshold": decided(
                not only_first, only_first, right="no false positives and no false negatives at one threshold"
            ),
        }
    )


def probability_of_rank() -> Finding:
    """Compare the area with the share of pairs in which the positive scores strictly higher."""
    without, tied = True, ""
    for labels, scores in samples(4, levels=4):
        both = list(zip(labels, scores, strict=True))
        pairs = list(product([s for y, s in both if y], [s for y, s in both if not y]))
        higher = mpq(sum(one > other for one, other in pairs), len(pairs))
        area = defined(roc_auc(labels, scores))
        if not any(one == other for one, other in pairs):
            without = without and higher == area
        elif higher != area and not tied:
            tied = f"{_samples_text(labels, scores)}: area {area}, probability of ranking higher {higher}"
    return by_reading(
        {
            "no positive ties with a negative": decided(without, "equal on all such samples of up to 4"),
            "scores may tie": decided(
                not tied, tied, right="P(positive higher) + P(they tie)/2 is the area under the curve"
            ),
        }
    )


def threshold(printed: tuple[mpq, mpq]) -> Finding:
    """Return whether the threshold makes positive what lies above the printed percentage, and nothing else."""
    cut, percent = printed
    scores = [mpq(score, 100) for score in range(101)]
    labels = [int(100 * score > percent) for score in scores]
    matrix = rank(labels, scores).at(cut, rule=Rule.ABOVE)
    return as_printed(
        matrix.fp == 0 == matrix.fn,
        f"of the scores 0, 1, …, 100 %, those above the threshold {cut} are those above {percent} %"
        if matrix.fp == 0 == matrix.fn
        else f"the threshold {cut} does not part scores at {percent} %",
    )


def direction(printed: Literal["Increasing", "Decreasing"]) -> Finding:
    """Raise the threshold on all small samples, and watch both rates."""
    ends = []
    for labels, scores in samples(3, levels=4):
        low, high = (rank(labels, scores).at(t) for t in (0, 1))
        ends.append((low.fpr == 1 == low.recall, high.fpr == 0 == high.recall))
    falling = all(low and high for low, high in ends)
    return decided(
        falling == (printed == "Decreasing"),
        f"in all {len(ends)} cases of up to 3 samples the point is (1, 1) at threshold 0 and (0, 0) at threshold 1",
    )


def all_positive_at(printed: mpq) -> Finding:
    """Return whether all is predicted to be positive at a threshold, whatever the scores between 0 and 1."""
    cases = [
        (_samples_text(labels, scores), rank(labels, scores).at(printed).match_rate == 1)
        for labels, scores in samples(2, levels=4)
    ]
    failing = next((text for text, truth in cases if not truth), "")
    return as_printed(
        not failing,
        f"{failing}: not all is predicted to be positive at the threshold {printed}"
        if failing
        else f"all is predicted to be positive at the threshold {printed}",
        arose="the two ends of the scale changed places" if printed == 1 else "",
    )


def to_the_right() -> Finding:
    """Compare both rates with the shares of positives and negatives at or above the threshold."""

    def right(each: Samples, wanted: int) -> mpq:
        own = [score for label, score in zip(*each, strict=True) if label == wanted]
        return mpq(sum(score >= Fraction(1, 2) for score in own), len(own))

    cases = (
        (_samples_text(*each), (matrix.recall, matrix.fpr) == (right(each, 1), right(each, 0)))
        for each in samples(3, levels=4)
        for matrix in [rank(*each).at(Fraction(1, 2))]
    )
    return counterexample(
        cases,
        checked="up to 3 samples, threshold 1/2",
        proof="tpr is the share of positives to the right of the threshold, fpr the share of negatives there",
    )


def unbalanced() -> Finding:
    """Count all negatives ten times: the area under ROC stays."""
    cases = (
        (
            _samples_text(labels, scores),
            roc_auc(labels, scores)
            == roc_auc(labels, scores, sample_weight=[1 if label else 10 for label in labels]),
        )
        for labels, scores in samples(3, levels=4)
    )
    return counterexample(cases, checked="up to 3 samples, with negatives counted ten times: the same area")


def axes(printed: tuple[tuple[str, str], tuple[str, str]]) -> Finding:
    """Read off which metric each curve of the library has up and across, and compare with what is printed."""
    data = ([1, 0], ["0.9", "0.1"])
    known = tuple(
        (curve.up.name, curve.across.name) for curve in (roc_curve(*data), precision_recall_curve(*data))
    )
    return as_printed(
        printed == known and set(known[0]) & set(known[1]) == {"recall"},
        "; ".join(f"{up} up, {across} across" for up, across in known) + ": they share recall, which is tpr",
    )


def without_true_negatives(printed: tuple[str, ...]) -> Finding:
    """Return whether the printed metrics are free of TN, while fpr is not."""
    free = all("TN" not in of_library(name).variables() for name in printed)
    return as_printed(
        free and "TN" in of_library("fpr").variables(),
        "; ".join(f"{name} = {of_library(name)}" for name in (*printed, "fpr")),
    )


def top_right() -> Finding:
    """Compare a point of precision 1 and recall 1 with a perfect ranking."""
    cases = (
        (
            _samples_text(*each),
            any(row.confusion.recall == 1 == row.confusion.precision for row in rank(*each))
            == (roc_auc(*each) == 1),
        )
        for each in samples(4, levels=4)
    )
    return counterexample(
        cases,
        checked="up to 4 samples",
        proof="recall 1 and precision 1 at a threshold mean that FN = FP = 0 there",
    )


def higher_fpr(printed: Literal["(a)", "(b)"]) -> Finding:
    """Compare the false positive rates of the two searches."""
    rates = {of: defined(MATRICES[of].fpr) for of in ("(a)", "(b)")}
    return as_printed(
        max(rates, key=lambda of: rates[of]) == printed,
        f"fpr of (a) = {rates['(a)']}, of (b) = {rates['(b)']}",
    )


def imbalance() -> Finding:
    """Count all negatives ten times, with both rates kept: does precision stay?"""
    scaled, scarce = DISEASE.scaled(positives=1, negatives=10), ENWIKI.at_population_rate("0.034")
    return decided(
        scaled.precision == DISEASE.precision,
        f"the example with ten times as many negatives has fpr {scaled.fpr} and recall {scaled.recall} as before, and "
        f"precision {scaled.precision} in place of {DISEASE.precision}",
        f"the enwiki model has precision {fixed_text(defined(ENWIKI.precision), 4)} in the sample, and "
        f"{fixed_text(defined(scarce.precision), 4)} at the population's rate of section 1.11",
        right="precision falls as negatives become more frequent; recall and fpr do not change",
    )


def areas_differ() -> Finding:
    """Let both searches have two scores only: retrieved, and not. Then compare the areas."""
    areas = {}
    for of in ("(a)", "(b)"):
        matrix = MATRICES[of]
        weights = [matrix.tp, matrix.fp, matrix.fn, matrix.tn]
        data = ([1, 0, 1, 0], ["0.9", "0.9", "0.1", "0.1"])
        precise = average_precision(*data, sample_weight=weights)
        areas[of] = (defined(roc_auc(*data, sample_weight=weights)), rational(str(precise)))
    roc, pr = (abs(areas["(a)"][place] - areas["(b)"][place]) for place in (0, 1))
    return decided(
        100 * roc < pr,
        f"with two scores, roc_auc differs by {fixed_text(roc, 6)}, average precision by {fixed_text(pr, 6)}",
    )
