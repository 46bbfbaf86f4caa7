"""ORES: formulas and sentences about metrics, against the registry of metrics and on all small samples."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Literal

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, read_formula
from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.equations import FormulaText, Sides, formula
from ntqr_exact.ledger.judgement import Finding, all_of, counterexample, decided
from ntqr_exact.ledger.ores.matrices import DISEASE, ENWIKI
from ntqr_exact.metrics.averages import LabelMatrices
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import CELLS, RATIOS, SYNONYMS, Cells, metric
from ntqr_exact.metrics.undefined import Undefined, defined

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
        parts[side] = decided(same, text, right=str(known), slip=True)
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
    return decided(
        all(value == found for value, found in values),
        f"{' '.join(path)}, actual label first: {' and '.join(str(found) for _, found in values)} for the two matrices "
        "of the text",
        right=f"{values[0][1]} in the example",
        slip=True,
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


def _text(matrix: ConfusionMatrix) -> str:
    return f"TP {matrix.tp}, FP {matrix.fp}, FN {matrix.fn}, TN {matrix.tn}"


def one_without(*, metric: str, cell: Literal["fn", "fp"]) -> Finding:
    """Return whether a metric is 1 exactly where a cell is empty, wherever it has a value."""
    cases = (
        (_text(matrix), (matrix[metric] == 1) == (getattr(matrix, cell) == 0))
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
    return decided(
        (min(values), max(values)) == printed,
        f"2TP/(2TP + FP + FN) runs from {min(values)} to {max(values)} on all matrices with cells up to 3",
        "at TP = 0 the printed quotient 2·prec·rec/(prec + rec) is 0/0; 0 is its limit, and the usual convention",
        right=f"{min(values)} to {max(values)}",
        slip=True,
    )


def label_counts(printed: tuple[str, str]) -> Finding:
    """Compare the counts of both labels with the two groups named."""
    groups = {"positives": DISEASE.positives, "negatives": DISEASE.negatives}
    named = sorted(groups[name] for name in printed)
    return decided(
        named == sorted(DISEASE.counts["labels"].values()),
        f"labels true and false count {DISEASE.positives} and {DISEASE.negatives} in the example, the positives and "
        "the negatives",
        right="positives and negatives",
        slip=True,
    )


def not_of_class(printed: str) -> Finding:
    """Count, on items of three classes, how many that are not of a class are said not to be of it."""
    actual, predicted = list("EEEABBA"), list("EAEEBBB")
    every = LabelMatrices.from_label_sets(actual, predicted, labels="ABE")
    others = [guess != "E" for truth, guess in zip(actual, predicted, strict=True) if truth != "E"]
    share = mpq(sum(others), len(others))
    return decided(
        every["E"][printed] == share,
        f"of {len(others)} items that are not E, {sum(others)} are predicted not to be, a share of {share}; "
        f"{printed} of E is {every['E'][printed]}",
        right="!recall",
        slip=True,
    )
