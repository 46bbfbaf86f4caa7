from __future__ import annotations

from gmpy2 import mpq, mpz

from ntqr_exact.blocks.html import MANY_ROWS, Markup, card, cell, fold, listed, number, table, tag, text
from ntqr_exact.exact.enclosure import Enclosure
from ntqr_exact.exact.surd import Surd
from ntqr_exact.metrics.undefined import Undefined

HOSTILE = '<script>alert("1")</script>'


def test_every_way_of_making_markup_escapes_what_is_text() -> None:
    made = [
        text(HOSTILE),
        tag("td", HOSTILE),
        tag("td", "x", title=HOSTILE),
        fold(HOSTILE, HOSTILE),
        table([HOSTILE], [[HOSTILE]]),
        listed([HOSTILE]),
        card(HOSTILE, HOSTILE),
        cell(HOSTILE),
        number(HOSTILE),
    ]
    for markup in made:
        assert "<script" not in markup
        assert "&lt;script&gt;" in markup
        assert isinstance(markup, Markup)


def test_markup_is_not_escaped_again() -> None:
    assert text(text("<")) == "&lt;"
    assert tag("p", tag("b", "&")) == "<p><b>&amp;</b></p>"


def test_a_long_number_shows_its_decimal_and_folds_out_exactly() -> None:
    long = mpq(7**60, 3**90)
    assert number(long).startswith("<details><summary>≈ ")
    assert f"</summary><span>{long}</span></details>" in number(long)
    surd = Surd(mpq(1, 10**30), mpq(1, 3**30), 7)
    assert str(surd) in number(surd)


def test_other_numbers_have_short_forms() -> None:
    assert number(mpz(5)) == number(5) == "5"
    assert number(Surd(0, 1, -2)) == "i·√2 (imaginary)"
    assert number(Undefined.NO_POSITIVES) == f"undefined: {Undefined.NO_POSITIVES.value}"
    assert number(Enclosure("1/4", "1/2")) == (
        "<details><summary>≈ 0.375000</summary><span>from 1/4 to 1/2</span></details>"
    )


def test_long_tables_and_lists_fold_and_say_how_long_they_are() -> None:
    rows = [[n] for n in range(MANY_ROWS + 1)]
    assert table([], rows[:-1]).startswith("<table>")
    assert table([], rows, unit="patterns").startswith(
        f"<details><summary>{MANY_ROWS + 1} patterns</summary><table>"
    )
    assert listed(range(MANY_ROWS + 1)).startswith(f"<details><summary>{MANY_ROWS + 1} of them</summary><ul>")
    assert listed(range(MANY_ROWS)).startswith("<ul>")
    assert listed([]) == ""
