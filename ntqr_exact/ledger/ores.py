"""The claims of the ORES metrics documentation, in the order of its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from gmpy2 import mpq

from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.show import fixed_text
from ntqr_exact.ledger.book import Book
from ntqr_exact.ledger.equations import alike, formula
from ntqr_exact.ledger.judgement import Finding, all_cases, all_of, as_printed, by_reading, decided, equal, possible, rounded
from ntqr_exact.ledger.printed_value import PrintedDecimal
from ntqr_exact.metrics.areas import average_precision, roc_auc
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import CELLS, Cells, Undefined, defined, metric
from ntqr_exact.metrics.multiclass import LabelMatrices
from ntqr_exact.metrics.ranking import Rule, precision_recall_curve, rank, roc_curve
from ntqr_exact.postulates.polynomial import Polynomial, read_formula

BOOK = Book(
    "ores",
    """
All formulas, and all numbers worked out from the example, from the search in a million documents and from the counts of
the enwiki model, are right. Three things should be corrected, and one sentence needs a condition.

- Section 1.5 has the direction of the threshold upside down: a higher threshold moves down the ROC curve, and the top
  right corner belongs to threshold 0.
- Section 1.11 describes the rate of false as the proportion of infected people; it is that of the others.
- Section 1.6 has "not the following" where "note the following" must be meant.
- Section 1.6 says that precision is not affected by an imbalance of the classes. It should say what is held fixed: at
  given recall and fpr it is affected, and with ten times as many negatives the example's precision falls from 3/4 to
  3/13.
""",
)

MATRIX = {
    "the example": ConfusionMatrix(tp=30, fp=10, fn=5, tn=55),
    "the enwiki model": ConfusionMatrix(tp=431, fp=719, fn=320, tn=17958),
    "(a)": ConfusionMatrix(tp=90, fp=10, fn=10, tn=999_890),
    "(b)": ConfusionMatrix(tp=90, fp=1910, fn=10, tn=997_990),
}
EXAMPLE, ENWIKI = MATRIX["the example"], MATRIX["the enwiki model"]
NAMES = {
    "Total": "TP + FP + FN + TN", "rec": "TP/(TP + FN)", "prec": "TP/(TP + FP)", "not_rec": "TN/(TN + FP)",
    "not_prec": "TN/(TN + FN)", "match_rate": "(TP + FP)/Total",
}  # fmt: skip


def of(matrix: ConfusionMatrix, name: str) -> mpq:
    """Return a cell, a sum of cells, a rate of labels or a metric of a matrix."""
    if name.startswith("rate of "):
        return defined(matrix.rates[name.removeprefix("rate of ")])
    if name in ("TP", "FP", "FN", "TN", "positives", "negatives", "total"):
        return rational(getattr(matrix, name.lower()))
    return defined(matrix[name])


def worked(printed: str, what: str, whose: str) -> Finding:
    """Return whether each side of a line such as 30/(30+5) = 0.86 is right: a decimal rounded, the rest exact."""
    exact, name = of(MATRIX[whose], what), f"{what} of {whose}"

    def side(text: str) -> Finding:
        if re.fullmatch(r"\d*\.\d+", text):
            return rounded(text, exact, name)
        return equal(rational(str(formula(text).evaluate({}))), exact, name)

    return all_of({text: side(text) for text in printed.split(" = ")})


def as_formula(name: str) -> Polynomial:
    """Return a metric of the registry as a formula in TP, FP, FN and TN."""

    def total(cells: Cells) -> str:
        return " + ".join(f"{getattr(cells, c)}*{c.upper()}" for c in CELLS if getattr(cells, c))

    return read_formula(f"({total(metric(name).numerator)}) / ({total(metric(name).denominator)})")


def is_metric(printed: str, name: str) -> Finding:
    """Return whether each side of an equation is the metric of the registry, identically."""
    known = as_formula(name)
    sides = {text: alike(formula(text, NAMES), known) for text in printed.split(" = ")}
    return all_of({text: as_printed(same, f"{text} is {name} = {known}") for text, same in sides.items()})


@BOOK.table
def share_of(name: str, among: str, predicted: str) -> Finding:
    """
    sec-1-1/names       | section 1.1 | recall | positive | 1
        Recall is the true positive rate: the share of positives that are found.
    sec-1-4/false-alarm | section 1.4 | fpr | negative | 1
        fpr is the probability of a false alarm.
    sec-1-8/matched     | section 1.8 | match_rate | all | 1
        match_rate is the share that is predicted positive.
    sec-1-9/filtered    | section 1.9 | filter_rate | all | 0
        filter_rate is the share that is predicted negative.
    """
    kinds = {"positive": (1,), "negative": (0,), "all": (0, 1)}[among]

    def cases() -> Iterator[tuple[str, bool]]:
        for size in (1, 2, 3, 4):
            for labels, answers in product(product((0, 1), repeat=size), repeat=2):
                own = [str(a) for y, a in zip(labels, answers, strict=True) if y in kinds]
                if own:
                    share = mpq(own.count(predicted), len(own))
                    yield f"{labels}, {answers}", share == ConfusionMatrix.from_labels(labels, answers)[name]

    return all_cases(cases(), checked="labels and predictions of up to 4 samples")


Sample = tuple[tuple[int, ...], tuple[Fraction, ...]]


def small_samples(most: int) -> Iterator[Sample]:
    """Yield labels with scores in quarters, both labels present."""
    scores = [Fraction(i, 4) for i in (1, 2, 3)]
    for size in range(2, most + 1):
        for labels in product((1, 0), repeat=size):
            if 0 < sum(labels) < size:
                yield from ((labels, chosen) for chosen in product(scores, repeat=size))


def described(labels: tuple[int, ...], scores: tuple[Fraction, ...]) -> str:
    """Return a sample in words."""
    return ", ".join(f"{'positive' if y else 'negative'} {s}" for y, s in zip(labels, scores, strict=True))


BOOK.table(
    is_metric,
    """
    says: {1} is {0}.
    table/recall        | section 1, table; sections 1.1 and 1.12 | TP/(TP+FN)             | recall
        Recall is TP/(TP + FN): it is 1 exactly if no positive is missed.
    table/precision     | section 1, table; section 1.2           | TP/(TP+FP)             | precision
        Precision is TP/(TP + FP): it is 1 exactly without false positives.
    table/f1            | section 1, table                        | 2*(rec*prec)/(rec+prec) | f1
    table/fpr           | section 1, table; section 1.4           | FP/(FP+TN)             | fpr
    table/accuracy      | section 1, table; section 1.7           | (TP+TN)/Total          | accuracy
    table/match-rate    | section 1, table; section 1.8           | (TP+FP)/Total          | match_rate
    table/filter-rate   | section 1, table; section 1.9           | 1 - match_rate = (TN+FN)/Total | filter_rate
    table/not-recall    | section 1, table; section 1.12          | TN/(TN+FP)             | !recall
    table/not-precision | section 1, table | TN/(TN+FN)                                    | !precision
    table/not-f1        | section 1, table | 2*(not_rec*not_prec)/(not_rec+not_prec)       | !f1
    sec-1-3/formula     | section 1.3      | 2*(prec*rec)/(prec+rec) = 2/(1/prec + 1/rec)  | f1
    """,
)


@BOOK.claim
def _(printed: dict[str, str]) -> Finding:
    """sec-1-10/counts | sections 1.10 and 1.11, items 1 and 2
    | labels false: TN + FP; labels true: TP + FN; n: Total; predictions false false: TN; predictions false true: FP
    ; predictions true false: FN; predictions true true: TP; rates false: (TN + FP)/Total; rates true: (TP + FN)/Total
    The nested counts and rates, of labels (positives and negatives) and of predictions.
    """
    parts = {}
    for path, text in printed.items():
        pairs = []
        for matrix in (EXAMPLE, ENWIKI):
            known = {**matrix.counts, "rates": matrix.rates}
            for key in path.split():
                known = known[key]
            pairs.append((formula(text, NAMES).evaluate({c.upper(): getattr(matrix, c) for c in CELLS}), known))
        parts[path] = as_printed(all(a == b for a, b in pairs), f"{path}: {' and '.join(str(b) for _, b in pairs)}")
    return all_of(parts)


@BOOK.claim
def _(printed: tuple[str, ...]) -> Finding:
    """sec-1-12/negation | section 1, table; sections 1.12 and 1.12.1
    | recall; precision; f1; fpr; accuracy; match_rate; filter_rate
    With predictions as rows of the matrix and labels as columns, the metrics with ! are those of the negative class: TP and
    TN, FP and FN change places.
    """
    swap = {a: read_formula(b) for a, b in (("TP", "TN"), ("TN", "TP"), ("FP", "FN"), ("FN", "FP"))}
    table = {each.args[0] for name, each in BOOK.claims.items() if name.startswith("ores/table/")}
    cases = ((f"!{n}", n in table and alike(as_formula(n).substitute(swap), as_formula("!" + n))) for n in printed)
    return all_cases(cases, checked=", ".join(printed))


@BOOK.claim
def _(printed: tuple[mpq, mpq, mpq, mpq, mpq, mpq, mpq, mpq]) -> Finding:
    """scenario | section 1, the example; section 1.10, items 3 | 100; 35; 35; 65; 30; 5; 10; 55
    Of 100 people 35 % are infected: 35 and 65. 30 are found, 5 missed; 10 are false alarms, 55 are not.
    """
    people, percent, positives, negatives, tp, fn, fp, tn = printed
    same = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn) == EXAMPLE
    return all_of({
        "infected": equal(positives, people * percent / 100, f"{percent} % of {people}"),
        "others": equal(negatives, people - positives, "the others"),
        "of the infected": equal(tp + fn, positives, "found and missed"),
        "of the others": equal(fp + tn, negatives, "false alarms and the rest"),
        "matrix": as_printed(same, "the matrix of all later sections"),
    })  # fmt: skip


BOOK.table(
    worked,
    """
    says: The {1} of {2} is {0}.
    sec-1-1/example     | section 1.1, item 3 | 30/(30+5) = 0.86                     | recall      | the example
    sec-1-2/example     | section 1.2, item 3 | 30/(30+10) = 0.75                    | precision   | the example
    sec-1-3/example     | section 1.3, item 3 | 2*(0.75*(30/35))/(0.75+30/35) = 0.8  | f1          | the example
    sec-1-4/example     | section 1.4, item 3 | 10/(10+55) = 0.15                    | fpr         | the example
    sec-1-7/example     | section 1.7, item 3 | (30+55)/(35+65) = 0.85               | accuracy    | the example
    sec-1-8/example     | section 1.8, item 3 | (30+10)/(35+65) = 0.4                | match_rate  | the example
    sec-1-9/example     | section 1.9, item 3 | (55+5)/(35+65) = 0.6 = 1 - 0.4       | filter_rate | the example
    sec-1-6/recall      | section 1.6         | 90/100 = 0.9                         | recall      | (b)
    sec-1-6/fpr-a       | section 1.6         | 10/(10+999890) = 0.00001             | fpr         | (a)
    sec-1-6/fpr-b       | section 1.6         | 1910/(1910+997990) = 0.00191         | fpr         | (b)
    sec-1-6/precision-a | section 1.6         | 90/(90+10) = 0.9                     | precision   | (a)
    sec-1-6/precision-b | section 1.6         | 90/(90+1910) = 0.045                 | precision   | (b)
    sec-1-10/example-labels-false | section 1.10, item 3 | 55 + 10 = 65              | negatives | the example
    sec-1-10/example-labels-true  | section 1.10, item 3 | 30 + 5 = 35               | positives | the example
    sec-1-10/example-n            | section 1.10, item 3 | 100                       | total     | the example
    sec-1-10/enwiki-labels-false  | section 1.10, item 5 | 17958 + 719 = 18677       | negatives | the enwiki model
    sec-1-10/enwiki-labels-true   | section 1.10, item 5 | 320 + 431 = 751           | positives | the enwiki model
    sec-1-10/enwiki-n     | sections 1.10 and 1.11, items 5 | 18677 + 751 = 19428    | total     | the enwiki model
    sec-1-10/enwiki-false-positives | section 1.10, item 5 | 719                     | FP        | the enwiki model
    sec-1-11/example-false          | section 1.11, item 3 | 65/100 = 0.65           | rate of false | the example
        garbled: A sum of symbols over 100 stands before it; the extraction lost the fraction.
    sec-1-11/example-true           | section 1.11, item 3 | 35/100 = 0.35           | rate of true  | the example
        garbled: A sum of symbols over 100 stands before it; the extraction lost the fraction.
    sec-1-11/sample-false           | section 1.11, item 5 | 18677/19428 = 0.961     | rate of false | the enwiki model
    sec-1-11/sample                 | section 1.11, item 5 | 0.039                   | rate of true  | the enwiki model
    """,
)


@BOOK.claim
def _(printed: str) -> Finding:
    """sec-1-3/range | section 1.3, item 2 and additional information | 0 to 1
    f1 runs from 0 to 1.
    note: at TP = 0 the printed quotient 2·prec·rec/(prec + rec) is 0/0; 0 is its limit, and the usual convention
    """
    matrices = (ConfusionMatrix(**dict(zip(CELLS, four, strict=True))) for four in product(range(4), repeat=4))
    values = [defined(m.f1) for m in matrices if not isinstance(m.f1, Undefined)]
    text = f"{min(values)} to {max(values)}"
    return as_printed(printed == text, f"f1 runs from {text}")


@BOOK.claim
def _(printed: tuple[str, mpq, mpq]) -> Finding:
    """sec-1-3/punishes | section 1.3 | (p - r)**2/(2*(p + r)); 0.5; 0
    The harmonic mean punishes extremes: this is its gap to the arithmetic mean of precision p and recall r. Precision 1 and
    recall 0 have the average 0.5, but f1 is 0.
    note: no confusion matrix has precision 1 and recall 0, as one needs TP > 0, the other TP = 0
    """
    means = formula("(p + r)/2"), formula("2*p*r/(p + r)")
    result = tuple(each.evaluate({"p": mpq(1), "r": mpq(0)}) for each in means)
    right = alike(formula(printed[0]), means[0] - means[1]) and result == printed[1:]
    return as_printed(
        right, f"the gap is a square over a positive number; at 1 and 0 the means are {result[0]} and {result[1]}"
    )


@BOOK.claim
def _(printed: PrintedDecimal) -> Finding:
    """sec-1-3/highest | section 1.3 | 0.461 | verdict=possible
    The highest f1 of the enwiki damaging model is 0.461.
    """
    own = defined(ENWIKI.f1)
    known = f"the printed counts alone have f1 = {fixed_text(own, 4)}; the scores are not printed"
    return possible(own <= printed.high and printed.value <= 1, known)


@BOOK.claim
def _(printed: tuple[mpq, mpq]) -> Finding:
    """sec-1-5/range | section 1.5 | 0.5; 1.0 | verdict=depends
    The area under ROC is between 0.5 and 1.
    quote: a measure between 0.5 (worthless) and 1.0 (perfect: getting no FPs)
    instead: between 0 and 1; 0.5 is what chance has
    why: An order of scores that is worse than chance has an area below 0.5; only if it is turned round do areas run from
    0.5 to 1.
    """
    areas: dict[mpq, Sample] = {}
    for labels, scores in small_samples(3):
        areas.setdefault(defined(roc_auc(labels, scores)), (labels, scores))
    low, high = min(areas), max(areas)
    turned = [max(area, 1 - area) for area in areas]
    return by_reading({
        "an order worse than chance is turned round": decided(
            (min(turned), max(turned)) == printed, f"areas run from {min(turned)} to {max(turned)}"
        ),
        "scores as they are": decided(
            (low, high) == printed, f"{described(*areas[low])}: area {low}", right=f"between {low} and {high}"
        ),
    })  # fmt: skip


@BOOK.claim
def _() -> Finding:
    """sec-1-5/perfect | section 1.5 | verdict=depends
    The area is 1 without false positives.
    quote: 1.0 (perfect: getting no FPs)
    instead: 1.0 (perfect: at some threshold neither FPs nor FNs)
    why: Without false positives at one threshold, positives may still be missed there.
    """
    neither, example = True, ""
    for labels, scores in small_samples(4):
        rows, area = rank(labels, scores).confusions(), defined(roc_auc(labels, scores))
        neither &= (area == 1) == any(m.fp == 0 == m.fn for m in rows)
        if area < 1 and not example and any(m.fp == 0 for m in rows):
            example = f"{described(labels, scores)}: no false positives at the top score, and area {area}"
    return by_reading({
        "no false positives while all positives are found": decided(neither, "so on all samples of up to 4"),
        "no false positives at some threshold": decided(not example, example),
    })  # fmt: skip


@BOOK.claim
def _() -> Finding:
    """sec-1-5/probability | section 1.5 | verdict=depends
    The area is the probability that a random positive ranks higher than a random negative.
    quote: the probability of ranking a random positive higher than a random negative
    instead: … plus half the probability that both have the same score
    why: A tie counts one half in the area, and is not a higher rank.
    """
    untied, tied = True, ""
    for labels, scores in small_samples(4):
        own, others = ([s for y, s in zip(labels, scores, strict=True) if y == kind] for kind in (1, 0))
        pairs, area = list(product(own, others)), defined(roc_auc(labels, scores))
        higher = mpq(sum(a > b for a, b in pairs), len(pairs))
        if all(a != b for a, b in pairs):
            untied &= higher == area
        elif higher != area and not tied:
            tied = f"{described(labels, scores)}: area {area}, probability {higher}"
    return by_reading({
        "no positive ties with a negative": decided(untied, "equal on all such samples of up to 4"),
        "scores may tie": decided(not tied, tied),
    })  # fmt: skip


@BOOK.claim
def _(printed: str) -> Finding:
    """sec-1-5/direction | section 1.5 | Increasing | verdict=wrong | essential
    Increasing the threshold moves up the curve to the top right corner.
    quote: Increasing the threshold → moving up a curve (≡ model) to the top right corner, where all data is predicted as
    positive (threshold = 1.0) and vice versa
    right: Decreasing
    instead: Decreasing the threshold … (threshold = 0.0) and vice versa
    why: With the rule of the same section (positive if the probability is higher than the threshold) a higher threshold
    leaves fewer predicted positives, and neither rate can rise. All data is predicted as positive at threshold 0.
    by hand: One positive of score 3/4 and one negative of score 1/4: at threshold 1 nothing is positive, at threshold 0
    everything is.
    """
    ends = [[rank(*each).at(t) for t in (0, 1)] for each in small_samples(3)]
    falls = all(low.fpr == 1 == low.recall and high.fpr == 0 == high.recall for low, high in ends)
    evidence = "positive 3/4, negative 1/4: the point is (1, 1) at threshold 0 and (0, 0) at threshold 1"
    return decided(falls == (printed == "Decreasing"), evidence, "a higher threshold leaves fewer predicted positives")


@BOOK.claim
def _(printed: tuple[mpq, mpq]) -> Finding:
    """sec-1-5/half | section 1.5 | 0.5; 50
    At threshold 0.5 what is above 50 % is predicted positive; a low fpr and a high tpr then mean that most positives are right
    of the threshold, most negatives left.
    """
    cut, percent = printed
    right = True
    for labels, scores in small_samples(3):
        matrix = rank(labels, scores).at(cut, rule=Rule.ABOVE)
        above = [[mpq(100 * s) > percent for y, s in zip(labels, scores, strict=True) if y == kind] for kind in (1, 0)]
        right = right and [matrix.recall, matrix.fpr] == [mpq(sum(each), len(each)) for each in above]
    hundredths = [mpq(n, 100) for n in range(101)]
    matrix = rank([int(100 * s > percent) for s in hundredths], hundredths).at(cut, rule=Rule.ABOVE)
    text = f"scores above {cut} are those above {percent} %, and their shares of positives and negatives recall and fpr"
    return as_printed(right and matrix.fp == 0 == matrix.fn, text)


@BOOK.table
def point(printed: tuple[str, str], names: tuple[str, str]) -> Finding:
    """
    says: A point of the example's curve ({1}) is ({0}).
    sec-1-5/point | section 1.5 | 0.15; 0.86 | fpr; recall
    sec-1-6/point | section 1.6 | 0.86; 0.75 | recall; precision
    """
    return all_of({n: rounded(text, of(EXAMPLE, n), n) for text, n in zip(printed, names, strict=True)})


@BOOK.claim
def _(printed: tuple[str, str]) -> Finding:
    """sec-1-6/differences | section 1.6 | 0.0019; 0.855
    The fpr of (b) is higher than that of (a) by 0.0019, and its precision lower by 0.855.
    """
    a, b = MATRIX["(a)"], MATRIX["(b)"]
    gaps = {"fpr": of(b, "fpr") - of(a, "fpr"), "precision": of(a, "precision") - of(b, "precision")}
    return all_of(
        {name: rounded(text, gap, f"{name} differs by") for text, (name, gap) in zip(printed, gaps.items(), strict=True)}
    )


@BOOK.claim
def _() -> Finding:
    """sec-1-5/unbalanced | section 1.5
    The area under ROC does not depend on the ratio of the classes.
    """
    cases = (
        (described(y, s), roc_auc(y, s) == roc_auc(y, s, sample_weight=[1 if one else 10 for one in y]))
        for y, s in small_samples(3)
    )
    return all_cases(cases, checked="up to 3 samples, negatives counted ten times")


@BOOK.claim
def _(printed: tuple[str, ...]) -> Finding:
    """sec-1-6/axes | section 1.6 | recall; fpr; precision; recall
    ROC plots recall against fpr, the other curve precision against recall; of these only fpr makes use of true negatives.
    """
    curves = roc_curve([1, 0], ["0.9", "0.1"]), precision_recall_curve([1, 0], ["0.9", "0.1"])
    known = tuple(name for curve in curves for name in (curve.up.name, curve.across.name))
    using = {name for name in printed if "TN" in as_formula(name).variables()}
    return as_printed(printed == known and using == {"fpr"}, f"up and across: {', '.join(known)}; with TN: {', '.join(using)}")


@BOOK.claim
def _() -> Finding:
    """sec-1-6/top-right | section 1.6
    A perfect classifier, and no other, reaches the top right corner of the curve of precision.
    """
    samples = ((each, rank(*each).confusions()) for each in small_samples(4))
    cases = (
        (described(*each), any(m.recall == 1 == m.precision for m in rows) == (roc_auc(*each) == 1)) for each, rows in samples
    )
    return all_cases(cases, checked="up to 4 samples")


@BOOK.claim
def _(printed: tuple[mpq, ...]) -> Finding:
    """sec-1-6/documents | section 1.6 | 1000000; 100; 90; 100; 10; 999890; 2000; 1910; 997990
    Of a million documents 100 are relevant, of which each search finds 90; (a) retrieves 100, with 10 false positives and
    999890 true negatives, and (b) 2000, with 1910 and 997990.
    """
    exact = {"documents": MATRIX["(a)"].total, "relevant": MATRIX["(a)"].positives, "found": MATRIX["(a)"].tp}
    for name in ("(a)", "(b)"):
        m = MATRIX[name]
        exact |= {f"retrieved by {name}": m.tp + m.fp, f"FP of {name}": m.fp, f"TN of {name}": m.tn}
    return all_of({name: equal(value, mpq(right), name) for value, (name, right) in zip(printed, exact.items(), strict=True)})


@BOOK.claim
def _() -> Finding:
    """sec-1-6/imbalance | section 1.6 | verdict=depends | essential
    An imbalance of the classes does not change precision, as it takes no account of true negatives.
    quote: Not accounting for **true negatives**, the **precision** is not affected by the relative imbalance.
    instead: a change of the true negatives alone does not affect precision; at given recall and fpr it falls as negatives
    become more frequent
    why: True negatives do not enter precision, so that it stays if only they are more. But false positives do enter, and
    at a given fpr they grow with the number of negatives.
    by hand: Ten times as many negatives in the example: TP 30, FP 100, FN 5, TN 550. Recall and fpr are as before,
    precision is 30/130.
    """
    scaled = EXAMPLE.scaled(positives=1, negatives=10)
    padded = ConfusionMatrix(tp=EXAMPLE.tp, fp=EXAMPLE.fp, fn=EXAMPLE.fn, tn=10 * EXAMPLE.tn)
    cells = ", ".join(f"{c.upper()} {getattr(scaled, c)}" for c in CELLS)
    return by_reading({
        "only true negatives are added": decided(
            padded.precision == EXAMPLE.precision, f"ten times the true negatives: precision {padded.precision}"
        ),
        "recall and fpr are given": decided(
            scaled.precision == EXAMPLE.precision,
            f"ten times the negatives: {cells}; precision 30/130 = {scaled.precision} in place of {EXAMPLE.precision}",
        ),
    })  # fmt: skip


@BOOK.claim
def _() -> Finding:
    """sec-1-6/areas | section 1.6
    The areas under ROC of the two searches differ very little, those under the curve of precision much.
    """
    areas = []
    for m in (MATRIX["(a)"], MATRIX["(b)"]):
        labels, scores, weights = [1, 0, 1, 0], ["0.9", "0.9", "0.1", "0.1"], [m.tp, m.fp, m.fn, m.tn]
        areas.append((defined(roc_auc(labels, scores, weights)), rational(str(average_precision(labels, scores, weights)))))
    roc, pr = (abs(a - b) for a, b in zip(*areas, strict=True))
    text = f"roc_auc differs by {fixed_text(roc, 6)}, average precision by {fixed_text(pr, 6)}"
    return decided(100 * roc < pr, text)


@BOOK.table
def whose_rate(printed: str, label: str) -> Finding:
    """
    sec-1-11/who-false | section 1.11, item 3 | infected = 65/100 | false | verdict=misprint
        The rate of false is the proportion of infected people.
        quote: false (proportion of infected people to the total number of people tested)
        right: non infected = 65/100
        instead: false (proportion of **non infected** people to the total number of people tested)
        why: The rate of false is that of the people who are not infected; the line of true was copied.
    sec-1-11/who-true | section 1.11, item 3 | infected = 35/100 | true
        The rate of true is the proportion of infected people.
    """
    people, share = printed.split(" = ")
    shares = {"infected": EXAMPLE.positives / EXAMPLE.total, "non infected": EXAMPLE.negatives / EXAMPLE.total}
    known = f"{people} people are {shares[people]} of all; the rate of {label} is {EXAMPLE.rates[label]}"
    return as_printed(shares[people] == rational(share) == EXAMPLE.rates[label], known)


@BOOK.claim
def _(printed: tuple[mpq, mpq]) -> Finding:
    """sec-1-11/population | section 1.11, item 5 | 0.966; 0.034 | verdict=possible
    The population's rates of false and true are 0.966 and 0.034.
    """
    return possible(sum(printed) == 1, f"their sum is {sum(printed)}; the population itself is not printed")


@BOOK.claim
def _(printed: str) -> Finding:
    """sec-1-12/not-e | section 1.12 | !recall
    To find every item outside class E, watch !recall of E.
    """
    actual, predicted = list("EEEABBA"), list("EAEEBBB")
    others = [guess != "E" for truth, guess in zip(actual, predicted, strict=True) if truth != "E"]
    share = mpq(sum(others), len(others))
    matrix = LabelMatrices.from_label_sets(actual, predicted, labels="ABE")["E"]
    return as_printed(matrix[printed] == share, f"{share} of the others are kept apart from E")


BOOK.words("""
    section 1.3 | used to evaluate the accuracy of a model by taking into account recall and precision | used to evaluate
        a model | Section 1.7 defines accuracy as another number; f1 takes no account of true negatives, accuracy does.
    section 1.6 | the area under the precision recall curve **pr_auc** evaluates a classifiers performance | say where the curve
        begins | No formula is given: for a perfect ranking the area may be 0 without a point at recall 0, and is 1 with it.
    section 1.6 | To close on this topic, not the following (by Randy C) | note the following | A letter is missing.
    """)
BOOK.missing("""
    section 1.11, item 5 | The sample has no edits by bots and trusted users | missing: which edits were sampled
    """)
