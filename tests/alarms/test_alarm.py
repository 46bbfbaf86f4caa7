"""Alarms as values."""

from __future__ import annotations

import pickle

import pytest
from gmpy2 import mpq, mpz

from ntqr_exact.alarms.alarm import Alarm, AlarmKind, alarm_lines


def test_an_alarm_says_its_kind_and_its_words() -> None:
    assert str(Alarm(AlarmKind.NOT_WHOLE, "a count would be 1/2")) == "not whole: a count would be 1/2"


def test_an_alarm_is_a_frozen_value() -> None:
    proof = {"count": mpq(1, 2)}
    alarm = Alarm(AlarmKind.NOT_WHOLE, "no", proof)
    proof["count"] = mpq(1)
    assert alarm.proof["count"] == mpq(1, 2)
    with pytest.raises(TypeError):
        alarm.proof["count"] = mpq(1)  # type: ignore[index]
    assert alarm == pickle.loads(pickle.dumps(alarm))
    assert hash(alarm) == hash(pickle.loads(pickle.dumps(alarm)))
    assert alarm != Alarm(AlarmKind.NOT_WHOLE, "no", {"count": mpq(1)})


def test_whole_numbers_of_a_proof_are_exact_in_a_document() -> None:
    document = Alarm(
        AlarmKind.IRRATIONAL, "no", {"root": mpz(7), "share": mpq(1, 3), "name": "A"}
    ).to_document()
    assert document["kind"] == "irrational"
    assert document["meaning"] == AlarmKind.IRRATIONAL.value
    assert document["proof"] == {"root": mpq(7), "share": mpq(1, 3), "name": "A"}
    assert isinstance(document["proof"]["root"], mpq)


def test_alarms_of_one_kind_share_a_line_in_the_order_of_the_first_of_each() -> None:
    whole = [Alarm(AlarmKind.NOT_WHOLE, f"count {n}") for n in range(3)]
    outside = Alarm(AlarmKind.OUT_OF_RANGE, "rate 2")
    assert list(alarm_lines([whole[0], outside, *whole[1:]])) == [
        "ALARM, not whole: count 0; and 2 more",
        "ALARM, out of range: rate 2",
    ]
    assert list(alarm_lines([])) == []
