"""The matrices of the ORES documentation, and the numbers that are worked out from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.equations import formula
from ntqr_exact.ledger.judgement import Finding, all_of, decided, equal, possible, rounded
from ntqr_exact.ledger.rounding import PrintedDecimal
from ntqr_exact.metrics.confusion import ConfusionMatrix
from ntqr_exact.metrics.ranking import rank
from ntqr_exact.metrics.undefined import defined

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


def _is_decimal(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal() and "." in text


def line(printed: tuple[str, ...], *, of: Of, what: str) -> Finding:
    """Judge each side of a worked line such as 30/(30+5) ≈ 0.86: decimals as roundings, the rest as exact."""
    exact = quantity(MATRICES[of], what)
    name = f"{what} of {of}"
    return all_of(
        {
            side: rounded(side, exact, name) if _is_decimal(side) else equal(number(side), exact, name)
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
            "the matrix": decided(
                ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn) == DISEASE,
                "the numbers of all later sections come from this matrix",
                right="30, 5, 10, 55",
                slip=True,
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
        right="two rates that sum to 1",
    )


def highest_f1(printed: PrintedDecimal) -> Finding:
    """Ask whether a highest f1 can be: it is at least that of the printed counts."""
    own = defined(ENWIKI.f1)
    return possible(
        own <= printed.high <= 1,
        f"the printed counts alone have f1 = {fixed_text(own, 4)}, so the highest is at least that; the scores, of "
        "which it depends, are not printed",
        right=f"at least {fixed_text(own, 4)}",
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
    return decided(
        shares[people] == share,
        f"{share} is printed for {people} people, whose share is {shares[people]}; the rate of {label} is "
        f"{DISEASE.rates[label]}, the share of {right} people",
        right=f"the proportion of {right} people",
        slip=True,
        arose="the line of the other label was copied" if right != people else "",
    )


def means(printed: Mapping[str, mpq]) -> Finding:
    """Put a precision and a recall into both means."""
    precision, recall = printed["precision"], printed["recall"]
    mean, harmonic = (precision + recall) / 2, 2 * precision * recall / (precision + recall)
    return decided(
        (mean, harmonic) == (printed["average"], printed["f1"]),
        f"mean {mean}, harmonic mean {harmonic}",
        "numbers in formulas: no confusion matrix has precision 1 and recall 0, as one needs TP > 0, the other TP = 0",
        right=f"{mean} and {harmonic}",
        slip=True,
    )
