"""Results are judged by value, and everything that is wrong with them is reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadDocument
from ntqr_exact.vectors.compare import Agreement, compare, read_output
from ntqr_exact.vectors.files import all_tests, read_family
from ntqr_exact.vectors.judge import Judgement, judge
from ntqr_exact.vectors.make import make_vectors

NAME = "vote-moments"
ZERO = mpq(0)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("vectors")
    make_vectors(directory, names=[NAME, "number-parsing", "independent-binary"], count=4)
    return directory


@pytest.fixture
def right(made: Path) -> list[dict[str, Any]]:
    return [{"id": test.id, "output": test.body["expected"]} for test in all_tests(read_family(made, NAME))]


def judged(results: list[Any], made: Path, **options: Any) -> Judgement:
    lines = [result if isinstance(result, str) else json.dumps(result) for result in results]
    return judge(lines, made, **options)


def worst(expected: Any, output: str, tolerance: mpq = ZERO) -> Agreement:
    findings = compare(expected, read_output(output), tolerance=tolerance)
    return max((finding.agreement for finding in findings), default=Agreement.EXACT)


GOLDEN = {"rational": "1/2", "coefficient": "1/2", "radicand": "5"}


@pytest.mark.parametrize(
    ("expected", "output", "agreement"),
    [
        ("3/4", '"3/4"', Agreement.EXACT),
        ("3/4", '"6/8"', Agreement.NOT_CANONICAL),
        ("3/4", '"0.75"', Agreement.NOT_CANONICAL),
        ("3", "3", Agreement.NOT_CANONICAL),
        (3, '"3"', Agreement.NOT_CANONICAL),
        (3, "3", Agreement.EXACT),
        (3, "4", Agreement.WRONG),
        ("3/4", "0.75", Agreement.INEXACT),
        ("3/4", "0.7500000001", Agreement.WRONG),
        ("3/4", "NaN", Agreement.WRONG),
        ("3/4", "-Infinity", Agreement.WRONG),
        ("3/4", "1e999999999", Agreement.WRONG),
        ("3/4", '"3/0"', Agreement.WRONG),
        ("3/4", "null", Agreement.WRONG),
        ("1", "true", Agreement.WRONG),
        (True, "1", Agreement.WRONG),
        (True, "true", Agreement.EXACT),
        (None, "null", Agreement.EXACT),
        ("family", '"family"', Agreement.EXACT),
        ("family", '"none"', Agreement.WRONG),
        (GOLDEN, '{"rational": "1/2", "coefficient": "1/4", "radicand": "20"}', Agreement.NOT_CANONICAL),
        (GOLDEN, '{"radicand": "5", "rational": "1/2", "coefficient": "1/2"}', Agreement.EXACT),
        (GOLDEN, '{"rational": "1/2", "coefficient": "-1/2", "radicand": "5"}', Agreement.WRONG),
        ({**GOLDEN, "radicand": "-5"}, "1.618", Agreement.WRONG),
        ("1/2", '{"rational": "1/2", "coefficient": "0", "radicand": "7"}', Agreement.NOT_CANONICAL),
        (["1", "2"], '["1"]', Agreement.WRONG),
        (["1"], '["1", "2"]', Agreement.WRONG),
        ({"a": "1"}, '{"a": "1", "b": "2"}', Agreement.WRONG),
        ({"a": "1"}, "{}", Agreement.WRONG),
        ({"a": "1"}, '["1"]', Agreement.WRONG),
    ],
)
def test_a_value_is_compared_by_value(expected: Any, output: str, agreement: Agreement) -> None:
    assert worst(expected, output) is agreement


def test_a_tolerance_is_relative_above_one_and_absolute_below() -> None:
    tolerance = mpq(1, 1000)
    assert worst("1000", "1000.9", tolerance) is Agreement.INEXACT
    assert worst("1000", "1001.1", tolerance) is Agreement.WRONG
    assert worst("1/1000", "0.0019", tolerance) is Agreement.INEXACT
    assert worst("1/1000", "0.0021", tolerance) is Agreement.WRONG
    assert worst(GOLDEN, "1.618", tolerance) is Agreement.INEXACT
    assert worst(GOLDEN, "1.63", tolerance) is Agreement.WRONG


def test_a_tolerance_does_not_excuse_a_wrong_exact_number() -> None:
    assert worst("1/1000", '"1/1001"', mpq(1, 10)) is Agreement.WRONG


def test_right_results_pass_and_other_families_are_not_asked_for(right: list[Any], made: Path) -> None:
    found = judged(right, made)
    assert found.passes
    assert found.families[NAME].counts[Agreement.EXACT] == len(right)
    assert found.not_tried == ("independent-binary", "number-parsing")


def test_a_family_that_is_named_is_asked_for_whole(right: list[Any], made: Path) -> None:
    found = judged(right, made, names=[NAME, "number-parsing"])
    assert not found.passes
    assert len(found.families["number-parsing"].missing) == found.families["number-parsing"].tests


def test_results_of_families_that_are_not_asked_for_are_left_aside(right: list[Any], made: Path) -> None:
    found = judged(right, made, names=["number-parsing"])
    assert found.unknown == ()
    assert list(found.families) == ["number-parsing"]


def test_everything_that_is_wrong_is_reported_at_once(right: list[Any], made: Path) -> None:
    missing, changed, *rest = right
    output = {**changed["output"], "trio_moment": "1/7"}
    results = [
        {"id": changed["id"], "output": output},
        *rest,
        rest[0],
        {"id": f"{NAME}/0123456789", "output": 1},
        {"id": "nonsense/1", "output": 1},
        "{broken",
        '{"id": "x", "id": "y", "output": 1}',
        '{"id": "x"}',
        "[]",
        "",
    ]
    found = judged(results, made)
    after = len(rest) + 1
    assert not found.passes
    assert found.families[NAME].missing == [missing["id"]]
    assert found.wrong == ((changed["id"], ("/trio_moment: '1/7', expected '0' (off by 1.43e-1)",)),)
    assert found.duplicates == ((after + 1, rest[0]["id"]),)
    assert found.unknown == ((after + 2, f"{NAME}/0123456789"), (after + 3, "nonsense/1"))
    assert [line for line, _ in found.broken] == [after + 4, after + 5, after + 6, after + 7]
    assert json.dumps(found.to_document(), default=str)


def test_no_results_at_all_do_not_pass(made: Path) -> None:
    assert not judged([], made).passes


def test_a_refusal_is_right_where_it_is_asked_for_or_allowed(made: Path) -> None:
    tests = list(all_tests(read_family(made, "number-parsing")))
    results = {"valid": Agreement.WRONG, "invalid": Agreement.EXACT, "acceptable": Agreement.EXACT}
    found = judged([{"id": test.id, "output": {"error": "no"}} for test in tests], made)
    wrong = {name for name, _ in found.wrong}
    for test in tests:
        assert (test.id in wrong) == (results[test.body["result"]] is Agreement.WRONG)
    assert wrong


def test_an_answer_where_a_refusal_is_asked_for_is_wrong(made: Path) -> None:
    invalid = [test for test in all_tests(read_family(made, NAME)) if test.body["result"] == "invalid"]
    found = judged([{"id": test.id, "output": {"trio_moment": "0"}} for test in invalid], made)
    assert len(found.wrong) == len(invalid) > 0
    assert "must be refused" in found.wrong[0][1][0]


def test_a_key_given_twice_is_broken() -> None:
    with pytest.raises(BadDocument, match="twice"):
        read_output('{"a": 1, "a": 2}')


def test_a_nested_bomb_is_broken_not_a_crash(made: Path) -> None:
    assert len(judged(["[" * 100_000], made).broken) == 1
