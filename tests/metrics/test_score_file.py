"""Score files: columns, classes, exact decimals, and errors that name the place."""

import io

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadDecisions
from ntqr_exact.metrics.score_file import read_scores


def read(text, **options):
    return read_scores(io.StringIO(text), label="y", score="s", **options)


def test_columns_are_found_by_name_and_decimals_are_exact():
    samples = read("T,s,w,y\nB,0.1,1/3, true \nrest,1e-1,2,false\n\n", weight="w", stratum="T")
    assert samples.scores == [mpq(1, 10), mpq(1, 10)]
    assert samples.weights == [mpq(1, 3), mpq(2)]
    assert samples.strata == ["B", "rest"]
    assert samples.labels == ["true", "false"]
    assert samples.classes == ("false", "true")


@pytest.mark.parametrize(
    ("labels", "positive", "classes"),
    [
        (("0", "1"), None, ("0", "1")),
        (("1", "-1"), None, ("-1", "1")),
        (("No", "YES"), None, ("No", "YES")),
        (("1", "1"), None, ("0", "1")),
        (("ham", "spam"), "spam", ("ham", "spam")),
        (("0", "1"), "0", ("1", "0")),
        (("x", "x"), "x", ("not x", "x")),
    ],
)
def test_the_positive_label_is_known_or_named(labels, positive, classes):
    assert read(f"y,s\n{labels[0]},1\n{labels[1]},2\n", positive=positive).classes == classes


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        ("", {}, "line 1: .*empty"),
        ("y,x\n1,2\n", {}, "a column must be one of 'y', 'x'"),
        ("y,y,s\n1,1,2\n", {}, "different names"),
        ("y,s\n", {}, "at least one sample"),
        ("y,s\n1,0.5\n0,x\n", {}, "line 3, column 's': 'x': not a number"),
        ("y,s\n1,nan\n", {}, "line 2, column 's'"),
        ("y,s\n1\n", {}, "line 2: .*2 cells"),
        ("y,s\n ,1\n", {}, "line 2, column 'y': ' ': this cell is empty"),
        ("y,s\na,1\nb,2\nc,3\n", {}, "two labels, not 3"),
        ("y,s\na,1\nb,2\n", {}, "which of these labels is the positive one"),
        ("y,s\n1,1\n0,2\n", {"positive": "2"}, "the labels are '0', '1'"),
        ('y,s\n"1,1\n', {}, "proper CSV"),
        ("y,s\n1,1\n", {"delimiter": ";;"}, "one character"),
    ],
)
def test_errors_name_line_and_column(text, options, complaint):
    with pytest.raises(BadDecisions, match=complaint):
        read(text, **options)


def test_files_are_read_with_or_without_a_mark_and_refused_when_missing_or_binary(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(b"\xef\xbb\xbfy;s\r\n1;0.5\r\n0;0.25\r\n")
    assert read_scores(path, label="y", score="s", delimiter=";").scores == [mpq(1, 2), mpq(1, 4)]
    with pytest.raises(BadDecisions):
        read_scores(tmp_path / "missing.csv", label="y", score="s")
    path.write_bytes(b"y,s\n1,\xff\n")
    with pytest.raises(BadDecisions):
        read_scores(path, label="y", score="s")


def test_long_files_report_their_progress():
    progress = []
    read("y,s\n" + "1,1\n0,2\n" * 10_000, progress=progress.append)
    assert progress == [8192, 8192]
