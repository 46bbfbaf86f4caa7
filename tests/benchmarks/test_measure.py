"""What is done with measurements: limits, fitted exponents and the two pages. Nothing is timed here."""

import pytest

from benchmarks.measure import Growth, Point, Ratio
from benchmarks.page import growth_page, ratios_page


def ratio(value, limit=2.0):
    return Ratio("ours", "theirs 1.0", ours=value, theirs=1.0, limit=limit)


def growth(*seconds, power=2):
    points = tuple(
        Point(size, second, 1000 * size, float(size**power))
        for size, second in zip((10, 20, 40), seconds, strict=True)
    )
    return Growth("sorting", "n", "n² steps", points, "a lot", "more", "everything")


def test_a_floor_holds_up_to_itself_and_nearly_up_to_its_tolerance():
    assert [ratio(value).holds for value in (1.9, 2.0, 2.1, 4.1)] == [True, True, False, False]
    assert [ratio(value).holds_nearly for value in (2.1, 4.0, 4.1)] == [True, True, False]
    strict = [Ratio("ours", "theirs 1.0", value, 1.0, limit=2.0, tolerance=1.2) for value in (2.3, 2.5)]
    assert [row.holds_nearly for row in strict] == [True, False]


@pytest.mark.parametrize("power", [0, 1, 3])
def test_the_exponent_of_a_power_law_is_its_power(power):
    fitted = growth(*(5.0 * size**power for size in (10, 20, 40)), power=power)
    assert fitted.exponent == pytest.approx(power)
    assert fitted.formula_exponent == pytest.approx(power)
    assert fitted.memory_exponent == pytest.approx(1)


def test_the_page_of_ratios_marks_what_is_missed():
    page = ratios_page([ratio(0.001), ratio(3)])
    assert "| ours | theirs 1.0 | 1 ms | 1 s | 1/1,000 | 2 |" in page
    assert "| 3 s | 1 s | 3 | 2 **missed** |" in page


def test_the_page_of_growth_has_formula_and_measurement_side_by_side():
    page = growth_page([growth(0.1, 0.5, 1.5)])
    assert "| 20 | 500 ms | 400 ms | 20 kB |" in page
    assert "| 40 | 1.5 s | 1.6 s | 39 kB |" in page
    assert "Exponent of time 2.0 (formula 2.0), of memory 1.0." in page
    assert "- Not at all: everything." in page
