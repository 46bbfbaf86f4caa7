"""Reading votes from a file: JSON and CSV are told apart by what is in them."""

import pytest

from ntqr_exact import LabeledVoteCounts, VoteCounts, count_rows, read_votes
from ntqr_exact.errors import BadDecisions, BadDocument
from ntqr_exact.votes.read_votes import votes_from_document

VOTES = VoteCounts({"ab": 2, "bb": 1}, judges=["A", "B"])
LABELED = count_rows(["ab", "bb", "ab"], truth="abb", judges=["A", "B"])
CSV = "A,B\na,b\nb,b\na,b\n"


@pytest.fixture
def read(tmp_path):
    def from_text(content, **options):
        path = tmp_path / "votes"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_votes(path, **options)

    return from_text


@pytest.mark.parametrize("mark", ["", "\ufeff", "\n \t", "\ufeff \n"])
@pytest.mark.parametrize("votes", [VOTES, LABELED])
def test_json_is_read_with_or_without_a_mark_or_blanks_before(read, mark, votes):
    assert read(mark + votes.to_json()) == votes


def test_json_without_any_blanks_is_read(read):
    assert read('{"labels":["a","b"],"judges":["A","B"],"counts":{"a,b":2,"b,b":1}}') == VOTES


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_csv_is_counted(read, mark):
    assert read(mark + CSV) == VOTES
    assert read(CSV.replace(",", ";"), delimiter=";") == VOTES
    assert read(mark + "A,key,B\na,a,b\nb,b,b\na,b,b\n", truth="key") == LABELED
    assert read("id,A,B\n1,a,b\n2,b,b\n3,a,b\n", judges=["A", "B"], labels=["a", "b"]) == VOTES


def test_progress_is_passed_on(read):
    seen = []
    read(CSV, progress=seen.append)
    assert seen == [3]


def test_both_names_of_a_path_will_do(tmp_path):
    path = tmp_path / "votes.json"
    path.write_text(VOTES.to_json())
    assert read_votes(path) == read_votes(str(path)) == VOTES


@pytest.mark.parametrize("name", ["{x}", "[x]", "{", "[A", "{A}}", "[1]", "{ x"])
def test_a_csv_whose_header_begins_with_a_bracket_is_a_csv(read, name):
    assert read(f"{name},B\na,b\nb,b\na,b\n") == VOTES.with_judges([name, "B"])


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        ("{", "not JSON"),
        ("{}", "votes are an object"),
        ("[]", "votes are an object"),
        ('["a"]', "votes are an object"),
        ("[[1]]", "votes are an object"),
        ('{"labels": ["a", "b"]', "not JSON"),
        ('{"labels": ["a", "b"]}', "votes are an object"),
        ('{\n\n  "counts": {}, "counts": {}}', "this key is given twice"),
        ('[{"A": "a"}, {"A": "b", "A": "a"}]', "this key is given twice"),
        ('{"a": 1}', "votes are an object"),
        ('{"counts_by_label": {}}', "labeled votes are an object"),
        (b'{"labels": "\xff"}', "the file is not UTF-8 text"),
    ],
)
def test_wrong_json_is_refused_as_json(read, content, rule):
    with pytest.raises(BadDocument, match=rule):
        read(content)


@pytest.mark.parametrize("options", [{"truth": "A"}, {"missing": "drop"}, {"labels": ["a", "b"]}])
def test_a_votes_file_takes_no_options_of_rows(read, options):
    with pytest.raises(BadDocument, match="a votes file says itself"):
        read(VOTES.to_json(), **options)


@pytest.mark.parametrize(
    "content", [b"", b"\xef\xbb\xbf", b"\n", b"\xff\xfe{\0", b"\x80\x03]q\0", b"A,B\na,\n"]
)
def test_what_is_neither_is_refused(read, content):
    with pytest.raises(BadDecisions):
        read(content)


def test_a_missing_file_a_directory_and_an_unreadable_file_are_refused(tmp_path, monkeypatch):
    with pytest.raises(BadDecisions, match="the file cannot be read: No such file") as caught:
        read_votes(tmp_path / "none")
    assert caught.value.given == str(tmp_path / "none")
    with pytest.raises(BadDecisions, match="the file cannot be read: Is a directory"):
        read_votes(tmp_path)

    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", denied)
    with pytest.raises(BadDecisions, match="the file cannot be read: Permission denied"):
        read_votes("file")


def test_a_document_tells_itself_whether_it_has_a_key():
    assert votes_from_document(VOTES.to_document()) == VOTES
    labeled = votes_from_document(LABELED.to_document())
    assert isinstance(labeled, LabeledVoteCounts)
    assert labeled == LABELED
    for document in (None, [], "text", 5):
        with pytest.raises(BadDocument):
            votes_from_document(document)


def test_a_delimiter_does_not_go_with_a_votes_file(tmp_path):
    path = tmp_path / "votes.json"
    path.write_text(VoteCounts({"ab": 1}).to_json())
    with pytest.raises(BadDocument, match="has no delimiter; leave the option out"):
        read_votes(path, delimiter=";")
    rows = tmp_path / "rows.csv"
    rows.write_text("A;B\na;b\n")
    assert read_votes(rows, delimiter=";", labels=["a", "b"]).size == 1
