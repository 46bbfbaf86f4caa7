"""The tests of the set that ships, each family read once for all tests of a run."""

from __future__ import annotations

import functools

from ntqr_exact.vectors.document import Test
from ntqr_exact.vectors.files import all_tests, read_family, shipped
from ntqr_exact.vectors.specification import Document


@functools.cache
def shipped_document(name: str) -> Document:
    return read_family(shipped(), name)


@functools.cache
def shipped_tests(name: str) -> list[Test]:
    return list(all_tests(shipped_document(name)))
