"""Work is estimated before it begins."""

import pytest

from ntqr_exact import Surd, bootstrap, work_limit
from ntqr_exact.budget import check_work
from ntqr_exact.cli.main import main
from ntqr_exact.errors import BadNumber, NotANumber, TooMuchWork
from ntqr_exact.exact.enclosure import enclose_normal_quantile
from ntqr_exact.exact.rational import rational_from_float
from ntqr_exact.postulates.polynomial import read_formula

X, Y = read_formula("x"), read_formula("y")


@pytest.mark.parametrize(
    "begin",
    [
        lambda: read_formula("(a+b+c+d+e+f+g)**64"),
        lambda: (X + Y) ** 10**9,
        lambda: Surd.sqrt(2).decimal(10**9),
        lambda: Surd.sqrt(2).scientific(10**9),
        lambda: enclose_normal_quantile("0.9", 10**5),
        lambda: bootstrap([1, 2], len, resamples=10**12, seed=1),
        lambda: rational_from_float(__import__("mpmath").mpf((0, 1, 10**12, 1))),
    ],
)
def test_too_much_work_is_refused_with_the_size_the_limit_and_the_way_to_raise_it(begin):
    with pytest.raises(TooMuchWork):
        begin()


def test_the_limit_can_be_raised_lowered_and_lifted():
    with work_limit(99), pytest.raises(TooMuchWork):
        check_work("it", 100)
    for limit in (100, None):
        with work_limit(limit):
            check_work("it", 100)
    with pytest.raises(TooMuchWork):
        check_work("it", 10**8)


@pytest.mark.parametrize(("limit", "error"), [(-1, BadNumber), ("1", NotANumber), (True, NotANumber)])
def test_a_limit_is_a_whole_number(limit, error):
    with pytest.raises(error), work_limit(limit):
        pass


def test_the_command_takes_a_limit(capsys):
    assert main(["--work-limit", "1", "demo"]) == 2
    assert "--work-limit" in capsys.readouterr().err
    assert main(["demo"]) == 0


def test_a_long_sum_is_a_formula():
    assert read_formula("+".join(["a"] * 1500)).numerator == 1500 * read_formula("a")
    assert read_formula("-" * 600 + "a-(b-c)*2/2") == read_formula("a-b+c")
