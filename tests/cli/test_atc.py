"""`ntqr-exact atc`: estimates in words and as JSON, and one line for bad input."""

import json
import re

import pytest

from ntqr_exact.cli import main as frame

SOURCE = "a,b,c,truth\n0.5,0.3,0.2,a\n0.9,0.05,0.05,a\n0.4,0.4,0.2,b\n0.1,0.2,0.7,c\n"
TARGET = "a,b,c\n0.5,0.25,0.25\n0.8,0.1,0.1\n0.35,0.35,0.3\n"


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(frame.COMMANDS, "atc", "ntqr_exact.cli.atc:atc_command")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "source.csv").write_text(SOURCE)
    (tmp_path / "target.csv").write_text(TARGET)

    def in_process(*arguments):
        code = frame.main(["atc", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return in_process


def test_the_estimate_in_words(run):
    code, out, err = run("source.csv", "target.csv", "--score", "max")
    assert (code, err) == (0, "")
    assert out == (
        "score max, max pᵢ; the threshold is the score of (5, 3, 2)/10.\n\n"
        "Source: 4 vectors of 3 labels:\n  error: 1/4 = 0.25\n  threshold: 1/2 = 0.5\n"
        "  below it: 1/4 = 0.25\n\n"
        "Target: 3 vectors:\n  below it, which estimates the error: 1/3 ≈ 0.333333\n"
    )


def test_the_score_decides(run):
    assert "threshold: √38/10 ≈ 0.616441" in run("source.csv", "target.csv", "--score", "l2")[1]
    out = run("source.csv", "target.csv", "--score", "entropy")[1]
    assert "threshold: (5·log 5 + 3·log 3 + 2·log 2 − 10·log 10)/10 ≈ -1.029653" in out


def test_json_is_exact(run):
    code, out, err = run("source.csv", "target.csv", "--json", "--resamples", "20", "--ties", "largest")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["source"] == {"size": 4, "gamma": "1/4", "share": "1/4"}
    assert found["target"] == {
        "size": 3,
        "estimate": "1/3",
        "error": "1/3",
        "accuracy": "2/3",
        "real_error": None,
        "real_accuracy": None,
    }
    assert found["threshold"] == {"vector": ["1/2", "3/10", "1/5"], "value": "1/2"}
    assert found["interval"]["method"] == "percentile"
    assert out == run("source.csv", "target.csv", "--json", "--resamples", "20", "--ties", "largest")[1]
    root = json.loads(run("source.csv", "target.csv", "--json", "--score", "l2")[1])
    assert root["threshold"]["value"] == {"rational": "0", "coefficient": "1/10", "radicand": "38"}
    log = json.loads(run("source.csv", "target.csv", "--json", "--score", "jensen-shannon")[1])
    assert "log" in log["threshold"]["value"]


def test_readings_and_a_given_error(run):
    out = run("source.csv", "target.csv", "--reading", "accuracy-above")[1]
    assert "at or above it, which estimates the accuracy: 2/3 ≈ 0.666667" in out
    out = run("source.csv", "target.csv", "--error", "1/2", "--truth", "truth")[1]
    assert "error: 1/2 = 0.5" in out


def test_the_real_error_is_shown_where_the_target_has_labels(run):
    out = run("source.csv", "source.csv", "--resamples", "10")[1]
    assert "the real error, by its labels: 1/4 = 0.25" in out
    assert "resampled sources put it, at level 19/20: from" in out


@pytest.mark.parametrize(
    ("arguments", "files", "words"),
    [
        (["source.csv", "none.csv"], {}, "none.csv: the file cannot be read"),
        (["target.csv", "target.csv"], {}, "no column 'truth'"),
        (["source.csv", "target.csv", "--error", "2"], {}, "Γ must lie between 0 and 1"),
        (["source.csv", "target.csv", "--error", "x"], {}, "not a number"),
        (["source.csv", "target.csv", "--score", "best"], {}, "'best' is not one of"),
        (["source.csv", "target.csv"], {"target.csv": "a,b\n1,0\n"}, "labels of the source are a, b, c"),
        (["source.csv", "target.csv"], {"target.csv": "a,b,c\n0.3,0.3,0.3\n"}, "line 2: .*target.csv"),
        (["source.csv", "target.csv", "--resamples", "5", "--level", "2"], {}, "strictly between"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, tmp_path, arguments, files, words):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search(words, err)


def test_rows_can_be_normalised(run, tmp_path):
    (tmp_path / "target.csv").write_text("a,b,c\n0.3,0.3,0.3\n")
    assert run("source.csv", "target.csv", "--normalise")[0] == 0
