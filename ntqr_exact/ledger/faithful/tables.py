"""The printed tables of Goyal, Hu and Gupta 2023, and what their roundings leave open."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from gmpy2 import mpq

from ntqr_exact.exact.enclosure import Enclosure, enclose_sqrt
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.exact.rational import rational
from ntqr_exact.ledger.rounding import read_printed
from ntqr_exact.significance.comparison import Comparison, compare
from ntqr_exact.significance.metric_model import MetricModel

Z = mpq(49, 25)

LABELLED = 940
"""How many texts people labelled in the test set of the metric model, as it was published; not in the source."""
BOLD, PROMPTS = "bold", "real-toxicity-prompts"
SIDES = ("control", "treatment")
KINDS = {"d": "deterministic", "m": "printed"}
"""The letters D and M of the tables, and the variance that each names."""


@cache
def printed_tables() -> Mapping[str, Any]:
    """Return the document of both tables, cells as they are printed."""
    path = files("ntqr_exact.data.ledger").joinpath("faithful_tables.json")
    return MappingProxyType(read_json(path.read_text(encoding="utf-8")))


@cache
def public_rows() -> Mapping[str, Mapping[str, Any]]:
    """Return the rows of table 1 by the key of their data set."""
    return {row["key"]: row for row in printed_tables()["table 1"]["rows"]}


@cache
def production_rows() -> Mapping[str, Mapping[str, str]]:
    """Return the cells of table 2 by the key of their experiment."""
    return {row["key"]: row["cells"] for row in printed_tables()["table 2"]["rows"]}


def rate_texts() -> tuple[str, str]:
    """Return precision and false omission rate as section 3.1 prints them."""
    metric = printed_tables()["table 1"]["metric"]
    return metric["precision"], metric["false_omission"]


def toxicity_metric() -> MetricModel:
    """Return the metric model of section 3.1, its rates taken as printed."""
    return MetricModel(*rate_texts())


def before_rounding(printed: str) -> Enclosure:
    """Return the numbers that round to a printed decimal."""
    decimal = read_printed(printed)
    return Enclosure(decimal.low, decimal.high)


def whole_part(number: mpq) -> int:
    """Return the greatest whole number that is not above."""
    return int(number.numerator // number.denominator)


def counts_of_mean(printed: str, size: int) -> list[int]:
    """Return all counts of positives among `size` outputs whose share rounds to the printed mean."""
    bounds = before_rounding(printed)
    return list(range(max(0, -whole_part(-bounds.lower * size)), whole_part(bounds.upper * size) + 1))


@cache
def public_comparison(key: str) -> Comparison:
    """Return the comparison behind a row of table 1: its size, and the counts that its means leave."""
    row = public_rows()[key]
    size = int(row["size"])
    counts = [counts_of_mean(row["cells"][name], size)[0] for name in ("mean_control", "mean_treatment")]
    return compare(control=(counts[0], size), treatment=(counts[1], size), metric=toxicity_metric())


@cache
def labelled_shares(precision: str, omission: str, total: int) -> tuple[tuple[int, int, int, int], ...]:
    """Return all (tp, tp + fp, fn, fn + tn) of `total` labelled texts whose two rates round to those printed."""
    return tuple(
        (right, positive, missed, total - positive)
        for positive in range(1, total)
        for missed in counts_of_mean(omission, total - positive)
        for right in counts_of_mean(precision, positive)
    )


def model_variance(count: int, size: int, precision: mpq, omission: mpq) -> mpq:
    """Return eq. 13 at given rates."""
    share = mpq(count, size)
    real = precision * share + omission * (1 - share)
    return real * (1 - real) / (size - 1)


def model_variance_range(count: int, size: int) -> Enclosure:
    """Return what eq. 13 can be if precision and false omission rate are themselves rounded.

    Both raise p^R, and p^R(1 − p^R) rises with it below 1/2, so the ends belong to the ends.
    """
    precision, omission = map(before_rounding, rate_texts())
    return Enclosure(
        model_variance(count, size, precision.lower, omission.lower),
        model_variance(count, size, precision.upper, omission.upper),
    )


def sizes_of(mean_text: str, variance_text: str) -> Enclosure:
    """Return between which bounds N lies if both cells are right roundings: N − 1 = p(1−p)/Var."""
    share, spread = before_rounding(mean_text), before_rounding(variance_text)
    ends = [end * (1 - end) for end in (share.lower, share.upper)]
    most = mpq(1, 4) if mpq(1, 2) in share else max(ends)
    return Enclosure(min(ends) / spread.upper + 1, most / spread.lower + 1)


def samples_of(mean_text: str, variance_text: str) -> list[tuple[int, int]]:
    """Return all (count, N) whose share and variance p(1−p)/(N−1) round to both cells."""
    bounds, spread = sizes_of(mean_text, variance_text), before_rounding(variance_text)
    return [
        (count, size)
        for size in range(max(2, -whole_part(-bounds.lower)), whole_part(bounds.upper) + 1)
        for count in counts_of_mean(mean_text, size)
        if mpq(count, size) * (1 - mpq(count, size)) / (size - 1) in spread
    ]


def reach(control: str, treatment: str) -> Enclosure:
    """Return 1.96·√(Var_C + Var_T) over the roundings of both variances."""
    return Z * enclose_sqrt(before_rounding(control) + before_rounding(treatment))


def meet(first: Enclosure, second: Enclosure) -> Enclosure | None:
    """Return what two intervals have in common, `None` if nothing."""
    lower, upper = max(first.lower, second.lower), min(first.upper, second.upper)
    return Enclosure(lower, upper) if lower <= upper else None


def excludes_zero(lower: str, upper: str) -> bool:
    """Return whether a printed interval lies on one side of 0."""
    return rational(lower) * rational(upper) > 0
