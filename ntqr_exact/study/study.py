"""What every study and every part of one can do: become a document, and become sections for people."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, ClassVar

from ntqr_exact.blocks.block import Block, Section
from ntqr_exact.blocks.html import study_html
from ntqr_exact.blocks.text import block_text, section_text
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.undefined_value import Undefined
from ntqr_exact.study.brief import Brief


def as_document(value: Any) -> Any:  # noqa: PLR0911
    """Return a value for JSON: by its own document, or as a dataclass by those of its fields that are not `None`.

    >>> from ntqr_exact.study.brief import Brief
    >>> as_document({"a": (Undefined.NO_QUESTIONS, Brief())})
    {'a': [None, {'columns': [], 'proven': [], 'unknown': [], 'next_steps': []}]}
    """
    match value:
        case Undefined():
            return None
        case Enum():
            return value.value
        case Mapping():
            return {key: as_document(part) for key, part in value.items()}
        case tuple() | list():
            return [as_document(part) for part in value]
    if hasattr(value, "to_document"):
        return value.to_document()
    if is_dataclass(value):
        named = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: as_document(part) for name, part in named.items() if part is not None}
    return value


class Part(ABC):
    """A part of a study: a frozen value with one JSON form and one description for people.

    Every number that the description shows stands in the document.
    """

    __slots__ = ()

    @abstractmethod
    def to_document(self) -> Any:
        """Return the part as a JSON document."""

    anchor: ClassVar[str] = ""
    title: ClassVar[str] = ""

    def blocks(self) -> Iterable[Block]:
        """Yield what is shown, from which text and HTML are made."""
        return ()

    def section(self) -> Section:
        """Return what is shown under its title."""
        return Section(self.anchor, self.title, tuple(self.blocks()))

    def brief(self) -> Brief:
        """Return what the part adds to the first page of a study: nothing, unless it says otherwise."""
        return Brief()

    def to_json(self) -> str:
        """Return the part as JSON, the same bytes every time."""
        return write_json(self.to_document())

    def __str__(self) -> str:
        """Return the part as text."""
        return block_text(self.section().blocks)

    def _repr_html_(self) -> str:
        return study_html([self.section()])


class Study(ABC):
    """A whole study: parts, shown one after the other."""

    __slots__ = ()

    @abstractmethod
    def to_document(self) -> dict[str, Any]:
        """Return the study as a JSON document: its one complete form."""

    @abstractmethod
    def sections(self) -> tuple[Section, ...]:
        """Return the sections in the order in which they are read."""

    def to_json(self) -> str:
        """Return the study as JSON, the same bytes every time."""
        return write_json(self.to_document())

    def __str__(self) -> str:
        """Return the study as text."""
        return section_text(self.sections())

    def _repr_html_(self) -> str:
        return study_html(self.sections())
