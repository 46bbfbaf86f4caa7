"""`graded`, `choose` and `agreement`: the same numbers as the library, a round trip, and one-line errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ntqr_exact import PartialKey, agreement, questions_to_grade, read_test, read_votes
from ntqr_exact.cli.main import cli
from ntqr_exact.errors import NtqrExactError
from ntqr_exact.sampling.answer_table import AnswerTable

ROWS = [("ab"[n % 3 > 0], "ab"[n % 4 > 1], "ab"[n % 7 > 3], "ab"[n % 5 > 1]) for n in range(60)]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def shown(*arguments: str) -> dict:  # type: ignore[type-arg]
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)  # type: ignore[no-any-return]


@pytest.fixture
def decisions(tmp_path: Path) -> Path:
    lines = [f"{a},{b},{c},{key if n % 3 == 0 else ''}" for n, (a, b, c, key) in enumerate(ROWS)]
    path = tmp_path / "decisions.csv"
    path.write_text("A,B,C,key\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("drawn", ["at_random", "by_strata", "not_at_random"])
def test_graded_shows_what_the_library_computes(decisions: Path, drawn: str) -> None:
    found = shown("graded", str(decisions), "--truth", "key", "--drawn", drawn, "--level", "0.9")
    key = read_test(str(decisions), truth="key", drawn=drawn)
    assert PartialKey.from_document(found["key"]) == key
    assert (found["questions"], found["graded"], found["ungraded"]) == (60, 20, 40)
    assert [one["right"] for one in found["certain"]["judges"]] == [
        list(key.ranges(j).right) for j in range(3)
    ]
    if drawn == "not_at_random":
        assert found["intervals"] == found["differences"] == []
    else:
        assert [one["central"] for one in found["intervals"]] == [
            list(key.right_answers(j, "0.9")) for j in range(3)
        ]
        assert found["differences"][0]["interval"] == list(key.difference(0, 1, "0.9"))
    text = run("graded", str(decisions), "--truth", "key", "--drawn", drawn)
    assert "20 of 60 questions are graded, 40 are not" in text.stdout


def test_a_partial_key_goes_through_votes_count_evaluate_and_the_other_commands(
    decisions: Path, tmp_path: Path
) -> None:
    votes = str(tmp_path / "votes.json")
    counted = run("votes", "count", str(decisions), "--truth", "key", "--drawn", "at_random", "-o", votes)
    assert "60 questions (20 with a key), 3 judges" in counted.stderr
    evaluated = shown("evaluate", votes)
    both = (evaluated["graded"], shown("graded", votes))
    centrals = [[one["central"] for one in found["intervals"]] for found in both]
    assert centrals[0] == centrals[1] != []
    assert "from your grades" in run("evaluate", votes).stdout
    alarm = run("alarm", votes)
    assert alarm.exit_code in (0, 1)
    assert "20 of 60 questions have a key" in alarm.stderr


@pytest.mark.parametrize("how", [[], ["--by-pattern"], ["--between", "A,B"]])
def test_a_chosen_sheet_is_filled_in_and_read_back(decisions: Path, tmp_path: Path, how: list[str]) -> None:
    sheet = tmp_path / "sheet.csv"
    options = ["--judges", "A,B,C", "--labels", "a,b"]
    result = run("choose", str(decisions), *options, *how, "--number", "8", "--seed", "5", "-o", str(sheet))
    assert result.exit_code == 0, result.output
    assert "8 of 60 questions to grade" in result.stderr
    header, *lines = sheet.read_text(encoding="utf-8").splitlines()
    assert header == "question,A,B,C,key,truth"
    answers = [ROWS[int(line.split(",")[0]) - 1] for line in lines]
    assert [line.split(",")[1:4] for line in lines] == [list(row[:3]) for row in answers]
    filled = [header, *(line + row[3] for line, row in zip(lines, answers, strict=True))]
    sheet.write_text("\n".join(filled), encoding="utf-8")
    drawn = ["--between", "A,B"] if "--between" in how else ["--drawn", "by_strata" if how else "at_random"]
    found = shown("graded", str(decisions), *options, "--grades", str(sheet), *drawn)
    assert found["graded"] == 8
    assert len(found["intervals"]) == 3


def test_the_sheet_takes_the_place_of_a_key_that_the_votes_have(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    assert run("choose", "example:medqa", "--number", "5", "-o", str(sheet)).exit_code == 0
    header, *lines = sheet.read_text(encoding="utf-8").splitlines()
    sheet.write_text("\n".join([header, *(f"{line}A" for line in lines)]), encoding="utf-8")
    found = shown("graded", "example:medqa", "--grades", str(sheet), "--drawn", "at_random")
    assert (found["graded"], len(found["intervals"])) == (5, 4)


def test_choose_plans_by_width_and_draws_the_same_for_a_seed() -> None:
    found = shown("choose", "example:two-norm", "--width", "400", "--seed", "1")
    assert len(found["questions"]) == questions_to_grade(found["size"], width=400)
    assert found == shown("choose", "example:two-norm", "--width", "400", "--seed", "1")
    text = run("choose", "example:two-norm", "--number", "2")
    assert text.stdout.startswith("question,")


@pytest.mark.filterwarnings("ignore::ntqr_exact.errors.DecisionsNote")
def test_agreement_shows_the_coefficients_of_the_library(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("A,B,C\n1,2,2\n1,,1\n3,3,3\n2,2,\n", encoding="utf-8")
    weights = ("--weights", "ordinal", "--weights", "nominal")
    found = shown("agreement", str(path), "--labels", "1,2,3", "--coefficient", "krippendorff", *weights)
    table = AnswerTable.from_votes(read_votes(str(path), labels=["1", "2", "3"]))
    assert [one["value"] for one in found["coefficients"]] == [
        str(agreement(table, "krippendorff", weights=kind)) for kind in ("ordinal", "nominal")
    ]
    votes = tmp_path / "votes.json"
    votes.write_text(read_votes(str(path), judges=["A"]).to_json(), encoding="utf-8")
    assert "no value: no question has two answers" in run("agreement", str(votes)).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["graded", "{d}"],
        ["graded", "{d}", "--truth", "key", "--between", "A"],
        ["graded", "{d}", "--grades", "none.csv"],
        ["graded", "{d}", "--truth", "key", "--level", "2"],
        ["choose", "{d}"],
        ["choose", "{d}", "--number", "3", "--between", "A", "--judges", "A,B"],
        ["choose", "{d}", "--number", "300", "--judges", "A,B"],
        ["agreement", "{d}"],
        [
            "agreement",
            "{d}",
            "--labels",
            "a,b",
            "--judges",
            "A,B,C",
            "--coefficient",
            "fleiss",
            "--weights",
            "ratio",
        ],
    ],
)
def test_bad_input_is_refused(decisions: Path, arguments: list[str]) -> None:
    result = run(*(argument.format(d=decisions) for argument in arguments))
    assert result.exit_code != 0
    assert isinstance(result.exception, (SystemExit, NtqrExactError))
