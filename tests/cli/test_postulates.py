"""`ntqr-exact postulates` prints what the library builds, and says what is allowed."""

import json

import pytest

from ntqr_exact.cli import main as frame
from ntqr_exact.postulates import complete, independent, pair, single, trio
from ntqr_exact.postulates.polynomial import Polynomial, read_formula


@pytest.fixture
def run(capsys):
    def call(*arguments):
        code = frame.main(["postulates", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), single().rates),
        (("--judges", "1", "--form", "responses"), single().responses),
        (("--judges", "2"), pair().rates),
        (("--judges", "3", "--form", "rates"), trio().rates),
        (("--judges", "3", "--form", "responses"), trio().responses),
        (("--judges", "4", "--independent"), independent(4)),
        (("--judges", "2", "--labels", "x,y,z", "--independent"), independent(2, ("x", "y", "z"))),
        (
            ("--judges", "2", "--labels", "x,y,z", "--form", "responses"),
            complete(2, ("x", "y", "z")).responses,
        ),
        (("--judges", "2", "--labels", "x,y"), pair(("x", "y")).rates),
    ],
)
def test_it_prints_every_postulate_in_every_format(run, arguments, expected):
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    assert out.splitlines() == [str(postulate) for postulate in expected]
    _, latex, _ = run(*arguments, "--format", "latex")
    assert latex.splitlines() == [f"{p.latex()} % {p.name}" for p in expected]
    for flag in (("--json",), ("--format", "json")):
        _, text, _ = run(*arguments, *flag)
        documents = json.loads(text)["postulates"]
        assert [Polynomial(d["polynomial"]) for d in documents] == [p.polynomial for p in expected]
        assert documents[0]["text"] == expected[0].statement()


def test_the_sympy_format_is_sympy_s_own(run):
    _, out, _ = run("--judges", "2", "--format", "sympy")
    for line, postulate in zip(out.splitlines(), pair().rates, strict=True):
        assert read_formula(line) == postulate.polynomial


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--judges", "0"), "judges must be >= 1"),
        (("--judges", "7"), "judges must be <= 6"),
        (("--judges", "99"), "at most 1024"),
        (("--judges", "two"), "not a valid integer"),
        (("--labels", "a"), "at least two labels"),
        (("--labels", "a,a"), "named twice"),
        (("--judges", "2", "--labels", "a,b,c"), "for two labels"),
        (("--form", "else"), "rates"),
        (("--independent", "--form", "responses"), "described in rates"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
