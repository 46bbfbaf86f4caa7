"""The printed tables of Goyal, Hu and Gupta 2023, and what their roundings leave open."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from gmpy2 import mpq

from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.registry import printed
from ntqr_exact.ledger.rounding import read_printed
from ntqr_exact.significance.comparison import Comparison, compare
from ntqr_exact.significance.metric_model import MetricModel
from ntqr_exact.significance.variance import VarianceReading

Z = mpq(49, 25)

LABELLED = 940
"""How many texts people labelled in the test set of the metric model, as it was published; not in the source."""

BOLD, PROMPTS = "bold", "real-toxicity-prompts"
DATASETS = {BOLD: "BOLD", PROMPTS: "RealToxicityPrompts"}
_PROMPTS_SIZE = 99_442
"""The number of prompts of RealToxicityPrompts as it was published; the source says 100K."""

EXPERIMENTS = ("exp1", "exp2", "exp3", "exp4", "exp5")
_ENDS = ("lower", "upper")
MODELS = {"gpt2": "control", "gptneo": "treatment"}
READINGS = {"d": VarianceReading.DETERMINISTIC, "m": VarianceReading.PRINTED}
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


def rate_texts() -> tuple[str, str]:
    """Return precision and false omission rate as section 3.1 prints them."""
    return printed("faithful/sec-3-1/precision"), printed("faithful/sec-3-1/false-omission")


def toxicity_metric() -> MetricModel:
    """Return the metric model of section 3.1, its rates taken as printed."""
    return MetricModel(*rate_texts())


def before_rounding(text: str) -> Enclosure:
    """Return the numbers that round to a printed decimal."""
    decimal = read_printed(text)
    return Enclosure(decimal.low, decimal.high)


def whole_part(number: mpq) -> int:
    """Return the greatest whole number that is not above."""
    return int(number.numerator // number.denominator)


def counts_of_mean(text: str, size: int) -> list[int]:
    """Return all counts of positives among `size` outputs whose share rounds to the printed mean."""
    bounds = before_rounding(text)
    return list(range(max(0, -whole_part(-bounds.lower * size)), whole_part(bounds.upper * size) + 1))


@cache
def labelled_shares(precision: str, omission: str, total: int) -> tuple[tuple[int, int, int, int], ...]:
    """Return all (tp, tp + fp, fn, fn + tn) of `total` labelled texts whose two rates round to those printed."""
    return tuple(
        (right, positive, missed, total - positive)
        for positive in range(1, total)
        for missed in counts_of_mean(omission, total - positive)
        for right in counts_of_mean(precision, positive)
    )


def model_variance_range(count: int, size: int, rates: tuple[str, str] | None = None) -> Enclosure:
    """Return what eq. 13 can be if precision and false omission rate are themselves rounded.

    Both raise p^R, and p^R(1 − p^R) rises with it below 1/2, so the ends belong to the ends.
    """
    precision, omission = map(before_rounding, rates or rate_texts())
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
        for size in range(max(2, -whole_part(-least_size)), whole_part(most_size) + 1)
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
