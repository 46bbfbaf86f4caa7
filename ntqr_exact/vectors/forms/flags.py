"""Flags that are words of the answer itself."""

from __future__ import annotations

from collections.abc import Iterable

from ntqr_exact.vectors.family import Predicate


def listed(key: str, words: Iterable[str]) -> dict[str, Predicate]:
    """Return for each word the predicate that it stands in a list of the answer.

    >>> listed("alarms", ["imaginary"])["imaginary"]({}, {"alarms": ["imaginary", "not-whole"]})
    True
    """
    return {word: lambda _, found, word=word: word in found[key] for word in words}  # type: ignore[misc]


def named(key: str, words: Iterable[str]) -> dict[str, Predicate]:
    """Return for each word the predicate that it is a part of the answer.

    >>> named("broken", ["pair", "trio"])["pair"]({}, {"broken": "trio"})
    False
    """
    return {word: lambda _, found, word=word: found[key] == word for word in words}  # type: ignore[misc]
