"""Whether independent keys exist, and which, is confirmed by trying every answer key of the small tests.

A key splits the questions of each pattern over the true labels. Errors are independent under it if on every label each
pattern occurs as often as the product of the judges' rates says: c_v·Q_l^(N − 1) is the product of how often each judge
gave its label of v. Nothing of the library, and nothing of the stated algorithm, is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from math import comb, prod
from typing import Any

import pytest

from ntqr_exact.vectors.files import all_tests, read_family, shipped
from tests.compositions import compositions

MOST_KEYS = 5000
FAMILIES = {
    "independent-binary": 45,
    "independent-three-labels": 15,
    "independent-four-judges": 15,
    "independent-four-labels": 2,
}
"""How many tests of each family are small enough at least."""


def is_product(part: tuple[int, ...], patterns: list[tuple[int, ...]], labels: int, judges: int) -> bool:
    size = sum(part)
    given = [
        [sum(count for count, v in zip(part, patterns, strict=True) if v[judge] == g) for g in range(labels)]
        for judge in range(judges)
    ]
    return all(
        count * size ** (judges - 1) == prod(given[judge][v[judge]] for judge in range(judges))
        for count, v in zip(part, patterns, strict=True)
    )


def independent_keys(document: dict[str, Any]) -> set[tuple[tuple[int, ...], ...]]:
    """Return all keys with independent errors: for each true label the counts of the patterns."""
    labels, judges = len(document["labels"]), document["judges"]
    patterns = list(product(range(labels), repeat=judges))
    found = set()
    for split in product(*(tuple(compositions(count, labels)) for count in document["counts"])):
        key = tuple(zip(*split, strict=True))
        if all(is_product(part, patterns, labels, judges) for part in key):
            found.add(key)
    return found


def small_tests(name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for test in all_tests(read_family(shipped(), name)):
        counts, labels = test.input["counts"], len(test.input["labels"])
        if test.body["result"] == "valid" and all(isinstance(count, int) for count in counts):
            keys = prod(comb(count + labels - 1, labels - 1) for count in counts)
            if keys <= MOST_KEYS:
                yield test.input, test.body["expected"]


@pytest.mark.parametrize("name", FAMILIES)
def test_the_keys_are_those_that_trying_all_finds(name: str) -> None:
    tests = list(small_tests(name))
    assert len(tests) >= FAMILIES[name]
    for document, expected in tests[::4]:
        found = independent_keys(document)
        assert expected["key_exists"] == bool(found), document
        if expected.get("keys"):
            assert {key[0] for key in found} == set(map(tuple, expected["keys"])), document
        if expected.get("key"):
            assert found == set(permutations(map(tuple, expected["key"]))), document
