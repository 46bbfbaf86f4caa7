"""Alarms as values."""

from __future__ import annotations

import pickle

import pytest
from gmpy2 import mpq, mpz

from ntqr_exact.alarms.alarm import Alarm, AlarmKind, alarm_lines


def test_an_alarm_is_a_frozen_value_with_an_exact_document() -> None:
    proof = {"count": mpq(1, 2), "root": mpz(7)}
    alarm = Alarm(AlarmKind.NOT_WHOLE, "no", proof)
    proof["count"] = mpq(1)
    with pytest.raises(TypeError):
        alarm.proof["count"] = mpq(1)  # type: ignore[index]
    assert alarm == pickle.loads(pickle.dumps(alarm)) != Alarm(AlarmKind.NOT_WHOLE, "no", proof)
    document = alarm.to_document()
    assert (document["kind"], document["proof"]) == ("not_whole", {"count": mpq(1, 2), "root": mpq(7)})
    assert isinstance(document["proof"]["root"], mpq)


def test_alarms_of_one_kind_share_a_line_in_the_order_of_the_first_of_each() -> None:
    whole = [Alarm(AlarmKind.NOT_WHOLE, f"count {n}") for n in range(3)]
    lines = list(alarm_lines([whole[0], Alarm(AlarmKind.OUT_OF_RANGE, "rate 2"), *whole[1:]]))
    assert lines == ["ALARM, not whole: count 0; and 2 more", "ALARM, out of range: rate 2"]
