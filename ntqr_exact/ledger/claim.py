"""`Claim`: where a statement stands, what it says, what is printed there, and how it is checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument
from ntqr_exact.ledger.finding import Finding

_ID = re.compile(r"[a-z0-9_]+(/[a-z0-9][a-z0-9-]*)+")


class Kind(Enum):
    """What sort of statement a claim is."""

    DEFINITION = "definition"
    IDENTITY = "identity"
    COUNT = "count"
    NUMBER = "number"
    DECISION = "decision"
    THEOREM = "theorem"
    SENTENCE = "sentence"


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a source.

    `statement` tells in our own words what is claimed, with formulas in LaTeX between dollar signs. `printed` holds
    what stands in the source, as data: a number, a table cell, a formula in the language of `algebra.formula`. The
    check is given `printed` and computes the finding with the library's own parts, so that another printed value
    has another finding. `garbled` says what the extraction of the text may have spoilt, and `by_hand` how a reader
    can check the claim with pencil and paper.
    """

    id: str
    place: str
    kind: Kind
    statement: str
    check: Callable[[str], Finding]
    printed: str = ""
    garbled: str = ""
    by_hand: str = ""

    def __post_init__(self) -> None:
        """Refuse an id of another form, or of no source."""
        if not _ID.fullmatch(self.id):
            raise BadDocument(self.id, "an id is source/place, in small letters, digits and -")
        Citation(self.source, self.place)

    @property
    def source(self) -> str:
        """The key of the source, the first part of the id."""
        return self.id.partition("/")[0]

    @property
    def citation(self) -> Citation:
        """The place, with its source."""
        return Citation(self.source, self.place)

    def find(self) -> Finding:
        """Run the check on what is printed."""
        return self.check(self.printed)
