"""ORES: the formulas of the table at the head and of sections 1.1 to 1.12, proven as identities."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

from gmpy2 import mpq

from ntqr_exact.algebra.formula import Formula, read_formula
from ntqr_exact.errors import BadDocument, DivisionByZero
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, by_reading, counterexample, decided, equal
from ntqr_exact.ledger.ores.worked_lines import DISEASE, of_library
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.formulas import CELLS, METRICS
from ntqr_exact.metrics.undefined import Undefined, defined

TOTAL = "TP + FP + FN + TN"
CELL_NAMES = [name.upper() for name in CELLS]


def symbols() -> dict[str, Formula]:
    """Return what the short names of the table stand for, in cells."""
    return {
        "Total": read_formula(TOTAL),
        "rec": of_library("recall"),
        "prec": of_library("precision"),
        "not_rec": of_library("!recall"),
        "not_prec": of_library("!precision"),
        "match_rate": of_library("match_rate"),
    }


def identity(name: str, printed: str) -> Finding:
    """Return whether each side of a printed chain of equations is the metric of the registry."""
    known = of_library(name)
    parts = {}
    for side in map(str.strip, printed.split("=")):
        same = read_formula(side, symbols()).equals(known)
        text = f"{side} {'is' if same else 'is not'} {name} = {known} identically"
        parts[side] = decided(same, text, right=str(known), slip=True)
    return all_of(parts)


def _formula(key: str, place: str, name: str, statement: str, printed: str) -> Claim:
    return Claim(f"ores/{key}", place, Kind.IDENTITY, statement, partial(identity, name), printed)


def _layout(printed: str) -> Finding:
    """Read the matrix as rows of predictions by columns of labels, and compare its sums with the formulas."""
    rows = [row.split() for row in printed.split("/")]
    if len(rows) != 2 or any(len(row) != 2 for row in rows):
        raise BadDocument(printed, "a confusion matrix has two rows and two columns")
    (tp, fp), (fn, tn) = rows
    sums = {
        "recall": f"{tp} / ({tp} + {fn})",
        "precision": f"{tp} / ({tp} + {fp})",
        "fpr": f"{fp} / ({fp} + {tn})",
        "!precision": f"{tn} / ({tn} + {fn})",
    }
    return all_of({name: identity(name, text) for name, text in sums.items()})


def _f1_range(_: str) -> Finding:
    """Look for the least value of f1 over all matrices with up to three samples in a cell."""
    printed_form = read_formula("2*rec*prec / (rec + prec)", symbols())
    from_formula: set[mpq] = set()
    from_cells: set[mpq] = set()
    for cells in product(range(4), repeat=4):
        matrix = ConfusionMatrix(**dict(zip(CELLS, cells, strict=True)))
        if not isinstance(matrix.f1, Undefined):
            from_cells.add(matrix.f1)
        if isinstance(matrix.recall, Undefined) or isinstance(matrix.precision, Undefined):
            continue
        values = {name: getattr(matrix, name.lower()) for name in CELL_NAMES}
        try:
            from_formula.add(mpq(str(printed_form.evaluate(values))))
        except DivisionByZero:
            continue
    below_one = max(from_cells) == 1 and max(from_formula) == 1
    return by_reading(
        {
            "f1 = 2 TP / (2 TP + FP + FN)": decided(
                below_one and min(from_cells) == 0, "TP = 0, FP = 1: f1 = 0; FP = FN = 0: f1 = 1"
            ),
            "f1 = 2·prec·rec / (prec + rec), as printed": decided(
                below_one and min(from_formula) == 0,
                "f1 = 0 needs TP = 0, and then prec + rec = 0: the quotient is 0/0, so 0 is never reached",
                right="a metric above 0 and up to 1, undefined at TP = 0; 2TP/(2TP+FP+FN) is 0 there",
            ),
        }
    )


def _mean_and_f1(printed: str) -> Finding:
    """Prove that the harmonic mean lies below the simple one by (p − r)²/(2(p + r))."""
    gap = read_formula(printed)
    known = read_formula("(p + r)/2 - 2*p*r/(p + r)")
    return decided(
        gap.equals(known),
        f"(p + r)/2 − 2pr/(p + r) = {known}",
        "a square over a positive number: it grows with the distance of p and r, and is 0 only at p = r",
        right="(p - r)**2 / (2*(p + r))",
        slip=True,
    )


def _rates(name: str, printed: str) -> Finding:
    labels = {"counts_labels_false": "TN + FP", "counts_labels_true": "TP + FN", "counts_n": TOTAL}
    formula = read_formula(printed, {key: read_formula(text) for key, text in labels.items()})
    known = read_formula(f"({labels[f'counts_labels_{name}']}) / ({TOTAL})")
    matrix = ConfusionMatrix(tp=2, fp=3, fn=5, tn=7)
    values = {cell: getattr(matrix, cell.lower()) for cell in CELL_NAMES}
    agrees = formula.evaluate(values) == matrix.rates[name]
    return decided(
        formula.equals(known) and agrees, f"{printed} is the share of labels that are {name}", slip=True
    )


def _count(name: tuple[str, ...], printed: str) -> Finding:
    """Compare a sum of cells with the nested counts of the library, at four primes that tell all cells apart."""
    matrix = ConfusionMatrix(tp=2, fp=3, fn=5, tn=11)
    found = matrix.counts
    for key in name:
        found = found[key]
    values = {cell: getattr(matrix, cell.lower()) for cell in CELL_NAMES}
    value = read_formula(printed, symbols()).evaluate(values)
    where = " ".join(name)
    return decided(
        value == found,
        f"{where} = {printed}, actual label first",
        slip=True,
        right=f"{found} at TP, FP, FN, TN = 2, 3, 5, 11",
    )


def _negated_everywhere(printed: str) -> Finding:
    """Swap TP with TN and FP with FN in every formula of the registry, and compare with the negated metric."""
    names = printed.split()
    swap = {"TP": "TN", "TN": "TP", "FP": "FN", "FN": "FP"}
    swapped = {key: read_formula(value) for key, value in swap.items()}
    cases = (
        (
            f"!{name} is not {name} of the negative class",
            of_library(name).substitute(swapped).equals(of_library("!" + name)),
        )
        for name in names
    )
    return counterexample(cases, checked=", ".join(f"!{name}" for name in names))


def _negated_word(name: str, _: str) -> Finding:
    """Compare a negated metric of the example with the metric of the other class, and with 1 minus the metric."""
    plain, negated = defined(DISEASE[name]), defined(DISEASE["!" + name])
    swapped = defined(DISEASE.negated[name])
    return by_reading(
        {
            "the metric of the negative class": equal(
                negated, swapped, f"{name} with both classes exchanged"
            ),
            "one minus the metric": decided(
                negated == 1 - plain,
                f"in the example !{name} is {negated}, and 1 − {name} is {1 - plain}",
                right=f"!{name} is {name} of the negative class",
            ),
        }
    )


_TABLE = (
    ("recall", "recall", r"\frac{TP}{TP+FN}", "TP/(TP+FN)"),
    ("precision", "precision", r"\frac{TP}{TP+FP}", "TP/(TP+FP)"),
    ("f1", "f1", r"2\,\frac{rec\cdot prec}{rec+prec}", "2*(rec*prec)/(rec+prec)"),
    ("fpr", "fpr", r"\frac{FP}{FP+TN}", "FP/(FP+TN)"),
    ("accuracy", "accuracy", r"\frac{TP+TN}{Total}", "(TP+TN)/Total"),
    ("match-rate", "match_rate", r"\frac{TP+FP}{Total}", "(TP+FP)/Total"),
    (
        "filter-rate",
        "filter_rate",
        r"1-\mathrm{match\_rate}=\frac{TN+FN}{Total}",
        "1 - match_rate = (TN+FN)/Total",
    ),
    ("not-recall", "!recall", r"\frac{TN}{TN+FP}", "TN/(TN+FP)"),
    ("not-precision", "!precision", r"\frac{TN}{TN+FN}", "TN/(TN+FN)"),
    (
        "not-f1",
        "!f1",
        r"2\,\frac{!rec\cdot!prec}{!rec+!prec}",
        "2*(not_rec*not_prec)/(not_rec+not_prec)",
    ),
)
_SECTIONS = (
    ("sec-1-1/formula", "section 1.1, item 1", "recall", "Recall is $TP/(TP+FN)$.", "TP/(TP+FN)"),
    ("sec-1-2/formula", "section 1.2, item 1", "precision", "Precision is $TP/(TP+FP)$.", "TP/(TP+FP)"),
    (
        "sec-1-3/formula",
        "section 1.3, item 2",
        "f1",
        r"f1 is $2\,prec\cdot rec/(prec+rec)$, the harmonic mean $2/(1/prec+1/rec)$.",
        "2*(prec*rec)/(prec+rec) = 2/(1/prec + 1/rec)",
    ),
    ("sec-1-4/formula", "section 1.4, item 1", "fpr", "fpr is $FP/(FP+TN)$.", "FP/(FP+TN)"),
    ("sec-1-7/formula", "section 1.7, item 1", "accuracy", "Accuracy is $(TP+TN)/Total$.", "(TP+TN)/Total"),
    (
        "sec-1-8/formula",
        "section 1.8, item 1",
        "match_rate",
        "match_rate is $(TP+FP)/Total$.",
        "(TP+FP)/Total",
    ),
    (
        "sec-1-9/formula",
        "section 1.9, item 1",
        "filter_rate",
        r"filter_rate is $1-\mathrm{match\_rate}=(TN+FN)/Total$, the complement of match_rate.",
        "1 - match_rate = (TN+FN)/Total",
    ),
    ("sec-1-12/recall", "section 1.12", "recall", "The example names recall as $TP/(TP+FN)$.", "TP/(TP+FN)"),
    (
        "sec-1-12/not-recall",
        "section 1.12",
        "!recall",
        "!recall, recall of the negative class, is $TN/(TN+FP)$.",
        "TN/(TN+FP)",
    ),
)
_COUNTS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("labels-false", ("labels", "false"), "TN + FP"),
    ("labels-true", ("labels", "true"), "TP + FN"),
    ("n", ("n",), "Total"),
    ("false-false", ("predictions", "false", "false"), "TN"),
    ("false-true", ("predictions", "false", "true"), "FP"),
    ("true-false", ("predictions", "true", "false"), "FN"),
    ("true-true", ("predictions", "true", "true"), "TP"),
)


def _sentence(
    key: str, place: str, statement: str, check: Callable[[str], Finding], printed: str = ""
) -> Claim:
    return Claim(f"ores/{key}", place, Kind.SENTENCE, statement, check, printed)


CLAIMS: tuple[Claim, ...] = (
    *(
        _formula(f"table/{key}", "section 1, table of metrics", name, f"{name} is ${latex}$.", printed)
        for key, name, latex, printed in _TABLE
    ),
    *(
        _sentence(
            f"table/negated-{name}",
            "section 1, table of metrics",
            f"!{name} is negated {name}.",
            partial(_negated_word, name),
        )
        for name in ("recall", "precision", "f1")
    ),
    Claim(
        "ores/confusion-matrix",
        "section 1, references",
        Kind.DEFINITION,
        "The matrix has predictions by row and actual labels by column; its sums are those of the formulas.",
        _layout,
        "TP FP / FN TN",
    ),
    *(_formula(key, place, name, statement, printed) for key, place, name, statement, printed in _SECTIONS),
    _sentence(
        "sec-1-3/range",
        "section 1.3, item 2",
        "f1 runs from 0, the worst, to 1, the best.",
        _f1_range,
    ),
    Claim(
        "ores/sec-1-3/punishes",
        "section 1.3, additional information",
        Kind.IDENTITY,
        r"The harmonic mean punishes extremes that the simple mean does not: the gap is $(p-r)^2/(2(p+r))$.",
        _mean_and_f1,
        "(p - r)**2 / (2*(p + r))",
        by_hand="Put both means over 2(p + r): (p + r)² − 4pr = (p − r)².",
    ),
    *(
        Claim(
            f"ores/sec-1-10/{key}",
            "section 1.10, item 1",
            Kind.DEFINITION,
            f"counts: {' '.join(name)} is ${printed}$.",
            partial(_count, name),
            printed,
        )
        for key, name, printed in _COUNTS
    ),
    *(
        Claim(
            f"ores/sec-1-11/rate-{name}",
            "section 1.11, item 1",
            Kind.DEFINITION,
            f"The rate of {name} is the count of labels that are {name} over n.",
            partial(_rates, name),
            f"counts_labels_{name} / counts_n",
        )
        for name in ("false", "true")
    ),
    _sentence(
        "sec-1-12/negation",
        "section 1.12",
        "A metric with an exclamation mark is that metric for the negative class: TP with TN, FP with FN.",
        _negated_everywhere,
        " ".join(METRICS),
    ),
    _sentence(
        "sec-1-12-1/existing",
        "section 1.12.1",
        "There are !recall, !precision and !f1, as in the table of metrics.",
        _negated_everywhere,
        "recall precision f1",
    ),
)
