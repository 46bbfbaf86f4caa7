"""What is done with measurements: limits and the page. Nothing is timed here."""

from benchmarks.measure import Ratio
from benchmarks.page import ratios_page


def ratio(value, limit=2.0):
    return Ratio("ours", "theirs 1.0", ours=value, theirs=1.0, limit=limit)


def test_a_floor_holds_up_to_itself_and_nearly_up_to_its_tolerance():
    assert [ratio(value).holds for value in (1.9, 2.0, 2.1, 4.1)] == [True, True, False, False]
    assert [ratio(value).holds_nearly for value in (2.1, 4.0, 4.1)] == [True, True, False]
    strict = [Ratio("ours", "theirs 1.0", value, 1.0, limit=2.0, tolerance=1.2) for value in (2.3, 2.5)]
    assert [row.holds_nearly for row in strict] == [True, False]


def test_the_page_of_ratios_marks_what_is_missed():
    page = ratios_page([ratio(0.001), ratio(3)])
    assert "| ours | theirs 1.0 | 1 ms | 1 s | 1/1,000 | 2 |" in page
    assert "| 3 s | 1 s | 3 | 2 **missed** |" in page
