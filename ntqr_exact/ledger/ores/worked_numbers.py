"""ORES: every number that is worked out, of the example, the documents and the enwiki model."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, decided, equal, rounded
from ntqr_exact.ledger.ores.worked_lines import DISEASE, ENWIKI, decimal_after, number, worked
from ntqr_exact.ledger.rounding import read_printed
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.curves import precision_recall_curve, roc_curve
from ntqr_exact.metrics.undefined import MetricValue, defined

DOCUMENTS, RELEVANT = mpq(1_000_000), mpq(100)


def algorithm(retrieved: int, found: int) -> ConfusionMatrix:
    """Return the matrix of a search that retrieves so many documents, so many of them relevant."""
    wrong = retrieved - found
    return ConfusionMatrix(tp=found, fp=wrong, fn=RELEVANT - found, tn=DOCUMENTS - RELEVANT - wrong)


ALGORITHMS = {"a": algorithm(100, 90), "b": algorithm(2000, 90)}


def _of_example(name: str, printed: str) -> Finding:
    return worked(printed, defined(DISEASE[name]), name)


def _of_algorithm(which: str, name: str, printed: str) -> Finding:
    return worked(printed, defined(ALGORITHMS[which][name]), f"{name} of ({which})")


def _value(exact: Callable[[], mpq], what: str, printed: str) -> Finding:
    return equal(printed.replace(",", ""), exact(), what)


def _sum(exact: mpq, what: str, printed: str) -> Finding:
    """Check a printed count, or a sum and its total: each side is the count."""
    return all_of({side: equal(number(side), exact, what) for side in printed.split("=")})


def _complement(printed: str) -> Finding:
    """Check a chain `formula = decimal = 1 - decimal`, where match_rate is the last decimal."""
    chain, _, complement = printed.rpartition("=")
    rate = defined(DISEASE.filter_rate)
    return all_of(
        {
            "filter_rate": worked(chain, rate, "filter_rate"),
            "1 − match_rate": equal(number(complement), rate, "it"),
        }
    )


def _scenario(printed: str) -> Finding:
    """Split the people by labels, and both parts by predictions."""
    total, share, positives, negatives, tp, fn, fp, tn = map(rational, re.findall(r"\d+", printed))
    right = {
        "positives": equal(positives, total * share / 100, f"{share} % of {total}"),
        "negatives": equal(negatives, total - positives, f"{total} − {positives}"),
        "found and missed": equal(tp + fn, positives, f"TP + FN, {tp} + {fn}, of the infected"),
        "false alarms and rest": equal(fp + tn, negatives, f"FP + TN, {fp} + {tn}, of the others"),
        "the matrix": decided(
            ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn) == DISEASE,
            "the numbers of all later sections come from this matrix",
            slip=True,
        ),
    }
    return all_of(right)


def _example_samples() -> tuple[list[int], list[str]]:
    labels = [1] * 30 + [1] * 5 + [0] * 10 + [0] * 55
    scores = ["0.8"] * 30 + ["0.2"] * 5 + ["0.8"] * 10 + ["0.2"] * 55
    return labels, scores


def _point(printed: str) -> tuple[str, str]:
    match = re.fullmatch(r"\(([\d.]+), ([\d.]+)\)", printed.strip())
    if match is None:
        raise BadDocument(printed, "a point is a pair of decimals")
    return match[1], match[2]


def _roc_point(printed: str) -> Finding:
    across, up = _point(printed)
    points = list(roc_curve(*_example_samples()).points())
    here = next(point for point in points if all(0 < defined(value) < 1 for value in point))
    return all_of(
        {
            "fpr": decimal_after("=", across, defined(here[0]), "fpr"),
            "tpr": decimal_after("=", up, defined(here[1]), "tpr"),
        }
    )


def _pr_point(printed: str) -> Finding:
    """Compare the pair with the curve's own point (recall across, precision up), in both orders."""
    first, second = _point(printed)
    points = list(precision_recall_curve(*_example_samples()).points())
    recall, precision = (defined(value) for value in points[0])
    in_order = _rounds(first, recall) and _rounds(second, precision)
    turned = _rounds(first, precision) and _rounds(second, recall)
    return decided(
        in_order,
        f"the point has recall {recall} across and precision {precision} up",
        "section 1.5 puts what is across first, (fpr, tpr); precision over recall is then (recall, precision)",
        right=f"(recall, precision) = ({_as_printed(first, recall)}, {_as_printed(second, precision)})",
        slip=True,
        arose="the two coordinates changed places" if turned else "",
    )


def _as_printed(text: str, exact: mpq) -> str:
    return read_printed(text).right_text(exact)


def _rounds(text: str, exact: mpq) -> bool:
    printed = read_printed(text)
    return printed.low <= exact <= printed.high


def _difference(name: str, sign: str, printed: str) -> Finding:
    one, other = (defined(ALGORITHMS[which][name]) for which in "ab")
    return decimal_after(sign, printed, abs(one - other), f"the distance of the two values of {name}")


def _sample_rates(printed: str) -> Finding:
    false, true = printed.split()
    return all_of(
        {
            "false": rounded(false, _rate("false"), "18677/19428, the sample's rate of false,"),
            "true": rounded(true, _rate("true"), "751/19428, the sample's rate of true,"),
            "sum": equal(rational(false) + rational(true), mpq(1), "the sum of both"),
        }
    )


def _rate(name: str) -> mpq:
    value: MetricValue = ENWIKI.rates[name]
    return defined(value)


def _population_rates(printed: str) -> Finding:
    false, true = map(rational, printed.split())
    scaled = ENWIKI.at_population_rate(true)
    return all_of(
        {
            "sum": equal(false + true, mpq(1), "the sum of both"),
            "scaled": equal(false, defined(scaled.rates["false"]), "the rate of false in the scaled matrix"),
        }
    )


def _number(key: str, place: str, statement: str, check: Callable[[str], Finding], printed: str) -> Claim:
    return Claim(f"ores/{key}", place, Kind.NUMBER, statement, check, printed)


_EXAMPLE = (
    ("sec-1-1/example", "section 1.1", "recall", "30/(30+5) ≈ 0.86"),
    ("sec-1-2/example", "section 1.2", "precision", "30/(30+10) = 0.75"),
    ("sec-1-3/example", "section 1.3", "f1", "2*(0.75*(30/35))/(0.75+30/35) = 0.8"),
    ("sec-1-4/example", "section 1.4", "fpr", "10/(10+55) ≈ 0.15"),
    ("sec-1-7/example", "section 1.7", "accuracy", "(30+55)/(35+65) = 0.85"),
    ("sec-1-8/example", "section 1.8", "match_rate", "(30+10)/(35+65) = 0.4"),
)
_ALGORITHMS = (
    ("fpr-a", "a", "fpr", "10/(10+999890) = 0.00001"),
    ("fpr-b", "b", "fpr", "1910/(1910+997990) = 0.00191"),
    ("precision-a", "a", "precision", "90/(90+10) = 0.9"),
    ("precision-b", "b", "precision", "90/(90+1910) = 0.045"),
)
_DOCUMENT_CELLS = (("a", "tn", "999890"), ("a", "fp", "10"), ("b", "tn", "997990"), ("b", "fp", "1910"))
_EXAMPLE_COUNTS = (
    ("labels-false", DISEASE.negatives, "labels false", "55 + 10 = 65"),
    ("labels-true", DISEASE.positives, "labels true", "30 + 5 = 35"),
    ("n", DISEASE.total, "n", "100"),
    ("false-false", DISEASE.tn, "TN", "55"),
    ("false-true", DISEASE.fp, "FP", "10"),
    ("true-false", DISEASE.fn, "FN", "5"),
    ("true-true", DISEASE.tp, "TP", "30"),
)
_ENWIKI_COUNTS = (
    ("labels-false", ENWIKI.negatives, "TN + FP", "17958 + 719 = 18677"),
    ("labels-true", ENWIKI.positives, "FN + TP", "320 + 431 = 751"),
    ("n", ENWIKI.total, "n", "18677 + 751 = 19428"),
    ("false-positives", ENWIKI.fp, "false positives among those labeled false", "719"),
)

CLAIMS: tuple[Claim, ...] = (
    _number(
        "scenario",
        "section 1, the example scenario",
        "Of 100 people 35 % are infected, 35 and 65; of the infected 30 are found and 5 missed, of the others "
        "10 are false alarms and 55 are not.",
        _scenario,
        "100 people, 35 %: 35 and 65; 30 and 5; 10 and 55",
    ),
    *(
        _number(
            key,
            f"{place}, item 3",
            f"The {name} of the example is ${printed}$.",
            partial(_of_example, name),
            printed,
        )
        for key, place, name, printed in _EXAMPLE
    ),
    _number(
        "sec-1-9/example",
        "section 1.9, item 3",
        "The example has filter_rate 60/100, the complement of its match_rate.",
        _complement,
        "(55+5)/(35+65) = 0.6 = 1 - 0.4",
    ),
    _number(
        "sec-1-5/point",
        "section 1.5, item 3",
        "A point of the example's ROC curve is (fpr, tpr) = (0.15, 0.86).",
        _roc_point,
        "(0.15, 0.86)",
    ),
    _number(
        "sec-1-6/point",
        "section 1.6, item 3",
        "A point of the example's curve of precision over recall is (precision, recall) = (0.75, 0.86).",
        _pr_point,
        "(0.75, 0.86)",
    ),
    *(
        _number(
            f"sec-1-6/recall-{which}",
            "section 1.6, item 2",
            f"Algorithm ({which}) finds 90 of the 100 relevant documents, so that its recall is 0.9.",
            partial(_of_algorithm, which, "recall"),
            "90/100 = 0.9",
        )
        for which in "ab"
    ),
    *(
        _number(
            f"sec-1-6/{cell}-{which}",
            "section 1.6, item 2",
            f"Of a million documents, algorithm ({which}) has {cell.upper()} = {printed}.",
            partial(_value, partial(getattr, ALGORITHMS[which], cell), f"{cell.upper()} of ({which})"),
            printed,
        )
        for which, cell, printed in _DOCUMENT_CELLS
    ),
    *(
        _number(
            f"sec-1-6/{key}",
            "section 1.6, item 2",
            f"The {name} of algorithm ({which}) is ${printed}$.",
            partial(_of_algorithm, which, name),
            printed,
        )
        for key, which, name, printed in _ALGORITHMS
    ),
    _number(
        "sec-1-6/fpr-difference",
        "section 1.6, item 2",
        "The two false positive rates differ by 0.0019.",
        partial(_difference, "fpr", "≈"),
        "0.0019",
    ),
    _number(
        "sec-1-6/precision-difference",
        "section 1.6, item 2",
        "The two precisions differ by 0.855.",
        partial(_difference, "precision", "="),
        "0.855",
    ),
    *(
        Claim(
            f"ores/sec-1-10/example-{key}",
            "section 1.10, item 3",
            Kind.COUNT,
            f"In the example {what} is ${printed}$.",
            partial(_sum, exact, what),
            printed,
        )
        for key, exact, what, printed in _EXAMPLE_COUNTS
    ),
    *(
        Claim(
            f"ores/sec-1-10/enwiki-{key}",
            "section 1.10, item 5",
            Kind.COUNT,
            f"The enwiki model's counts add up: {what} is ${printed}$.",
            partial(_sum, exact, what),
            printed,
        )
        for key, exact, what, printed in _ENWIKI_COUNTS
    ),
    *(
        Claim(
            f"ores/sec-1-11/example-{name}",
            "section 1.11, item 3",
            Kind.NUMBER,
            f"The rate of {name} in the example is ${printed}$.",
            partial(worked, exact=defined(DISEASE.rates[name]), what=f"the rate of {name}"),
            printed,
            garbled="a sum of symbols over 100 stands before it, and the extraction lost the fraction",
        )
        for name, printed in (("false", "65/100 = 0.65"), ("true", "35/100 = 0.35"))
    ),
    _number(
        "sec-1-11/population",
        "section 1.11, item 5",
        "The population's rates of false and true are 0.966 and 0.034: they sum to 1.",
        _population_rates,
        "0.966 0.034",
    ),
    _number(
        "sec-1-11/sample",
        "section 1.11, item 5",
        "The sample's rates of false and true are 0.961 and 0.039, of 19428 edits.",
        _sample_rates,
        "0.961 0.039",
    ),
    _number(
        "sec-1-11/sample-false",
        "section 1.11, item 5",
        r"The sample's rate of false is $18677/19428 = 0.961$.",
        partial(worked, exact=_rate("false"), what="the sample's rate of false"),
        "18677/19428 = 0.961",
    ),
)
