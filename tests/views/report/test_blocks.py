"""Blocks of a report: tables with named rows, folded numbers, and pages that hold text as text."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from ntqr_exact import Surd
from ntqr_exact.views.report.blocks import MOST_ROWS, Section, count, data_table, rate
from ntqr_exact.views.report.page import page
from ntqr_exact.views.report.reproduce import command_line


def test_a_long_table_folds_and_a_very_long_one_says_what_it_leaves_out(parsed):
    short, long = (data_table("T", ["n"], [[n] for n in range(size)]) for size in (16, 17))
    assert not short.startswith("<details>")
    assert long.startswith("<details><summary>T: 17 rows</summary>")
    cut = parsed(data_table("T", ["n", "m"], [[n, n] for n in range(MOST_ROWS + 5)]))
    assert cut.tags.count("tr") == MOST_ROWS + 1
    assert f"T (the first {MOST_ROWS} of {MOST_ROWS + 5} rows)" in cut.text


def test_names_in_captions_headers_and_cells_are_escaped(parsed):
    bad = '"><script>x</script>'
    made = parsed(data_table(bad, [bad, bad], [[bad, bad]]))
    assert "script" not in made.tags
    assert made.text.count(bad) == 5
    assert ("div", "aria-label", bad) in made.attributes


@pytest.mark.parametrize(
    ("value", "start"),
    [
        (mpq(1, 3), "1/3 ≈ 0.333333"),
        (Surd.sqrt(-2), "<details><summary>imaginary</summary><span>i·√2"),
        (Surd(mpq(1, 10**9), mpq(1), 2), "<details><summary>≈ 1.414214</summary><span>"),
    ],
)
def test_a_rate_is_exact_or_folds_out_to_be(value, start):
    assert rate(value).startswith(start)


def test_a_count_of_thousands_of_digits_is_told():
    assert count(10**6000).startswith("<details><summary>≈ 1.00000e6000</summary><span>1000")


def test_characters_that_cannot_be_seen_are_written_by_their_codes(parsed):
    text = page("t\u202e\x00\u2066", "lead\x9b", [Section("s", "S", ())])
    assert parsed(text).text.count("t\\u202e\\u0000\\u2066") == 2
    assert "lead\\u009b" in text


def test_a_command_is_quoted_for_the_shell():
    assert (
        command_line(["report", "a b.csv", "--truth", "$(rm)"])
        == "ntqr-exact report 'a b.csv' --truth '$(rm)'"
    )
