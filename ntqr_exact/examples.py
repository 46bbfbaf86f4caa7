"""Data that ships with the library: votes of published tests, with their sources.

>>> example("two-norm").votes.size, example("two-norm").key_counts
(1000, {'a': 400, 'b': 600})
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.exact.arguments import checked
from ntqr_exact.votes.counts import VoteCounts

_DATA = "ntqr_exact.data"


@dataclass(frozen=True, slots=True)
class Example:
    """Votes of a published test, what its source says of the answer key, and where they come from.

    The source says how often each judge was right on each label, but not how often they were right together;
    so `evaluation` holds each judge's own counts.
    """

    name: str
    title: str
    file: str
    evaluation: CountEvaluation
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

    @property
    def key_counts(self) -> dict[str, int]:
        """How many questions have each true label."""
        return dict(self.evaluation.key_counts)


_ORIGIN = (
    "The counts are not printed there; the majority-vote columns of the tables determine them, since a judge is "
    "wrong under majority vote exactly where it stands alone."
)


def _evaluation(right_on_a: tuple[int, int, int], right_on_b: tuple[int, int, int]) -> CountEvaluation:
    """Return the graded counts of a test with 400 questions of a and 600 of b, as all three of the source have."""
    right = [{"a": a, "b": b} for a, b in zip(right_on_a, right_on_b, strict=True)]
    return CountEvaluation.from_correct({"a": 400, "b": 600}, right)


EXAMPLES: dict[str, Example] = {
    entry.name: entry
    for entry in (
        Example(
            name="two-norm",
            title="three classifiers on 1000 items of the two-norm data set",
            file="two_norm.json",
            evaluation=_evaluation((297, 291, 293), (425, 425, 440)),
            citation=Citation("ntqr", "section 5.2, tables 2 and 3"),
            origin=_ORIGIN,
        ),
        Example(
            name="uci-adult-imaginary",
            title="three classifiers on 1000 items of the UCI adult data set, with strongly correlated errors",
            file="uci_adult_imaginary.json",
            evaluation=_evaluation((268, 314, 363), (263, 396, 385)),
            citation=Citation("ntqr", "section 5.3, tables 4 and 5"),
            origin=_ORIGIN + " Where a fraction there is misprinted, its decimal tells the count.",
        ),
        Example(
            name="uci-adult",
            title="three classifiers on 1000 items of the UCI adult data set",
            file="uci_adult.json",
            evaluation=_evaluation((324, 222, 350), (420, 484, 144)),
            citation=Citation("ntqr", "section 5.4, tables 6 and 7"),
            origin=_ORIGIN + " Where a fraction there is misprinted, its decimal tells the count.",
        ),
    )
}


@checked
def example(name: str) -> Example:
    """Return an example by its name; raises `BadDocument` with the names there are."""
    if name not in EXAMPLES:
        raise BadDocument(name, f"the examples are {', '.join(EXAMPLES)}")
    return EXAMPLES[name]
