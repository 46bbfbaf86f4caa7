"""The version of the set as an artefact of its own, and the rule by which it grows.

A changed or missing expectation is a major version, a new test a minor one, anything else that changes a patch.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeAlias

from ntqr_exact.vectors.document import canonical
from ntqr_exact.vectors.files import all_tests, read_entry, read_index

Record: TypeAlias = dict[str, str]
"""The digest of the expectation of each test, by its id, and of each family's file, by its name."""

_DIGITS = 8


def set_version() -> str:
    """Return the version of the set that ships, such as 1.0.0."""
    return str(_release()["version"])


def set_changes() -> str:
    """Return what changed in each version, newest first, as a page."""
    return str(_release()["changes"])


def _release() -> dict[str, object]:
    return tomllib.loads((files("ntqr_exact.vectors") / "release.toml").read_text(encoding="utf-8"))


def record_of(vectors: Traversable) -> Record:
    """Return what a later version of a set is compared with."""
    record: Record = {}
    for entry in read_index(vectors):
        record[entry["family"]] = entry["sha256"][:_DIGITS]
        for test in all_tests(read_entry(vectors, entry)):
            told = canonical([test.body["expected"], test.body["result"]])
            record[test.id] = hashlib.sha256(told).hexdigest()[:_DIGITS]
    return record


def next_version(version: str, before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Return the least version that a set must have after a change.

    >>> old = {"f": "0", "f/1": "a"}
    >>> [next_version("1.2.3", old, new) for new in ({**old, "f": "9", "f/2": "b"}, {**old, "f/1": "b"}, old)]
    ['1.3.0', '2.0.0', '1.2.3']
    """
    major, minor, patch = map(int, version.split("."))
    tests = {name for name in before if "/" in name}
    if any(now.get(name) != before[name] for name in tests):
        return f"{major + 1}.0.0"
    if any("/" in name and name not in tests for name in now):
        return f"{major}.{minor + 1}.0"
    return version if now == before else f"{major}.{minor}.{patch + 1}"
