"""Data that ships with the library: votes of published tests, with their sources.

>>> example("two-norm").votes.size, example("two-norm").key_counts
(1000, {'a': 400, 'b': 600})
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

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


FILES = {
    "decisions.csv": "twelve answers marked by three judges, no key: `evaluate decisions.csv --judges ada,bo,cyd`",
    "graded.csv": "the same with the key: `evaluate graded.csv --judges ada,bo,cyd --truth truth`",
    "ratings.csv": "ratings from 1 to 5, some missing: `agreement ratings.csv --ordinal 1..5`",
    "harness.jsonl": "a line for each question, with abstentions: `evaluate harness.jsonl --abstain abstain "
    "--judges votes.ada,votes.bo,votes.cyd --truth target`",
    "scores.csv": 'scores of a classifier: `metrics scores.csv --label y --score s --query "maximum recall @ '
    'precision >= 0.9"`',
    "source.csv": "probabilities with true labels: `atc source.csv target.csv --score max`",
    "target.csv": "probabilities of the same classifier on other data, read together with source.csv",
}
"""Files that `write_files` writes, made up for the purpose, each with what it holds and a command that reads it."""


def write_files(directory: str | os.PathLike[str]) -> list[Path]:
    """Write the files into a directory, which is made if need be, and return their paths.

    Raises `BadDocument` where another file of such a name is there: nothing of the user's is replaced.
    """
    target = Path(directory)
    contents = {target / name: files(f"{_DATA}.files").joinpath(name).read_bytes() for name in FILES}
    for path, content in contents.items():
        if path.exists() and (not path.is_file() or path.read_bytes() != content):
            raise BadDocument(str(path), "there is another file of this name", "choose another directory")
    try:
        target.mkdir(parents=True, exist_ok=True)
        for path, content in contents.items():
            path.write_bytes(content)
    except OSError as error:
        raise BadDocument(str(target), f"the examples cannot be written: {error.strerror}") from None
    return list(contents)
