"""Tables 1 and 2 of Goyal, Hu and Gupta 2023, recomputed and judged cell by cell.

The printed cells stand in the data of the ledger. Table 1 is recomputed from counts; table 2, whose counts are not
published, is checked by interval arithmetic on what each printed cell may have been before it was rounded.
"""

import json
import math
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest
from gmpy2 import mpq

from ntqr_exact import rational
from ntqr_exact.exact.decimal_text import significant_text
from ntqr_exact.exact.enclosure import Enclosure, enclose_sqrt
from ntqr_exact.ledger.faithful.readings import SourceReading, built, variance
from ntqr_exact.sampling.comparison import Centre, compare
from ntqr_exact.sampling.metric_model import MetricModel, performance
from ntqr_exact.sampling.normal_interval import Decision

TABLES = json.loads((Path(__file__).parent / "faithful_tables.json").read_text(encoding="utf-8"))
TABLE_1 = {row["dataset"]: row for row in TABLES["table 1"]["rows"]}
TABLE_2 = {row["experiment"]: row["cells"] for row in TABLES["table 2"]["rows"]}
COUNTS = {"BOLD": (108, 56), "RealToxicityPrompts": (9073, 9106)}
METRIC = MetricModel(TABLES["table 1"]["metric"]["precision"], TABLES["table 1"]["metric"]["false_omission"])
Z = mpq(49, 25)


def unit(printed):
    """One unit in the last printed digit."""
    digits, _, exponent = printed.partition("e")
    places = len(digits.partition(".")[2])
    return mpq(10) ** (int(exponent or 0) - places)


def judge(exact, printed):
    """How the printed decimal comes from the exact number: the nearest, cut off, rounded away from 0, or not at all."""
    steps, shown = exact / unit(printed), rational(printed) / unit(printed)
    if abs(steps - shown) <= mpq(1, 2):
        return "right"
    size = abs(steps)
    if abs(shown) == math.floor(size):
        return "cut off"
    return "rounded away" if abs(shown) == math.ceil(size) else "wrong"


def before_rounding(printed):
    """All numbers that round to a printed decimal."""
    half = unit(printed) / 2
    return Enclosure(rational(printed) - half, rational(printed) + half)


def comparison(dataset):
    size = TABLE_1[dataset]["size"]
    control, treatment = COUNTS[dataset]
    return compare(control=(control, size), treatment=(treatment, size), metric=METRIC)


def recomputed(dataset):
    compared = comparison(dataset)
    cells = {
        "mean_control": compared.control.observed_rate,
        "mean_treatment": compared.treatment.observed_rate,
        "difference": compared.difference(),
    }
    for reading in (SourceReading.DETERMINISTIC, SourceReading.PRINTED):
        interval = built(compared, reading, Centre.OBSERVED).interval
        cells[f"{reading.value}_control"] = variance(compared.control, reading)
        cells[f"{reading.value}_treatment"] = variance(compared.treatment, reading)
        cells[f"{reading.value}_lower"] = interval.lower
        cells[f"{reading.value}_upper"] = interval.upper
    return cells


# -- table 1 -----------------------------------------------------------------------------------------

DEVIATIONS = {
    ("BOLD", "difference"): "cut off",  # −0.0021960…: the nearest is −0.00220
    ("BOLD", "deterministic_treatment"): "rounded away",  # 9.9644e-8: the nearest is 9.96e-8
    ("RealToxicityPrompts", "printed_control"): "cut off",  # 2.0624759e-6: the nearest is 2.06248e-6
    ("RealToxicityPrompts", "printed_treatment"): "wrong",  # 2.0634117e-6: the nearest is 2.063412e-6
}


@pytest.mark.parametrize(
    ("dataset", "cell"), [(dataset, cell) for dataset, row in TABLE_1.items() for cell in row["cells"]]
)
def test_a_cell_of_table_1_is_what_the_counts_give_unless_listed_as_a_deviation(dataset, cell):
    printed = TABLE_1[dataset]["cells"][cell]
    assert judge(recomputed(dataset)[cell], printed) == DEVIATIONS.get((dataset, cell), "right")


@pytest.mark.parametrize("dataset", TABLE_1)
def test_the_printed_means_leave_one_count_each(dataset):
    size = int(TABLE_1[dataset]["size"])
    for mean, count in zip(("mean_control", "mean_treatment"), COUNTS[dataset], strict=True):
        bounds = before_rounding(TABLE_1[dataset]["cells"][mean])
        assert [k for k in range(size + 1) if mpq(k, size) in bounds] == [count]


def test_the_worked_numbers_come_out():
    bold = comparison("BOLD")
    assert significant_text(variance(bold.control, SourceReading.PRINTED), 6) == "7.49567e-6"
    deterministic, printed = (
        built(bold, each) for each in (SourceReading.DETERMINISTIC, SourceReading.PRINTED)
    )
    assert deterministic.interval.decimals() == ("-0.003254", "-0.001138")
    assert printed.interval.decimals() == ("-0.009776", "0.005384")


def test_section_3_1_1_the_variance_grows_39_times():
    bold = comparison("BOLD").control
    ratio = variance(bold, SourceReading.PRINTED) / variance(bold, SourceReading.DETERMINISTIC)
    assert judge(ratio, "39") == "right"


def test_section_3_1_1_the_conclusion_changes_on_bold_only_and_depends_on_the_reading():
    decided = {each: built(comparison("BOLD"), each).decision for each in SourceReading}
    assert decided[SourceReading.DETERMINISTIC] is Decision.LOWER
    assert decided[SourceReading.PRINTED] is Decision.NOT_SHOWN
    assert decided[SourceReading.ESTIMATOR] is Decision.LOWER  # errors of known size change nothing
    assert {built(comparison("RealToxicityPrompts"), each).decision for each in SourceReading} == {
        Decision.NOT_SHOWN
    }


def test_the_same_prompts_make_paired_samples_but_no_overlap_changes_the_decisions_on_bold():
    for both in (0, 56):
        paired = compare(control=(108, 23679), treatment=(56, 23679), metric=METRIC, both=both)
        assert built(paired, SourceReading.DETERMINISTIC).decision is Decision.LOWER
        assert built(paired, SourceReading.PRINTED).decision is Decision.NOT_SHOWN


def test_no_count_with_the_printed_mean_has_the_printed_deterministic_variance_on_bold():
    highest = before_rounding("0.00236").upper
    assert highest * (1 - highest) / 23678 < before_rounding("9.97e-8").lower


def test_no_size_near_100_000_gives_both_model_based_variances_of_real_toxicity_prompts():
    # However they were rounded: the cells are taken one whole unit of their last digit wide to each side.
    cells = TABLE_1["RealToxicityPrompts"]["cells"]

    def fits(count, size, name):
        found = variance(performance((count, size), metric=METRIC), SourceReading.PRINTED)
        return abs(found - rational(cells[name])) < unit(cells[name])

    def counts(size, mean):
        bounds = before_rounding(mean)
        return range(math.ceil(bounds.lower * size), math.floor(bounds.upper * size) + 1)

    for size in range(99_000, 101_000):
        left = [k for k in counts(size, cells["mean_control"]) if fits(k, size, "printed_control")]
        right = [k for k in counts(size, cells["mean_treatment"]) if fits(k, size, "printed_treatment")]
        assert not (left and right)


# -- table 2 -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """What the printed roundings of one experiment and kind of variance leave open."""

    centre: Enclosure
    half_width: Enclosure
    reach: Enclosure

    @classmethod
    def of(cls, experiment, kind):
        cells = TABLE_2[experiment]
        lower, upper = (before_rounding(cells[f"{kind}_{end}"]) for end in ("lower", "upper"))
        total = before_rounding(cells[f"{kind}_control"]) + before_rounding(cells[f"{kind}_treatment"])
        return cls((lower + upper) / 2, (upper - lower) / 2, Z * enclose_sqrt(total))


def meet(left, right):
    return max(left.lower, right.lower) <= min(left.upper, right.upper)


INCONSISTENT_WIDTHS = {("Exp3", "deterministic"), ("Exp5", "printed")}


@pytest.mark.parametrize("kind", ["deterministic", "printed"])
@pytest.mark.parametrize("experiment", TABLE_2)
def test_an_interval_of_table_2_is_as_wide_as_its_variances_say_unless_listed(experiment, kind):
    row = Row.of(experiment, kind)
    assert meet(row.half_width, row.reach) == ((experiment, kind) not in INCONSISTENT_WIDTHS)


@pytest.mark.parametrize("experiment", TABLE_2)
def test_both_intervals_of_table_2_have_one_centre_unless_listed(experiment):
    deterministic, printed = Row.of(experiment, "deterministic"), Row.of(experiment, "printed")
    assert meet(deterministic.centre, printed.centre) == (experiment != "Exp5")


def test_exp3_is_off_by_less_than_one_unit_of_rounding():
    row = Row.of("Exp3", "deterministic")
    assert row.reach.upper < row.half_width.lower
    assert row.half_width.lower - row.reach.upper < mpq(1, 10**6)


def test_exp5_has_an_upper_end_ten_times_too_small():
    # From the centre of the deterministic interval and the printed variances.
    upper = Row.of("Exp5", "deterministic").centre + Row.of("Exp5", "printed").reach
    lower = Row.of("Exp5", "deterministic").centre - Row.of("Exp5", "printed").reach
    assert meet(lower, before_rounding("-0.00004"))
    assert not meet(upper, before_rounding("0.00006"))
    assert meet(upper, before_rounding("0.00057"))
    assert meet(upper, before_rounding("0.0006"))


def differences(experiment):
    """The observed difference as each printed end tells it: f = lower + z√V = upper − z√V."""
    found = {}
    for kind in ("deterministic", "printed"):
        reach = Row.of(experiment, kind).reach
        found[f"{kind}_lower"] = before_rounding(TABLE_2[experiment][f"{kind}_lower"]) + reach
        found[f"{kind}_upper"] = before_rounding(TABLE_2[experiment][f"{kind}_upper"]) - reach
    return found


CONFLICTS = {
    "Exp3": {("deterministic_lower", "deterministic_upper")},
    "Exp5": {
        (other, "printed_upper") for other in ("deterministic_lower", "deterministic_upper", "printed_lower")
    },
}


@pytest.mark.parametrize("experiment", TABLE_2)
def test_all_ends_of_an_experiment_tell_of_one_difference_unless_listed(experiment):
    told = differences(experiment)
    found = {(one, other) for one, other in combinations(told, 2) if not meet(told[one], told[other])}
    assert found == CONFLICTS.get(experiment, set())


@pytest.mark.parametrize("experiment", TABLE_2)
def test_section_3_2_1_every_printed_conclusion_changes(experiment):
    cells = {name: rational(printed) for name, printed in TABLE_2[experiment].items()}
    assert cells["deterministic_lower"] * cells["deterministic_upper"] > 0
    assert cells["printed_lower"] * cells["printed_upper"] < 0


@pytest.mark.parametrize("experiment", TABLE_2)
def test_considering_errors_never_lowers_a_variance_in_table_2(experiment):
    cells = {name: rational(printed) for name, printed in TABLE_2[experiment].items()}
    assert cells["printed_control"] > cells["deterministic_control"]
    assert cells["printed_treatment"] > cells["deterministic_treatment"]


def test_judging_tells_the_roundings_apart():
    assert judge(mpq(219604, 10**8), "0.00220") == "right"
    assert judge(mpq(-219604, 10**8), "-0.00219") == "cut off"
    assert judge(mpq(219104, 10**8), "0.00220") == "rounded away"
    assert judge(mpq(219604, 10**8), "0.00221") == "wrong"
    assert unit("1.92e-7") == mpq(1, 10**9)
