"""Data that ships with the library: votes of published tests, with their sources.

>>> example("two-norm").votes.size, example("two-norm").key_counts
(1000, {'a': 400, 'b': 600})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument
from ntqr_exact.votes.counts import VoteCounts

_DATA = "ntqr_exact.data"


@dataclass(frozen=True, slots=True)
class Example:
    """Votes of a published test, what its source tells of the answer key, and how we came by them."""

    name: str
    title: str
    file: str
    key_counts: Mapping[str, int]
    citation: Citation
    origin: str

    @property
    def path(self) -> Traversable:
        """The votes file inside the installed package."""
        return files(_DATA).joinpath(self.file)

    @property
    def votes(self) -> VoteCounts:
        """The votes, read from the file."""
        return VoteCounts.from_json(self.path.read_text(encoding="utf-8"))


EXAMPLES: dict[str, Example] = {
    entry.name: entry
    for entry in (
        Example(
            name="two-norm",
            title="three classifiers on 1000 items of the two-norm data set",
            file="two_norm.json",
            key_counts={"a": 400, "b": 600},
            citation=Citation("ntqr", "section 5.2, tables 2 and 3"),
            origin="The counts are not printed there; the majority-vote columns of the tables determine "
            "them, since a judge is wrong under majority vote exactly where it stands alone.",
        ),
    )
}


def example(name: str) -> Example:
    """Return an example by its name; raises `BadDocument` with the names there are."""
    if name not in EXAMPLES:
        raise BadDocument(name, f"the examples are {', '.join(EXAMPLES)}")
    return EXAMPLES[name]
