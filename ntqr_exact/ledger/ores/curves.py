"""ORES, sections 1.5 and 1.6: what is said of thresholds, curves and the areas under them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from gmpy2 import mpq

from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, counterexample, decided, not_checkable
from ntqr_exact.metrics.areas import roc_auc
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


def samples_text(labels: Sequence[int], scores: Sequence[Fraction]) -> str:
    """Return samples in words."""
    pairs = zip(labels, scores, strict=True)
    return ", ".join(f"{'positive' if label else 'negative'} {score}" for label, score in pairs)


def _area_range(printed: str) -> Finding:
    low, high = map(rational, printed.split())
    found: dict[mpq, Samples] = {}
    for labels, scores in samples(3, levels=4):
        found.setdefault(defined(roc_auc(labels, scores)), (labels, scores))
    least, most = min(found), max(found)
    return decided(
        (least, most) == (low, high),
        f"printed: from {low} to {high}",
        f"{samples_text(*found[least])}: the area is {least}",
        f"{samples_text(*found[most])}: the area is {most}",
        right="between 0 and 1; 1/2 is what equal scores or chance have, and below it the order is turned round",
    )


def _perfect(_: str) -> Finding:
    """An area of 1 means a threshold without false positives and false negatives; no false positives is less."""
    turned: list[str] = []
    seen = 0
    for labels, scores in samples(4, levels=4):
        seen += 1
        ranking = rank(labels, scores)
        perfect = any(row.confusion.fp == 0 == row.confusion.fn for row in ranking)
        area = defined(roc_auc(labels, scores))
        if (area == 1) != perfect:
            return decided(False, f"{samples_text(labels, scores)}: the area is {area}")
        if area < 1 and not turned and any(row.confusion.fp == 0 for row in ranking):
            turned.append(
                f"{samples_text(labels, scores)}: no false positives at the highest score, and area {area}"
            )
    return by_reading(
        {
            "no false positives while all positives are found": decided(
                seen > 0,
                f"in all {seen} cases of up to 4 samples the area is 1 iff a threshold has no error at all",
            ),
            "no false positives at a threshold": decided(
                not turned, *turned, right="no false positives and no false negatives at one threshold"
            ),
        }
    )


def _probability_of_rank(_: str) -> Finding:
    """Compare the area with the share of pairs in which the positive scores strictly higher."""
    ties: str = ""
    without = 0
    for labels, scores in samples(4, levels=4):
        positive = [score for label, score in zip(labels, scores, strict=True) if label]
        negative = [score for label, score in zip(labels, scores, strict=True) if not label]
        pairs = list(product(positive, negative))
        higher = mpq(sum(one > other for one, other in pairs), len(pairs))
        area = defined(roc_auc(labels, scores))
        if not any(one == other for one, other in pairs):
            without += 1
            if higher != area:
                return decided(False, f"{samples_text(labels, scores)}: area {area}, probability {higher}")
        elif higher != area and not ties:
            ties = f"{samples_text(labels, scores)}: area {area}, probability of ranking higher {higher}"
    return by_reading(
        {
            "no positive ties with a negative": decided(
                without > 0, f"equal in all {without} cases of up to 4 samples"
            ),
            "scores may tie": decided(
                not ties, ties, right="P(positive higher) + P(they tie)/2 is the area under the curve"
            ),
        }
    )


def _half(printed: str) -> Finding:
    """Put a score on the threshold itself."""
    threshold = rational(printed) / 100
    ranking = rank([1, 0], [threshold, threshold / 2])
    by_rule = {rule: ranking.at(threshold, rule=rule).tp for rule in (Rule.ABOVE, Rule.AT_LEAST)}
    return by_reading(
        {
            "positive if above, as the words say": decided(
                by_rule[Rule.ABOVE] == 0, f"a score of exactly {threshold} is negative"
            ),
            "positive if at least 50 %": decided(
                by_rule[Rule.AT_LEAST] == 0,
                f"a score of exactly {threshold} is positive",
                right=f"a score of at least {threshold}",
            ),
        }
    )


def _direction(_: str) -> Finding:
    """Raise the threshold, and watch both rates."""
    labels, scores = (1, 0), (Fraction(3, 4), Fraction(1, 4))
    ranking = rank(labels, scores)
    points = [
        (t, ranking.at(t).fpr, ranking.at(t).recall)
        for t in (mpq(0), mpq(1, 4), mpq(1, 2), mpq(3, 4), mpq(1))
    ]
    never_up = all(
        defined(high.fpr) <= defined(low.fpr) and defined(high.recall) <= defined(low.recall)
        for one, two in samples(3, levels=4)
        for low, high in [(rank(one, two).at(Fraction(1, 4)), rank(one, two).at(Fraction(3, 4)))]
    )
    rising = points[-1][1:] > points[0][1:]
    return decided(
        rising and not never_up,
        f"{samples_text(labels, scores)}: " + ", ".join(f"t = {t}: ({x}, {y})" for t, x, y in points),
        "a higher threshold leaves fewer predicted positives, so neither rate can rise",
        right="decreasing the threshold moves up the curve to the top right corner",
    )


def _all_positive_at(printed: str) -> Finding:
    threshold = rational(printed)
    cases = [
        (
            f"{samples_text(labels, scores)}, threshold {threshold}",
            rank(labels, scores).at(threshold).match_rate == 1,
        )
        for labels, scores in samples(2, levels=4)
    ]
    at_zero = all(rank(labels, scores).at(0).match_rate == 1 for labels, scores in samples(2, levels=4))
    failing = next((text for text, truth in cases if not truth), "")
    return decided(
        not failing,
        f"{failing}: nothing is predicted to be positive" if failing else f"all is positive at {threshold}",
        right="threshold 0" if at_zero else "",
        slip=True,
        arose="the two ends of the scale changed places" if at_zero and threshold == 1 else "",
    )


def _hugging(_: str) -> Finding:
    """A point nearer to the top left has more positives, and fewer negatives, at or above its threshold."""
    cases = (
        (
            samples_text(labels, scores),
            (matrix.recall, matrix.fpr)
            == (mpq(_right(labels, scores, 1), sum(labels)), mpq(_right(labels, scores, 0), labels.count(0))),
        )
        for labels, scores in samples(3, levels=4)
        for matrix in [rank(labels, scores).at(Fraction(1, 2))]
    )
    return counterexample(
        cases,
        checked="up to 3 samples, threshold 1/2",
        proof="tpr is the share of positives to the right of the threshold, fpr the share of negatives there",
    )


def _right(labels: Sequence[int], scores: Sequence[Fraction], wanted: int) -> int:
    return sum(
        label == wanted and score >= Fraction(1, 2) for label, score in zip(labels, scores, strict=True)
    )


def _unbalanced(_: str) -> Finding:
    """The area does not change when all negatives are counted ten times; section 1.6 then prefers the other."""
    cases = (
        (
            samples_text(labels, scores),
            roc_auc(labels, scores)
            == roc_auc(labels, scores, weights=[1 if label else 10 for label in labels]),
        )
        for labels, scores in samples(3, levels=4)
    )
    return by_reading(
        {
            "the area does not depend on how many negatives there are": counterexample(
                cases, checked="up to 3 samples, negatives counted ten times"
            ),
            "it is the more useful one then": not_checkable(
                "what it is used for; section 1.6 advises against it if there are many more negatives"
            ),
        }
    )


def _claim(key: str, statement: str, check: Callable[[str], Finding], printed: str = "") -> Claim:
    section = key.partition("/")[0].replace("sec-", "").replace("-", ".")
    return Claim(f"ores/{key}", f"section {section}", Kind.SENTENCE, statement, check, printed)


CLAIMS: tuple[Claim, ...] = (
    _claim("sec-1-5/range", "The area under ROC lies between 0.5 and 1.", _area_range, "0.5 1.0"),
    _claim("sec-1-5/perfect", "The area is 1, perfect, if there are no false positives.", _perfect),
    _claim(
        "sec-1-5/probability",
        "The area is the probability that a random positive ranks higher than a random negative.",
        _probability_of_rank,
    ),
    _claim("sec-1-5/half", "With threshold 0.5, what is above 50 % is classified as positive.", _half, "50"),
    _claim(
        "sec-1-5/direction",
        "Increasing the threshold moves up the curve, to the top right corner.",
        _direction,
    ),
    _claim(
        "sec-1-5/top-right",
        "The top right corner, where everything is called positive, belongs to threshold 1.",
        _all_positive_at,
        "1.0",
    ),
    _claim(
        "sec-1-5/best-case",
        "Low fpr and high tpr mean many positives and few negatives to the right of the threshold.",
        _hugging,
    ),
    _claim(
        "sec-1-5/unbalanced",
        "As a probability of ranks, the area is useful even for highly unbalanced classes.",
        _unbalanced,
    ),
)
