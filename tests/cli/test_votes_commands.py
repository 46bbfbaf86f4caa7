"""Commands on votes print what the library computes, read files as the options say, and refuse bad input."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ntqr_exact import (
    PartialKey,
    VoteCounts,
    agreement,
    best_level,
    check_dependence_certificate,
    check_failing_certificate,
    check_safety_certificate,
    count_rows,
    example,
    failing_judges,
    questions_to_grade,
    read_test,
    read_votes,
    study_consistent,
)
from ntqr_exact.examples import FILES

CSV = "id,A,key,B,C\n1,a,a,b,a\n2,b,b,b,a\n3,a,b,b,b\n4,a,a,a,a\n"
COLUMNS = ["--judges", "A,B,C"]
VOTES = count_rows(["aba", "bba", "abb", "aaa"], judges=["A", "B", "C"])
LABELED = count_rows(["aba", "bba", "abb", "aaa"], judges=["A", "B", "C"], truth="abba")
RATED = "A,B\n1,2\n5,5\n4,3\n,2\n3,3\n"
ABSTAINING = "A,B,C\n" + "yes,yes,yes\n" * 6 + "no,no,no\n" * 5 + "yes,no,yes\n?,yes,no\n?,?,no\nno,yes,no\n"
ROWS = [("ab"[n % 3 > 0], "ab"[n % 4 > 1], "ab"[n % 7 > 3], "ab"[n % 5 > 1]) for n in range(60)]


@pytest.fixture
def partial(file):
    lines = [f"{a},{b},{c},{key if n % 3 == 0 else ''}" for n, (a, b, c, key) in enumerate(ROWS)]
    return file("A,B,C,key\n" + "\n".join(lines) + "\n", "partial.csv")


# -- examples, demo, count, show ----------------------------------------------------------------------------


def test_examples_are_written_and_never_replace_a_file(run, tmp_path):
    folder = tmp_path / "new" / "folder"
    code, out, err = run("examples", folder)
    assert (code, err) == (0, "")
    assert {path.name for path in folder.iterdir()} == set(FILES)
    assert all(f"{name}: {words}" in out for name, words in FILES.items())
    assert json.loads(run("examples", folder, "--json")[1])[str(folder / "scores.csv")] == FILES["scores.csv"]
    (tmp_path / "scores.csv").write_text("mine")
    assert run("examples", tmp_path)[0] == 2
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["scores.csv"]


@pytest.mark.parametrize("name", [name for name, words in FILES.items() if "`" in words])
def test_command_printed_for_an_example_file_reads_it(run, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    run("examples", ".")
    code, out, _ = run(*shlex.split(re.search("`(.+)`", FILES[name])[1]))
    assert code == 0
    assert out


def test_demo_prints_a_real_panel_and_the_surds_of_the_paper(run):
    code, out, err = run("demo")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) <= 75
    for words in ("300 questions, 4 judges", "√657031321", "≈ 0.764477", "ALARM"):
        assert words in out
    screen = json.loads(run("demo", "--json")[1])["medqa"]
    assert [one["by_key"] for one in screen["judges"]] == ["41/75", "53/75", "197/300", "9/20"]


def test_counting_writes_the_votes_file(run, file, tmp_path):
    decisions, path = file(CSV), tmp_path / "votes é.json"
    assert run("votes", "count", decisions, *COLUMNS) == (0, VOTES.to_json(), "")
    assert run("votes", "count", decisions, *COLUMNS, "--truth", "key") == (0, LABELED.to_json(), "")
    code, out, err = run("votes", "count", decisions, *COLUMNS, "-o", path)
    assert (code, out, err) == (0, "", f"4 questions, 3 judges, 2 labels -> {path}\n")
    assert read_votes(path) == VOTES
    assert run("votes", "count", path)[1] == VOTES.to_json()
    assert run("votes", "show", path) == run("votes", "show", decisions, *COLUMNS)


def test_names_with_commas_are_quoted(run, file):
    path = file('"A, the first",B\n"yes, sure",no\nno,no\n')
    options = ["--judges", 'B,"A, the first"', "--labels", '"yes, sure",no,maybe']
    votes = VoteCounts.from_json(run("votes", "count", path, *options)[1])
    assert (votes.judges, votes.labels) == (("B", "A, the first"), ("yes, sure", "no", "maybe"))
    assert votes.counts["no", "yes, sure"] == 1


def test_votes_are_shown_with_counts_agreements_and_moments(run, document, file):
    assert "A, B, C  -1/32 = -0.03125" in run("votes", "show", file(CSV), *COLUMNS)[1]
    shown = document("votes", "show", file(CSV), *COLUMNS, "--truth", "key")
    assert shown["votes"] == LABELED.to_document()
    assert [row["value"] for row in shown["statistics"]["pair_moments"]] == ["1/16", "-1/16", "1/16"]
    votes = file(VoteCounts({"aab": 2, "bbb": 1}, judges=[*"ABC"]).to_json(), "votes.json")
    assert "3 questions, 2 judges (C, A)" in run("votes", "show", votes, "--judges", "C,A")[1]


# -- reading options ----------------------------------------------------------------------------------------


def test_missing_answers_follow_their_option(run, document, file):
    path = file(RATED)
    assert "1 of 10 answers" in run("votes", "count", path)[2]
    assert len(document("votes", "count", path)["counts"]) == 5
    dropped = document("votes", "count", path, "--missing", "drop")["counts"]
    assert dropped == {"1,2": 1, "3,3": 1, "4,3": 1, "5,5": 1}
    assert "none" in document("votes", "count", path, "--missing", "label:none")["labels"]


def test_abstentions_are_answers_or_gaps(run, document, refused, file):
    path = file(ABSTAINING)
    assert "?" in document("votes", "count", path, "--abstain", "?")["labels"]
    for command in ("alarm", "consistent", "dependence"):
        assert '"?"' not in run(command, path, "--abstain", "?", "--json")[1]
    result = document("evaluate", path, "--abstain", "?")
    assert (result["screen"]["gaps"], result["votes"]["labels"]) == (3, ["no", "yes"])
    assert "no answer is 'pass'" in run("alarm", path, "--abstain", "pass")[2]
    agreeing = document("agreement", path, "--labels", "no,yes", "--abstain", "?")
    assert agreeing["labels"] == ["no", "yes"]
    keyed = file("A,B,key\nyes,no,?\nno,no,no\n", "keyed.csv")
    assert "must not be a true label" in refused("evaluate", keyed, "--truth", "key", "--abstain", "?")


def test_ratings_have_weights_and_views(run, document, file):
    path = file(RATED)
    result = document("agreement", path, "--ordinal", "1..5")
    assert {row["weights"] for row in result["coefficients"]} == {"ordinal", "linear", "quadratic"}
    view = document("votes", "count", path, "--missing", "drop", "--ordinal", "1..5", "--at-least", "4")
    assert view["counts"] == {"below 4,below 4": 2, "4 or above,below 4": 1, "4 or above,4 or above": 1}
    assert "ignores the order" in run("evaluate", path, "--missing", "drop", "--ordinal", "1..5")[2]
    keyed = file("A,B,key\n1,2,\n5,5,5\n4,?,\n4,3,3\n", "keyed.csv")
    options = ("--truth", "key", "--ordinal", "1..5", "--abstain", "?", "--at-least", "4")
    assert document("votes", "count", keyed, *options)["labels"] == ["below 4", "4 or above"]
    assert run("graded", keyed, *options, "--drawn", "by_strata")[0] == 2


# -- evaluate, consistent, dependence, alarm, agreement -----------------------------------------------------


def test_next_step_of_the_screen_runs_as_printed(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my votes.csv").write_text(
        "id;A;B;C\n" + "".join(f"{n};{';'.join(r[:3])}\n" for n, r in enumerate(ROWS))
    )
    options = ["--judges", "A,B,C", "--labels", "a,b", "--delimiter", ";", "--header"]
    out = run("evaluate", "my votes.csv", *options)[1]
    choose, graded = (
        line.strip() for line in out.replace("\\\n", "").splitlines() if line.startswith("  ntqr-exact ")
    )
    code, _, err = run(*shlex.split(choose)[1:])
    assert code == 0, err
    printed = re.search("`(.+)`", err)[1]
    header, *lines = Path("sheet.csv").read_text().splitlines()
    rows = [ROWS[int(line.split(",")[0]) - 1] for line in lines]
    filled = [f"{line}{row[3]}" for line, row in zip(lines, rows, strict=True)]
    Path("sheet.csv").write_text("\n".join([header, *filled]))
    for words in (graded, printed):
        code, out, err = run(*shlex.split(words)[1:])
        assert (code, "from your grades" in out) == (0, True), err


def test_key_out_has_a_label_for_each_question(run, file, tmp_path):
    text = "".join(f"q{n},{who},{'ab'[n % 2]}\n" for n in range(6) for who in "ABC") + "q6,A,b\nq6,B,a\n"
    target = tmp_path / "key.csv"
    assert run("evaluate", file("question,worker,answer\n" + text), "--key-out", target)[0] == 0
    rows = target.read_text().splitlines()
    assert rows[0] == "question,answers,unanimous,majority,dawid_skene,independent"
    assert rows[1:7] == [f"q{n},3,yes" + f",{'ab'[n % 2]}" * 3 for n in range(6)]
    assert rows[7] in ("q6,2,no,a,a,", "q6,2,no,a,b,")


def test_html_page_is_written_whole(run, tmp_path):
    page = tmp_path / "page.html"
    code, out, err = run("consistent", "example:two-norm", "--html", page)
    assert (code, out, err) == (0, "", f"wrote {page}\n")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert run("consistent", "example:two-norm", "--html", "-")[1] == page.read_text(encoding="utf-8")


def test_consistent_and_alarm_take_gaps(run, tmp_path):
    file, page = tmp_path / "gaps.csv", tmp_path / "page.html"
    rows = (
        "first judge,second judge,third judge",
        "yes,no,yes",
        "no,no,",
        "yes,yes,no",
        ",yes,no",
        "no,,yes",
    )
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    for options in ((), ("--key", "2,3"), ("--key", "2,3", "--html", page), ("--html", page)):
        code, out, err = run("consistent", file, *options)
        assert (code, "fault" in err, "picture" in out) == (0, False, False)
    file.write_text(
        "the first judge,the second judge,the third judge\nyes,no,yes\nno,yes,no\n", encoding="utf-8"
    )
    code, out, _ = run("alarm", file)
    assert "none of these groups" in " ".join(out.split())
    assert (code, [line for line in out.splitlines() if "  " in line.strip()]) == (1, [])


def test_consistent_counts_with_and_without_key_counts(document, refused):
    votes = example("two-norm").votes
    assert document("consistent", "example:two-norm") == json.loads(study_consistent(votes).to_json())
    at_key = json.loads(study_consistent(votes, {"a": 400, "b": 600}).to_json())
    assert document("consistent", "example:two-norm", "--key", "400,600") == at_key
    for key in ("400,500", "400", "-1,1001", "x,1000", ""):
        refused("consistent", "example:two-norm", f"--key={key}")


def test_dependence_writes_certificates_and_their_checker(run, document, refused, file, tmp_path):
    path = file(VoteCounts({"aaa": 5, "aab": 1, "aba": 1, "abb": 2, "bab": 1, "bba": 2, "bbb": 4}).to_json())
    proofs, program = tmp_path / "proofs.json", tmp_path / "checker.py"
    words = ["dependence", path, "--budget", "0.05", "--claim", "J1 > J2"]
    assert "The accuracy of J1 exceeds the accuracy of J2" in run(*words)[1]
    result = document(*words, "--certificate", proofs, "--checker", program)
    assert result["within"][0]["correlation"] == "1/20"
    certificates = json.loads(proofs.read_text())
    assert len(certificates) > 1
    assert not any(map(check_dependence_certificate, certificates))
    subprocess.run([sys.executable, "-I", program, proofs], capture_output=True, check=True)
    for bad in (("--budget", "much"), ("--budget", "-1"), ("--claim", "3 better"), ("--claim", "3 > you")):
        refused("dependence", "example:two-norm", *bad)


def test_dependence_of_sparse_votes_is_that_of_a_group_with_common_questions(run, refused, file):
    rows = [",".join((*"aabba", "")), *[",".join(("", *"abab", ""))] * 3, "b,b,,,,a"]
    path = file("A,B,C,D,E,F\n" + "\n".join(rows) + "\n")
    words = " ".join(run("dependence", path, "--claim", "A > B")[1].split())
    assert (
        "No question was answered by all 6 judges. This is about the 4 questions that B, C, D and E" in words
    )
    assert "This is about the 1 question that A, B, C, D and E answered." in words
    assert "A > F" not in refused("dependence", path, "--judges", "C,F")


def test_alarm_exits_with_1_and_a_proof_if_judges_must_fail(run, document, refused, file, tmp_path):
    votes = VoteCounts({"aab": 3, "bba": 3, "aaa": 1}, judges=["gpt", "llama", "falcon"])
    path, proof = file(votes.to_json(), "votes.json"), tmp_path / "proof.json"
    assert run("alarm", "example:two-norm", "--level", "1/2")[0] == 0
    code, out, _ = run("alarm", "example:two-norm")
    assert code == 1
    assert "at least 1 of 3 judges is right" in out
    assert out.count(" of the questions of ") == 3
    assert "their questions" in run("alarm", "example:two-norm", "--overall")[1]
    assert run("alarm", path, "--factor", "3/2", "--certificate", proof)[0] == 1
    assert check_safety_certificate(json.loads(proof.read_text())) == []
    assert run("alarm", path, "--factor", "1.5") == run("alarm", path, "--factor", "3/2")
    assert run("alarm", path, "--level", "4/5", "--certificate", proof)[0] == 1
    assert check_failing_certificate(json.loads(proof.read_text())) == []
    failing = failing_judges(read_votes(path), "4/5")
    for allowed, code in ((failing.proven, 0), (failing.proven - 1, 1)):
        result = run("alarm", path, "--level", "4/5", "--at-most", allowed)
        assert result[0] == code
        assert len(result[1].splitlines()) == 1
    assert document("alarm", path, "--level", "4/5", "--overall")["measure"] == "overall"
    assert "falcon" in run("alarm", path, "--level", "2/3", "--trust", "gpt")[1]
    level = document("alarm", path, "--best-level")
    assert level == json.loads(best_level(read_votes(path)).to_json())
    for bad in (["--factor", "1"], ["--factor", "1/0"], ["--level", "2"], ["--trust", "l"]):
        assert "did you mean" not in refused("alarm", path, *bad)
    for near, name in (("GPT", "gpt"), ("f…n", "falcon")):
        assert f"did you mean {name!r}?" in refused("alarm", path, "--trust", near)


@pytest.mark.filterwarnings("ignore::ntqr_exact.errors.DecisionsWarning")
def test_agreement_prints_the_coefficients_of_the_library(document, file):
    path = file("A,B,C\n1,2,2\n1,,1\n3,3,3\n2,2,\n")
    words = ("agreement", path, "--labels", "1,2,3"), ("agreement", path, "--ordinal", "1,2,3")
    results = [one for each in words for one in document(*each)["coefficients"]]
    table = read_votes(str(path), labels=["1", "2", "3"])
    assert {one["weights"] for one in results} == {"nominal", "ordinal", "linear", "quadratic"}
    for one in results:
        part = table.marginal(*one["judges"])
        assert one["value"] == str(agreement(part, one["coefficient"], weights=one["weights"]))


# -- a graded sample ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("drawn", ["at_random", "by_strata", "not_at_random"])
def test_graded_prints_the_intervals_of_the_library(run, document, partial, drawn):
    result = document("graded", partial, "--truth", "key", "--drawn", drawn, "--level", "0.9")["graded"]
    key = read_test(str(partial), truth="key", drawn=drawn)
    assert PartialKey.from_document(result["key"]) == key
    assert (result["questions"], result["graded"]) == (60, 20)
    at_random = drawn != "not_at_random"
    central = [list(key.right_answers(j, "0.9")) if at_random else None for j in range(3)]
    assert [one.get("central") for one in result["intervals"]] == central
    assert "20 of 60" in run("graded", partial, "--truth", "key", "--drawn", drawn)[1]


def test_when_all_questions_are_graded_it_does_not_matter_how_they_were_drawn(run, document):
    results = [
        document("graded", "example:wine", "--drawn", drawn)["graded"]
        for drawn in ("at_random", "not_at_random")
    ]
    assert results[0]["intervals"] == results[1]["intervals"]
    assert results[0]["differences"] == results[1]["differences"] != []
    assert "random" not in run("graded", "example:wine")[1]


def test_partial_key_passes_through_the_other_commands(run, document, partial, tmp_path):
    votes = tmp_path / "votes.json"
    err = run("votes", "count", partial, "--truth", "key", "--drawn", "at_random", "-o", votes)[2]
    assert "60 questions (20 with a key), 3 judges" in err
    evaluated, graded = document("evaluate", votes)["graded"], document("graded", votes)["graded"]
    assert evaluated["differences"] == graded["differences"] != []
    assert "20 of 60 questions have a key" in run("alarm", votes)[2]


@pytest.mark.parametrize("how", [[], ["--between", "A", "B"]])
def test_sheet_is_filled_in_and_read_back(run, document, partial, tmp_path, how):
    sheet = tmp_path / "sheet.csv"
    options = ["--judges", "A,B,C", "--labels", "a,b"]
    code, _, err = run("choose", partial, *options, *how, "--number", "8", "--seed", "5", "-o", sheet)
    assert (code, "8 of 60 questions to grade" in err) == (0, True)
    header, *lines = sheet.read_text(encoding="utf-8").splitlines()
    assert header == "question,A,B,C,key,truth"
    rows = [ROWS[int(line.split(",")[0]) - 1] for line in lines]
    sheet.write_text("\n".join([header, *(line + row[3] for line, row in zip(lines, rows, strict=True))]))
    drawn = how or ["--drawn", "at_random"]
    result = document("graded", partial, *options, "--grades", sheet, *drawn)["graded"]
    assert (result["graded"], len(result["intervals"])) == (8, 3)
    if how:
        assert all(row[0] != row[1] for row in rows)
        strata = [[pattern.split(",") for pattern in group] for group in result["key"]["strata"]]
        assert all(len({a == b for a, b, _ in group}) == 1 for group in strata)


def test_graded_is_a_gate_with_one_line(run, document, refused, file):
    votes = file("J,K\n" + "a,b\n" * 40 + "b,b\n" * 40, "votes.csv")
    sheet = file(
        "question,J,K,truth\n" + "".join(f"{n},a,b,a\n{n + 40},b,b,b\n" for n in range(1, 31)), "sheet.csv"
    )
    for claim, code in {
        "J >= 0.85": 0,
        "J - K >= 0": 0,
        "J > K": 0,
        "kappa(J) >= 0.5": 0,
        "K >= 0.85": 1,
        "J > 0.99": 1,
    }.items():
        done, out, err = run("graded", votes, sheet, "--require", claim)
        assert (done, out.count("\n"), err) == (code, 1, ""), claim
        assert claim in out
        assert run("graded", votes, "--grades", sheet, "--require", claim) == (done, out, err)
    both = ("graded", votes, sheet, "--require", "J >= 0.85", "--require", "K >= 0.85")
    assert run(*both)[0] == 1
    assert [one["answer"] for one in document(*both)] == ["yes", "no"]
    assert run("graded", votes, sheet, "--require", "J >= 0.85", "--drawn", "not_at_random")[0] in (1, 2)
    for bad in ("L >= 0.85", "J >= much", "J"):
        refused("graded", votes, sheet, "--require", bad)


def test_choose_plans_by_width_and_repeats_a_seed(document):
    words = ("choose", "example:two-norm", "--width", "400", "--seed", "1")
    assert len(document(*words)["questions"]) == questions_to_grade(1000, width=400)
    assert document(*words) == document(*words)


@pytest.mark.parametrize(
    "words",
    [
        "graded {}",
        "graded {} --truth key --between A",
        "graded {} --grades none.csv",
        "graded {} --truth key --level 2",
        "choose {}",
        "choose {} --number 3 --judges A,B --between A none",
        "choose {} --number 300 --judges A,B",
    ],
)
def test_bad_sample_is_one_line(refused, partial, words):
    refused(*words.format(partial).split())


def test_column_truth_is_left_out_with_a_note(run, refused, tmp_path):
    path, sheet = tmp_path / "votes.csv", str(tmp_path / "sheet.csv")
    path.write_text("question,A,B,truth\nq1,a,b,a\nq2,b,b,b\n", encoding="utf-8")
    assert "--truth truth" in run("votes", "show", str(path))[2]
    assert "--truth truth" in refused(
        "choose", str(path), "--judges", "A,truth", "--number", "1", "-o", sheet
    )
    assert not Path(sheet).exists()
