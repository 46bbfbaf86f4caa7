"""Goyal, Hu and Gupta 2023, what the text says of its data and of table 1."""

from __future__ import annotations

from functools import partial

from gmpy2 import mpq

from ntqr_exact.algebra.formula import read_formula
from ntqr_exact.exact.decimal_text import fixed_text, significant_text
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.claim import Claim, Kind
from ntqr_exact.ledger.faithful.tables import (
    BOLD,
    KINDS,
    LABELLED,
    PROMPTS,
    SIDES,
    before_rounding,
    counts_of_mean,
    labelled_shares,
    meet,
    model_variance,
    public_comparison,
    public_rows,
    rate_texts,
    samples_of,
)
from ntqr_exact.ledger.finding import Finding
from ntqr_exact.ledger.judgement import by_reading, decided, not_checkable
from ntqr_exact.significance.comparison import Centre
from ntqr_exact.significance.interval import Decision
from ntqr_exact.significance.metric_model import MetricModel
from ntqr_exact.significance.performance import performance
from ntqr_exact.significance.variance import VarianceReading, variance

# -- section 3.1: data and rates ------------------------------------------------------------------------------


def _rate(which: int, printed: str) -> Finding:
    """Are the four model-based variances of table 1 possible with the rate, both rates read as rounded?"""
    texts = list(rate_texts())
    texts[which] = printed
    precision, omission = map(before_rounding, texts)
    misses = []
    for key, row in public_rows().items():
        compared = public_comparison(key)
        for side, model in zip(SIDES, (compared.control, compared.treatment), strict=True):
            low, high = (
                model_variance(model.counts[1], model.size, one, other)
                for one, other in ((precision.lower, omission.lower), (precision.upper, omission.upper))
            )
            if meet(Enclosure(low, high), before_rounding(row["cells"][f"printed_{side}"])) is None:
                misses.append(f"{row['dataset']}, {side}")
    shares = labelled_shares(texts[0], texts[1], LABELLED)
    told = "; ".join(f"{a}/{b} and {c}/{d}" for a, b, c, d in shares) or "none"
    return decided(
        not misses,
        f"model-based variances of table 1 that no rates rounding to {texts[0]} and {texts[1]} give: "
        f"{', '.join(misses) or 'none'}",
        f"shares of {LABELLED} labelled texts (the published test set) that round to both: {told}",
        right="a rate that gives the variances of table 1",
        slip=True,
    )


def _bold_size(printed: str) -> Finding:
    size = int(printed.replace(",", ""))
    cells = public_rows()[BOLD]["cells"]
    sizes = [each for _, each in samples_of(cells["mean_control"], cells["deterministic_control"])]
    counts = [counts_of_mean(cells[f"mean_{side}"], size) for side in SIDES]
    return decided(
        size in sizes and all(counts),
        f"mean and Var^D of GPT2 leave N from {min(sizes)} to {max(sizes)}; {size} is "
        f"{'' if size in sizes else 'not '}one of them",
        f"with N = {size} the means leave the counts {counts[0]} and {counts[1]}",
        right=f"{min(sizes)} to {max(sizes)}",
        slip=True,
    )


def _domains(printed: str) -> Finding:
    number, _, names = printed.partition(": ")
    listed = names.split(", ")
    return decided(
        int(number) == len(set(listed)), f"{len(set(listed))} domains are named", right=str(len(listed))
    )


def _prompts_size(printed: str) -> Finding:
    thousands = int(printed.removesuffix("K"))
    cells = public_rows()[PROMPTS]["cells"]
    possible = set.intersection(
        *(
            {size for _, size in samples_of(cells[f"mean_{side}"], cells[f"deterministic_{side}"])}
            for side in SIDES
        )
    )
    low, high = min(possible), max(possible)
    leaves = (
        f"means and Var^D of both models leave N from {low} to {high} (the published set has 99442 prompts)"
    )

    def rounds(step: int) -> bool:
        return any(abs(size - thousands * 1000) <= mpq(step, 2) for size in possible)

    return by_reading(
        {
            f"just {thousands},000": decided(
                thousands * 1000 in possible, leaves, right=f"{low} to {high}", slip=True
            ),
            "rounded to thousands": decided(rounds(1000), leaves, right="99K", slip=True),
            "rounded to one digit": decided(rounds(100_000), leaves, right="100K", slip=True),
        }
    )


# -- section 3.1.1: what table 1 shows -----------------------------------------------------------------------


def _effect(printed: str) -> Finding:
    formula = read_formula(printed)
    fits = []
    lines = []
    for row in public_rows().values():
        cells = row["cells"]
        gpt2, neo = before_rounding(cells["mean_control"]), before_rounding(cells["mean_treatment"])
        corners = ((neo.lower, gpt2.upper), (neo.upper, gpt2.lower))
        ends = [rational(str(formula.evaluate({"neo": one, "gpt2": other}))) for one, other in corners]
        low, high = min(ends), max(ends)
        fits.append(meet(Enclosure(low, high), before_rounding(cells["difference"])) is not None)
        lines.append(
            f"{row['dataset']}: {printed} between {significant_text(low, 4)} and {significant_text(high, 4)}; "
            f"ATE is printed {cells['difference']}"
        )
    return decided(all(fits), *lines, right="neo - gpt2", slip=True)


def _growth(key: str, side: str) -> mpq:
    compared = public_comparison(key)
    model = compared.control if side == "control" else compared.treatment
    return variance(model, VarianceReading.PRINTED) / variance(model, VarianceReading.DETERMINISTIC)


def _increase(_: str) -> Finding:
    half = performance((1, 2), metric=MetricModel("1/2", 0))
    lowered = [
        variance(half, reading) for reading in (VarianceReading.DETERMINISTIC, VarianceReading.PRINTED)
    ]
    factors = {(key, side): _growth(key, side) for key in public_rows() for side in SIDES}
    return decided(
        all(factor > 1 for factor in factors.values()),
        "Var^M/Var^D: "
        + "; ".join(f"{key} {side} {fixed_text(factor, 2)}" for (key, side), factor in factors.items()),
        f"not so in general: precision 1/2, false omission rate 0, 1 of 2 observed: {lowered[0]} becomes {lowered[1]}",
    )


def _factor(printed: str) -> Finding:
    before, after, times = printed.split("; ")
    exact = _growth(BOLD, "control")
    from_cells = before_rounding(after) / before_rounding(before)
    bounds = before_rounding(times)
    return decided(
        bounds.lower <= exact <= bounds.upper and meet(from_cells, bounds) is not None,
        f"exactly {fixed_text(exact, 3)} times as large; from the printed cells between "
        f"{fixed_text(from_cells.lower, 2)} and {fixed_text(from_cells.upper, 2)}",
        f"read as growth by a multiple it would be {fixed_text(exact - 1, 1)}",
        right=fixed_text(exact, 0),
        slip=True,
    )


def _interval_and_conclusion(kind: str, expected: Decision, printed: str) -> Finding:
    cells = public_rows()[BOLD]["cells"]
    result = public_comparison(BOLD).result(VarianceReading(KINDS[kind]), Centre.OBSERVED)
    table = f"({cells[f'{KINDS[kind]}_lower']}, {cells[f'{KINDS[kind]}_upper']})"
    return decided(
        printed == table and result.decision is expected,
        f"table 1 prints {table}; recomputed {result.interval}: {result.decision.value}",
        right=table,
        slip=printed != table,
    )


def _binary_scores(_: str) -> Finding:
    cells = public_rows()[BOLD]["cells"]
    found = samples_of(cells["mean_control"], cells["deterministic_control"])
    return decided(
        bool(found),
        f"BOLD, GPT2: {len(found)} samples of zeros and ones have both the mean {cells['mean_control']} and "
        f"Var^D {cells['deterministic_control']}, as p(1−p)/(N−1); scores in between would have less spread",
        right="labels, not scores",
    )


def _deterministic_name(_: str) -> Finding:
    compared = public_comparison(BOLD)
    exact = variance(compared.control, VarianceReading.DETERMINISTIC)
    cell = before_rounding(public_rows()[BOLD]["cells"]["deterministic_control"])
    return by_reading(
        {
            "eq. 5 on the labels of the classifier": decided(
                cell.lower <= exact <= cell.upper,
                f"{compared.control.counts[1]} of {compared.control.size} observed: {significant_text(exact, 4)}",
            ),
            "eq. 5 on labels that people gave, as section 1 defines deterministic": decided(
                compared.control.observed_rate == compared.control.real_rate,
                f"the classifier's share is {fixed_text(compared.control.observed_rate, 5)}, the real one by eq. 10 "
                f"{fixed_text(compared.control.real_rate, 5)}: the table has the former",
                right="a variance of the classifier's labels, taken at their word",
            ),
        }
    )


# -- section 3.2.1 and the rest --------------------------------------------------------------------------------


def _authors(printed: str) -> Finding:
    """Who is named in the text as the author of a book, and who in the list of references."""
    named, listed = printed.split("; ")
    return decided(
        named == listed,
        f"the text names {named} and others as authors of the book, the reference given for it has {listed} alone",
        "a review of that book has its title and this author",
        right="the reference of the book itself",
        slip=True,
    )


_NOT_STATED = partial(
    not_checkable,
    "the works that are meant, and what would count as considering errors; nothing to compute",
)
_S31, _S311 = "section 3.1", "section 3.1.1"

CLAIMS: tuple[Claim, ...] = (
    Claim("faithful/sec-1/existing-works", "sections 1 and 4", Kind.SENTENCE,
          "Existing work on significance tests does not consider errors of a metric model.",
          lambda _: _NOT_STATED()),
    Claim("faithful/sec-4/book", "section 4", Kind.SENTENCE, "A book by Dror and others is cited as Simpson 2021.",
          _authors, printed="Dror; Simpson"),
    Claim("faithful/sec-3-1/precision", _S31, Kind.NUMBER, "The precision of the toxicity classifier is 0.8897.",
          partial(_rate, 0), printed=rate_texts()[0]),
    Claim("faithful/sec-3-1/false-omission", _S31, Kind.NUMBER,
          "The false omission rate of the toxicity classifier is 0.22769.", partial(_rate, 1),
          printed=rate_texts()[1]),
    Claim("faithful/sec-3-1/bold-size", _S31, Kind.COUNT, "BOLD has 23679 prompts.", _bold_size, printed="23,679"),
    Claim("faithful/sec-3-1/bold-domains", _S31, Kind.COUNT, "The prompts of BOLD come from five domains.", _domains,
          printed="5: profession, gender, race, religion, political ideology"),
    Claim("faithful/sec-3-1/prompts-size", _S31, Kind.COUNT, "RealToxicityPrompts has 100K prompts.", _prompts_size,
          printed="100K"),
    Claim("faithful/sec-3-1-1/effect", _S311, Kind.DEFINITION,
          "The effect (ATE) is the mean toxicity of GPT-Neo less that of GPT2.", _effect, printed="neo - gpt2"),
    Claim("faithful/sec-3-1-1/increase", _S311, Kind.SENTENCE,
          "In table 1 the variance grows once errors of the metric model are considered.", _increase),
    Claim("faithful/sec-3-1-1/factor", _S311, Kind.NUMBER,
          "On BOLD the variance of GPT2 grows 39 times, from 1.92e-7 to 7.50e-6.", _factor,
          printed="1.92e-7; 7.50e-6; 39"),
    Claim("faithful/sec-3-1-1/bold-deterministic", _S311, Kind.DECISION,
          "On BOLD, errors disregarded, GPT-Neo is significantly less toxic than GPT2.",
          partial(_interval_and_conclusion, "d", Decision.LOWER), printed="(-0.00325, -0.00114)"),
    Claim("faithful/sec-3-1-1/bold-model-based", _S311, Kind.DECISION,
          "On BOLD, errors considered by eq. 14, no difference is significant.",
          partial(_interval_and_conclusion, "m", Decision.NOT_SHOWN), printed="(-0.00978, 0.00538)"),
    Claim("faithful/table-1/footnote-1", "table 1, footnote 1", Kind.SENTENCE,
          "The means are average toxicity scores, of labels 0 and 1.", _binary_scores),
    Claim("faithful/table-1/footnote-2", "table 1, footnotes 2 and 3", Kind.SENTENCE,
          r"$\mathrm{Var}^D$ and $\mathrm{CI}^D$ are by a deterministic metric.", _deterministic_name),
)  # fmt: skip
