"""What a flag catches: the kind of bug that the tests with it are made to find, and real ones where they are known."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import chain


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


def likely_causes(family: str, tests: Iterable[tuple[Iterable[str], bool]]) -> list[str]:
    """Return the flags of which two thirds of the tests fail or more, with the kind of bug; most failures first.

    >>> likely_causes("vote-moments", [(["large"], False), ([], True), (["source"], True)])
    ['large (1 of 1 fail): numbers pass through floats somewhere: a JSON reader, a division, a square root']
    """
    seen = list(tests)
    if not any(right for _, right in seen):
        return []  # nothing works at all: no special case is to blame
    has = Counter(chain.from_iterable(flags for flags, _ in seen))
    fails = Counter(chain.from_iterable(flags for flags, right in seen if not right))
    common = [flag for flag in fails if 3 * fails[flag] >= 2 * has[flag]]
    return [
        f"{flag} ({fails[flag]} of {has[flag]} fail): {cause_of(family, flag)}"
        for flag in sorted(common, key=lambda flag: (-fails[flag], flag))
    ]
