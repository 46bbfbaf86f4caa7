"""`ntqr-exact inversions`: the table of smallest inversions, in words and as JSON."""

import json

import pytest

from ntqr_exact.cli import main as frame

TABLE = """\
scores                       denominator  first prefers  second prefers  pairs
max / l2                               8      (5, 2, 1)       (4, 4, 0)      1
max / l1-uniform                       8      (5, 2, 1)       (4, 4, 0)      1
max / l2-uniform                       8      (5, 2, 1)       (4, 4, 0)      1
max / entropy                          6      (4, 1, 1)       (3, 3, 0)      1
max / jensen-shannon                   6      (4, 1, 1)       (3, 3, 0)      1
l2 / l1-uniform                       16     (10, 6, 0)      (11, 3, 2)      1
l2 / l2-uniform                     > 20           none            none      0
l2 / entropy                           7      (5, 1, 1)       (4, 3, 0)      1
l2 / jensen-shannon                    7      (5, 1, 1)       (4, 3, 0)      1
l1-uniform / l2-uniform               16     (11, 3, 2)      (10, 6, 0)      1
l1-uniform / entropy                   7      (5, 1, 1)       (4, 3, 0)      1
l1-uniform / jensen-shannon            7      (5, 1, 1)       (4, 3, 0)      1
l2-uniform / entropy                   7      (5, 1, 1)       (4, 3, 0)      1
l2-uniform / jensen-shannon            7      (5, 1, 1)       (4, 3, 0)      1
entropy / jensen-shannon               9      (7, 1, 1)       (5, 4, 0)      1
"""


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setitem(frame.COMMANDS, "inversions", "ntqr_exact.cli.inversions:inversions")

    def in_process(*arguments):
        code = frame.main(["inversions", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return in_process


def test_the_table_of_three_labels(run):
    assert run("--labels", "3", "--max-denominator", "20") == (0, TABLE, "")


def test_json_tells_what_was_examined(run):
    code, out, err = run("--scores", "max,entropy", "--json")
    assert (code, err) == (0, "")
    (search,) = json.loads(out)["searches"]
    assert search["inversions"] == [{"first_prefers": [4, 1, 1], "second_prefers": [3, 3, 0]}]
    assert (search["end"], search["denominator"], search["verified"]) == ("found", 6, True)
    assert search["examined"][-1] == {"denominator": 6, "vectors": 7}
    none = json.loads(run("--labels", "2", "--scores", "max,l2", "--json")[1])["searches"][0]
    assert (none["end"], none["inversions"]) == ("none-to-denominator", [])


def test_bad_input(run):
    for arguments, words in (
        (["--labels", "1"], "--labels"),
        (["--max-denominator", "1"], "--max-denominator"),
        (["--scores", "max,best"], "the scores are"),
        (["--scores", '"'], "not a list of names"),
    ):
        code, out, err = run(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert words in err


def test_one_score_alone_has_no_inversion(capsys):
    assert frame.main(["inversions", "--scores", "max"]) == 2
    assert "between two different scores" in capsys.readouterr().err
