"""The arithmetic over roundings behind tables 1 and 2, against brute force and rows that are made to fit."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.faithful import production_table, tables
from ntqr_exact.ledger.faithful.tables import (
    DATASETS,
    EXPERIMENTS,
    LABELLED,
    MODELS,
    PUBLIC_CELLS,
    READINGS,
    before_rounding,
    counts_of_mean,
    labelled_shares,
    meet,
    production_row,
    public_row,
    samples_of,
    size_of,
)
from ntqr_exact.ledger.judgement import DEVIATIONS


def half_step(text):
    digits, _, exponent = text.partition("e")
    return Fraction(10) ** (int(exponent or 0) - len(digits.partition(".")[2])) / 2


def rounds_to(number, text):
    return abs(number - Fraction(text)) <= half_step(text)


# -- table 1 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mean", "spread", "sizes"),
    [
        ("0.00456", "1.92e-7", range(23650, 23700)),
        ("0.00236", "9.97e-8", range(23640, 23690)),
        ("0.5", "0.1", range(2, 40)),
    ],
)
def test_samples_are_all_that_brute_force_finds(mean, spread, sizes):
    found = {
        (count, size)
        for size in sizes
        for count in range(min(size, 150) + 1)
        if rounds_to(Fraction(count, size), mean)
        and rounds_to(Fraction(count * (size - count), size * size * (size - 1)), spread)
    }
    assert {each for each in samples_of(mean, spread) if each[1] in sizes} == found


@pytest.fixture
def altered(monkeypatch):
    """Print some cells of table 1 or 2 otherwise, for all checks."""

    def alter(function, row, **changes):
        true = getattr(tables, function)
        cells = {**true(row), **{name.replace("_", "-"): text for name, text in changes.items()}}
        for module in (tables, production_table):
            if hasattr(module, function):
                monkeypatch.setattr(module, function, lambda key: dict(cells) if key == row else true(key))
        tables.explained.cache_clear()
        return cells

    yield alter
    tables.explained.cache_clear()


def verdicts(check, row, cells):
    return {name: check(text, row=row, cell=name).verdict for name, text in cells.items()}


def test_the_other_cells_of_a_row_tell_the_counts_of_each_cell():
    for row in DATASETS:
        counts = [counts_of_mean(public_row(row)[f"mean-{model}"], size_of(row)) for model in MODELS]
        assert all(len(each) == 1 for each in counts)
        for cell in PUBLIC_CELLS:
            assert tables.explained(row, cell) == ((counts[0][0], counts[1][0]),)


@pytest.mark.slow
def test_two_errors_in_a_row_of_table_1_do_not_hide_each_other(altered):
    cells = altered("public_row", "real-toxicity-prompts", mean_gpt2="0.09214", var_d_gptneo="8.47e-7")
    found = verdicts(tables.cell, "real-toxicity-prompts", cells)
    assert {name for name, verdict in found.items() if verdict in DEVIATIONS} == {"mean-gpt2", "var-d-gptneo"}


@pytest.mark.parametrize(
    ("row", "changes"),
    [
        ("exp1", {"var_d_c": "8.29e-5", "ci_m_upper": "0.02148"}),
        ("exp2", {"ci_d_lower": "0.00107", "ci_m_lower": "-0.00110"}),
        ("exp5", {"var_d_c": "1.84e-9"}),  # beside the upper end of CI^M, which is wrong as printed
    ],
)
def test_two_errors_in_a_row_of_table_2_do_not_hide_each_other(altered, row, changes):
    cells = altered("production_row", row, **changes)
    found = verdicts(production_table.cell, row, cells)
    for name in changes:
        assert found[name.replace("_", "-")] in DEVIATIONS
    assert row != "exp5" or found["ci-m-upper"] in DEVIATIONS


def test_labelled_shares_are_all_that_brute_force_finds():
    found = set()
    for positive in range(1, LABELLED):
        other = LABELLED - positive
        # |a/n − 0.8897| ≤ 0.00005 and |c/m − 0.22769| ≤ 0.000005, in whole numbers.
        right = [a for a in range(positive + 1) if 2 * abs(10**4 * a - 8897 * positive) <= positive]
        missed = [c for c in range(other + 1) if 2 * abs(10**5 * c - 22769 * other) <= other]
        found |= {(a, positive, c, other) for a in right for c in missed}
    assert set(labelled_shares("0.8897", "0.22769", LABELLED)) == found == {(258, 290, 148, 650)}


# -- table 2 ------------------------------------------------------------------------------------------------------

small = st.integers(100, 9999)


@st.composite
def fitting_rows(draw):
    """Draw a row that was computed from exact numbers and then rounded, as the table is."""
    difference = rational(draw(st.integers(-500, 500))) / 10**4
    cells = {}
    for kind in READINGS:
        total = rational(0)
        for side in "ct":
            exact = rational(draw(small)) / 10**8
            total += exact
            cells[f"var-{kind}-{side}"] = f"{fixed_text(exact * 10**5, 2)}e-5"
        reach = Surd.sqrt(total) * rational("1.96")
        cells[f"ci-{kind}-lower"] = fixed_text(difference - reach, 5)
        cells[f"ci-{kind}-upper"] = fixed_text(difference + reach, 5)
    return difference, cells


@given(fitting_rows())
def test_a_row_that_was_rounded_rightly_fits_its_difference_and_each_of_its_cells(made):
    difference, cells = made
    found = production_table.differences(cells)
    assert found is not None
    assert difference in found
    assert production_table.repairs(cells) == [frozenset()]
    for name, text in cells.items():
        left = production_table.left_by_others(cells, name)
        assert left is not None
        assert meet(left, before_rounding(text)) is not None, name


@given(fitting_rows(), st.sampled_from(["lower", "upper"]), st.sampled_from(list(READINGS)))
def test_an_end_moved_far_away_is_a_suspect_and_is_left_where_it_was(made, end, kind):
    _, cells = made
    name = f"ci-{kind}-{end}"
    moved = {**cells, name: fixed_text(rational(cells[name]) + 1, 5)}
    assert production_table.differences(moved) is None
    assert frozenset({name}) in production_table.repairs(moved)
    left = production_table.left_by_others(moved, name)
    assert left is not None
    assert meet(left, before_rounding(cells[name])) is not None


def test_only_two_rows_of_the_table_do_not_fit_and_the_blame_is_as_stated():
    blamed = {
        row: {name for each in production_table.repairs(production_row(row)) for name in each}
        for row in EXPERIMENTS
    }
    assert blamed == {
        "exp1": set(),
        "exp2": set(),
        "exp3": {"var-d-c", "var-d-t", "ci-d-lower", "ci-d-upper"},
        "exp4": set(),
        "exp5": {"ci-m-upper"},
    }
