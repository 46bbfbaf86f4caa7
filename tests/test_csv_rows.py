"""Opening a CSV and reading its rows."""

import io

import pytest

from ntqr_exact.csv_rows import check_delimiter, numbered_rows, opened
from ntqr_exact.errors import BadDecisions


def rows_of(source, **options):
    with opened(source) as stream:
        return list(numbered_rows(stream, **options))


def test_rows_come_with_the_line_on_which_they_end_and_blank_lines_are_passed_over(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes('\ufeffa;b\r\n\r\n"x\ny";2\r\n'.encode())
    expected = [(1, ["a", "b"]), (4, ["x\ny", "2"])]
    assert rows_of(path, delimiter=";") == rows_of(str(path), delimiter=";") == expected
    assert rows_of(io.StringIO('\ufeffa;b\n\n"x\ny";2\n'), delimiter=";") == expected


@pytest.mark.parametrize(
    ("content", "rule", "line"),
    [
        (b"a,b\n\xff,1\n", "the file is not UTF-8 text", 1),
        (b'a,b\n"x"y,1\n', "this is not proper CSV", 2),
        (b"a,b\n\0,1\n", "this is a binary file, not CSV", None),
    ],
)
def test_a_file_that_is_no_csv_is_refused(tmp_path, content, rule, line):
    path = tmp_path / "rows.csv"
    path.write_bytes(content)
    with pytest.raises(BadDecisions) as caught:
        rows_of(path)
    assert (caught.value.rule, caught.value.line) == (rule, line)


def test_a_missing_file_bytes_and_what_is_no_stream_are_refused(tmp_path):
    with pytest.raises(BadDecisions):
        rows_of(tmp_path / "none.csv")
    with pytest.raises(BadDecisions):
        rows_of(io.BytesIO(b"a,b\n"))
    with pytest.raises(BadDecisions):
        rows_of(7)
    assert rows_of(io.StringIO("")) == []


@pytest.mark.parametrize("delimiter", ["", ";;", '"', "\n", "\r"])
def test_a_delimiter_is_one_character_that_can_stand_between_cells(delimiter):
    with pytest.raises(BadDecisions):
        check_delimiter(delimiter)
    assert check_delimiter("\t") == "\t"
