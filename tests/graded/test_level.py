"""Levels shared out among statements: enough, and hardly more."""

from __future__ import annotations

import pytest
from gmpy2 import mpq

from ntqr_exact.graded.level import divided_share, independent_share


@pytest.mark.parametrize("level", [mpq(19, 20), mpq(1, 3), mpq(999, 1000), mpq(1, 4)])
@pytest.mark.parametrize("parts", [1, 2, 3, 8])
def test_shares_of_a_level_hold_together_at_it(level: mpq, parts: int) -> None:
    share = independent_share(level, parts)
    assert share**parts >= level > (share - mpq(1, 10**8)) ** parts
    assert 1 - parts * (1 - divided_share(level, parts)) == level
