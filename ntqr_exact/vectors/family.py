"""`Family`: one kind of question, with everything that is needed to ask it, answer it and explain it.

Questions and answers are JSON documents throughout, so that `compute` is itself a runner like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.exact.json_text import read_json, write_json
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.form_notation import Fragment
from ntqr_exact.vectors.specification import Case, Document, Specification

Predicate: TypeAlias = Callable[[Document, Any], bool]
"""What tells from an input and its expected document whether something is the case."""

REFUSED = "refused"
"""The flag that every refused test of a family has, if the family explains it."""

WITNESSES = {
    "reference": "a small program in plain whole numbers and fractions that shares no code with the library",
    "brute-force": "every case counted or tried, one by one",
    "scikit-learn": "scikit-learn, to the precision of its floats",
    "scipy": "scipy, to the precision of its floats",
    "python-flint": "python-flint",
    "pari": "PARI/GP",
    "singular": "Singular",
    "sympy": "sympy",
    "mpmath": "mpmath, to the digits that are compared",
    "printed": "a value printed in the source",
}
"""What may have confirmed an expected value besides the library, each with its meaning."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected for an input, and whether that is an answer ("valid") or a refusal ("invalid")."""

    expected: Any
    result: str


@dataclass(frozen=True, slots=True)
class Family:
    """A family of vectors; raises `BadDocument` for a flag or a witness that has no meaning.

    A family that ships begins with `*declared(NAME, …)`: its specification, edge cases, the JSON Schemas `input` and
    `expected`, and `shared`, the parts of the input that a group of tests has in common, are data. `compute` answers:
    it takes the input and returns the expected document, in which exact numbers may stand as they are; an error of the
    library that it raises is the expected refusal. `steps` tells the same by hand, line by line. `random_case` makes
    the question with an index from draws, larger for a larger index; one whose answer is not `wanted` is drawn again.
    `flags` holds the predicate of each flag that can be told from an input and its answer. `witnesses` names what
    else confirms the answers, and of which questions; "reference" confirms all of every family.
    """

    specification: Specification
    edge_cases: Sequence[Case]
    input: Fragment
    expected: Fragment
    shared: tuple[str, ...]
    compute: Callable[[Document], Any]
    steps: Callable[[Document], Iterable[str]]
    random_case: Callable[[Draws, int], Case]
    flags: Mapping[str, Predicate] = field(default_factory=dict)
    wanted: Predicate = lambda _given, _found: True
    witnesses: Mapping[str, Predicate] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        for flag in self.flags:
            if flag not in self.specification.flags:
                raise BadDocument(flag, f"this flag has no meaning in {self.name}", "add it to flags")
        for witness in self.witnesses:
            if witness not in WITNESSES:
                raise BadDocument(witness, f"a witness is one of {', '.join(WITNESSES)}")

    @property
    def name(self) -> str:
        """The name, that of its file of vectors."""
        return self.specification.name

    def answer(self, document: Document) -> Expectation:
        """Return what is expected for an input: the computed document, or the kind of its refusal."""
        try:
            expected = self.compute(document)
        except NtqrExactError as error:
            return Expectation({"error": error_kind(error)}, "invalid")
        return Expectation(read_json(write_json(expected)), "valid")

    def flags_of(self, document: Document, answer: Expectation) -> set[str]:
        """Return the flags that an input and its answer have by themselves; a refusal has `refused` alone."""
        if answer.result == "invalid":
            return {REFUSED} & set(self.specification.flags)
        return {flag for flag, holds in self.flags.items() if holds(document, answer.expected)}

    def witnesses_of(self, document: Document, answer: Expectation) -> list[str]:
        """Return the names of what confirms the answer to an input, besides the library."""
        return ["reference", *(name for name, of in self.witnesses.items() if of(document, answer.expected))]


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


def error_kind(error: NtqrExactError) -> str:
    """Return the kind of an error, as it stands in a file of vectors.

    >>> error_kind(BadDocument("", ""))
    'bad-document'
    """
    return re.sub("(?<!^)(?=[A-Z])", "-", type(error).__name__).lower()
