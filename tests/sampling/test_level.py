"""Levels shared out among statements: enough, and hardly more."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from ntqr_exact.errors import BadNumber
from ntqr_exact.sampling.level import check_level, divided_share, independent_share


@pytest.mark.parametrize("level", [mpq(19, 20), mpq(1, 3), mpq(999, 1000), mpq(1, 4)])
@pytest.mark.parametrize("parts", [1, 2, 3, 8])
def test_shares_of_a_level_hold_together_at_it(level: mpq, parts: int) -> None:
    share = independent_share(level, parts)
    assert share**parts >= level > (share - mpq(1, 10**8)) ** parts
    assert 1 - parts * (1 - divided_share(level, parts)) == level


@pytest.mark.parametrize("level", [0, 1, -1, 2, "95"])
def test_nothing_is_certain_and_nothing_has_no_chance_at_a_level(level: object) -> None:
    with pytest.raises(BadNumber, match="strictly between 0 and 1"):
        check_level(level)
