"""Files of every form and shape: the same questions written in many ways give the same votes."""

import contextlib
import csv
import gzip
import io
import json
import os
import random
import tracemalloc
import warnings

import pytest

from ntqr_exact import LabeledVoteCounts, VoteCounts, count_rows, read_votes
from ntqr_exact.budget import work_limit
from ntqr_exact.errors import BadDecisions, BadDocument, BadVotes, DecisionsWarning, NtqrExactError
from ntqr_exact.sampling.partial_key import PartialKey, read_test
from ntqr_exact.votes.read_votes import read_answers
from ntqr_exact.votes.shapes import Reading
from ntqr_exact.votes.tables import open_table

pytestmark = pytest.mark.filterwarnings("ignore::ntqr_exact.errors.DecisionsWarning")

JUDGES = ("ada", "bo", "cy")


def drawn(seed):
    """Return questions with gaps: name, answers of three judges, true label."""
    generator = random.Random(seed)
    size = generator.randint(6, 15)
    rows = [[generator.choice(["yes", "no", "maybe", None]) for _ in JUDGES] for _ in range(size)]
    rows[0], rows[1] = ["yes", "no", "maybe"], ["yes", "yes", "no"]
    return [(f"q{n}", tuple(row), generator.choice(["yes", "no"])) for n, row in enumerate(rows) if any(row)]


def wide_csv(questions, delimiter=",", gap=""):
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(["question", *JUDGES, "truth"])
    writer.writerows([name, *(cell or gap for cell in row), key] for name, row, key in questions)
    return stream.getvalue()


def answers(questions):
    """Return a row for each answer that was given, in some order."""
    rows = [
        (name, judge, cell, key)
        for name, row, key in questions
        for judge, cell in zip(JUDGES, row, strict=True)
        if cell
    ]
    random.Random(len(rows)).shuffle(rows)
    return rows


def forms(questions, folder):
    """Yield all forms of the same questions: what is written, and the options by which it is read."""
    for number, delimiter in enumerate(",;\t|"):
        for gap in ("", "NA", "nan", " "):
            yield f"wide{number}.csv", wide_csv(questions, delimiter, gap), {"truth": "truth"}
    yield "sheet.csv", wide_csv(questions).replace("\r\n", ",,\r\n"), {"truth": str(2 + len(JUDGES))}
    rows = answers(questions)
    long = "".join(f"{','.join(row)}\n" for row in rows)
    yield "long.csv", "item,worker,answer,gold\n" + long, {"truth": "gold"}
    yield "odd.csv", "x,y,z,w\n" + long, {"truth": "w", "long": ["x", "y", "z"]}
    yield "none.csv", long, {"truth": "4", "long": ["1", "2", "3"], "header": False}
    key = folder / "key.csv"
    lines = [f"{n},{name},{key}\n" for n, (name, _, key) in enumerate(questions)]
    key.write_text(",question,label\n" + "".join(lines))  # as pandas writes it
    bare = "".join(f"{judge}\t{name}\t{cell}\n" for name, judge, cell, _ in rows)
    yield "bare.tsv", bare, {"truth": str(key)}
    yield "bare.txt", bare.replace("\t", " "), {"truth": str(key)}
    by_question = {name: dict(zip(JUDGES, row, strict=True)) for name, row, _ in questions}
    by_judge = {judge: {name: row[judge] for name, row in by_question.items()} for judge in JUDGES}
    yield "q.json", json.dumps(by_question), {"truth": str(key)}
    yield "j.json", json.dumps(by_judge), {"truth": str(key), "judges": list(JUDGES)}
    objects = [
        {
            "id": name,
            "votes": {judge: cell for judge, cell in by_question[name].items() if cell},
            "truth": key,
        }
        for name, _, key in questions
    ]
    lines = "\n".join(map(json.dumps, objects))
    yield "rows.jsonl", lines, {"truth": "truth", "judges": [f"votes.{judge}" for judge in JUDGES]}
    yield "rows.json", json.dumps(objects), {"truth": "truth"}
    yield "rows", lines, {"truth": "truth"}
    yield "wrapped.json", json.dumps({"version": 1, "data": objects}), {"truth": "truth"}
    frame = {"question": {name: name for name in by_question}, **by_judge}
    yield "columns.json", json.dumps(frame), {"truth": str(key)}
    lists = {name: list(column.values()) for name, column in frame.items()}
    yield "lists.json", json.dumps(lists), {"truth": str(key)}
    index = {name: {"question": name, **row} for name, row in by_question.items()}
    yield "index.json", json.dumps(index), {"truth": str(key)}
    listed = [
        {**each, "votes": [{"judge": judge, "verdict": cell} for judge, cell in each["votes"].items()]}
        for each in objects
    ]
    yield "listed.jsonl", "\n".join(map(json.dumps, listed)), {"truth": "truth"}
    flow = "".join(f"{judge}: {json.dumps(part).replace(chr(34), '')}\n" for judge, part in by_judge.items())
    yield "flow.yaml", flow, {"truth": str(key)}


@pytest.mark.parametrize("seed", range(8))
def test_every_form_of_the_same_questions_gives_the_same_votes(tmp_path, seed):
    questions = drawn(seed)
    expected = count_rows(
        [row for _, row, _ in questions], judges=JUDGES, truth=[key for *_, key in questions]
    )
    for number, (name, text, options) in enumerate(forms(questions, tmp_path)):
        path = tmp_path / name
        if number % 3 == 0:
            path = tmp_path / f"{name}.gz"
            path.write_bytes(gzip.compress(text.encode()))
        else:
            path.write_text(text, encoding="utf-8-sig" if number % 3 == 1 else "utf-8")
        votes = read_votes(path, **options)
        assert isinstance(votes, LabeledVoteCounts)
        assert (votes.labels, len(votes.judges)) == (expected.labels, len(JUDGES))
        ordered = [judge for name in JUDGES for judge in votes.judges if judge.endswith(name)]
        parts = votes.marginal(*ordered).by_label.items()
        renamed = {label: VoteCounts(part.counts, part.labels, JUDGES) for label, part in parts}
        assert LabeledVoteCounts(renamed) == expected, name


def test_the_form_of_fast_dawid_skene_is_not_read_as_three_judges():
    rows = [f"P{p},Q{q},A{(p * q) % 2}\n" for q in range(6) for p in range(3)]
    with pytest.warns(DecisionsWarning, match="looks like data"):
        votes = read_votes(io.StringIO("".join(rows)))
    assert votes.judges == ("P0", "P1", "P2")
    assert votes.size == 6


def test_ambiguous_columns_are_refused_with_a_remedy_that_works():
    text = "".join(f"P{p},Q{q},A{(p * q) % 2}\n" for q in range(4) for p in range(4))
    with pytest.raises(BadDecisions, match="--long 1,2,3"):
        read_votes(io.StringIO(text))
    assert len(read_votes(io.StringIO(text), long=["1", "2", "3"]).judges) == 4


def test_a_header_of_numbers_stays_a_header():
    text = "0,1,2,3,4\n" + "a,b,a,b,a\n" * 3
    assert read_votes(io.StringIO(text)).judges == ("0", "1", "2", "3", "4")
    assert read_votes(io.StringIO("0,1\n0,1\n1,1\n"), header=True).judges == ("0", "1")
    assert read_votes(io.StringIO("ada\nnot bad\nvery good\n")).labels == ("not bad", "very good")
    assert read_votes(io.StringIO("id,a,b,c\n1,a,b,a\n2,b,a,b\n")).judges == ("a", "b", "c")


def test_a_key_like_column_is_taken_for_answers_only_with_a_note():
    text = "id,model,label\n" + "".join(f"q{q},m{m},{'ab'[q * m % 2]}\n" for q in range(4) for m in range(2))
    with pytest.warns(DecisionsWarning, match="--truth label"):
        read_votes(io.StringIO(text))
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        read_votes(io.StringIO("id,model,label,verdict\nq,m,a,b\nq,n,a,a\nr,m,b,b\nr,n,b,a\n"))
    text = " ".join(str(note.message) for note in notes)
    assert "answer 'verdict'" in text
    assert "--truth label" in text


def test_a_repeated_answer_counts_once_and_a_rare_contradiction_is_a_gap():
    rows = [f"q{q},{judge},{'ab'[q % 2]}\n" for q in range(20) for judge in ("A", "B")]
    text = "question,worker,answer\n" + "".join(rows) + rows[0] + "q1,A,a\n"
    votes = read_votes(io.StringIO(text))
    assert (votes.size, votes.answered("A"), votes.answered("B")) == (20, 19, 20)
    with pytest.raises(BadDecisions, match="--long"):
        read_votes(io.StringIO("question,worker,answer\nq,A,a\nq,A,b\nr,A,a\nr,B,b\n"))


@pytest.mark.parametrize("seed", range(4))
def test_questions_are_named_in_order_with_their_patterns(tmp_path, seed):
    questions = drawn(seed)
    for name, text, options in forms(questions, tmp_path):
        (tmp_path / name).write_text(text)
        found = read_answers(tmp_path / name, Reading(**options, in_part=True, with_questions=True))
        index = [place for each in JUDGES for place, judge in enumerate(found.judges) if judge.endswith(each)]
        rows = {name: (tuple(row[place] for place in index), row[-1]) for name, row in found.questions}
        assert rows == {name: (row, key) for name, row, key in questions}, name


def test_a_key_that_lacks_questions_is_a_partial_key(tmp_path):
    key = tmp_path / "key.json"
    key.write_text('{"q1": "a", "q9": "b"}')
    text = "question,worker,answer\nq1,A,a\nq1,B,b\nq2,A,b\nq2,B,b\n"
    found = read_test(io.StringIO(text), truth=str(key), drawn="at_random")
    assert isinstance(found, PartialKey)
    assert (found.size, found.graded_size) == (2, 1)
    with pytest.raises(BadDecisions):
        read_votes(io.StringIO(text), truth=str(key))
    key.write_text('{"q1": {"label": "a"}, "q2": "b"}')
    with pytest.raises(BadDecisions, match="key file"):
        read_votes(io.StringIO(text), truth=str(key))


@pytest.mark.parametrize("columns", ["person,place,label", "question,person,place", "person,place,time"])
def test_a_key_file_needs_a_question_and_a_label(tmp_path, columns):
    (tmp_path / "key.csv").write_text(f"{columns}\nq1,b,a\nq2,a,b\n")
    with pytest.raises(BadDecisions):
        read_votes(io.StringIO("question,A,B\nq1,a,b\nq2,b,b\n"), truth=str(tmp_path / "key.csv"))


def test_several_tables_are_refused(tmp_path):
    one, other = tmp_path / "1.csv", tmp_path / "2.csv"
    for path in (one, other):
        path.write_text("A,B\na,b\n")
    with pytest.raises(BadDecisions, match="logs of one tool"):
        read_votes([one, other])


def test_a_column_of_names_is_not_a_judge_whatever_its_name():
    rows = "".join(f"http://site{n}.com,{'ab'[n % 2]},a\n" for n in range(6))
    assert read_votes(io.StringIO("url,A,B\n" + rows)).judges == ("A", "B")
    assert read_votes(io.StringIO("url,A,B\n" + rows), judges=["B", "A"]).judges == ("B", "A")
    assert read_votes(io.StringIO("item,A,B\n1,a,b\n1,b,b\n")).judges == ("A", "B")


BAD = [
    ("", {}),
    ("A,B\na,b\na\n", {}),
    ("A,A\na,b\nb,b\n", {}),
    ("A,,B\na,b,a\nb,b,a\n", {}),
    ("A,B\na,c\n", {"labels": ["a", "b"]}),
    ("A,B\na,b\n", {"judges": ["C"]}),
    ("A,B\na,b\n", {"judges": ["A"], "truth": "A"}),
    ("A,B\na,b\n", {"truth": "no_such_file"}),
    ("A,B,k\na,b,a\na,b,\n", {"truth": "k"}),
    ("A,B\na,b\n", {"delimiter": "::"}),
    ("A,B\na,b\n", {"missing": "guess"}),
    ("A,B\na,\n,b\n", {"missing": "drop"}),
    ("A,B\na,b\n", {"long": ["A", "B"]}),
    ("A,B\n", {}),
    ("A,B\na,a\n", {}),
    ("A\n" + "".join(f"x{n}\n" for n in range(101)), {}),
    ('A,B\n"a,b\n', {}),
    ("q,w,a\n,x,y\nq,x,y\n", {"long": ["1", "2", "3"]}),
    ('{"A": "a"}\n{"A": \n', {}),
    ('[{"A": "a", "A": "b"}]', {}),
    ('{"A": {"q": ["a"]}}', {}),
    ('{"A": 1}', {}),
    ('{"results": [{"gradingResult": 5}]}', {}),
    ("A,B\na,b\n", {"judges": "AB"}),
    ("A,B\na,b\n", {"truth": "x/" * 500}),
    (",".join(f"judge{n}" for n in range(300)) + "\n" + ",".join("ab" * 150) + "\n", {"truth": "no"}),
    ("[" * 100_000, {}),
    ('{"labels": ["a", "b"], "judges": ["A"], "counts": {"a": 1}}', {"truth": "A"}),
    ('[{"A": "a"}, {"A": "b"}]', {"delimiter": ";"}),
    ("sep=;\nA;B\na;b\nb;b\n", {}),
    ("a title\n\nA;B\na;b\nb;b\n", {}),
    ('{"data": [{"A": "a"}, 5]}', {}),
]


@pytest.mark.parametrize(("text", "options"), BAD)
def test_bad_input_is_refused_in_one_short_line(tmp_path, text, options):
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises((BadDecisions, BadDocument, BadVotes)) as caught:
        read_votes(path, **options)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) <= 300


@pytest.mark.parametrize(
    "data", [b"A,B\na,\xff\n", b"\xff\xfeA\0", b"A\0B", b"\x1f\x8b12", b"PK\x03\x04x", b"PAR1xx", b"[\xff"]
)
def test_binary_and_damaged_files_are_refused(tmp_path, data):
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(NtqrExactError):
        read_votes(path)


def test_an_error_names_line_and_column_after_quoted_line_breaks():
    text = 'A,B\n"a\n",b\nb,b\nb,x\n'
    with pytest.raises(BadDecisions) as caught:
        read_votes(io.StringIO(text, newline=""), labels=["a", "b"])
    assert (caught.value.line, caught.value.column) == (5, "B")


def test_votes_documents_are_read_as_they_are_written(tmp_path):
    votes = VoteCounts({"ab": 2, ("a", None): 1}, judges=["A", "B"])
    path = tmp_path / "votes.json"
    path.write_text(votes.to_json())
    assert read_votes(path) == votes
    assert read_votes(path, judges=["B"]) == votes.marginal("B")


def test_rows_of_python_are_counted_and_refused_with_their_number():
    assert count_rows(["ab", "aa"], truth="ab").key_counts == {"a": 1, "b": 1}
    assert count_rows([("x", None), ("", "y"), (None, None)], judges=["A", "B"]).size == 2
    assert count_rows([], labels=["a", "b"], judges=["A"]).size == 0
    for rows, options in (
        ([], {}),
        (["ab", "a"], {}),
        ([("a", 1)], {}),
        (["ab"], {"truth": ""}),
        (["ab"], {"truth": "aa"}),
        (["ab"], {"labels": ["a", "c"]}),
        (["aa"], {}),
        ([5], {}),
        (5, {}),
    ):
        with pytest.raises((BadDecisions, BadVotes)):
            count_rows(rows, **options)


def test_a_table_has_columns_by_name_or_position():
    with open_table(io.StringIO("x;y\n1;2\n\n3;4\n")) as table:
        assert (table.column("y"), table.column("2"), table.column(" x")) == ("y", "y", "x")
        assert list(table.rows()) == [(2, ("1", "2")), (4, ("3", "4"))]
    with pytest.raises(BadDecisions), open_table(io.StringIO('{"a": {"b": "c"}}')):
        pass


@pytest.mark.slow
def test_memory_for_a_csv_stays_flat_as_its_rows_grow_fivefold(tmp_path):
    def peak(rows):
        path = tmp_path / f"{rows}.csv"
        path.write_text("A,B,C\n" + "a,b,a\nb,b,a\n" * (rows // 2), encoding="utf-8")
        read_votes(path)
        tracemalloc.start()
        assert read_votes(path).size == rows
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(1_000_000) < peak(200_000) * 3 // 2


def test_a_pipe_is_held_in_memory_up_to_a_bound(monkeypatch):
    for bound, is_refused in ((8, False), (7, True)):
        monkeypatch.setattr("ntqr_exact.votes.tables.MAX_PIPED", bound)
        reading, writing = os.pipe()
        os.write(writing, b"A,B\na,b\n")
        os.close(writing)
        with pytest.raises(BadDecisions) if is_refused else contextlib.nullcontext():
            assert read_votes(f"/dev/fd/{reading}").size == 1
        os.close(reading)


def test_numbers_for_names_are_long_though_some_answers_repeat():
    lines = [f"{task},{worker},{(task + worker) % 2}\n" for task in range(8) for worker in range(3)]
    for header in ("task,worker,label\n", "item,rater,stars\n", ""):
        votes = read_votes(io.StringIO("".join([header, *lines, *lines[:4]])))
        assert (votes.judges, votes.size) == (("0", "1", "2"), 8)
    with work_limit(1), pytest.raises(NtqrExactError, match="work-limit"):
        read_votes(io.StringIO("".join(["task,worker,label\n", *lines])))
    with pytest.warns(DecisionsWarning, match="--long A,B,C"):
        assert read_votes(io.StringIO("".join(["A,B,C\n", *lines]))).judges == ("A", "B", "C")


def test_the_key_of_a_long_file_without_header_shows_the_questions():
    lines = "".join(f"{w},{t},{t * w % 2},{t % 2}\n" for w in range(9) for t in range(4))
    votes = read_votes(io.StringIO(lines), truth="4")
    assert (len(votes.judges), votes.key_counts) == (9, {"0": 2, "1": 2})


def test_columns_without_a_common_answer_and_texts_are_not_judges():
    text = ["model,question,response,ada,bo,human_eval"]
    text += [f"m{n % 2},q{n // 2},{'r' * (n + 199)},{n % 3 > 0},{n % 2 > 0},True" for n in range(40)]
    with pytest.warns(DecisionsWarning, match="not read as judges"):
        votes = read_votes(io.StringIO("\n".join(text)))
    assert (votes.judges, votes.labels) == (("ada", "bo"), ("False", "True"))
    scores = [f".{n},.{n}1,.{n}2" for n in range(10, 30)]
    for note, lines in (("case", ["yes,No,no", "no,YES,yes"] * 12), ("scores", scores)):
        with pytest.warns(DecisionsWarning, match=note):
            assert len(read_votes(io.StringIO("\n".join(["ada,bo,cy", *lines]))).judges) == 3


def test_an_index_column_is_not_the_question():
    answers = "".join(f"{n},{n // 3},w{n % 3},{n % 7 % 2}\n" for n in range(60))
    votes = read_votes(io.StringIO(",task,worker,label\n" + answers))
    assert (votes.size, votes.judges) == (20, ("w0", "w1", "w2"))
    wide = "".join(f"{n},{'mc'[n % 2]},m{n % 3},{n % 5 % 2},{n % 7 % 2}\n" for n in range(60))
    assert read_votes(io.StringIO("id,task,model,score_ada,score_bo\n" + wide)).judges[-1] == "score_bo"


def test_the_key_file_decides_which_column_has_the_questions(tmp_path):
    key = tmp_path / "key.csv"
    key.write_text("Q0,A1\nQ1,A0\nQ2,A2\n")
    answers = "".join(f"P{p},Q{q},A{p * q % 3}\n" for p in range(5) for q in range(3))
    votes = read_votes(io.StringIO(answers), truth=str(key))
    assert (votes.size, len(votes.judges)) == (3, 5)
    assert votes.key_counts == {"A0": 1, "A1": 1, "A2": 1}  # the first row of the key is not a header


def test_whole_numbers_may_have_a_decimal_point_as_programs_write_them_next_to_gaps(tmp_path):
    key = tmp_path / "key.csv"
    key.write_text("id,truth\n" + "".join(f"{n}.0,{n % 2}\n" for n in range(8)))
    rows = "".join(f"{n},{'' if n == 5 else f'{n % 2}.0'},{n % 3 % 2}\n" for n in range(8))
    votes = read_votes(io.StringIO("id,ada,bo\n" + rows), truth=str(key))
    assert votes.key_counts == {"0": 4, "1": 4}
    assert votes.observed().responses("ada") == {"0": 4, "1": 3}
    named = read_votes(io.StringIO("ada,bo\n1.0,1\n1,1.0\n"), labels=["1", "1.0"])
    assert named.counts == {("1.0", "1"): 1, ("1", "1.0"): 1}


def test_a_key_of_which_no_judge_gave_a_label_is_refused_with_a_remedy_that_works():
    text = "id,ada,bo,gold\n1,yes,no,Y\n2,no,yes,N\n"
    with pytest.raises(BadDecisions, match="--labels"):
        read_votes(io.StringIO(text), truth="gold")
    votes = read_votes(io.StringIO(text), truth="gold", labels=["yes", "no", "Y", "N"])
    assert votes.key_counts == {"yes": 0, "no": 0, "Y": 1, "N": 1}
