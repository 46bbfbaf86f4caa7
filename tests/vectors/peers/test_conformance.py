"""A report counts what passes, tells the ways of failing apart, and shows the smallest test for each cause."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.peers import conformance
from benchmarks.peers.conformance import Derived, NotAsked, part, report, shipped_tests
from ntqr_exact.vectors.files import Test


@pytest.fixture(scope="module")
def areas() -> list[Test]:
    return list(shipped_tests(["areas"], 10))


def asked(output: Any, areas: list[Test], quantity: str = "pr_auc_none") -> conformance.Row:
    (row,) = report({"areas": {quantity: lambda _: output}}, tests=areas)
    return row


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        (0.25, conformance.VALUE),
        (float("nan"), conformance.MISSING),
        ([0.5], conformance.VALUE),
        ({"error": "no"}, conformance.REFUSED),
    ],
)
def test_a_wrong_output_is_a_defect_of_its_smallest_test(areas: list[Test], output: Any, kind: str) -> None:
    row = asked(output, areas)
    wrong = [test for test in areas if row.outcomes[test.id] == kind]
    assert row.passed < row.tried
    assert row.defects[kind].tests == len(wrong) > 1
    assert len(json.dumps(row.defects[kind].test.input)) == min(len(json.dumps(test.input)) for test in wrong)


def test_refusals_and_undefined_values_are_distinguished(areas: list[Test]) -> None:
    def refuse(_: object) -> object:
        raise ValueError("no")

    (always,) = report({"areas": {"roc_auc": refuse}}, tests=areas)
    assert set(always.defects) == {conformance.REFUSED}
    never = asked(0.5, areas, "roc_auc")
    assert set(never.defects) == {conformance.VALUE, conformance.UNDEFINED, conformance.ACCEPTED}


def test_unsupported_question_to_a_peer_is_neither_right_nor_wrong(areas: list[Test]) -> None:
    def unable(_: object) -> object:
        raise NotAsked

    (row,) = report({"areas": {"roc_auc": unable}}, tests=areas)
    assert (row.tried, row.passed, row.defects) == (0, 0, {})
    assert set(row.outcomes.values()) == {conformance.NOT_ASKED}


def test_expected_values_as_floats_pass_within_the_tolerance_and_not_beyond(areas: list[Test]) -> None:
    valid = [test for test in areas if test.body["result"] == "valid"]
    number = {json.dumps(t.input): t.body["expected"]["roc_auc"] for t in valid}

    def shifted(by: float) -> conformance.Row:
        def ask(document: dict[str, Any]) -> float:
            value = number[json.dumps(document)]
            return float("nan") if value[0].isalpha() else float(conformance.exactly(value)) + by

        return report({"areas": {"roc_auc": ask}}, tests=valid)[0]

    assert shifted(1e-12).defects == {}
    assert set(shifted(1e-8).defects) == {conformance.VALUE}


def test_a_cause_gathers_the_failures_that_it_names(areas: list[Test]) -> None:
    row = report({"areas": {"roc_auc": lambda _: 0.5}}, cause=lambda *_: "one cause", tests=areas)[0]
    assert list(row.defects) == ["one cause"]
    assert row.defects["one cause"].tests == row.tried - row.passed


def test_a_derived_quantity_is_compared_with_what_follows_from_the_expected_one(areas: list[Test]) -> None:
    derived = Derived(lambda _: 7, lambda _: "7")
    row = report({"areas": {"seven": derived}}, tests=[t for t in areas if t.body["result"] == "valid"])[0]
    assert row.passed == row.tried > 0


@pytest.mark.parametrize(
    ("quantity", "found"),
    [("a", [{"b": 1}, {"b": 2}]), ("a/*/b", [1, 2]), ("a/*", [{"b": 1}, {"b": 2}]), ("c/d", 3)],
)
def test_a_quantity_names_a_part_of_a_document(quantity: str, found: Any) -> None:
    assert part({"a": [{"b": 1}, {"b": 2}], "c": {"d": 3}}, quantity) == found


def test_nan_counts_as_a_refusal_only_for_a_test_without_questions() -> None:
    (row,) = report(
        {"vote-moments": {"trio_moment": lambda _: float("nan")}},
        tests=shipped_tests(["vote-moments"], 0),
    )
    tests = {test.id: test for test in shipped_tests(["vote-moments"], 0)}
    errors = {
        row.outcomes[name]: test.body["expected"].get("error")
        for name, test in tests.items()
        if test.body["result"] == "invalid"
    }
    assert errors[conformance.RIGHT] == "empty-test"
    assert errors[conformance.ACCEPTED] != "empty-test"
