"""The reports of scores and of a comparison: exact numbers, and data, programs and commands that give them again."""

from __future__ import annotations

import contextlib
import html
import io
import re
import shlex

import pytest

from ntqr_exact import MetricModel, compare, compare_paired
from ntqr_exact.cli import main as frame
from ntqr_exact.errors import BadQuery
from ntqr_exact.metrics.ranking import Rule, rank
from ntqr_exact.sampling.normal_interval import Ends, NormalCritical
from ntqr_exact.study.score_study import study_scores
from ntqr_exact.views.report import metrics_report, significance_report

LABELS = [1, 1, 0, 1, 0, 0, 1, 0]
SCORES = ["0.9", "0.8", "0.8", "0.6", "0.5", "0.4", "0.3", "0.1"]


def code_blocks(text):
    section = text.partition('<section id="reproduce"')[2]
    return [
        html.unescape(block)
        for block in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", section, re.DOTALL)
    ]


def test_it_tells_cells_metrics_areas_and_answers_exactly(parsed):
    text = metrics_report(rank(LABELS, SCORES), samples=8, queries=["maximum recall @ precision >= 3/4"])
    page = parsed(text)
    assert (page.faults, page.open) == ([], [])
    assert page.tags.count("svg") == 3
    shown = " ".join(page.text.split())
    assert "8 samples at 7 different scores;" in shown
    assert re.search(r"<th[^>]*>predicted positive</th><td>3</td><td>2</td>", text)
    assert re.search(r"<th[^>]*>roc_auc</th><td>23/32 = 0.71875</td>", text)
    assert re.search(
        r"maximum recall @ precision &gt;= 3/4</th><td>3/5 = 0.6</td><td>3/4 = 0.75</td><td>3/4 = 0.75</td>",
        text,
    )


def test_scores_of_one_label_have_a_page_that_says_what_is_undefined(parsed):
    page = parsed(metrics_report(rank([1, 1], ["0.5", "0.2"])))
    assert page.faults == []
    assert "undefined" in page.text
    assert parsed(metrics_report(rank([0, 0], ["0.5", "0.2"]))).faults == []


def test_names_of_labels_stay_text(parsed):
    classes = ("<script>no</script>", '"><img onerror=x>')
    labels = [classes[label] for label in LABELS]
    page = parsed(metrics_report(rank(labels, SCORES, classes=classes), classes=classes))
    assert not {"script", "img"} & set(page.tags)
    assert "<script>no</script>" in page.text


def test_a_text_that_is_no_query_is_refused():
    with pytest.raises(BadQuery):
        metrics_report(rank(LABELS, SCORES), queries=["best recall"])


@pytest.mark.parametrize("rule", [Rule.AT_LEAST, pytest.param(Rule.ABOVE, marks=pytest.mark.slow)])
def test_data_program_and_commands_give_the_same_numbers_again(rule, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(frame.COMMANDS, "report", "ntqr_exact.cli.report:report")
    ranking = rank(LABELS, SCORES, ["1/2", 1, 1, "3/4", 1, 1, 2, 1])
    text = metrics_report(
        ranking, classes=("0", "1"), rule=rule, threshold="0.8", queries=["maximum recall @ precision >= 1/2"]
    )
    _, data, commands, program = code_blocks(text)
    (tmp_path / "scores.csv").write_text(data, encoding="utf-8")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(program, "program", "exec"), {})
    weighted = study_scores(
        ranking, rule=rule, threshold="0.8", queries=["maximum recall @ precision >= 1/2"], classes=("0", "1")
    )
    assert str(weighted).partition("\n\n")[2] in said.getvalue()
    for line in commands.splitlines():
        assert frame.main(shlex.split(line)[1:]) == 0, capsys.readouterr().err
    again = (tmp_path / "report.html").read_text(encoding="utf-8")
    parts = [
        page.partition('<section id="confusion"')[2].partition('<section id="meaning"')[0]
        for page in (text, again)
    ]
    assert parts[0] == parts[1]


METRIC = MetricModel("0.8897", "0.22769")
COMPARISONS = {
    "independent": compare(control=(108, 23679), treatment=(56, 23679), metric=METRIC),
    "paired, estimated": compare(
        control=(30, 100),
        treatment=(20, 100),
        both=10,
        metric=MetricModel.from_counts(tp=40, fp=10, fn=5, tn=45),
        critical=NormalCritical("0.95"),
        ends=Ends.OPEN,
    ),
    "three classes": compare_paired(
        {("<b>", "mild"): 10, ("none", "none"): 30, ("mild", "none"): 5},
        metric=MetricModel.of_classes(
            {"none": "1/10", "mild": "1/2", "<b>": "9/10"}, positive=["mild", "<b>"]
        ),
    ),
    "two labelled sets": compare(
        control=(9, 10), treatment=(1, 10), metric=(METRIC, MetricModel("9/10", "1/5"))
    ),
}


@pytest.mark.parametrize("name", COMPARISONS)
def test_every_reading_stands_with_its_interval_and_its_decision(name, parsed):
    comparison = COMPARISONS[name]
    text = significance_report(comparison)
    page = parsed(text)
    assert (page.faults, page.open) == ([], [])
    assert page.tags.count("svg") == 1
    assert "b" not in page.tags
    for result in comparison.results:
        row = re.search(
            rf"<tr><th[^>]*>{result.reading.value}</th><td>{result.centre.value}</td><td>[^<]*</td><td>[^<]*</td>"
            rf"<td>{re.escape(str(result.interval))}</td><td[^>]*>(.*?)</td>",
            text,
        )
        assert row, result
        assert result.decision.value in row[1]
        assert str(result.interval.variance) in page.text


@pytest.mark.parametrize("name", COMPARISONS)
def test_the_program_in_the_report_gives_the_same_comparison(name):
    text = significance_report(COMPARISONS[name], arguments=["--control", "1/2"])
    blocks = code_blocks(text)
    assert blocks[1:3] == [
        "ntqr-exact report significance --control 1/2 -o report.html",
        "ntqr-exact significance --control 1/2",
    ]
    scope = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(blocks[-1], "program", "exec"), scope)
    assert scope["found"].results == COMPARISONS[name].results


def test_the_bytes_are_the_same_twice():
    assert significance_report(COMPARISONS["independent"]) == significance_report(COMPARISONS["independent"])
