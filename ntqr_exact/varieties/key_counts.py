"""Key counts: how many questions have each true label, checked, and all of them in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ntqr_exact.errors import BadKeyCounts, BadNumber, shown
from ntqr_exact.exact.rational import RationalLike, whole_number
from ntqr_exact.varieties.compositions import compositions

KeyCounts: TypeAlias = Mapping[str, RationalLike]
"""How many questions have each true label; a label that is not given has none."""


def check_key_counts(at: KeyCounts, labels: tuple[str, ...], questions: int) -> tuple[int, ...]:
    """Return the key counts in the order of the labels: whole numbers Q_a, Q_b, … with sum Q.

    >>> check_key_counts({"b": 6, "a": 4}, ("a", "b"), 10)
    (4, 6)
    >>> check_key_counts({"a": 4, "b": 5}, ("a", "b"), 10)
    Traceback (most recent call last):
    ntqr_exact.errors.BadKeyCounts: {'a': 4, 'b': 5}: key counts add up to the number of questions, 10, \
and these to 9

    Source: Corrada-Emmanuel 2023, eq. 1.
    """
    names = ", ".join(map(repr, labels))
    if not isinstance(at, Mapping):
        raise BadKeyCounts(at, f"key counts map each label to a number of questions; the labels are {names}")
    for label in at:
        if label not in labels:
            raise BadKeyCounts(dict(at), f"{label!r} is no label of this test; the labels are {names}")
    key = []
    for label in labels:
        try:
            key.append(whole_number(at.get(label, 0)))
        except BadNumber as error:
            raise BadKeyCounts(dict(at), f"{error.rule} (this is the count of {label!r})") from None
    if sum(key) != questions:
        rule = f"key counts add up to the number of questions, {questions}, and these to {shown(sum(key))}"
        raise BadKeyCounts(dict(at), rule)
    return tuple(key)


def all_key_counts(labels: tuple[str, ...], questions: int) -> Iterator[dict[str, int]]:
    """Iterate over all key counts, lexicographically: few questions of the first label first.

    >>> list(all_key_counts(("a", "b"), 2))
    [{'a': 0, 'b': 2}, {'a': 1, 'b': 1}, {'a': 2, 'b': 0}]
    """
    for key in compositions(questions, len(labels)):
        yield dict(zip(labels, key, strict=True))
