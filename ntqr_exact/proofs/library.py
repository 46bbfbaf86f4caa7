"""The Coq library as data: its files in order, the theorems in them with the words that stand above each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

LIBRARY = "NtqrExact"
"""The name by which files of Coq import the library."""

MODULES = (
    "Keys",
    "Postulates",
    "Mixture",
    "Alarms",
    "Completeness",
    "Decision",
    "Kinds",
    "Silence",
    "Census",
    "Refutations",
    "Questions",
    "Ranges",
    "Safety",
    "Dependence",
    "Budget",
    "Boxes",
    "Mirror",
    "Solvable",
    "Rank",
    "Whole",
    "WholeSound",
    "Products",
    "ProductBounds",
    "ProductCells",
    "ProductsSound",
)
"""The files of the library, each after those that it needs."""

_KINDS = "Theorem|Lemma|Corollary|Example"
_THEOREM = re.compile(rf"^\s*(?:{_KINDS})\s+(\w+)", re.MULTILINE)
_TOLD = re.compile(
    rf"(?:\(\*\* (?P<words>(?:(?!\*\)).)*?) \*\)\s*)?^\s*(?P<kind>{_KINDS})\s+(?P<name>\w+)"
    r"(?P<statement>.*?)\.\s+Proof",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class LibraryTheorem:
    """A theorem of the library: where it stands, the words above it, if any, and what it says."""

    module: str
    name: str
    words: str
    statement: str


@cache
def source_of(module: str) -> str:
    """Return the text of a file of the library."""
    return (files("ntqr_exact.proofs") / "coq" / f"{module}.v").read_text(encoding="utf-8")


@cache
def library_theorems() -> dict[str, LibraryTheorem]:
    """Return all theorems of the library by name.

    >>> library_theorems()["decide_iff"].module
    'Decision'
    """
    found = {}
    for module in MODULES:
        for match in _TOLD.finditer(source_of(module)):
            words = " ".join((match["words"] or "").split())
            statement = " ".join(without_comments(match["statement"]).split()).removeprefix(": ")
            found[match["name"]] = LibraryTheorem(module, match["name"], words, statement)
    return found


def theorems_of(text: str) -> tuple[str, ...]:
    """Return the names of the theorems of a file of Coq, in order.

    >>> theorems_of("(* Lemma no : x. *) Theorem yes : True.")
    ('yes',)
    """
    return tuple(dict.fromkeys(_THEOREM.findall(without_comments(text))))


def without_comments(text: str) -> str:
    """Return the text without comments, which may stand inside each other."""
    kept: list[str] = []
    depth = 0
    for piece in re.split(r"(\(\*|\*\))", text):
        if piece == "(*":
            depth += 1
        elif piece == "*)":
            depth -= 1
        elif depth == 0:
            kept.append(piece)
    return "".join(kept)
