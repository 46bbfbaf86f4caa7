"""The five sources and places in them, as data: `data/citations.toml` holds them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files

from ntqr_exact.errors import BadDocument


@dataclass(frozen=True, slots=True)
class Source:
    """One of the documents that the library implements and checks."""

    short: str
    authors: list[str]
    title: str
    where: str
    year: int | None = None


_TABLES = tomllib.loads(files("ntqr_exact.data").joinpath("citations.toml").read_text(encoding="utf-8"))

SOURCES = {key: Source(**row) for key, row in _TABLES["sources"].items()}
_ALL = SOURCES | {key: Source(**row) for key, row in _TABLES["literature"].items()}
"""With other works from which methods are taken; the ledger does not check them."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in one of the sources or another work, such as an equation, a table or a section.

    >>> print(Citation("ntqr", "eq. 33e"))
    Corrada-Emmanuel 2023, eq. 33e
    """

    source: str
    place: str

    def __post_init__(self) -> None:
        if self.source not in _ALL:
            raise BadDocument(self.source, f"source must be one of {', '.join(_ALL)}")

    def __str__(self) -> str:
        return f"{_ALL[self.source].short}, {self.place}"
