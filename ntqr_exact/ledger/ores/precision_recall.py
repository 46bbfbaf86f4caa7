"""ORES, section 1.6: what is said of precision over recall, and of the search in a million documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

from gmpy2 import mpq

from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import all_of, by_reading, counterexample, decided, equal
from ntqr_exact.ledger.ores.curves import samples, samples_text
from ntqr_exact.ledger.ores.worked_lines import DISEASE, ENWIKI, of_library
from ntqr_exact.ledger.ores.worked_numbers import ALGORITHMS
from ntqr_exact.metrics.areas import Anchor, average_precision, pr_auc, roc_auc
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.curves import precision_recall_curve, roc_curve
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.metrics.undefined import defined


def _same_rate(_: str) -> Finding:
    """Count the positives that are found, sample by sample, and compare with recall and with the height of ROC."""

    def found(labels: Sequence[int], answers: Sequence[int]) -> mpq:
        hits = [answer for label, answer in zip(labels, answers, strict=True) if label]
        return mpq(sum(hits), len(hits))

    cases = (
        (
            f"labels {labels}, predicted {answers}",
            found(labels, answers) == ConfusionMatrix.from_labels(labels, answers).recall,
        )
        for size in (1, 2, 3, 4)
        for labels in product((0, 1), repeat=size)
        if any(labels)
        for answers in product((0, 1), repeat=size)
    )
    up = roc_curve([1, 0], ["0.9", "0.1"]).up.name
    return counterexample(
        cases,
        checked="labels and predictions of up to 4 samples",
        proof=f"the share of the positives that are found, counted one by one, is recall; ROC has {up} up",
    )


def _no_true_negatives(_: str) -> Finding:
    names = ("precision", "recall")
    return decided(
        all("TN" not in of_library(name).variables() for name in names)
        and "TN" in of_library("fpr").variables(),
        f"precision = {of_library('precision')}, recall = {of_library('recall')}: no TN",
        f"fpr = {of_library('fpr')}",
    )


def _top_right(_: str) -> Finding:
    cases = (
        (
            samples_text(labels, scores),
            any(row.confusion.recall == 1 == row.confusion.precision for row in rank(labels, scores))
            == (roc_auc(labels, scores) == 1),
        )
        for labels, scores in samples(4, levels=4)
    )
    return counterexample(
        cases,
        checked="up to 4 samples",
        proof="recall 1 and precision 1 at a threshold mean that FN = FP = 0 there",
    )


def _higher_fpr(_: str) -> Finding:
    a, b = (defined(ALGORITHMS[which].fpr) for which in "ab")
    return decided(b > a, f"fpr of (a) = {a}, of (b) = {b}, {b / a} times as much")


def _imbalance(_: str) -> Finding:
    """Add true negatives alone; then count all negatives ten times, with both rates kept."""
    alone = ConfusionMatrix(tp=DISEASE.tp, fp=DISEASE.fp, fn=DISEASE.fn, tn=10 * DISEASE.tn)
    scaled = DISEASE.scaled(positives=1, negatives=10)
    population = ENWIKI.at_population_rate("0.034")
    return by_reading(
        {
            "more true negatives alone": equal(
                defined(alone.precision), defined(DISEASE.precision), "precision"
            ),
            "more negatives, of which the same share is found": decided(
                scaled.precision == DISEASE.precision,
                f"the example with ten times as many negatives has fpr {scaled.fpr} as before, and precision "
                f"{scaled.precision} in place of {DISEASE.precision}",
                f"enwiki has {fixed_text(defined(ENWIKI.precision), 4)} in the sample, and "
                f"{fixed_text(defined(population.precision), 4)} at the population's rate",
                right="precision falls as negatives become more frequent; recall and fpr do not change",
            ),
        }
    )


def _areas_differ(_: str) -> Finding:
    """Let both algorithms have two scores only: retrieved, and not. Then compare the areas."""
    areas: dict[str, tuple[mpq, mpq]] = {}
    for which, matrix in ALGORITHMS.items():
        weights = [matrix.tp, matrix.fp, matrix.fn, matrix.tn]
        data = ([1, 0, 1, 0], ["0.9", "0.9", "0.1", "0.1"])
        precision = average_precision(*data, weights=weights)
        areas[which] = (defined(roc_auc(*data, weights=weights)), mpq(str(precision)))
    roc, precise = (abs(areas["a"][place] - areas["b"][place]) for place in (0, 1))
    return decided(
        100 * roc < precise,
        f"with two scores, roc_auc differs by {fixed_text(roc, 6)}, average precision by {fixed_text(precise, 6)}",
    )


def _one_area(_: str) -> Finding:
    """A perfect ranking must have area 1; whether it has depends on where the curve is taken to begin."""
    areas: dict[str, Callable[..., object]] = {
        f"area from {anchor.value}": partial(pr_auc, anchor=anchor) for anchor in Anchor
    }
    areas["average precision"] = average_precision
    perfect, other = ([1, 0], ["0.9", "0.1"]), ([1, 0, 1], ["0.9", "0.9", "0.1"])
    return by_reading(
        {
            name: decided(
                area(*perfect) == 1,
                f"perfect, y = 1, 0, scores .9, .1: {area(*perfect)}; y = 1, 0, 1, scores .9, .9, .1: {area(*other)}",
                right="say where the curve begins, at recall 0",
            )
            for name, area in areas.items()
        }
    )


def _documents(printed: str) -> Finding:
    """Both searches retrieve what they are said to."""
    total, relevant, first, second, found = map(rational, printed.split())
    parts = {}
    for which, retrieved in (("a", first), ("b", second)):
        matrix = ALGORITHMS[which]
        parts[f"{which} total"] = equal(total, matrix.total, f"documents of ({which})")
        parts[f"{which} relevant"] = equal(relevant, matrix.positives, "relevant documents")
        parts[f"{which} retrieved"] = equal(retrieved, matrix.tp + matrix.fp, f"retrieved by ({which})")
        parts[f"{which} found"] = equal(found, matrix.tp, f"relevant ones among them in ({which})")
    return all_of(parts)


def _axes(printed: str) -> Finding:
    """Read off which metric each curve of the library has across and up, and compare with what is printed."""
    data = ([1, 0], ["0.9", "0.1"])
    curves = {"roc": roc_curve(*data), "pr": precision_recall_curve(*data)}
    known = {name: f"{curve.up.name} versus {curve.across.name}" for name, curve in curves.items()}
    roc, pr = printed.split("; ")
    shared = {curves["roc"].up.name, curves["roc"].across.name} & {
        curves["pr"].up.name,
        curves["pr"].across.name,
    }
    return decided(
        (roc, pr) == (known["roc"], known["pr"]) and shared == {"recall"},
        f"ROC: {known['roc']}; precision over recall: {known['pr']}; recall, which is tpr, is up in one and across in "
        "the other",
        right="; ".join(known.values()),
        slip=True,
    )


def _claim(key: str, statement: str, check: Callable[[str], Finding], printed: str = "") -> Claim:
    section = key.partition("/")[0].replace("sec-", "").replace("-", ".")
    return Claim(f"ores/{key}", f"section {section}", Kind.SENTENCE, statement, check, printed)


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "sec-1-1/names", "Recall, true positive rate and sensitivity are names of one number.", _same_rate
    ),
    _claim(
        "sec-1-6/axes",
        "ROC plots recall (tpr) against fpr, the other curve precision against recall: they share recall.",
        _axes,
        "recall versus fpr; precision versus recall",
    ),
    _claim(
        "sec-1-6/no-tn",
        "The area under precision and recall makes no use of true negatives.",
        _no_true_negatives,
    ),
    _claim(
        "sec-1-6/area",
        "The area under precision over recall, pr_auc, is 1 for a perfect classifier.",
        _one_area,
    ),
    _claim(
        "sec-1-6/top-right",
        "The curve of precision over recall reaches the top right corner if the classifier is perfect.",
        _top_right,
    ),
    _claim(
        "sec-1-6/documents",
        "Of a million documents 100 are relevant; (a) retrieves 100 and (b) 2000, 90 of them relevant.",
        _documents,
        "1000000 100 100 2000 90",
    ),
    _claim("sec-1-6/higher-fpr", "Algorithm (b) has the higher false positive rate.", _higher_fpr),
    _claim(
        "sec-1-6/imbalance",
        "Precision leaves out true negatives, so that an imbalance of the classes does not change it.",
        _imbalance,
    ),
    _claim(
        "sec-1-6/areas",
        "If the differences persist, the areas under ROC differ very little, those under precision much.",
        _areas_differ,
    ),
)
