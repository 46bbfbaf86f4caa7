"""The report of a comparison: all readings, exact ends, and a program that gives them again."""

from __future__ import annotations

import contextlib
import html
import io
import re

import pytest

from ntqr_exact import MetricModel, compare, compare_paired
from ntqr_exact.significance.interval import Ends, NormalCritical
from ntqr_exact.views.report import significance_report

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
    blocks = [
        html.unescape(block) for block in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", text, re.DOTALL)
    ]
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
