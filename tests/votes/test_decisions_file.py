"""Files of every form: told by name or beginning, all through the one checker, so that all say the same."""

import gzip
import io
import json

import polars as pl
import pytest

from ntqr_exact import VoteCounts, count_csv, count_rows, read_votes
from ntqr_exact.errors import BadDecisions, BadDocument, BadVotes, DecisionsNote, MissingExtra

ROWS = [("a", "b", "a"), ("b", "b", "b"), ("a", "b", "b")]
VOTES = count_rows([row[:2] for row in ROWS], judges=["A", "B"])
LABELED = count_rows([row[:2] for row in ROWS], judges=["A", "B"], truth=[row[2] for row in ROWS])
LINES = "".join(json.dumps(dict(zip(("A", "B", "key"), row, strict=True))) + "\n" for row in ROWS)
CSV = "A,B,key\n" + "".join(",".join(row) + "\n" for row in ROWS)


@pytest.fixture
def written(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("votes.csv", CSV),
        ("votes.tsv", CSV.replace(",", "\t")),
        ("votes.TAB", CSV.replace(",", "\t")),
        ("votes.csv.gz", gzip.compress(CSV.encode(), mtime=0)),
        ("packed without a name", gzip.compress(CSV.encode(), mtime=0)),
        ("votes.tsv.gz", gzip.compress(CSV.replace(",", "\t").encode(), mtime=0)),
        ("votes.jsonl", LINES),
        ("votes.ndjson", "\ufeff\n" + LINES.replace("\n", "\r\n\r\n")),
        ("votes.jsonl.gz", gzip.compress(LINES.encode(), mtime=0)),
        ("lines without a name", LINES),
        ("votes.json", json.dumps([json.loads(line) for line in LINES.splitlines()])),
        ("votes.json", LABELED.to_json()),
        ("votes.json.gz", gzip.compress(LABELED.to_json().encode(), mtime=0)),
    ],
)
def test_a_form_is_told_by_its_name_or_its_beginning(written, name, content):
    is_document = name == "votes.json.gz" or content == LABELED.to_json()
    assert read_votes(written(name, content), truth=None if is_document else "key") == LABELED


def test_parquet_is_read_by_its_name(tmp_path):
    path = tmp_path / "votes.parquet"
    pl.read_csv(io.StringIO(CSV)).write_parquet(path)
    assert read_votes(path, truth="key") == LABELED
    path.write_bytes(b"no parquet")
    with pytest.raises(BadDecisions, match="cannot be read as parquet"):
        read_votes(path)
    with pytest.raises(BadDecisions, match="the file cannot be read: No such file"):
        read_votes(tmp_path / "none.parquet")
    with pytest.raises(BadDocument, match="a parquet file has no delimiter"):
        read_votes(path, delimiter=";")


def test_parquet_without_an_engine_names_what_to_install(tmp_path, monkeypatch):
    import narwhals

    def without(*_, **__):
        raise ImportError("no engine")

    monkeypatch.setattr(narwhals, "scan_parquet", without)
    path = tmp_path / "votes.parquet"
    path.write_bytes(b"")
    with pytest.raises(MissingExtra, match="polars, pyarrow, pandas or duckdb"):
        read_votes(path)


def test_of_a_votes_file_some_judges_may_be_taken(written):
    path = written("votes.json", LABELED.to_json())
    assert read_votes(path, judges=["B"]) == LABELED.marginal("B")
    with pytest.raises(BadVotes, match="'C': a judge is one of A, B"):
        read_votes(path, judges=["C"])


def test_a_packed_file_that_is_damaged_is_refused(written):
    packed = gzip.compress(CSV.encode() * 5000)
    for content in (packed[:-20], packed[:100], packed[:200] + b"\0" * 50 + packed[250:]):
        with pytest.raises(BadDecisions):
            read_votes(written("votes.csv.gz", content), truth="key")
    with pytest.raises(BadDecisions, match="what gzip packed is damaged"):
        read_votes(written("votes.csv.gz", packed[:-20]), truth="key")


def test_a_recognised_delimiter_is_told_and_one_that_is_named_is_not(written):
    path = written("votes.csv", "\ufeff" + CSV.replace(",", ";").replace("\n", "\r\n"))
    with pytest.warns(DecisionsNote, match="separated by the semicolon"):
        assert read_votes(path, truth="key") == LABELED
    assert read_votes(path, truth="key", delimiter="semicolon") == LABELED
    assert read_votes(path, truth="key", delimiter=";") == LABELED


# -- JSON lines --------------------------------------------------------------------------------------


def lines(*objects):
    return "\n".join(json.dumps(one) for one in objects) + "\n"


def test_objects_inside_objects_have_names_with_a_dot(written):
    content = lines(
        {"id": 7, "score": 0.5, "votes": {"A": "a", "B": "b"}, "tags": ["x"]}, {"votes": {"B": "b", "A": "b"}}
    )
    found = read_votes(written("v.jsonl", content), judges=["votes.A", "votes.B"])
    assert found == VoteCounts({"ab": 1, "bb": 1}, judges=["votes.A", "votes.B"])


def test_whole_numbers_and_truth_values_are_labels_as_json_writes_them(written):
    content = lines({"A": 1, "B": True}, {"A": 0, "B": False})
    assert read_votes(written("v.jsonl", content)).labels == ("0", "1", "false", "true")


def test_null_and_a_name_that_is_not_there_are_missing_answers(written):
    path = written("v.jsonl", lines({"A": "a", "B": "b"}, {"A": None, "B": "b"}, {"A": "b"}))
    with pytest.raises(
        BadDecisions, match="2 answers of 6 missing: 'A' 1, 'B' 1, on 2 of 3 questions"
    ) as caught:
        read_votes(path)
    assert (caught.value.line, caught.value.column) == (2, "A")
    with pytest.warns(DecisionsNote, match="are left out"):
        assert read_votes(path, missing="drop").size == 1


@pytest.mark.parametrize(
    ("content", "line", "rule"),
    [
        ('{"A": "a"}\n{"A": "b"\n', 2, "not JSON"),
        ('{"A": "a"}\n["b"]\n', 2, "a question is an object"),
        ('{"A": "a"}\n{"A": "b", "A": "a"}\n', 2, "this name is given twice"),
        ('{"A": "a"}\n{"A": {"B": "a"}, "A.B": "b"}\n', 2, "this name is given twice"),
        ('{"A": "a"}\n{"A": 0.5}\n', 2, "a label is not a fraction"),
        ('{"A": "a"}\n{"A": ["b"]}\n', 2, "a label is a text, not a list"),
        ('{"A": "a"}\n\n{"A": " b"}\n', 3, "this label has blanks around it"),
        ("{}\n", 1, "a file of JSON lines has an object for each question"),
        ("", 1, "a file of JSON lines has an object for each question"),
        (
            '{"A": "a"}\n' * 300 + '{"A": "a", "B": "b"}\n',
            301,
            "the first questions have no answer of this name",
        ),
    ],
)
def test_a_bad_line_is_refused_with_its_number(written, content, line, rule):
    with pytest.raises(BadDecisions) as caught:
        read_votes(written("v.jsonl", content))
    assert caught.value.line == line
    assert rule in caught.value.rule


def test_json_lines_in_another_encoding_are_refused(written):
    with pytest.raises(BadDecisions, match="the file is not UTF-8 text"):
        read_votes(written("v.jsonl", b'{"A": "a"}\n{"A": "\xff"}\n'))


def test_json_lines_have_no_delimiter(written):
    with pytest.raises(BadDocument, match="a file of JSON lines has no delimiter"):
        read_votes(written("v.jsonl", LINES), delimiter=";")


def test_one_column_whose_labels_hold_a_semicolon_stays_one_column():
    text = "opinion; free text\nyes\nno\nyes\n"
    assert count_csv(io.StringIO(text)).judges == ("opinion; free text",)
