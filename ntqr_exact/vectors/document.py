"""How a test, its id and the header of a family are written: the same bytes whoever writes them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.decimal_text import whole_text
from ntqr_exact.vectors.family import WITNESSES, Expectation, Family
from ntqr_exact.vectors.specification import Case, Document

FORMAT = "ntqr-exact-vectors/1"

NUMBERS = (
    'A rational number is a text in lowest terms, such as "7", "0" or "-3/8"; its denominator is positive and not 1.',
    'An irrational a + b√d is the object {"rational": a, "coefficient": b, "radicand": d} of three such texts, '
    "with b not 0 and d whole and no square. If d is negative, √d is i√(−d). Square factors of d need not be removed: "
    "values are compared, not texts.",
    "A JSON number is a plain whole number of at most 2^53. There are no floats in this file.",
)
RESULTS = {
    "valid": "The output must have the value of `expected`, in every part.",
    "invalid": 'The input must be refused: the output is {"error": kind}. Any kind will do.',
    "acceptable": "The output must have the value of `expected`, or be a refusal.",
}


def canonical(document: Any) -> bytes:
    """Return the canonical bytes of a document: keys sorted, no blanks, UTF-8 (as in RFC 8785).

    >>> canonical({"b": [1, "½"], "a": None})
    b'{"a":null,"b":[1,"\\xc2\\xbd"]}'
    """
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def id_of(family: str, document: Document, index: int | str | None = None) -> str:
    """Return the id of a test: its family, the index if it is random, and ten digits of the input's hash.

    The same question has the same id in every version; an id never means another question.

    >>> id_of("vote-moments", {"counts": [1]}), id_of("vote-moments", {"counts": [1]}, 7)
    ('vote-moments/0c4d108b7b', 'vote-moments/7-0c4d108b7b')
    """
    digest = hashlib.sha256(canonical(document)).hexdigest()[:10]
    return f"{family}/{digest}" if index is None else f"{family}/{index}-{digest}"


@dataclass(frozen=True, slots=True)
class Test:
    """A test as it stands in a file, with the kind and parameters of its group."""

    __test__ = False  # not one for pytest

    kind: str
    parameters: Document
    body: Document

    @property
    def id(self) -> str:
        """The id."""
        return str(self.body["id"])

    @property
    def input(self) -> Document:
        """The whole input: what the group shares and what is the test's own."""
        return {**self.parameters, **self.body["input"]}

    @property
    def group(self) -> tuple[str, bytes]:
        """What a test has in common with the others of its group."""
        return self.kind, canonical(self.parameters)


def write_test(family: Family, case: Case, answer: Expectation, index: int | None = None) -> Test:
    """Return the test of a case and its answer; random ones have an index.

    Raises `BadDocument` for a case that cannot be published: a flag or a kind of error without a meaning, or
    one called acceptable although the library refuses it.
    """
    words = family.specification
    for flag in case.flags:
        if flag not in words.flags:
            raise BadDocument(flag, f"this flag has no meaning in {family.name}", "add it to flags")
    if answer.result == "invalid" and answer.expected["error"] not in words.errors:
        kind = answer.expected["error"]
        raise BadDocument(
            case.input, f"refused as {kind}, which has no meaning in {family.name}", "add it to errors"
        )
    if case.acceptable and answer.result == "invalid":
        raise BadDocument(case.input, "acceptable is what the library accepts and others may refuse")
    parameters = {name: case.input[name] for name in family.shared if name in case.input}
    body = {
        "id": id_of(family.name, case.input, index),
        "comment": case.comment,
        "flags": sorted({*case.flags, *family.flags_of(case.input, answer)}),
        "input": {name: value for name, value in case.input.items() if name not in parameters},
        "expected": answer.expected,
        "result": "acceptable" if case.acceptable else answer.result,
        "witness": family.witnesses_of(case.input, answer),
    }
    return Test("edge" if index is None else "random", parameters, body)


def write_header(family: Family, *, seed: int, random_tests: int, tests: int, content: str) -> Document:
    """Return all of a family's file but its groups."""
    words = family.specification
    return {
        "format": FORMAT,
        "family": family.name,
        "version": words.version,
        "title": words.title,
        "citations": [str(citation) for citation in words.citations],
        "algorithm": list(words.algorithm),
        "numbers": list(NUMBERS),
        "results": RESULTS,
        "flags": dict(words.flags),
        "errors": dict(words.errors),
        "witnesses": {name: WITNESSES[name] for name in ("reference", *family.witnesses)},
        "input": family.input,
        "expected": family.expected,
        "seed": whole_text(seed),
        "random_tests": random_tests,
        "tests": tests,
        "content_sha256": content,
    }


class ContentHash:
    """The hash of the tests alone: of the canonical [kind, parameters, test] of each, a line for each."""

    def __init__(self) -> None:
        """Start with no test."""
        self._hash = hashlib.sha256()
        self.tests = 0

    def add(self, test: Test) -> None:
        """Take the next test in."""
        self._hash.update(canonical([test.kind, test.parameters, test.body]) + b"\n")
        self.tests += 1

    def digest(self) -> str:
        """Return the hash so far, in hexadecimal digits."""
        return self._hash.hexdigest()
