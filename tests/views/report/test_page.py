"""The page around the sections of a report, and commands as they are typed."""

from __future__ import annotations

from ntqr_exact.blocks.block import Section
from ntqr_exact.views.report.page import page
from ntqr_exact.views.report.reports import command_line


def test_characters_that_cannot_be_seen_are_written_by_their_codes(parsed):
    text = page("t\u202e\x00\u2066", "lead\x9b", [Section("s", "S", ())])
    assert parsed(text).text.count("t\\u202e\\u0000\\u2066") == 2
    assert "lead\\u009b" in text


def test_a_command_is_quoted_for_the_shell():
    assert (
        command_line(["report", "a b.csv", "--truth", "$(rm)"])
        == "ntqr-exact report 'a b.csv' --truth '$(rm)'"
    )
