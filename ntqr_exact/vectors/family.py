"""`Family`: one kind of question, with everything that is needed to ask it, answer it and explain it.

Questions and answers are JSON documents throughout, so that `compute` is itself a runner like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.exact.json_text import read_json, write_json
from ntqr_exact.vectors.draws import Draws
from ntqr_exact.vectors.fragments import Fragment

Document: TypeAlias = dict[str, Any]
"""A JSON object."""

WITNESSES = {
    "reference": "a small program in plain whole numbers and fractions that shares no code with the library",
    "brute-force": "every case counted or tried, one by one",
    "scikit-learn": "scikit-learn, to the precision of its floats",
    "python-flint": "python-flint",
    "pari": "PARI/GP",
    "singular": "Singular",
    "sympy": "sympy",
    "mpmath": "mpmath, to the digits that are compared",
    "printed": "a value printed in the source",
}
"""What may have confirmed an expected value besides the library, each with its meaning."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question: its input, what it is about, and whether a refusal would be as good as the answer."""

    input: Document
    comment: str = ""
    flags: tuple[str, ...] = ()
    acceptable: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What is expected for an input, and whether that is an answer ("valid") or a refusal ("invalid")."""

    expected: Any
    result: str


@dataclass(frozen=True, slots=True)
class Family:
    """A family of vectors; raises `BadDocument` for a name, flag or witness that cannot be published.

    `algorithm` tells in words how `expected` follows from `input`, completely; `input` and `expected` are
    JSON Schema fragments. `edge_cases` yields the questions that a person thought of, `random_case` makes the
    question with an index from draws, larger for a larger index. `compute` answers: it takes the input and
    returns the expected document, in which exact numbers may stand as they are; an error of the library that
    it raises is the expected refusal, and `errors` explains its kind. `steps` tells the same by hand, line by
    line. `shared` names the parts of the input that a group of tests has in common. `witnesses` names what
    else confirms the answers, and of which inputs; "reference" confirms all of every family.
    """

    name: str
    version: int
    title: str
    citations: tuple[Citation, ...]
    algorithm: tuple[str, ...]
    input: Fragment
    expected: Fragment
    edge_cases: Callable[[], Iterable[Case]]
    random_case: Callable[[Draws, int], Case]
    compute: Callable[[Document], Any]
    steps: Callable[[Document], Iterable[str]]
    flags: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    shared: tuple[str, ...] = ()
    witnesses: Mapping[str, Callable[[Document], bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what the file format has no room for."""
        for name in (self.name, *self.flags, *self.errors):
            if not re.fullmatch("[a-z][a-z0-9-]*", name):
                raise BadDocument(name, "names in a family are small letters, digits and hyphens")
        for witness in self.witnesses:
            if witness not in WITNESSES:
                raise BadDocument(witness, f"a witness is one of {', '.join(WITNESSES)}")

    def answer(self, document: Document) -> Answer:
        """Return what is expected for an input: the computed document, or the kind of its refusal."""
        try:
            expected = self.compute(document)
        except NtqrExactError as error:
            return Answer({"error": error_kind(error)}, "invalid")
        return Answer(read_json(write_json(expected)), "valid")

    def witnesses_of(self, document: Document) -> list[str]:
        """Return the names of what confirms the answer to an input, besides the library."""
        return ["reference", *(name for name, covers in self.witnesses.items() if covers(document))]


def error_kind(error: NtqrExactError) -> str:
    """Return the kind of an error, as it stands in a file of vectors.

    >>> error_kind(BadDocument("", ""))
    'bad-document'
    """
    return re.sub("(?<!^)(?=[A-Z])", "-", type(error).__name__).lower()
