"""Verdicts follow from values: what is judged differently comes out differently."""

from gmpy2 import mpq

from ntqr_exact.ledger.judgement import (
    Verdict,
    all_cases,
    all_of,
    by_reading,
    decided,
    equal,
    not_checkable,
    rounded,
    undecided,
    within,
)

TRUE, SLIP, FALSE = (
    decided(True, "seen"),
    decided(False, "seen", right="4", slip=True),
    decided(False, "seen"),
)
OPEN = not_checkable("the data")


def test_truth_holds_a_slip_is_a_misprint_and_anything_else_is_wrong():
    assert [each.verdict for each in (TRUE, SLIP, FALSE, OPEN)] == [
        Verdict.HOLDS, Verdict.MISPRINT, Verdict.WRONG, Verdict.NOT_CHECKABLE,
    ]  # fmt: skip
    assert (SLIP.right, TRUE.right) == ("4", "")


def test_equal_compares_exactly():
    assert equal("2/4", mpq(1, 2), "x").verdict is Verdict.HOLDS
    assert equal("0.333", mpq(1, 3), "x").verdict is Verdict.MISPRINT
    assert equal("0.333", mpq(1, 3), "x").right == "1/3"


def test_rounded_says_what_the_right_digits_are_and_when_they_were_cut_off():
    finding = rounded("0.66", mpq(2, 3), "x")
    assert (finding.verdict, finding.right, finding.arose) == (
        Verdict.MISPRINT, "0.67", "digits were cut off instead of rounded",
    )  # fmt: skip
    assert rounded("0.67", mpq(2, 3), "x").verdict is Verdict.HOLDS
    assert rounded("0.68", mpq(2, 3), "x").arose == ""


def test_within_holds_if_the_roundings_can_meet():
    assert within("0.5", mpq(54, 100), mpq(60, 100), "x").verdict is Verdict.HOLDS
    assert within("0.5", mpq(55, 100), mpq(60, 100), "x").verdict is Verdict.HOLDS
    assert within("0.5", mpq(56, 100), mpq(60, 100), "x").verdict is Verdict.MISPRINT
    assert within("0.5", mpq(40, 100), mpq(44, 100), "x").verdict is Verdict.MISPRINT


def test_readings_that_differ_make_a_claim_depend_on_them():
    assert by_reading({"one": TRUE, "other": FALSE}).verdict is Verdict.DEPENDS
    assert by_reading({"one": TRUE, "other": TRUE}).verdict is Verdict.HOLDS
    assert by_reading({"one": SLIP, "other": SLIP}).right == "4"


def test_the_verdict_is_that_of_the_worst_part():
    assert all_of({"a": TRUE, "b": SLIP}).verdict is Verdict.MISPRINT
    assert all_of({"a": FALSE, "b": SLIP}).verdict is Verdict.WRONG
    assert all_of({"a": TRUE, "b": OPEN}).verdict is Verdict.NOT_CHECKABLE
    assert all_of({"a": TRUE, "b": TRUE}).verdict is Verdict.HOLDS


def test_worlds_that_differ_leave_a_claim_open_and_worlds_that_agree_decide_it():
    assert undecided({"w": True, "v": False}, "data").verdict is Verdict.NOT_CHECKABLE
    assert undecided({"w": True, "v": True}, "data").verdict is Verdict.HOLDS
    assert undecided({"w": False}, "data").verdict is Verdict.WRONG


def test_the_first_case_that_fails_is_the_counterexample():
    finding = all_cases([("1", True), ("2", False), ("3", False)], checked="small numbers")
    assert (finding.verdict, finding.evidence) == (Verdict.WRONG, ("counterexample: 2",))
    assert all_cases([("1", True)], checked="one").verdict is Verdict.HOLDS
    assert all_cases([], checked="none").verdict is Verdict.WRONG
