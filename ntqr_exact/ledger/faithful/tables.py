"""The printed tables of Goyal, Hu and Gupta 2023, what their roundings leave open, and the checks of table 1.

The counts of toxic texts are not printed. Of all pairs of counts near the printed means and variances, those are
taken that reproduce most of the other cells; so an error in one cell, or in two, does not spoil the judgement of the
rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product

from gmpy2 import isqrt, mpq

from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.exact.value_text import with_decimal
from ntqr_exact.ledger.faithful.readings import SourceReading, built, variance
from ntqr_exact.ledger.judgement import Finding, as_printed, decided, possible, rounded
from ntqr_exact.ledger.printed_value import Rounding, read_printed
from ntqr_exact.ledger.registry import printed
from ntqr_exact.sampling.comparison import Centre, Comparison, compare
from ntqr_exact.sampling.metric_model import MetricModel
from ntqr_exact.sampling.normal_interval import Decision

Z = mpq(49, 25)

LABELLED = 940
"""How many texts people labelled in the test set of the metric model, as it was published; not in the source."""

BOLD, PROMPTS = "bold", "real-toxicity-prompts"
DATASETS = {BOLD: "BOLD", PROMPTS: "RealToxicityPrompts"}
_PROMPTS_SIZE = 99_442
"""The number of prompts of RealToxicityPrompts as it was published; the source says 100K."""

EXPERIMENTS = ("exp1", "exp2", "exp3", "exp4", "exp5")
MODELS = {"gpt2": "control", "gptneo": "treatment"}
READINGS = {"d": SourceReading.DETERMINISTIC, "m": SourceReading.PRINTED}
"""The letters D and M of the tables, and the variance that each names."""

PUBLIC_CELLS = (
    "mean-gpt2", "mean-gptneo", "ate",
    "var-d-gpt2", "var-d-gptneo", "ci-d-lower", "ci-d-upper",
    "var-m-gpt2", "var-m-gptneo", "ci-m-lower", "ci-m-upper",
)  # fmt: skip
_PRODUCTION_CELLS = (
    "var-d-c", "var-d-t", "ci-d-lower", "ci-d-upper", "var-m-c", "var-m-t", "ci-m-lower", "ci-m-upper",
)  # fmt: skip


def public_row(key: str) -> dict[str, str]:
    """Return the cells of a row of table 1, as printed."""
    return {cell: printed(f"faithful/table-1/{key}/{cell}") for cell in PUBLIC_CELLS}


def production_row(key: str) -> dict[str, str]:
    """Return the cells of a row of table 2, as printed."""
    return {cell: printed(f"faithful/table-2/{key}/{cell}") for cell in _PRODUCTION_CELLS}


def size_of(key: str) -> int:
    """Return how many prompts each model of a row of table 1 was given."""
    return int(printed("faithful/sec-3-1/bold-size").replace(",", "")) if key == BOLD else _PROMPTS_SIZE


def _rate_texts() -> tuple[str, str]:
    """Return precision and false omission rate as section 3.1 prints them."""
    return printed("faithful/sec-3-1/precision"), printed("faithful/sec-3-1/false-omission")


def toxicity_metric() -> MetricModel:
    """Return the metric model of section 3.1, its rates taken as printed."""
    return MetricModel(*_rate_texts())


def before_rounding(text: str) -> Enclosure:
    """Return the numbers that round to a printed decimal."""
    decimal = read_printed(text)
    return Enclosure(decimal.low, decimal.high)


def _whole_part(number: mpq) -> int:
    """Return the greatest whole number that is not above."""
    return int(number.numerator // number.denominator)


def counts_of_mean(text: str, size: int) -> list[int]:
    """Return all counts of positives among `size` outputs whose share rounds to the printed mean."""
    bounds = before_rounding(text)
    return list(range(max(0, -_whole_part(-bounds.lower * size)), _whole_part(bounds.upper * size) + 1))


@cache
def labelled_shares(precision: str, omission: str, total: int) -> tuple[tuple[int, int, int, int], ...]:
    """Return all (tp, tp + fp, fn, fn + tn) of `total` labelled texts whose two rates round to those printed."""
    return tuple(
        (right, positive, missed, total - positive)
        for positive in range(1, total)
        for missed in counts_of_mean(omission, total - positive)
        for right in counts_of_mean(precision, positive)
    )


def _model_variance_range(count: int, size: int, rates: tuple[str, str] | None = None) -> Enclosure:
    """Return what eq. 13 can be if precision and false omission rate are themselves rounded.

    Both raise p^R, and p^R(1 − p^R) rises with it below 1/2, so the ends belong to the ends.
    """
    precision, omission = map(before_rounding, rates or _rate_texts())
    share = mpq(count, size)
    ends = []
    for right, missed in ((precision.lower, omission.lower), (precision.upper, omission.upper)):
        real = right * share + missed * (1 - share)
        ends.append(real * (1 - real) / (size - 1))
    return Enclosure(min(ends), max(ends))


def samples_of(mean_text: str, variance_text: str) -> list[tuple[int, int]]:
    """Return all (count, N) whose share and variance p(1−p)/(N−1) round to both cells."""
    share, spread = before_rounding(mean_text), before_rounding(variance_text)
    ends = [end * (1 - end) for end in (share.lower, share.upper)]
    most = mpq(1, 4) if mpq(1, 2) in share else max(ends)
    # N − 1 = p(1−p)/Var.
    least_size, most_size = min(ends) / spread.upper + 1, most / spread.lower + 1
    return [
        (count, size)
        for size in range(max(2, -_whole_part(-least_size)), _whole_part(most_size) + 1)
        for count in counts_of_mean(mean_text, size)
        if mpq(count, size) * (1 - mpq(count, size)) / (size - 1) in spread
    ]


def meet(first: Enclosure, second: Enclosure) -> Enclosure | None:
    """Return what two intervals have in common, `None` if nothing."""
    lower, upper = max(first.lower, second.lower), min(first.upper, second.upper)
    return Enclosure(lower, upper) if lower <= upper else None


def excludes_zero(cells: Mapping[str, str], kind: str) -> bool:
    """Return whether a printed interval of a row lies on one side of 0."""
    return rational(cells[f"ci-{kind}-lower"]) * rational(cells[f"ci-{kind}-upper"]) > 0


@cache
def comparison(counts: tuple[int, int], size: int) -> Comparison:
    """Return two models of one size compared by the metric model of section 3.1."""
    return compare(control=(counts[0], size), treatment=(counts[1], size), metric=toxicity_metric())


@cache
def public_comparison(key: str) -> Comparison:
    """Return the comparison behind a row of table 1: its size, and the counts that its means leave."""
    size, cells = size_of(key), public_row(key)
    first, second = (counts_of_mean(cells[f"mean-{model}"], size)[0] for model in MODELS)
    return comparison((first, second), size)


_RIGHT = (Rounding.EXACT, Rounding.NEAREST, Rounding.HALF_UP, Rounding.HALF_DOWN)
_AROUND = 8
"""How many counts to either side of what a cell tells are tried."""


def _exact_cell(cell: str, counts: tuple[int, int], size: int) -> mpq | Surd:
    """Return what a cell of table 1 is, for given counts of toxic texts."""
    compared = comparison(counts, size)
    models = {"gpt2": compared.control, "gptneo": compared.treatment}
    parts = cell.split("-")
    if parts[0] == "mean":
        return models[parts[1]].observed_rate
    if parts[0] == "ate":
        return compared.difference()
    if parts[0] == "var":
        return variance(models[parts[2]], READINGS[parts[1]])
    interval = built(compared, READINGS[parts[1]], Centre.OBSERVED).interval
    return interval.lower if parts[2] == "lower" else interval.upper


def _fits(cell: str, text: str, counts: tuple[int, int], size: int) -> bool:
    if cell.startswith("var-m-"):
        count = counts[list(MODELS).index(cell.rpartition("-")[2])]
        return meet(_model_variance_range(count, size), before_rounding(text)) is not None
    return read_printed(text).rule_for(_exact_cell(cell, counts, size)) in _RIGHT


def _share(spread: mpq) -> mpq:
    """Return nearly the p below ½ with p(1 − p) as given: ½ − ½√(1 − 4p(1 − p))."""
    root = mpq(isqrt(_whole_part(max(1 - 4 * spread, mpq(0)) * 10**16)), 10**8)
    return (1 - root) / 2


def _candidates(cells: dict[str, str], model: str, size: int) -> set[int]:
    """Return counts near those that the mean and both variances of a model tell."""
    precision, omission = (read_printed(text).value for text in _rate_texts())
    values = {name: read_printed(text).value for name, text in cells.items() if name.endswith(model)}
    shares = [
        value if name.startswith("mean") else _share((size - 1) * value) for name, value in values.items()
    ]
    told = [
        (share - omission) / (precision - omission) if name.startswith("var-m") else share
        for name, share in zip(values, shares, strict=True)
    ]
    whole = [_whole_part(share * size) for share in told]
    return {max(0, count + step) for count in whole for step in range(-_AROUND, _AROUND + 1)}


@cache
def explained(row: str, without: str) -> tuple[tuple[int, int], ...]:
    """Return the pairs of counts that reproduce most cells of a row, one cell set aside."""
    size = size_of(row)
    cells = {name: text for name, text in public_row(row).items() if name != without}
    sides = []
    for place, model in enumerate(MODELS):
        own = [name for name in cells if name.endswith(model)]
        scores = {}
        for count in _candidates(cells, model, size):
            pair = (count, count) if place == 0 else (0, count)
            scores[count] = sum(_fits(name, cells[name], pair, size) for name in own)
        sides.append({count: score for count, score in scores.items() if score >= max(scores.values()) - 1})
    common = [name for name in cells if not name.endswith(tuple(MODELS))]
    totals = {
        (one, other): sides[0][one]
        + sides[1][other]
        + sum(_fits(name, cells[name], (one, other), size) for name in common)
        for one, other in product(*sides)
    }
    return tuple(sorted(pair for pair, total in totals.items() if total == max(totals.values())))


def _rounded_up(text: str, exact: mpq | Surd) -> str:
    decimal = read_printed(text)
    above = exact < decimal.value < exact + decimal.step
    return "rounded up although the next digit is below 5" if above else ""


def cell(printed: str, *, row: str, cell: str) -> Finding:
    """Compare a cell with its exact value at the counts that the other cells of the row tell."""
    size, found = size_of(row), explained(row, cell)
    counts = next((pair for pair in found if _fits(cell, printed, pair, size)), found[0])
    exact = _exact_cell(cell, counts, size)
    what = f"with {counts[0]} and {counts[1]} of {size}, which the other cells tell, it"
    judged = rounded(printed, exact, what, arose=_rounded_up(printed, exact))
    if cell.startswith("var-m-") and read_printed(printed).rule_for(exact) not in _RIGHT:
        bounds = _model_variance_range(counts[list(MODELS).index(cell.rpartition("-")[2])], size)
        fits = meet(bounds, before_rounding(printed)) is not None
        return possible(
            fits,
            *judged.evidence,
            "but precision and false omission rate are printed with four and five digits only; with all rates that "
            f"round to them it lies between {with_decimal(bounds.lower, 12)} and {with_decimal(bounds.upper, 12)}",
            right=judged.right,
        )
    return judged


def sample(*, row: str, model: str) -> Finding:
    """Ask whether any sample of zeros and ones, of any size, has this mean and this variance."""
    cells = public_row(row)
    mean_text, variance_text = cells[f"mean-{model}"], cells[f"var-d-{model}"]
    found = samples_of(mean_text, variance_text)
    sizes = [size for _, size in found]
    return as_printed(
        bool(found),
        f"samples of any size whose mean rounds to {mean_text} and whose p(1−p)/(N−1) rounds to {variance_text}: "
        + (f"{len(found)}, with N from {min(sizes)} to {max(sizes)}" if found else "none"),
        right="another mean or another variance",
    )


def decision(*, row: str, kind: str) -> Finding:
    """Compare what a printed interval decides with what the counts decide."""
    shown = excludes_zero(public_row(row), kind)
    result = built(public_comparison(row), READINGS[kind], Centre.OBSERVED)
    return decided(
        shown == (result.decision is not Decision.NOT_SHOWN),
        f"the printed interval {'leaves out' if shown else 'contains'} 0; recomputed it is {result.interval}: "
        f"{result.decision.value}",
        right=result.decision.value,
    )


def centre(*, row: str) -> Finding:
    """Ask whether the middles of both printed intervals are the printed effect, roundings allowed for."""
    cells = public_row(row)
    middles = [
        (before_rounding(cells[f"ci-{kind}-lower"]) + before_rounding(cells[f"ci-{kind}-upper"])) / 2
        for kind in READINGS
    ]
    effect = before_rounding(cells["ate"])
    common = meet(middles[0], middles[1])
    # An end of both intervals alone would have to be a half that is rounded up here and down there.
    left = None if common is None else meet(common, effect)
    inside = left is not None and (left.lower < left.upper or effect.lower < left.lower < effect.upper)
    right = "" if common is None else read_printed(cells["ate"]).right_text((common.lower + common.upper) / 2)
    return as_printed(
        inside,
        "; ".join(
            f"the middle of CI^{kind.upper()} lies between {with_decimal(each.lower)} and {with_decimal(each.upper)}"
            for kind, each in zip(READINGS, middles, strict=True)
        ),
        f"the effect is printed {cells['ate']}",
        right=right,
    )


def rate(printed: str, *, which: int) -> Finding:
    """Ask whether the four model-based variances of table 1 are possible with a rate, both rates read as rounded."""
    one, other = _rate_texts()
    texts = (printed, other) if which == 0 else (one, printed)
    misses = []
    for row, name in DATASETS.items():
        compared, cells = public_comparison(row), public_row(row)
        for key, model in zip(MODELS, (compared.control, compared.treatment), strict=True):
            bounds = _model_variance_range(model.counts[1], model.size, texts)
            if meet(bounds, before_rounding(cells[f"var-m-{key}"])) is None:
                misses.append(f"{name}, {key}")
    shares = labelled_shares(*texts, LABELLED)
    told = "; ".join(f"{a}/{b} and {c}/{d}" for a, b, c, d in shares) or "none"
    return as_printed(
        not misses and bool(shares),
        f"model-based variances of table 1 that no rates rounding to {texts[0]} and {texts[1]} give: "
        f"{', '.join(misses) or 'none'}",
        f"shares of {LABELLED} labelled texts (the published test set) that round to both: {told}",
    )


def bold_size(printed: str) -> Finding:
    """Ask whether a sample of this size has the means and the variance of GPT2 on BOLD."""
    size, cells = int(printed.replace(",", "")), public_row("bold")
    sizes = {each for _, each in samples_of(cells["mean-gpt2"], cells["var-d-gpt2"])}
    counts = [counts_of_mean(cells[f"mean-{model}"], size) for model in MODELS]
    others = [name for name in cells if name.startswith(("ci-", "var-m-"))]
    fitting = [
        all(_fits(name, cells[name], (one, other), size) for name in others)
        for one, other in product(*counts)
    ]
    return as_printed(
        size in sizes and any(fitting),
        f"mean and Var^D of GPT2 leave N from {min(sizes)} to {max(sizes)}",
        f"with N = {size} the means leave the counts {' and '.join(str(each) for each in counts)}",
        right=f"{min(sizes)} to {max(sizes)}",
    )


def prompts_size(printed: str) -> Finding:
    """Ask whether some size that the means and variances leave rounds to the printed thousands, to one digit."""
    thousands, cells = int(printed.removesuffix("K")), public_row("real-toxicity-prompts")
    possible_sizes = set.intersection(
        *(
            {size for _, size in samples_of(cells[f"mean-{model}"], cells[f"var-d-{model}"])}
            for model in MODELS
        )
    )
    low, high = min(possible_sizes), max(possible_sizes)
    near = Enclosure(low - mpq(1000), high + mpq(1000))
    return as_printed(
        thousands * 1000 in near,
        f"means and Var^D of both models leave N from {low} to {high} (the published set has 99442 prompts); the text "
        "gives a round number",
    )
