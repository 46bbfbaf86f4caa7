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


class Study(ABC):
    """A frozen value with one JSON form, shown in sections for people.

    Every number that the sections show stands in the document.
    """

    __slots__ = ()

    @abstractmethod
    def to_document(self) -> Any:
        """Return the one complete JSON form."""

    @abstractmethod
    def sections(self) -> tuple[Section, ...]:
        """Return the sections in the order in which they are read."""

    def to_json(self) -> str:
        """Return the document as JSON, the same bytes every time."""
        return write_json(self.to_document())

    def __str__(self) -> str:
        """Return the sections as text."""
        return section_text(self.sections())

    def _repr_html_(self) -> str:
        return study_html(self.sections())


class Part(Study):
    """A part of a study, with one section, and with lines for the first page."""

    __slots__ = ()
    anchor: ClassVar[str] = ""
    title: ClassVar[str] = ""

    def blocks(self) -> Iterable[Block]:
        """Yield what is shown, from which text and HTML are made."""
        return ()

    def section(self) -> Section:
        """Return what is shown under its title."""
        return Section(self.anchor, self.title, tuple(self.blocks()))

    def sections(self) -> tuple[Section, ...]:
        """Return the one section."""
        return (self.section(),)

    def brief(self) -> Brief:
        """Return what the part adds to the first page of a study: nothing, unless it says otherwise."""
        return Brief()

    def __str__(self) -> str:
        """Return the part as text, without its title."""
        return block_text(self.blocks())
