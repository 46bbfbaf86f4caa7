"""`ntqr-exact metrics`: words, JSON, strata, queries, and bad input in one line."""

import json
import re

import pytest
from gmpy2 import mpq

from ntqr_exact.cli import main as frame
from ntqr_exact.metrics.bootstrap import bootstrap_area

ROWS = "y,s,T,w\n1,0.9,B,1\n0,0.9,B,1/2\n1,0.1,R,2\n0,0.3,R,1\n"


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setitem(frame.COMMANDS, "metrics", "ntqr_exact.cli.metrics:metrics")

    def in_process(*arguments):
        code = frame.main(["metrics", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return in_process


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(ROWS)
    return path


def test_words_tell_the_matrix_the_areas_and_the_picture(run, scores):
    code, out, err = run(scores, "--label", "y", "--score", "s")
    assert (code, err) == (0, "")
    for words in (
        "4 samples at 3 different scores",
        "Predicted positive if score >= 1/2:\n                      truly 1  truly 0\n"
        "  predicted positive        1        1\n  predicted negative        1        1\n",
        "recall       1/2 = 0.5",
        "roc_auc: 3/8 = 0.375",
        "average_precision: 1/2 = 0.5",
        "threshold          –         –  ====",
    ):
        assert words in out


def test_json_holds_the_same_numbers_in_the_layout_of_ores(run, scores):
    code, out, _ = run(
        scores,
        "--label",
        "y",
        "--score",
        "s",
        "--json",
        "--query",
        "maximum recall @ fpr <= 0.5",
        "--table",
        2,
    )
    document = json.loads(out)
    assert code == 0
    assert document["counts"]["predictions"] == {
        "false": {"false": 1, "true": 1},
        "true": {"false": 1, "true": 1},
    }
    assert document["roc_auc"] == "3/8"
    assert document["precision"]["labels"]["true"] == "1/2"
    assert document["queries"] == [
        {"query": "maximum recall @ fpr <= 1/2", "threshold": "9/10", "value": "1/2", "condition": "1/2"}
    ]
    assert [row["threshold"] for row in document["thresholds"]] == ["9/10", "1/10"]
    assert len(document["distribution"]) == 10
    assert document["strata"] is None


def test_strata_with_their_populations_make_the_weights(run, scores):
    arguments = (scores, "--label", "y", "--score", "s", "--stratum", "T", "--population", "B=10,R=100")
    code, out, _ = run(*arguments)
    assert code == 0
    assert "weight of stratum 'B': 2/11" in out
    document = json.loads(run(*arguments, "--json")[1])
    assert document["strata"]["R"] == {"population": 100, "samples": 2, "weight": "20/11"}
    assert document["recall"]["labels"]["true"] == "1/11"


def test_weights_rates_rules_and_anchors_are_options(run, scores):
    base = (scores, "--label", "y", "--score", "s", "--json")
    weighted = json.loads(run(*base, "--weight", "w")[1])
    assert weighted["precision"]["labels"]["true"] == "2/3"
    above = json.loads(run(*base, "--rule", ">", "--threshold", "0.9")[1])
    assert above["precision"]["labels"]["true"] == {"undefined": "no sample is predicted to be positive"}
    rated = json.loads(run(*base, "--population-rate", "0.1")[1])
    assert rated["rates"]["population"]["true"] == "1/10"
    assert rated["precision"]["labels"]["true"] == "1/10"
    assert rated["roc_auc"] == "3/8"
    areas = {
        anchor: json.loads(run(*base, "--anchor", anchor)[1])["pr_auc"] for anchor in ("none", "first", "one")
    }
    assert mpq(areas["none"]) < mpq(areas["first"]) < mpq(areas["one"])
    swapped = json.loads(run(*base, "--positive", "0")[1])
    assert swapped["classes"] == ["1", "0"]
    assert swapped["roc_auc"] == "5/8"


def test_a_query_without_an_answer_says_so_and_an_undefined_metric_says_why(run, scores):
    code, out, _ = run(
        scores,
        "--label",
        "y",
        "--score",
        "s",
        "--threshold",
        "2",
        "--query",
        "maximum recall @ precision > 0.9",
    )
    assert code == 0
    assert "precision > 9/10 at none of the thresholds" in out
    assert "precision    undefined: no sample is predicted to be positive" in out
    document = json.loads(
        run(scores, "--label", "y", "--score", "s", "--json", "--query", "maximum recall @ precision > 0.9")[
            1
        ]
    )
    assert document["queries"][0]["threshold"] is None


def test_many_scores_have_areas_with_proven_digits_and_any_scale(run, tmp_path):
    path = tmp_path / "many.csv"
    path.write_text("y,s\n" + "".join(f"{n % 3 == 0:d},{n - 700}\n" for n in range(1500)))
    code, out, _ = run(path, "--label", "y", "--score", "s", "--digits", 30, "--table", 3)
    assert code == 0
    assert "(proven to 30 digits: from " in out
    proven = re.findall(r"≈ (\S+) \(proven to 30 digits: from (\S+) to (\S+), exactly\)", out)
    assert proven
    for decimal, lower, upper in proven:
        assert mpq(lower) < mpq(upper)
        assert all(abs(mpq(end) - mpq(decimal)) < mpq(1, 10**30) for end in (lower, upper))
    document = json.loads(run(path, "--label", "y", "--score", "s", "--json")[1])
    area = document["average_precision"]
    assert mpq(area["lower"]) <= mpq(area["upper"])
    assert len(area["decimal"]) == 22


def test_an_area_halfway_between_two_decimals_is_told_with_one_digit_more(run, tmp_path):
    path = tmp_path / "half.csv"
    # One positive in the fourth place: average precision is exactly 1/4, which one digit cannot round.
    path.write_text("y,s\n" + "".join(f"{n == 3:d},{-n}\n" for n in range(1200)))
    code, out, _ = run(path, "--label", "y", "--score", "s", "--digits", 1)
    assert code == 0
    assert "average_precision: ≈ 0.25 (proven" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--label", "z", "--score", "s"), "'z'"),
        (("--label", "y", "--score", "s", "--query", "best recall"), "a query is maximum or minimum"),
        (("--label", "y", "--score", "s", "--population-rate", "1.2"), "between 0 and 1"),
        (("--label", "y", "--score", "s", "--stratum", "T"), "belong together"),
        (("--label", "y", "--score", "s", "--population", "B=1"), "belong together"),
        (
            ("--label", "y", "--score", "s", "--stratum", "T", "--population", "B=1,R=9"),
            "smaller than its sample",
        ),
        (("--label", "y", "--score", "s", "--stratum", "T", "--population", "B=9"), "is not given"),
        (("--label", "y", "--score", "s", "--stratum", "T", "--population", "B"), "is not STRATUM=SIZE"),
        (
            ("--label", "y", "--score", "s", "--stratum", "T", "--population", "B=9,R=9", "--weight", "w"),
            "not both",
        ),
        (("--label", "y", "--score", "T"), "column 'T': 'B': not a number"),
        (("--label", "s", "--score", "s"), "column 's'"),
        (("--label", "T", "--score", "s"), "which of these labels is the positive one"),
        (
            (
                "--label",
                "y",
            ),
            "--score",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(run, scores, arguments, complaint):
    code, out, err = run(scores, *arguments)
    assert (code, out) == (2, "")
    assert complaint in err
    assert len(err.splitlines()) == 1


def test_areas_are_bootstrapped_with_their_weights(run, tmp_path):
    path = tmp_path / "weighted.csv"
    rows = [(1, "0.9", 2), (0, "0.8", 1), (1, "0.7", "1/2"), (0, "0.4", 3), (1, "0.3", 1), (0, "0.1", 1)]
    path.write_text("y,s,w\n" + "".join(f"{y},{s},{w}\n" for y, s, w in rows), encoding="utf-8")
    base = (str(path), "--label", "y", "--score", "s", "--weight", "w", "--resamples", "50", "--seed", "4")
    code, out, _ = run(*base, "--json")
    found = json.loads(out)["intervals"]
    columns = [list(column) for column in zip(*rows, strict=True)]
    for area in ("average_precision", "roc_auc"):
        drawn = bootstrap_area(*columns, area=area, resamples=50, seed=4).interval()
        assert (found[area]["lower"], found[area]["upper"]) == (str(drawn.lower), str(drawn.upper))
    assert code == 0
    assert "Areas of resampled samples, at level 19/20" in run(*base)[1]


def test_a_perfect_classifier_has_the_area_one_under_each_name(run, tmp_path):
    path = tmp_path / "perfect.csv"
    path.write_text("y,s\n1,0.9\n1,0.9\n0,0.1\n", encoding="utf-8")
    out = run(str(path), "--label", "y", "--score", "s")[1]
    assert "average_precision: 1\n" in out
    assert "pr_auc from (0, 1): 1\n" in out
