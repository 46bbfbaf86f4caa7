"""ORES: worked examples, formulas and sentences about metrics, against the registry of metrics and on small samples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Literal

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.equations import FormulaText, Sides, formula
from ntqr_exact.ledger.judgement import Finding, all_of, as_printed, counterexample, equal, possible, rounded
from ntqr_exact.ledger.printed_value import PrintedDecimal
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import CELLS, RATIOS, SYNONYMS, Cells, metric
from ntqr_exact.metrics.multiclass import LabelMatrices
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.metrics.undefined import Undefined, defined
from ntqr_exact.postulates.polynomial import Formula, read_formula

DOCUMENTS, RELEVANT = 1_000_000, 100


def search(retrieved: int, found: int) -> ConfusionMatrix:
    """Return the matrix of a search by its retrieved documents and how many of them are relevant."""
    wrong = retrieved - found
    return ConfusionMatrix(tp=found, fp=wrong, fn=RELEVANT - found, tn=DOCUMENTS - RELEVANT - wrong)


MATRICES: Mapping[str, ConfusionMatrix] = {
    "the example": ConfusionMatrix(tp=30, fp=10, fn=5, tn=55),
    "the enwiki model": ConfusionMatrix(tp=431, fp=719, fn=320, tn=17958),
    "(a)": search(100, 90),
    "(b)": search(2000, 90),
}
"""The example of 100 people, the counts of section 1.10, and the two searches of section 1.6."""

DISEASE, ENWIKI = MATRICES["the example"], MATRICES["the enwiki model"]
Of = Literal["the example", "the enwiki model", "(a)", "(b)"]


def number(text: str) -> mpq:
    """Return the value of a formula of numbers, decimals among them; raises `BadDocument` for one with names.

    >>> number("0.75*(30/35)")
    mpq(9,14)
    """
    found = formula(text)
    if found.variables():
        raise BadDocument(text, "a worked line has numbers only")
    return rational(str(found.evaluate({})))


def quantity(matrix: ConfusionMatrix, name: str) -> mpq:
    """Return a cell, a sum of cells, a rate of labels or a metric of a matrix."""
    if name.startswith("rate of "):
        return defined(matrix.rates[name.removeprefix("rate of ")])
    if name in ("TP", "FP", "FN", "TN", "positives", "negatives", "total"):
        return rational(getattr(matrix, name.lower()))
    return defined(matrix[name])


def line(printed: tuple[str, ...], *, of: Of, what: str) -> Finding:
    """Judge each side of a worked line such as 30/(30+5) ≈ 0.86: decimals as roundings, the rest as exact."""
    exact = quantity(MATRICES[of], what)
    name = f"{what} of {of}"
    return all_of(
        {
            side: rounded(side, exact, name)
            if re.fullmatch(r"\d*\.\d+", side)
            else equal(number(side), exact, name)
            for side in printed
        }
    )


def point(printed: tuple[str, ...], *, names: tuple[str, ...]) -> Finding:
    """Judge a point of a curve of the example, coordinate by coordinate, at the threshold 1/2."""
    labels = [1] * 35 + [0] * 65
    scores = ["0.8"] * 30 + ["0.2"] * 5 + ["0.8"] * 10 + ["0.2"] * 55
    matrix = rank(labels, scores).at("1/2")
    parts = zip(printed, names, strict=True)
    return all_of({name: rounded(text, quantity(matrix, name), name) for text, name in parts})


def difference(printed: str, *, what: str) -> Finding:
    """Judge the distance of the two searches in a metric."""
    one, other = (quantity(MATRICES[of], what) for of in ("(a)", "(b)"))
    return rounded(printed, abs(one - other), f"the distance of the two values of {what}")


def scenario(printed: Mapping[str, mpq]) -> Finding:
    """Split the people by labels, and both parts by predictions."""
    people, percent, positives, negatives = (
        printed[key] for key in ("people", "percent", "infected", "others")
    )
    tp, fn, fp, tn = (printed[key] for key in ("found", "missed", "false alarms", "rest"))
    return all_of(
        {
            "infected": equal(positives, people * percent / 100, f"{percent} % of {people}"),
            "others": equal(negatives, people - positives, f"{people} − {positives}"),
            "found and missed": equal(tp + fn, positives, f"{tp} + {fn}, of the infected,"),
            "false alarms and rest": equal(fp + tn, negatives, f"{fp} + {tn}, of the others,"),
            "the matrix": as_printed(
                ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn) == DISEASE,
                "the numbers of all later sections come from this matrix",
            ),
        }
    )


def documents(printed: Mapping[str, mpq]) -> Finding:
    """Compare what both searches are said to retrieve with the cells that the text works with."""
    parts = {}
    for of, retrieved in (("(a)", printed["retrieved by (a)"]), ("(b)", printed["retrieved by (b)"])):
        matrix = MATRICES[of]
        parts[f"{of} documents"] = equal(printed["documents"], matrix.total, "documents")
        parts[f"{of} relevant"] = equal(printed["relevant"], matrix.positives, "relevant documents")
        parts[f"{of} retrieved"] = equal(retrieved, matrix.tp + matrix.fp, f"retrieved by {of}")
        parts[f"{of} found"] = equal(printed["found"], matrix.tp, f"relevant ones among them in {of}")
    return all_of(parts)


def rates(printed: Mapping[str, str]) -> Finding:
    """Judge the rates of false and true of the enwiki sample, and their sum."""
    parts = {
        name: rounded(text, quantity(ENWIKI, f"rate of {name}"), f"the sample's rate of {name}")
        for name, text in printed.items()
    }
    parts["sum"] = equal(sum(map(rational, printed.values()), mpq(0)), mpq(1), "the sum of both")
    return all_of(parts)


def population(printed: Mapping[str, mpq]) -> Finding:
    """Ask whether two rates of a population can be: they sum to 1."""
    total = sum(printed.values(), mpq(0))
    return possible(
        total == 1 and all(0 <= rate <= 1 for rate in printed.values()),
        f"their sum is {total}; the population itself is not printed",
    )


def highest_f1(printed: PrintedDecimal) -> Finding:
    """Ask whether a highest f1 can be: it is at least that of the printed counts."""
    own = defined(ENWIKI.f1)
    return possible(
        own <= printed.high <= 1,
        f"the printed counts alone have f1 = {fixed_text(own, 4)}, so the highest is at least that; the scores, of "
        "which it depends, are not printed",
    )


def who(printed: Mapping[str, str], *, label: Literal["false", "true"]) -> Finding:
    """Find which people make up a printed rate."""
    shares = {
        "infected": DISEASE.positives / DISEASE.total,
        "non infected": DISEASE.negatives / DISEASE.total,
    }
    people, share = printed["people"], number(printed["share"])
    if people not in shares:
        raise BadDocument(people, "the people are infected or non infected")
    right = next(key for key, value in shares.items() if value == DISEASE.rates[label])
    return as_printed(
        shares[people] == share,
        f"{share} is printed for {people} people, whose share is {shares[people]}; the rate of {label} is "
        f"{DISEASE.rates[label]}, the share of {right} people",
        arose="the line of the other label was copied" if right != people else "",
    )


def means(printed: Mapping[str, mpq]) -> Finding:
    """Put a precision and a recall into both means."""
    precision, recall = printed["precision"], printed["recall"]
    mean, harmonic = (precision + recall) / 2, 2 * precision * recall / (precision + recall)
    return as_printed(
        (mean, harmonic) == (printed["average"], printed["f1"]), f"mean {mean}, harmonic mean {harmonic}"
    )


_NAMES = {
    "Total": "TP + FP + FN + TN",
    "rec": "TP/(TP + FN)",
    "prec": "TP/(TP + FP)",
    "not_rec": "TN/(TN + FP)",
    "not_prec": "TN/(TN + FN)",
    "match_rate": "(TP + FP)/Total",
    "counts_labels_false": "TN + FP",
    "counts_labels_true": "TP + FN",
    "counts_n": "Total",
}
"""What the short names of the text stand for, in cells."""


def of_library(name: str) -> Formula:
    """Return a metric of the registry as a formula in TP, FP, FN and TN.

    >>> of_library("recall").equals(read_formula("TP/(TP + FN)"))
    True
    """

    def total(cells: Cells) -> str:
        terms = [(cell.upper(), getattr(cells, cell)) for cell in CELLS]
        return " + ".join(f"{count}*{cell}" for cell, count in terms if count)

    if name.removeprefix("!") not in {*RATIOS, *SYNONYMS}:  # the source has no F-beta but f1
        raise BadDocument(name, "a metric of the source's table")
    known = metric(name)
    return read_formula(f"({total(known.numerator)}) / ({total(known.denominator)})")


def is_metric(printed: Sides, *, metric: str) -> Finding:
    """Return whether each side of a printed chain of equations is the metric of the registry.

    In ids a metric is spelt with `not-` for the mark and with hyphens.
    """
    metric = metric.replace("not-", "!").replace("-", "_")
    known = of_library(metric)
    parts: dict[str, Finding] = {}
    for side in printed.texts:
        same = formula(side, _NAMES).equals(known)
        text = f"{side} {'is' if same else 'is not'} {metric} = {known} identically"
        parts[side] = as_printed(same, text)
    return all_of(parts)


def layout(printed: tuple[tuple[str, str], tuple[str, str]]) -> Finding:
    """Read the matrix as rows of predictions by columns of labels, and compare its sums with the formulas."""
    (tp, fp), (fn, tn) = printed
    sums = {
        "recall": f"{tp} / ({tp} + {fn})",
        "precision": f"{tp} / ({tp} + {fp})",
        "fpr": f"{fp} / ({fp} + {tn})",
        "!precision": f"{tn} / ({tn} + {fn})",
    }
    return all_of({name: is_metric(Sides.from_data(text), metric=name) for name, text in sums.items()})


def count(printed: FormulaText, *, path: tuple[str, ...]) -> Finding:
    """Compare a sum of cells, or a share, with the nested counts of the library on two matrices."""
    values = []
    for matrix in (DISEASE, ENWIKI):
        found: Any = {**matrix.counts, "rates": matrix.rates}
        for key in path:
            found = found[key]
        cells = {cell.upper(): getattr(matrix, cell) for cell in CELLS}
        values.append((formula(printed, _NAMES).evaluate(cells), found))
    return as_printed(
        all(value == found for value, found in values),
        f"{' '.join(path)}, actual label first: {' and '.join(str(found) for _, found in values)} for the two matrices "
        "of the text",
    )


def negated(printed: tuple[str, ...]) -> Finding:
    """Exchange TP with TN and FP with FN in each formula, and compare with the metric with a mark."""
    swap = {
        cell: read_formula(other) for cell, other in (("TP", "TN"), ("TN", "TP"), ("FP", "FN"), ("FN", "FP"))
    }
    cases = (
        (
            f"!{name} is not {name} of the negative class",
            of_library(name).substitute(swap).equals(of_library("!" + name)),
        )
        for name in printed
    )
    return counterexample(cases, checked=", ".join(f"!{name}" for name in printed))


def matrices(largest: int) -> Iterator[ConfusionMatrix]:
    """Yield all matrices with at most this many samples in a cell, the smallest totals first."""
    cells = sorted(product(range(largest + 1), repeat=4), key=lambda four: (sum(four), four))
    return (ConfusionMatrix(**dict(zip(CELLS, four, strict=True))) for four in cells)


def one_without(*, metric: str, cell: Literal["fn", "fp"]) -> Finding:
    """Return whether a metric is 1 exactly where a cell is empty, wherever it has a value."""
    cases = (
        (
            f"TP {matrix.tp}, FP {matrix.fp}, FN {matrix.fn}, TN {matrix.tn}",
            (matrix[metric] == 1) == (getattr(matrix, cell) == 0),
        )
        for matrix in matrices(3)
        if not isinstance(matrix[metric], Undefined)
    )
    return counterexample(
        cases,
        checked="matrices with cells up to 3",
        proof=f"{metric} = TP/(TP + {cell.upper()}) is 1 iff {cell.upper()} = 0, since TP + it is not 0",
    )


def counted(*, metric: str, among: Literal["positive", "negative", "all"], predicted: int) -> Finding:
    """Count, sample by sample, how many of a kind are predicted so, and compare with a metric."""
    kinds = {"positive": (1,), "negative": (0,), "all": (0, 1)}[among]

    def share(labels: tuple[int, ...], answers: tuple[int, ...]) -> mpq:
        own = [answer for label, answer in zip(labels, answers, strict=True) if label in kinds]
        return mpq(sum(answer == predicted for answer in own), len(own))

    cases = (
        (
            f"labels {labels}, predicted {answers}",
            share(labels, answers) == ConfusionMatrix.from_labels(labels, answers)[metric],
        )
        for size in (1, 2, 3, 4)
        for labels in product((0, 1), repeat=size)
        if set(labels) & set(kinds)
        for answers in product((0, 1), repeat=size)
    )
    return counterexample(
        cases,
        checked="labels and predictions of up to 4 samples",
        proof=f"{metric} is the share of {among} cases that are predicted {'positive' if predicted else 'negative'}",
    )


def f1_range(printed: tuple[mpq, mpq]) -> Finding:
    """Take f1 on all matrices with up to three samples in a cell."""
    values = [defined(matrix.f1) for matrix in matrices(3) if not isinstance(matrix.f1, Undefined)]
    return as_printed(
        (min(values), max(values)) == printed,
        f"2TP/(2TP + FP + FN) runs from {min(values)} to {max(values)} on all matrices with cells up to 3",
    )


def label_counts(printed: tuple[str, str]) -> Finding:
    """Compare the counts of both labels with the two groups named."""
    groups = {"positives": DISEASE.positives, "negatives": DISEASE.negatives}
    named = sorted(groups[name] for name in printed)
    return as_printed(
        named == sorted(DISEASE.counts["labels"].values()),
        f"labels true and false count {DISEASE.positives} and {DISEASE.negatives} in the example, the positives and "
        "the negatives",
    )


def not_of_class(printed: str) -> Finding:
    """Count, on items of three classes, how many that are not of a class are said not to be of it."""
    actual, predicted = list("EEEABBA"), list("EAEEBBB")
    every = LabelMatrices.from_label_sets(actual, predicted, labels="ABE")
    others = [guess != "E" for truth, guess in zip(actual, predicted, strict=True) if truth != "E"]
    share = mpq(sum(others), len(others))
    return as_printed(
        every["E"][printed] == share,
        f"of {len(others)} items that are not E, {sum(others)} are predicted not to be, a share of {share}; "
        f"{printed} of E is {every['E'][printed]}",
    )
