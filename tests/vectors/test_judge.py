"""Outputs are judged by value: exact, not canonical, inexact within a tolerance, or wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.rational import rational
from ntqr_exact.vectors.compare import Agreement, read_output
from ntqr_exact.vectors.files import Test, all_tests, read_family, shipped
from ntqr_exact.vectors.run import Report, judge, judge_output

SURD = {"rational": "1/2", "coefficient": "1", "radicand": "5"}


@pytest.mark.parametrize(
    ("expected", "output", "tolerance", "agreement"),
    [
        ("3/4", '"3/4"', "0", Agreement.EXACT),
        ("3/4", '"6/8"', "0", Agreement.NOT_CANONICAL),
        ("3/4", '"0.75"', "0", Agreement.NOT_CANONICAL),
        ("7", "7", "0", Agreement.NOT_CANONICAL),
        (7, "7", "0", Agreement.EXACT),
        ("3/4", "0.75", "0", Agreement.INEXACT),
        ("1/3", "0.3333", "0", Agreement.WRONG),
        ("1/3", "0.3333", "1e-3", Agreement.INEXACT),
        ("1000", "1000.9", "1e-3", Agreement.INEXACT),
        ("1000", "1001.1", "1e-3", Agreement.WRONG),
        ("3/4", "NaN", "1", Agreement.WRONG),
        ("3/4", "1e999999999", "1", Agreement.WRONG),
        ("3/4", "true", "1", Agreement.WRONG),
        ("no-positives", '"no-positives"', "0", Agreement.EXACT),
        ("no-positives", '"no-negatives"', "0", Agreement.WRONG),
        (True, "1", "0", Agreement.WRONG),
        (None, "null", "0", Agreement.EXACT),
        (SURD, json.dumps(SURD), "0", Agreement.EXACT),
        (SURD, '{"rational": "1/2", "coefficient": "1/2", "radicand": "20"}', "0", Agreement.NOT_CANONICAL),
        (SURD, "2.736", "1e-3", Agreement.INEXACT),
        (SURD, '"2.736"', "1e-3", Agreement.WRONG),
        ({"a": ["1"]}, '{"a": ["1", "2"]}', "0", Agreement.WRONG),
        ({"a": "1", "b": "2"}, '{"a": 1, "b": "3"}', "0", Agreement.WRONG),
        ({"a": "1"}, "{}", "0", Agreement.WRONG),
        ({"a": "1"}, '{"a": "1", "b": "1"}', "0", Agreement.WRONG),
    ],
)
def test_values_are_compared_and_not_texts(
    expected: Any, output: str, tolerance: str, agreement: Agreement
) -> None:
    assert judge_output(case("valid", expected), read_output(output), rational(tolerance))[0] is agreement


def test_a_key_given_twice_is_refused() -> None:
    with pytest.raises(BadDocument):
        read_output('{"a": 1, "a": 2}')


def case(result: str, expected: Any) -> Test:
    return Test("edge", {}, {"id": "x/1", "input": {}, "expected": expected, "result": result})


@pytest.mark.parametrize(
    ("result", "output", "agreement"),
    [
        ("invalid", {"error": "anything"}, Agreement.EXACT),
        ("invalid", "1", Agreement.WRONG),
        ("valid", {"error": "no"}, Agreement.WRONG),
        ("acceptable", {"error": "no"}, Agreement.EXACT),
        ("acceptable", "1", Agreement.EXACT),
        ("acceptable", "2", Agreement.WRONG),
    ],
)
def test_a_refusal_is_right_where_it_is_asked_for(result: str, output: Any, agreement: Agreement) -> None:
    expected = {"error": "bad-number"} if result == "invalid" else "1"
    assert judge_output(case(result, expected), output, mpq(0))[0] is agreement


TESTS = list(all_tests(read_family(shipped(), "vote-moments")))
RIGHT = [json.dumps({"id": test.id, "output": test.body["expected"]}) for test in TESTS]


def judged(*lines: str, **options: Any) -> Report:
    return judge(lines, shipped(), **options)


def test_all_right_outputs_pass_and_other_families_are_not_tried() -> None:
    report = judged(*RIGHT, "")
    assert report.passes
    assert list(report.families) == ["vote-moments"]
    assert not judged().passes


def test_a_family_that_is_named_is_asked_for_whole() -> None:
    report = judged(*RIGHT, names=["vote-moments", "grade"])
    assert {one.agreement for one in report.failed} == {Agreement.MISSING}
    assert {one.test.id.partition("/")[0] for one in report.failed} == {"grade"}


@pytest.mark.parametrize(
    ("line", "words", "unreadable"),
    [
        (RIGHT[0], "given twice", 0),
        ('{"id": "vote-moments/0000000000", "output": 1}', "unknown id", 0),
        ('{"id": "nothing/0000000000", "output": 1}', "unknown id", 0),
        ("nothing", "line", 1),
        ('{"id": "vote-moments/1"}', "a result is an object", 1),
        ('{"id": 1, "output": 1}', "a result is an object", 1),
        ('{"id": "vote-moments/1", "output": 1, "more": 1}', "a result is an object", 1),
    ],
)
def test_answer_to_no_test_does_not_pass(line: str, words: str, unreadable: int) -> None:
    report = judged(*RIGHT, line)
    assert not report.passes
    assert words in report.strays[0]
    assert report.unreadable == unreadable


def test_missing_and_wrong_outputs_are_reported_by_id(tmp_path: Path) -> None:
    report = judged(json.dumps({"id": TESTS[1].id, "output": {}}), *RIGHT[2:])
    assert [(one.test.id, one.agreement) for one in report.failed] == [
        (TESTS[0].id, Agreement.MISSING),
        (TESTS[1].id, Agreement.WRONG),
    ]
    document = report.to_document()
    assert document["passes"] is False
    assert document["families"]["vote-moments"]["missing"] == 1
    with pytest.raises(BadDocument):
        judge(RIGHT, tmp_path)
