"""Counts in words."""

import pytest

from ntqr_exact.exact.show import counted


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 questions"), (1, "1 question"), (2, "2 questions"), (11, "11 questions")]
)
def test_only_one_is_singular(count: int, words: str) -> None:
    assert counted(count, "question") == words
