"""The whole ledger, judged once for all tests of it."""

import os

import pytest

from ntqr_exact.ledger.report import Entry, ledger


@pytest.fixture(scope="session")
def entries() -> list[Entry]:
    return list(ledger())


@pytest.fixture(scope="session")
def every_change() -> bool:
    """Whether all changes of printed values are tried, as the long checks do, and not a few of each claim."""
    return os.environ.get("EVERY_CHANGE") == "1"
