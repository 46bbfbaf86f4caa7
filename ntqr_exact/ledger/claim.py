"""`Claim`: where a statement stands, what it says, what is printed there, and by what it is judged.

Claims are data: `ntqr_exact/data/ledger/SOURCE.toml` holds those of a source, and `registry` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument
from ntqr_exact.frozen_mapping import FrozenMapping
from ntqr_exact.ledger.checks import bound, printed_value
from ntqr_exact.ledger.judgement import DEVIATIONS, Finding, Verdict, noted
from ntqr_exact.ledger.printed_value import latex_of, text_of

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
    WORDING = "wording"


class ErrataSection(Enum):
    """Where a deviation stands in the note for the authors."""

    ERROR = "error"
    WORDING = "wording"
    EXTRACTION = "extraction"


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a source.

    `statement` tells in our own words what is claimed, with formulas in LaTeX between dollar signs. `printed` holds
    what stands in the source, as data: text, lists and tables, with numbers as strings. `check` names the function
    (`module.function`, see `checks`) that is given `printed` and `parameters` and computes the finding.

    What no computation decides has no check. An editor's `remark` on a word or a reference is marked as such; and
    `missing` says what would be needed to judge a claim that the source leaves open.

    `quote` is the printed place in LaTeX where it cannot be made from `printed`. `right` is what should be printed,
    in the form of `printed`; the claim with it in place of `printed` holds, which a test shows. `why` tells an author
    what is wrong, `by_hand` how to see it with pencil and paper, `garbled` what the extraction of the text may have
    spoilt. Claims that share a `group` are one fact. `theorem` names what the Coq library of `proofs` proves of it.
    `note` is one more line of evidence, or several, in words that no computation makes.
    """

    id: str
    place: str
    kind: Kind
    statement: str
    check: str = ""
    printed: Any = ""
    garbled: str = ""
    by_hand: str = ""
    parameters: Mapping[str, Any] = FrozenMapping({})
    quote: str = ""
    right: Any = ""
    why: str = ""
    remark: str = ""
    missing: str = ""
    group: str = ""
    section: ErrataSection | None = None
    theorem: str = ""
    note: str | list[str] = ""

    def __post_init__(self) -> None:
        """Refuse an id of another form or of no source, and a claim that is not judged in exactly one way."""
        if not _ID.fullmatch(self.id):
            raise BadDocument(self.id, "an id is source/place, in small letters, digits and -")
        Citation(self.source, self.place)
        if sum(map(bool, (self.check, self.remark, self.missing))) != 1:
            raise BadDocument(self.id, "a claim has either a check, or a remark, or what is missing")
        if (self.kind is Kind.WORDING) != bool(self.remark):
            raise BadDocument(self.id, "a remark is of the kind 'wording', and nothing else is")

    @property
    def source(self) -> str:
        """The key of the source, the first part of the id."""
        return self.id.partition("/")[0]

    @property
    def citation(self) -> Citation:
        """The place, with its source."""
        return Citation(self.source, self.place)

    def printing(self, value: Any) -> Claim:
        """Return the claim as it would be if something else were printed."""
        return replace(self, printed=value)

    def text(self, printed: Any) -> str:
        """Return something printed here, or right here, as a line of text."""
        return text_of(self._value(printed))

    def latex(self, printed: Any) -> str:
        """Return something printed here, or right here, as Markdown with LaTeX."""
        return latex_of(self._value(printed))

    def _value(self, printed: Any) -> Any:
        return printed_value(self.source, self.check, printed) if self.check and printed != "" else printed

    def find(self) -> Finding:
        """Run the check on what is printed; or return the remark, or what is missing.

        Raises `BadDocument` if the claim deviates, and does so also with what is given as right.
        """
        if self.remark:
            return Finding(Verdict.REMARK, (self.remark,))
        if self.missing:
            return Finding(Verdict.NOT_CHECKABLE, (f"missing: {self.missing}",))
        found = bound(self.source, self.check, self.printed, self.parameters)()
        found = noted(found, *([self.note] if isinstance(self.note, str) else self.note))
        if found.verdict in DEVIATIONS and self.right != "":
            if replace(self, printed=self.right, right="").find().verdict in DEVIATIONS:
                raise BadDocument(self.right, f"given as right in {self.id}, but it is not")
            return replace(found, right=self.text(self.right))
        return found


@dataclass(frozen=True, slots=True)
class Group:
    """One fact behind several claims, as the note for the authors tells it."""

    id: str
    place: str
    why: str
    quote: str = ""
    right: str = ""
    by_hand: str = ""
    section: ErrataSection | None = None
