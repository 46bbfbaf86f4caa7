"""The five sources and places in them, as data: `data/citations.toml` holds them.

>>> Citation("ntqr", "eq. 33e")
Citation(source='ntqr', place='eq. 33e')
>>> print(Citation("ntqr", "eq. 33e"))
Corrada-Emmanuel 2023, eq. 33e
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files

from ntqr_exact.errors import BadDocument


@dataclass(frozen=True, slots=True)
class Source:
    """One of the documents that the library implements and checks."""

    key: str
    short: str
    authors: tuple[str, ...]
    title: str
    year: int | None
    where: str


def _sources(kind: str) -> dict[str, Source]:
    return {
        key: Source(key, row["short"], tuple(row["authors"]), row["title"], row.get("year"), row["where"])
        for key, row in _TABLES[kind].items()
    }


_TABLES = tomllib.loads(files("ntqr_exact.data").joinpath("citations.toml").read_text(encoding="utf-8"))

SOURCES = _sources("sources")
_LITERATURE = _sources("literature")
"""Other works from which methods are taken; the ledger does not check them."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in one of the sources or another work, such as an equation, a table or a section."""

    source: str
    place: str

    def __post_init__(self) -> None:
        if self.source not in SOURCES and self.source not in _LITERATURE:
            raise BadDocument(self.source, f"a source is one of {', '.join([*SOURCES, *_LITERATURE])}")

    def __str__(self) -> str:
        return f"{(SOURCES | _LITERATURE)[self.source].short}, {self.place}"
