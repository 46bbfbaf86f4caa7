"""What every study and every part of one can do: become a document, and become sections for people."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ntqr_exact.blocks.block import Section
from ntqr_exact.blocks.html import study_html
from ntqr_exact.blocks.text import block_text, section_text
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.study.brief import Brief


class Part(ABC):
    """A part of a study: a frozen value with one JSON form and one description for people.

    Every number that the description shows stands in the document.
    """

    __slots__ = ()

    @abstractmethod
    def to_document(self) -> Any:
        """Return the part as a JSON document."""

    @abstractmethod
    def section(self) -> Section:
        """Return the part as a section, from which text and HTML are made."""

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
