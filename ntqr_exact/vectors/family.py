"""A family of vectors is a function of JSON: its docstring is the specification, what it returns is expected."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias, TypeVar

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument, NtqrExactError
from ntqr_exact.exact.json_text import read_json, write_json
from ntqr_exact.vectors.inputs import Draws
from ntqr_exact.vectors.words import WORDS

Document: TypeAlias = dict[str, Any]
"""A JSON object."""
Draw: TypeAlias = Callable[[Draws, int], Document]
"""A generator: the fresh input with an index, larger for a larger index."""
_Compute = TypeVar("_Compute", bound=Callable[..., Any])
_ALONE = re.compile(r"^((\{[a-z0-9-]+\} ?)+\n)", re.MULTILINE)
"""Lines of nothing but shared words: a paragraph of their own."""
_SHARED = re.compile(r"\{([a-z0-9-]+)\}")

FAMILIES: dict[str, Family] = {}
"""All families by name; importing `ntqr_exact.vectors.families` fills it."""


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of question: `compute` answers it, `draw` makes fresh inputs, `cites` are places in the sources."""

    name: str
    cites: tuple[str, ...]
    compute: Callable[..., Any]
    draw: Draw

    @property
    def title(self) -> str:
        """The first line of the specification."""
        return self._paragraphs()[0].removesuffix(".")

    @property
    def algorithm(self) -> list[str]:
        """How the answer follows from the input, in paragraphs; {name} in a docstring is replaced by shared words."""
        return self._paragraphs()[1:]

    @property
    def citations(self) -> list[str]:
        """The places in the sources, in words."""
        return [str(Citation(*place.split(": ", 1))) for place in self.cites]

    @property
    def subject(self) -> str:
        """The module that holds the family, in a word."""
        return self.compute.__module__.rpartition(".")[2]

    def answer(self, given: Mapping[str, Any]) -> tuple[Any, str]:
        """Return the expected value of an input and its result: "valid", or "invalid" for one that must be refused.

        Raises `BadDocument` for an input without the parts that the family asks for.
        """
        try:
            inspect.signature(self.compute).bind(**given)
        except TypeError as error:
            raise BadDocument(dict(given), f"input must have the parts of {self.name} ({error})") from None
        try:
            return read_json(write_json(plain(self.compute(**given)))), "valid"
        except NtqrExactError as error:
            return {"error": error_kind(error)}, "invalid"

    def _paragraphs(self) -> list[str]:
        text = _ALONE.sub(r"\1\n", inspect.cleandoc(self.compute.__doc__ or ""))
        text = _SHARED.sub(lambda name: WORDS[name[1]], text)
        return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


def family(*cites: str, draw: Draw) -> Callable[[_Compute], _Compute]:
    """Make a function the family of its name, with hyphens."""

    def add(compute: _Compute) -> _Compute:
        name = compute.__name__.replace("_", "-")
        FAMILIES[name] = Family(name, cites, compute, draw)
        return compute

    return add


def plain(value: Any) -> Any:
    """Return a result for JSON: what is undefined and what is chosen from a few is its word.

    >>> plain({"a": (1, None)})
    {'a': [1, None]}
    """
    if isinstance(value, Enum):
        return value.name.lower().replace("_", "-")
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def error_kind(error: NtqrExactError) -> str:
    """Return the kind of an error, as it is in a file of vectors.

    >>> error_kind(BadDocument("", ""))
    'bad-document'
    """
    return re.sub("(?<!^)(?=[A-Z])", "-", type(error).__name__).lower()
