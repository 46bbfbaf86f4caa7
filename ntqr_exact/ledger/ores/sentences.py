"""ORES: what the text says of the metrics outside the curves, each sentence tried on exact matrices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import (
    all_of,
    by_reading,
    counterexample,
    decided,
    equal,
    not_checkable,
    rounded,
    underdetermined,
)
from ntqr_exact.ledger.ores.worked_lines import DISEASE, ENWIKI, number
from ntqr_exact.ledger.rounding import read_printed
from ntqr_exact.metrics.averages import LabelMatrices
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import CELLS
from ntqr_exact.metrics.undefined import Undefined, defined


def matrices(largest: int) -> Iterator[ConfusionMatrix]:
    """Yield all matrices with at most so many samples in a cell, the smallest totals first."""
    cells = sorted(product(range(largest + 1), repeat=4), key=lambda four: (sum(four), four))
    return (ConfusionMatrix(**dict(zip(CELLS, four, strict=True))) for four in cells)


def _text(matrix: ConfusionMatrix) -> str:
    return f"TP {matrix.tp}, FP {matrix.fp}, FN {matrix.fn}, TN {matrix.tn}"


def _finds(name: str, missing: str, _: str) -> Finding:
    """A metric is 1 exactly where the cell that it forbids is empty, wherever it has a value."""
    cases = (
        (_text(matrix), (matrix[name] == 1) == (getattr(matrix, missing) == 0))
        for matrix in matrices(3)
        if not isinstance(matrix[name], Undefined)
    )
    return counterexample(
        cases,
        checked="matrices with cells up to 3",
        proof=f"{name} = TP/(TP + {missing.upper()}) is 1 iff {missing.upper()} = 0, since TP + it is not 0",
    )


def _false_alarm(printed: str) -> Finding:
    value = number(printed)
    return by_reading(
        {
            "of an alarm, given a negative": equal(value, defined(DISEASE.fpr), "FP/(FP + TN)"),
            "of being false, given an alarm": equal(value, 1 - defined(DISEASE.precision), "FP/(FP + TP)"),
            "of a false alarm, among all": equal(value, DISEASE.fp / DISEASE.total, "FP/n"),
        }
    )


def _f1_is_accuracy(_: str) -> Finding:
    """Look for two matrices with equal f1 and different accuracy."""
    seen: dict[mpq, ConfusionMatrix] = {}
    for matrix in matrices(2):
        if isinstance(matrix.f1, Undefined):
            continue
        other = seen.setdefault(matrix.f1, matrix)
        if other.accuracy != matrix.accuracy:
            return by_reading(
                {
                    "accuracy as in section 1.7": decided(
                        False,
                        f"{_text(other)} and {_text(matrix)} both have f1 {matrix.f1}, "
                        f"and accuracy {other.accuracy} and {matrix.accuracy}",
                        right="f1 takes no account of true negatives, accuracy does",
                    ),
                    "quality in general": not_checkable("what the quality of a model is"),
                }
            )
    return decided(True, "equal f1 goes with equal accuracy")


def _extreme(printed: str) -> Finding:
    """Put precision 1 and recall 0 into both means, and look for a matrix that has them."""
    precision, recall, average, f1 = map(rational, re.findall(r"[\d.]+", printed))
    mean, harmonic = (precision + recall) / 2, 2 * precision * recall / (precision + recall)
    found = next((m for m in matrices(3) if m.precision == precision and m.recall == recall), None)
    nearest = ConfusionMatrix(tp=1, fp=0, fn=99, tn=0)
    right = f"{_text(nearest)}: precision 1, recall {nearest.recall}, mean {fixed_text(mpq(101, 200), 3)}"
    return by_reading(
        {
            "as numbers in the formulas": decided(
                (mean, harmonic) == (average, f1), f"mean {mean}, harmonic mean {harmonic}", slip=True
            ),
            "as a classifier": decided(
                found is not None,
                "precision 1 needs TP > 0, recall 0 needs TP = 0: no confusion matrix has both",
                right=f"{right}, f1 {nearest.f1}",
            ),
        }
    )


def _highest_f1(printed: str) -> Finding:
    """Show two sets of scores behind the printed counts: in one the highest f1 is the printed one, in one it is not.

    A threshold a little higher than that of the counts may lose false positives only.
    """
    decimal = read_printed(printed)
    own = defined(ENWIKI.f1)
    if own > decimal.high:
        return decided(False, f"the printed counts alone have f1 = {own} ≈ {fixed_text(own, 4)}", slip=True)
    worlds, fewer = {}, 0
    while fewer <= ENWIKI.fp:
        better = ConfusionMatrix(tp=ENWIKI.tp, fp=ENWIKI.fp - fewer, fn=ENWIKI.fn, tn=ENWIKI.tn + fewer)
        best = defined(better.f1)
        fits = decimal.low <= best <= decimal.high
        if fits or not fewer:
            worlds[f"no true and {fewer} false positives lie below the next threshold, of f1 {best}"] = fits
        if fits:
            break
        fewer += 1
    at_rate = fixed_text(defined(ENWIKI.at_population_rate("0.034").f1), 4)
    return underdetermined(
        worlds,
        f"the scores: the counts tell one threshold (f1 {fixed_text(own, 4)}, or {at_rate} at the population's "
        f"rate), and {printed} is over all",
    )


def _upper_end(printed: str) -> Finding:
    best = max(defined(matrix.f1) for matrix in matrices(2) if not isinstance(matrix.f1, Undefined))
    return equal(printed, best, "the largest f1, at FP = FN = 0,")


def _slash(name: str, other: str, printed: str) -> Finding:
    """Read `matched/not-matched` as a ratio, and as a name for what the next clause says."""
    value = number(printed)
    ratio = defined(DISEASE[name]) / defined(DISEASE[other])
    return by_reading(
        {
            "share of all": equal(value, defined(DISEASE[name]), name),
            "ratio of the two sides of the slash": equal(value, ratio, f"{name} over {other}"),
        }
    )


def _labels_in_order(printed: str) -> Finding:
    """Pair the two labels with the two words, in the order in which they stand."""
    first, second = (pair.split("=") for pair in printed.split(", "))
    right = {"true": "positives", "false": "negatives"}
    counts = DISEASE.counts["labels"]
    words = {"positives": DISEASE.positives, "negatives": DISEASE.negatives}
    in_order = all(counts[label] == words[word] for label, word in (first, second))
    as_sets = {first[1], second[1]} == set(right.values())
    return by_reading(
        {
            "as one set of two": decided(
                as_sets, "the labels true and false are the positives and negatives"
            ),
            "in the order named": decided(
                in_order,
                f"false counts {counts['false']}, and these are the negatives; true counts {counts['true']}",
                right="false = negatives, true = positives",
                slip=True,
            ),
        }
    )


def _description(name: str, printed: str) -> Finding:
    """Find which people make up a printed rate."""
    who, _, share = printed.partition(": ")
    shares = {
        "infected": DISEASE.positives / DISEASE.total,
        "non infected": DISEASE.negatives / DISEASE.total,
    }
    if who not in shares:
        raise BadDocument(who, "the people are infected or non infected")
    right = next(key for key, value in shares.items() if value == DISEASE.rates[name])
    return decided(
        shares[who] == number(share),
        f"{share} is printed for {who} people, whose share is {shares[who]}",
        f"the rate of {name} is {DISEASE.rates[name]}, the share of {right} people",
        right=f"the proportion of {right} people",
        slip=True,
        arose="the line of the other label was copied" if right != who else "",
    )


def _sample_size(printed: str) -> Finding:
    n = rational(printed)
    return all_of(
        {
            "n": equal(n, ENWIKI.total, "n of the counts"),
            "rate": rounded("0.961", ENWIKI.negatives / n, f"the rate of 18677 false among {n} edits"),
        }
    )


def _not_in_sample(_: str) -> Finding:
    """Bound the share of edits that the sample leaves out, if none of them is damaging."""
    population, sample = read_printed("0.034"), defined(ENWIKI.rates["true"])
    least, most = (1 - rate / sample for rate in (population.high, population.low))
    return not_checkable(
        "which edits were sampled",
        f"the sample has more damaging edits, {fixed_text(sample, 4)} against 0.034, as it would without bots",
        f"if no edit left out is damaging, {fixed_text(100 * least, 1)} to {fixed_text(100 * most, 1)} % of all "
        "edits were left out",
    )


def _not_e(_: str) -> Finding:
    """Count, on items of three classes, how many that are not E are said not to be E."""
    actual, predicted = list("EEEABBA"), list("EAEEBBB")
    every = LabelMatrices.from_label_sets(actual, predicted, labels="ABE")
    others = [guess != "E" for truth, guess in zip(actual, predicted, strict=True) if truth != "E"]
    share = mpq(sum(others), len(others))
    return decided(
        every["E"]["!recall"] == share,
        f"of {len(others)} items that are not E, {sum(others)} are predicted not to be: !recall of E is {share}",
    )


def _claim(key: str, place: str, statement: str, check: Callable[[str], Finding], printed: str = "") -> Claim:
    return Claim(f"ores/{key}", place, Kind.SENTENCE, statement, check, printed)


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "sec-1-1/all-relevant",
        "section 1.1, item 2",
        "Recall measures whether all relevant cases are found: it is 1 exactly if none is missed.",
        partial(_finds, "recall", "fn"),
    ),
    _claim(
        "sec-1-2/only-relevant",
        "section 1.2, item 2",
        "Precision measures whether only relevant cases are found: it is 1 exactly if there is no false positive.",
        partial(_finds, "precision", "fp"),
    ),
    _claim(
        "sec-1-3/accuracy",
        "section 1.3, item 2",
        "f1 serves to judge how accurate a model is.",
        _f1_is_accuracy,
    ),
    _claim(
        "sec-1-3/extreme",
        "section 1.3, additional information",
        "Precision 1 and recall 0 have the average 0.5, but f1 0.",
        _extreme,
        "precision 1.0, recall 0.0: average 0.5, harmonic 0",
    ),
    _claim(
        "sec-1-3/at-most-one", "section 1.3, additional information", "f1 can be up to 1.", _upper_end, "1.0"
    ),
    _claim(
        "sec-1-3/highest",
        "section 1.3, additional information",
        "The highest f1 of the enwiki damaging model is 0.461.",
        _highest_f1,
        "0.461",
    ),
    _claim(
        "sec-1-4/false-alarm",
        "section 1.4, item 2",
        "The false positive rate, 10/65 in the example, is the probability of a false alarm.",
        _false_alarm,
        "10/65",
    ),
    _claim(
        "sec-1-8/matched",
        "section 1.8, item 2",
        "match_rate is the proportion matched/not-matched, and this means predicted positives over all.",
        partial(_slash, "match_rate", "filter_rate"),
        "40/100",
    ),
    _claim(
        "sec-1-9/filtered",
        "section 1.9, item 2",
        "filter_rate is the proportion filtered/not-filtered, and this means predicted negatives over all.",
        partial(_slash, "filter_rate", "match_rate"),
        "60/100",
    ),
    _claim(
        "sec-1-10/labels",
        "section 1.10, item 2",
        "The counts of labels false and true are the actual positives and negatives.",
        _labels_in_order,
        "false=positives, true=negatives",
    ),
    *(
        _claim(
            f"sec-1-11/who-{name}",
            "section 1.11, item 3",
            f"The rate of {name} is the proportion of infected people.",
            partial(_description, name),
            printed,
        )
        for name, printed in (("false", "infected: 65/100"), ("true", "infected: 35/100"))
    ),
    _claim(
        "sec-1-11/sample-size",
        "section 1.11, item 5",
        "The sample of the rates has as many edits as n of the counts, 19428.",
        _sample_size,
        "19428",
    ),
    _claim(
        "sec-1-11/left-out",
        "section 1.11, item 5",
        "The population has many edits by bots and trusted users, and the sample has none of them.",
        _not_in_sample,
    ),
    _claim(
        "sec-1-12/not-e",
        "section 1.12",
        "In a search for every item outside class E, !recall of E is the metric to watch.",
        _not_e,
    ),
)
