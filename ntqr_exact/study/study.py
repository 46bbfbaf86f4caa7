"""What every study and every part of one can do: become a document and sections, and add to the first page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cmp_to_key
from itertools import pairwise
from typing import Any, ClassVar, TypeAlias

from gmpy2 import mpq

from ntqr_exact.blocks.block import Abridged, Block, Cell, Section, Sentence
from ntqr_exact.blocks.html import study_html
from ntqr_exact.blocks.text import block_text, section_text
from ntqr_exact.exact.json_text import write_json
from ntqr_exact.exact.show import short_decimal, value_text
from ntqr_exact.exact.surd import Surd

Share: TypeAlias = "mpq | Surd"

Shares: TypeAlias = "tuple[tuple[Share, Share] | None, ...]"
"""The least and the greatest share of each judge; `None` where it has no value."""


@dataclass(frozen=True, slots=True)
class Column:
    """One way to know how good each judge is: the least and the greatest share of right answers in all.

    The two are equal where the share is known. `assumes` is what is taken for granted, and `caution` what speaks
    against it, if anything does. `by_label` has the same shares on the questions of each label.
    """

    name: str
    assumes: str
    ranges: tuple[tuple[Share, Share], ...]
    caution: str = ""
    by_label: tuple[tuple[str, Shares], ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether every share is known."""
        return all(least == greatest for least, greatest in self.ranges)

    def better(self) -> list[tuple[int, int]]:
        """Return all pairs of judges of which the first is better whatever the shares are in their ranges.

        >>> Column("x", "y", ((mpq(1, 2), mpq(2, 3)), (mpq(1, 4), mpq(1, 3)))).better()
        [(0, 1)]
        """
        return [
            (i, j)
            for i, (least, _) in enumerate(self.ranges)
            for j, (_, greatest) in enumerate(self.ranges)
            if i != j and least > greatest
        ]

    def order(self, judges: tuple[str, ...]) -> str:
        """Return in words who is better than whom.

        >>> Column("x", "y", ((mpq(1, 2),) * 2, (mpq(3, 4),) * 2, (mpq(1, 2),) * 2)).order(("A", "B", "C"))
        'B > A = C'
        """
        better = self.better()
        if not self.is_exact:
            pairs = ", ".join(f"{judges[i]} > {judges[j]}" for i, j in better)
            return pairs or "no judge is shown to be better than another"
        above, ranked = set(better), self.ranked()
        words = [judges[ranked[0]]]
        for before, judge in pairwise(ranked):
            words += [">" if (before, judge) in above else "=", judges[judge]]
        return " ".join(words)

    def ranked(self) -> list[int]:
        """Return the judges by the middle of their ranges, the best one first.

        >>> Column("x", "y", ((mpq(0), mpq(1)), (mpq(1, 2), mpq(2, 3)))).ranked()
        [1, 0]
        """
        middle = [least + greatest for least, greatest in self.ranges]

        def lower(i: int, j: int) -> int:
            return (middle[i] < middle[j]) - (middle[j] < middle[i])

        return sorted(range(len(middle)), key=cmp_to_key(lower))

    def cells(self) -> list[Cell]:
        """Return a cell for each judge."""
        return [
            pair[0]
            if pair[0] == pair[1]
            else Abridged(" to ".join(map(short_decimal, pair)), " to ".join(map(value_text, pair)))
            for pair in self.ranges
        ]

    def to_document(self, judges: tuple[str, ...]) -> dict[str, Any]:
        """Return the column as a JSON document."""
        return {
            "name": self.name,
            "assumes": self.assumes,
            "caution": self.caution,
            "right_in_all": _ranges(judges, self.ranges),
            "right_by_label": {label: _ranges(judges, shares) for label, shares in self.by_label},
            "better": [[judges[i], judges[j]] for i, j in self.better()],
            "order": self.order(judges),
        }


def _ranges(judges: tuple[str, ...], shares: Shares) -> dict[str, Any]:
    ends = ("least", "greatest")
    named = zip(judges, shares, strict=True)
    return {judge: None if pair is None else dict(zip(ends, pair, strict=True)) for judge, pair in named}


@dataclass(frozen=True, slots=True)
class Brief:
    """What a part adds to the first page: columns, and what is proven, what is unknown, and what to do next."""

    columns: tuple[Column, ...] = ()
    proven: tuple[Sentence | str, ...] = ()
    unknown: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()

    def __add__(self, other: Brief) -> Brief:
        return Brief(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


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
        return block_text(self.blocks())
