"""`Value`: the base of every result. Text, HTML and JSON are made from its blocks and its fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ntqr_exact.blocks.block import Block, Section, Sentence
from ntqr_exact.blocks.html import study_html
from ntqr_exact.blocks.text import section_text
from ntqr_exact.exact.json_text import fields_document, write_json


class Value:
    """A frozen dataclass that describes itself in blocks.

    >>> from dataclasses import dataclass
    >>> from ntqr_exact.blocks.block import Sentence
    >>> @dataclass(frozen=True, slots=True)
    ... class Count(Value):
    ...     questions: int
    ...     def sentence(self):
    ...         return Sentence(f"{self.questions} questions.")
    >>> print(Count(7), Count(7).to_document())
    7 questions. {'questions': 7}
    """

    __slots__ = ()

    def sentence(self) -> Sentence:
        """Return the result in a sentence or two."""
        raise NotImplementedError

    def blocks(self) -> Iterable[Block]:
        """Yield the blocks that are shown: the sentence, unless a result has more."""
        yield self.sentence()

    def sections(self) -> tuple[Section, ...]:
        """Return the sections; a page and a notebook fold all but the first."""
        return (Section("result", "", tuple(self.blocks())),)

    def to_document(self) -> dict[str, Any]:
        """Return the fields as a JSON document."""
        return fields_document(self)

    def to_json(self) -> str:
        """Return the document as JSON, the same bytes every time."""
        return write_json(self.to_document())

    def __str__(self) -> str:
        return section_text(self.sections())

    def _repr_html_(self) -> str:
        return study_html(self.sections())
