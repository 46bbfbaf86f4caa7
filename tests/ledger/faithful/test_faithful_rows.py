"""The arithmetic over roundings behind tables 1 and 2, against brute force and rows that are made to fit."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact.exact.decimal_text import fixed_text
from ntqr_exact.exact.rational import rational
from ntqr_exact.exact.surd import Surd
from ntqr_exact.ledger.faithful import production_row as rows
from ntqr_exact.ledger.faithful.tables import (
    KINDS,
    LABELLED,
    before_rounding,
    counts_of_mean,
    labelled_shares,
    meet,
    production_rows,
    public_rows,
    samples_of,
)


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


def test_the_means_of_both_rows_leave_one_count_each():
    for row in public_rows().values():
        for side in ("control", "treatment"):
            assert len(counts_of_mean(row["cells"][f"mean_{side}"], int(row["size"]))) == 1


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
    for word in KINDS.values():
        total = rational(0)
        for side in ("control", "treatment"):
            exact = rational(draw(small)) / 10**8
            total += exact
            cells[f"{word}_{side}"] = f"{fixed_text(exact * 10**5, 2)}e-5"
        reach = Surd.sqrt(total) * rational("1.96")
        cells[f"{word}_lower"] = fixed_text(difference - reach, 5)
        cells[f"{word}_upper"] = fixed_text(difference + reach, 5)
    return difference, cells


@given(fitting_rows())
def test_a_row_that_was_rounded_rightly_fits_its_difference_and_each_of_its_cells(made):
    difference, cells = made
    found = rows.differences(cells)
    assert found is not None
    assert difference in found
    assert rows.suspects(cells) == []
    for name, text in cells.items():
        left = rows.left_by_others(cells, name)
        assert left is not None
        assert meet(left, before_rounding(text)) is not None, name


@given(fitting_rows(), st.sampled_from(["lower", "upper"]), st.sampled_from(list(KINDS.values())))
def test_an_end_moved_far_away_is_a_suspect_and_is_left_where_it_was(made, end, word):
    _, cells = made
    name = f"{word}_{end}"
    moved = {**cells, name: fixed_text(rational(cells[name]) + 1, 5)}
    assert rows.differences(moved) is None
    assert name in rows.suspects(moved)
    left = rows.left_by_others(moved, name)
    assert left is not None
    assert meet(left, before_rounding(cells[name])) is not None


def test_only_two_rows_of_the_table_do_not_fit_and_the_blame_is_as_stated():
    blamed = {row: rows.suspects(cells) for row, cells in production_rows().items()}
    assert blamed == {
        "exp1": [],
        "exp2": [],
        "exp3": [
            "deterministic_control",
            "deterministic_treatment",
            "deterministic_lower",
            "deterministic_upper",
        ],
        "exp4": [],
        "exp5": ["printed_upper"],
    }


def test_one_digit_mends_exp3_and_none_mends_exp5():
    mended = rows.mending_digits(production_rows()["exp3"])
    assert ("deterministic_treatment", "4.92e-9") in mended
    assert ("deterministic_upper", "0.00046") in mended
    for name, text in mended:
        assert rows.differences({**production_rows()["exp3"], name: text}) is not None
    assert rows.mending_digits(production_rows()["exp5"]) == []
