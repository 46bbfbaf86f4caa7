"""Data that ships with the library: the votes of the paper's tests and of real panels, with their keys."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from ntqr_exact.citation import Citation
from ntqr_exact.errors import BadDocument
from ntqr_exact.evaluation import CountEvaluation
from ntqr_exact.varieties.compositions import individual
from ntqr_exact.votes.counts import VoteCounts
from ntqr_exact.votes.labeled import LabeledVoteCounts

_DATA = files("ntqr_exact.data")
_TABLES = tomllib.loads(_DATA.joinpath("examples.toml").read_text(encoding="utf-8"))

FILES: dict[str, str] = _TABLES["files"]
"""Files that `write_files` writes, each with its content and a command that reads it."""


@dataclass(frozen=True, slots=True)
class Example:
    """Votes with what is known of their answer key, and where they come from.

    A real panel has its whole key (`labeled`). Of the paper's tests only the number of right answers of each judge on
    each label is printed, so `labeled` is `None` and `evaluation` holds these counts.
    """

    name: str
    title: str
    file: str
    citation: Citation
    origin: str

    @property
    def path(self) -> Traversable:
        """The votes file inside the installed package."""
        return _DATA.joinpath(self.file)

    @property
    def labeled(self) -> LabeledVoteCounts | None:
        """The votes with their key, or `None`."""
        return LabeledVoteCounts.from_json(self.path.read_text("utf-8")) if self.name in PANELS else None

    @property
    def votes(self) -> VoteCounts:
        """The votes without the key."""
        labeled = self.labeled
        return labeled.observed() if labeled else VoteCounts.from_json(self.path.read_text("utf-8"))

    @property
    def evaluation(self) -> CountEvaluation:
        """Each judge's counts under the key."""
        labeled = self.labeled
        if labeled is None:
            right = _TABLES["tests"][self.name]["right"]
            rows = [{"a": a, "b": b} for a, b in zip(right["a"], right["b"], strict=True)]
            return CountEvaluation.from_correct(_TABLES["key_counts"], rows)
        return individual(labeled)

    @property
    def key_counts(self) -> dict[str, int]:
        """How many questions have each true label."""
        return dict(self.evaluation.key_counts)


def _read(table: str, origin: str = "") -> dict[str, Example]:
    def example_of(name: str, title: str, file: str, source: str, place: str, **row: Any) -> Example:
        return Example(name, title, file, Citation(source, place), origin + row["origin"])

    return {name: example_of(name, **row) for name, row in _TABLES[table].items()}


EXAMPLES = _read("tests", _TABLES["origin"])
"""The three tests of the paper."""

PANELS = _read("panels")
"""Real panels with their keys."""


def example(name: str) -> Example:
    """Return an example by its name; raises `BadDocument` with the known names.

    >>> example("two-norm").votes.size, example("breast-cancer").labeled.judges[:2]
    (1000, ('logistic regression', 'naive Bayes'))
    """
    known = EXAMPLES | PANELS
    if name not in known:
        raise BadDocument(name, f"the name of an example must be one of {', '.join(known)}")
    return known[name]


def write_files(directory: str | os.PathLike[str]) -> list[Path]:
    """Write the example files into a directory, which is made if needed, and return their paths.

    Raises `BadDocument` if a different file of that name exists: files of the user are never replaced.
    """
    target = Path(directory)
    contents = {target / name: _DATA.joinpath("files", name).read_bytes() for name in FILES}
    for path, content in contents.items():
        if path.exists() and (not path.is_file() or path.read_bytes() != content):
            raise BadDocument(str(path), "another file of this name exists", "choose another directory")
    try:
        target.mkdir(parents=True, exist_ok=True)
        for path, content in contents.items():
            path.write_bytes(content)
    except OSError as error:
        raise BadDocument(str(target), f"the examples cannot be written: {error.strerror}") from None
    return list(contents)
