"""The five sources and places in them, as data: `data/citations.toml` holds them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

_TABLES = tomllib.loads(files("ntqr_exact.data").joinpath("citations.toml").read_text(encoding="utf-8"))

SOURCES: dict[str, dict[str, Any]] = _TABLES["sources"]
"""The documents that the library implements and checks: how each is called, authors, title, where and year."""

_ALL = SOURCES | _TABLES["literature"]
"""With other works from which methods are taken; the ledger does not check them."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in one of the sources or another work, such as an equation, a table or a section.

    >>> print(Citation("ntqr", "eq. 33e"))
    Corrada-Emmanuel 2023, eq. 33e
    """

    source: str
    place: str

    def __str__(self) -> str:
        return f"{_ALL[self.source]['short']}, {self.place}"
