"""Text from outside does not command the terminal."""

import json

import pytest

from ntqr_exact.cli.terminal import harmless

EVIL = "\x1b[2J\x9b1m\u202e\rb"


@pytest.mark.parametrize("command", [["votes", "show"], ["evaluate"], ["votes", "count"], ["agreement"]])
def test_names_with_escapes_are_shown_by_their_codes(run, tmp_path, command):
    path = tmp_path / "votes.json"
    path.write_text(json.dumps({"labels": ["a", EVIL], "judges": [EVIL, "B", "C"], "counts": {"a,a,a": 3}}))
    code, out, err = run(*command, path)
    assert code in (0, 1)
    assert not {"\x1b", "\x9b", "\u202e", "\r"} & {*out, *err}
    assert "\\u202e" in out


def test_what_json_says_stays_the_same(run, tmp_path):
    path = tmp_path / "votes.json"
    document = {"labels": ["a", EVIL], "judges": [EVIL], "counts": {"a": 3}}
    path.write_text(json.dumps(document))
    _, out, _ = run("votes", "count", path)
    assert json.loads(out) == document


def test_an_error_that_tells_of_a_name_is_harmless(run):
    code, out, err = run("votes", "show", EVIL)
    assert (code, out) == (2, "")
    assert "\x1b" not in err


def test_line_breaks_and_letters_of_any_script_stay():
    assert harmless("a\n\té√漢😀") == "a\n\té√漢😀"
