"""Counting CSV: what is taken, and that an error tells the right line and column, wherever it is."""

import codecs
import io
import tracemalloc

import pytest

from ntqr_exact import LabeledVoteCounts, VoteCounts, count_csv
from ntqr_exact.errors import BadDecisions, BadVotes, DecisionsNote, DecisionsWarning
from ntqr_exact.votes import csv_decisions
from ntqr_exact.votes.csv_decisions import _BLOCK

AB = VoteCounts({"ab": 2, "bb": 1}, judges=["A", "B"])


@pytest.fixture(params=["path", "text path", "stream", "translated stream", "string"])
def count(request, tmp_path):
    """Count a text by each of the ways in which it can be given."""

    def counted(text, **options):
        raw = text if isinstance(text, bytes) else text.encode()
        path = tmp_path / "decisions.csv"
        path.write_bytes(raw)
        match request.param:
            case "path":
                return count_csv(path, **options)
            case "text path":
                return count_csv(str(path), **options)
            case "stream":
                with open(path, encoding="utf-8", newline="") as stream:
                    return count_csv(stream, **options)
            case "translated stream":
                with open(path, encoding="utf-8") as stream:
                    return count_csv(stream, **options)
        return count_csv(io.StringIO(raw.decode(), newline=""), **options)

    return counted


def refused(count, text, **options):
    with pytest.raises(BadDecisions) as caught:
        count(text, **options)
    assert "\n" not in str(caught.value)
    return caught.value


# -- what is taken -----------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("last", ["", "END", "ENDENDEND"])
def test_any_line_ends_a_byte_order_mark_and_blank_lines_at_the_end_are_taken(count, end, mark, last):
    assert count(mark + "A,BENDa,bENDb,bENDa,b".replace("END", end) + last.replace("END", end)) == AB


def test_quotes_may_hold_commas_line_breaks_and_quotes(count):
    text = '\ufeff"A","B, the ""second"""\n"x,y","line\nbreak"\n"he said ""no""",plain\n"x,y","line\nbreak"\n'
    votes = count(text)
    assert votes.judges == ("A", 'B, the "second"')
    assert votes.counts == {("x,y", "line\nbreak"): 2, ('he said "no"', "plain"): 1}


def test_another_delimiter_may_be_named(count):
    assert count("A;B\na;b\nb;b\na;b\n", delimiter=";") == AB
    assert count("A\tB\na\tb\nb\tb\na\tb\n", delimiter="\t") == AB


@pytest.mark.parametrize("delimiter", ["", ";;", '"', "\n", "\r"])
def test_a_delimiter_is_one_character_and_no_quote_or_line_break(delimiter):
    with pytest.raises(BadDecisions, match="a delimiter is one character"):
        count_csv(io.StringIO("A,B\na,b\n"), delimiter=delimiter)


def test_judges_truth_and_labels_may_be_named(count):
    text = "id,A,key,B\n1,a,a,b\n2,b,b,b\n3,a,b,b\n"
    assert count(text, judges=["A", "B"]) == AB
    assert count(text, judges=["B", "A"]).counts == {("b", "a"): 2, ("b", "b"): 1}
    assert count(text, judges=["A"]) == VoteCounts({"a": 2, "b": 1}, judges=["A"])
    assert count(text, judges=["A", "B"], labels=["b", "c", "a"]).labels == ("b", "c", "a")
    labeled = count(text, judges=["A", "B"], truth="key")
    assert isinstance(labeled, LabeledVoteCounts)
    assert labeled.observed() == AB
    assert labeled.key_counts == {"a": 1, "b": 2}
    assert labeled.confusion("A") == {"a": {"a": 1, "b": 0}, "b": {"a": 1, "b": 1}}
    assert count("A,key,B\na,a,b\nb,b,b\na,b,b\n", truth="key") == labeled
    assert count(text, judges=["B"], truth="key").confusion("B")["a"] == {"a": 0, "b": 1}


def test_one_column_is_one_judge(count):
    assert count("A\na\nb\na\n") == VoteCounts({"a": 2, "b": 1}, judges=["A"])


def test_extra_columns_are_not_looked_at_if_the_judges_are_named(count):
    assert count("note,A,B\n,a,b\n ,b,b\n1.5,a,b\n", judges=["A", "B"]) == AB


def test_labels_that_were_named_need_not_occur(count):
    assert count("A,B\n", labels=["a", "b"]) == VoteCounts({}, judges=["A", "B"])
    assert count("A,B\na,a\n", labels=["a", "b"]).counts["aa"] == 1


def test_blanks_around_labels_are_taken_if_the_labels_are_named_so(count):
    assert count("A\n a\nb \n", labels=[" a", "b "]).counts == {(" a",): 1, ("b ",): 1}


def test_progress_tells_the_rows_of_each_block():
    rows = 2 * _BLOCK + 5
    seen = []
    count_csv(io.StringIO("A,B\n" + "a,b\n" * rows), progress=seen.append)
    assert seen == [_BLOCK, _BLOCK, 5]


@pytest.mark.parametrize("rows", [_BLOCK - 1, _BLOCK, _BLOCK + 1, 2 * _BLOCK])
@pytest.mark.parametrize("blank", [0, 1, _BLOCK + 3])
def test_rows_and_blank_lines_at_the_edge_of_a_block_are_all_counted(rows, blank):
    text = "A,B\n" + "a,b\n" * rows + "\n" * blank
    assert count_csv(io.StringIO(text)) == VoteCounts({"ab": rows}, judges=["A", "B"])


@pytest.mark.parametrize(("between", "word"), [(";", "semicolon"), ("\t", "tab"), ("|", "pipe")])
def test_another_delimiter_is_recognised_and_told(count, between, word):
    with pytest.warns(DecisionsNote, match=f"separated by the {word}"):
        assert count("\ufeffA,B\na,b\nb,b\na,b\n".replace(",", between)) == AB
    with pytest.warns(DecisionsNote, match=f"separated by the {word}"):
        error = refused(count, "A,B\na,b\nb,b\na\n".replace(",", between))
    assert (error.line, error.rule) == (4, "this row has 1 cells for 2 columns")
    assert count("A,B\na,b\nb,b\na,b\n".replace(",", between), delimiter=word) == AB


# -- missing answers ---------------------------------------------------------------------------------

HOLES = "A,B,key\na,b,a\n,b,b\nb,,a\nb,b,b\n,,b\n"


def test_missing_answers_are_refused_with_their_number(count):
    error = refused(count, HOLES, truth="key")
    assert (error.line, error.column, error.given) == (3, "A", "")
    assert error.rule == "this cell is empty; 4 answers of 10 missing: 'A' 2, 'B' 2, on 3 of 5 questions"
    assert "drop leaves these questions out, label:NAME makes an answer of it" in error.remedy


def test_questions_with_a_missing_answer_are_dropped_if_one_says_so(count):
    with pytest.warns(DecisionsNote, match="missing on 3 of 5 questions; these questions are left out"):
        found = count(HOLES, truth="key", missing="drop")
    assert found == count("A,B,key\na,b,a\nb,b,b\n", truth="key")
    assert count("A,B\na,b\nb,b\na,b\n", missing="drop") == AB  # nothing to tell


def test_missing_answers_become_a_label_if_one_says_so(count):
    with pytest.warns(DecisionsNote, match="missing on 3 of 5 questions; these answers are '-' now"):
        found = count(HOLES.replace(",,", ", ,"), truth="key", missing="label:-")
    assert found == count(HOLES.replace("\n,", "\n-,").replace(",,", ",-,"), truth="key")
    with pytest.warns(DecisionsNote):
        assert count('A\na\n""\n', labels=["a", "b"], missing="label:-").labels == ("a", "b", "-")


@pytest.mark.parametrize("missing", ["", "label:", "label: ", 5])
def test_nothing_else_can_be_done_about_missing_answers(count, missing):
    refused(count, HOLES, missing=missing)


# -- what is doubtful --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (
            "A,B\npass,Pass\nfail,pass\n",
            r"'Pass' \(1 times\) and 'pass' \(2 times\) differ only in case",
        ),
        ("A,B\nso so,so  so\nfail,so so\n", r"'so  so' \(1 times\) and 'so so' \(2 times\) differ"),
        ("A,B\na,NA\nb,a\n", r"the label 'NA' \(1 times\) looks like a missing answer"),
        ("A,Gold\na,b\n", "column 'Gold' looks like an answer key, and is counted as a judge"),
        ("A,ground truth\na,b\n", "column 'ground truth' looks like an answer key"),
        ("A,doc_id\na,b\na,b\n", "column 'doc_id' looks like the number or text of a question"),
        ("A,B\n1,a\n2,a\n3,b\n4,b\n5,b\n", "all answers of 'A' are different"),
    ],
)
def test_what_is_counted_but_looks_amiss_is_told(count, text, warning):
    with pytest.warns(DecisionsWarning, match=warning):
        count(text)
    names = text.split("\n", maxsplit=1)[0].split(",")
    count(text, judges=names, labels=sorted(set(",".join(text.split("\n")[1:-1]).split(","))))  # no warning


def test_a_column_of_numbers_of_the_questions_is_left_out_with_a_warning_unless_named_a_judge(count):
    text = "question,A\n1,a\n2,a\n3,b\n4,b\n5,b\n"
    with pytest.warns(DecisionsWarning, match="column 'question' numbers the questions, and is left out"):
        assert count(text) == count(text, judges=["A"])
    assert count(text, judges=["question", "A"]).size == 5


def test_a_name_that_was_given_to_missing_answers_is_not_doubted(count, recwarn):
    assert count("A,B\na,\nb,a\n", missing="label:none").labels == ("a", "b", "none")
    assert [str(warning.message) for warning in recwarn] == [
        "answers are missing on 1 of 2 questions; these answers are 'none' now"
    ]


def test_a_label_with_blanks_names_the_one_without(count):
    assert "and 'a' is there without them" in refused(count, "A,B\na,b\na ,b\n").rule


# -- what is refused, and where ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "rule"),
    [
        ("A,B\na,b\na,\n", 3, "B", "this cell is empty"),
        ("A,B\n,b\na,b\n", 2, "A", "this cell is empty"),
        ('A,B\na,b\na,""\n', 3, "B", "this cell is empty"),
        ('A\na\nb\n""\n', 4, "A", "this cell is empty"),
        ("A,B\na,b\na, b\n", 3, "B", "this label has blanks around it"),
        ("A,B\na,b\nb\t,b\n", 3, "A", "this label has blanks around it"),
        ("A,B\na,b\n \n", 3, None, "this row has 1 cells for 2 columns"),
        ("A,B\na,b\na\n", 3, None, "this row has 1 cells for 2 columns"),
        ("A,B\na,b\na,b,\n", 3, None, "this row has 3 cells for 2 columns"),
        ("A,B\na,b\n\na,b\n", 3, None, "this line is blank"),
        ("A,B\n\na,b\n", 2, None, "this line is blank"),
        ("A\na\n\nb\n", 3, None, "this line is blank"),
        ("", 1, None, "a decisions file begins with a line that names the columns"),
        ("\ufeff", 1, None, "a decisions file begins with a line that names the columns"),
        ("\nA,B\na,b\n", 1, None, "a decisions file begins with a line that names the columns"),
        ("A,A\na,b\n", 1, None, "this column is named twice"),
        ("A,\na,b\n", 1, None, "column 2 has no name"),
        ("A, ,B\na,b,c\n", 1, None, "column 2 has no name"),
        ('A,B\na,"b\na,b\na,b\n', 2, None, "this is not proper CSV"),
        ('A,B\na,b\n"a"x,b\na,b\n', 3, None, "this is not proper CSV"),
        ('"A,B\na,b\n', 1, None, "this is not proper CSV"),
        ("A,B\na,b\na,b\0\n", 3, "B", "this cell holds a NUL byte"),
    ],
)
def test_an_error_tells_line_and_column(request, text, line, column, rule):
    def from_string(text):
        return count_csv(io.StringIO(text, newline=""))

    error = refused(from_string, text)
    assert (error.line, error.column) == (line, column)
    assert error.rule.startswith(rule)
    if "\0" not in text:
        with_path = request.getfixturevalue("tmp_path") / "decisions.csv"
        with_path.write_bytes(text.encode())
        again = refused(count_csv, with_path)
        assert (again.line, again.column, again.rule) == (error.line, error.column, error.rule)


def test_an_error_reads_as_one_line_with_the_place_first(count):
    error = str(refused(count, "A,key\na,b\na,\n", truth="key"))
    assert error == "line 3, column 'key': '': this cell is empty"


def test_a_label_never_seen_is_refused_where_labels_are_named(count):
    error = refused(count, "A,B\na,b\na,c\n", labels=["a", "b"])
    assert (error.given, error.line, error.column) == ("c", 3, "B")
    assert error.rule == "the labels are 'a', 'b'"


def test_a_bad_true_label_is_placed_in_its_column(count):
    error = refused(count, "A,key,B\na,a,b\na,c,b\n", truth="key", labels=["a", "b"])
    assert (error.given, error.line, error.column) == ("c", 3, "key")
    error = refused(count, "A,key,B\na,a,b\na,,b\n", truth="key")
    assert (error.line, error.column) == (3, "key")


def test_a_bad_cell_is_looked_for_in_its_own_column(count):
    error = refused(count, "note,A\nx,a\nx,b\na,x\n", judges=["A"], labels=["a", "b"])
    assert (error.given, error.line, error.column) == ("x", 4, "A")


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"judges": ["A", "C"]}, "there is no such column; the columns are 'A', 'B'"),
        ({"truth": "key"}, "there is no such column; the columns are 'A', 'B'"),
        ({"judges": ["A", "B"], "truth": "B"}, "the answer key cannot be a judge as well"),
    ],
)
def test_unknown_columns_and_a_truth_that_is_a_judge_are_refused(count, options, rule):
    assert refused(count, "A,B\na,b\n", **options).rule == rule


@pytest.mark.parametrize("judges", [["A", "A"], [], "AB"])
def test_judges_named_wrongly_are_refused(count, judges):
    with pytest.raises(BadVotes):
        count("A,B\na,b\n", judges=judges)


@pytest.mark.parametrize("labels", [["a"], ["a", "a"], ["a", ""], "ab"])
def test_labels_named_wrongly_are_refused_before_the_file_is_read(labels):
    with pytest.raises(BadVotes):
        count_csv("no such file", labels=labels)


def test_without_a_header_the_first_row_is_taken_for_it(count):
    assert refused(count, "a,a\na,b\n").rule == "this column is named twice"


def test_fewer_than_two_labels_must_be_completed_by_naming_labels(count):
    with pytest.raises(BadVotes, match="fewer than two labels occur"):
        count("A,B\na,a\n")


@pytest.mark.parametrize("text", ["A,B\n", "A,B", "\ufeffA,B\n\n"])
def test_a_header_without_rows_has_its_own_words(count, text):
    with pytest.raises(BadVotes, match="there is a header, and no question under it; name the labels"):
        count(text)


def test_a_hundred_labels_are_inferred_and_no_more():
    rows = [f"x{number},x0\n" for number in range(101)]
    with pytest.warns(DecisionsWarning, match="all answers of 'A' are different"):
        assert len(count_csv(io.StringIO("A,B\n" + "".join(rows[:100]))).labels) == 100
    error = refused(count_csv, io.StringIO("A,B\n" + "".join(rows)))
    assert (error.given, error.line, error.column) == ("x100", 102, "A")
    assert "more than 100 different labels; name the columns of the judges" in error.rule
    labels = [f"x{number}" for number in range(101)]
    assert count_csv(io.StringIO("A,B\n" + "".join(rows)), judges=["A", "B"], labels=labels).size == 101


def test_a_huge_cell_is_refused():
    error = refused(count_csv, io.StringIO("A,B\na,b\n" + "x" * 200_000 + ",b\n"))
    assert error.line == 3
    assert "field larger than field limit" in error.given
    # An open quote at the beginning of a long file does not read all of it into a cell.
    error = refused(count_csv, io.StringIO('A,B\na,"b\n' + "a,b\n" * 1_000_000))
    assert error.line == 2


def test_rows_after_the_first_block_are_placed_as_well():
    rows = ["a,b"] * (3 * _BLOCK)
    for row in (0, _BLOCK - 1, _BLOCK, _BLOCK + _BLOCK // 2, 3 * _BLOCK - 1):
        for bad, column in (("a,", "B"), ("a", None), ("", None), ('a,"b"c', None)):
            changed = [*rows[:row], bad, *rows[row + 1 :]]
            if not bad and row == len(rows) - 1:
                continue
            error = refused(count_csv, io.StringIO("A,B\n" + "\n".join(changed) + "\n"))
            assert (error.line, error.column) == (row + 2, column)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_through_quoted_line_breaks_into_the_second_block(tmp_path, end):
    lines = ['"A', 'header",B']
    for number in range(_BLOCK + 3000):
        lines += ['"a', "", 'a",b'] if number % 7 == 3 else ["x,b"]
    path = tmp_path / "decisions.csv"
    for bad in ("x,", "x", "x,b,b", '"x"x,b'):
        path.write_bytes(end.join([*lines, bad, "x,b", ""]).encode())
        error = refused(count_csv, path)
        assert error.line == len(lines) + 1
        assert error.column == ("B" if bad == "x," else None)


def test_the_first_of_several_bad_cells_is_told(count):
    error = refused(count, "A,B\na,b\nb,z\ny,z\n", labels=["a", "b"])
    assert (error.given, error.line, error.column) == ("z", 3, "B")


# -- files that are no text --------------------------------------------------------------------------


def test_a_missing_file_and_a_directory_cannot_be_read(tmp_path):
    error = refused(count_csv, tmp_path / "none.csv")
    assert error.rule == "the file cannot be read: No such file or directory"
    assert error.given == str(tmp_path / "none.csv")
    assert refused(count_csv, tmp_path).rule == "the file cannot be read: Is a directory"


def test_an_unreadable_file_is_refused(monkeypatch):
    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", denied)
    assert refused(count_csv, "file.csv").rule == "the file cannot be read: Permission denied"


def test_a_stream_that_breaks_is_refused():
    def broken():
        yield "A,B\n"
        yield "a,b\n"
        raise OSError(5, "Input/output error")

    error = refused(count_csv, broken())
    assert (error.given, error.rule) == ("Input/output error", "the file cannot be read to its end")


@pytest.mark.parametrize(
    "raw", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "A,B\na,b\n".encode("utf-16-le"), b"A,B\n" + bytes(99)]
)
def test_a_binary_file_is_refused(tmp_path, raw):
    path = tmp_path / "decisions.csv"
    path.write_bytes(raw)
    assert refused(count_csv, path).rule == "this is a binary file, not CSV"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_text_in_utf_16_is_told_by_its_mark(tmp_path, encoding):
    path = tmp_path / "decisions.csv"
    path.write_bytes("\ufeffA,B\na,b\n".encode(encoding))
    assert str(refused(count_csv, path)).endswith(
        "UTF-16 text, by its byte order mark; save it as UTF-8 (Excel: CSV UTF-8)"
    )


@pytest.mark.parametrize("lines", [0, 1, 50, 5_000, 50_000])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bad", ["\xff", "é"])
def test_text_that_is_not_utf8_is_refused_with_its_line(tmp_path, lines, end, bad):
    path = tmp_path / "decisions.csv"
    path.write_bytes(
        (f"A,B{end}" + f"a,b{end}" * lines + f"a,{bad}{end}" + f"a,b{end}" * 10_000).encode("latin-1")
    )
    error = refused(count_csv, path)
    assert error.line == lines + 2
    assert error.rule == "this byte is not UTF-8 text"
    assert error.given == bad.encode("latin-1")


def test_a_byte_that_is_not_utf8_in_the_header_is_on_line_1(tmp_path):
    path = tmp_path / "decisions.csv"
    path.write_bytes(codecs.BOM_UTF8 + b"A\xff,B\na,b\n")
    assert refused(count_csv, path).line == 1


@pytest.mark.parametrize("source", [io.BytesIO(b"A,B\na,b\n"), b"file.csv"])
def test_bytes_are_not_decisions(source):
    with pytest.raises(BadDecisions, match="holds texts, not bytes"):
        count_csv(source)


@pytest.mark.parametrize("source", [None, 5, 1.5])
def test_what_is_neither_path_nor_stream_is_refused(source):
    with pytest.raises(BadDecisions, match="a path or a stream of text"):
        count_csv(source)


def test_the_file_is_closed_after_success_and_after_an_error(tmp_path):
    # An open file would raise a ResourceWarning, which is an error in these tests.
    path = tmp_path / "decisions.csv"
    path.write_text("A,B\na,b\n")
    count_csv(path)
    path.write_text("A,B\na,\n")
    refused(count_csv, path)
    path.write_bytes(b"\0")
    refused(count_csv, path)


def test_a_stream_stays_open_for_its_owner():
    stream = io.StringIO("A,B\na,b\n")
    count_csv(stream)
    assert not stream.closed


# -- memory ------------------------------------------------------------------------------------------


def test_a_file_thirty_times_as_long_needs_no_more_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_decisions, "_BLOCK", 1024)  # tracing memory is slow

    def peak(rows):
        path = tmp_path / "decisions.csv"
        with path.open("w") as stream:
            stream.write("A,B,key\n")
            stream.writelines(f"{'ab'[i % 2]},{'ab'[i % 3 // 2]},{'ab'[i % 5 // 4]}\n" for i in range(rows))
        tracemalloc.start()
        try:
            assert count_csv(path, truth="key").size == rows
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(100)
    assert peak(30 * 2048) < 1.5 * peak(2048)


def test_a_named_label_keeps_its_blanks_beside_missing_answers():
    with pytest.warns(DecisionsNote, match="left out"):
        votes = count_csv(io.StringIO("A,B\n a,b\n  ,b\nb,b\n"), labels=[" a", "b"], missing="drop")
    assert votes == VoteCounts({(" a", "b"): 1, ("b", "b"): 1}, [" a", "b"], ["A", "B"])


def test_a_missing_answer_may_become_a_label_that_is_there():
    with pytest.warns(DecisionsNote, match="'b' now"):
        votes = count_csv(io.StringIO("A,B\na,b\n,b\n"), labels=["a", "b"], missing="label:b")
    assert votes == VoteCounts({"ab": 1, "bb": 1}, judges=["A", "B"])
