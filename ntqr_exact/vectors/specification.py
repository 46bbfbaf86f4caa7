"""`Specification`: what a family says about itself in words, and the edge cases that a person thought of.

Both are data and stand beside the family's module: `NAME.toml` and `NAME.json`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias, TypeVar

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument
from ntqr_exact.exact.json_text import read_json
from ntqr_exact.vectors.form_notation import Fragment, form

Document: TypeAlias = dict[str, Any]
"""A JSON object."""

_NAME = re.compile("[a-z][a-z0-9-]*")
_REFERENCE = re.compile(r"\{([a-z0-9-]+)\}")


@dataclass(frozen=True, slots=True)
class Case:
    """One question: its input, what it is about, the flags that no predicate can tell, and whether a refusal
    would be as good as the answer.
    """

    input: Document
    comment: str = ""
    flags: tuple[str, ...] = ()
    acceptable: bool = False


@dataclass(frozen=True, slots=True)
class Specification:
    """The words of a family; raises `BadDocument` for a name that cannot be published.

    `algorithm` tells in words how `expected` follows from `input`, completely. `flags` and `errors` say what each
    flag and each kind of refusal means; `subject` is where the index of the documentation lists the family.
    """

    name: str
    version: int
    title: str
    citations: tuple[Citation, ...]
    algorithm: tuple[str, ...]
    flags: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    subject: str = ""

    def __post_init__(self) -> None:
        """Refuse what the file format has no room for."""
        for name in (self.name, *self.flags, *self.errors):
            if not _NAME.fullmatch(name):
                raise BadDocument(name, "names in a family are small letters, digits and hyphens")


_Compute = TypeVar("_Compute")
_Steps = TypeVar("_Steps")
_Draw = TypeVar("_Draw")


def declared(
    name: str, compute: _Compute, steps: _Steps, random_case: _Draw
) -> tuple[Specification, tuple[Case, ...], Fragment, Fragment, tuple[str, ...], _Compute, _Steps, _Draw]:
    """Return what every family has, in the order of its fields: what is declared in data, then its functions.

    >>> declared("vote-moments", None, None, None)[0].title
    'Moments of the votes of three judges between two labels'
    """
    found = tomllib.loads(_beside(f"{name}.toml").read_text(encoding="utf-8"))
    schemas, shared = (form(found["input"]), form(found["expected"])), tuple(found.get("shared", ()))
    return _specification(name, found), _edge_cases(name), *schemas, shared, compute, steps, random_case


def _specification(name: str, found: Document) -> Specification:
    return Specification(
        name,
        found["version"],
        found["title"],
        tuple(Citation(*citation) for citation in found["citations"]),
        tuple(" ".join(_put_in(paragraph).split()) for paragraph in found["algorithm"].split("\n\n")),
        {flag: _put_in(meaning) for flag, meaning in found["flags"].items()},
        {kind: _put_in(meaning) for kind, meaning in found["errors"].items()},
        found["subject"],
    )


def _edge_cases(name: str) -> tuple[Case, ...]:
    return tuple(
        Case(
            {**group["parameters"], **case["input"]},
            case["comment"],
            tuple(case.get("flags", ())),
            case.get("acceptable", False),
        )
        for group in read_json(_beside(f"{name}.json").read_text(encoding="utf-8"))
        for case in group["cases"]
    )


def _beside(file: str) -> Traversable:
    return files("ntqr_exact.vectors") / "families" / file


@cache
def _words() -> dict[str, str]:
    found = tomllib.loads((files("ntqr_exact.vectors") / "words.toml").read_text(encoding="utf-8"))
    return {name: " ".join(words.split()) for name, words in found.items()}


def _put_in(text: str) -> str:
    """Return a text with each {name} replaced by the shared words of that name."""
    return _REFERENCE.sub(lambda found: _words()[found[1]], text)


@cache
def _causes() -> dict[str, dict[str, str]]:
    text = (files("ntqr_exact.vectors") / "causes.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def cause_of(family: str, flag: str) -> str:
    """Return the kind of bug that a flag of a family is made to find.

    >>> cause_of("vote-moments", "large")
    'numbers pass through floats somewhere: a JSON reader, a division, a square root'
    """
    table = _causes()
    return table.get(family, {}).get(flag) or table["any"].get(flag, "")


def real_bug(family: str, flag: str) -> str:
    """Return a bug of this kind that a published package has, or nothing."""
    return _causes()["real"].get(f"{family}/{flag}", "")
