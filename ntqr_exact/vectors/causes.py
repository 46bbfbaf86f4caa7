"""What a flag catches: the kind of bug that the tests with it are made to find, and real ones where they are known."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def _table() -> dict[str, dict[str, str]]:
    text = (files("ntqr_exact.vectors") / "causes.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def cause_of(family: str, flag: str) -> str:
    """Return the kind of bug that a flag of a family is made to find.

    >>> cause_of("vote-moments", "large")
    'numbers pass through floats somewhere: a JSON reader, a division, a square root'
    """
    table = _table()
    return table.get(family, {}).get(flag) or table["any"].get(flag, "")


def real_bug(family: str, flag: str) -> str:
    """Return a bug of this kind that a published package has, or nothing."""
    return _table()["real"].get(f"{family}/{flag}", "")
