"""Printed decimals: which exact numbers round to them, and by which rule."""

from decimal import ROUND_DOWN, ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from ntqr_exact import Surd
from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.printed_value import Rounding, read_printed


@given(st.integers(-99999, 99999), st.integers(0, 3))
def test_the_rule_agrees_with_the_decimal_module(thousandths, places):
    exact = Decimal(thousandths).scaleb(-4)
    unit = Decimal(1).scaleb(-places)
    value = mpq(thousandths, 10000)
    near = {exact.quantize(unit, rounding=rule) for rule in (ROUND_HALF_UP, ROUND_HALF_DOWN)}
    for printed in near:
        assert read_printed(str(printed)).rule_for(value) not in (Rounding.NONE, Rounding.CUT)
    cut = exact.quantize(unit, rounding=ROUND_DOWN)
    if cut not in near and cut != 0:
        assert read_printed(str(cut)).rule_for(value) is Rounding.CUT
    for other in (max(near) + unit, min(near) - unit):
        if other != cut:
            assert read_printed(str(other)).rule_for(value) is Rounding.NONE


def test_halves_may_go_either_way():
    for text in ("0.13", "0.12"):
        assert read_printed(text).rule_for(mpq(1, 8)) is Rounding.HALF
        assert read_printed(f"-{text}").rounds(mpq(-1, 8))
    assert read_printed("0.125").rule_for(mpq(1, 8)) is Rounding.EXACT


def test_scientific_notation_commas_and_minus_signs_are_read():
    assert read_printed("1.92e-7").rule_for(mpq("192041/1000000000000")) is Rounding.NEAREST
    assert read_printed("1.92e-7").right_text(mpq("1936/10000000000")) == "1.94e-7"
    assert read_printed("167,668,501").value == 167668501
    assert read_printed("−0.5").value == mpq(-1, 2)


def test_surds_are_compared_exactly():
    assert read_printed("1.414").rule_for(Surd(0, 1, 2)) is Rounding.NEAREST
    assert read_printed("1.41").right_text(Surd(0, 1, 2) * 2) == "2.83"


@pytest.mark.parametrize("text", ["", "one", "1/2", "0.5.5", "1e", "nan"])
def test_other_texts_are_refused(text):
    with pytest.raises(BadDocument):
        read_printed(text)
